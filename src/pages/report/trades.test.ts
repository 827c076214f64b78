import { describe, expect, it } from 'vitest';
import { runRecord } from '../../../test/support/records.ts';
import { type RowColumns, rowsOfColumns } from './trade-row.ts';
import { tradesPart } from './trades.ts';

describe('the table of trades', () => {
  it('has the same decimals in every row of a column', () => {
    const trade = { netPnl: '1', quantity: '2', entryPrice: '999.5', exitPrice: '1000' };
    const record = runRecord({
      equity: [1, 1],
      trades: [trade, { ...trade, quantity: '1.25', entryPrice: '1234.56789', exitPrice: '7' }],
    });
    const { text } = tradesPart(record).table;
    for (const cell of ['999.5000', '1,000.0000', '1,234.5679', '7.0000', '2.00', '1.25'])
      expect(text).toContain(`>${cell}</td>`);
  });

  it('carries the rows beyond the first hundred in columns, which make the same rows', () => {
    const trade = { netPnl: '-1234.565', quantity: '2.5', entryPrice: '999.5', exitPrice: '1000' };
    const own = Array.from({ length: 130 }, (_, at) => ({ ...trade, quantity: `${at}.25` }));
    const few = tradesPart(runRecord({ equity: [1, 1], trades: own.slice(0, 100) }));
    const many = tradesPart(runRecord({ equity: [1, 1], trades: own }));
    expect(few.rest).toBeNull();
    const columns = many.rest!;
    expect(columns.id).toHaveLength(30);
    const rows = rowsOfColumns(JSON.parse(JSON.stringify(columns)) as RowColumns);
    expect(rows.match(/<tr /g)).toHaveLength(30);
    expect(rows).toContain('<td data-sort="129.25">129.25</td>');
    expect(rows).toContain('<td data-sort="-1234.565" class="loss">−1,234.56</td>');
    expect(
      rowsOfColumns({
        ...columns,
        words: columns.words.map((word) => `<b>${word}`),
        places: Object.fromEntries(
          Object.entries(columns.places).map(([name, places]) => [`<b>${name}`, places]),
        ),
      }),
    ).not.toContain('<b>');
  });
});
