/**
 * Worker thread of a study. Runs rule-based strategies one after another and writes each run to its folder.
 */
import { type RunContext, runSample, SILENT } from '../../runner/index.ts';
import { serveTasks } from '../workers/pool.ts';
import { endOfRun, type RunTask, type RunThreadStart, type TaskEnd } from './study-runs.ts';

serveTasks<RunThreadStart, RunTask, TaskEnd>(async ({ environment, pythonLimits }, deciding) => ({
  async run({ id, request }) {
    const warnings: string[] = [];
    const context: RunContext = {
      environment,
      observer: { ...SILENT, warn: (text) => warnings.push(text) },
      listen: () => ({ signal: new AbortController().signal, release: () => undefined }),
      // The pool observes the decisions of this thread. If a decision does not end, only the current run is
      // affected.
      watch: () => ({
        deciding,
        limit: () => undefined,
        loading: deciding,
        loaded: deciding,
        onEnd: () => undefined,
        onBlocked: () => undefined,
        release: () => undefined,
      }),
      ...(pythonLimits === undefined ? {} : { pythonLimits }),
    };
    return { id, warnings, ...(await endOfRun(() => runSample(request, context))) };
  },
  close: async () => undefined,
}));
