import { type BarAmounts, type BarEvent, LightBar, lightAmounts, NO_EXPOSURE } from '../engine/index.ts';
import { DAY, EXACT_ZERO, Exact, formatInstant, parseInstant } from '../kernel/index.ts';
import type { BarSeries } from '../market/index.ts';

/** Start of the line of a `bar` event in a journal, up to the bar number. */
export const BAR_LINE = '{"type":"bar","bar":';
const DATE = ',"date":"';
const CASH = '","cash":"';
const EQUITY = '","equity":"';
const EXPOSURE = '","exposure":';
const PRICES = ',"prices":[';
const END = ']}';
const ROOM = 4096;
/**
 * Maximum digits of a number for the fast conversion. Up to 15 digits as an integer, and the power of ten,
 * are exact as float64. Their quotient is therefore the number that `JSON.parse` returns.
 */
const MOST_DIGITS = 15;
const POWERS = Array.from({ length: 23 }, (_, power) => Number(`1e${power}`));
const [QUOTE, COMMA, MINUS, POINT, ZERO, NINE] = [34, 44, 45, 46, 48, 57];
const [COLON, LETTER_T, BRACKET] = [58, 84, 93];
const FIELDS = ['open', 'high', 'low', 'close', 'volume'] as const;

type Column = (typeof FIELDS)[number] | 'time';
type Columns = Record<Column, Float64Array>;

/**
 * Reads the lines of a journal's `bar` events into columns. Five times faster than `JSON.parse`, with a fifth
 * of its memory per bar.
 *
 * Accepts only lines in the exact form that the engine writes, with amounts of up to 15 digits. For any other
 * line, `take` returns false and the caller must parse the line with `JSON.parse`.
 */
export class BarLines {
  readonly #symbols: readonly string[];
  #clock = new Float64Array(ROOM);
  readonly #columns: Columns[];
  readonly #rows: number[];
  readonly #market: { symbols: readonly string[]; series: BarSeries[]; clock: Float64Array };
  readonly #amounts: BarAmounts;
  readonly #bars: LightBar[] = [];
  #cash: Exact = EXACT_ZERO;
  #text = '';
  #at = 0;
  // Amount that was read last: `mantissa` divided by ten to the power of `scale`.
  #mantissa = 0;
  #scale = 0;
  // Date that was parsed last: its day as YYYY-MM-DD, and the midnight (UTC) of this day in milliseconds
  // since 1970.
  #day = '?';
  #midnight = Number.NaN;
  // Values of the line that is being read. They are copied to the columns only after the whole line was
  // accepted.
  readonly #values: Float64Array;
  readonly #hasRow: Uint8Array;

  constructor(symbols: readonly string[]) {
    this.#symbols = symbols;
    this.#columns = symbols.map(() => ({
      time: new Float64Array(ROOM),
      open: new Float64Array(ROOM),
      high: new Float64Array(ROOM),
      low: new Float64Array(ROOM),
      close: new Float64Array(ROOM),
      volume: new Float64Array(ROOM),
    }));
    this.#rows = symbols.map(() => 0);
    this.#market = { symbols, series: [], clock: new Float64Array(0) };
    this.#amounts = lightAmounts(this.#market);
    this.#values = new Float64Array(symbols.length * FIELDS.length);
    this.#hasRow = new Uint8Array(symbols.length);
  }

  /** Number of bars read. */
  get count(): number {
    return this.#bars.length;
  }

  /**
   * Reads the line from `start` to `end` of a text.
   *
   * @returns false, with nothing stored, if the line is not the next bar or not in the form that the engine
   *   writes
   */
  take(text: string, start: number, end: number): boolean {
    const bar = this.#bars.length;
    this.#text = text;
    this.#at = start;
    if (!this.#skip(BAR_LINE) || !this.#skip(String(bar)) || !this.#skip(DATE)) return false;
    const time = this.#time();
    if (Number.isNaN(time) || (bar > 0 && time <= this.#clock[bar - 1]!)) return false;
    if (!this.#skip(CASH) || !this.#amount()) return false;
    if (this.#mantissa !== this.#cash.mantissa || this.#scale !== this.#cash.scale || bar === 0)
      this.#cash = Exact.ofScaled(this.#mantissa, this.#scale);
    if (!this.#skip(EQUITY) || !this.#amount() || !this.#skip(EXPOSURE)) return false;
    const exposure = this.#skip('null') ? NO_EXPOSURE : this.#number();
    if (Number.isNaN(exposure) || (exposure < 0 && exposure !== NO_EXPOSURE)) return false;
    if (!this.#skip(PRICES) || !this.#prices() || !this.#skip(END) || this.#at !== end) return false;
    this.#store(bar, time, exposure);
    return true;
  }

  /**
   * Adds a parsed bar event. Needed for bars whose line `take` rejects because of additional fields, for
   * example `ambiguity`.
   *
   * @returns false if the columns cannot represent the bar
   */
  add({ ambiguity, bounds, ...plain }: BarEvent): boolean {
    const line = JSON.stringify(plain);
    if (!this.take(line, 0, line.length)) return false;
    if (ambiguity === undefined && bounds === undefined) return true;
    this.#amounts.isDoubtful = true;
    Object.assign(this.#bars.at(-1)!, {
      ...(ambiguity === undefined ? {} : { ambiguity }),
      ...(bounds === undefined ? {} : { bounds }),
    });
    return true;
  }

  /** Returns all bars read. `take` and `add` must not be called afterwards. */
  finish(): readonly LightBar[] {
    this.#market.clock = this.#clock.subarray(0, this.#bars.length);
    this.#market.series = this.#symbols.map((symbol, index) => {
      const { time, open, high, low, close, volume } = this.#columns[index]!;
      const rows = this.#rows[index]!;
      const cut = (column: Float64Array): Float64Array => column.subarray(0, rows);
      return {
        symbol,
        time: cut(time),
        open: cut(open),
        high: cut(high),
        low: cut(low),
        close: cut(close),
        volume: cut(volume),
      };
    });
    return this.#bars;
  }

  #skip(word: string): boolean {
    if (!this.#text.startsWith(word, this.#at)) return false;
    this.#at += word.length;
    return true;
  }

  /**
   * Reads the date at the current position as milliseconds since 1970. `NaN` if the text is not a date in the
   * form that the engine writes.
   */
  #time(): number {
    const text = this.#text;
    const from = this.#at;
    const length = text.charCodeAt(from + 10) === QUOTE ? 10 : text.charCodeAt(from + 19) === QUOTE ? 19 : 23;
    this.#at = from + length;
    if (length === 19 && text.startsWith(this.#day, from)) {
      const [hours, minutes, seconds] = [this.#pair(from + 11), this.#pair(from + 14), this.#pair(from + 17)];
      const isPlain =
        text.charCodeAt(from + 10) === LETTER_T &&
        text.charCodeAt(from + 13) === COLON &&
        text.charCodeAt(from + 16) === COLON &&
        hours < 24 &&
        minutes < 60 &&
        seconds < 60;
      const ofDay = ((hours * 60 + minutes) * 60 + seconds) * 1000;
      if (isPlain && ofDay > 0) return this.#midnight + ofDay;
    }
    const word = text.slice(from, from + length);
    const time = parseInstant(word);
    if (time === undefined || formatInstant(time) !== word) return Number.NaN;
    this.#day = word.slice(0, 10);
    this.#midnight = Math.floor(time / DAY) * DAY;
    return time;
  }

  /** Reads two digits. `NaN` for other characters. */
  #pair(at: number): number {
    const [tens, ones] = [this.#text.charCodeAt(at) - ZERO, this.#text.charCodeAt(at + 1) - ZERO];
    return tens >= 0 && tens <= 9 && ones >= 0 && ones <= 9 ? tens * 10 + ones : Number.NaN;
  }

  /**
   * Reads the amount at the current position into `#mantissa` and `#scale`. False if the text is not an
   * amount of up to 15 digits.
   */
  #amount(): boolean {
    const text = this.#text;
    const isNegative = text.charCodeAt(this.#at) === MINUS;
    const from = isNegative ? this.#at + 1 : this.#at;
    let [at, mantissa, point] = [from, 0, -1];
    for (; ; at++) {
      const code = text.charCodeAt(at);
      if (code >= ZERO && code <= NINE) mantissa = mantissa * 10 + (code - ZERO);
      else if (code === POINT && point < 0) point = at;
      else break;
    }
    const digits = at - from - (point < 0 ? 0 : 1);
    if (digits === 0 || digits > MOST_DIGITS || (isNegative && mantissa === 0)) return false;
    const startsWithZero = text.charCodeAt(from) === ZERO;
    if (point < 0) {
      if (startsWithZero && digits > 1) return false;
    } else if (point === from || (startsWithZero && point > from + 1) || text.charCodeAt(at - 1) === ZERO)
      return false;
    if (text.charCodeAt(at - 1) === POINT) return false;
    this.#at = at;
    this.#mantissa = isNegative ? 0 - mantissa : mantissa;
    this.#scale = point < 0 ? 0 : at - 1 - point;
    return true;
  }

  /** Reads the JSON number at the current position. `NaN` if the text is not a JSON number. */
  #number(): number {
    const text = this.#text;
    const from = this.#at;
    let [at, mantissa, point] = [from, 0, -1];
    for (; ; at++) {
      const code = text.charCodeAt(at);
      if (code >= ZERO && code <= NINE) mantissa = mantissa * 10 + (code - ZERO);
      else if (code === POINT && point < 0) point = at;
      else break;
    }
    const digits = at - from - (point < 0 ? 0 : 1);
    const isUsual = digits > 0 && digits <= MOST_DIGITS && isEndOfNumber(text.charCodeAt(at));
    if (isUsual && text.charCodeAt(from) !== ZERO && point !== from && point !== at - 1) {
      this.#at = at;
      return point < 0 ? mantissa : mantissa / POWERS[at - 1 - point]!;
    }
    while (at < text.length && !isEndOfNumber(text.charCodeAt(at))) at += 1;
    this.#at = at;
    const word = text.slice(from, at);
    return NUMBER.test(word) ? Number(word) : Number.NaN;
  }

  #prices(): boolean {
    for (let symbol = 0; symbol < this.#symbols.length; symbol++) {
      if (symbol > 0 && !this.#skip(',')) return false;
      const isMissing = this.#skip('null');
      this.#hasRow[symbol] = isMissing ? 0 : 1;
      if (isMissing) continue;
      for (let field = 0; field < FIELDS.length; field++) {
        if (!this.#skip(field === 0 ? '[' : ',')) return false;
        const value = this.#number();
        if (Number.isNaN(value)) return false;
        this.#values[symbol * FIELDS.length + field] = value;
      }
      if (!this.#skip(']')) return false;
    }
    return true;
  }

  #store(bar: number, time: number, exposure: number): void {
    if (bar === this.#clock.length) this.#clock = longer(this.#clock);
    this.#clock[bar] = time;
    for (let symbol = 0; symbol < this.#symbols.length; symbol++) {
      if (this.#hasRow[symbol] === 0) continue;
      const columns = this.#columns[symbol]!;
      const row = this.#rows[symbol]!;
      if (row === columns.time.length)
        for (const name of ['time', ...FIELDS] as const) columns[name] = longer(columns[name]);
      const first = symbol * FIELDS.length;
      columns.time[row] = time;
      columns.open[row] = this.#values[first]!;
      columns.high[row] = this.#values[first + 1]!;
      columns.low[row] = this.#values[first + 2]!;
      columns.close[row] = this.#values[first + 3]!;
      columns.volume[row] = this.#values[first + 4]!;
      this.#rows[symbol] = row + 1;
    }
    this.#amounts.add(bar, this.#cash, { mantissa: this.#mantissa, scale: this.#scale }, exposure);
    this.#bars.push(new LightBar(this.#amounts, bar));
  }
}

const NUMBER = /^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?$/;

/** True for the characters that can follow a number in a list of prices: a comma or a closing bracket. */
function isEndOfNumber(code: number): boolean {
  return code === COMMA || code === BRACKET;
}

function longer(column: Float64Array): Float64Array<ArrayBuffer> {
  const copy = new Float64Array(2 * column.length);
  copy.set(column);
  return copy;
}
