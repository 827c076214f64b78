import { availableParallelism } from 'node:os';
import { type Budget, type Environment, RULE_TIMEOUT_SECONDS } from '../../agents/index.ts';
import { builtPlace } from '../../kernel/index.ts';
import type { WorldRow } from '../../results/analysis/index.ts';
import type { RunContext } from '../../runner/index.ts';
import { isBuilt, ThreadPool, type ThreadStart } from '../workers/thread-pool.ts';
import { failedRow, type Spent, type StressRequest, type WorldRunner } from './world-runner.ts';

/** Start data of a thread of a stress test. */
export interface WorldThreadStart extends ThreadStart {
  readonly request: StressRequest;
  readonly environment: Environment;
  readonly pythonLimits: RunContext['pythonLimits'];
}

const SCRIPT = builtPlace('research/stress/world-thread.js');

/**
 * Creates a pool that runs worlds (artificial markets) in threads of this process. If the test is stopped,
 * running worlds are aborted. A resumed test runs these worlds from the beginning.
 *
 * @param seconds time without a decision after which a world has failed
 * @param print called with text that strategies print
 */
function worldPool(
  start: Omit<WorldThreadStart, 'heartbeat'>,
  jobs: number,
  seconds: number,
  print: (text: string) => void,
): ThreadPool<number, WorldRow> {
  return new ThreadPool({ script: SCRIPT, start, jobs, seconds, print, finishes: false, lost: failedRow });
}

/**
 * Returns true if the compiled script of a thread exists. Without the script, worlds run in the main thread.
 */
function hasThreads(): boolean {
  return isBuilt(SCRIPT);
}

/**
 * Minimum total number of bars in all worlds (artificial markets) for which threads are used. With fewer
 * bars, the start of threads takes longer than the time they save.
 */
const WORTH_THREADS = 200_000;

interface WorldsUnderWay {
  readonly request: StressRequest;
  readonly runner: WorldRunner;
  readonly context: RunContext;
  readonly signal: AbortSignal;
  /** Numbers of the worlds to run, ascending. */
  readonly worlds: readonly number[];
  /** Model usage of the test before the first of `worlds` runs. */
  readonly spent: Spent;
  /**
   * Called after each finished world, with its result and the total model usage so far. `spent` is
   * `undefined` for a strategy that does not call a model.
   */
  readonly done: (row: WorldRow, spent: Spent | undefined) => void;
  /** Called with the total model usage so far, after a world that did not finish. */
  readonly paid: (spent: Spent) => void;
}

interface WorldsEnd {
  /** True if the budget was exhausted before the last world. */
  readonly isExhausted: boolean;
  /** Error after which no further model request is possible. Omitted if no such error occurred. */
  readonly stopped?: string;
}

/**
 * Runs worlds (artificial markets), in several threads if this saves time. The result of a world does not
 * depend on its thread.
 */
export async function runWorlds(under: WorldsUnderWay): Promise<WorldsEnd> {
  if (under.runner.strategy.kind === 'llm') return withinBudget(under);
  const jobs = jobsFor(under);
  if (jobs === 1) {
    for (const world of under.worlds) {
      if (under.signal.aborted) break;
      const { row } = await under.runner.world(world, under.signal);
      // An interrupted world has no result. A resumed test runs this world again.
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
  // A strategy defined in code, or bars in memory, cannot be sent to another thread.
  if (typeof request.strategy !== 'string' || request.market !== undefined || !hasThreads()) return 1;
  const bars = worlds.length * runner.maker.facts.bars;
  const isSmall = bars < WORTH_THREADS && runner.strategy.tools.length === 0;
  const jobs = request.jobs ?? (isSmall ? 1 : availableParallelism());
  return Math.max(1, Math.min(jobs, worlds.length));
}

/** Runs worlds (artificial markets) one after the other until their shared budget is exhausted. */
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

/** Returns the remaining budget. `undefined` if a limit is exhausted. */
function budgetLeft(budget: Budget, spent: Spent, seconds: number): Budget | undefined {
  const left: Budget = {
    ...(budget.calls === undefined ? {} : { calls: budget.calls - spent.calls }),
    ...(budget.tokens === undefined ? {} : { tokens: budget.tokens - spent.tokens }),
    ...(budget.usd === undefined ? {} : { usd: budget.usd - spent.usd }),
    ...(budget.seconds === undefined ? {} : { seconds: budget.seconds - seconds }),
  };
  return Object.values(left).some((amount) => amount !== undefined && amount <= 0) ? undefined : left;
}
