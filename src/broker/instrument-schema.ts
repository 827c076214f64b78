import { z } from 'zod';
import { EXACT_ONE, Exact, parseInstant } from '../kernel/index.ts';
import { commissionSchema } from './cost-schema.ts';
import { amount, currencyCode, lotStep, step } from './setting-numbers.ts';

const dateText = z.string().refine((text) => parseInstant(text) !== undefined, {
  error: (issue) => `"${String(issue.input)}" is no date such as 2020-03-01`,
});

/** Money that carries one unit in place of its price, in the instrument's currency. */
const marginSchema = z
  .strictObject({
    /** To open a unit. */
    initial: amount.refine((value) => value > 0, 'must be above 0'),
    /** To keep it; half of the initial margin where it is left out. */
    maintenance: amount.optional(),
  })
  .refine(({ initial, maintenance = 0 }) => maintenance <= initial, 'maintenance is above initial');

/** What one symbol is traded in. */
export const instrumentSchema = z
  .strictObject({
    lot: lotStep.optional(),
    tick: step.optional(),
    /** Money for one point of price, in the instrument's currency; 1 where it is left out. */
    multiplier: step.optional(),
    /** Money for one tick: tick × multiplier, either of which may say it. */
    tickValue: step.optional(),
    /** In place of paying for it. */
    margin: marginSchema.optional(),
    /** In place of the run's. */
    leverage: z.number().min(1).max(1_000).optional(),
    commission: commissionSchema.optional(),
    minimumNotional: amount.optional(),
    /** What its prices are in; the account's currency where left out. */
    currency: currencyCode.optional(),
    /** Annual fee on the value of a short position, over the run's `financing.borrowRate`. */
    borrowRate: z.number().min(0).max(10).optional(),
    /** From when on it could be sold short and at what fee: a row holds until the next one. */
    borrow: z
      .array(
        z.strictObject({
          from: dateText,
          /** Over `borrowRate`, which holds where it is left out. */
          rate: z.number().min(0).max(10).optional(),
          /** Yes where it is left out. */
          available: z.boolean().optional(),
        }),
      )
      .min(1)
      .max(10_000)
      .refine(
        (rows) =>
          rows.every(
            ({ from }, index) => index === 0 || parseInstant(from)! > parseInstant(rows[index - 1]!.from)!,
          ),
        'dates rise from row to row',
      )
      .optional(),
    /** What a mask makes of terms that are said for all symbols; nobody writes it. */
    scale: z
      .strictObject({
        /** Of slippage for a unit. */
        price: z.number().positive(),
        /** Of the share of a bar's volume that a quantity is. */
        turnover: z.number().positive(),
      })
      .optional(),
  })
  .check(({ value: own, issues }) => {
    const fault = (field: string, message: string): void => {
      issues.push({ code: 'custom', path: [field], message, input: own });
    };
    const { tick, tickValue, multiplier, margin } = own;
    if (tickValue !== undefined) {
      const exact = tick === undefined ? undefined : multiplierOf({ tick, tickValue });
      if (tick === undefined) fault('tickValue', 'needs tick: it is money for one tick');
      else if (exact === undefined)
        fault(
          'tickValue',
          `${tickValue} / ${tick} is no decimal of at most ${MOST_PLACES} places: give multiplier`,
        );
      else if (multiplier !== undefined && !exact.equals(Exact.of(multiplier)))
        fault(
          'tickValue',
          `is ${tickValue}, and tick × multiplier is ${tick} × ${multiplier} = ${Exact.of(tick).times(Exact.of(multiplier))}`,
        );
    }
    if (margin === undefined) return;
    if (own.leverage !== undefined) fault('leverage', 'margin says it already: give one of them');
    for (const field of ['borrowRate', 'borrow'] as const)
      if (own[field] !== undefined)
        fault(field, 'nothing is borrowed where a margin is put up: leave it out');
  });

export type InstrumentSettings = z.infer<typeof instrumentSchema>;

/** Decimal places of a multiplier that is found from a tick's value. */
const MOST_PLACES = 12;

/** Money for one point of price; undefined where the value of a tick does not give it exactly. */
export function multiplierOf({
  multiplier,
  tick,
  tickValue,
}: Pick<InstrumentSettings, 'multiplier' | 'tick' | 'tickValue'>): Exact | undefined {
  // The one object that says "no multiplier" costs nothing.
  if (multiplier !== undefined) return multiplier === 1 ? EXACT_ONE : Exact.of(multiplier);
  if (tick === undefined || tickValue === undefined || tick === tickValue) return EXACT_ONE;
  const exact = Exact.of(tickValue).dividedToPlaces(Exact.of(tick), MOST_PLACES);
  return exact.times(Exact.of(tick)).equals(Exact.of(tickValue)) ? exact : undefined;
}
