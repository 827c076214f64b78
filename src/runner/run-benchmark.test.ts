import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { readRunSettings } from '../engine/index.ts';
import { barSeries, createMarket } from '../market/index.ts';
import { benchmarkOfRun, findBenchmark } from './run-benchmark.ts';

const root = mkdtempSync(join(tmpdir(), 'sandtable-benchmark-'));
afterAll(() => rmSync(root, { recursive: true }));

const DAY = 86_400_000;
const START = Date.UTC(2024, 0, 1);
const times = Array.from({ length: 5 }, (_, day) => START + day * DAY);
const bars = (symbol: string, closes: readonly number[], first = 0) =>
  barSeries(
    symbol,
    closes.map((close, at) => ({
      ...{
        time: START + (first + at) * DAY,
        open: close - 1,
        high: close + 2,
        low: close - 2,
        close,
        volume: 5,
      },
    })),
  );
const written = (name: string, closes: readonly number[], start = 1): string => {
  const rows = closes.map((close, at) => `2024-01-0${start + at},${close},${close},${close},${close},1`);
  writeFileSync(join(root, name), `date,open,high,low,close,volume\n${rows.join('\n')}\n`);
  return join(root, name);
};
const warnings: string[] = [];
const observer = { note: () => undefined, warn: (text: string) => void warnings.push(text) };
const find = (
  benchmark: string | undefined,
  symbols: readonly string[] = ['AAA', 'BBB'],
  at: readonly number[] = times,
) => findBenchmark({ benchmark }, symbols, at, observer);

describe('the benchmark of a run', () => {
  it('is a symbol of the run, or a file', async () => {
    expect(await find(undefined)).toBeUndefined();
    expect(await find('AAA')).toEqual({ symbol: 'AAA' });
    const found = await find(written('spx.csv', [1, 2, 3, 4, 5]));
    expect(found).toMatchObject({
      series: { name: 'SPX' },
      sha256: expect.stringMatching(/^[0-9a-f]{64}$/) as string,
    });
    if (found === undefined || !('series' in found)) throw new Error('a file was named');
    expect([Array.from(found.series.times), Array.from(found.series.closes)]).toEqual([
      times,
      [1, 2, 3, 4, 5],
    ]);
    expect(await find(written('empty-run.csv', [1, 2]), ['AAA'], [])).toMatchObject({
      series: { name: 'EMPTY-RUN' },
    });
  });

  it.each<[string, readonly string[], string]>([
    ['AAB', ['AAA', 'ZZZ'], 'AAA, ZZZ are symbols of the run; did you mean AAA?'],
    ['QQQQQ', ['AAA'], 'AAA is the symbol of the run.'],
    ['QQQQQ', ['A1', 'A2', 'A3', 'A4', 'A5', 'A6'], 'A1, A2, A3, A4, A5 are symbols of the run.'],
    ['./missing.csv', ['AAA'], 'missing.csv'],
  ])('is refused: %s', async (name, symbols, problem) => {
    await expect(find(name, symbols)).rejects.toMatchObject({
      code: 'bad_benchmark',
      message: expect.stringContaining(problem) as string,
    });
  });

  it('is refused with several symbols, or without closes in the period', async () => {
    const two = join(root, 'two.csv');
    writeFileSync(
      two,
      'date,symbol,open,high,low,close,volume\n2024-01-01,A,1,1,1,1,1\n2024-01-01,B,1,1,1,1,1\n',
    );
    await expect(find(two)).rejects.toThrow('a benchmark must have one symbol, and this file has 2');
    await expect(
      find(written('late.csv', [1, 2], 1), ['A'], [START + 400 * DAY, START + 401 * DAY]),
    ).rejects.toMatchObject({
      code: 'bad_benchmark',
      hint: expect.stringContaining('cover the period of the run') as string,
    });
  });
});

describe('buy-and-hold of all data', () => {
  const market = createMarket([bars('AAA', [10, 20, 30, 40, 50]), bars('BBB', [5, 5, 10], 2)]);
  const world = (actions: readonly object[] = []) => ({ market, actions, rates: [] }) as never;
  const dividend = { kind: 'dividend', symbol: 'AAA', date: times[3], time: times[3], amount: 1 };
  const of = (actions: readonly object[], settings: object = {}, benchmark?: string) =>
    benchmarkOfRun({ benchmark }, world(actions), readRunSettings({ cash: 1_000, ...settings }), observer);

  it('needs no run without dividends, rolls, funding and exchange rates', async () => {
    expect(await of([])).toBeUndefined();
    expect(await of([], {}, 'AAA')).toEqual({ symbol: 'AAA' });
    expect(await of([{ ...dividend, kind: 'split', ratio: 2 }], {}, 'AAA')).toEqual({ symbol: 'AAA' });
    expect(await of([dividend], {}, 'BBB')).toEqual({ symbol: 'BBB' });
  });
});
