import type { Fault } from '../../kernel/index.ts';
import { type Rows, Sheet } from '../sheet.ts';
import type { GivenDocument } from './tables.ts';

/** Document written in code. */
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

const COLUMNS = {
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

/** Maximum length of an id. A model must repeat ids exactly. */
const LONGEST_ID = 200;

/** @param taken ids of other files with their places. The ids of this file are added */
export function readDocuments(
  file: string,
  given: Rows,
  taken: Map<string, string>,
): { readonly documents: readonly GivenDocument[]; readonly faults: readonly Fault[] } {
  const sheet = new Sheet(file, given, { columns: COLUMNS, needed: ['id', 'available_at'] });
  if (!sheet.has('title') && !sheet.has('text'))
    sheet.faults.push({ where: file, message: `no column "title" or "text"` });
  if (!sheet.isReadable) return { documents: [], faults: sheet.faults };
  const known = sheet.stamps('available_at', true);
  const documents: GivenDocument[] = [];
  for (let row = 0; row < sheet.length; row++) {
    const where = sheet.where(row);
    const id = sheet.text(row, 'id');
    const [title, text] = [sheet.text(row, 'title'), sheet.cell(row, 'text')];
    if (id === '') sheet.report(row, 'the id is empty');
    else if (id.length > LONGEST_ID) sheet.report(row, `the id has more than ${LONGEST_ID} characters`);
    const before = taken.get(id);
    if (id !== '' && before !== undefined)
      sheet.report(row, `repeats the id ${id} of ${before}`, 'a correction needs a different id');
    taken.set(id, where);
    if (title === '' && text.trim() === '') sheet.report(row, 'has neither a title nor a text');
    const stamp = known[row];
    if (stamp === undefined) continue;
    const symbols = [
      ...new Set([...symbolsIn(sheet.cell(row, 'symbol')), ...symbolsIn(sheet.cell(row, 'symbols'))]),
    ];
    const [source, kind] = [sheet.text(row, 'source'), sheet.text(row, 'kind')];
    documents.push({ id, known: stamp, symbols, source, kind, title, text, where });
  }
  return { documents, faults: sheet.sorted() };
}

/** Reads a cell of symbols: a list from JSON or Parquet, or symbols separated by commas or semicolons. */
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
