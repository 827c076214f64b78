import { createHash } from 'node:crypto';
import { type BarSeries, PRICE_COLUMNS } from '../bars/bar-columns.ts';
import { GrowingColumn, pushValue } from '../bars/column.ts';
import { beforeForgetting, type Window } from '../bars/window.ts';
import type { Calculator } from './calculators.ts';
import type { Declarations, DeclaredIndicator, Indicator, IndicatorGroup } from './declare.ts';

/** Members of a `Turn` that indicators need. A turn is what a strategy can read at one bar. */
interface TurnWindows {
  readonly symbols: readonly string[];
  readonly contextSymbols: readonly string[];
  windowOf(symbol: string): Window;
}

type Value = Indicator | IndicatorGroup<string>;

const NO_VALUES: Readonly<Record<string, Value>> = Object.freeze({});

/**
 * Indicators of one run, by symbol.
 *
 * Reading an indicator computes its values for the bars since the previous read. With a look-back limit,
 * values are also computed before the window drops a bar. Results are therefore the same as without a limit.
 */
export class IndicatorSet {
  readonly #declarations: Declarations;
  readonly #share: ((symbol: string) => SharedSeries | undefined) | undefined;
  #feeds: ReadonlyMap<string, IndicatorFeed> | undefined;
  #turn: TurnWindows | undefined;

  /**
   * @param share returns values that several runs share. If `share` is omitted, the run computes its own
   *   values
   */
  constructor(declarations: Declarations, share?: (symbol: string) => SharedSeries | undefined) {
    this.#declarations = declarations;
    this.#share = share;
  }

  /** Connects the indicators with the windows of the run. Further calls have no effect. */
  begin(turn: TurnWindows): void {
    if (this.#feeds !== undefined) return;
    this.#turn = turn;
    const of = (name: string) => (symbol: string) => this.#feedOf(symbol).values[name]!;
    this.#feeds = new Map(
      [...turn.symbols, ...turn.contextSymbols].map((symbol) => [
        symbol,
        new IndicatorFeed(turn.windowOf(symbol), this.#declarations, this.#share?.(symbol), of),
      ]),
    );
  }

  /** Values for the first symbol, by name. Empty before `begin`. */
  get values(): Readonly<Record<string, Value>> {
    return this.#turn === undefined ? NO_VALUES : this.#feedOf(this.#turn.symbols[0]!).values;
  }

  #feedOf(symbol: string): IndicatorFeed {
    const feed = this.#feeds!.get(symbol);
    // For an unknown symbol, `windowOf` throws the error.
    return feed ?? this.#feeds!.get(this.#turn!.windowOf(symbol).symbol)!;
  }
}

interface Running {
  readonly declared: DeclaredIndicator;
  readonly columns: readonly { column: GrowingColumn }[];
  readonly results: Float64Array;
  calculator: Calculator | undefined;
  shared: SharedValues | undefined;
}

/** Computes the indicators of one symbol from its window. */
class IndicatorFeed {
  readonly values: Readonly<Record<string, Value>>;
  readonly #window: Window;
  readonly #lookback: number;
  readonly #share: SharedSeries | undefined;
  readonly #running: readonly Running[];
  /** Number of bars since the start that have been processed. */
  #taken = 0;
  #rebased = 0;

  constructor(
    window: Window,
    declarations: Declarations,
    share: SharedSeries | undefined,
    of: (name: string) => (symbol: string) => Value,
  ) {
    this.#window = window;
    this.#share = share;
    this.#lookback = beforeForgetting(window, () => this.#catchUp());
    const running: Running[] = [];
    const catchUp = (): void => this.#catchUp();
    this.values = Object.fromEntries(
      Object.entries(declarations).map(([name, declared]) => {
        const { outputs } = declared;
        const columns = (outputs ?? ['']).map(() => ({ column: this.#newColumn() }));
        const results = new Float64Array(columns.length);
        running.push({ declared, columns, results, calculator: undefined, shared: undefined });
        if (outputs === undefined)
          return [name, new IndicatorColumn(columns[0]!, catchUp, of(name) as Indicator['of'])];
        const group = outputs.map((output, index) => {
          const other = (symbol: string): Indicator =>
            (of(name)(symbol) as Readonly<Record<string, Indicator>>)[output]!;
          return [output, new IndicatorColumn(columns[index]!, catchUp, other)] as const;
        });
        return [
          name,
          Object.freeze({ ...Object.fromEntries(group), of: of(name) }) as IndicatorGroup<string>,
        ];
      }),
    );
    Object.freeze(this.values);
    this.#running = running;
  }

  #newColumn(): GrowingColumn {
    return new GrowingColumn(this.#lookback);
  }

  #catchUp(): void {
    const window = this.#window;
    const { revealed } = window;
    if (revealed === this.#taken) return;
    const rebased = window.rebasings.length;
    const known = window.length;
    if (rebased !== this.#rebased || revealed - this.#taken > known) {
      // Earlier prices have changed, or the first bars have left the readable window. All values are computed
      // again from the readable bars.
      this.#rebased = rebased;
      this.#taken = revealed - known;
      for (const one of this.#running) {
        one.calculator = one.declared.create();
        one.shared = undefined;
        for (const place of one.columns) place.column = this.#newColumn();
      }
    } else if (this.#taken === 0) {
      for (const one of this.#running) {
        one.shared = this.#share?.(one.declared);
        one.calculator = one.shared?.calculator ?? one.declared.create();
      }
    }
    for (; this.#taken < revealed; this.#taken++) {
      const back = this.#taken - revealed;
      for (const one of this.#running) this.#step(one, back);
    }
  }

  #step({ declared, calculator, shared, columns, results }: Running, back: number): void {
    const place = this.#taken;
    if (shared !== undefined && place < shared.computed) {
      for (let output = 0; output < columns.length; output++)
        pushValue(columns[output]!.column, shared.columns[output]![place]!);
      return;
    }
    const [first, second, third] = declared.inputs;
    const window = this.#window;
    calculator!.step(
      results,
      window[first!].at(back),
      second === undefined ? Number.NaN : window[second].at(back),
      third === undefined ? Number.NaN : window[third].at(back),
    );
    for (let output = 0; output < columns.length; output++) {
      const value = results[output]!;
      pushValue(columns[output]!.column, value);
      if (shared !== undefined) shared.columns[output]![place] = value;
    }
    if (shared !== undefined) shared.computed = place + 1;
  }
}

/** Column of an indicator with one value per bar. */
class IndicatorColumn implements Indicator {
  readonly of: (symbol: string) => Indicator;
  readonly #place: { readonly column: GrowingColumn };
  readonly #catchUp: () => void;

  constructor(
    place: { readonly column: GrowingColumn },
    catchUp: () => void,
    of: (symbol: string) => Indicator,
  ) {
    this.#place = place;
    this.#catchUp = catchUp;
    this.of = of;
    Object.freeze(this);
  }

  get #column(): GrowingColumn {
    this.#catchUp();
    return this.#place.column;
  }

  get length(): number {
    return this.#column.length;
  }

  get last(): number {
    return this.#column.last;
  }

  get previous(): number {
    return this.#column.at(-2);
  }

  at(index: number): number {
    return this.#column.at(index);
  }

  tail(count: number): Float64Array {
    return this.#column.tail(count);
  }

  mean(count: number): number {
    return this.#column.mean(count);
  }
}

/** Values of one indicator on one series, shared by the runs of a process. */
interface SharedValues {
  readonly calculator: Calculator;
  /** One column per output, with one element per bar of the series. */
  readonly columns: readonly Float64Array[];
  /** Number of bars that the calculator has processed so far. */
  computed: number;
}

/** Returns the values of one indicator on one series. All runs on the series use the same values. */
export type SharedSeries = (declared: DeclaredIndicator) => SharedValues;

/** Maximum number of values in the cache: 32 MB. */
const MOST_VALUES = 4_194_304;

/**
 * Cache of indicators for the trials of a sweep, which are many runs on the same bars.
 *
 * The key is the content of the series, and the indicator with its parameters. The first run that reveals a
 * bar computes the value. Later runs copy the value when they reveal the same bar.
 */
export class IndicatorMemo {
  readonly #entries = new Map<string, SharedValues>();
  readonly #hashes = new WeakMap<BarSeries, string>();
  readonly #most: number;
  #size = 0;

  /** @param most maximum number of values in the cache */
  constructor(most = MOST_VALUES) {
    this.#most = most;
  }

  /**
   * Returns a function that gives the shared values of a series by its symbol. A series is read only when its
   * symbol is first used.
   */
  shareOf(series: readonly BarSeries[]): (symbol: string) => SharedSeries | undefined {
    return (symbol) => {
      const own = series.find((one) => one.symbol === symbol);
      return own && ((declared) => this.#valuesOf(own, declared));
    };
  }

  #valuesOf(series: BarSeries, declared: DeclaredIndicator): SharedValues {
    const key = `${this.#hashOf(series)} ${declared.key}`;
    const known = this.#entries.get(key);
    // Moves the entry to the end, so that the first entry of the map is always the least recently used.
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
