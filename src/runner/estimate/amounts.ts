import { existsSync, statSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { readJournal } from '../../journal/index.ts';
import { AppError } from '../../kernel/index.ts';
import { filesBelow } from '../../results/runs/index.ts';

const JOURNAL = 'journal.jsonl';

/** Model usage of one decision. A field is `null` if its value is unknown. */
export interface DecisionUsage {
  readonly requests: number;
  /** Input and output tokens together. `null` if unknown. */
  readonly tokens: number | null;
  readonly usd: number | null;
}

/** Expected amount with a lower and an upper bound. */
export interface Amount {
  readonly expected: number;
  readonly low: number;
  readonly high: number;
}

/** Estimated costs of a run. An amount is `null` if it is unknown. */
export interface CostEstimate {
  /** Number of decisions in the whole run. */
  readonly decisions: number;
  readonly requests: Amount;
  readonly tokens: Amount | null;
  readonly usd: Amount | null;
  /**
   * Source of the estimate: one trial decision, or the decisions of recorded runs. `observed` is the number
   * of decisions in this source.
   */
  readonly basis: 'one decision' | 'recorded runs';
  readonly observed: number;
}

/**
 * Lower and upper bound as a multiple of the expected amount, if only one decision is known. One decision
 * does not show how much decisions differ.
 */
const [LEAST, MOST] = [0.5, 3];
/** Number of standard deviations for a two-sided 95 % interval of a normal distribution. */
const SPREAD = 1.96;

/**
 * Estimates the total usage of a number of decisions from observed decisions. If several were observed, the
 * range is a 95 % prediction interval of the sum. It includes both the spread of decisions and the
 * uncertainty of their mean. If one was observed, the range is from half to three times the expected amount.
 */
export function estimateDecisions(
  decisions: number,
  observed: readonly DecisionUsage[],
  basis: CostEstimate['basis'],
): CostEstimate {
  const of = (value: (usage: DecisionUsage) => number | null): Amount | null => {
    const values = observed.map(value);
    return values.length === 0 || values.includes(null) ? null : amountOf(decisions, values as number[]);
  };
  return {
    decisions,
    requests: of(({ requests }) => requests) ?? { expected: 0, low: 0, high: 0 },
    tokens: of(({ tokens }) => tokens),
    usd: of(({ usd }) => usd),
    basis,
    observed: observed.length,
  };
}

function amountOf(decisions: number, values: readonly number[]): Amount {
  const count = values.length;
  const mean = values.reduce((sum, value) => sum + value, 0) / count;
  const expected = decisions * mean;
  if (count === 1) return { expected, low: expected * LEAST, high: expected * MOST };
  const variance = values.reduce((sum, value) => sum + (value - mean) ** 2, 0) / (count - 1);
  const reach = SPREAD * Math.sqrt(variance * (decisions + decisions ** 2 / count));
  return { expected, low: Math.max(0, expected - reach), high: expected + reach };
}

/**
 * Adds estimates of independent runs. The lower and upper bounds are also added, so the range of the sum is
 * wider than necessary.
 */
export function sumOf(estimates: readonly CostEstimate[]): CostEstimate {
  const add = (one: Amount | null, other: Amount | null): Amount | null =>
    one === null || other === null
      ? null
      : {
          expected: one.expected + other.expected,
          low: one.low + other.low,
          high: one.high + other.high,
        };
  const none = { expected: 0, low: 0, high: 0 };
  return estimates.reduce<CostEstimate>(
    (sum, one) => ({
      decisions: sum.decisions + one.decisions,
      requests: add(sum.requests, one.requests) ?? none,
      tokens: add(sum.tokens, one.tokens),
      usd: add(sum.usd, one.usd),
      basis: one.basis,
      observed: sum.observed + one.observed,
    }),
    { decisions: 0, requests: none, tokens: none, usd: none, basis: 'one decision', observed: 0 },
  );
}

/**
 * Returns the usage of each decision in recorded runs.
 *
 * @param paths run folders, or folders that contain runs. Other files are ignored
 * @throws AppError `bad_estimate` if the runs have no decisions of a model or agent
 */
export function recordedUsages(paths: readonly string[]): DecisionUsage[] {
  const runs = paths.flatMap(runsIn);
  const found = runs.flatMap((folder) => {
    const { decisions, exchanges } = readJournal(join(folder, JOURNAL));
    const requests = new Map<string, number>();
    const placeOf = ({ sample, bar }: { readonly sample: number; readonly bar: number }): string =>
      `${sample}/${bar}`;
    for (const exchange of exchanges)
      requests.set(placeOf(exchange), (requests.get(placeOf(exchange)) ?? 0) + 1);
    return decisions.map((decision) => usageOf(decision, requests.get(placeOf(decision)) ?? 1));
  });
  if (found.length > 0) return found;
  throw new AppError({
    code: 'bad_estimate',
    message: `No decision of a model or an agent is recorded in ${paths.join(', ')}.`,
    hint: 'Pass finished runs of the same strategy with --estimate-from, or use --estimate.',
  });
}

function runsIn(path: string): string[] {
  if (!existsSync(path) || !statSync(path).isDirectory()) return [];
  return filesBelow(path)
    .filter((file) => basename(file) === JOURNAL)
    .map((file) => dirname(join(path, file)));
}

/** Returns the usage of one decision. */
export function usageOf(
  decision: {
    readonly usage: { readonly input: number; readonly output: number };
    readonly cost: string | null;
  },
  requests: number,
): DecisionUsage {
  const { usage, cost } = decision;
  const tokens = usage.input + usage.output;
  // If an agent reports no usage, its number of tokens is unknown.
  return { requests, tokens: tokens === 0 ? null : tokens, usd: cost === null ? null : Number(cost) };
}
