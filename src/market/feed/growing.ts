import { AppError, type Instant } from '../../kernel/index.ts';
import { type BarSeries, mapColumns } from '../bars/bar-columns.ts';
import { type Market, trusted } from '../market.ts';
import { keepInterval } from '../reading/one-interval.ts';

/** Open, high, low, close and volume of one bar. */
export type BarNumbers = readonly [open: number, high: number, low: number, close: number, volume: number];

/** Maximum number of bars that can be appended. Two years of bars of one minute. */
const ROOM = 2 ** 20;

/** Market to which bars are appended. All readers of its columns see them grow in place. */
export interface GrowingMarket {
  readonly market: Market;
  /**
   * Appends the bars of one instant.
   *
   * @param bars by symbol; symbols without a bar at this instant are omitted
   * @throws AppError `feed_too_long`
   */
  append(time: Instant, bars: ReadonlyMap<string, BarNumbers>): void;
}

/**
 * Returns a copy of a market to which bars can be appended. Bars that have not been appended do not exist in
 * the process.
 */
export function growingMarket(history: Market): GrowingMarket {
  const series: BarSeries[] = history.series.map(({ extra: _, ...one }) =>
    mapColumns(keepInterval(one), growing),
  );
  const single = series.length === 1;
  const clock = single ? series[0]!.time : growing(history.clock);
  const market = trusted({ ...history, series, clock, growing: true });
  return {
    market,
    append(time, bars) {
      for (const one of series) {
        const values = bars.get(one.symbol);
        if (values === undefined) continue;
        push(one.time, time);
        push(one.open, values[0]);
        push(one.high, values[1]);
        push(one.low, values[2]);
        push(one.close, values[3]);
        push(one.volume, values[4]);
      }
      if (!single) push(clock, time);
    },
  };
}

/** Columns of typed arrays without a fixed length follow the size of their buffer. */
function growing(column: Float64Array): Float64Array {
  const size = column.byteLength;
  const copy = new Float64Array(
    new ArrayBuffer(size, { maxByteLength: size + ROOM * column.BYTES_PER_ELEMENT }),
  );
  copy.set(column);
  return copy;
}

function push(column: Float64Array, value: number): void {
  const buffer = column.buffer as ArrayBuffer;
  const size = buffer.byteLength + column.BYTES_PER_ELEMENT;
  if (size > buffer.maxByteLength)
    throw new AppError({
      code: 'feed_too_long',
      message: `The feed has more than ${ROOM} bars.`,
      hint: 'Start a new forward run whose history includes these bars.',
      kind: 'run',
    });
  buffer.resize(size);
  column[column.length - 1] = value;
}
