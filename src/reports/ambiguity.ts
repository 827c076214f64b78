import type { RunRecord } from '../journal/index.ts';
import { decimal, decimalString } from '../kernel/index.ts';

/** Fills whose bar left two answers open, and the final equity had the better ones been taken, all else equal. */
export interface Ambiguity {
  readonly ambiguousFills: number;
  readonly finalEquityIfBetter: string;
}

export function ambiguityOf({ fills }: Pick<RunRecord, 'fills'>, finalEquity: string): Ambiguity {
  const ambiguous = fills.filter((fill) => fill.ambiguous === true);
  const better = ambiguous.reduce(
    (sum, { gainIfOther }) => sum.plus(decimal(gainIfOther ?? '0')),
    decimal(finalEquity),
  );
  return { ambiguousFills: ambiguous.length, finalEquityIfBetter: decimalString(better) };
}
