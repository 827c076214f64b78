import { describe, expect, it } from 'vitest';
import { runRecord } from '../../../test/support/records.ts';
import { tradesTable } from './trades.ts';

describe('the table of trades', () => {
  it('has the same decimals in every row of a column', () => {
    const trade = { netPnl: '1', quantity: '2', entryPrice: '999.5', exitPrice: '1000' };
    const record = runRecord({
      equity: [1, 1],
      trades: [trade, { ...trade, quantity: '1.25', entryPrice: '1234.56789', exitPrice: '7' }],
    });
    const { text } = tradesTable(record);
    for (const cell of ['999.5000', '1,000.0000', '1,234.5679', '7.0000', '2.00', '1.25'])
      expect(text).toContain(`>${cell}</td>`);
  });
});
