import { z } from 'zod';
import { DECIMAL_TEXT } from '../orders/request.ts';

/** Returns a schema for a fraction from 0 to `most`. */
export const fraction = (most: number): z.ZodNumber => z.number().min(0).max(most);
export const basisPoints = z.number().min(0).lt(10_000);
/** Amount of money. The limit of 1e15 is above any realistic account. */
export const amount = z.number().min(0).max(1e15);
/** Smallest step of quantities (lot) or prices (tick). */
export const step = z.number().min(1e-12).max(1e12);
/** Smallest step of quantities: a number, or a decimal text for more digits than a number can represent. */
export const lotStep = z.union([
  step,
  z
    .string()
    .regex(DECIMAL_TEXT, { error: (issue) => `"${String(issue.input)}" is not a decimal such as 0.00000001` })
    .refine((text) => Number(text) >= 1e-12 && Number(text) <= 1e12, 'must be from 1e-12 to 1e12'),
]);
/** A limit as a multiple of equity. */
export const multiple = z.number().positive().max(1_000);

export const currencyCode = z
  .string()
  .regex(/^[A-Z]{3,6}$/, { error: (issue) => `"${String(issue.input)}" is not a currency code such as EUR` });

/** Commission of a fill. Rates are fractions of notional; `perShare` and minima are money. */
export const commissionSchema = z.discriminatedUnion('model', [
  z.strictObject({ model: z.literal('rate'), rate: fraction(0.999_999) }),
  z.strictObject({ model: z.literal('fixed'), amount }),
  z.strictObject({
    model: z.literal('per-share'),
    perShare: amount,
    minimum: amount.default(0),
    /** Maximum commission as a fraction of the notional of the order's fills. Overrides the minimum. */
    maximumRate: fraction(1).optional(),
  }),
  z.strictObject({
    model: z.literal('tiered'),
    /** Tiers by notional traded so far in the run. The first tier has `from` 0. */
    tiers: z
      .array(z.strictObject({ from: amount, rate: fraction(0.999_999) }))
      .min(1)
      .refine(
        (tiers) =>
          tiers[0]?.from === 0 &&
          tiers.every((tier, index) => index === 0 || tier.from > tiers[index - 1]!.from),
        'tiers must begin at 0 and rise',
      ),
  }),
  z.strictObject({ model: z.literal('maker-taker'), maker: fraction(0.999_999), taker: fraction(0.999_999) }),
]);

/** Price move against the trader for a market or stop fill. The price never leaves the bar's range. */
export const slippageSchema = z.discriminatedUnion('model', [
  z.strictObject({ model: z.literal('bps'), bps: basisPoints }),
  z.strictObject({ model: z.literal('fixed'), amount }),
  /**
   * Moves the price by half of a quoted spread. Sources of the spread: `bps` in basis points of the price,
   * the data column `column` in money per unit, or the data columns `ask` and `bid`. Columns are read at the
   * bar of the fill.
   */
  z
    .strictObject({
      model: z.literal('spread'),
      bps: basisPoints.optional(),
      column: z.string().min(1).optional(),
      bid: z.string().min(1).optional(),
      ask: z.string().min(1).optional(),
    })
    .refine(
      ({ bps, column, bid, ask }) =>
        (bid === undefined) === (ask === undefined) &&
        [bps, column, bid].filter((way) => way !== undefined).length === 1,
      'needs one of bps, column, or bid together with ask',
    ),
  /** Moves the price by the fraction `coefficient` × (filled quantity / volume of the bar). */
  z.strictObject({ model: z.literal('volume-impact'), coefficient: z.number().min(0).max(1e6) }),
]);

export const COMMISSION_MODELS = ['rate', 'fixed', 'per-share', 'tiered', 'maker-taker'] as const;
export const SLIPPAGE_MODELS = ['bps', 'fixed', 'spread', 'volume-impact'] as const;

export type CommissionSettings = z.infer<typeof commissionSchema>;
export type SlippageSettings = z.infer<typeof slippageSchema>;
