import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdir, readdir, readFile, rm } from 'node:fs/promises';
import path from 'node:path';
import { promisify } from 'node:util';
import { gunzip } from 'node:zlib';
import { temporaryPath } from '../../kernel/index.ts';
import { sha256 } from './cache-file.ts';
import { tarEntries } from './tar-entries.ts';
import type { SourceContext, WheelSource } from './wheel-store.ts';
import { findZipArchives } from './zip-scan.ts';

/** An npm package with whole wheels somewhere inside its files. */
export interface NpmCarrier {
  /** `name@version`. */
  readonly spec: string;
  /** Of the tarball, as in a package-lock.json: `sha512-…`. */
  readonly integrity: string;
}

/**
 * A package on the npm registry whose one file, a program that bundles Pyodide, holds the same wheels byte for byte.
 *
 * It is a last resort for machines that reach an npm registry and nothing else. The program is only searched for ZIP
 * archives, never run.
 */
const WHEEL_CARRIER: NpmCarrier = {
  spec: '@secure-exec/sidecar-linux-x64-gnu@0.3.3',
  integrity:
    'sha512-HGrMqJRO36ZltG4EeaozGpY4MNSxA9S4DZXCN91Vfy4kmh1eCzZl95YPFDOAvEgdGy0gesgt+BEWvPKyh7U/ag==',
};

/** Downloads a tarball into a folder; `npm pack` unless a test says otherwise. */
export type PackTarball = (spec: string, folder: string, signal?: AbortSignal) => Promise<void>;

/** The carrier unpacks to a quarter of it, in bytes. */
const UNPACKED_LIMIT = 512 * 1024 * 1024;

/** The npm registry the user's npm is set up for. */
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

/** The few retries keep a machine without network from waiting a minute for npm to give up. */
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
      // Node starts .cmd files through a shell only; every argument here is a constant.
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

/** npm complains at length; the first lines say what happened, the rest where its log is. */
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
