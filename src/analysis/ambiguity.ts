import { z } from 'zod';
import type { RunRecord } from '../journal/index.ts';
import { type Decimal, decimal, decimalString, ZERO } from '../kernel/index.ts';

/** What the bars of a run leave open: each bounds its own bar, and their sum is no bound of the run. */
export interface Ambiguity {
  /** Bars that allow several outcomes. */
  readonly ambiguousBars: number;
  /** Fills that not all outcomes of their bar have. */
  readonly ambiguousFills: number;
  /** The sum over those bars of better less worse equity at the close. */
  readonly ambiguityDifference: string;
}

export function ambiguityOf({ bars, fills }: Pick<RunRecord, 'bars' | 'fills'>): Ambiguity {
  const ambiguous = fills.filter((fill) => fill.ambiguous === true);
  const differences: Decimal[] = [];
  for (const { ambiguity } of bars)
    if (ambiguity !== undefined) differences.push(decimal(ambiguity.better).minus(ambiguity.worse));
  // Journals of before say it with the fills alone.
  const older = differences.length === 0 ? ambiguous : [];
  const all = [...differences, ...older.map(({ gainIfOther }) => decimal(gainIfOther ?? '0'))];
  return {
    ambiguousBars: differences.length + new Set(older.map(({ bar }) => bar)).size,
    ambiguousFills: ambiguous.length,
    ambiguityDifference: decimalString(all.reduce((sum, difference) => sum.plus(difference), ZERO)),
  };
}

const settingsSchema = z.object({ resolve: z.enum(['worst', 'best']).default('worst') });

/** Which outcome a run has booked of its ambiguous bars. */
export function resolveOf({ started }: Pick<RunRecord, 'started'>): 'worst' | 'best' {
  return settingsSchema.safeParse(started.settings).data?.resolve ?? 'worst';
}
