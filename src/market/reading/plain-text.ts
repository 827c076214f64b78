/**
 * Reads bars from plain text without faults, in one pass over its bytes.
 *
 * Plain text is ASCII without quotes. The header is the first line, and every line has the same number of
 * cells. Dates have the form 2020-01-15, 2020-01-15T09:30:00 or 2020-01-15T09:30:00Z and increase from line
 * to line. Numbers consist of digits and a point and form valid bars. `table.ts` reads all other files and
 * reports their faults.
 */
import { createHash } from 'node:crypto';
import { open } from 'node:fs/promises';
import { delimiterOf } from './delimiter.ts';
import type { ColumnPlan } from './headers.ts';

/** Content of a plain text file. The head of this module defines plain text. */
export interface PlainBars {
  /** SHA-256 of the file's bytes, in hex. */
  readonly sha256: string;
  /** Time, open, high, low, close, volume, then the additional columns of the plan. */
  readonly columns: readonly Float64Array[];
}

/** Number of bytes read in one step. A file with a longer line is not plain. */
const PIECE = 1 << 18;
const [TAB, NEWLINE, RETURN, SPACE, QUOTE, HYPHEN, POINT] = [9, 10, 13, 32, 34, 45, 46] as const;
const [ZERO, NINE, COLON, CAPITAL_T, CAPITAL_Z, LAST_ASCII] = [48, 57, 58, 84, 90, 126] as const;
const POWERS = Array.from({ length: 16 }, (_, power) => 10 ** power);
/**
 * Integers with up to this number of digits are exact in float64. Dividing such an integer by a power of ten
 * is correctly rounded.
 */
const EXACT_DIGITS = 15;
const MONTH_DAYS = [31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31];

/**
 * Reads a plain text file. The head of this module defines plain text.
 *
 * @param planOf returns the positions of columns for a header. `undefined` for a header that needs the full
 *   reader
 * @param onBytes called with the number of bytes that were read
 * @returns undefined for a file that is not plain text, or that cannot be read
 */
export async function readPlainBars(
  file: string,
  planOf: (header: readonly string[]) => ColumnPlan | undefined,
  onBytes?: (done: number) => void,
): Promise<PlainBars | undefined> {
  const handle = await open(file).catch(() => undefined);
  if (handle === undefined) return undefined;
  const hash = createHash('sha256');
  const buffer = Buffer.allocUnsafe(2 * PIECE);
  let rows: PlainRows | undefined;
  let length = 0;
  let done = 0;
  try {
    for (;;) {
      const { bytesRead } = await handle.read(buffer, length, PIECE);
      hash.update(buffer.subarray(length, length + bytesRead));
      length += bytesRead;
      done += bytesRead;
      onBytes?.(done);
      const isEnd = bytesRead === 0;
      if (isEnd && length === 0) break;
      // The last line may lack a line end.
      if (isEnd) buffer[length++] = NEWLINE;
      const end = buffer.lastIndexOf(NEWLINE, length - 1) + 1;
      if (end === 0) return undefined;
      let from = 0;
      if (rows === undefined) {
        from = buffer.indexOf(NEWLINE) + 1;
        const header = plainText(buffer, from - 1);
        const delimiter = delimiterOf(header ?? '');
        const cells = header?.split(delimiter) ?? [];
        const plan = header === undefined ? undefined : planOf(cells);
        if (plan === undefined) return undefined;
        rows = new PlainRows(cells.length, delimiter.charCodeAt(0), plan);
      }
      if (!rows.take(buffer, from, end)) return undefined;
      buffer.copyWithin(0, end, length);
      length -= end;
    }
    if (rows === undefined || rows.length === 0) return undefined;
    return { sha256: hash.digest('hex'), columns: rows.columns() };
  } catch {
    // Any error returns `undefined`, so that the full reader reports the error.
    return undefined;
  } finally {
    await handle.close();
  }
}

/**
 * Returns the first line as text, without the line end. `undefined` if the line contains a character that
 * plain text does not allow.
 */
function plainText(bytes: Buffer, length: number): string | undefined {
  const end = bytes[length - 1] === RETURN ? length - 1 : length;
  for (let at = 0; at < end; at++) if (!isPlain(bytes[at]!)) return undefined;
  const text = bytes.toString('latin1', 0, end);
  return text.trim() === '' ? undefined : text;
}

function isPlain(byte: number): boolean {
  return (byte >= SPACE && byte <= LAST_ASCII && byte !== QUOTE) || byte === TAB;
}

/** Parser that collects the rows of a plain text file in columns. */
class PlainRows {
  /** Meaning of each cell in a row: the time, a number (with the index of its column), or ignored. */
  readonly #kinds: Int8Array;
  readonly #delimiter: number;
  readonly #row: Float64Array;
  #columns: Float64Array[];
  #length = 0;
  #at = 0;
  /** True if times end with `Z`. `undefined` until the first time of day has been read. */
  #hasMark: boolean | undefined;

  constructor(cells: number, delimiter: number, plan: ColumnPlan) {
    const positions = [...plan.prices, plan.volume, ...plan.extra.map(({ position }) => position)];
    this.#delimiter = delimiter;
    this.#kinds = new Int8Array(cells).fill(UNREAD);
    this.#kinds[plan.time] = TIME;
    for (const [index, position] of positions.entries())
      if (position !== undefined) this.#kinds[position] = index + 1;
    // Without a volume column, the volume of every bar is 1.
    this.#row = new Float64Array(positions.length + 1).fill(1);
    this.#columns = Array.from(this.#row, () => new Float64Array(1024));
  }

  get length(): number {
    return this.#length;
  }

  columns(): Float64Array[] {
    return this.#columns.map((column) => column.slice(0, this.#length));
  }

  /**
   * Reads whole lines. Returns false if a line is not plain text, so that the full reader must read the file.
   */
  take(bytes: Buffer, from: number, end: number): boolean {
    for (this.#at = from; this.#at < end; ) {
      if (isLineEnd(bytes, this.#at)) this.#at += bytes[this.#at] === RETURN ? 2 : 1;
      else if (!this.#takeLine(bytes)) return false;
    }
    return true;
  }

  #takeLine(bytes: Buffer): boolean {
    const kinds = this.#kinds;
    const row = this.#row;
    for (let cell = 0; cell < kinds.length; cell++) {
      const kind = kinds[cell]!;
      if (kind === UNREAD) this.#skip(bytes);
      else {
        const value = kind === TIME ? this.#time(bytes) : this.#number(bytes);
        if (Number.isNaN(value)) return false;
        row[kind] = value;
      }
      const isLast = cell === kinds.length - 1;
      if (isLast ? !isLineEnd(bytes, this.#at) : bytes[this.#at] !== this.#delimiter) return false;
      this.#at += isLast && bytes[this.#at] === RETURN ? 2 : 1;
    }
    return this.#keep();
  }

  /**
   * Appends the row to the columns. Returns false if the row is not a valid bar or is not later than the
   * previous bar.
   */
  #keep(): boolean {
    const columns = this.#columns;
    const row = this.#row;
    const [time, open, high, low, close] = [row[0]!, row[1]!, row[2]!, row[3]!, row[4]!];
    if (!(low > 0 && low <= open && low <= close && high >= open && high >= close)) return false;
    const length = this.#length;
    if (length > 0 && !(time > columns[0]![length - 1]!)) return false;
    if (length === columns[0]!.length) this.#columns = columns.map(doubled);
    for (let column = 0; column < columns.length; column++) this.#columns[column]![length] = row[column]!;
    this.#length = length + 1;
    return true;
  }

  #skip(bytes: Buffer): void {
    while (bytes[this.#at] !== this.#delimiter && isPlain(bytes[this.#at]!)) this.#at += 1;
  }

  #number(bytes: Buffer): number {
    const from = this.#at;
    let [value, digits, point] = [0, 0, -1];
    let at = from;
    for (; ; at++) {
      const byte = bytes[at]!;
      if (byte >= ZERO && byte <= NINE) {
        value = value * 10 + (byte - ZERO);
        digits += 1;
      } else if (byte === POINT && point < 0 && digits > 0) point = digits;
      else break;
    }
    this.#at = at;
    if (digits === 0 || point === digits) return Number.NaN;
    if (digits > EXACT_DIGITS) return Number(bytes.toString('latin1', from, at));
    return point < 0 ? value : value / POWERS[digits - point]!;
  }

  #time(bytes: Buffer): number {
    const from = this.#at;
    const [year, month, day] = [
      digits(bytes, from, 4),
      digits(bytes, from + 5, 2),
      digits(bytes, from + 8, 2),
    ];
    const isDate = bytes[from + 4] === HYPHEN && bytes[from + 7] === HYPHEN && year >= 1000;
    if (!isDate || !(month >= 1 && month <= 12 && day >= 1 && day <= daysIn(year, month))) return Number.NaN;
    const midnight = Date.UTC(year, month - 1, day);
    this.#at = from + 10;
    if (bytes[this.#at] !== CAPITAL_T && bytes[this.#at] !== SPACE) return midnight;
    const [hour, minute] = [digits(bytes, from + 11, 2), digits(bytes, from + 14, 2)];
    if (bytes[from + 13] !== COLON || !(hour <= 23 && minute <= 59)) return Number.NaN;
    this.#at = from + 16;
    const second = bytes[this.#at] === COLON ? digits(bytes, from + 17, 2) : 0;
    if (bytes[this.#at] === COLON) this.#at = from + 19;
    // `Z` marks UTC. Either all times of the file have this mark, or none.
    const hasMark = bytes[this.#at] === CAPITAL_Z;
    if (hasMark) this.#at += 1;
    return second <= 59 && this.#isAlike(hasMark)
      ? midnight + ((hour * 60 + minute) * 60 + second) * 1000
      : Number.NaN;
  }

  /** True if all times so far end with `Z`, or if none does. Dates without a time are not checked. */
  #isAlike(hasMark: boolean): boolean {
    this.#hasMark ??= hasMark;
    return this.#hasMark === hasMark;
  }
}

const [UNREAD, TIME] = [-1, 0] as const;

function isLineEnd(bytes: Buffer, at: number): boolean {
  return bytes[at] === NEWLINE || (bytes[at] === RETURN && bytes[at + 1] === NEWLINE);
}

function doubled(column: Float64Array): Float64Array {
  const larger = new Float64Array(2 * column.length);
  larger.set(column);
  return larger;
}

/** Parses an integer of `count` digits. NaN if a byte is not a digit. */
function digits(bytes: Buffer, from: number, count: number): number {
  let value = 0;
  for (let at = from; at < from + count; at++) {
    const byte = bytes[at]!;
    value = byte >= ZERO && byte <= NINE ? value * 10 + (byte - ZERO) : Number.NaN;
  }
  return value;
}

function daysIn(year: number, month: number): number {
  const isLeap = year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0);
  return MONTH_DAYS[month - 1]! + (month === 2 && isLeap ? 1 : 0);
}
