import { RollingExtreme, RollingMoments, SeededExponential, wilder } from './recursive.ts';

/**
 * Computes an indicator bar by bar. The formulas and the order of operations are those of the Python package
 * `ta` (`src/sandbox/python/ta`), so both return identical results.
 */
export interface Calculator {
  /**
   * Processes the values of one bar, one value per input of the indicator, and writes the results.
   *
   * @param results array with one element per output
   */
  step(results: Float64Array, first: number, second: number, third: number): void;
}

/** Machine epsilon: the difference between 1 and the next larger float64. `ta` uses the same value. */
const EPSILON = Number.EPSILON;

export function smaCalculator(length: number): Calculator {
  const moments = new RollingMoments(length);
  return {
    step(results, value) {
      moments.push(value);
      results[0] = moments.mean;
    },
  };
}

export function emaCalculator(length: number): Calculator {
  const average = new SeededExponential(length);
  return {
    step(results, value) {
      results[0] = average.push(value);
    },
  };
}

export function rsiCalculator(length: number): Calculator {
  const [gains, losses] = [wilder(length), wilder(length)];
  let before = Number.NaN;
  return {
    step(results, value) {
      const change = value - before;
      before = value;
      const gain = gains.push(Math.max(change, 0));
      const loss = losses.push(Math.min(change, 0));
      results[0] = (100 * gain) / (gain + Math.abs(loss));
    },
  };
}

/** Returns a calculator of the MACD. Results: line, signal, histogram. */
export function macdCalculator(fast: number, slow: number, signal: number): Calculator {
  const [shorter, longer] = [Math.min(fast, slow), Math.max(fast, slow)].map(
    (length) => new SeededExponential(length),
  );
  const smooth = new SeededExponential(signal);
  let begun = false;
  return {
    step(results, value) {
      const line = shorter!.push(value) - longer!.push(value);
      begun ||= !Number.isNaN(line);
      const smoothed = begun ? smooth.push(line) : Number.NaN;
      results[0] = line;
      results[1] = smoothed;
      results[2] = line - smoothed;
    },
  };
}

/** Returns a function that gives the true range of each bar. `NaN` for the first bar. */
function trueRange(): (high: number, low: number, close: number) => number {
  let before = Number.NaN;
  return (high, low, close) => {
    const range = Math.max(Math.abs(high - low), Math.abs(high - before), Math.abs(before - low));
    before = close;
    return range;
  };
}

/** Returns a calculator of the average true range. Inputs: high, low, close. */
export function atrCalculator(length: number): Calculator {
  const [range, average] = [trueRange(), wilder(length)];
  return {
    step(results, high, low, close) {
      results[0] = average.push(range(high, low, close));
    },
  };
}

/** Returns a calculator of Bollinger bands. Results: lower, middle, upper, width, percent. */
export function bollingerCalculator(length: number, deviations: number): Calculator {
  const moments = new RollingMoments(length);
  return {
    step(results, value) {
      moments.push(value);
      const middle = moments.mean;
      const distance = deviations * moments.deviation(0);
      const [lower, upper] = [middle - distance, middle + distance];
      const width = divisible(upper - lower);
      results[0] = lower;
      results[1] = middle;
      results[2] = upper;
      results[3] = (100 * width) / middle;
      results[4] = divisible(value - lower) / width;
    },
  };
}

/** Returns a valid divisor: `EPSILON` instead of 0. */
function divisible(value: number): number {
  return value === 0 ? EPSILON : value;
}

/** Returns a calculator of Donchian channels. Inputs: high, low. Results: lower, middle, upper. */
export function donchianCalculator(lower: number, upper: number): Calculator {
  const [lowest, highest] = [new RollingExtreme(lower, 'lowest'), new RollingExtreme(upper, 'highest')];
  return {
    step(results, high, low) {
      const below = lowest.push(low);
      const above = highest.push(high);
      results[0] = below;
      results[1] = 0.5 * (below + above);
      results[2] = above;
    },
  };
}

/**
 * Returns a calculator of the average directional index. Inputs: high, low, close. Results: adx, plus, minus.
 */
export function adxCalculator(length: number, signal: number): Calculator {
  const [range, ranges] = [trueRange(), wilder(length)];
  const [rises, falls, index] = [wilder(length), wilder(length), wilder(signal)];
  let [highBefore, lowBefore] = [Number.NaN, Number.NaN];
  return {
    step(results, high, low, close) {
      const up = high - highBefore;
      const down = lowBefore - low;
      highBefore = high;
      lowBefore = low;
      const factor = 100 / ranges.push(range(high, low, close));
      const plus = factor * rises.push(up > down && up > EPSILON ? up : 0 * up);
      const minus = factor * falls.push(down > up && down > EPSILON ? down : 0 * down);
      results[0] = index.push((100 * Math.abs(plus - minus)) / (plus + minus));
      results[1] = plus;
      results[2] = minus;
    },
  };
}

export function deviationCalculator(length: number): Calculator {
  const moments = new RollingMoments(length);
  return {
    step(results, value) {
      moments.push(value);
      results[0] = moments.deviation(1);
    },
  };
}

export function zscoreCalculator(length: number): Calculator {
  const moments = new RollingMoments(length);
  return {
    step(results, value) {
      moments.push(value);
      results[0] = (value - moments.mean) / moments.deviation(1);
    },
  };
}

export function extremeCalculator(length: number, extreme: 'highest' | 'lowest'): Calculator {
  const rolling = new RollingExtreme(length, extreme);
  return {
    step(results, value) {
      results[0] = rolling.push(value);
    },
  };
}
