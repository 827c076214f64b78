import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { sharedIsHere } from '../../../../test/missing.ts';
import { blockLengthOf } from './block-length.ts';

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
});
