import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createMarket, simulateMarket, writeBarColumns } from '../../market/index.ts';
import { type ContentStore, type ObjectCache, objectCache } from '../store/content-store.ts';
import { folderStore } from '../store/open-store.ts';
import { openPlan, storePlan } from './plan.ts';

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

async function plan(file: string, options: object = {}, beside: readonly string[] = []): Promise<string> {
  const object = await store.put(Buffer.from('{"orders": []}'));
  const strategy = {
    file,
    object,
    external: null,
    beside: Object.fromEntries(beside.map((name) => [name, object])),
  };
  const content = {
    ...{ format: 1, strategy, parameters: {}, settings: {}, decisionSeconds: 1 },
    options: { data: ['bars.csv'], ...options },
    bars: { object: bars, intervals: [null] },
    ...{ rates: null, detail: null, benchmark: null, files: {} },
  };
  return store.put(Buffer.from(JSON.stringify(content)));
}

describe('a plan from another machine', () => {
  it.each(['../../evil.json', '/etc/evil.json', 'a/../../evil.json', 'evil.json'])(
    'has its strategy written only into the folder of the sweep: %s',
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

  it.each(['..', '.', ''])('is refused with the file name "%s"', async (file) => {
    const folder = join(root, 'sweeps', 'one');
    mkdirSync(folder, { recursive: true });
    await expect(plan(file).then((hash) => openPlan(hash, cache, folder))).rejects.toThrow();
    expect(readdirSync(root).sort()).toEqual(['bars.parquet', 'cache', 'store', 'sweeps']);
  });

  it.each(['../evil.py', '/etc/evil.py', 'a/../../evil.py', 'a/./evil.py', 'evil.sh', 'a\\evil.py'])(
    'is refused with the Python file %s',
    async (name) => {
      const hash = await plan('good.py', {}, ['sizes.py', name]);
      await expect(openPlan(hash, cache, join(root, 'sweeps'))).rejects.toMatchObject({ code: 'bad_plan' });
    },
  );

  it.each([{ allowScripts: true }, { vfs: '/etc' }, { skills: '/root' }])(
    'is refused: %j',
    async (options) => {
      await expect(
        plan('evil.json', options).then((hash) => openPlan(hash, cache, root)),
      ).rejects.toMatchObject({ code: 'not_for_a_queue' });
    },
  );
});

it('a plan contains the Python files that a strategy imports, and no others', async () => {
  const folder = join(root, 'own');
  mkdirSync(join(folder, 'lib'), { recursive: true });
  const texts = {
    'cross-over.py': 'from lib.sizes import half\n\ndef on_bar(bar):\n    bar.buy(half())\n',
    'lib/sizes.py': 'from . import steps\n',
    'lib/steps.py': 'step = 2\n',
    'other.py': 'secret = 1\n',
  };
  for (const [name, text] of Object.entries(texts)) writeFileSync(join(folder, name), text);
  const { series } = simulateMarket({ seed: 1, bars: 5 });
  const hash = await storePlan(
    {
      strategy: join(folder, 'cross-over.py'),
      bundle: undefined,
      parameters: {},
      options: { data: ['bars.csv'] },
      settings: {},
      decisionSeconds: 1,
      files: { market: createMarket(series), rates: [] } as unknown as Parameters<
        typeof storePlan
      >[0]['files'],
    },
    store,
  );
  const place = join(root, 'sweeps', 'two');
  const ground = await openPlan(hash, cache, place);
  expect(ground.strategy).toBe(join(place, 'cross-over.py'));
  const copied = readdirSync(place, { recursive: true })
    .map(String)
    .filter((name) => name.endsWith('.py'));
  expect(copied.sort()).toEqual(['cross-over.py', join('lib', 'sizes.py'), join('lib', 'steps.py')]);
  for (const name of copied)
    expect(readFileSync(join(place, name), 'utf8')).toBe(texts[name as keyof typeof texts]);
});
