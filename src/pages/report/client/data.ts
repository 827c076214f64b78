import type { UTCTimestamp } from 'lightweight-charts';
import type { ChartData } from '../chart-data.ts';
import type { RowColumns } from '../trade-row.ts';

/** Rolling figures by session; null where a window is not full. */
interface RollingData {
  readonly times: readonly number[];
  readonly sharpe: readonly (number | null)[];
  readonly volatility: readonly (number | null)[];
  readonly beta: readonly (number | null)[];
}

export type PageData = ChartData & {
  readonly rolling: RollingData | null;
  /** Address of the run's trace; null where there is none beside the page. */
  readonly trace: string | null;
  /** Rows of the trades table beyond those in the page; null where there are none. */
  readonly moreTrades: RowColumns | null;
};

/** The data that the page carries. */
export function pageData(): PageData {
  return JSON.parse(document.getElementById('data')?.textContent ?? 'null') as PageData;
}

export function time(seconds: number): UTCTimestamp {
  return seconds as UTCTimestamp;
}

interface Point {
  readonly time: UTCTimestamp;
  readonly value: number;
}

/** A line's points; a time without a value is a gap. */
export function line(
  times: readonly number[],
  values: readonly (number | null)[],
): (Point | { readonly time: UTCTimestamp })[] {
  return times.map((seconds, index) => {
    const value = values[index];
    return value === null || value === undefined ? { time: time(seconds) } : { time: time(seconds), value };
  });
}
