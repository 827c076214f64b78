import { readFile, rename, rm, stat, utimes, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { AppError, messageOf, temporaryPath } from '../../kernel/index.ts';
import { type BuildJob, runBuildJob } from './build-job.ts';
import { makeFolder, sha256, withCacheLock } from './cache-file.ts';
import { IMAGE_BUILDER, IMAGE_FINDER } from './package-image-builder.ts';
import type { PackageImage } from './start-python.ts';
import type { OnProgress, WheelLock } from './wheel-store.ts';

/** Image in the cache: a folder with the compiled standard library and the compiled wheels. */
export interface RuntimeImage {
  readonly folder: string;
  readonly stdlib: string;
  readonly stdlibSha256: string;
  readonly packages: readonly PackageImage[];
}

export interface ImageRequest {
  /** Absolute path of the folder with all images. Each image is a folder inside it. */
  readonly folder: string;
  readonly pyodideFolder: string;
  readonly lock: WheelLock;
  /** Returns the paths of the verified wheels. Called only if the image must be built. */
  readonly wheelPaths: () => Promise<readonly string[]>;
  readonly onProgress?: OnProgress;
  readonly signal?: AbortSignal | undefined;
}

const FILES = ['stdlib.zip', 'stdlib.bin', 'stdlib.json', 'packages.bin', 'packages.json'] as const;

interface Manifest {
  /** Size of each file in bytes. Compared with the actual sizes at every start, to detect truncated files. */
  readonly sizes: Readonly<Record<string, number>>;
  readonly hashes: Readonly<Record<string, string>>;
}

/** Returns the name of an image: a hash of everything that determines its content. */
export function imageKey(lock: WheelLock): string {
  const hashes = lock.wheels.map((wheel) => wheel.sha256);
  return sha256(JSON.stringify([lock.pyodide, hashes, IMAGE_BUILDER, IMAGE_FINDER])).slice(0, 16);
}

/**
 * Finds the image in the cache, or builds it.
 *
 * @throws AppError `no_python_wheels` if the wheels are unavailable; `python_image_failed` if building fails
 */
export async function ensureImage(request: ImageRequest): Promise<RuntimeImage> {
  const folder = path.join(request.folder, imageKey(request.lock));
  const { onProgress = () => {}, signal } = request;
  if (!(await isComplete(folder))) {
    const waiting = (): void =>
      onProgress({ stage: 'image', message: 'another process is preparing Python' });
    const build = async (): Promise<void> => {
      if (!(await isComplete(folder))) await buildImage(folder, request, onProgress);
    };
    await withCacheLock(`${folder}.lock`, build, waiting, signal);
  }
  const now = new Date();
  // `pruneCache` reads this time. It removes images that were not used for a month.
  await utimes(folder, now, now).catch(() => {});
  return imageIn(folder, (await readManifest(folder))?.hashes ?? {});
}

/**
 * Returns the paths and hashes of the image in a folder. If the manifest has no hash for a file, the hash is
 * empty. An empty hash matches no file, so loading the file later fails.
 */
function imageIn(folder: string, hashes: Readonly<Record<string, string>>): RuntimeImage {
  const part = (name: string): PackageImage => ({
    index: path.join(folder, `${name}.json`),
    data: path.join(folder, `${name}.bin`),
    sha256: { index: hashes[`${name}.json`] ?? '', data: hashes[`${name}.bin`] ?? '' },
  });
  return {
    folder,
    stdlib: path.join(folder, 'stdlib.zip'),
    stdlibSha256: hashes['stdlib.zip'] ?? '',
    packages: [part('stdlib'), part('packages')],
  };
}

/** Returns true if every file in the manifest exists with the correct size. */
async function isComplete(folder: string): Promise<boolean> {
  const manifest = await readManifest(folder);
  if (manifest === undefined) return false;
  const sizes = await Promise.all(
    FILES.map(async (name) => (await stat(path.join(folder, name)).catch(() => undefined))?.size),
  );
  return FILES.every((name, position) => sizes[position] === manifest.sizes[name]);
}

/** Returns true if the SHA-256 of every file of an image equals the hash computed by the build. */
export async function verifyImage(folder: string): Promise<boolean> {
  const manifest = await readManifest(folder);
  if (manifest === undefined) return false;
  for (const name of FILES) {
    const bytes = await readFile(path.join(folder, name)).catch(() => undefined);
    if (bytes === undefined || sha256(bytes) !== manifest.hashes[name]) return false;
  }
  return true;
}

async function readManifest(folder: string): Promise<Manifest | undefined> {
  try {
    return JSON.parse(await readFile(path.join(folder, 'manifest.json'), 'utf8')) as Manifest;
  } catch {
    return undefined;
  }
}

async function buildImage(folder: string, request: ImageRequest, onProgress: OnProgress): Promise<void> {
  const wheels = await request.wheelPaths();
  const workshop = temporaryPath(request.folder);
  await makeFolder(workshop);
  try {
    await runJobs(
      [stdlibJob(request, workshop), wheelsJob(request, wheels, workshop)],
      onProgress,
      request.signal,
    );
    await writeManifest(workshop);
    // Replaces a damaged image. If another process has built a complete image in the meantime, its image
    // stays in place and is used.
    if (!(await isComplete(folder))) {
      await rm(folder, { recursive: true, force: true });
      await rename(workshop, folder);
    }
  } catch (error) {
    request.signal?.throwIfAborted();
    if (await isComplete(folder)) return;
    throw new AppError({
      code: 'python_image_failed',
      kind: 'run',
      message: `Preparing Python in ${request.folder} failed: ${messageOf(error)}`,
      hint: 'Check that the folder is writable and has 100 MB free, then run `sandtable setup` again.',
      cause: error,
    });
  } finally {
    await rm(workshop, { recursive: true, force: true });
  }
}

/** Runs build jobs in parallel. Each job uses one thread, so two jobs take half the time of a sequence. */
async function runJobs(
  jobs: readonly BuildJob[],
  onProgress: OnProgress,
  signal?: AbortSignal,
): Promise<void> {
  const counts = jobs.map(() => ({ done: 0, total: 0 }));
  const report = (position: number) => (done: number, total: number) => {
    counts[position] = { done, total };
    if (counts.some((count) => count.total === 0)) return;
    onProgress({
      stage: 'image',
      message: 'compiling the Python library and packages (first use only)',
      done: counts.reduce((sum, count) => sum + count.done, 0),
      total: counts.reduce((sum, count) => sum + count.total, 0),
    });
  };
  onProgress({ stage: 'image', message: 'preparing Python (first use only)' });
  await Promise.all(jobs.map((job, position) => runBuildJob(job, report(position), signal)));
}

function outputs(names: readonly string[], workshop: string): BuildJob['outputs'] {
  return names.map((name) => [`/out/${name}`, path.join(workshop, name)] as const);
}

function stdlibJob(request: ImageRequest, workshop: string): BuildJob {
  return {
    pyodideFolder: request.pyodideFolder,
    inputs: [[path.join(request.pyodideFolder, 'python_stdlib.zip'), '/in/stdlib.zip']],
    source: IMAGE_BUILDER,
    call: {
      name: 'build_stdlib',
      parameters: ['/in/stdlib.zip', '/out/stdlib.zip', '/out/stdlib.bin', '/out/stdlib.json', IMAGE_FINDER],
    },
    outputs: outputs(['stdlib.zip', 'stdlib.bin', 'stdlib.json'], workshop),
  };
}

function wheelsJob(request: ImageRequest, wheels: readonly string[], workshop: string): BuildJob {
  const inputs = wheels.map((wheel) => [wheel, `/in/${path.basename(wheel)}`] as const);
  return {
    pyodideFolder: request.pyodideFolder,
    inputs,
    source: IMAGE_BUILDER,
    call: {
      name: 'build_packages',
      parameters: [inputs.map(([, inside]) => inside), '', [], '/out/packages.bin', '/out/packages.json'],
    },
    outputs: outputs(['packages.bin', 'packages.json'], workshop),
  };
}

async function writeManifest(workshop: string): Promise<void> {
  const sizes: Record<string, number> = {};
  const hashes: Record<string, string> = {};
  for (const name of FILES) {
    const bytes = await readFile(path.join(workshop, name));
    sizes[name] = bytes.length;
    hashes[name] = sha256(bytes);
  }
  await writeFile(path.join(workshop, 'manifest.json'), JSON.stringify({ sizes, hashes } satisfies Manifest));
}
