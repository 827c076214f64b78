import type { RandomDraws } from './study-random.ts';

/** Difference of returns below which two returns are equal. */
const EQUAL = 1e-12;

/**
 * Returns the rank of an arm among its random agents: the share of them that did worse, ties as half, and p, the
 * share that did at least as well, the arm included.
 *
 * The lower one of two returns is ranked: that of the arm, and that of the same trades made by the agent that makes the
 * random ones. Random agents of an arm that is always in the market barely differ. Without the second return, a
 * difference in prices and sizes of orders alone could be better than all of them.
 *
 * @param score mean total return of the arm
 */
export function rankAmongRandom(
  score: number,
  { returns, repeated }: Pick<RandomDraws, 'returns' | 'repeated'>,
): { readonly percentile: number; readonly p: number } {
  const judged = Math.min(score, repeated);
  const below = returns.filter((value) => value < judged - EQUAL).length;
  const ties = returns.filter((value) => Math.abs(value - judged) <= EQUAL).length;
  return {
    percentile: (below + ties / 2) / returns.length,
    p: (1 + returns.length - below) / (1 + returns.length),
  };
}
