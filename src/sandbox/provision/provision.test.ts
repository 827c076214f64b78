import { spawn } from 'node:child_process';
import { mkdir, mkdtemp, readdir, readFile, rm, utimes, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { skipBecause } from '../../../test/missing.ts';
import { inDepth } from '../../../test/support/depth.ts';
import { AppError } from '../../kernel/index.ts';
import { packBundledPython } from './bundled-python.ts';
import { cacheFolderOf, sha256, withCacheLock } from './cache-file.ts';
import { imageKey } from './package-image.ts';
import { describeCache, provisionRuntime, pruneCache } from './provision.ts';
import { bootPython } from './start-python.ts';
import { findPyodideFolder, missingFrom, readWheelLock, wheelsFolderIn } from './wheel-store.ts';

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(path.join(os.tmpdir(), 'sandtable-cache-'));
});
afterEach(() => rm(folder, { recursive: true, force: true }));

describe('readWheelLock', () => {
  it('includes the dependencies of numpy and pandas in the installed Pyodide', async () => {
    const lock = await readWheelLock(findPyodideFolder());
    expect(lock.wheels.map((wheel) => wheel.name)).toEqual([
      'numpy',
      'pandas',
      'python-dateutil',
      'pytz',
      'six',
    ]);
    for (const wheel of lock.wheels) expect(wheel.sha256).toMatch(/^[0-9a-f]{64}$/);
  });

  it('reports how to repair a damaged package', async () => {
    await expect(readWheelLock(folder)).rejects.toMatchObject({
      code: 'pyodide_lock_unreadable',
      hint: /npm ci/,
    });
  });
});

describe('withCacheLock', () => {
  it('allows one caller at a time', async () => {
    let inside = 0;
    let most = 0;
    const work = async (): Promise<void> => {
      inside += 1;
      most = Math.max(most, inside);
      await new Promise((resolve) => setTimeout(resolve, 20));
      inside -= 1;
    };
    await Promise.all([1, 2, 3].map(() => withCacheLock(path.join(folder, 'a.lock'), work)));
    expect(most).toBe(1);
    expect(await readdir(folder)).toEqual([]);
  });

  it('takes over the lock of a killed process', async () => {
    const child = spawn(process.execPath, ['--version']);
    await new Promise((resolve) => child.on('close', resolve));
    await mkdir(path.join(folder, 'a.lock'));
    await writeFile(path.join(folder, 'a.lock', 'owner'), `${os.hostname()} ${child.pid}`);
    expect(await withCacheLock(path.join(folder, 'a.lock'), async () => 'in')).toBe('in');
  });

  it('releases the lock when the work fails', async () => {
    const failing = withCacheLock(path.join(folder, 'a.lock'), () => Promise.reject(new Error('no')));
    await expect(failing).rejects.toThrow('no');
    expect(await readdir(folder)).toEqual([]);
  });
});

describe('pruneCache', () => {
  it('removes only unfinished and old files', async () => {
    const twoDaysAgo = new Date(Date.now() - 2 * 86_400_000);
    const monthsAgo = new Date(Date.now() - 90 * 86_400_000);
    const make = async (name: string, time?: Date): Promise<void> => {
      const file = path.join(folder, name);
      await mkdir(path.dirname(file), { recursive: true });
      await writeFile(file, '');
      if (time) await utimes(file, time, time);
    };
    await make('wheels/v/.tmp-old', twoDaysAgo);
    await make('wheels/v/.tmp-new');
    await make('wheels/v/numpy.whl.part', twoDaysAgo);
    await make('wheels/v/numpy.whl', monthsAgo);
    await make('own/own-1.bin', monthsAgo);
    await make('own/own-2.bin', twoDaysAgo);
    const removed = await pruneCache(folder);
    const names = removed.map((file) => path.relative(folder, file).split(path.sep).join('/'));
    expect(names.sort()).toEqual(['own/own-1.bin', 'wheels/v/.tmp-old', 'wheels/v/numpy.whl.part']);
  });
});

describe('extra wheels', () => {
  it('reports all unusable ones together', async () => {
    const binary = path.join(folder, 'fast-1-cp313-cp313-linux_x86_64.whl');
    const text = path.join(folder, 'text-1-py3-none-any.whl');
    await writeFile(binary, 'x');
    await writeFile(text, 'x');
    const images = { index: '', data: '' };
    const packed = packBundledPython({
      folder,
      pyodideFolder: findPyodideFolder(),
      image: { folder: 'image', stdlib: '', stdlibSha256: '', packages: [images] },
      sources: path.join(folder, 'none'),
      extraWheels: [
        { path: binary, sha256: sha256('x') },
        { path: text, sha256: sha256('x').toUpperCase() },
        { path: text, sha256: sha256('y') },
        { path: path.join(folder, 'absent.whl'), sha256: sha256('x') },
      ],
    });
    const error = await packed.then(
      () => undefined,
      (reason: unknown) => reason as AppError,
    );
    expect(error).toBeInstanceOf(AppError);
    expect(error?.code).toBe('extra_wheel_unusable');
    expect(error?.message).toMatch(/4 faults/);
    expect(error?.message).toMatch(/fast-1.*not a pure-Python wheel/);
    expect(error?.message).toMatch(/text-1.*not a ZIP archive/);
    expect(error?.message).toMatch(/text-1.*SHA-256/);
    expect(error?.message).toMatch(/absent.whl: cannot be read/);
  });
});

const pyodideFolder = findPyodideFolder();
const lock = await readWheelLock(pyodideFolder);
const wheelsAtHand = [process.env.SANDTABLE_WHEELS, wheelsFolderIn(cacheFolderOf(), lock)];
let wheelsFolder: string | undefined;
for (const candidate of wheelsAtHand) {
  if (candidate && (await missingFrom(candidate, lock.wheels)).length === 0) wheelsFolder ??= candidate;
}

describe('provisionRuntime', () => {
  if (wheelsFolder === undefined)
    skipBecause(
      'No image was built: there are no wheels in the cache (run `sandtable setup` or set SANDTABLE_WHEELS).',
    );
  it.skipIf(wheelsFolder === undefined || !inDepth(0))(
    'builds an image once for two concurrent callers in place of a damaged one, and boots it',
    async () => {
      const sources = path.join(folder, 'python');
      await mkdir(path.join(sources, 'mine'), { recursive: true });
      await writeFile(path.join(sources, 'mine', '__init__.py'), 'from .deep import ANSWER\n');
      await writeFile(path.join(sources, 'mine', 'deep.py'), 'ANSWER = 42\n');
      // Offline on purpose: only the named folder may be used.
      const options = {
        cacheFolder: folder,
        wheelsFolder: wheelsFolder as string,
        pyodideUrl: 'http://127.0.0.1:9/',
        pythonFolder: sources,
      };
      // An image truncated by a full disk must be rebuilt.
      const damaged = path.join(folder, 'images', imageKey(lock));
      await mkdir(damaged, { recursive: true });
      await writeFile(path.join(damaged, 'manifest.json'), '{"sizes":{"stdlib.zip":1},"hashes":{}}');
      const [runtime, twin] = await Promise.all([provisionRuntime(options), provisionRuntime(options)]);
      expect(twin).toEqual(runtime);
      expect(runtime.versions).toMatchObject({ pyodide: lock.pyodide, pandas: expect.stringMatching(/^2/) });

      const python = await bootPython(runtime);
      const answer = python.runPython(`
import mine, pandas as pd, zoneinfo, importlib.metadata
[mine.ANSWER, pd.DataFrame({'a': [1, 2, 4]}).a.rolling(2).mean().iloc[-1], pd.Series.mean.__doc__ is not None,
 str(pd.Timestamp('2020-07-01', tz='America/New_York')), zoneinfo.ZoneInfo('Europe/Berlin').key,
 importlib.metadata.version('numpy')]
`);
      const zone = '2020-07-01 00:00:00-04:00';
      expect(answer.toJs()).toEqual([42, 3, true, zone, 'Europe/Berlin', runtime.versions.numpy]);

      expect(await describeCache({ cacheFolder: folder })).toMatchObject({ image: { state: 'verified' } });
      const data = runtime.packages[1]?.data as string;
      const whole = await readFile(data);
      await writeFile(data, Buffer.from(whole).fill(0, 0, 16));
      expect(await describeCache({ cacheFolder: folder })).toMatchObject({ image: { state: 'damaged' } });
      await writeFile(data, whole);

      await writeFile(path.join(sources, 'mine', 'deep.py'), 'ANSWER = 43\n');
      const changed = await provisionRuntime(options);
      expect(changed.fingerprint).not.toBe(runtime.fingerprint);
      await writeFile(path.join(sources, 'mine', 'deep.py'), 'ANSWER = = 43\n');
      await expect(provisionRuntime(options)).rejects.toMatchObject({
        code: 'python_source_failed',
        message: expect.stringContaining('deep.py'),
      });
    },
  );
});
