import type { Feed, KnownFeed } from '../protocol.ts';

/** Columns of a feed: time, open, high, low, close, volume. */
const COLUMNS = 6;
const FIRST_CAPACITY = 1024;
const NANOSECONDS_PER_MILLISECOND = 1_000_000n;

/** Location and number of a symbol's bars in one Python heap (the memory of the Python process). */
interface Place {
  /** Number of bars written to the heap. */
  written: number;
  /** Capacity of the reserved memory, in bars. 0 if no memory is reserved. */
  reserved: number;
  priceAddress: number;
  timeAddress: number;
}

/**
 * Contents of a saved heap: bars by symbol, and number of news. News are pieces of published data that are
 * not numeric columns, for example documents and trading sessions.
 */
export interface Places {
  readonly symbols: ReadonlyMap<string, Readonly<Place>>;
  readonly learnt: number;
}

/** Python function that reserves the memory of a symbol and returns its addresses. */
export type Reserve = (
  symbol: string,
  capacity: number,
  features?: string,
) => { toJs(): number[]; destroy(): void };

/** Python function that receives news (published data other than numeric columns) as JSON. */
export type Learn = (news: string) => void;

/**
 * Python function behind `frame()`, which gives agent code one column of several symbols. Aligns the columns
 * by date. The request is JSON. Returns true if the function reserved memory.
 */
export type Align = (request: string) => boolean;

/**
 * Number and total length (in characters) of the news that a restored heap may lack. News are published data
 * other than numeric columns. If a limit is exceeded, the saved copy of the heap is replaced by a newer one.
 */
const MANY_NEWS = 64;
const LONG_NEWS = 65_536;

interface SymbolBars extends Place {
  /** All bars received so far. Each column has space for `capacity` numbers. Used to fill a restored heap. */
  columns: Float64Array;
  /**
   * Times in nanoseconds, as in Python. Cached, because converting the times would take most of the time to
   * fill a heap.
   */
  nanoseconds: BigInt64Array;
  capacity: number;
  count: number;
  /** Number of numeric columns per bar: six columns of prices, time and volume, and the numeric features. */
  readonly width: number;
  /** Names of the features as JSON for Python. `undefined` without features. */
  readonly features: string | undefined;
}

/** Stores the bars and news (other published data) of this run, and writes them into Python's memory. */
export class BarStore {
  readonly #symbols = new Map<string, SymbolBars>();
  /**
   * Published data other than numeric columns, one JSON text for each piece. They are sent again to a
   * restored heap.
   */
  #news: string[] = [];
  #learnt = 0;
  /** Symbols and columns that calls have requested from `frame`. `undefined` before the first such call. */
  #aligned: { readonly symbols: readonly string[]; readonly columns: Set<string> } | undefined;
  readonly #reserve: Reserve;
  readonly #learn: Learn;
  readonly #align: Align;
  readonly #memory: () => ArrayBuffer;

  /** @param memory returns the buffer of the Python heap. The buffer changes when the heap grows */
  constructor(python: { reserve: Reserve; learn: Learn; align: Align }, memory: () => ArrayBuffer) {
    this.#reserve = python.reserve;
    this.#learn = python.learn;
    this.#align = python.align;
    this.#memory = memory;
  }

  /** Stores the bars and other published data of a request. `flush` writes them to Python's memory later. */
  accept(feeds: readonly Feed[], binary: Uint8Array, known: readonly KnownFeed[] = []): void {
    // A Float64Array needs an aligned position, but the binary part of a frame can begin at any byte. The
    // bytes are therefore copied.
    const numbers = new Float64Array(Uint8Array.from(binary).buffer);
    let offset = 0;
    for (const feed of feeds) {
      const bars = this.#bars(feed.symbol, feed.features);
      this.#noteValues(feed, bars.count);
      if (bars.count + feed.count > bars.capacity) grow(bars, bars.count + feed.count);
      for (let column = 0; column < bars.width; column++) {
        bars.columns.set(numbers.subarray(offset, offset + feed.count), column * bars.capacity + bars.count);
        offset += feed.count;
      }
      for (let bar = bars.count; bar < bars.count + feed.count; bar++)
        bars.nanoseconds[bar] = BigInt(bars.columns[bar]!) * NANOSECONDS_PER_MILLISECOND;
      bars.count += feed.count;
    }
    for (const rows of known) this.#news.push(JSON.stringify(rows));
  }

  #noteValues({ symbol, features }: Feed, start: number): void {
    if (features !== undefined && features.others.length > 0)
      this.#news.push(JSON.stringify({ symbol, start, values: features.values }));
  }

  /**
   * Writes new bars and news to Python's memory, and aligns the columns of `alignFor`. Returns true if the
   * saved copy of the heap should be replaced, because memory was reserved or many news were written.
   */
  flush(): boolean {
    let reserved = false;
    for (const [symbol, bars] of this.#symbols) {
      if (bars.written < bars.count) reserved = this.#write(symbol, bars) || reserved;
    }
    reserved = this.#sendNews() || reserved;
    return this.#alignColumns() || reserved;
  }

  /**
   * Adds columns that `flush` aligns by date, for the Python function `frame`. `flush` also runs when a heap
   * is restored, so the alignment does not delay the next call.
   */
  alignFor({ symbols, columns }: { symbols: readonly string[]; columns: readonly string[] }): void {
    this.#aligned = { symbols, columns: new Set([...(this.#aligned?.columns ?? []), ...columns]) };
  }

  #alignColumns(): boolean {
    if (this.#aligned === undefined) return false;
    const ends = this.#aligned.symbols.map((symbol) => [symbol, this.#symbols.get(symbol)?.written ?? 0]);
    return this.#align(JSON.stringify({ ends, columns: [...this.#aligned.columns] }));
  }

  /**
   * Sends news (published data other than numeric columns) to Python. Returns true if so many of them were
   * missing from the heap that its saved copy should be replaced.
   */
  #sendNews(): boolean {
    const from = this.#learnt;
    if (from === this.#news.length) return false;
    const news = `[${this.#news.slice(from).join(',')}]`;
    this.#learn(news);
    this.#learnt = this.#news.length;
    return news.length >= LONG_NEWS || this.#learnt - from >= Math.max(MANY_NEWS, from / 2);
  }

  /** Removes all bars and news. The caller must also replace the heap by one that contains no bars. */
  clear(): void {
    this.#symbols.clear();
    this.#news = [];
    this.#learnt = 0;
    this.#aligned = undefined;
  }

  /**
   * Returns a description of the bars and news in the current heap. It is saved and restored together with
   * the heap.
   */
  places(): Places {
    const symbols = new Map(
      [...this.#symbols].map(([symbol, { written, reserved, priceAddress, timeAddress }]) => [
        symbol,
        { written, reserved, priceAddress, timeAddress },
      ]),
    );
    return { symbols, learnt: this.#learnt };
  }

  /**
   * Sets the description of the current heap's contents, after an earlier heap was restored. For symbols that
   * the restored heap lacks, `flush` reserves memory again.
   */
  restorePlaces(places: Places): void {
    this.#forgetMemory();
    for (const [symbol, place] of places.symbols) Object.assign(this.#bars(symbol), place);
    this.#learnt = places.learnt;
  }

  #forgetMemory(): void {
    for (const bars of this.#symbols.values()) {
      bars.reserved = 0;
      bars.written = 0;
    }
  }

  #bars(symbol: string, named?: Feed['features']): SymbolBars {
    let bars = this.#symbols.get(symbol);
    if (bars === undefined) {
      const width = COLUMNS + (named?.numbers.length ?? 0);
      const features =
        named === undefined ? undefined : JSON.stringify({ numbers: named.numbers, others: named.others });
      const columns = new Float64Array(width * FIRST_CAPACITY);
      bars = {
        width,
        features,
        columns,
        nanoseconds: new BigInt64Array(FIRST_CAPACITY),
        capacity: FIRST_CAPACITY,
        count: 0,
        written: 0,
        reserved: 0,
        priceAddress: 0,
        timeAddress: 0,
      };
      this.#symbols.set(symbol, bars);
    }
    return bars;
  }

  #write(symbol: string, bars: SymbolBars): boolean {
    const reserves = bars.reserved < bars.capacity;
    if (reserves) {
      const answer = this.#reserve(symbol, bars.capacity, bars.features);
      const [priceAddress = 0, timeAddress = 0, reserved = 0] = answer.toJs();
      answer.destroy();
      Object.assign(bars, { priceAddress, timeAddress, reserved });
    }
    const memory = this.#memory();
    const { written, count, capacity, columns } = bars;
    new BigInt64Array(memory, bars.timeAddress + 8 * written, count - written).set(
      bars.nanoseconds.subarray(written, count),
    );
    for (let column = 1; column < bars.width; column++) {
      const address = bars.priceAddress + 8 * ((column - 1) * bars.reserved + written);
      new Float64Array(memory, address, count - written).set(
        columns.subarray(column * capacity + written, column * capacity + count),
      );
    }
    bars.written = count;
    return reserves;
  }
}

function grow(bars: SymbolBars, needed: number): void {
  let capacity = bars.capacity;
  while (capacity < needed) capacity *= 2;
  const columns = new Float64Array(bars.width * capacity);
  for (let column = 0; column < bars.width; column++) {
    columns.set(
      bars.columns.subarray(column * bars.capacity, column * bars.capacity + bars.count),
      column * capacity,
    );
  }
  const nanoseconds = new BigInt64Array(capacity);
  nanoseconds.set(bars.nanoseconds.subarray(0, bars.count));
  bars.columns = columns;
  bars.nanoseconds = nanoseconds;
  bars.capacity = capacity;
}
