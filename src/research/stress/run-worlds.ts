import { availableParallelism } from 'node:os';
import { type Budget, RULE_TIMEOUT_SECONDS } from '../../agent/index.ts';
import type { WorldRow } from '../../analysis/index.ts';
import type { RunContext } from '../../runner/index.ts';
import type { StressRequest } from './request.ts';
import { hasThreads, worldPool } from './threads.ts';
import type { Spent, WorldRunner } from './world-runner.ts';

/** Bars of all worlds together below which starting threads takes longer than they save. */
const WORTH_THREADS = 200_000;

export interface WorldsUnderWay {
  readonly request: StressRequest;
  readonly runner: WorldRunner;
  readonly context: RunContext;
  readonly signal: AbortSignal;
  /** Worlds to run, rising. */
  readonly worlds: readonly number[];
  /** Spent before. */
  readonly spent: Spent;
  /** Given each world's row as soon as it is there, in any order. */
  readonly done: (row: WorldRow, spent: Spent | undefined) => void;
  /** Given what has been spent with a world that came to no end. */
  readonly paid: (spent: Spent) => void;
}

export interface WorldsEnd {
  /** Whether a budget ended it before the last. */
  readonly isExhausted: boolean;
  /** Why a model could not be asked further. */
  readonly stopped?: string;
}

/**
 * Runs worlds, on several threads where that pays. Which world is run where changes nothing: each is made of its number.
 */
export async function runWorlds(under: WorldsUnderWay): Promise<WorldsEnd> {
  if (under.runner.strategy.kind === 'llm') return withinBudget(under);
  const jobs = jobsFor(under);
  if (jobs === 1) {
    for (const world of under.worlds) {
      if (under.signal.aborted) break;
      const { row } = await under.runner.world(world, under.signal);
      // One that was stopped in the middle is begun again.
      if (!under.signal.aborted) under.done(row, undefined);
    }
    return { isExhausted: false };
  }
  const { request, context, runner } = under;
  const start = { request, environment: context.environment, pythonLimits: context.pythonLimits };
  const seconds = runner.settings.decisionTimeout ?? RULE_TIMEOUT_SECONDS;
  const pool = worldPool(start, jobs, seconds, (text) => context.observer.note(text.trimEnd()));
  try {
    for await (const row of pool.run(under.worlds, under.signal)) under.done(row, undefined);
  } finally {
    await pool.close();
  }
  return { isExhausted: false };
}

function jobsFor({ request, runner, worlds }: WorldsUnderWay): number {
  // Code in memory, and bars in memory, belong to this thread.
  if (typeof request.strategy !== 'string' || request.market !== undefined || !hasThreads()) return 1;
  const bars = worlds.length * runner.maker.facts.bars;
  const isSmall = bars < WORTH_THREADS && runner.strategy.tools.length === 0;
  const jobs = request.jobs ?? (isSmall ? 1 : availableParallelism());
  return Math.max(1, Math.min(jobs, worlds.length));
}

/** One world after the other, as far as the budget of all of them goes. */
async function withinBudget(under: WorldsUnderWay): Promise<WorldsEnd> {
  const { budget = {} } = under.request;
  let { spent } = under;
  const startedAt = performance.now();
  for (const world of under.worlds) {
    if (under.signal.aborted) break;
    const left = budgetLeft(budget, spent, (performance.now() - startedAt) / 1000);
    if (left === undefined) return { isExhausted: true };
    const ran = await under.runner.world(world, under.signal, left);
    if (ran.spent !== undefined)
      spent = {
        calls: spent.calls + ran.spent.calls,
        tokens: spent.tokens + ran.spent.tokens,
        usd: spent.usd + ran.spent.usd,
        isExhausted: false,
      };
    const { stopped } = ran;
    if (under.signal.aborted || stopped !== undefined || ran.spent?.isExhausted === true) under.paid(spent);
    if (stopped !== undefined) return { isExhausted: false, stopped };
    if (under.signal.aborted) break;
    if (ran.spent?.isExhausted === true) return { isExhausted: true };
    under.done(ran.row, spent);
  }
  return { isExhausted: false };
}

/** Undefined where nothing is left of one of the limits. */
function budgetLeft(budget: Budget, spent: Spent, seconds: number): Budget | undefined {
  const left: Budget = {
    ...(budget.calls === undefined ? {} : { calls: budget.calls - spent.calls }),
    ...(budget.tokens === undefined ? {} : { tokens: budget.tokens - spent.tokens }),
    ...(budget.usd === undefined ? {} : { usd: budget.usd - spent.usd }),
    ...(budget.seconds === undefined ? {} : { seconds: budget.seconds - seconds }),
  };
  return Object.values(left).some((amount) => amount !== undefined && amount <= 0) ? undefined : left;
}
