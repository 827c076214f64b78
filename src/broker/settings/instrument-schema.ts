import { z } from 'zod';
import { EXACT_ONE, Exact, parseInstant } from '../../kernel/index.ts';
import { auctionBarsSchema, isSessionText, isZone } from '../../market/index.ts';
import { amount, commissionSchema, currencyCode, lotStep, step } from '../costs/cost-schema.ts';

const dateText = z.string().refine((text) => parseInstant(text) !== undefined, {
  error: (issue) => `"${String(issue.input)}" is not a date such as 2020-03-01`,
});

const dayText = z
  .string()
  .refine((text) => /^\d{4}-\d{2}-\d{2}$/.test(text) && parseInstant(text) !== undefined, {
    error: (issue) => `"${String(issue.input)}" is not a date such as 2024-03-15`,
  });

/** Trading terms of one symbol. */
export const instrumentSchema = z
  .strictObject({
    lot: lotStep.optional(),
    tick: step.optional(),
    /** Money per point of price, in the instrument's currency. Default 1. */
    multiplier: step.optional(),
    /** Money per tick, which is tick × multiplier. An alternative to `multiplier`. */
    tickValue: step.optional(),
    /** Margin that opens one unit instead of its price, in the instrument's currency. */
    margin: amount.refine((value) => value > 0, 'must be above 0').optional(),
    /** Maintenance margin per unit. Default: half of the margin. */
    maintenanceMargin: amount.optional(),
    /** Replaces the run's leverage. */
    leverage: z.number().min(1).max(1_000).optional(),
    commission: commissionSchema.optional(),
    minimumNotional: amount.optional(),
    /** Currency of its prices. Default: the account's currency. */
    currency: currencyCode.optional(),
    /** Trading hours, such as 09:30-16:00. Bars that begin at other times are visible but fill no orders. */
    hours: z
      .string()
      .refine(isSessionText, 'must be hours such as 09:30-16:00, or 18:00-17:00 overnight')
      .optional(),
    /** Time zone of the hours. Default UTC. */
    timezone: z.string().refine(isZone, 'must be a time zone such as America/New_York').optional(),
    /** First and last day of trading. */
    firstTrade: dayText.optional(),
    expiry: dayText.optional(),
    /** Hours and days under a mask of dates. Set by the program, not by users. */
    tradedBars: z
      .strictObject({
        /** Alternating numbers of consecutive closed and open bars of the market, closed bars first. */
        runs: z.array(z.number().int().min(0)),
        /** Last bar before the expiry. */
        last: z.number().int().optional(),
      })
      .optional(),
    /** Set by a mask of dates, which hides the hours. */
    auctionBars: auctionBarsSchema.optional(),
    /** Annual fee on the value of a short position. Replaces the run's `financing.borrowRate`. */
    borrowRate: z.number().min(0).max(10).optional(),
    /** Availability and fee for short selling by date. Each row applies until the next one. */
    borrow: z
      .array(
        z.strictObject({
          from: dateText,
          /** Replaces `borrowRate`. Default: `borrowRate`. */
          rate: z.number().min(0).max(10).optional(),
          /** Default true. */
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
        'dates must rise from row to row',
      )
      .optional(),
    /** Names in texts, such as company and product names. A mask also replaces them. */
    names: z.array(z.string().trim().min(3, 'a name needs at least three letters')).max(100).optional(),
    /** Conversion by a mask of terms that apply to all symbols. Set by the program, not by users. */
    scale: z
      .strictObject({
        /** Factor of slippage per unit. */
        price: z.number().positive(),
        /** Factor for a quantity's share of a bar's volume. */
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
      if (tick === undefined) fault('tickValue', 'requires tick, because it is the value of one tick');
      else if (exact === undefined)
        fault(
          'tickValue',
          `${tickValue} / ${tick} has more than ${MOST_PLACES} decimal places. Use multiplier`,
        );
      else if (multiplier !== undefined && !exact.equals(Exact.of(multiplier)))
        fault(
          'tickValue',
          `is ${tickValue}, but tick × multiplier is ${tick} × ${multiplier} = ${Exact.of(tick).times(Exact.of(multiplier))}`,
        );
    }
    if (own.timezone !== undefined && own.hours === undefined) fault('timezone', 'requires hours');
    if (firstTrade !== undefined && expiry !== undefined && parseInstant(expiry)! < parseInstant(firstTrade)!)
      fault('expiry', `is ${expiry}, before the first trade on ${firstTrade}`);
    if (margin === undefined) {
      if (maintenanceMargin !== undefined) fault('maintenanceMargin', 'needs margin');
      return;
    }
    if (maintenanceMargin !== undefined && maintenanceMargin > margin)
      fault('maintenanceMargin', `is ${maintenanceMargin}, above the margin of ${margin}`);
    if (own.leverage !== undefined) fault('leverage', 'cannot be combined with margin. Use one of them');
    for (const field of ['borrowRate', 'borrow'] as const)
      if (own[field] !== undefined) fault(field, 'does not apply to instruments with margin. Remove it');
  });

export type InstrumentSettings = z.infer<typeof instrumentSchema>;

/** Decimal places of a multiplier that is computed from a tick's value. */
const MOST_PLACES = 12;

/** Returns the money per point of price. `undefined` if it cannot be computed exactly from a tick's value. */
export function multiplierOf({
  multiplier,
  tick,
  tickValue,
}: Pick<InstrumentSettings, 'multiplier' | 'tick' | 'tickValue'>): Exact | undefined {
  // Identity with `EXACT_ONE` is the fast check for "no multiplier".
  if (multiplier !== undefined) return multiplier === 1 ? EXACT_ONE : Exact.of(multiplier);
  if (tick === undefined || tickValue === undefined || tick === tickValue) return EXACT_ONE;
  const exact = Exact.of(tickValue).dividedToPlaces(Exact.of(tick), MOST_PLACES);
  return exact.times(Exact.of(tick)).equals(Exact.of(tickValue)) ? exact : undefined;
}
