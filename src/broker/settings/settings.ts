import { z } from 'zod';
import { EXACT_ONE, Exact, parseInstant } from '../../kernel/index.ts';
import { auctionBarsSchema, isSessionText, isZone } from '../../market/index.ts';
import {
  amount,
  basisPoints,
  commissionSchema,
  currencyCode,
  fraction,
  lotStep,
  multiple,
  type SlippageSettings,
  slippageSchema,
  step,
} from '../costs/cost-schema.ts';

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
    /** Money per tick: tick × multiplier, in the instrument's currency. An alternative to `multiplier`. */
    tickValue: step.optional(),
    /**
     * Initial margin of one unit, in the instrument's currency. A position deposits this margin instead of
     * paying the price.
     */
    margin: amount.refine((value) => value > 0, 'must be above 0').optional(),
    /** Maintenance margin per unit. Default: half of the margin. */
    maintenanceMargin: amount.optional(),
    /** Leverage of this symbol. Default: the run's leverage. */
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
    /** Time zone of `hours`. Default: UTC. */
    timezone: z.string().refine(isZone, 'must be a time zone such as America/New_York').optional(),
    /** First (`firstTrade`) and last (`expiry`) day on which the symbol is traded. */
    firstTrade: dayText.optional(),
    expiry: dayText.optional(),
    /**
     * Bars in which the symbol is traded. Replaces hours and trading days in a run that hides real dates. Set
     * by the program, not by users.
     */
    tradedBars: z
      .strictObject({
        /**
         * Alternating numbers of consecutive bars in which the symbol is not traded and traded, starting with
         * not traded.
         */
        runs: z.array(z.number().int().min(0)),
        /** Index of the last bar whose day is not after the expiry. */
        last: z.number().int().optional(),
      })
      .optional(),
    /**
     * Bars with auctions. Replaces `hours` in a run that hides real dates. Set by the program, not by users.
     */
    auctionBars: auctionBarsSchema.optional(),
    /**
     * Annual fee as a fraction of the value of a short position. Replaces the run's `financing.borrowRate`.
     */
    borrowRate: z.number().min(0).max(10).optional(),
    /** Availability and fee for short selling by date. Each row applies until the date of the next row. */
    borrow: z
      .array(
        z.strictObject({
          from: dateText,
          /** Annual fee as a fraction of the position's value. Default: `borrowRate`. */
          rate: z.number().min(0).max(10).optional(),
          /** True if shares can be borrowed for a short sale. Default true. */
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
    /**
     * Names of the instrument that can occur in texts, such as company and product names. A run that hides
     * symbols replaces these names in texts.
     */
    names: z.array(z.string().trim().min(3, 'a name needs at least three letters')).max(100).optional(),
    /**
     * Factors by which masking (disguising the data from a model) has multiplied prices and traded value.
     * Settings that apply to all symbols are converted with them. Set by the program, not by users.
     */
    scale: z
      .strictObject({
        /** Factor of prices. Converts slippage in money per unit. */
        price: z.number().positive(),
        /** Factor of traded value. Converts slippage that depends on the share of a bar's volume. */
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

/** Maximum number of decimal places of a multiplier that is computed as `tickValue` / `tick`. */
const MOST_PLACES = 12;

/** Returns the money per point of price. `undefined` if `tickValue` / `tick` has too many decimal places. */
export function multiplierOf({
  multiplier,
  tick,
  tickValue,
}: Pick<InstrumentSettings, 'multiplier' | 'tick' | 'tickValue'>): Exact | undefined {
  // Callers compare with `EXACT_ONE` by identity as a fast check for "no multiplier".
  if (multiplier !== undefined) return multiplier === 1 ? EXACT_ONE : Exact.of(multiplier);
  if (tick === undefined || tickValue === undefined || tick === tickValue) return EXACT_ONE;
  const exact = Exact.of(tickValue).dividedToPlaces(Exact.of(tick), MOST_PLACES);
  return exact.times(Exact.of(tick)).equals(Exact.of(tickValue)) ? exact : undefined;
}

/** Exchange rate of a currency: units of the account's currency per unit of this currency. */
const currencySchema = z.strictObject({
  /** Source of the rate: a symbol of the data, a symbol of the files given with `--fx`, or a fixed number. */
  rate: z.union([z.string().min(1), z.number().positive()]),
  /**
   * If true, the prices of the series are units of this currency per unit of the account's currency. The rate
   * is then 1 / price.
   */
  inverse: z.boolean().default(false),
  /**
   * If true, the series can also be traded. Otherwise it only provides rates and is not a symbol of the run.
   */
  tradable: z.boolean().default(false),
});

/** Annual rates as fractions, charged by calendar days divided by 365. */
const financingSchema = z.strictObject({
  creditRate: z
    .number()
    .min(-1)
    .max(1)
    .optional()
    .describe('annual interest on cash, without short proceeds: 0.02 is 2 % (default 0)'),
  debitRate: z.number().min(0).max(10).optional().describe('annual interest on borrowed cash (default 0)'),
  borrowRate: z
    .number()
    .min(0)
    .max(10)
    .optional()
    .describe('annual fee on the value of short positions (default 0)'),
});

/** Risk limits of a run. Omitted limits do not apply. Fractions and multiples refer to the equity. */
const riskSchema = z.strictObject({
  maxPosition: multiple.optional().describe('one position, as a multiple of equity: 0.2 is 20 %'),
  maxGrossExposure: multiple.optional().describe('all positions together, long and short added up'),
  maxNetExposure: multiple.optional().describe('long minus short positions'),
  maxOpenPositions: z.number().int().min(1).max(1e6).optional().describe('maximum number of open positions'),
  maxOrderNotional: z.number().positive().max(1e15).optional().describe('value of one order'),
  noShort: z.boolean().optional().describe('reject orders that would open a short position'),
  maxDailyLoss: z
    .number()
    .positive()
    .max(1)
    .optional()
    .describe(
      'daily loss, from the last equity of the previous day, after which no positions are opened that day: 0.03 is 3 %',
    ),
  maxDrawdown: z
    .number()
    .positive()
    .max(1)
    .optional()
    .describe('drawdown after which no positions are opened for the rest of the run'),
  flattenOnHalt: z.boolean().optional().describe('close everything when the drawdown limit is reached'),
  cooldownBars: z
    .number()
    .int()
    .min(1)
    .max(1e9)
    .optional()
    .describe('bars after a losing exit during which the symbol cannot be opened again'),
});

/** Trading terms of a run. Rates are fractions; basis points are 1/10,000. */
export const brokerSettingsSchema = z.strictObject({
  commissionRate: fraction(0.999_999)
    .default(0)
    .describe('commission as a fraction of each fill: 0.002 is 0.2 % (default 0)'),
  commission: commissionSchema.optional().describe('commission by a custom model'),
  slippageBps: basisPoints.default(0).describe('slippage of market fills in basis points (default 0)'),
  slippage: slippageSchema.optional().describe('slippage by a custom model'),
  leverage: z
    .number()
    .min(1)
    .max(1_000)
    .default(1)
    .describe('maximum notional per unit of equity (default 1)'),
  maintenanceMargin: fraction(1)
    .nullable()
    .default(null)
    .describe(
      'share of gross exposure below which equity causes liquidation (default half of 1/leverage; 0, or no leverage, for never)',
    ),
  lot: lotStep.default(1).describe('smallest quantity and step of quantities (default 1)'),
  tick: step.optional().describe('step of prices (default none)'),
  instruments: z.record(z.string(), instrumentSchema).default({}).describe('terms of a single symbol'),
  allowShort: z.boolean().default(true).describe('if true, orders may open short positions (default true)'),
  limitNeedsThrough: z
    .boolean()
    .default(false)
    .describe('a limit order fills only if the price passes through its limit, not at a touch'),
  participation: z
    .number()
    .positive()
    .max(1)
    .optional()
    .describe("largest share of a bar's volume that fills may use (default all)"),
  fillOn: z
    .enum(['open', 'close'])
    .default('open')
    .describe(
      'market orders fill at the next open, or at the close they were decided on: open or close (default open; close puts a warning on the run)',
    ),
  resolve: z
    .enum(['worst', 'best'])
    .default('worst')
    .describe('outcome of an ambiguous bar: worst or best (default worst)'),
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
    .describe('exchange rates of other currencies, by currency code'),
  financing: financingSchema.default({}),
});

/** Returns the additional data columns that the settings require. */
export function neededColumns({ slippage }: { readonly slippage?: SlippageSettings | undefined }): string[] {
  if (slippage?.model !== 'spread') return [];
  return [slippage.column, slippage.bid, slippage.ask].filter((name) => name !== undefined);
}

/**
 * Returns the maintenance margin of a run, as a fraction of exposure. Default: half of the initial margin
 * with leverage, 0 without leverage.
 */
export function maintenanceMarginOf({
  leverage,
  maintenanceMargin,
}: Pick<BrokerSettings, 'leverage' | 'maintenanceMargin'>): number {
  return maintenanceMargin ?? (leverage > 1 ? 0.5 / leverage : 0);
}

export type BrokerSettings = z.infer<typeof brokerSettingsSchema>;
export type RiskSettings = z.infer<typeof riskSchema>;
