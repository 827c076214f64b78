import { describe, expect, it } from 'vitest';
import { type Candle, Exchange } from '../../../test/support/exchange.ts';
import { decimalString } from '../../kernel/index.ts';
import { brokerSettingsSchema } from './settings.ts';

const at = (price: number): Candle => [price, price, price, price, 1_000_000];
/**
 * Futures contract worth 50 dollars per index point, with a tick of 0.25 points. Initial margin 12,000 and
 * maintenance margin 11,000 dollars per contract.
 */
const ES = { multiplier: 50, tick: 0.25, tickValue: 12.5, margin: 12_000, maintenanceMargin: 11_000 };

function futures(prices: readonly number[], cash: string, more: object = {}): Exchange {
  return new Exchange({ ES: prices.map(at) }, { cash, instruments: { ES: { ...ES, ...more } } }).next();
}

describe('a margined contract', () => {
  it('costs only its commission, and its open profit belongs to the account', () => {
    const exchange = futures([4000, 4000, 4010], '30000', {
      commission: { model: 'per-share', perShare: 2.25 },
    });
    exchange.broker.buy(2);
    exchange.next();
    expect(decimalString(exchange.ledger.cash)).toBe('29995.5');
    exchange.next();
    const { marketValue, exposure, unrealisedPnl, averagePrice } = exchange.ledger.position('ES');
    expect([marketValue, exposure, unrealisedPnl, averagePrice].map(decimalString)).toEqual([
      '1000',
      '401000',
      '1000',
      '4000',
    ]);
    expect(decimalString(exchange.ledger.equity)).toBe('30995.5');
    expect(exchange.ledger.equityNumber).toBe(30_995.5);
  });

  it('pays its profit in cash when it is closed, part by part', () => {
    const exchange = futures([4000, 4000, 4010, 4010.25], '40000');
    exchange.broker.buy(3);
    exchange.next();
    exchange.broker.sell(1);
    exchange.next();
    expect(decimalString(exchange.ledger.cash)).toBe('40500');
    // Sells 3 contracts: the position changes from 2 long to 1 short.
    exchange.broker.sell(3);
    exchange.next();
    expect(decimalString(exchange.ledger.cash)).toBe('41525');
    expect(exchange.ledger.closedTrades.map(({ netPnl }) => decimalString(netPnl))).toEqual(['500', '1025']);
    expect(exchange.held).toEqual({ ES: '-1' });
  });

  it('can be bought up to the initial margin', () => {
    const exchange = futures([4000, 4000], '35999.99');
    const refused = exchange.broker.buy(3);
    expect(refused.accepted ? '' : refused.refusal.message + refused.refusal.remedy).toContain('At most 2');
    expect(futures([4000, 4000], '36000').broker.buy(3).accepted).toBe(true);
  });

  it('is liquidated below its maintenance margin, and not at exactly that margin', () => {
    // Two contracts require a maintenance margin of 22,000. A fall of 80 points reduces the equity from
    // 30,000 to exactly this amount. One tick more leads to the liquidation.
    const kept = (price: number): string[] => {
      const exchange = futures([4000, 4000, price, price], '30000');
      exchange.broker.buy(2);
      return exchange.next().next().next().fills;
    };
    expect(kept(3920)).toHaveLength(1);
    expect(kept(3919.75)).toEqual(['1 buy 2 ES @ 4000', '3 sell 2 ES @ 3919.75']);
  });

  it('is liquidated although the strategy cancels or replaces all its orders at each close', () => {
    const refused = { refusal: { code: 'forced_order' } };
    for (const change of ['cancel', 'replace'] as const) {
      const exchange = futures([4000, 4000, 3900, 3900], '30000');
      exchange.broker.buy(2, { stopLoss: 100 });
      exchange.next().next();
      const [stop, liquidation] = exchange.broker.pending();
      expect([stop?.role, liquidation?.role]).toEqual(['stop-loss', 'liquidation']);
      if (change === 'cancel') {
        expect(exchange.broker.cancel(stop!.id)).toEqual({ cancelled: true });
        expect(exchange.broker.cancel(liquidation!.id)).toMatchObject({ cancelled: false, ...refused });
      } else expect(exchange.broker.replace(liquidation!.id, { quantity: 1 })).toMatchObject(refused);
      expect(exchange.next().fills.at(-1)).toBe('3 sell 2 ES @ 3900');
    }
  });

  it('is sized by its whole notional, which may be a multiple of the equity', () => {
    const exchange = futures([4000, 4000], '100000');
    exchange.broker.submit({ action: 'buy', equityFraction: 4 });
    expect(exchange.next().fills).toEqual(['1 buy 2 ES @ 4000']);
    // 4 × 100,000 buys 2 contracts of 200,000. Buying power is enough for 8.
    const within = futures([4000, 4000], '100000').broker.submit({ action: 'buy', equityFraction: 4 });
    expect('cut' in within && within.cut).toBeUndefined();
    const most = futures([4000, 4000], '100000').broker.submit({ action: 'buy', equityFraction: 17 });
    expect(most.accepted ? '' : most.refusal.message).toContain('above the leverage of 16.6666');
  });
});

describe('a contract that is paid in full', () => {
  it('costs quantity × price × multiplier, and pays its commission on it', () => {
    const exchange = new Exchange(
      { OPT: [at(2.5), at(2.5), at(3)] },
      { cash: '1000', commissionRate: 0.01, instruments: { OPT: { multiplier: 100 } } },
    ).next();
    expect(exchange.broker.buy(4).accepted).toBe(false);
    exchange.broker.buy(3);
    exchange.next();
    expect(decimalString(exchange.ledger.cash)).toBe('242.5');
    expect(decimalString(exchange.next().ledger.equity)).toBe('1142.5');
  });

  it('has separate leverage', () => {
    const exchange = new Exchange(
      { A: [at(10), at(10)], B: [at(10), at(10)] },
      { cash: '1000', instruments: { A: { leverage: 6 } } },
    ).next();
    expect(exchange.broker.buy(601, { symbol: 'A' }).accepted).toBe(false);
    expect(exchange.broker.buy(600, { symbol: 'A' }).accepted).toBe(true);
    expect(exchange.broker.buy(1, { symbol: 'B' }).accepted).toBe(false);
  });
});

describe('contradictory instrument terms', () => {
  it.each([
    [{ tickValue: 12.5 }, 'requires tick'],
    [{ tick: 0.25, tickValue: 12.5, multiplier: 51 }, 'is 12.5, but tick × multiplier is 0.25 × 51 = 12.75'],
    [{ tick: 0.3, tickValue: 1 }, '1 / 0.3 has more than 12 decimal places. Use multiplier'],
    [{ multiplier: 0 }, 'expected number to be >='],
    [{ multiplier: -50 }, 'expected number to be >='],
    [{ margin: 100, maintenanceMargin: 101 }, 'is 101, above the margin of 100'],
    [{ margin: 0 }, 'must be above 0'],
    [{ maintenanceMargin: 10 }, 'needs margin'],
    [
      { firstTrade: '2024-03-01', expiry: '2024-02-29' },
      'is 2024-02-29, before the first trade on 2024-03-01',
    ],
    [{ expiry: '2024-02-30' }, 'is not a date such as 2024-03-15'],
    [{ hours: '9-17' }, 'must be hours such as 09:30-16:00'],
    [{ timezone: 'Europe/Berlin' }, 'requires hours'],
    [{ margin: 100, leverage: 2 }, 'cannot be combined with margin'],
    [{ margin: 100, borrowRate: 0.02 }, 'does not apply to instruments with margin'],
  ])('%j', (own, message) => {
    expect(brokerSettingsSchema.safeParse({ instruments: { A: own } }).error?.message).toContain(message);
  });

  it('are not reported if multiplier and tick value agree, also as fractions', () => {
    const { instruments } = brokerSettingsSchema.parse({ instruments: { A: { ...ES, multiplier: 50 } } });
    expect(instruments.A?.multiplier).toBe(50);
    expect(brokerSettingsSchema.safeParse({ instruments: { A: { multiplier: 0.1 } } }).success).toBe(true);
  });
});
