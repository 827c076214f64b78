import { describe, expect, it } from 'vitest';
import { runRecord } from '../../../test/support/records.ts';
import { tradeFilter } from './client/trades-table.ts';
import { rowHtml, tradeCountText } from './model/tiles.ts';
import { tradesPart } from './trades.ts';

describe('the table of trades', () => {
  it('has the same decimal places in every row of a column', () => {
    const trade = { netPnl: '1', quantity: '2', entryPrice: '999.5', exitPrice: '1000' };
    const record = runRecord({
      equity: [1, 1],
      trades: [trade, { ...trade, quantity: '1.25', entryPrice: '1234.56789', exitPrice: '70' }],
    });
    const { text } = tradesPart(record).table;
    for (const cell of ['999.5000', '1,000.0000', '1,234.5679', '70.0000', '2.00', '1.25'])
      expect(text).toContain(`>${cell}</td>`);
  });

  it('shows a small price with the decimal places of the data', () => {
    const trade = { netPnl: '1', quantity: '2', entryPrice: '1.07213', exitPrice: '1.0722' };
    const { text } = tradesPart(runRecord({ equity: [1, 1], trades: [trade] })).table;
    expect(text).toContain('>1.07213</td>');
    expect(text).toContain('>1.07220</td>');
  });

  it('renders a hundred rows, and builds the others identically', () => {
    const trade = { netPnl: '-1234.565', quantity: '2.5', entryPrice: '999.5', exitPrice: '1000' };
    const own = Array.from({ length: 130 }, (_, at) => ({ ...trade, quantity: `${at}.25` }));
    const { table, rows, places } = tradesPart(runRecord({ equity: [1, 1], trades: own }));
    expect(table.text.match(/<tr data-trade/g)).toHaveLength(100);
    expect(rows).toHaveLength(130);
    const last = rowHtml(rows[129]!, '<b>', places[0]!).text;
    expect(last).toContain('<td class="not-phone">129.25</td>');
    expect(last).toMatch(/<td><span class="loss">−1,234\.5[67]<\/span><\/td>/);
    expect(last).not.toContain('<b>');
  });

  it('counts closed and open trades separately, each with its net profit', () => {
    const closed = { netPnl: '1.5', quantity: '2', entryPrice: '9', exitPrice: '10' };
    const { rows, table } = tradesPart(runRecord({ equity: [1, 1], trades: [closed, closed] }));
    expect(table.text).toContain('>2 closed trades, net of commission 3.00</output>');
    const open = { ...rows[1]!, exitTime: null, net: -4 };
    const all = [rows[0]!, open];
    expect(tradeCountText(all, all)).toBe(
      '1 closed trade, net of commission 1.50; 1 open, net of commission −4.00',
    );
    expect(tradeCountText([open], all)).toBe('0 of 1 closed trade; 1 open, net of commission −4.00');
  });

  it('is filtered by words and by common properties of trades', () => {
    const { rows } = tradesPart(
      runRecord({
        equity: [1, 1],
        symbols: ['AAA', 'BB'],
        trades: [
          { netPnl: '1', exitReason: 'crossed below' },
          { netPnl: '-1', symbol: 'BB', side: 'short', exitReason: 'a "stop"' },
        ],
      }),
    );
    const found = (text: string) => rows.filter(tradeFilter(text, ['AAA', 'BB'])).map(({ id }) => id);
    expect(found('')).toEqual([1, 2]);
    expect(found('crossed 2024')).toEqual([1]);
    expect(found('side:short')).toEqual([2]);
    expect(found('symbol:B')).toEqual([]);
    expect(found('reason:"crossed below" month:2024-01')).toEqual([1]);
    expect(found('reason:"a stop"')).toEqual([2]);
  });
});
