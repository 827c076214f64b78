import { describe, expect, it } from 'vitest';
import type { EventOf } from '../../../journal/index.ts';
import { reducedOrdersOf } from './summary.ts';

const fill = (orderId: number, requestedQuantity?: string): EventOf<'order_filled'> => ({
  type: 'order_filled',
  bar: 1,
  orderId,
  symbol: 'A',
  side: 'buy',
  quantity: '1',
  price: '1',
  priceBeforeSlippage: '1',
  commission: '0',
  cash: '0',
  ...(requestedQuantity === undefined ? {} : { requestedQuantity }),
});

describe('orders reduced to the buying power', () => {
  it('count once for any number of reduced fills', () => {
    expect(reducedOrdersOf({ fills: [fill(5, '186'), fill(5, '124'), fill(5), fill(6), fill(7, '3')] })).toBe(
      2,
    );
  });
});
