import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { simulateMarket, writeBarColumns } from '../../market/index.ts';
import type { ContentStore } from '../store/content-store.ts';
import { type ObjectCache, objectCache } from '../store/object-cache.ts';
import { folderStore } from '../store/open-store.ts';
import { openPlan } from './plan.ts';

const root = mkdtempSync(join(tmpdir(), 'sandtable-plans-'));
afterAll(() => rmSync(root, { recursive: true }));
let store: ContentStore;
let cache: ObjectCache;
let bars: string;
beforeAll(async () => {
  store = folderStore(join(root, 'store'));
  cache = await objectCache(store, join(root, 'cache'));
  const file = join(root, 'bars.parquet');
  await writeBarColumns(simulateMarket({ seed: 1, bars: 5 }).series, file);
  bars = await store.put(readFileSync(file));
});

async function plan(file: string, options: object = {}): Promise<string> {
  const strategy = { file, object: await store.put(Buffer.from('{"orders": []}')), external: null };
  const content = {
    ...{ format: 1, strategy, parameters: {}, settings: {}, decisionSeconds: 1 },
    options: { data: ['bars.csv'], ...options },
    bars: { object: bars, intervals: [null] },
    ...{ rates: null, detail: null, benchmark: null, files: {} },
  };
  return store.put(Buffer.from(JSON.stringify(content)));
}

describe('a plan that names files of the worker', () => {
  it.each(['../../evil.json', '/etc/evil.json', 'a/../../evil.json', 'evil.json'])(
    'has its strategy written into the folder of the sweep only: %s',
    async (file) => {
      const folder = join(root, 'sweeps', 'one');
      mkdirSync(folder, { recursive: true });
      const ground = await openPlan(await plan(file), cache, folder);
      expect(ground.strategy).toBe(join(folder, 'evil.json'));
      expect(basename(dirname(ground.strategy))).toBe('one');
      expect(existsSync(join(root, 'evil.json'))).toBe(false);
      expect(readdirSync(join(root, 'sweeps'))).toEqual(['one']);
    },
  );

  it.each(['..', '.', ''])('is refused with "%s" in place of a file', async (file) => {
    const folder = join(root, 'sweeps', 'one');
    mkdirSync(folder, { recursive: true });
    await expect(plan(file).then((hash) => openPlan(hash, cache, folder))).rejects.toThrow();
    expect(readdirSync(root).sort()).toEqual(['bars.parquet', 'cache', 'store', 'sweeps']);
  });

  it.each([{ allowScripts: true }, { vfs: '/etc' }, { skills: '/root' }])(
    'is refused: %j',
    async (options) => {
      await expect(
        plan('evil.json', options).then((hash) => openPlan(hash, cache, root)),
      ).rejects.toMatchObject({ code: 'not_for_a_queue' });
    },
  );
});
