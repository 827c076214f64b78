import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { sharedIsHere } from '../../../../test/missing.ts';
import { createRandom } from '../../../kernel/random.ts';
import { blockLengthFor, blockLengthOf, longestBlock } from './block-length.ts';

// Expected values: optimal_block_length(...).stationary of Python's arch 8.0.0.
describe('the block length of the bootstrap', () => {
  it('equals that of arch for an autoregressive process', () => {
    const values: number[] = [];
    let [state, value] = [12345n, 0];
    for (let row = 0; row < 1000; row++) {
      state = (1103515245n * state + 12345n) % 2147483648n;
      value = 0.6 * value + Number(state) / 2147483648 - 0.5;
      values.push(value);
    }
    expect(blockLengthOf(Float64Array.from(values))).toBeCloseTo(11.982751, 5);
  });

  it('is small for constant or short data', () => {
    expect(blockLengthOf(new Float64Array(50).fill(0.5))).toBe(0);
    expect(blockLengthOf(new Float64Array(3))).toBe(1);
  });

  const shared = fileURLToPath(new URL('../../../../../shared/data/', import.meta.url));
  it.skipIf(!sharedIsHere(shared)).each([
    ['goog-daily.csv', 0.586624, 7.985824],
    ['spy-daily.csv', 36.017127, 38.065941],
    ['eurusd-hourly.csv', 1.464897, 2.519589],
  ])(
    'equals that of arch for the returns of %s, and for their squares',
    (file, expected, expectedSquares) => {
      const [, ...rows] = readFileSync(`${shared}${file}`, 'utf8').trim().split('\n');
      const closes = rows.map((row) => Number(row.split(',')[4]));
      const returns = Float64Array.from(
        closes.slice(1),
        (close, row) => Math.log(close) - Math.log(closes[row]!),
      );
      expect(blockLengthOf(returns)).toBeCloseTo(expected, 5);
      expect(blockLengthOf(returns.map((value) => value * value))).toBeCloseTo(expectedSquares, 5);
    },
  );

  it('of two series is the longest of four, rounded up to a power of √2', () => {
    const noise = (count: number, scale = 1) =>
      Float64Array.from({ length: count }, (_, at) => scale * Math.sin(at * at));
    const slow = (count: number) => Float64Array.from({ length: count }, (_, at) => Math.sin(at / 9));
    // The absolute values depend on earlier values, but the signs do not.
    const clustered = noise(512).map((value, at) => value * (at % 128 < 64 ? 1 : 9));
    for (const [first, second] of [
      [noise(512), noise(512, 2)],
      [slow(512), noise(512)],
      [noise(512), slow(512)],
      [clustered, noise(512)],
      [noise(512), clustered],
    ] as const) {
      const needed = [first, second].flatMap((values) => [
        blockLengthOf(values),
        blockLengthOf(values.map((value) => value * value)),
      ]);
      const lengths = Array.from({ length: 12 }, (_, step) => 8 * Math.SQRT2 ** step);
      const expected = lengths.find((length) => length >= Math.max(...needed) - 1e-9)!;
      expect(blockLengthFor(first, second)).toBe(Math.min(Math.round(expected), longestBlock(512)));
    }
    expect(blockLengthFor(noise(512), noise(512, 2))).toBe(8);
    expect(blockLengthFor(clustered, noise(512))).toBeGreaterThan(8);
    expect(blockLengthFor(new Float64Array(2), new Float64Array(2))).toBe(1);
  });

  it('is at most a third of the values, and three times their root', () => {
    expect([9, 10, 81, 100, 101].map(longestBlock)).toEqual([3, 4, 27, 30, 31]);
  });

  /** The definition of Politis and White, with correlations of separate lags. */
  function plain(values: readonly number[]): number {
    const count = values.length;
    const mean = values.reduce((sum, value) => sum + value, 0) / count;
    const rest = values.map((value) => value - mean);
    const dot = (a: readonly number[], b: readonly number[]) =>
      a.reduce((sum, one, at) => sum + one * b[at]!, 0);
    const product = (lag: number) => dot(rest.slice(lag), rest.slice(0, count - lag));
    const correlation = (lag: number) => {
      const [later, earlier] = [rest.slice(lag + 1), rest.slice(0, count - lag - 1)];
      return Math.abs(product(lag)) / Math.sqrt(dot(later, later) * dot(earlier, earlier));
    };
    const most = Math.min(Math.ceil(Math.sqrt(count)) + 5, count - 2);
    const quiet = Array.from(
      { length: most },
      (_, lag) => correlation(lag) < 2 * Math.sqrt(Math.log10(count) / count),
    );
    const cut = quiet.findIndex((_, lag) => lag + 5 <= most && quiet.slice(lag, lag + 5).every(Boolean));
    const bandwidth = cut < 0 ? most : Math.min(2 * Math.max(cut, 1), most);
    let [slope, spectrum] = [0, 0];
    for (let lag = -bandwidth; lag <= bandwidth; lag++) {
      const weight = Math.min(1, 2 * (1 - Math.abs(lag) / bandwidth));
      slope += weight * Math.abs(lag) * (product(Math.abs(lag)) / count);
      spectrum += weight * (product(Math.abs(lag)) / count);
    }
    return Math.min(Math.cbrt((slope / spectrum) ** 2 * count), longestBlock(count));
  }

  it.each([10, 11, 12, 25, 60, 200])('of %i values equals its definition', (count) => {
    for (const persistence of [0, 0.4, 0.8, -0.6])
      for (const seed of [1, 2, 3]) {
        const random = createRandom(seed, 'blocks');
        let value = 0;
        const values = Array.from({ length: count }, () => {
          value = persistence * value + random.normal();
          return value;
        });
        expect(
          blockLengthOf(Float64Array.from(values)) / plain(values),
          `${persistence} ${seed}`,
        ).toBeCloseTo(1, 8);
      }
  });
});
