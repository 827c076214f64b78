import type { Environment } from '../../agent/index.ts';
import type { WorldRow } from '../../analysis/index.ts';
import { builtPlace } from '../../kernel/index.ts';
import type { RunContext } from '../../runner/index.ts';
import type { ThreadStart } from '../workers/messages.ts';
import { isBuilt, ThreadPool } from '../workers/thread-pool.ts';
import type { StressRequest } from './request.ts';
import { failedRow } from './world-runner.ts';

/** Start data of a thread of a stress test. */
export interface WorldThreadStart extends ThreadStart {
  readonly request: StressRequest;
  readonly environment: Environment;
  readonly pythonLimits: RunContext['pythonLimits'];
}

const SCRIPT = builtPlace('research/stress/world-thread.js');

/**
 * Creates a pool that runs worlds in threads of this process. If the test is stopped, running worlds are
 * started again on resume.
 *
 * @param seconds time without a decision after which a world has failed
 * @param print called with the output of strategies, which is not part of the result
 */
export function worldPool(
  start: Omit<WorldThreadStart, 'heartbeat'>,
  jobs: number,
  seconds: number,
  print: (text: string) => void,
): ThreadPool<number, WorldRow> {
  return new ThreadPool({ script: SCRIPT, start, jobs, seconds, print, finishes: false, lost: failedRow });
}

/** Returns true if threads can be started. */
export function hasThreads(): boolean {
  return isBuilt(SCRIPT);
}
