import { readdir, readFile, rm, stat, utimes } from 'node:fs/promises';
import path from 'node:path';
import { AppError, type Fault, faultsError, messageOf, temporaryPath } from '../../kernel/index.ts';
import { runBuildJob } from './build-job.ts';
import { publishFile, sha256, sha256OfFile, withCacheLock, writeWhole } from './cache-file.ts';
import type { RuntimeImage } from './package-image.ts';
import { IMAGE_BUILDER } from './package-image-builder.ts';
import type { PackageImage } from './start-python.ts';
import { findZipArchives, type OnProgress } from './wheel-store.ts';

/** Wheel (Python package file) without compiled code that the user adds to the sandbox. */
export interface ExtraWheel {
  /** Path of the `.whl` file. */
  readonly path: string;
  /** SHA-256 of this file in hexadecimal. */
  readonly sha256: string;
}

interface BundledPythonRequest {
  /** Absolute path of the cache folder for compiled sources. */
  readonly folder: string;
  readonly pyodideFolder: string;
  readonly image: RuntimeImage;
  /**
   * Absolute path of the folder with Sandtable's Python packages, such as `ta/`. Ignored if the folder does
   * not exist.
   */
  readonly sources: string;
  readonly extraWheels?: readonly ExtraWheel[];
  readonly onProgress?: OnProgress;
  readonly signal?: AbortSignal | undefined;
}

interface BundledPython {
  readonly image: PackageImage;
  /** SHA-256 of the names and contents of all sources and wheels, and of the key of the runtime image. */
  readonly contentHash: string;
}

/**
 * Compiles Sandtable's Python sources and the user's wheels into an image (a data file and its index). The
 * name of the image contains a hash of these sources and wheels. An existing image with this name is reused.
 *
 * @throws AppError `extra_wheel_unusable` with every fault of the wheels; `python_source_failed` if a file
 *   does not compile
 */
export async function packBundledPython(request: BundledPythonRequest): Promise<BundledPython> {
  const wheels = await readExtraWheels(request.extraWheels ?? []);
  const sources = await readSources(request.sources);
  const parts = [...sources, ...wheels].map(({ name, bytes }) => [name, sha256(bytes)]);
  const contentHash = sha256(JSON.stringify([path.basename(request.image.folder), parts]));
  const stem = path.join(request.folder, `own-${contentHash.slice(0, 16)}`);
  const image = await storedPair(
    stem,
    (index, data) => compileOwn(request, sources, wheels, { index, data }),
    request.signal,
  );
  return { image, contentHash };
}

interface NamedFile {
  /** Path relative to site-packages, or file name of a wheel. */
  readonly name: string;
  readonly file: string;
  readonly bytes: Buffer;
}

async function compileOwn(
  request: BundledPythonRequest,
  sources: readonly NamedFile[],
  wheels: readonly NamedFile[],
  files: { readonly index: string; readonly data: string },
): Promise<void> {
  const { onProgress = () => {} } = request;
  const report = (done: number, total: number): void =>
    onProgress({ stage: 'own', message: 'compiling the indicators', done, total });
  try {
    const insideWheels = wheels.map(({ file, name }) => [file, `/in/wheels/${name}`] as const);
    const insideSources = sources.map(({ file, name }) => [file, `/in/tree/${name}`] as const);
    await runBuildJob(
      {
        pyodideFolder: request.pyodideFolder,
        runtime: {
          pyodideFolder: request.pyodideFolder,
          stdlib: request.image.stdlib,
          stdlibSha256: request.image.stdlibSha256,
          packages: request.image.packages.slice(0, 1),
        },
        inputs: [...insideWheels, ...insideSources],
        source: IMAGE_BUILDER,
        call: {
          name: 'build_packages',
          parameters: [
            insideWheels.map(([, inside]) => inside),
            '/in/tree',
            sources.map(({ name }) => name),
            '/out/own.bin',
            '/out/own.json',
          ],
        },
        outputs: [
          ['/out/own.bin', files.data],
          ['/out/own.json', files.index],
        ],
      },
      report,
      request.signal,
    );
  } catch (error) {
    request.signal?.throwIfAborted();
    throw new AppError({
      code: 'python_source_failed',
      kind: 'run',
      message: `Compiling the sandbox's Python sources failed: ${messageOf(error)}`,
      hint: 'Fix the Python file named above, or remove the wheel that contains it.',
      cause: error,
    });
  }
}

async function readSources(folder: string): Promise<NamedFile[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true }).catch(() => []);
  const names = entries
    .filter((entry) => entry.isFile())
    .map((entry) => path.relative(folder, path.join(entry.parentPath, entry.name)).split(path.sep).join('/'))
    .filter(
      (name) =>
        // Files directly in the sources folder do not belong to a Python package, so they are skipped.
        name.includes('/') &&
        !name.endsWith('.pyc') &&
        !name.split('/').some((part) => part.startsWith('.') || part === 'tests'),
    );
  return Promise.all(
    names.sort().map(async (name) => {
      const file = path.join(folder, name);
      return { name, file, bytes: await readFile(file) };
    }),
  );
}

async function readExtraWheels(wheels: readonly ExtraWheel[]): Promise<NamedFile[]> {
  const faults: Fault[] = [];
  const files: NamedFile[] = [];
  for (const wheel of wheels) {
    const bytes = await readFile(wheel.path).catch((error: unknown) => messageOf(error));
    const message = typeof bytes === 'string' ? `cannot be read: ${bytes}` : faultOf(wheel, bytes);
    if (message !== undefined) faults.push({ where: wheel.path, message });
    else
      files.push({ name: path.basename(wheel.path), file: path.resolve(wheel.path), bytes: bytes as Buffer });
  }
  if (faults.length > 0) {
    throw faultsError(
      'extra_wheel_unusable',
      'Python wheels',
      faults,
      'Give the path of a pure-Python wheel (its name ends in -none-any.whl) and the SHA-256 of that very file.',
    );
  }
  return files.sort((one, other) => (one.name < other.name ? -1 : 1));
}

function faultOf(wheel: ExtraWheel, bytes: Buffer): string | undefined {
  const found = sha256(bytes);
  if (found !== wheel.sha256.toLowerCase()) return `has SHA-256 ${found}, not ${wheel.sha256}`;
  if (!wheel.path.endsWith('-none-any.whl'))
    return 'is not a pure-Python wheel: its name does not end in -none-any.whl';
  if (findZipArchives(bytes).next().value?.length !== bytes.length) return 'is not a ZIP archive';
  return undefined;
}

/** Data file in the cache and its index. */
interface StoredPair {
  readonly index: string;
  readonly data: string;
  /** SHA-256 of both files in hexadecimal, computed when the files were made. */
  readonly sha256: { readonly index: string; readonly data: string };
}

/**
 * Returns a data file and its index from the cache. Makes both if they are missing.
 *
 * The names of both files contain their hashes. If two processes make different files for the same `stem`,
 * each process gets a data file and an index that match.
 *
 * @param stem absolute path without an ending. Must name everything that determines the content
 * @param make writes both files to the given paths
 */
export async function storedPair(
  stem: string,
  make: (index: string, data: string) => Promise<void>,
  signal?: AbortSignal,
): Promise<StoredPair> {
  const found = await readPair(stem);
  if (found !== undefined) return found;
  const again = async (): Promise<StoredPair> => (await readPair(stem)) ?? (await makePair(stem, make));
  return withCacheLock(`${stem}.lock`, again, () => {}, signal);
}

async function makePair(
  stem: string,
  make: (index: string, data: string) => Promise<void>,
): Promise<StoredPair> {
  const folder = path.dirname(stem);
  const [index, data] = [temporaryPath(folder), temporaryPath(folder)];
  try {
    await make(index, data);
    const sha256 = { index: (await sha256OfFile(index))!, data: (await sha256OfFile(data))! };
    const pair = pairOf(stem, sha256);
    await publishFile(data, pair.data);
    await publishFile(index, pair.index);
    // The file with the hashes is written last. If it exists, both other files were completely written.
    const sizes = [await sizeOf(pair.index), await sizeOf(pair.data)];
    await writeWhole(hashesOf(stem), [sha256.index, sha256.data, ...sizes].join(' '));
    return pair;
  } finally {
    await Promise.all([rm(data, { force: true }), rm(index, { force: true })]);
  }
}

/**
 * Returns both files if they are complete. A file whose size differs from the recorded size is incomplete,
 * for example because the disk was full.
 */
async function readPair(stem: string): Promise<StoredPair | undefined> {
  const text = await readFile(hashesOf(stem), 'utf8').catch(() => '');
  const [, index, data, indexBytes, dataBytes] =
    /^([0-9a-f]{64}) ([0-9a-f]{64}) (\d+) (\d+)$/.exec(text) ?? [];
  if (index === undefined || data === undefined) return undefined;
  const pair = pairOf(stem, { index, data });
  const isWhole =
    (await sizeOf(pair.index)) === Number(indexBytes) && (await sizeOf(pair.data)) === Number(dataBytes);
  if (!isWhole) return undefined;
  // Updates the time of last use, because unused files are removed later.
  const now = new Date();
  for (const file of [hashesOf(stem), pair.index, pair.data]) await utimes(file, now, now).catch(() => {});
  return pair;
}

async function sizeOf(file: string): Promise<number | undefined> {
  return (await stat(file).catch(() => undefined))?.size;
}

function pairOf(stem: string, sha256: StoredPair['sha256']): StoredPair {
  const file = (hash: string, ending: string): string => `${stem}-${hash.slice(0, 16)}.${ending}`;
  return { index: file(sha256.index, 'json'), data: file(sha256.data, 'bin'), sha256 };
}

function hashesOf(stem: string): string {
  return `${stem}.hashes`;
}
