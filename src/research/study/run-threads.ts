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

/** One run of a rule. */
export interface RunTask {
  readonly id: string;
  readonly request: Parameters<typeof runSample>[0];
}

/** How it ended: `problem` says why it came to no result, `fault` what made it impossible. */
export interface TaskEnd {
  readonly id: string;
  readonly warnings: readonly string[];
  readonly problem?: string;
  readonly fault?: { readonly code: string; readonly message: string; readonly hint: string };
}

/** Compiling a file, and writing a run's folder, take their time: a short limit is meant for decisions. */
const LEAST_SECONDS = 10;

const SCRIPT = builtPlace('research/study/run-thread.js');

/** What a run came to, as a thread can say it. */
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
 * Makes runs of rules in threads of this process. One under way when the study is stopped goes on where it was.
 *
 * @param done given each that has ended
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

/** A thread has to start first: with fewer runs each than these it is not worth it. */
const RUNS_A_THREAD = 4;

/**
 * How many threads so many runs are worth; 0 where there are none, or no thread can be started. A single run has one too:
 * a rule that hangs or ends its process then costs one run, and not the study.
 */
export function threadsFor(runs: number, jobs: number): number {
  return isBuilt(SCRIPT) ? Math.min(jobs, Math.ceil(runs / RUNS_A_THREAD)) : 0;
}
