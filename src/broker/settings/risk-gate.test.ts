import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { decimal, Exact } from '../../kernel/index.ts';
import { Ledger, type Trade } from '../account/index.ts';
import { instrumentsOf } from './instruments.ts';
import { RiskGate } from './risk.ts';
import { capsOf, type Exposure, exposureOf, largestWithin, type Opening } from './risk-caps.ts';
import { brokerSettingsSchema, type RiskSettings } from './settings.ts';

const exact = (value: number | string): Exact => Exact.of(value);

describe('the exposure of an account', () => {
  it('adds up all positions, for any positions', () => {
    const row = fc.tuple(fc.integer({ min: -3, max: 3 }), fc.integer({ min: 1, max: 9 }));
    fc.assert(
      fc.property(fc.array(row, { minLength: 1, maxLength: 5 }), fc.nat(4), (rows, index) => {
        const symbol = index % rows.length;
        const values = rows.map(([units, price]) => units * price);
        expect(
          exposureOf(
            symbol,
            rows.length,
            (other) => rows[other]![0],
            (other) => rows[other]![1],
          ),
        ).toEqual({
          heldUnits: rows[symbol]![0],
          heldValue: values[symbol]! + 0,
          gross: values.reduce((sum, value) => sum + Math.abs(value), 0),
          net: values.reduce((sum, value) => sum + value, 0),
          openPositions: values.filter((value) => value !== 0).length,
        });
      }),
    );
  });
});

describe('the notional that a limit leaves', () => {
  const limits: RiskSettings = {
    maxPosition: 0.5,
    maxGrossExposure: 2,
    maxNetExposure: 1,
    maxOrderNotional: 700,
  };
  const roomsOf = (opening: Partial<Opening>, exposure: Partial<Exposure>, rate = 1) =>
    capsOf(
      limits,
      { symbol: 0, side: 1, quantity: exact(1), closing: exact(0), price: exact(10), ...opening },
      { heldUnits: 0, heldValue: 0, gross: 300, net: 100, openPositions: 1, ...exposure },
      1_000,
      rate,
    ).map(({ room }) => room);

  it('is the limit minus the open exposure', () => {
    expect(roomsOf({}, {})).toEqual([500, 1_700, 900, 700]);
    expect(roomsOf({ side: -1 }, {})).toEqual([500, 1_700, 1_100, 700]);
    // The position of 6 units at 10, with a rate of 2, uses 120 of 500.
    expect(roomsOf({}, { heldUnits: 6, heldValue: 90 }, 2)).toEqual([380, 1_700, 900, 700]);
    expect(roomsOf({ side: -1 }, { heldUnits: -6, heldValue: -90 }, 2)).toEqual([380, 1_700, 1_100, 700]);
  });

  it('counts units that the order closes first by their value at the mark', () => {
    // The sale first closes 4 of 8 units that are worth 80, which frees an exposure of 40.
    expect(roomsOf({ side: -1, closing: exact(4) }, { heldUnits: 8, heldValue: 80 })).toEqual([
      500, 1_740, 1_060, 660,
    ]);
    expect(roomsOf({ side: 1, closing: exact(4) }, { heldUnits: -8, heldValue: -80 }, 3)).toEqual([
      500, 1_740, 860, 580,
    ]);
    expect(roomsOf({ closing: exact(4) }, {})).toEqual([500, 1_700, 900, 660]);
  });

  it('is listed with the code and the text of each limit that is set', () => {
    const opening = { symbol: 0, side: 1, quantity: exact(1), closing: exact(0), price: exact(10) } as const;
    const none = { heldUnits: 0, heldValue: 0, gross: 0, net: 0, openPositions: 0 };
    expect(capsOf({}, opening, none, 1_000, 1)).toEqual([]);
    expect(capsOf(limits, opening, none, 1_000, 1).map(({ code, limit }) => [code, limit])).toEqual([
      ['risk_max_position', 'the position limit of 0.5 × equity'],
      ['risk_gross_exposure', 'the gross exposure limit of 2 × equity'],
      ['risk_net_exposure', 'the net exposure limit of 1 × equity'],
      ['risk_order_notional', 'the order limit of 700'],
    ]);
  });

  it('allows whole lots up to and including the limit', () => {
    const instrument = instrumentsOf(['A'], brokerSettingsSchema.parse({ lot: 2 }))[0]!;
    const of = (room: number, rate = 1): string =>
      largestWithin(room, exact(10), rate, instrument).toString();
    expect([of(0), of(-5), of(19.99), of(20), of(59), of(60, 2)]).toEqual(['0', '0', '0', '2', '4', '2']);
    // A rounding error of float64 does not reduce the quantity by one lot.
    expect(of(20 - 1e-12)).toBe('2');
    expect(of(20 - 1e-9)).toBe('0');
  });
});

describe('a risk gate', () => {
  const instruments = instrumentsOf(['A', 'B'], brokerSettingsSchema.parse({}));
  function gateOf(limits: RiskSettings, isOutside?: (symbol: number) => boolean) {
    const ledger = new Ledger(['A', 'B'], decimal('1000'));
    const gate = new RiskGate(limits, ['A', 'B'], ledger, instruments, isOutside);
    const end = (equity: number): string[] => {
      ledger.post('interest', Exact.of(equity).minus(ledger.exactEquity));
      return gate.endBar().map(({ code, limit, from }) => `${code} ${limit} ${from}`);
    };
    const codeOf = (more: Partial<Opening> = {}, context: object = {}): string | undefined =>
      gate.refusalOf(
        { symbol: 0, side: 1, quantity: exact(1), closing: exact(0), price: exact(1), ...more },
        {
          exposure: { heldUnits: 0, heldValue: 0, gross: 0, net: 0, openPositions: 0 },
          fillBar: 5,
          affordable: () => exact(1_000),
          verb: 'be accepted',
          ...context,
        },
      )?.code;
    return { gate, end, codeOf };
  }

  it('is inactive without limits', () => {
    expect(gateOf({}).gate.any).toBe(false);
    expect(gateOf({ maxPosition: undefined }).gate.any).toBe(false);
    expect(gateOf({ cooldownBars: 1 }).gate.any).toBe(true);
    expect(gateOf({}, () => false).gate.any).toBe(true);
    expect(gateOf({ flattenOnHalt: true }).gate.flattens).toBe(true);
    expect(gateOf({ flattenOnHalt: false }).gate.flattens).toBe(false);
    expect(gateOf({}).gate.flattens).toBe(false);
  });

  it('halts permanently when the drawdown from the peak equals the limit', () => {
    const { gate, end, codeOf } = gateOf({ maxDrawdown: 0.25 });
    expect(end(1_200)).toEqual([]);
    expect(end(900.01)).toEqual([]);
    expect([gate.halted, codeOf()]).toEqual([false, undefined]);
    expect(end(900)).toEqual(['risk_drawdown 0.25 1200']);
    expect(end(800)).toEqual([]);
    gate.startBar(2);
    expect([gate.halted, codeOf(), codeOf({ quantity: exact(0) })]).toEqual([
      true,
      'risk_drawdown',
      undefined,
    ]);
  });

  it('counts the daily loss from the last equity of the previous day', () => {
    const { gate, end, codeOf } = gateOf({ maxDailyLoss: 0.1 });
    gate.startBar(1);
    expect(end(900.01)).toEqual([]);
    gate.startBar(1);
    expect(end(900)).toEqual(['risk_daily_loss 0.1 1000']);
    expect(end(850)).toEqual([]);
    gate.startBar(1);
    expect(codeOf()).toBe('risk_daily_loss');
    gate.startBar(2);
    expect(codeOf()).toBeUndefined();
    expect(end(765.01)).toEqual([]);
    expect(end(765)).toEqual(['risk_daily_loss 0.1 850']);
  });

  it('blocks a symbol for the cooldown after a losing trade', () => {
    const { gate, codeOf } = gateOf({ cooldownBars: 2 });
    const trades = (...profits: readonly number[]): Trade[] =>
      profits.map((profit) => ({ netPnl: decimal(profit) }) as Trade);
    gate.noteClosed(0, 3, trades(5, 0));
    expect(codeOf()).toBeUndefined();
    gate.noteClosed(0, 3, trades(5, -1));
    expect([4, 5, 6].map((fillBar) => codeOf({}, { fillBar }))).toEqual([
      'risk_cooldown',
      'risk_cooldown',
      undefined,
    ]);
    expect(codeOf({ symbol: 1 }, { fillBar: 4 })).toBeUndefined();
    expect(codeOf({ symbol: 1 }, { fillBar: 4, lost: true })).toBe('risk_cooldown');
    expect(gateOf({ maxPosition: 9 }).codeOf({}, { lost: true })).toBeUndefined();
  });

  it('limits the number of positions, and rejects symbols outside the universe', () => {
    const { codeOf } = gateOf({ maxOpenPositions: 2 });
    const exposure = (heldUnits: number, openPositions: number) => ({
      exposure: { heldUnits, heldValue: 0, gross: 0, net: 0, openPositions },
    });
    expect(codeOf({}, exposure(0, 1))).toBeUndefined();
    expect(codeOf({}, exposure(0, 2))).toBe('risk_open_positions');
    expect(codeOf({}, exposure(1, 2))).toBeUndefined();
    const universe = gateOf({}, (symbol) => symbol === 1);
    expect([universe.codeOf(), universe.codeOf({ symbol: 1 })]).toEqual([undefined, 'not_in_universe']);
  });

  it('rejects a notional above a limit with the largest accepted quantity', () => {
    const { gate } = gateOf({ maxPosition: 0.1, maxOrderNotional: 50 });
    const refused = (quantity: number, affordable: number, closing = 0) =>
      gate.refusalOf(
        { symbol: 0, side: 1, quantity: exact(quantity), closing: exact(closing), price: exact(4) },
        {
          exposure: { heldUnits: 0, heldValue: 0, gross: 0, net: 0, openPositions: 0 },
          fillBar: 1,
          affordable: () => exact(affordable),
          verb: 'be accepted',
        },
      );
    expect(refused(12, 100)).toBeUndefined();
    expect(refused(13, 100)).toEqual({
      code: 'risk_order_notional',
      message: 'Opening 13 A at 4 is 52.00, and the order limit of 50 leaves 50.00.',
      remedy: 'At most 12 would be accepted.',
      largestAccepted: '12',
    });
    expect(refused(26, 100)?.code).toBe('risk_max_position');
    expect(refused(13, 5)?.largestAccepted).toBe('5');
    expect(refused(13, 0)?.remedy).toBe('No larger position can be opened.');
    // The order closes 3 units first, so 50 − 3 × 4 are left for opening.
    expect(refused(10, 100, 3)).toMatchObject({
      message: 'Opening 10 A at 4 is 40.00, and the order limit of 50 leaves 38.00.',
      largestAccepted: '12',
    });
    expect(refused(10, 100, 20)?.message).toContain('leaves 0.00.');
  });
});
