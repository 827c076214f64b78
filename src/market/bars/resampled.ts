import { type Instant, recordOf } from '../../kernel/index.ts';
import type { Bar } from './bar-columns.ts';
import { type Column, GrowingColumn, pushValue } from './column.ts';
import { addInterval, type Grouping, type Interval } from './interval.ts';

const COLUMNS = ['time', 'open', 'high', 'low', 'close', 'volume'] as const;
type ColumnName = (typeof COLUMNS)[number];

/** Bars of a symbol combined into longer ones, as far as visible. */
export interface ResampledBars extends Readonly<Record<ColumnName, Column>> {
  readonly rule: string;
  /** Number of visible long bars. */
  readonly length: number;
  /** Newest long bar. `undefined` before the first. */
  readonly bar: Bar | undefined;
  /** Long bar by position, negative from the end. */
  barAt(index: number): Bar | undefined;
}

/** Combines bars incrementally. The cost per bar does not depend on the number of earlier bars. */
export class Resampler {
  readonly rule: string;
  readonly #grouping: Grouping;
  readonly #barLength: Interval | undefined;
  readonly #done: Readonly<Record<ColumnName, GrowingColumn>>;
  #running: { readonly group: number; bar: Bar } | undefined;
  /** Number of processed bars. */
  taken = 0;

  /**
   * @param grouping grouping of the rule
   * @param barLength time from a bar's stamp to its end. If `undefined`, a group is over only when the next
   *   bar arrives
   */
  constructor(rule: string, grouping: Grouping, barLength: Interval | undefined) {
    this.rule = rule.trim().toLowerCase();
    this.#grouping = grouping;
    this.#barLength = barLength;
    const column = (): GrowingColumn => new GrowingColumn(64, Number.POSITIVE_INFINITY);
    this.#done = {
      time: column(),
      open: column(),
      high: column(),
      low: column(),
      close: column(),
      volume: column(),
    };
  }

  take(bar: Bar): void {
    this.taken += 1;
    const group = this.#grouping.groupOf(bar.time);
    if (this.#running !== undefined && this.#running.group !== group) this.#finish();
    const running = this.#running?.bar;
    this.#running = {
      group,
      bar:
        running === undefined
          ? bar
          : {
              time: bar.time,
              open: running.open,
              high: Math.max(running.high, bar.high),
              low: Math.min(running.low, bar.low),
              close: bar.close,
              volume: running.volume + bar.volume,
            },
    };
    if (this.#endOf(bar.time) >= this.#grouping.endOf(bar.time)) this.#finish();
  }

  #endOf(time: Instant): Instant {
    return this.#barLength === undefined ? Number.NEGATIVE_INFINITY : addInterval(time, this.#barLength);
  }

  #finish(): void {
    if (this.#running === undefined) return;
    for (const name of COLUMNS) pushValue(this.#done[name], this.#running.bar[name]);
    this.#running = undefined;
  }

  /** @param partial if true, includes the unfinished bar */
  bars(partial: boolean): ResampledBars {
    const running = partial ? this.#running?.bar : undefined;
    const columns = recordOf(COLUMNS, (name): Column => {
      const done = this.#done[name];
      return running === undefined ? done : new WithLast(done, running[name]);
    });
    const { length } = columns.time;
    const barAt = (index: number): Bar | undefined => {
      const position = index < 0 ? length + index : index;
      if (!(position >= 0 && position < length)) return undefined;
      return {
        time: columns.time.at(position),
        open: columns.open.at(position),
        high: columns.high.at(position),
        low: columns.low.at(position),
        close: columns.close.at(position),
        volume: columns.volume.at(position),
      };
    };
    return { rule: this.rule, ...columns, length, barAt, bar: barAt(-1) };
  }
}

/** Column with one additional value that is not final yet. */
class WithLast implements Column {
  readonly #column: Column;
  /** Length of the column at creation. The column may grow later. */
  readonly #before: number;
  readonly last: number;

  constructor(column: Column, last: number) {
    this.#column = column;
    this.#before = column.length;
    this.last = last;
  }

  get length(): number {
    return this.#before + 1;
  }

  at(index: number): number {
    const position = index < 0 ? this.length + index : index;
    if (position === this.#before) return this.last;
    return position < this.#before ? this.#column.at(position) : Number.NaN;
  }

  tail(count: number): Float64Array {
    const from = Math.max(this.length - Math.max(Math.floor(count) || 0, 0), 0);
    return Float64Array.from({ length: this.length - from }, (_, index) => this.at(from + index));
  }

  mean(count: number): number {
    if (!(count >= 1) || count > this.length) return Number.NaN;
    const values = this.tail(count);
    return values.reduce((sum, value) => sum + value, 0) / values.length;
  }
}
