import { describe, expect, it } from 'vitest';
import { type Candle, Exchange } from '../../../test/support/exchange.ts';
import type { BrokerSettings } from './settings.ts';

const volume = (units: number): Candle => [100, 100, 100, 100, units];
/**
 * Returns three fills of 10, 10 and 5 units of one order for 25 units. Each fill is limited to a tenth of the
 * bar's volume.
 */
function threeFills(settings: ConstructorParameters<typeof Exchange>[1], units = 25): string[] {
  const exchange = new Exchange(
    { A: [volume(100), volume(100), volume(100), volume(100), volume(100)] },
    { participation: 0.1, ...settings },
  );
  exchange.next().broker.buy(units);
  return exchange
    .next()
    .next()
    .next()
    .fills.map((fill) => fill.replace(/^\d+ buy (\d+) A @ 100/, '$1'));
}

describe('the fee of an order that fills in several parts', () => {
  it('is charged once if fixed', () => {
    expect(threeFills({ commission: { model: 'fixed', amount: 7 } })).toEqual(['10 + 7', '10', '5']);
  });

  it('applies the minimum once, and grows with the shares above it', () => {
    // The commission of the order is 25 × 0.1 = 2.50 in total. The minimum of 1.50 equals the commission of
    // the first 15 units.
    const commission = { model: 'per-share', perShare: 0.1, minimum: 1.5 } as const;
    expect(threeFills({ commission })).toEqual(['10 + 1.5', '10 + 0.5', '5 + 0.5']);
  });

  it('is limited by the notional of the order', () => {
    // The maximum of 0.1 % limits the order's commission to 1, 2 and 2.50 after fills with a total notional
    // of 1,000, 2,000 and 2,500. The minimum of 2.20 therefore applies only after the third fill.
    const commission = { model: 'per-share', perShare: 0, minimum: 2.2, maximumRate: 0.001 } as const;
    expect(threeFills({ commission })).toEqual(['10 + 1', '10 + 1', '5 + 0.2']);
  });

  it('uses the tier at the start of the order for the whole order', () => {
    const commission: BrokerSettings['commission'] = {
      model: 'tiered',
      tiers: [
        { from: 0, rate: 0.01 },
        { from: 2_000, rate: 0.001 },
      ],
    };
    expect(threeFills({ commission })).toEqual(['10 + 10', '10 + 10', '5 + 5']);
    const exchange = new Exchange({ A: [volume(1e6), volume(1e6), volume(1e6)] }, { commission });
    exchange.next().broker.buy(20);
    exchange.next().broker.buy(10);
    expect(exchange.next().fills).toEqual(['1 buy 20 A @ 100 + 20', '2 buy 10 A @ 100 + 1']);
  });

  it('is the same as for one fill, and starts again with the next order', () => {
    const commission = { model: 'fixed', amount: 7 } as const;
    const exchange = new Exchange({ A: [volume(1e6), volume(1e6), volume(1e6)] }, { commission });
    exchange.next().broker.buy(10);
    exchange.next().broker.buy(10);
    expect(exchange.next().fills).toEqual(['1 buy 10 A @ 100 + 7', '2 buy 10 A @ 100 + 7']);
  });
});

describe('buying power', () => {
  it('includes the commission multiplied by the leverage', () => {
    // The maximum notional of 400 (100 × 4) is reduced by the leverage times the commission: 400 − 4 × 10 =
    // 360.
    const settings = { cash: '100', leverage: 4, commission: { model: 'fixed', amount: 10 } } as const;
    const exchange = new Exchange({ A: [volume(1e6), volume(1e6)] }, { ...settings, lot: 0.1 });
    exchange.next().broker.submit({ action: 'buy', equityFraction: 4 });
    expect(exchange.next().fills).toEqual(['1 buy 3.6 A @ 100 + 10']);
    const byRate = new Exchange(
      { A: [volume(1e6), volume(1e6)] },
      { cash: '100', leverage: 4, commissionRate: 0.05, lot: 0.1 },
    );
    byRate.next().broker.submit({ action: 'buy', equityFraction: 4 });
    // Margin plus commission of 3.3 units: 100 × 3.3 / 4 + 100 × 3.3 × 0.05 = 99, within the cash of 100. One
    // more lot would need 102.
    expect(byRate.next().fills).toEqual(['1 buy 3.3 A @ 100 + 16.5']);
  });
});

describe('a stop-limit', () => {
  const commission = { model: 'maker-taker', maker: 0.001, taker: 0.01 } as const;

  it('pays the maker fee at its limit inside a bar, and the taker fee at an open', () => {
    const resting = new Exchange(
      {
        A: [
          [100, 100, 100, 100],
          [100, 106, 100, 106],
          [106, 107, 103, 104],
        ],
      },
      { commission },
    );
    resting.next().broker.buy(10, { type: 'stop_limit', stopPrice: 105, limitPrice: 104 });
    expect(resting.next().next().fills).toEqual(['2 buy 10 A @ 104 + 1.04']);
    const gap = new Exchange(
      {
        A: [
          [100, 100, 100, 100],
          [106, 108, 105, 107],
        ],
      },
      { commission },
    );
    gap.next().broker.buy(10, { type: 'stop_limit', stopPrice: 105, limitPrice: 107 });
    expect(gap.next().fills).toEqual(['1 buy 10 A @ 106 + 10.6']);
  });
});

describe('a tick coarser than the data', () => {
  const fillsOf = (
    open: number,
    low: number,
    high: number,
    action: 'buy' | 'sell',
    slippageBps = 0,
  ): string[] => {
    const exchange = new Exchange(
      {
        A: [
          [10, 10, 10, 10],
          [open, high, low, open],
        ],
      },
      { tick: 0.25, slippageBps },
    );
    exchange.next().broker.submit({ action, quantity: 1 });
    return exchange.next().fills.map((fill) => fill.slice(fill.indexOf('@') + 2));
  };

  it('rounds against the trader, inside the bar', () => {
    expect(fillsOf(10.1, 9.9, 10.4, 'buy')).toEqual(['10.25']);
    expect(fillsOf(10.1, 9.9, 10.4, 'sell')).toEqual(['10']);
  });

  it('rounds in the other direction if only that price is inside the bar', () => {
    expect(fillsOf(10.1, 9.9, 10.2, 'buy')).toEqual(['10']);
    expect(fillsOf(10.2, 10.1, 10.4, 'sell')).toEqual(['10.25']);
    expect(fillsOf(10.1, 9.9, 10.2, 'buy', 500)).toEqual(['10']);
  });

  it('applies to limits that fill at the open too', () => {
    const exchange = new Exchange(
      {
        A: [
          [10, 10, 10, 10],
          [10.1, 10.6, 9.9, 10.5],
        ],
      },
      { tick: 0.25 },
    );
    exchange.next().broker.buy(1, { type: 'limit', limitPrice: 10.5 });
    expect(exchange.next().fills).toEqual(['1 buy 1 A @ 10.25']);
  });
});
