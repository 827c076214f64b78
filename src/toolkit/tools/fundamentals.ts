import { z } from 'zod';
import { publishedData } from '../../engine/index.ts';
import { formatInstant } from '../../kernel/index.ts';
import { notGiven } from '../recent-events.ts';
import { defineTool, failure, shown, unknownSymbol } from '../tool.ts';

/** Maximum number of periods per call. */
const MOST_PERIODS = 100;
/** Maximum number of fields named in one answer. */
const MOST_FIELDS = 100;

export const fundamentals = defineTool({
  name: 'fundamentals',
  description: `Published figures of a symbol by period, as known at the current bar: revenue, earnings per share …
A figure is visible from its publication. A restated figure replaces the earlier one when it is published.

  field      the figure, such as revenue (default: names of all known fields)
  symbol     default: the first symbol
  periods    number of the newest periods, 1 to ${MOST_PERIODS} (default 4)
  vintages   true for all published versions of these figures (default false)

The answer is {symbol, field, rows: [{period_end, available_at, value}, …]}, oldest period first.

Examples: {"field": "revenue"}   {"symbol": "AAPL", "field": "eps", "periods": 8, "vintages": true}   {}`,
  parameters: z.strictObject({
    field: z.string().optional().describe('The figure (default: names of all known fields)'),
    symbol: z.string().optional().describe('The symbol (default: the first)'),
    periods: z.number().int().min(1).max(MOST_PERIODS).default(4).describe('Number of the newest periods'),
    vintages: z.boolean().default(false).describe('If true, restated figures are included'),
  }),
  example: { field: 'revenue', periods: 4 },
  writes: false,
  optIn: true,
  needs: 'fundamentals',
  handle({ field, symbol: named, periods, vintages }, { turn }) {
    const { fundamentals: book } = publishedData(turn);
    if (book === undefined) return notGiven('fundamentals', '--fundamentals');
    const unknown = unknownSymbol(named, turn, 'traded');
    if (unknown !== undefined) return unknown;
    const symbol = named ?? turn.window.symbol;
    const all = book.fieldsOf(symbol);
    const fields = all.slice(0, MOST_FIELDS);
    if (field === undefined)
      return {
        symbol,
        fields: [...fields],
        ...(all.length > fields.length ? { omitted: all.length - fields.length } : {}),
      };
    const rows = book.read(symbol, field, periods, { vintages });
    if (rows.length === 0)
      return failure(
        `No known figure ${JSON.stringify(shown(field))} of ${symbol}.`,
        fields.length === 0
          ? `No figures of ${symbol} are known yet.`
          : `Known figures of ${symbol}: ${fields.join(', ')}.`,
      );
    return {
      symbol,
      field,
      rows: rows.map(({ periodEnd, availableAt, value }) => ({
        period_end: formatInstant(periodEnd),
        available_at: formatInstant(availableAt),
        value,
      })),
    };
  },
});
