import { z } from 'zod';
import type { RunRecord } from '../../../journal/index.ts';
import { type Decimal, decimal, decimalString, ZERO } from '../../../kernel/index.ts';

/**
 * Ambiguity of a run: bars whose prices allow several outcomes. Each difference bounds its own bar. The sum
 * of the differences does not bound the run.
 */
export interface Ambiguity {
  /** Bars that allow several outcomes. */
  readonly ambiguousBars: number;
  /** Number of fills that occur in only some outcomes of their bar. */
  readonly ambiguousFills: number;
  /** Sum over these bars of the better equity at the close minus the worse one. */
  readonly ambiguityDifference: string;
}

export function ambiguityOf({ bars, fills }: Pick<RunRecord, 'bars' | 'fills'>): Ambiguity {
  const ambiguous = fills.filter((fill) => fill.ambiguous === true);
  const differences: Decimal[] = [];
  for (const { ambiguity } of bars)
    if (ambiguity !== undefined) differences.push(decimal(ambiguity.better).minus(ambiguity.worse));
  // Older journals record the difference only with the fills.
  const older = differences.length === 0 ? ambiguous : [];
  const all = [...differences, ...older.map(({ gainIfOther }) => decimal(gainIfOther ?? '0'))];
  return {
    ambiguousBars: differences.length + new Set(older.map(({ bar }) => bar)).size,
    ambiguousFills: ambiguous.length,
    ambiguityDifference: decimalString(all.reduce((sum, difference) => sum.plus(difference), ZERO)),
  };
}

const settingsSchema = z.object({ resolve: z.enum(['worst', 'best']).default('worst') });

/** Returns the outcome that a run booked for its ambiguous bars. */
export function resolveOf({ started }: Pick<RunRecord, 'started'>): 'worst' | 'best' {
  return settingsSchema.safeParse(started.settings).data?.resolve ?? 'worst';
}
