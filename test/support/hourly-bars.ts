import { DAY } from '../../src/kernel/index.ts';
import { type BarSeries, barSeries } from '../../src/market/bars/bar-columns.ts';

export const HOUR = DAY / 24;
/** Time of the first hourly bar. */
export const START = Date.parse('2019-12-31T20:00Z');

/**
 * Returns hourly bars from 20:00 on the last day of 2019.
 *
 * @param first index of the first bar
 * @param extra value of the additional column `spread`, if given
 */
export function hours(
  symbol: string,
  first: number,
  count: number,
  close = 3,
  extra?: number,
): BarSeries & { interval: string } {
  const bars = Array.from({ length: count }, (_, hour) => ({
    time: START + (first + hour) * HOUR,
    open: 2,
    high: 4,
    low: 1,
    close,
    volume: first + hour,
  }));
  const series = { ...barSeries(symbol, bars), interval: '1h' };
  return extra === undefined ? series : { ...series, extra: { spread: new Float64Array(count).fill(extra) } };
}
