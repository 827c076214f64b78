import type { RunRecord } from '../../../journal/index.ts';
import { drawdownCurve, equityColumns } from '../../analysis/index.ts';
import { columnsOf, type RunTable, runTable } from './run-tables.ts';

/**
 * Returns `equity.csv`: one row per bar. Drawdown and exposure are fractions. Exposure is empty if equity is
 * not positive.
 */
export function equityCsv(record: RunRecord): string {
  return [...equityCsvPieces(record)].join('');
}

/** Number of bars per text that `equityCsvPieces` yields. */
const PIECE = 1_000;

/** Yields the text of `equity.csv` in pieces, because the whole text of a long run would need much memory. */
export function* equityCsvPieces(record: RunRecord): Iterable<string> {
  const drawdowns = drawdownCurve(equityColumns(record));
  const { bars } = record;
  yield csvText([columnsOf('equity').map(([name]) => name)]);
  for (let from = 0; from < bars.length; from += PIECE) {
    let text = '';
    for (let place = from; place < Math.min(from + PIECE, bars.length); place++) {
      const { bar, date, cash, equity, exposure } = bars[place]!;
      text += `${bar},${quoted(date)},${cash},${equity},${drawdowns[place]},${exposure ?? ''}\n`;
    }
    yield text;
  }
}

/**
 * Returns `trades.csv`: one row per closed trade, then one row per open trade. Open trades have no exit and
 * are valued at the last close.
 */
export function tradesCsv(record: RunRecord): string {
  return tableCsv(runTable(record, 'trades'));
}

/**
 * Formats a table of a run as CSV. Decimals and dates are in the format of the journal; missing values are
 * empty.
 */
export function tableCsv({ columns, rows }: RunTable): string {
  const texts = columns.map(([, type]) => type === 'text');
  const cells = rows.map((row) =>
    row.map((cell, index) => (texts[index] === true ? textCell(String(cell ?? '')) : String(cell ?? ''))),
  );
  return csvText([columns.map(([name]) => name), ...cells]);
}

// Matches cells that a spreadsheet would run as a formula (OWASP, "CSV Injection"). `textCell` adds a leading
// quote to such a cell, so that spreadsheets read it as text.
const FORMULA = /^[\s\0]*[=+\-@\uff1d\uff0b\uff0d\uff20]|^[\t\r]/;

function textCell(text: string): string {
  return FORMULA.test(text) ? `'${text}` : text;
}

/** Formats rows with the quoting of RFC 4180. Lines end with a line feed, as in the other files of a run. */
export function csvText(rows: readonly (readonly (string | number)[])[]): string {
  return rows.map((row) => `${row.map(quoted).join(',')}\n`).join('');
}

function quoted(cell: string | number): string {
  const text = String(cell);
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
