import { z } from 'zod';
import {
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
import { instrumentSchema } from './instrument-schema.ts';

/** Exchange rate of a currency: units of the account's currency per unit of this currency. */
const currencySchema = z.strictObject({
  /** A symbol of the data or of `--fx`, or a fixed number. */
  rate: z.union([z.string().min(1), z.number().positive()]),
  /**
   * If true, the series contains units of this currency per unit of the account's currency. The rate is then
   * 1 / price.
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

/** Limits that no order may exceed. Omitted limits do not apply. Shares are fractions of equity. */
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

/** Returns the maintenance margin of a run. Default with leverage: half of the initial requirement. */
export function maintenanceMarginOf({
  leverage,
  maintenanceMargin,
}: Pick<BrokerSettings, 'leverage' | 'maintenanceMargin'>): number {
  return maintenanceMargin ?? (leverage > 1 ? 0.5 / leverage : 0);
}

export type BrokerSettings = z.infer<typeof brokerSettingsSchema>;
export type RiskSettings = z.infer<typeof riskSchema>;
