import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type Candle, Exchange, flat } from '../../../test/support/exchange.ts';
import type { OrderRequest } from '../orders/request.ts';
import { type BrokerSettings, brokerSettingsSchema, type RiskSettings } from './settings.ts';

const exchange = (
  risk: RiskSettings,
  settings: Partial<BrokerSettings> = {},
  bars: Candle[] = flat(100, 9),
) =>
  new Exchange({ A: bars, B: flat(50, bars.length), C: flat(20, bars.length) }, { risk, ...settings }).next();

describe('a risk limit', () => {
  it.each<[string, RiskSettings, OrderRequest, string, string]>([
    ['on the position', { maxPosition: 0.2 }, { action: 'buy', quantity: 21 }, 'risk_max_position', '20'],
    [
      'on gross exposure',
      { maxGrossExposure: 0.5 },
      { action: 'sell', quantity: 51 },
      'risk_gross_exposure',
      '50',
    ],
    ['on net exposure', { maxNetExposure: 0.3 }, { action: 'buy', quantity: 31 }, 'risk_net_exposure', '30'],
    [
      'on an order',
      { maxOrderNotional: 1_000 },
      { action: 'buy', quantity: 11 },
      'risk_order_notional',
      '10',
    ],
    [
      'on amounts of money',
      { maxPosition: 0.2 },
      { action: 'buy', notional: 3_000 },
      'risk_max_position',
      '20',
    ],
    [
      'on fractions of equity',
      { maxPosition: 0.2 },
      { action: 'buy', equityFraction: 0.5 },
      'risk_max_position',
      '20',
    ],
  ])('%s reports the largest order, which is accepted', (_, risk, request, code, largest) => {
    const { broker } = exchange(risk);
    const refused = broker.submit(request);
    expect(refused).toMatchObject({ accepted: false, refusal: { code, largestAccepted: largest } });
    expect(broker.submit({ action: request.action, quantity: largest }).accepted).toBe(true);
  });

  it('includes accepted orders that have not filled yet', () => {
    const { broker } = exchange({ maxGrossExposure: 0.5 });
    expect(broker.buy(30).accepted).toBe(true);
    expect(broker.buy(30, { symbol: 'B' })).toMatchObject({ accepted: true });
    expect(broker.buy(30, { symbol: 'C' })).toMatchObject({ refusal: { largestAccepted: '25' } });
  });

  it('is checked again at the fill', () => {
    const market = exchange({ maxPosition: 0.2 }, {}, [...flat(100, 1), [125, 125, 125, 125]]);
    market.broker.buy(20);
    market.next();
    expect(market.refusals).toEqual(['1 risk_max_position']);
    expect(market.lastRefusal).toContain('At most 16 would have filled.');
  });

  it('on open positions includes pending ones, and allows open ones to grow', () => {
    const { broker } = exchange({ maxOpenPositions: 1 });
    broker.buy(1);
    expect(broker.buy(1, { symbol: 'B' })).toMatchObject({ refusal: { code: 'risk_open_positions' } });
    expect(broker.buy(1).accepted).toBe(true);
  });

  it('never prevents closing', () => {
    const market = exchange({ maxPosition: 0.2, maxOrderNotional: 2_000, maxGrossExposure: 0.2 }, {}, [
      ...flat(100, 2),
      ...flat(300, 5),
    ]);
    market.broker.buy(20);
    market.next().next();
    expect(market.broker.sell(21)).toMatchObject({
      refusal: { code: 'risk_order_notional', largestAccepted: '20' },
    });
    expect(market.broker.sell(20).accepted).toBe(true);
  });

  it('reports a largest order of 0 below the minimum notional', () => {
    const instruments = { A: { minimumNotional: 1_500 } };
    const { broker } = exchange({ maxPosition: 0.1 }, { instruments });
    expect(broker.buy(15)).toMatchObject({ refusal: { code: 'risk_max_position', largestAccepted: '0' } });
  });
});

describe('a loss limit', () => {
  const losing: Candle[] = [...flat(100, 2), ...flat(80, 6)];

  it('per day stops opening until the next day, and is reported once', () => {
    const market = exchange({ maxDailyLoss: 0.1 }, {}, losing);
    market.broker.buy(80);
    market.next().next();
    expect(market.events.filter((event) => event.type === 'risk_halted')).toEqual([
      { type: 'risk_halted', bar: 2, code: 'risk_daily_loss', limit: 0.1, from: '10000', equity: '8400' },
    ]);
    expect(market.broker.buy(1)).toMatchObject({
      refusal: { code: 'risk_daily_loss', largestAccepted: '0' },
    });
    expect(market.broker.sell(80).accepted).toBe(true);
    market.next();
    expect(market.broker.buy(1).accepted).toBe(true);
  });

  it('from the peak stops opening permanently', () => {
    const market = exchange({ maxDrawdown: 0.1 }, {}, losing);
    market.broker.buy(80);
    market.next().next().next();
    expect(market.broker.buy(1)).toMatchObject({ refusal: { code: 'risk_drawdown' } });
    expect(market.held).toEqual({ A: '80' });
  });

  it('from the peak closes everything at the next open if configured', () => {
    const market = exchange({ maxDrawdown: 0.1, flattenOnHalt: true }, {}, losing);
    market.broker.buy(80, { stopLoss: 10 });
    market.broker.buy(1, { type: 'limit', limitPrice: 5 });
    market.next().next().next();
    expect(market.fills.at(-1)).toBe('3 sell 80 A @ 80');
    expect(market.broker.pending()).toEqual([]);
    market.next();
    expect(market.held).toEqual({});
  });

  it('from the peak closes everything although the strategy cancels all its orders', () => {
    const market = exchange({ maxDrawdown: 0.1, flattenOnHalt: true }, {}, losing);
    market.broker.buy(80);
    for (let bar = 0; bar < 4; bar++) {
      market.next();
      for (const { id } of market.broker.pending()) market.broker.cancel(id);
    }
    expect(market.held).toEqual({});
  });

  it('blocks a symbol for the configured number of bars', () => {
    const market = exchange({ cooldownBars: 2 }, {}, losing);
    market.broker.buy(10);
    market.next();
    market.broker.close();
    market.next();
    expect(market.fills.at(-1)).toBe('2 sell 10 A @ 80');
    const answers = [2, 3, 4].map(() => {
      const { accepted } = market.broker.buy(1);
      market.next();
      return accepted;
    });
    expect(answers).toEqual([false, false, true]);
    expect(market.fills.at(-1)).toBe('5 buy 1 A @ 80');
    expect(market.broker.buy(1, { symbol: 'B' }).accepted).toBe(true);
  });
});

const share = fc.double({ min: 0.01, max: 2, noNaN: true });
const limits = fc.record(
  {
    maxPosition: share,
    maxGrossExposure: share,
    maxNetExposure: share,
    maxOrderNotional: fc.double({ min: 1, max: 20_000, noNaN: true }),
    maxOpenPositions: fc.integer({ min: 1, max: 3 }),
  },
  { requiredKeys: [] },
);
const order = fc.record({
  symbol: fc.constantFrom('A', 'B', 'C'),
  action: fc.constantFrom('buy' as const, 'sell' as const),
  lots: fc.integer({ min: 1, max: 3_000 }),
  limit: fc.option(fc.integer({ min: 10, max: 200 }), { nil: undefined }),
});

describe('the largest order that a rejection reports', () => {
  it('is accepted, and one more lot is not, for any limits, costs and positions', () => {
    let named = 0;
    fc.assert(
      fc.property(
        limits,
        fc.array(order, { minLength: 1, maxLength: 6 }),
        fc.constantFrom(1, 3),
        fc.constantFrom(1, 0.1, 7),
        fc.constantFrom(0, 2_000),
        fc.constantFrom(0, 0.002),
        (risk, orders, leverage, lot, minimumNotional, commissionRate) => {
          const instruments = { A: { minimumNotional } };
          const market = exchange(risk, { leverage, lot, instruments, commissionRate });
          for (const { symbol, action, lots, limit } of orders) {
            const type = limit === undefined ? {} : ({ type: 'limit', limitPrice: limit } as const);
            const unitsOf = (count: number): string => (count * lot).toFixed(1);
            const receipt = market.broker.submit({ symbol, action, quantity: unitsOf(lots), ...type });
            if (!receipt.accepted && Number(receipt.refusal.largestAccepted ?? 0) > 0) {
              named += 1;
              const largest = receipt.refusal.largestAccepted!;
              const more = unitsOf(Math.round(Number(largest) / lot) + 1);
              if (receipt.refusal.code !== 'below_minimum_notional')
                expect(market.broker.submit({ symbol, action, quantity: more, ...type }).accepted).toBe(
                  false,
                );
              const again = market.broker.submit({ symbol, action, quantity: largest, ...type });
              expect(again, `${JSON.stringify(receipt)} ${JSON.stringify(again)}`).toMatchObject({
                accepted: true,
              });
            }
            market.next();
          }
        },
      ),
      { numRuns: 400 },
    );
    expect(named).toBeGreaterThan(200);
  });
});

describe('a limit exceeded only by rounding', () => {
  it('accepts the order and reports it as the largest', () => {
    const market = exchange({ maxNetExposure: 0.534_999_999_999_464_9 }, {});
    const receipt = market.broker.submit({ symbol: 'B', action: 'buy', quantity: 108 });
    expect(receipt).toMatchObject({ accepted: false, refusal: { largestAccepted: '107' } });
    expect(market.broker.submit({ symbol: 'B', action: 'buy', quantity: 107 }).accepted).toBe(true);
  });
});

describe('risk settings', () => {
  const numbers = [
    'maxPosition',
    'maxGrossExposure',
    'maxNetExposure',
    'maxOpenPositions',
    'maxOrderNotional',
  ];
  const others = ['maxDailyLoss', 'maxDrawdown', 'cooldownBars'];

  it.each([...numbers, ...others])('refuse an invalid %s', (name) => {
    for (const bad of [Number.NaN, Number.POSITIVE_INFINITY, 1e308, -1, 0, '1', null]) {
      const read = brokerSettingsSchema.safeParse({ risk: { [name]: bad } });
      expect(read.error?.issues[0]?.path, `${name} ${bad}`).toEqual(['risk', name]);
    }
  });
});
