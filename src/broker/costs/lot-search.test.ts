import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { Exact } from '../../kernel/index.ts';
import { instrumentsOf } from '../settings/instruments.ts';
import { type BrokerSettings, brokerSettingsSchema } from '../settings/settings.ts';
import { Costs } from './costs.ts';
import { customModels } from './custom-costs.ts';

type Commission = BrokerSettings['commission'];

const rate = fc.double({ min: 0, max: 0.999_999, noNaN: true });
const money = fc.double({ min: 0, max: 1e6, noNaN: true });
const model: fc.Arbitrary<NonNullable<Commission> | 'custom'> = fc.oneof(
  rate.map((share) => ({ model: 'rate' as const, rate: share })),
  money.map((amount) => ({ model: 'fixed' as const, amount })),
  fc.record({ perShare: money, minimum: money }).map((terms) => ({ model: 'per-share' as const, ...terms })),
  fc
    .record({ perShare: money, minimum: money, maximumRate: fc.double({ min: 0, max: 1, noNaN: true }) })
    .map((terms) => ({ model: 'per-share' as const, ...terms })),
  fc.tuple(rate, rate).map(([first, second]) => ({
    model: 'tiered' as const,
    tiers: [
      { from: 0, rate: first },
      { from: 1_000, rate: second },
    ],
  })),
  fc.record({ maker: rate, taker: rate }).map((rates) => ({ model: 'maker-taker' as const, ...rates })),
  fc.constant('custom' as const),
);
/** Generates numbers whose magnitudes are uniformly distributed between two powers of ten. */
const magnitude = (least: number, most: number): fc.Arbitrary<number> =>
  fc
    .tuple(fc.integer({ min: least, max: most - 1 }), fc.integer({ min: 100, max: 999 }))
    .map(([power, digits]) => Number(`${digits / 100}e${power}`));

const noOrder = { id: 1, type: 'market', reason: undefined };

describe('the largest affordable quantity', () => {
  it('is affordable, and one more lot is not, for any lot, price, leverage and commission', () => {
    fc.assert(
      fc.property(
        magnitude(-12, 6),
        magnitude(-8, 9),
        magnitude(-2, 15),
        fc.constantFrom(1, 2, 9, 1_000),
        model,
        fc.constantFrom(undefined, 10, 1e5),
        (lot, price, cash, leverage, commission, filledBefore) => {
          const custom = customModels({ commission: ({ quantity }) => 1 + 0.01 * Math.min(quantity, 1e10) });
          const settings = brokerSettingsSchema.parse({
            lot,
            leverage,
            ...(commission === 'custom' ? {} : { commission }),
          });
          const costs = new Costs(settings, commission === 'custom' ? custom : {});
          const instrument = instrumentsOf(['A'], settings)[0]!;
          const [budget, unit, step] = [cash, price, lot].map((value) => Exact.of(value)) as [
            Exact,
            Exact,
            Exact,
          ];
          const whole = filledBefore === undefined ? undefined : step.times(Exact.of(filledBefore));
          const bare = { ...noOrder, fees: undefined };
          const order =
            whole === undefined
              ? bare
              : {
                  ...bare,
                  fees: costs.feesAfter(
                    bare,
                    whole,
                    unit,
                    instrument,
                    costs.commission(whole, unit, instrument),
                  ),
                };
          const found = costs.affordable(
            { number: cash, exact: () => budget },
            unit,
            instrument,
            undefined,
            order,
          );
          const fits = (quantity: Exact): boolean =>
            quantity
              .times(unit)
              .plus(costs.commission(quantity, unit, instrument, false, order).times(Exact.of(leverage)))
              .compare(budget.times(Exact.of(leverage))) <= 0;
          expect(found.isNegative()).toBe(false);
          expect(found.dividedBy(step).floor().times(step).equals(found)).toBe(true);
          if (!found.isZero()) expect(fits(found)).toBe(true);
          expect(fits(found.plus(step))).toBe(false);
        },
      ),
      { numRuns: 500 },
    );
  });

  it('is exact if there are more lots than a float64 can distinguish', () => {
    const settings = brokerSettingsSchema.parse({
      lot: 1e-8,
      commission: { model: 'per-share', perShare: 1e-9, minimum: 1 },
    });
    const costs = new Costs(settings);
    const instrument = instrumentsOf(['A'], settings)[0]!;
    const found = costs.affordable(
      { number: 1_000_000, exact: () => Exact.of(1_000_000) },
      Exact.of(0.00001),
      instrument,
    );
    // 1,000,000 / 0.000010001, rounded down to eight decimals. The commission of 100 is above the minimum.
    expect(found.toString()).toBe('99990000999.90000999');
  });
});

describe('a lot', () => {
  it('may be a decimal string and is stored with all its digits', () => {
    const settings = brokerSettingsSchema.parse({
      lot: '1e-8',
      instruments: { A: { lot: '0.1000000000000000055' } },
    });
    expect(instrumentsOf(['A', 'B'], settings).map(({ lot }) => lot.toString())).toEqual([
      '0.1000000000000000055',
      '0.00000001',
    ]);
    for (const lot of ['', '0', '-1', '1e-13', 'ten', '0x1', '0.0000000000001'])
      expect(brokerSettingsSchema.safeParse({ lot }).success, lot).toBe(false);
  });
});
