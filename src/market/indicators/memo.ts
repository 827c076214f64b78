import { createHash } from 'node:crypto';
import { type BarSeries, PRICE_COLUMNS } from '../bars/bar-columns.ts';
import type { Calculator } from './calculators.ts';
import type { DeclaredIndicator } from './declare.ts';

/** Values of one indicator of one series that runs of the same process share. */
export interface SharedValues {
  readonly calculator: Calculator;
  /** One column per output, with one place per bar of the series. */
  readonly columns: readonly Float64Array[];
  /** Number of bars that have been computed. The calculator has seen exactly these bars. */
  computed: number;
}

/** Returns the shared values of an indicator. */
export type SharedSeries = (declared: DeclaredIndicator) => SharedValues;

/** Greatest number of values in the cache: 32 MB. */
const MOST_VALUES = 4_194_304;

/**
 * Cache of the indicators of many runs on the same bars, for the trials of a sweep.
 *
 * Values are found by the content of the series and by the indicator with its parameters. They are computed as the
 * first run reveals its bars. A later run copies a value when it reveals the bar.
 */
export class IndicatorMemo {
  readonly #entries = new Map<string, SharedValues>();
  readonly #hashes = new WeakMap<BarSeries, string>();
  readonly #most: number;
  #size = 0;

  /** @param most greatest number of values in the cache */
  constructor(most = MOST_VALUES) {
    this.#most = most;
  }

  /** Returns the shared values of some series by symbol. The series are read on the first use of a symbol only. */
  shareOf(series: readonly BarSeries[]): (symbol: string) => SharedSeries | undefined {
    return (symbol) => {
      const own = series.find((one) => one.symbol === symbol);
      return own && ((declared) => this.#valuesOf(own, declared));
    };
  }

  #valuesOf(series: BarSeries, declared: DeclaredIndicator): SharedValues {
    const key = `${this.#hashOf(series)} ${declared.key}`;
    const known = this.#entries.get(key);
    // The newest use is last, so that the first entry is the one that was unused for the longest time.
    if (known !== undefined) {
      this.#entries.delete(key);
      this.#entries.set(key, known);
      return known;
    }
    const bars = series.close.length;
    const columns = (declared.outputs ?? [undefined]).map(() => new Float64Array(bars));
    const values: SharedValues = { calculator: declared.create(), columns, computed: 0 };
    this.#entries.set(key, values);
    this.#size += columns.length * bars;
    for (const [oldest, { columns: dropped }] of this.#entries) {
      if (this.#size <= this.#most || oldest === key) break;
      this.#entries.delete(oldest);
      this.#size -= dropped.length * (dropped[0]?.length ?? 0);
    }
    return values;
  }

  #hashOf(series: BarSeries): string {
    let hash = this.#hashes.get(series);
    if (hash === undefined) {
      const digest = createHash('sha256').update(`${series.close.length}`);
      for (const name of PRICE_COLUMNS) {
        const { buffer, byteOffset, byteLength } = series[name];
        digest.update(new Uint8Array(buffer, byteOffset, byteLength));
      }
      hash = digest.digest('hex');
      this.#hashes.set(series, hash);
    }
    return hash;
  }
}
