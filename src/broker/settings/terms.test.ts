import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { EXACT_ONE, Exact } from '../../kernel/index.ts';
import {
  carriesMinimum,
  contractsOf,
  type Instrument,
  instrumentsOf,
  notionalOf,
  ownTerms,
  wholeLots,
} from './instruments.ts';
import { brokerSettingsSchema, type InstrumentSettings, multiplierOf } from './settings.ts';
import { tickInside, toTick } from './ticks.ts';

type Given = Parameters<typeof brokerSettingsSchema.parse>[0];
const exact = (value: number | string): Exact => Exact.of(value);
const instrumentOf = (own: InstrumentSettings, more: object = {}): Instrument =>
  instrumentsOf(['A'], brokerSettingsSchema.parse({ instruments: { A: own }, ...more }))[0]!;

describe('the trading terms of a symbol', () => {
  /** Returns the terms as texts and numbers. */
  const shown = ({ commission, ...terms }: Instrument) => ({
    ...Object.fromEntries(
      Object.entries(terms).map(([name, value]) => [name, value instanceof Exact ? `${value}` : value]),
    ),
    hasCommission: commission !== undefined,
  });
  const plain = {
    symbol: 'A',
    multiplier: '1',
    margined: false,
    hasCommission: false,
    leverage: '1',
    leverageNumber: 1,
    usesRunLeverage: true,
    maintenance: { share: 0 },
    lot: '1',
    lotNumber: 1,
    tick: undefined,
    minimumNotional: '0',
  };

  it('are those of the run by default', () => {
    expect(shown(instrumentOf({}))).toEqual(plain);
    const run = { leverage: 4, lot: 0.5, tick: 0.01, maintenanceMargin: 0.2 };
    expect(shown(instrumentOf({}, run))).toEqual({
      ...plain,
      leverage: '4',
      leverageNumber: 4,
      maintenance: { share: 0.2 },
      lot: '0.5',
      lotNumber: 0.5,
      tick: '0.01',
    });
  });

  it('may include leverage, whose maintenance margin is half of the initial margin', () => {
    const run = { leverage: 4, maintenanceMargin: 0.2, lot: 0.5, tick: 0.01 };
    const own = { leverage: 10, lot: 3, tick: 0.5, minimumNotional: 25, multiplier: 5 };
    const commission = { model: 'fixed', amount: 1 } as const;
    expect(shown(instrumentOf({ ...own, commission }, run))).toEqual({
      ...plain,
      multiplier: '5',
      hasCommission: true,
      leverage: '10',
      leverageNumber: 10,
      usesRunLeverage: false,
      maintenance: { share: 0.05 },
      lot: '3',
      lotNumber: 3,
      tick: '0.5',
      minimumNotional: '25',
    });
  });

  it('may include a margin per unit, half of which is the default maintenance margin', () => {
    const terms = { ...plain, margined: true, margin: '120', usesRunLeverage: false };
    expect(shown(instrumentOf({ margin: 120 }, { leverage: 4 }))).toEqual({
      ...terms,
      maintenance: { perUnit: 60 },
    });
    expect(shown(instrumentOf({ margin: 120, maintenanceMargin: 0 }))).toEqual({
      ...terms,
      maintenance: { perUnit: 0 },
    });
  });

  it('include the factor by which a mask multiplies the traded value', () => {
    expect(instrumentOf({ scale: { price: 3, turnover: 0.5 } }).turnover?.toString()).toBe('0.5');
    expect(instrumentOf({})).not.toHaveProperty('turnover');
  });

  it('are found by the exact name of the symbol', () => {
    const settings = brokerSettingsSchema.parse({ instruments: { A: { lot: 2 } } });
    expect(ownTerms('A', settings)).toEqual({ lot: 2 });
    expect(ownTerms('B', settings)).toBeUndefined();
    expect(ownTerms('toString', settings)).toBeUndefined();
  });
});

describe('the contracts of a run', () => {
  const of = (given: Given) =>
    contractsOf(['A', 'B'], brokerSettingsSchema.parse(given))?.map(({ multiplier, margined, margin }) => [
      `${multiplier}`,
      margined,
      margin === undefined ? undefined : `${margin}`,
    ]);

  it('are omitted if all symbols are shares', () => {
    expect(of({})).toBeUndefined();
    expect(of({ instruments: { A: { multiplier: 1 }, B: { tick: 0.5, tickValue: 0.5 } } })).toBeUndefined();
  });

  it('are listed for every symbol if one has a multiplier or a margin', () => {
    const share = ['1', false, undefined];
    expect(of({ instruments: { B: { multiplier: 50 } } })).toEqual([share, ['50', false, undefined]]);
    expect(of({ instruments: { A: { margin: 7 } } })).toEqual([['1', true, '7'], share]);
    expect(of({ instruments: { A: { tick: 0.25, tickValue: 12.5 } } })).toEqual([
      ['50', false, undefined],
      share,
    ]);
  });

  it('have a multiplier of up to twelve decimal places', () => {
    expect(multiplierOf({ tick: 1e-6, tickValue: 1e-12 })?.toString()).toBe('0.000001');
    expect(multiplierOf({ tick: 3, tickValue: 1 })).toBeUndefined();
    expect(multiplierOf({ tick: 0.8, tickValue: 1 })?.toString()).toBe('1.25');
    expect(multiplierOf({ tick: 4096, tickValue: 1 })?.toString()).toBe('0.000244140625');
    expect(multiplierOf({ tick: 8192, tickValue: 1 })).toBeUndefined();
    expect(multiplierOf({ tickValue: 5 })).toBe(EXACT_ONE);
    expect(multiplierOf({ tick: 5 })).toBe(EXACT_ONE);
    expect(multiplierOf({ multiplier: 1, tick: 2, tickValue: 2 })).toBe(EXACT_ONE);
  });
});

describe('the minimum notional', () => {
  it('is reached at exactly this value, which includes the multiplier', () => {
    const instrument = instrumentOf({ minimumNotional: 100, multiplier: 5 });
    expect(notionalOf(exact(2), exact(10), instrument).toString()).toBe('100');
    expect(carriesMinimum(exact(2), exact(10), instrument)).toBe(true);
    expect(carriesMinimum(exact(2), exact('9.99'), instrument)).toBe(false);
    expect(carriesMinimum(exact(0), exact(10), instrument)).toBe(false);
    expect(carriesMinimum(exact(0), exact(10), instrumentOf({}))).toBe(true);
  });
});

describe('the largest number of lots within a limit', () => {
  it('is exact for any limit, cost and lot', () => {
    const digits = fc.tuple(fc.integer({ min: 1, max: 99_999 }), fc.integer({ min: 0, max: 4 }));
    fc.assert(
      fc.property(digits, digits, fc.constantFrom('1', '0.1', '3', '0.001'), (limit, cost, lot) => {
        const text = ([value, places]: readonly [number, number]): string => `${value}e-${places}`;
        const [most, unit] = [exact(text(limit)), exact(text(cost))];
        const found = wholeLots(
          Number(text(limit)),
          Number(text(cost)),
          instrumentOf({ lot }),
          () => most,
          () => unit,
        );
        // In units of 1e-8: limit × 1e4 is compared with lots × (cost × 1e4) × (lot × 1e3) / 1e3.
        const scaled = ([value, places]: readonly [number, number]): bigint =>
          BigInt(value) * 10n ** BigInt(4 - places);
        const step = BigInt(Math.round(Number(lot) * 1_000));
        const lots = (scaled(limit) * 1_000n) / (scaled(cost) * step);
        expect(found.toString()).toBe(exact(lots.toString()).times(exact(lot)).toString());
      }),
    );
  });

  it('is zero if the limit is not positive, and exact at a multiple of the cost', () => {
    const instrument = instrumentOf({ lot: 0.1 });
    const of = (limit: string, cost: string): string =>
      wholeLots(
        Number(limit),
        Number(cost),
        instrument,
        () => exact(limit),
        () => exact(cost),
      ).toString();
    expect([of('0', '1'), of('-5', '1'), of('0.09', '1')]).toEqual(['0', '0', '0']);
    expect([of('0.3', '1'), of('0.3', '0.1'), of('0.29999999999', '1')]).toEqual(['0.3', '3', '0.2']);
    expect(of('0.1', '1.0000000000000000001')).toBe('0');
    expect(of('1e20', '0.1')).toBe('1000000000000000000000');
  });
});

describe('the tick', () => {
  it('rounds up or down to its nearest multiple', () => {
    expect(toTick(exact('10.1'), undefined, true).toString()).toBe('10.1');
    fc.assert(
      fc.property(
        fc.integer({ min: 0, max: 5_000 }),
        fc.integer({ min: 1, max: 300 }),
        fc.boolean(),
        (cents, tick, up) => {
          const steps = up ? Math.ceil(cents / tick) : Math.floor(cents / tick);
          expect(Number(toTick(exact(cents / 100), exact(tick / 100), up))).toBe((steps * tick) / 100);
        },
      ),
    );
  });

  it('rounds in favour of the trader only if the other direction leaves the bar', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 60 }),
        fc.nat(12),
        fc.nat(12),
        fc.integer({ min: 1, max: 15 }),
        fc.boolean(),
        (low, below, above, tick, buys) => {
          const [price, high] = [low + below, low + below + above];
          const ways = [Math.floor(price / tick) * tick, Math.ceil(price / tick) * tick];
          if (buys) ways.reverse();
          const expected = ways.find((one) => one >= low && one <= high) ?? price;
          const found = tickInside(exact(price), exact(tick), buys, exact(low), exact(high));
          expect(Number(found)).toBe(expected);
        },
      ),
    );
  });
});
