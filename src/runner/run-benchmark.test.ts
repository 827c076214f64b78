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

  it('includes dividends, and buys equal amounts of each symbol at its first close', async () => {
    const found = await of([dividend]);
    if (found === undefined || !('series' in found)) throw new Error('a dividend was paid');
    expect(found).toMatchObject({ sha256: null, series: { name: 'the same data', held: true } });
    expect(found.series.times).toBe(market.clock);
    // 500 / 10 = 50 shares of AAA at the first close, and 500 / 5 = 100 of BBB at the third. The dividend is
    // 1 for each share of AAA, from the fourth bar on.
    const expected = [1_000, 1_500, 2_000, 2_500 + 50, 3_500 + 50];
    expect(Array.from(found.series.closes, (close) => Math.round(close * 1e4) / 1e4)).toEqual(expected);
    const one = await of([dividend], {}, 'AAA');
    if (one === undefined || !('series' in one)) throw new Error('a dividend was paid');
    expect(one.series.name).toBe('AAA');
    expect(Array.from(one.series.closes, Math.round)).toEqual([1_000, 2_000, 3_000, 4_100, 5_100]);
  });

  it('buys at the open after the evaluation date', async () => {
    const found = await of([dividend], { evaluateFrom: '2024-01-02' }, 'AAA');
    if (found === undefined || !('series' in found)) throw new Error('a dividend was paid');
    // An order of the run first fills at the open of 2024-01-02, which is 19.
    const shares = 1_000 / 19;
    const expected = [1_000, shares * 20, shares * 30, shares * 41, shares * 51];
    for (const [bar, close] of Array.from(found.series.closes).entries())
      expect(close).toBeCloseTo(expected[bar]!, 5);
  });

  it('is needed for symbols in another currency', async () => {
    const settings = {
      currencies: { EUR: { rate: 2 } },
      instruments: { AAA: { currency: 'EUR' } },
    };
    expect(await of([], settings)).toMatchObject({ series: { held: true } });
    expect(await of([], settings, 'BBB')).toEqual({ symbol: 'BBB' });
  });
});
