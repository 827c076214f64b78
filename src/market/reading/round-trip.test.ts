import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import fc from 'fast-check';
import { afterAll, describe, expect, it } from 'vitest';
import { skipBecause } from '../../../test/missing.ts';
import { type Bar, barSeries } from '../bars/bar-columns.ts';
import { checkData, reportOn } from '../check/check.ts';
import { simulateMarket } from '../simulate/simulate.ts';
import { loadMarket, loadSeries } from './load.ts';
import { toCsv } from './save.ts';

const root = mkdtempSync(path.join(os.tmpdir(), 'sandtable-csv-'));
afterAll(() => rmSync(root, { recursive: true, force: true }));

const price = fc.double({ min: 1e-300, max: 1e300, noNaN: true });
const bars = fc
  .array(
    fc.record({
      gap: fc.integer({ min: 1, max: 10_000_000_000 }),
      prices: fc.tuple(price, price, price, price),
      upward: fc.boolean(),
      volume: fc.double({ min: 0, max: 1e300, noNaN: true }),
    }),
    { minLength: 1, maxLength: 40 },
  )
  .map((rows) => {
    let time = Date.UTC(2000, 0, 1);
    return rows.map(({ gap, prices, upward, volume }): Bar => {
      time += gap;
      const [low, first, second, high] = prices.sort((a, b) => a - b) as [number, number, number, number];
      return {
        time,
        low,
        high,
        open: upward ? first : second,
        close: upward ? second : first,
        volume: volume + 0,
      };
    });
  });

describe('toCsv and loadMarket', () => {
  it('return any series unchanged, to the last bit', async () => {
    const file = path.join(root, 'x.csv');
    await fc.assert(
      fc.asyncProperty(bars, async (own) => {
        const series = barSeries('X', own);
        writeFileSync(file, toCsv(series));
        const { market } = await loadMarket({ paths: [file] });
        expect(market.series).toEqual([series]);
      }),
      { numRuns: 25 },
    );
  });

  it('return a market of several symbols unchanged', async () => {
    const market = simulateMarket({
      seed: 1,
      bars: 50,
      symbols: ['^GSPC', 'BRK.B', 'A,B'],
      interval: '15min',
    });
    const file = path.join(root, 'many.csv');
    writeFileSync(file, toCsv(market.series));
    expect((await loadMarket({ paths: [file] })).market).toEqual(market);
  });

  it('report correct line numbers in a long file with blank lines', async () => {
    const lines = toCsv(simulateMarket({ seed: 1, bars: 60_000 }).series[0]!)
      .trimEnd()
      .split('\n');
    for (let at = lines.length - 1; at > 0; at -= 1000) lines.splice(at, 0, '');
    const bad = [17, 30_003, lines.length - 3];
    for (const at of bad) lines[at] = lines[at]!.replace(/[^,]*$/, 'x');
    const file = path.join(root, 'large.csv');
    writeFileSync(file, lines.join('\n'));
    const error: Error = await loadMarket({ paths: [file] }).then(
      () => new Error('accepted'),
      (reason) => reason,
    );
    expect(error.message.split('\n').slice(1)).toEqual(
      bad.map((at) => `  ${file} line ${at + 1}: volume "x" is not a number`),
    );
  });
});

describe('checkData', () => {
  it('reports on the real bars of the project', async () => {
    const file = path.join(import.meta.dirname, '../../../data/spx-daily.csv');
    const { symbols, adjustments } = await checkData({ paths: [file] });
    expect(adjustments).toEqual([]);
    expect(symbols).toEqual([
      {
        symbol: 'SPX-DAILY',
        interval: '1d',
        gapsInDays: 0,
        shortSteps: 0,
        stubSessions: [],
        bars: 5105,
        firstBar: '2000-01-03',
        lastBar: '2020-04-17',
        medianSpacing: 86_400_000,
        weekendBars: 0,
        largestGap: { from: '2001-09-10', to: '2001-09-17', milliseconds: 7 * 86_400_000 },
        missingWeekdays: 190,
        warnings: [],
      },
    ]);
  });

  it('warns of jumps, empty volume, stale closes and holes, without refusing', () => {
    const quiet = simulateMarket({ seed: 1, bars: 60 }).series[0]!;
    expect(reportOn(quiet).warnings).toEqual([]);
    const close = quiet.close.slice();
    close[10] = close[9]! * 3;
    close.fill(50, 20, 32);
    const volume = quiet.volume.slice();
    volume[5] = 0;
    const time = quiet.time.map((instant, index) => (index < 40 ? instant : instant + 28 * 86_400_000));
    const { warnings, missingWeekdays } = reportOn({ ...quiet, close, volume, time });
    expect(warnings).toHaveLength(4);
    expect(warnings.join('\n')).toMatch(/the close moves more than 50 %.*2000-01-17/);
    expect(warnings.join('\n')).toContain('1 × no volume (no order fills in these bars): 2000-01-10');
    expect(warnings.join('\n')).toContain('at least 10 closes in a row are equal, from: 2000-01-31');
    expect(warnings.join('\n')).toContain('no bar between');
    expect(missingWeekdays).toBe(20);
  });
});

const shared = path.join(import.meta.dirname, '../../../../shared/data');
if (!existsSync(shared)) skipBecause('The shared bars were not read: there is no ../shared/data.');
describe.skipIf(!existsSync(shared))('the shared bars', () => {
  it('load without a fault, twenty shares on one clock', async () => {
    const { market } = await loadMarket({ paths: [path.join(shared, 'djia')] });
    expect(market.symbols).toHaveLength(20);
    expect(market.clock.every((time, index) => index === 0 || time > market.clock[index - 1]!)).toBe(true);
    for (const series of market.series)
      expect(series.time.every((time) => market.clock.includes(time))).toBe(true);
    const lengths = (await loadSeries({ paths: [path.join(shared, '*.csv')] })).series.map((one) => [
      one.symbol,
      one.time.length,
    ]);
    expect(lengths).toEqual([
      ['BTCUSD-MONTHLY', 156],
      ['EURUSD-HOURLY', 5000],
      ['GOOG-DAILY', 2148],
      ['SPY-DAILY', 921],
    ]);
  });
});
