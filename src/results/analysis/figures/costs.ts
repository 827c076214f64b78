import { z } from 'zod';
import { amountsOfBars, NO_EXPOSURE } from '../../../engine/index.ts';
import type { EventOf, RunRecord } from '../../../journal/index.ts';
import { type Decimal, decimal, decimalString, EXACT_ZERO, Exact, ZERO } from '../../../kernel/index.ts';
import { type EquityColumns, reportSettings } from './equity.ts';
import { mean, NO_BARS, type Undefined, undefinedBecause } from './figures.ts';
import { modelUsage } from './model-usage.ts';
import { calendarDays } from './returns.ts';
import { DAYS_PER_YEAR } from './sessions.ts';

/** Trading costs in the account's currency. */
export interface TradingCosts {
  readonly commission: Decimal;
  /**
   * Cost of slippage: sum over all fills of quantity × difference between the fill price and the price before
   * slippage. Positive if the fills were worse than without slippage.
   */
  readonly slippage: Decimal;
  /** Sum of quantity × price × multiplier over all fills. */
  readonly tradedNotional: Decimal;
}

/** Sum of cash movements other than fills, by kind. A sum is negative if the account paid it. */
export type CashMoved = Readonly<Record<EventOf<'cash_entry'>['kind'], Decimal>>;

export function cashMoved(record: RunRecord): CashMoved {
  const moved = { dividend: ZERO, borrow_fee: ZERO, interest: ZERO, margin_interest: ZERO, funding: ZERO };
  for (const { kind, amount } of record.cashEntries) moved[kind] = moved[kind].plus(amount);
  return moved;
}

/** Costs and notional of one fill, in the account's currency. */
export interface FillAmounts {
  readonly commission: Exact;
  /**
   * Quantity × difference between the fill price and the price before slippage. Positive if the fill was
   * worse than without slippage.
   */
  readonly slippage: Exact;
  readonly notional: Exact;
}

export function fillAmounts(fill: EventOf<'order_filled'>): FillAmounts {
  const price = Exact.of(fill.price);
  const above = price.minus(Exact.of(fill.priceBeforeSlippage));
  const units = pointValueOf(Exact.of(fill.quantity), fill);
  return {
    commission: Exact.of(fill.commission),
    slippage: above.isZero() ? EXACT_ZERO : (fill.side === 'buy' ? above : above.negated()).times(units),
    notional: price.times(units),
  };
}

export function tradingCosts(record: RunRecord): TradingCosts {
  let commission = EXACT_ZERO;
  let slippage = EXACT_ZERO;
  let tradedNotional = EXACT_ZERO;
  for (const fill of record.fills) {
    const amounts = fillAmounts(fill);
    commission = commission.plus(amounts.commission);
    if (!amounts.slippage.isZero()) slippage = slippage.plus(amounts.slippage);
    tradedNotional = tradedNotional.plus(amounts.notional);
  }
  return {
    commission: record.commissionPaid === null ? commission.toDecimal() : decimal(record.commissionPaid),
    slippage: slippage.toDecimal(),
    tradedNotional: tradedNotional.toDecimal(),
  };
}

/**
 * Returns the change in value of a fill's units if the price rises by 1. The price is in the instrument's
 * currency, the result in the account's currency.
 */
export function pointValueOf(
  quantity: Exact,
  { rate, multiplier }: { readonly rate?: string | undefined; readonly multiplier?: string | undefined },
): Exact {
  const units = multiplier === undefined ? quantity : quantity.times(Exact.of(multiplier));
  return rate === undefined ? units : units.times(Exact.of(rate));
}

/**
 * Returns the total return that the run would have without the given costs. The costs are added to the final
 * equity. Fills and quantities do not change.
 */
export function returnBefore(
  costs: Decimal,
  finalEquity: string | undefined,
  initialCash: Decimal,
): number | Undefined {
  if (finalEquity === undefined) return NO_BARS;
  return decimal(finalEquity).plus(costs).dividedBy(initialCash).minus(1).toNumber();
}

/**
 * Share of bars with a position. Exposure is undefined at a bar whose equity is not positive. Such a bar has
 * a position if its equity differs from its cash.
 */
export function timeInMarket(record: RunRecord): number | Undefined {
  const { bars } = record;
  if (bars.length === 0) return NO_BARS;
  let held = 0;
  const exposures = positiveExposures(bars);
  if (exposures !== undefined) {
    for (let index = 0; index < exposures.length; index++) if (exposures[index]! > 0) held += 1;
    return held / bars.length;
  }
  for (const bar of bars) if (bar.exposure === null ? bar.cash !== bar.equity : bar.exposure > 0) held += 1;
  return held / bars.length;
}

/**
 * Returns the exposures of a record whose bars are stored in columns. `undefined` for other records, and if
 * the equity of a bar is not positive.
 */
function positiveExposures(bars: RunRecord['bars']): Float64Array | undefined {
  const exposures = amountsOfBars(bars)?.exposures.subarray(bars[0]!.bar, bars.at(-1)!.bar + 1);
  return exposures?.includes(NO_EXPOSURE) === false ? exposures : undefined;
}

/** Mean over all bars of the exposure: sum of the absolute values of all positions, divided by equity. */
export function meanExposure(record: RunRecord): number | Undefined {
  const { bars } = record;
  if (bars.length === 0) return NO_BARS;
  const exposures = positiveExposures(bars);
  if (exposures !== undefined) return mean(exposures);
  let sum = 0;
  let unknown = 0;
  for (const { exposure } of bars) {
    if (exposure === null) unknown += 1;
    else sum += exposure;
  }
  return unknown === 0
    ? sum / bars.length
    : undefinedBecause(`equity was not positive on ${unknown} of ${bars.length} bars`);
}

/**
 * Traded notional divided by mean bar equity, annualised.
 *
 * @param years length of the run. Default: calendar days from the first to the last bar.
 */
export function turnover(
  tradedNotional: Decimal,
  { equity, times }: EquityColumns,
  years = calendarDays(times) / DAYS_PER_YEAR,
): number | Undefined {
  if (equity.length === 0) return NO_BARS;
  if (years === 0) return undefinedBecause('the run covers a single instant');
  const meanEquity = mean(equity);
  if (!(meanEquity > 0)) return undefinedBecause('mean equity is not positive');
  return tradedNotional.toNumber() / meanEquity / years;
}

const money = z.string().regex(/^-?\d+(\.\d+)?$/, 'must be an amount as a decimal string');

/**
 * Step from gross to net profit. There is one step per kind of cost, for example commission. `returnBefore`
 * and `returnAfter` are returns on the initial cash before and after this cost.
 */
export const costStepSchema = z.strictObject({
  name: z.string(),
  /** Signed: negative if paid. `null` if unknown. */
  amount: money.nullable(),
  /** Total return before the cost. `null` if undefined or unknown. */
  returnBefore: z.number().nullable(),
  returnAfter: z.number().nullable(),
  /** Reason why the amount is unknown. */
  reason: z.string().optional(),
});
export type CostStep = z.infer<typeof costStepSchema>;

/** Name of the first step: profit of the same fills at prices before slippage, without any cost. */
const FROM_PRICES = 'From prices';
/** Name of the step for the cost of model tokens. This cost is not deducted from the equity. */
export const MODEL_TOKENS = 'Model tokens';

const CASH_STEPS: readonly (readonly [keyof CashMoved, string])[] = [
  ['borrow_fee', 'Borrow fees'],
  ['margin_interest', 'Margin interest'],
  ['funding', 'Funding'],
  ['interest', 'Interest'],
  ['dividend', 'Dividends'],
];

/**
 * Returns the exact steps from gross profit to profit after all costs. The equity already includes
 * commission, slippage, borrow fees and interest. It does not include the cost of the model's tokens. Fills
 * and quantities are the same in all steps.
 *
 * @returns steps in order. Empty for a run without a bar
 */
export function costSteps(record: RunRecord, { commission, slippage }: TradingCosts): CostStep[] {
  const finalEquity = record.bars.at(-1)?.equity;
  if (finalEquity === undefined) return [];
  const { cash } = reportSettings(record);
  const moved = cashMoved(record);
  const paid: (readonly [string, Decimal])[] = [
    ['Commission', commission.negated()],
    ['Slippage', slippage.negated()],
    ...CASH_STEPS.map(([kind, name]) => [name, moved[kind]] as const).filter(
      ([, amount]) => !amount.isZero(),
    ),
  ];
  const net = decimal(finalEquity).minus(cash);
  let left = paid.reduce((rest, [, amount]) => rest.minus(amount), net);
  const share = (amount: Decimal): number => amount.dividedBy(cash).toNumber() || 0;
  const step = (name: string, amount: Decimal, before: Decimal): CostStep => ({
    name,
    amount: decimalString(amount),
    returnBefore: share(before),
    returnAfter: share(before.plus(amount)),
  });
  const steps = [step(FROM_PRICES, left, left.minus(left))];
  for (const [name, amount] of paid) {
    steps.push(step(name, amount, left));
    left = left.plus(amount);
  }
  const tokens = modelCost(record);
  if (tokens === undefined) return steps;
  if ('reason' in tokens)
    steps.push({
      name: MODEL_TOKENS,
      amount: null,
      returnBefore: share(left),
      returnAfter: null,
      reason: tokens.reason,
    });
  else steps.push(step(MODEL_TOKENS, tokens.negated(), left));
  return steps;
}

/**
 * Returns the total return minus the cost of the model's tokens. Equals the total return for a run without a
 * model.
 */
export function returnAfterModel(steps: readonly CostStep[]): number | Undefined {
  const last = steps.at(-1);
  if (last === undefined) return NO_BARS;
  return last.returnAfter ?? undefinedBecause(last.reason ?? 'the cost of the model is not known');
}

/**
 * Returns the cost of the model's tokens in the account's currency. Returns `undefined` without a model, and
 * a reason if the cost is unknown.
 */
function modelCost(record: RunRecord): Decimal | Undefined | undefined {
  const usage = modelUsage(record, 0);
  if (usage === null) return undefined;
  if (usage.cost === null)
    return undefinedBecause(
      usage.prices === null
        ? `the price of ${usage.model} is not known`
        : 'the tokens of some replies are not known',
    );
  const cost = decimal(usage.cost);
  const { currency = 'USD' } = record.started.settings as { readonly currency?: unknown };
  if (currency === 'USD' || cost.isZero()) return cost;
  return undefinedBecause(`tokens are paid in USD and the account is in ${String(currency)}`);
}
