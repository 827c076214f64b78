import type { Instant } from '../../kernel/index.ts';
import { BarBounds } from '../ended-bars.ts';
import { KnownAt } from '../features/known-at.ts';
import type { BarTimes } from '../interval.ts';
import type { Market } from '../market.ts';
import type { Stamp } from '../stamps.ts';

/** A row, and when it was known. */
export interface DueRow<Row> {
  readonly row: Row;
  readonly availableAt: Instant;
}

const NOTHING: readonly never[] = [];

/** Rows that are given out as the bars end by which they were known, each once. */
export class DatedRows<Row extends { readonly known: Stamp }> {
  readonly #bounds: BarBounds;
  readonly #order: readonly DueRow<Row>[];
  #next = 0;

  constructor(rows: readonly Row[], market: Pick<Market, 'clock' | 'interval'>, barTimes: BarTimes) {
    this.#bounds = new BarBounds(market, barTimes);
    const knownAt = new KnownAt(market, this.#bounds, barTimes);
    const order = rows.map((row) => ({ row, availableAt: knownAt.ofStamp(row.known) }));
    // What became known at one instant stays in the order of its files.
    this.#order = order.sort((a, b) => a.availableAt - b.availableAt);
  }

  /** A bar has ended: the rows that were known by then and not by the end of an earlier one. */
  endOf(bar: number): readonly DueRow<Row>[] {
    const end = this.#bounds.endOf(bar);
    const from = this.#next;
    while (this.#next < this.#order.length && this.#order[this.#next]!.availableAt <= end) this.#next += 1;
    return this.#next === from ? NOTHING : this.#order.slice(from, this.#next);
  }
}
