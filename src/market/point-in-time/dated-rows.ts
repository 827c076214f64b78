import type { Instant } from '../../kernel/index.ts';
import { BarBounds } from '../ended-bars.ts';
import { KnownAt } from '../features/known-at.ts';
import type { BarTimes } from '../interval.ts';
import type { Market } from '../market.ts';
import type { Stamp } from '../stamps.ts';

/** Row with its publication time. */
export interface DueRow<Row> {
  readonly row: Row;
  readonly availableAt: Instant;
}

const NOTHING: readonly never[] = [];

/** Returns each row once, at the end of the bar by which it became visible. */
export class DatedRows<Row extends { readonly known: Stamp }> {
  readonly #bounds: BarBounds;
  readonly #order: readonly DueRow<Row>[];
  #next = 0;

  constructor(rows: readonly Row[], market: Pick<Market, 'clock' | 'interval'>, barTimes: BarTimes) {
    this.#bounds = new BarBounds(market, barTimes);
    const knownAt = new KnownAt(market, this.#bounds, barTimes);
    const order = rows.map((row) => ({ row, availableAt: knownAt.ofStamp(row.known) }));
    // Rows with the same publication time stay in the order of their files.
    this.#order = order.sort((a, b) => a.availableAt - b.availableAt);
  }

  /** Returns the rows that became visible by the end of a bar and after the end of the previous one. */
  endOf(bar: number): readonly DueRow<Row>[] {
    const end = this.#bounds.endOf(bar);
    const from = this.#next;
    while (this.#next < this.#order.length && this.#order[this.#next]!.availableAt <= end) this.#next += 1;
    return this.#next === from ? NOTHING : this.#order.slice(from, this.#next);
  }
}
