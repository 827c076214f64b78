import type { Window } from '../market/index.ts';

/** Bars beyond the length that a smoothed range still remembers to 1e-8 or so. */
const MEMORY = 12;

/**
 * Average true range: Wilder's smoothing, seeded with the mean of the first ranges in sight.
 *
 * @param length bars; NaN while there are not more than these
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
