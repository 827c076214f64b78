import { type Decimal, decimalString } from '../../../kernel/index.ts';
import { largest, mean, standardDeviation, type Undefined, undefinedBecause } from '../series/ratios.ts';

export { largest, mean, standardDeviation, type Undefined, undefinedBecause };

/**
 * Figure of a report: its value, or `null` with a reason, and the convention of its calculation. Ratios are
 * fractions: 0.05 is 5 %.
 */
export interface Figure<Value = number> {
  readonly value: Value | null;
  /** Reason why the value is `null`. Absent if the figure has a value. */
  readonly reason?: string;
  readonly convention: string;
}

/** Amount in the account's currency, as a decimal string. */
export type MoneyFigure = Figure<string>;

export const NO_BARS = undefinedBecause('no bar was processed');
export const NO_TRADES = undefinedBecause('no trade was closed');

/** Creates a figure from a number. Infinity and NaN become `null` with a reason. */
export function figure(convention: string, result: number | Undefined): Figure {
  if (typeof result !== 'number') return { value: null, reason: result.reason, convention };
  if (!Number.isFinite(result)) return { value: null, reason: 'too large for a number', convention };
  return { value: result === 0 ? 0 : result, convention };
}

export function moneyFigure(convention: string, result: Decimal | Undefined): MoneyFigure {
  if ('reason' in result) return { value: null, reason: result.reason, convention };
  return { value: decimalString(result), convention };
}
