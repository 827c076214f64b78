import type { Random } from '../../kernel/index.ts';

/** Number of right answers, compared with random assignments of the same answers to the questions. */
export interface PermutationScore {
  readonly right: number;
  /** Mean number of right answers over all assignments. */
  readonly expected: number;
  /**
   * Share of assignments with at least as many right answers as the actual assignment. Never 0, because the
   * actual assignment is one of them.
   */
  readonly probability: number;
}

/**
 * Fisher's exact test, one-sided. `probability` is the share of all assignments of the answers to the
 * questions that have at least as many right answers as the actual assignment.
 *
 * @param said answers of the model, true for up
 * @param truth actual directions, one for each answer
 */
export function fisherTest(said: readonly boolean[], truth: readonly boolean[]): PermutationScore {
  const count = said.length;
  const ups = truth.filter(Boolean).length;
  const saidUp = said.filter(Boolean).length;
  const both = said.filter((up, index) => up && truth[index]).length;
  // Number of right answers: answers "up" for rises, plus answers "down" for falls.
  const right = (upsOfUps: number): number => count - ups - saidUp + 2 * upsOfUps;
  const all = logChoose(count, saidUp);
  let probability = 0;
  for (let upsOfUps = both; upsOfUps <= Math.min(ups, saidUp); upsOfUps++)
    probability += Math.exp(logChoose(ups, upsOfUps) + logChoose(count - ups, saidUp - upsOfUps) - all);
  return {
    right: right(both),
    expected: count === 0 ? 0 : right((ups * saidUp) / count),
    probability: Math.min(probability, 1),
  };
}

/** Natural logarithm of the binomial coefficient. −∞ if the coefficient is 0. */
function logChoose(of: number, taken: number): number {
  if (taken < 0 || taken > of) return Number.NEGATIVE_INFINITY;
  let log = 0;
  for (let index = 1; index <= taken; index++) log += Math.log((of - taken + index) / index);
  return log;
}

/** Number of random assignments. Used if there are too many assignments to try all. */
const DRAWS = 9_999;
/** Maximum number of assignments that are tried exhaustively: 7! = 5,040. */
const MOST_WAYS = 5_040;

/**
 * Permutation test. Counts the matches between answers and questions. Compares this count with the counts of
 * other assignments of the answers. Answers are exchanged only within a group. A single group with at most
 * `MOST_WAYS` assignments is tested exhaustively. Otherwise `DRAWS` random assignments are drawn; the actual
 * assignment counts as one more (Phipson and Smyth, 2010).
 *
 * @param groups for each group, a square matrix that is true if answer i (row) matches question j (column)
 */
export function matchTest(
  groups: readonly (readonly (readonly boolean[])[])[],
  random: Random,
): PermutationScore {
  const hits = (matches: readonly (readonly boolean[])[], order: readonly number[]): number =>
    order.reduce((sum, question, answer) => sum + Number(matches[answer]![question]), 0);
  const given = groups.map((matches) => matches.map((_, index) => index));
  const right = groups.reduce((sum, matches, group) => sum + hits(matches, given[group]!), 0);
  const expected = groups.reduce(
    (sum, matches) => sum + matches.flat().filter(Boolean).length / Math.max(matches.length, 1),
    0,
  );
  const [only] = groups;
  if (groups.length === 1 && only !== undefined && factorial(only.length) <= MOST_WAYS) {
    const ways = permutations(only.length);
    const enough = ways.filter((order) => hits(only, order) >= right).length;
    return { right, expected, probability: enough / ways.length };
  }
  let enough = 1;
  for (let draw = 0; draw < DRAWS; draw++) {
    const sum = groups.reduce(
      (total, matches, group) => total + hits(matches, shuffled(given[group]!, random)),
      0,
    );
    if (sum >= right) enough += 1;
  }
  return { right, expected, probability: enough / (DRAWS + 1) };
}

function factorial(count: number): number {
  return count < 2 ? 1 : count * factorial(count - 1);
}

function permutations(count: number): number[][] {
  if (count === 0) return [[]];
  return permutations(count - 1).flatMap((order) =>
    Array.from({ length: count }, (_, place) => [...order.slice(0, place), count - 1, ...order.slice(place)]),
  );
}

/** Returns the items in random order (Fisher–Yates shuffle). */
function shuffled(items: readonly number[], random: Random): number[] {
  const order = [...items];
  for (let index = order.length - 1; index > 0; index--) {
    const other = random.integer(0, index);
    [order[index], order[other]] = [order[other]!, order[index]!];
  }
  return order;
}
