import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { barSeries, createMarket, simulateMarket } from '../../market/index.ts';
import { contentHash, objectCache } from '../store/content-store.ts';
import { folderStore } from '../store/open-store.ts';
import { clusterAddress, openPlan, readClusterOptions, storePlan } from './plan.ts';

const root = mkdtempSync(join(tmpdir(), 'sandtable-plan-contents-'));
afterAll(() => rmSync(root, { recursive: true }));
const store = folderStore(join(root, 'store'));
const strategy = join(root, 'orders.json');
writeFileSync(strategy, '{"orders": []}');
const { series } = simulateMarket({ seed: 1, bars: 5, symbols: ['AAA'], start: '2024-01-01' });
const market = createMarket([{ ...series[0]!, interval: '1d' }]);
const rate = barSeries('EURUSD', [{ time: 0, open: 1, high: 2, low: 1, close: 2, volume: 1 }]);

async function carried(own: object = {}, options: object = {}, files: object = {}) {
  const folder = mkdtempSync(join(root, 'worker-'));
  const hash = await storePlan(
    {
      ...{ strategy, bundle: undefined, parameters: { fast: 2 }, settings: { cash: 5 }, decisionSeconds: 7 },
      options: { data: ['bars.csv'], out: 'reports', riskFree: 0.1, ...options },
      files: { market, rates: [], notes: ['n'], ...files } as never,
      ...own,
    },
    store,
  );
  const cache = await objectCache(store, join(root, 'cache'));
  return { folder, hash, ground: await openPlan(hash, cache, folder) };
}

describe('the plan of a sweep', () => {
  it('has the same inputs on a worker, with files from the cache of the worker', async () => {
    const { ground, folder } = await carried();
    expect(ground).toMatchObject({
      ...{ strategy: join(folder, 'orders.json'), bundle: undefined, parameters: { fast: 2 } },
      ...{ settings: { cash: 5 }, decisionSeconds: 7, options: { riskFree: 0.1 } },
    });
    expect(readFileSync(ground.strategy, 'utf8')).toBe('{"orders": []}');
    expect(ground.options).not.toHaveProperty('out');
    for (const name of ['detail', 'benchmark']) expect(ground.options).not.toHaveProperty(name);
    expect(ground.options.data).toHaveLength(1);
    expect(existsSync(ground.options.data![0]!)).toBe(true);
    const [own] = ground.files.market.series;
    expect([own!.symbol, own!.interval, [...own!.close]]).toEqual(['AAA', '1d', [...series[0]!.close]]);
    expect([ground.files.rates, ground.files.notes]).toEqual([[], ['n']]);
  });

  it('contains exchange rates, and bars without a declared interval', async () => {
    const { ground } = await carried({}, {}, { rates: [rate], market: createMarket(series) });
    expect(ground.files.rates.map(({ symbol, interval, close }) => [symbol, interval, [...close]])).toEqual([
      ['EURUSD', undefined, [2]],
    ]);
    expect(ground.files.market.series[0]).not.toHaveProperty('interval');
  });

  it('contains the data of a benchmark file, but only the name of a benchmark symbol', async () => {
    const file = join(root, 'spx.csv');
    writeFileSync(file, 'date,open,high,low,close\n2024-01-01,1,1,1,1\n2024-01-02,2,2,2,2\n');
    const { ground } = await carried({}, { benchmark: file });
    expect(ground.options.benchmark).toMatch(/\.parquet$/);
    expect((await carried({}, { benchmark: 'AAA' })).ground.options.benchmark).toBe('AAA');
  });

  it('contains the code of a bundled strategy, and is refused if the bundle has no code', async () => {
    const bundle = { file: 'x', code: 'export default 1', sha256: 's', external: ['zod'] };
    const { ground } = await carried({ strategy: 'lib/cross.ts', bundle });
    expect(ground.strategy).toBe('cross.ts');
    expect(ground.bundle).toEqual({
      ...{
        file: 'cross.ts',
        code: 'export default 1',
        sha256: contentHash('export default 1'),
        external: ['zod'],
      },
    });
    const open = { ...bundle, code: undefined };
    await expect(carried({ bundle: open })).rejects.toMatchObject({ code: 'not_for_a_queue' });
  });

  it.each([
    [{ vfs: 'x' }, '--vfs needs'],
    [{ skills: 'x', allowScripts: true }, '--skills and --allow-scripts needs'],
    [{ seal: true }, '--seal needs'],
  ])('refuses options that only work on one machine: %j', async (options, text) => {
    await expect(carried({}, options)).rejects.toMatchObject({
      ...{ code: 'not_for_a_queue', message: expect.stringContaining(text) as string },
    });
  });

  it('needs the file of the strategy, and a plan of this version', async () => {
    await expect(carried({ strategy: join(root, 'none.json') })).rejects.toMatchObject({
      code: 'strategy_not_found',
    });
    const cache = await objectCache(store, join(root, 'cache'));
    const other = await store.put(Buffer.from('{"format": 2}'));
    await expect(openPlan(other, cache, root)).rejects.toMatchObject({ code: 'bad_plan', kind: 'run' });
  });
});

it('the address of a cluster has a random name and no password', () => {
  const given = { queue: 'redis://:secret@own', store: 's', retries: 1 };
  const { cluster, environment, warnings } = clusterAddress(given, { A: 'b' });
  expect(cluster).toEqual({
    ...given,
    queue: 'redis://own',
    sweep: expect.stringMatching(/^[0-9a-f]{16}$/) as string,
  });
  expect(environment).toEqual({ A: 'b', SANDTABLE_REDIS_PASSWORD: 'secret' });
  expect(warnings).toHaveLength(2);
  const same = { A: 'b' };
  expect(clusterAddress({ queue: 'redis://own', store: 's' }, same).environment).toBe(same);
  expect(readClusterOptions(cluster)).toEqual({ queue: 'redis://own', store: 's', sweep: cluster.sweep });
  expect([readClusterOptions(undefined), readClusterOptions({ queue: 'q' })]).toEqual([undefined, undefined]);
});
