import { z } from 'zod';
import { parseInstant } from '../kernel/index.ts';
import { DECIMAL_TEXT } from './request.ts';

const fraction = (most: number): z.ZodNumber => z.number().min(0).max(most);
const basisPoints = z.number().min(0).lt(10_000);
/** Money: beyond this no account is a trader's. */
const amount = z.number().min(0).max(1e15);
/** A step of quantities or prices. */
const step = z.number().min(1e-12).max(1e12);
/** A step of quantities: a number, or a decimal text with more digits than a number keeps. */
const lotStep = z.union([
  step,
  z
    .string()
    .regex(DECIMAL_TEXT, { error: (issue) => `"${String(issue.input)}" is no decimal such as 0.00000001` })
    .refine((text) => Number(text) >= 1e-12 && Number(text) <= 1e12, 'must be from 1e-12 to 1e12'),
]);
/** A limit as a multiple of equity. */
const multiple = z.number().positive().max(1_000);

/** How much a fill costs in commission. Rates are fractions of notional, `perShare` and minima are money. */
export const commissionSchema = z.discriminatedUnion('model', [
  z.strictObject({ model: z.literal('rate'), rate: fraction(0.999_999) }),
  z.strictObject({ model: z.literal('fixed'), amount }),
  z.strictObject({
    model: z.literal('per-share'),
    perShare: amount,
    minimum: amount.default(0),
    /** Most of a fill's notional that commission may take; the minimum yields to it. */
    maximumRate: fraction(1).optional(),
  }),
  z.strictObject({
    model: z.literal('tiered'),
    /** By notional traded so far in the run, from the first tier's `from` of 0 up. */
    tiers: z
      .array(z.strictObject({ from: amount, rate: fraction(0.999_999) }))
      .min(1)
      .refine(
        (tiers) =>
          tiers[0]?.from === 0 &&
          tiers.every((tier, index) => index === 0 || tier.from > tiers[index - 1]!.from),
        'tiers begin at 0 and rise',
      ),
  }),
  z.strictObject({ model: z.literal('maker-taker'), maker: fraction(0.999_999), taker: fraction(0.999_999) }),
]);

/** How far a market or stop fill moves against the trader; never beyond the bar's range. */
export const slippageSchema = z.discriminatedUnion('model', [
  z.strictObject({ model: z.literal('bps'), bps: basisPoints }),
  z.strictObject({ model: z.literal('fixed'), amount }),
  /**
   * Half of a quoted spread: `bps` of the price, a column of the data with the spread in money, or two with bid and ask.
   * Of a column the row of the bar counts in which the fill happens.
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
  /** Price moves by `coefficient` × the share of the bar's volume that is taken. */
  z.strictObject({ model: z.literal('volume-impact'), coefficient: z.number().min(0).max(1e6) }),
]);

const currencyCode = z
  .string()
  .regex(/^[A-Z]{3,6}$/, { error: (issue) => `"${String(issue.input)}" is no currency code such as EUR` });

/** What one symbol is traded in. */
export const instrumentSchema = z.strictObject({
  lot: lotStep.optional(),
  tick: step.optional(),
  minimumNotional: amount.optional(),
  /** What its prices are in; the account's currency where left out. */
  currency: currencyCode.optional(),
  /** Annual fee on the value of a short position, over the run's `financing.borrowRate`. */
  borrowRate: z.number().min(0).max(10).optional(),
  /** From when on it could be sold short and at what fee: a row holds until the next one. */
  borrow: z
    .array(
      z.strictObject({
        from: z.string().refine((text) => parseInstant(text) !== undefined, {
          error: (issue) => `"${String(issue.input)}" is no date such as 2020-03-01`,
        }),
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
});

/** Where the rate of a currency comes from: account currency for one unit of it. */
const currencySchema = z.strictObject({
  /** A symbol of the data or of `--fx`, or a fixed number. */
  rate: z.union([z.string().min(1), z.number().positive()]),
  /** The series says units for one of the account's currency: the rate is 1 over its price. */
  inverse: z.boolean().default(false),
  /** Whether the series can be traded too; otherwise it only gives rates and is no symbol of the run. */
  tradable: z.boolean().default(false),
});

/** Annual rates as fractions, charged by calendar days over 365. */
const financingSchema = z.strictObject({
  creditRate: z
    .number()
    .min(-1)
    .max(1)
    .optional()
    .describe('interest on cash beside short proceeds, annual: 0.02 is 2 % (default 0)'),
  debitRate: z.number().min(0).max(10).optional().describe('interest on borrowed cash, annual (default 0)'),
  borrowRate: z
    .number()
    .min(0)
    .max(10)
    .optional()
    .describe('fee on the value of short positions, annual (default 0)'),
});

/** Limits that no order may break; what is left out is not limited. Shares are fractions of equity. */
const riskSchema = z.strictObject({
  maxPosition: multiple.optional().describe('one position, as a multiple of equity: 0.2 is 20 %'),
  maxGrossExposure: multiple.optional().describe('all positions together, long and short added up'),
  maxNetExposure: multiple.optional().describe('long less short'),
  maxOpenPositions: z.number().int().min(1).max(1e6).optional().describe('positions open at a time'),
  maxOrderNotional: z.number().positive().max(1e15).optional().describe('value of one order'),
  noShort: z.boolean().optional().describe('refuse orders that would open a short position'),
  maxDailyLoss: z
    .number()
    .positive()
    .max(1)
    .optional()
    .describe(
      'loss of a day, since the last equity of the day before, after which nothing more is opened that day: 0.03 is 3 %',
    ),
  maxDrawdown: z
    .number()
    .positive()
    .max(1)
    .optional()
    .describe('fall from the peak after which nothing more is ever opened'),
  flattenOnHalt: z.boolean().optional().describe('close everything when the drawdown limit is reached'),
  cooldownBars: z
    .number()
    .int()
    .min(1)
    .max(1e9)
    .optional()
    .describe('bars after a losing exit in which a symbol is not opened again'),
});

/** The trading terms of a run. Rates are fractions; basis points are 1/10,000. */
export const brokerSettingsSchema = z.strictObject({
  commissionRate: fraction(0.999_999)
    .default(0)
    .describe('commission as a fraction of each fill: 0.002 is 0.2 % (default 0)'),
  commission: commissionSchema.optional().describe('commission by a model of its own'),
  slippageBps: basisPoints.default(0).describe('slippage of market fills in basis points (default 0)'),
  slippage: slippageSchema.optional().describe('slippage by a model of its own'),
  leverage: z.number().min(1).max(1_000).default(1).describe('notional a unit of equity carries (default 1)'),
  maintenanceMargin: fraction(1)
    .nullable()
    .default(null)
    .describe(
      'equity below this share of gross exposure is liquidated (default half of 1/leverage; 0 for never, as without leverage)',
    ),
  lot: lotStep.default(1).describe('smallest quantity and step of quantities (default 1)'),
  tick: step.optional().describe('step of prices (default none)'),
  instruments: z.record(z.string(), instrumentSchema).default({}).describe("one symbol's own terms"),
  allowShort: z.boolean().default(true).describe('whether orders may open a short position (default true)'),
  limitNeedsThrough: z
    .boolean()
    .default(false)
    .describe('a limit needs the price to go through it, not just touch it'),
  participation: z
    .number()
    .positive()
    .max(1)
    .optional()
    .describe("most of a bar's volume that fills may take (default all)"),
  fillOn: z
    .enum(['open', 'close'])
    .default('open')
    .describe(
      'market orders fill at the next open, or at the close they were decided on: open or close (default open; close puts a warning on the run)',
    ),
  resolve: z
    .enum(['worst', 'best'])
    .default('worst')
    .describe('of a bar that allows several outcomes, book the worst or the best (default worst)'),
  mark: z
    .enum(['close', 'open'])
    .optional()
    .describe('value positions at their closes or their opens: close or open (default close)'),
  risk: riskSchema.default({}),
  lots: z
    .enum(['fifo', 'average'])
    .default('fifo')
    .describe('match closed units with their cost by fifo or average (default fifo)'),
  currency: currencyCode.optional().describe("the account's currency (default USD)"),
  currencies: z
    .record(currencyCode, currencySchema)
    .default({})
    .describe('rates of other currencies, by their code'),
  financing: financingSchema.default({}),
});

export const COMMISSION_MODELS = ['rate', 'fixed', 'per-share', 'tiered', 'maker-taker'] as const;
export const SLIPPAGE_MODELS = ['bps', 'fixed', 'spread', 'volume-impact'] as const;

/** Columns of the data beside the bars that the settings need. */
export function neededColumns({ slippage }: { readonly slippage?: SlippageSettings | undefined }): string[] {
  if (slippage?.model !== 'spread') return [];
  return [slippage.column, slippage.bid, slippage.ask].filter((name) => name !== undefined);
}

/** The maintenance margin of a run: with leverage and none given, half of the initial requirement. */
export function maintenanceMarginOf({
  leverage,
  maintenanceMargin,
}: Pick<BrokerSettings, 'leverage' | 'maintenanceMargin'>): number {
  return maintenanceMargin ?? (leverage > 1 ? 0.5 / leverage : 0);
}

export type BrokerSettings = z.infer<typeof brokerSettingsSchema>;
export type CommissionSettings = z.infer<typeof commissionSchema>;
export type SlippageSettings = z.infer<typeof slippageSchema>;
export type RiskSettings = z.infer<typeof riskSchema>;
