import { z } from 'zod';
import type { RunRecord } from '../../../journal/index.ts';
import { type Decimal, decimal, decimalString } from '../../../kernel/index.ts';
import { type CashMoved, cashMoved, type TradingCosts } from './costs.ts';
import { reportSettings } from './equity.ts';
import { NO_BARS, type Undefined, undefinedBecause } from './figures.ts';
import { modelUsage } from './model-usage.ts';

const money = z.string().regex(/^-?\d+(\.\d+)?$/, 'must be an amount as a decimal string');

/** Step from gross to net profit. The returns before and after it are relative to the initial cash. */
export const costStepSchema = z.strictObject({
  name: z.string(),
  /** Signed: negative if paid. `null` if unknown. */
  amount: money.nullable(),
  /** `null` if undefined or unknown. */
  returnBefore: z.number().nullable(),
  returnAfter: z.number().nullable(),
  /** Reason why the amount is unknown. */
  reason: z.string().optional(),
});
export type CostStep = z.infer<typeof costStepSchema>;

/** First step: profit of the same fills at the rule's prices, without any cost. */
const FROM_PRICES = 'From prices';
/** Step that is not deducted from the equity. */
export const MODEL_TOKENS = 'Model tokens';

const CASH_STEPS: readonly (readonly [keyof CashMoved, string])[] = [
  ['borrow_fee', 'Borrow fees'],
  ['margin_interest', 'Margin interest'],
  ['funding', 'Funding'],
  ['interest', 'Interest'],
  ['dividend', 'Dividends'],
];

/**
 * Returns the exact steps from gross profit to profit after all costs. Commission, slippage, borrow fees and
 * interest are deducted from the equity; the model's tokens are not. Each cost is added back for the same
 * fills and quantities.
 *
 * @returns no steps for a run without a bar
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

/** Returns the cost of the model's tokens in the account's currency. `undefined` without a model. */
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
