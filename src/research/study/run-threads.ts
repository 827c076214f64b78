import { type Environment, RULE_TIMEOUT_SECONDS } from '../../agent/index.ts';
import { isResult } from '../../engine/index.ts';
import { AppError, builtPlace, messageOf } from '../../kernel/index.ts';
import type { RunContext, RunEnd, runSample } from '../../runner/index.ts';
import type { ThreadStart } from '../workers/messages.ts';
import { isBuilt, ThreadPool } from '../workers/thread-pool.ts';

export interface RunThreadStart extends ThreadStart {
  readonly environment: Environment;
  readonly pythonLimits: RunContext['pythonLimits'];
}

/** One run of a rule-based strategy. */
export interface RunTask {
  readonly id: string;
  readonly request: Parameters<typeof runSample>[0];
}

/**
 * End of a run. `problem` is the reason for a missing result, `fault` the reason why the run was impossible.
 */
export interface TaskEnd {
  readonly id: string;
  readonly warnings: readonly string[];
  readonly problem?: string;
  readonly fault?: { readonly code: string; readonly message: string; readonly hint: string };
}

/**
 * Minimum timeout in seconds. Compiling a file and writing a run's folder need time in addition to decisions.
 */
const LEAST_SECONDS = 10;

const SCRIPT = builtPlace('research/study/run-thread.js');

/** Returns the end of a run in a form that can be sent between threads. */
export async function endOfRun(
  run: () => Promise<RunEnd | undefined>,
): Promise<Pick<TaskEnd, 'problem' | 'fault'>> {
  try {
    const end = await run();
    return end === undefined || isResult(end.outcome) ? {} : { problem: messageOf(end.error ?? end.outcome) };
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    return { fault: { code: error.code, message: error.message, hint: error.hint } };
  }
}

/**
 * Runs rule-based strategies in threads of this process. A run that is interrupted by a stop continues on
 * resume.
 *
 * @param done called for each finished run
 * @throws AppError for the first run that is impossible
 */
export async function runInThreads(
  tasks: readonly RunTask[],
  { environment, pythonLimits }: Pick<RunContext, 'environment' | 'pythonLimits'>,
  threads: number,
  seconds: number | undefined,
  signal: AbortSignal,
  done: (end: TaskEnd) => void,
): Promise<void> {
  const start = { environment: { ...environment }, pythonLimits };
  const pool = new ThreadPool<RunTask, TaskEnd>({
    script: SCRIPT,
    start,
    jobs: threads,
    seconds: Math.max(seconds ?? RULE_TIMEOUT_SECONDS, LEAST_SECONDS),
    finishes: false,
    lost: ({ id }, message) => ({ id, warnings: [], problem: message }),
  });
  try {
    for await (const end of pool.run(tasks, signal)) {
      if (end.fault !== undefined) throw new AppError(end.fault);
      done(end);
    }
  } finally {
    await pool.close();
  }
}

/** Minimum number of runs per thread for which starting the thread is worthwhile. */
const RUNS_A_THREAD = 4;

/**
 * Returns the number of threads for a number of runs. 0 without runs or if threads cannot be started. A
 * single run also uses a thread, so that a strategy that hangs or ends its process affects one run and not
 * the study.
 */
export function threadsFor(runs: number, jobs: number): number {
  return isBuilt(SCRIPT) ? Math.min(jobs, Math.ceil(runs / RUNS_A_THREAD)) : 0;
}
