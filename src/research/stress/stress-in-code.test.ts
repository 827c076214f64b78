import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { defineStrategy } from '../../agents/index.ts';
import { simulateMarket } from '../../market/index.ts';
import { readLedger } from '../../results/runs/index.ts';
import { SILENT } from '../../runner/index.ts';
import { readActual, readManifest, WorldJournal } from './folder.ts';
import { type StressOptions, stressFromCode } from './from-code.ts';
import { resumeStress, runStress } from './stress.ts';

const root = mkdtempSync(join(tmpdir(), 'sandtable-stress-code-'));
afterAll(() => rmSync(root, { recursive: true }));

const market = simulateMarket({ seed: 3, bars: 40, symbols: ['AAA'], start: '2024-01-01' });
const actual = market.series[0]!.close;
/** Strategy that buys at bar 2 and sells at bar 6, and again at bars 12 and 16. */
const trader = (act: (bar: number, close: number) => void = () => undefined) =>
  defineStrategy({
    name: 'trader',
    summary: '',
    onBar({ bar, window, orders }) {
      act(bar, window.close.last);
      if (bar === 2 || bar === 12) orders.buy(10);
      if (bar === 6 || bar === 16) orders.close();
    },
  });
let folders = 0;
const stress = (own: Partial<StressOptions> = {}) =>
  stressFromCode({
    ...{ strategy: trader(), data: market, out: join(root, String(++folders)), worlds: 4 },
    ...{ settings: { cash: 100_000, seed: 9 } },
    ...own,
  });

describe('a stress test of a strategy in code', () => {
  it('writes a report of its worlds, and repeats with the same result', async () => {
    const test = await stress();
    expect(test).toMatchObject({
      ...{ schema: 1, strategy: 'trader', symbols: ['AAA'], firstBar: '2024-01-01', worlds: 4, asked: 4 },
      ...{ kind: 'permute', seed: 9, failed: 0, insolvent: 0, failures: [] },
    });
    expect(test).not.toHaveProperty('shuffledTrades');
    expect(test.seconds).toBeGreaterThan(0);
    const { folder } = test;
    for (const name of ['stress.json', 'stress.html', 'worlds.parquet', 'timing.json'])
      expect(existsSync(join(folder, name))).toBe(true);
    expect(JSON.parse(readFileSync(join(folder, 'timing.json'), 'utf8'))).toMatchObject({ worlds: 4 });
    expect(new WorldJournal(folder).sorted().map(({ world }) => world)).toEqual([1, 2, 3, 4]);
    expect(readActual(folder)!.netPnls).toHaveLength(2);
    expect(readManifest(folder)).toMatchObject({ strategy: null, worlds: 4, terms: { kind: 'permute' } });
    const { records } = readLedger(join(folder, '..'));
    expect(records).toHaveLength(1);
    const { seconds: _, folder: __, ...again } = await stress();
    expect(again).toEqual(JSON.parse(readFileSync(join(folder, 'stress.json'), 'utf8')));
  });

  it('lists the five most frequent failures of its worlds', async () => {
    const errors = ['b', 'a', 'b', 'c', 'd', 'e', 'f'];
    let world = -1;
    const test = await stress({
      worlds: 7,
      strategy: trader((bar, close) => {
        if (bar === 20 && close !== actual[20]) throw new Error(`error ${errors[++world]}`);
      }),
    });
    expect(test.failed).toBe(7);
    expect(test.failures).toEqual([
      { error: 'error b', worlds: 2 },
      ...['a', 'c', 'd', 'e'].map((name) => ({ error: `error ${name}`, worlds: 1 })),
    ]);
  });

  it('shuffles the trades of the run if there are at least two', async () => {
    expect((await stress({ shuffleTrades: 20 })).shuffledTrades).not.toBeNull();
    const none = defineStrategy({ name: 'idle', summary: '', onBar: () => undefined });
    const idle = await stress({ shuffleTrades: 20, strategy: none });
    expect(idle.shuffledTrades).toBeNull();
    expect(idle.notes).toContain(
      'The order of trades is not shuffled: the run closed none, and at least two are needed.',
    );
    const once = defineStrategy({
      name: 'once',
      summary: '',
      onBar({ bar, orders }) {
        if (bar === 2) orders.buy(10);
        if (bar === 6) orders.close();
      },
    });
    expect((await stress({ shuffleTrades: 20, strategy: once })).notes).toContain(
      'The order of trades is not shuffled: the run closed one, and at least two are needed.',
    );
  });

  it.each([
    [{ kind: 'block-bootstrap', block: 5 }, 'block-bootstrap'],
    [{ kind: 'noise', noise: '10%' }, 'noise'],
    [{ kind: 'noise' }, 'noise'],
  ] as const)('makes worlds by %j', async (own, kind) => {
    expect(await stress({ ...own, worlds: 2 })).toMatchObject({ kind, worlds: 2 });
  });

  it('refuses invalid options', async () => {
    for (const own of [
      { worlds: 0 },
      { block: 0 },
      { jobs: 1_025 },
      { shuffleTrades: 0 },
      { worlds: 1_000_001 },
    ])
      await expect(stress(own)).rejects.toMatchObject({ code: 'bad_options' });
    await expect(stress({ block: 5 })).rejects.toMatchObject({ code: 'bad_flags' });
  });
});

describe('a stress test that is stopped', () => {
  it('reports its finished worlds, and cannot be resumed from its folder', async () => {
    const stop = new AbortController();
    const shown: unknown[][] = [];
    let worlds = 0;
    const end = await runStress(
      {
        strategy: trader((bar, close) => {
          if (bar === 20 && close !== actual[20] && ++worlds === 3) stop.abort();
        }),
        ...{
          market,
          parameters: {},
          options: { out: root },
          settings: {},
          worlds: 5,
          terms: { kind: 'permute' },
        },
      },
      {
        environment: {},
        observer: { ...SILENT, progress: (...values) => shown.push(values) },
        listen: () => ({ signal: stop.signal, release: () => undefined }),
      },
    );
    expect(end).toMatchObject({ isComplete: false, stoppedBy: 'interrupt', report: { worlds: 2, asked: 5 } });
    expect(end).not.toHaveProperty('problem');
    expect(shown.filter(([, , , unit]) => unit === 'worlds')).toEqual(
      [0, 1, 2].map((done) => ['trader', done, 5, 'worlds']),
    );
    await expect(resumeStress(end.folder, {}, {} as never)).rejects.toMatchObject({
      code: 'not_a_stress_test',
    });
  });
});
