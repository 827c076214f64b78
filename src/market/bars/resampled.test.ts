import { spawnSync } from 'node:child_process';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { skipBecause } from '../../../test/missing.ts';
import { DAY } from '../../kernel/index.ts';
import { simulateMarket } from '../simulate/simulate.ts';
import { type BarSeries, mapColumns } from './bar-columns.ts';
import { parseInterval } from './interval.ts';
import { type ResampledBars, resample } from './resampled.ts';
import { SeriesCursor } from './window.ts';

const COLUMNS = ['time', 'open', 'high', 'low', 'close', 'volume'] as const;
const HOUR = DAY / 24;

/** Hourly bars of which every fifth is missing, as with nights and holidays. */
function hourly(seed: number, bars: number): BarSeries {
  const [series] = simulateMarket({ seed, bars, symbols: ['A'], start: '2020-01-01', interval: '1h' }).series;
  const kept = Array.from({ length: bars }, (_, index) => index).filter(
    (index) => (index * 7 + seed) % 5 !== 0,
  );
  return mapColumns(series!, (column) => Float64Array.from(kept, (index) => column[index]!));
}

function listed(bars: ResampledBars): number[][] {
  return COLUMNS.map((name) => Array.from(bars[name].tail(bars.length)));
}

function listedSeries(series: BarSeries, length = series.time.length): number[][] {
  return COLUMNS.map((name) => Array.from(series[name].subarray(0, length)));
}

describe('window.resample', () => {
  it('equals resample of the past bars at every bar, without an incomplete last bar', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 40 }),
        fc.constantFrom('2h', '4h', '7h', '1d', '3d', '1w', '1mo'),
        fc.integer({ min: 0, max: 60 }),
        (seed, rule, begins) => {
          const series = hourly(seed, 200);
          const cursor = new SeriesCursor(series, Number.POSITIVE_INFINITY, {
            barLength: parseInterval('1h'),
          });
          for (let bar = 0; bar < series.time.length; bar++) {
            cursor.advanceTo(series.time[bar]!);
            if (bar < begins) continue;
            const soFar = resample(
              mapColumns(series, (column) => column.subarray(0, bar + 1)),
              rule,
            );
            const { window } = cursor;
            expect(listed(window.resample(rule, { partial: true }))).toEqual(listedSeries(soFar));
            const next = resample(
              mapColumns(series, (column) => {
                const one = column.slice(0, bar + 2);
                // Appends a bar directly after the last bar. If the appended bar begins a new group, the
                // previous group is complete.
                if (column === series.time) one[bar + 1] = series.time[bar]! + HOUR;
                return one.length === bar + 2 ? one : Float64Array.of(...one, series.time[bar]! + HOUR);
              }),
              rule,
            );
            const done = next.time.length > soFar.time.length ? soFar.time.length : soFar.time.length - 1;
            expect(listed(window.resample(rule))).toEqual(listedSeries(soFar, done));
          }
        },
      ),
      { numRuns: 25 },
    );
  });

  it('shows a long bar from the bar that ends it, and is indexed like any column', () => {
    const series = hourly(0, 24);
    const cursor = new SeriesCursor(series, Number.POSITIVE_INFINITY, { barLength: parseInterval('1h') });
    const counts: number[] = [];
    for (const time of series.time) {
      cursor.advanceTo(time);
      counts.push(cursor.window.resample('4h').length);
    }
    const hours = Array.from(series.time, (time) => (time % DAY) / HOUR);
    // Hours 0 and 5 have no bar. The bar of hour 7 completes the group from 4 to 8.
    expect(counts[hours.indexOf(3)]).toBe(1);
    expect(counts[hours.indexOf(6)]).toBe(1);
    expect(counts[hours.indexOf(7)]).toBe(2);
    const { window } = cursor;
    const partial = window.resample('1d', { partial: true });
    expect(partial.bar).toEqual(partial.barAt(-1));
    expect(partial.close.last).toBe(window.close.last);
    expect(partial.close.at(1)).toBeNaN();
    expect(partial.close.mean(1)).toBe(window.close.last);
    expect(() => window.resample('fortnight')).toThrow('is not a bar length');
  });

  it('with a look-back combines visible bars, and omits a group that is cut', () => {
    const series = hourly(3, 200);
    const cursor = new SeriesCursor(series, 30, { barLength: parseInterval('1h') });
    for (const time of series.time) cursor.advanceTo(time);
    const { window } = cursor;
    const whole = resample(series, '4h');
    const seen = window.resample('4h', { partial: true });
    expect(seen.length).toBeGreaterThan(5);
    expect(listed(seen)).toEqual(
      COLUMNS.map((name) => Array.from(whole[name].subarray(whole.time.length - seen.length))),
    );
    expect(seen.time.at(0)).toBeGreaterThan(window.time.at(0));
  });
});

const PYTHON = `
import json, sys
import pandas as pd
given = json.load(sys.stdin)
rules = {"4h": ("4h", "1970-01-01"), "1d": ("1D", "1970-01-01"), "3d": ("3D", "1970-01-01"), "1w": ("7D", "1970-01-05"), "1mo": ("MS", None)}
frame = pd.DataFrame(given["bars"]).assign(at=lambda f: f.time).set_index(pd.to_datetime(given["bars"]["time"], unit="ms"))
how = {"at": "last", "open": "first", "high": "max", "low": "min", "close": "last", "volume": "sum"}
answer = {}
for rule, (freq, origin) in rules.items():
    if freq == "4h" and int(pd.__version__.split(".")[0]) < 2:
        freq = "4H"
    grouped = frame.resample(freq) if origin is None else frame.resample(freq, origin=pd.Timestamp(origin))
    long = grouped.agg(how).dropna()
    answer[rule] = [long[name].tolist() for name in ("at", "open", "high", "low", "close", "volume")]
print(json.dumps(answer))
`;

const pandas = spawnSync('/usr/bin/python3', ['-c', 'import pandas']).status === 0;
if (!pandas) skipBecause('resampling is not compared with pandas: /usr/bin/python3 has none.');

describe.skipIf(!pandas)('pandas', () => {
  it.each([1, 2, 3])('resamples random bars in the same way (seed %i)', (seed) => {
    const series = hourly(seed, 1500);
    const bars = Object.fromEntries(COLUMNS.map((name) => [name, Array.from(series[name])]));
    const { stdout, stderr } = spawnSync('/usr/bin/python3', ['-c', PYTHON], {
      input: JSON.stringify({ bars }),
      encoding: 'utf8',
    });
    const answer = JSON.parse(stdout || `{"error": ${JSON.stringify(stderr)}}`) as Record<string, number[][]>;
    for (const rule of ['4h', '1d', '3d', '1w', '1mo']) {
      const own = listedSeries(resample(series, rule));
      const others = answer[rule] ?? [];
      expect(others.slice(0, 5), rule).toEqual(own.slice(0, 5));
      // pandas adds the volumes in another order, so the sums can differ by rounding.
      for (const [index, volume] of own[5]!.entries()) expect(others[5]?.[index]).toBeCloseTo(volume, 3);
    }
  });
});
