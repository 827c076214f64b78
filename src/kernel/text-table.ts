import { columnsOf, padEnd, padStart, paint, printable, shorten, type TextStyle } from './terminal-text.ts';

const GAP = 2;
/** Matches a formatted number or an interval of two numbers. Matching cells are aligned to the right. */
const FIGURE = /^(?:[<+−-]?[\d,]+(?:\.\d+)?(?:%| pp)?|\[.*\]|–)$/;
/** Columns. Wide enough for the name of a run. */
const WIDEST_CELL = 64;

/**
 * Formats rows as a table for a terminal. Numbers are aligned to the right. Long texts and lines wider than
 * the terminal are shortened.
 */
export function textTable(
  head: readonly string[],
  rows: readonly (readonly (string | number | boolean | null)[])[],
  style: TextStyle,
): string {
  const texts = rows.map((row) =>
    row.map((value) => shorten(printable(String(value ?? '–'), style), WIDEST_CELL, style)),
  );
  const names = head.map((name) => shorten(printable(name, style), WIDEST_CELL, style));
  const widths = names.map((name, column) =>
    texts.reduce((widest, row) => Math.max(widest, columnsOf(row[column] ?? '')), columnsOf(name)),
  );
  const numeric = names.map((_, column) =>
    rows.every((row) => {
      const value = row[column] ?? null;
      return value === null || typeof value === 'number' || FIGURE.test(String(value));
    }),
  );
  const line = (cells: readonly string[]): string =>
    shorten(
      cells
        .map((cell, column) => (numeric[column] === true ? padStart : padEnd)(cell, widths[column]!))
        .join(' '.repeat(GAP))
        .trimEnd(),
      style.width,
      style,
    );
  const count = `${rows.length} ${rows.length === 1 ? 'row' : 'rows'}`;
  return [paint(line(names), 'bold', style), ...texts.map(line), paint(count, 'dim', style)].join('\n');
}
