import { describe, expect, it } from 'vitest';
import { Exchange, flat } from '../../test/support/exchange.ts';

const target = (exchange: Exchange, targetFraction: number, type?: 'market_on_close'): void => {
  exchange.broker.submit({ action: 'target', targetFraction, ...(type === undefined ? {} : { type }) });
};

const cancelCodes = ({ events }: Exchange): string[] =>
  events.flatMap((event) => (event.type === 'order_cancelled' ? [`${event.bar} ${event.code}`] : []));

describe('a target fraction', () => {
  it.each([0.5, -0.5])('of %d does not trade again once it is reached, with any slippage', (fraction) => {
    const exchange = new Exchange(
      { A: flat(100, 5).map(() => [100, 110, 90, 100]) },
      { slippageBps: 100, cash: '1000000' },
    );
    exchange.next();
    target(exchange, fraction);
    exchange.next();
    const [first] = exchange.fills;
    expect(first).toBe(`1 ${fraction > 0 ? 'buy' : 'sell'} 5000 A @ ${fraction > 0 ? 101 : 99}`);
    target(exchange, fraction);
    exchange.next();
    // Slippage reduced equity by 5,000, so the target is now 4,975 units at the price before slippage.
    expect(exchange.fills[1]).toBe(`2 ${fraction > 0 ? 'sell' : 'buy'} 25 A @ ${fraction > 0 ? 99 : 101}`);
    target(exchange, fraction);
    exchange.next();
    expect(exchange.fills).toHaveLength(2);
    expect(cancelCodes(exchange)).toEqual(['3 at_target']);
  });

  it('is reached within one lot, on either side', () => {
    for (const fraction of [0.505, 0.495, 0.5]) {
      const exchange = new Exchange({ A: flat(100, 4) }).next();
      exchange.broker.buy(50);
      exchange.next();
      target(exchange, fraction);
      exchange.next();
      expect(exchange.held).toEqual({ A: '50' });
      expect(cancelCodes(exchange)).toEqual(['2 at_target']);
    }
  });

  it('trades at exactly one lot away', () => {
    const exchange = new Exchange({ A: flat(100, 4) }).next();
    exchange.broker.buy(50);
    exchange.next();
    target(exchange, 0.49);
    exchange.next();
    expect(exchange.held).toEqual({ A: '49' });
  });

  it('does not trade if slippage alone leaves a large position short of it', () => {
    const candles = flat(100, 4).map(() => [100, 110, 90, 100] as const);
    const exchange = new Exchange({ A: candles }, { slippageBps: 10, cash: '1000000' }).next();
    exchange.broker.sell(5_000);
    exchange.next();
    // The target is 4,999.9 units at the price of 100, less than a lot away from the position. At the price
    // after slippage, the target would be 4,994.9 units.
    target(exchange, -0.50024);
    exchange.next();
    expect(exchange.fills).toHaveLength(1);
    expect(cancelCodes(exchange)).toEqual(['2 at_target']);
  });

  it('of 1 fills up to the buying power, and records the requested size', () => {
    const candles = flat(100, 3).map(() => [100, 110, 90, 100] as const);
    const exchange = new Exchange({ A: candles }, { slippageBps: 100, commissionRate: 0.001 }).next();
    target(exchange, 1);
    exchange.next();
    expect(exchange.events.find(({ type }) => type === 'order_filled')).toMatchObject({
      quantity: '98',
      requestedQuantity: '100',
    });
    target(exchange, 1);
    exchange.next();
    expect(exchange.fills).toHaveLength(1);
  });

  it('for the close uses side and size at the close, not at the open', () => {
    const exchange = new Exchange({
      A: [
        [100, 100, 100, 100],
        [100, 100, 100, 100],
        [100, 125, 100, 125],
      ],
    }).next();
    exchange.broker.buy(50);
    exchange.next();
    // Equity is computed with the positions valued at the open. Half of this equity is worth 40 units at the
    // close.
    target(exchange, 0.5, 'market_on_close');
    exchange.next();
    expect(exchange.fills[1]).toBe('2 sell 10 A @ 125');
  });
});
