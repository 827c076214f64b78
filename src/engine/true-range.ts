import type { Window } from '../market/index.ts';

/** Number of lengths after which earlier ranges change the smoothed range by less than about 1e-8. */
const MEMORY = 12;

/**
 * Returns the average true range with Wilder's smoothing, starting with the mean of the first visible ranges.
 *
 * @param length number of bars; the result is NaN unless the window has more bars
 * @see Wilder, New Concepts in Technical Trading Systems (1978)
 */
export function averageTrueRange(window: Window, length: number): number {
  const bars = Math.min(window.length - 1, length * MEMORY);
  if (bars < length) return Number.NaN;
  const [high, low, close] = [window.high.tail(bars), window.low.tail(bars), window.close.tail(bars + 1)];
  let average = 0;
  for (let bar = 0; bar < bars; bar++) {
    const before = close[bar]!;
    const range = Math.max(high[bar]!, before) - Math.min(low[bar]!, before);
    if (bar < length) average += range / length;
    else average += (range - average) / length;
  }
  return average;
}
