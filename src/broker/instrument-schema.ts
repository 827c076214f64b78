import { z } from 'zod';
import { EXACT_ONE, Exact, parseInstant } from '../kernel/index.ts';
import { auctionBarsSchema, isSessionText, isZone } from '../market/index.ts';
import { commissionSchema } from './cost-schema.ts';
import { amount, currencyCode, lotStep, step } from './setting-numbers.ts';

const dateText = z.string().refine((text) => parseInstant(text) !== undefined, {
  error: (issue) => `"${String(issue.input)}" is no date such as 2020-03-01`,
});

const dayText = z
  .string()
  .refine((text) => /^\d{4}-\d{2}-\d{2}$/.test(text) && parseInstant(text) !== undefined, {
    error: (issue) => `"${String(issue.input)}" is no day such as 2024-03-15`,
  });

/** What one symbol is traded in. */
export const instrumentSchema = z
  .strictObject({
    lot: lotStep.optional(),
    tick: step.optional(),
    /** Money for one point of price, in the instrument's currency; 1 where it is left out. */
    multiplier: step.optional(),
    /** Money for one tick: tick × multiplier, either of which may say it. */
    tickValue: step.optional(),
    /** Money that opens one unit in place of its price, in the instrument's currency. */
    margin: amount.refine((value) => value > 0, 'must be above 0').optional(),
    /** Money that keeps one; half of the margin where it is left out. */
    maintenanceMargin: amount.optional(),
    /** In place of the run's. */
    leverage: z.number().min(1).max(1_000).optional(),
    commission: commissionSchema.optional(),
    minimumNotional: amount.optional(),
    /** What its prices are in; the account's currency where left out. */
    currency: currencyCode.optional(),
    /** When it is traded, such as 09:30-16:00: bars that begin at other times are shown and fill nothing. */
    hours: z
      .string()
      .refine(isSessionText, 'must be hours such as 09:30-16:00, or 18:00-17:00 overnight')
      .optional(),
    /** Whose clocks those are; UTC where it is left out. */
    timezone: z.string().refine(isZone, 'must be a time zone such as America/New_York').optional(),
    /** The first and the last day of trading. */
    firstTrade: dayText.optional(),
    expiry: dayText.optional(),
    /** What a mask of dates makes of hours and days; nobody writes it. */
    tradedBars: z
      .strictObject({
        /** How many of the market's bars are closed, open, closed and so on. */
        runs: z.array(z.number().int().min(0)),
        /** The last one before the expiry. */
        last: z.number().int().optional(),
      })
      .optional(),
    /** Written by a mask of dates, which hides the hours. */
    auctionBars: auctionBarsSchema.optional(),
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
    /** What texts may call it, such as its company and products: a mask replaces them too. */
    names: z.array(z.string().trim().min(3, 'a name has three letters and more')).max(100).optional(),
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
    const { tick, tickValue, multiplier, margin, maintenanceMargin, firstTrade, expiry } = own;
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
    if (own.timezone !== undefined && own.hours === undefined)
      fault('timezone', 'is of hours, and there are none');
    if (firstTrade !== undefined && expiry !== undefined && parseInstant(expiry)! < parseInstant(firstTrade)!)
      fault('expiry', `is ${expiry}, before the first trade on ${firstTrade}`);
    if (margin === undefined) {
      if (maintenanceMargin !== undefined) fault('maintenanceMargin', 'needs margin');
      return;
    }
    if (maintenanceMargin !== undefined && maintenanceMargin > margin)
      fault('maintenanceMargin', `is ${maintenanceMargin}, more than the margin of ${margin}`);
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
