import { describe, expect, it } from 'vitest';
import { commissionSchema, slippageSchema } from '../costs/cost-schema.ts';
import { brokerSettingsSchema, maintenanceMarginOf, neededColumns } from './settings.ts';

const tiers = (...from: number[]) =>
  commissionSchema.safeParse({ model: 'tiered', tiers: from.map((one) => ({ from: one, rate: 0.001 })) });

describe('a commission by tiers', () => {
  it('starts at 0 and ascends', () => {
    expect(tiers(0, 1000, 2000).error).toBeUndefined();
  });

  it.each([[[1, 2]], [[0, 0]], [[0, 2000, 1000]], [[5]]])('of %j is refused', (from) => {
    expect(tiers(...from).error?.message).toContain('tiers must begin at 0 and rise');
  });
});

/**
 * Creates nested objects with one value at a path. The path `risk.maxDrawdown` gives an object `risk` with
 * the field `maxDrawdown`.
 */
function at(path: string, value: unknown): unknown {
  return path.split('.').reduceRight<unknown>((inner, name) => ({ [name]: inner }), value);
}

describe('settings of a broker', () => {
  it('have documented defaults', () => {
    expect(brokerSettingsSchema.parse({})).toEqual({
      commissionRate: 0,
      slippageBps: 0,
      leverage: 1,
      maintenanceMargin: null,
      lot: 1,
      instruments: {},
      allowShort: true,
      limitNeedsThrough: false,
      fillOn: 'open',
      resolve: 'worst',
      risk: {},
      lots: 'fifo',
      currencies: {},
      financing: {},
    });
    expect(brokerSettingsSchema.parse({ currencies: { EUR: { rate: 1.1 } } }).currencies.EUR).toEqual({
      rate: 1.1,
      inverse: false,
      tradable: false,
    });
    expect(commissionSchema.parse({ model: 'per-share', perShare: 1 })).toHaveProperty('minimum', 0);
  });

  it.each<[string, readonly unknown[], readonly unknown[]]>([
    ['commissionRate', [0, 0.999_999], [-0.001, 1]],
    ['slippageBps', [0, 9_999.9], [-1, 10_000]],
    ['leverage', [1, 1_000], [0.99, 1_000.1]],
    ['maintenanceMargin', [null, 0, 1], [-0.1, 1.1]],
    ['lot', [1e-12, 1e12, '0.000000000001', '1000000000000'], [0, 1e13, '0', '1e-13', '10000000000000', 'x']],
    ['tick', [1e-12, 1e12], [0, 1e13]],
    ['participation', [0.01, 1], [0, 1.01]],
    ['currency', ['EUR', 'USDTTT'], ['EU', 'eur', 'USDTTTT']],
    ['risk.maxPosition', [0.1, 1_000], [0, 1_001]],
    ['risk.maxOpenPositions', [1, 1_000_000], [0, 1.5, 1_000_001]],
    ['risk.maxOrderNotional', [1, 1e15], [0, 2e15]],
    ['risk.maxDailyLoss', [0.01, 1], [0, 1.01]],
    ['risk.maxDrawdown', [0.01, 1], [0, 1.01]],
    ['risk.cooldownBars', [1, 1e9], [0, 1.5, 1e9 + 1]],
    ['financing.creditRate', [-1, 1], [-1.1, 1.1]],
    ['financing.debitRate', [0, 10], [-0.1, 10.1]],
    ['financing.borrowRate', [0, 10], [-0.1, 10.1]],
    ['currencies.EUR.rate', ['EURUSD', 0.1], ['', 0, -1]],
    ['instruments.A.margin', [0.1, 1e15], [0, 2e15]],
    ['instruments.A', [{ margin: 5, maintenanceMargin: 0 }], [{ margin: 5, maintenanceMargin: -1 }]],
    ['instruments.A.leverage', [1, 1_000], [0.9, 1_001]],
    ['instruments.A.borrowRate', [0, 10], [-0.1, 10.1]],
    ['instruments.A.borrow', [[{ from: '2020-01-01', rate: 0 }], [{ from: '2020-01-01', rate: 10 }]], [[]]],
    [
      'instruments.A.borrow',
      [[{ from: '2020-01-01' }, { from: '2020-01-02', available: false }]],
      [
        [{ from: '2020-01-01' }, { from: '2020-01-01' }],
        [{ from: '2020-01-02' }, { from: '2020-01-01' }],
        [{ from: '2020-01-01', rate: 10.1 }],
        [{ from: '2020-01-01', rate: -0.1 }],
        [{ from: 'soon' }],
      ],
    ],
    ['instruments.A.names', [['Ann'], []], [['An']]],
    ['instruments.A.firstTrade', ['2024-03-15'], ['2024-03-15T10:00:00', '2024-02-30']],
    [
      'instruments.A',
      [{ hours: '09:30-16:00', timezone: 'America/New_York' }],
      [{ hours: '09:30-16:00', timezone: 'Mars/North' }],
    ],
    ['instruments.A.hours', ['09:30-16:00', '18:00-17:00'], ['9 to 5']],
    ['commission', [{ model: 'rate', rate: 0.999_999 }], [{ model: 'rate', rate: 1 }]],
    ['commission', [{ model: 'fixed', amount: 1e15 }], [{ model: 'fixed', amount: -1 }]],
    [
      'commission',
      [{ model: 'per-share', perShare: 0, maximumRate: 1 }],
      [{ model: 'per-share', perShare: 0, maximumRate: 1.1 }],
    ],
    [
      'commission',
      [{ model: 'maker-taker', maker: 0, taker: 0.999_999 }],
      [
        { model: 'maker-taker', maker: 1, taker: 0 },
        { model: 'maker-taker', maker: 0, taker: 1 },
      ],
    ],
    ['commission', [{ model: 'tiered', tiers: [{ from: 0, rate: 0 }] }], [{ model: 'tiered', tiers: [] }]],
    [
      'slippage',
      [{ model: 'volume-impact', coefficient: 1e6 }],
      [
        { model: 'volume-impact', coefficient: 1e6 + 1 },
        { model: 'volume-impact', coefficient: -1 },
      ],
    ],
  ])('are checked against limits: %s', (path, valid, invalid) => {
    for (const value of valid)
      expect(brokerSettingsSchema.safeParse(at(path, value)).error, JSON.stringify(value)).toBeUndefined();
    for (const value of invalid)
      expect(brokerSettingsSchema.safeParse(at(path, value)).success, JSON.stringify(value)).toBe(false);
  });

  it('default to a maintenance margin of half the initial margin with leverage, and zero without', () => {
    expect(maintenanceMarginOf({ leverage: 1, maintenanceMargin: null })).toBe(0);
    expect(maintenanceMarginOf({ leverage: 4, maintenanceMargin: null })).toBe(0.125);
    expect(maintenanceMarginOf({ leverage: 4, maintenanceMargin: 0 })).toBe(0);
    expect(maintenanceMarginOf({ leverage: 1, maintenanceMargin: 0.3 })).toBe(0.3);
  });
});

describe('slippage of a quoted spread', () => {
  const spread = (ways: object) => slippageSchema.safeParse({ model: 'spread', ...ways });

  it.each([[{ bps: 5 }], [{ column: 'spread' }], [{ bid: 'b', ask: 'a' }]])(
    'accepts one source: %j',
    (ways) => {
      expect(spread(ways).success).toBe(true);
      expect(neededColumns({ slippage: spread(ways).data! })).toEqual(
        Object.values(ways).filter((one) => typeof one === 'string'),
      );
    },
  );

  it.each([
    [{}],
    [{ bps: 5, column: 's' }],
    [{ bid: 'b' }],
    [{ ask: 'a' }],
    [{ bps: 1, bid: 'b', ask: 'a' }],
    [{ column: '' }],
  ])('refuses %j', (ways) => {
    expect(spread(ways).success).toBe(false);
  });

  it('requires no column with another model', () => {
    expect(neededColumns({ slippage: { model: 'bps', bps: 5 } })).toEqual([]);
    expect(neededColumns({ slippage: undefined })).toEqual([]);
  });
});
