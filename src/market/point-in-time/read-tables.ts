import { DAY, type Fault, type Instant } from '../../kernel/index.ts';
import { type Rows, Sheet } from '../reading/sheet.ts';
import type { Stamp } from '../reading/stamps.ts';

/** Text document (news, filing, transcript) with its publication time. */
export interface GivenDocument {
  /** Unique across all files. */
  readonly id: string;
  /** Publication time. */
  readonly known: Stamp;
  /**
   * Symbols that the document is about. Empty if it is about all symbols. A search by symbol does not find a
   * document without symbols.
   */
  readonly symbols: readonly string[];
  /** Publisher. Empty if unknown. */
  readonly source: string;
  /** Kind, for example `news` or `10-K`. Empty if unknown. */
  readonly kind: string;
  readonly title: string;
  readonly text: string;
  /** Place of the row in its file, for messages. */
  readonly where: string;
}

/** One figure of one symbol for one period, as published at one time. */
export interface GivenFundamental {
  readonly symbol: string;
  /** Name of the figure, for example `revenue`. */
  readonly field: string;
  /** Last day of the period. */
  readonly periodEnd: Instant;
  /** Publication time. A restatement is a further figure with a later publication time. */
  readonly known: Stamp;
  readonly value: number;
}

/** Period in which a symbol is tradable. */
export interface Membership {
  readonly symbol: string;
  /** First instant of the period. `null` if the period has no start. */
  readonly from: Instant | null;
  /** First instant after the period. `null` if the period has no end. */
  readonly until: Instant | null;
}

/** Text file that becomes visible at its publication time. */
export interface DatedFile {
  readonly path: string;
  readonly content: string;
  readonly known: Stamp;
}

/**
 * Data other than bars and features, with their publication times. Contains only plain values, so it can be
 * sent to other processes.
 */
export interface PointInTimeData {
  readonly documents: readonly GivenDocument[];
  readonly fundamentals: readonly GivenFundamental[];
  /** Periods in which symbols are tradable. `undefined` if every symbol is always tradable. */
  readonly universe?: readonly Membership[] | undefined;
}

/** File of documents, fundamentals or the universe, as described in a run's manifest. */
export interface PointInTimeSource {
  readonly file: string;
  readonly sha256: string;
  readonly kind: 'documents' | 'fundamentals' | 'universe';
  readonly rows: number;
}

/** Point-in-time data of a run, with their files. */
export interface LoadedPointInTime extends PointInTimeData {
  readonly sources: readonly PointInTimeSource[];
}

/** Data of a run without point-in-time data. */
export const NOTHING_GIVEN: LoadedPointInTime = { documents: [], fundamentals: [], sources: [] };

/** Document as a row in code. */
export interface DocumentRow {
  readonly id: string;
  /** Publication time: a date or an instant as text, or milliseconds since 1970. */
  readonly available_at: string | number;
  readonly symbol?: string;
  readonly symbols?: readonly string[];
  readonly source?: string;
  readonly kind?: string;
  readonly title?: string;
  readonly text?: string;
}

const DOCUMENT_COLUMNS = {
  id: ['id'],
  available_at: ['available at', 'availableat'],
  symbol: ['symbol', 'ticker'],
  symbols: ['symbols', 'tickers'],
  source: ['source'],
  kind: ['kind'],
  title: ['title', 'headline'],
  text: ['text', 'body'],
} as const;

export const DOCUMENTS_HINT =
  'A line looks like {"id": "n1", "available_at": "2024-02-01T12:30Z", "symbols": ["AAPL"], "source": "Wire", "kind": "news", "title": "…", "text": "…"}: id and available_at are needed, and a title or a text.';

/**
 * Maximum length of an id, source, kind or symbol, in characters. Ids must be short, because a model must
 * repeat them exactly.
 */
const LONGEST_NAME = 200;
/**
 * Maximum length of a title in characters. Lists of documents show whole titles, so longer titles would leave
 * too little room for other documents.
 */
const LONGEST_TITLE = 1_000;
/** Maximum number of symbols of a document. */
const MOST_SYMBOLS = 1_000;
/**
 * Control characters and line separators. A prompt shows each document on one line, so a line break in a text
 * could fake another document.
 */
const NOT_ON_A_LINE = /[\p{Control}\u2028\u2029]+/gu;

/**
 * Reads documents from the rows of a file.
 *
 * @param taken ids of documents in earlier files, with the location of each. The function adds the ids of
 *   this file
 */
export function readDocuments(
  file: string,
  given: Rows,
  taken: Map<string, string>,
): { readonly documents: readonly GivenDocument[]; readonly faults: readonly Fault[] } {
  const sheet = new Sheet(file, given, { columns: DOCUMENT_COLUMNS, needed: ['id', 'available_at'] });
  if (!sheet.has('title') && !sheet.has('text'))
    sheet.faults.push({ where: file, message: `no column "title" or "text"` });
  if (!sheet.isReadable) return { documents: [], faults: sheet.faults };
  const known = sheet.stamps('available_at', true);
  const documents: GivenDocument[] = [];
  for (let row = 0; row < sheet.length; row++) {
    const where = sheet.where(row);
    const id = sheet.text(row, 'id');
    const [title, text] = [oneLine(sheet.text(row, 'title')), sheet.cell(row, 'text')];
    if (id === '') sheet.report(row, 'the id is empty');
    else if (id !== oneLine(id)) sheet.report(row, 'the id has line breaks or control characters');
    const tooLong = (name: string, length: number, most: number, unit = 'characters'): void => {
      if (length > most)
        sheet.report(row, `the ${name} has more than ${most.toLocaleString('en-US')} ${unit}`);
    };
    tooLong('id', id.length, LONGEST_NAME);
    tooLong('title', title.length, LONGEST_TITLE);
    const before = taken.get(id);
    if (id !== '' && before !== undefined)
      sheet.report(row, `repeats the id ${id} of ${before}`, 'a correction needs a different id');
    taken.set(id, where);
    if (title === '' && text.trim() === '') sheet.report(row, 'has neither a title nor a text');
    const stamp = known[row];
    if (stamp === undefined) continue;
    const symbols = [
      ...new Set(
        [...symbolsIn(sheet.cell(row, 'symbol')), ...symbolsIn(sheet.cell(row, 'symbols'))].map(oneLine),
      ),
    ];
    const [source, kind] = [oneLine(sheet.text(row, 'source')), oneLine(sheet.text(row, 'kind'))];
    tooLong('source', source.length, LONGEST_NAME);
    tooLong('kind', kind.length, LONGEST_NAME);
    tooLong('list of symbols', symbols.length, MOST_SYMBOLS, 'symbols');
    for (const symbol of symbols) tooLong('symbol', symbol.length, LONGEST_NAME);
    documents.push({ id, known: stamp, symbols, source, kind, title, text, where });
  }
  return { documents, faults: sheet.sorted() };
}

/** Replaces line breaks and control characters by spaces. */
function oneLine(text: string): string {
  return text.replace(NOT_ON_A_LINE, ' ').trim();
}

/**
 * Reads a cell of symbols: a list from JSON or Parquet, or symbols separated by commas, semicolons or
 * vertical bars.
 */
function symbolsIn(cell: string): string[] {
  return cell
    .replaceAll(/^\s*\[|\]\s*$/g, '')
    .split(/[,;|]/)
    .map((word) =>
      word
        .trim()
        .replaceAll(/^["']|["']$/g, '')
        .trim()
        .toUpperCase(),
    )
    .filter((word) => word !== '' && word !== 'NULL');
}

/** Figure of fundamentals as a row in code. */
export interface FundamentalRow {
  readonly symbol: string;
  readonly field: string;
  /** Last day of the period: a date as text, or milliseconds since 1970. */
  readonly period_end: string | number;
  /** Publication time: a date or an instant as text, or milliseconds since 1970. */
  readonly available_at: string | number;
  readonly value: number;
}

const FUNDAMENTAL_COLUMNS = {
  symbol: ['symbol', 'ticker'],
  field: ['field', 'item'],
  period_end: ['period end', 'periodend', 'period'],
  available_at: ['available at', 'availableat'],
  value: ['value'],
} as const;
const NEEDED = ['symbol', 'field', 'period_end', 'available_at', 'value'] as const;

export const FUNDAMENTALS_HINT =
  'A line looks like AAPL,revenue,2023-12-30,2024-02-01 21:30,119575 under symbol,field,period_end,available_at,value; a restatement is a line with the same period_end and a later available_at.';

const NUMBER = /^[+-]?(?:\d+\.?\d*|\.\d+)(?:e[+-]?\d+)?$/i;

export function readFundamentals(
  file: string,
  given: Rows,
  taken: Map<string, string>,
): { readonly fundamentals: readonly GivenFundamental[]; readonly faults: readonly Fault[] } {
  const sheet = new Sheet(file, given, { columns: FUNDAMENTAL_COLUMNS, needed: NEEDED });
  if (!sheet.isReadable) return { fundamentals: [], faults: sheet.faults };
  const known = sheet.stamps('available_at', true);
  const periods = sheet.stamps('period_end', true);
  const fundamentals: GivenFundamental[] = [];
  for (let row = 0; row < sheet.length; row++) {
    const symbol = sheet.text(row, 'symbol').toUpperCase();
    const field = sheet.text(row, 'field');
    const written = sheet.text(row, 'value');
    const value = NUMBER.test(written) ? Number(written) : Number.NaN;
    if (symbol === '') sheet.report(row, 'the symbol is empty');
    if (field === '') sheet.report(row, 'the field is empty');
    if (written === '') sheet.report(row, 'the value is empty');
    else if (!Number.isFinite(value))
      sheet.report(row, `value "${written.slice(0, 40)}" is not a finite number`);
    const [stamp, period] = [known[row], periods[row]];
    if (stamp === undefined || period === undefined) continue;
    if (stamp.instant < period.instant)
      sheet.report(row, 'available_at is before period_end: nobody knew it before the period was over');
    const key = `${symbol}\n${field}\n${period.instant}\n${stamp.instant}`;
    const before = taken.get(key);
    if (before !== undefined)
      sheet.report(
        row,
        `repeats the period_end and the available_at of ${before}`,
        'a restatement needs its own, different available_at',
      );
    taken.set(key, sheet.where(row));
    fundamentals.push({ symbol, field, periodEnd: period.instant, known: stamp, value });
  }
  return { fundamentals, faults: sheet.sorted() };
}

/** Period in which a symbol is tradable, as a row in code. */
export interface UniverseRow {
  readonly symbol: string;
  /** First day, as text or milliseconds since 1970. Omit for a period without a start. */
  readonly from?: string | number | null;
  /** Last day, included in the period. Omit for a period without an end. */
  readonly to?: string | number | null;
}

const UNIVERSE_COLUMNS = {
  symbol: ['symbol', 'ticker'],
  from: ['from', 'start'],
  to: ['to', 'end'],
} as const;

export const UNIVERSE_HINT =
  'Write for example LEH,2000-01-03,2008-09-15 under symbol,from,to: the first and the last day of trading. An empty field means no limit. A symbol that left and returned has one line per period.';

export function readUniverse(
  file: string,
  given: Rows,
): { readonly universe: readonly Membership[]; readonly faults: readonly Fault[] } {
  const sheet = new Sheet(file, given, { columns: UNIVERSE_COLUMNS, needed: ['symbol'] });
  if (!sheet.isReadable) return { universe: [], faults: sheet.faults };
  const from = sheet.stamps('from', false);
  const to = sheet.stamps('to', false);
  const found: (Membership & { readonly row: number })[] = [];
  for (let row = 0; row < sheet.length; row++) {
    const symbol = sheet.text(row, 'symbol').toUpperCase();
    if (symbol === '') sheet.report(row, 'the symbol is empty');
    const [first, last] = [from[row], to[row]];
    // A date that is not empty but `undefined` is invalid and has already been reported.
    if (first === undefined && sheet.text(row, 'from') !== '') continue;
    if (last === undefined && sheet.text(row, 'to') !== '') continue;
    // `until` is the first instant at which the symbol is no longer tradable. If `to` is a date, the symbol
    // is still tradable on that day.
    const until = last === undefined ? null : last.wholeDay ? last.instant + DAY : last.instant;
    if (first !== undefined && until !== null && until <= first.instant) {
      sheet.report(row, 'its to is before its from');
      continue;
    }
    found.push({ symbol, from: first?.instant ?? null, until, row });
  }
  const bySymbol = new Map<string, (typeof found)[number][]>();
  for (const one of found) {
    const others = bySymbol.get(one.symbol) ?? [];
    const other = others.find((before) => overlaps(before, one));
    if (other !== undefined) sheet.report(one.row, `overlaps with ${sheet.where(other.row)}`);
    bySymbol.set(one.symbol, [...others, one]);
  }
  return { universe: found.map(({ row: _, ...membership }) => membership), faults: sheet.sorted() };
}

function overlaps(one: Membership, other: Membership): boolean {
  const before = (until: Instant | null, from: Instant | null): boolean =>
    until !== null && from !== null && until <= from;
  return !before(one.until, other.from) && !before(other.until, one.from);
}
