import { sqlText } from './database.ts';

/**
 * Returns the delimiter of a table: the character out of comma, tab, semicolon and `|` that occurs most often
 * in the header.
 */
export function delimiterOf(header: string): string {
  const counts = [',', '\t', ';', '|'].map((delimiter) => ({
    delimiter,
    count: header.split(delimiter).length,
  }));
  return counts.reduce((best, next) => (next.count > best.count ? next : best)).delimiter;
}

/**
 * Returns two SQL expressions: the cells of `line`, and a condition that is true if a cell has an unclosed
 * quote.
 */
export function splitLine(delimiter: string): { readonly split: string; readonly isOpen: string } {
  // The regular expression is used only for lines with a quote. A cell with an unclosed quote is not changed,
  // so that the quote is reported.
  const mark = sqlText(delimiter);
  const cell = `[${delimiter}]( *"(?:[^"]|"")*"[^${delimiter}]*|[^${delimiter}]*)`;
  const unquoted = `CASE WHEN length(c) > 1 AND starts_with(c, '"') AND ends_with(c, '"')
    THEN replace(substring(c, 2, length(c) - 2), '""', '"') ELSE c END`;
  const parts = `[trim(q) FOR q IN regexp_extract_all(${mark} || line, ${sqlText(cell)}, 1)]`;
  const closed = sqlText('"(?:[^"]|"")*"');
  return {
    split: `CASE WHEN contains(line, '"') THEN [${unquoted} FOR c IN ${parts}] ELSE string_split(line, ${mark}) END`,
    isOpen: `contains(line, '"') AND
      len([c FOR c IN ${parts} IF starts_with(c, '"') AND NOT regexp_full_match(c, ${closed})]) > 0`,
  };
}
