import { type Decider, RunStop, runBacktest } from '../engine/index.ts';
import { AppError } from '../kernel/index.ts';
import type { RunContext } from './context.ts';
import { deciderOf } from './decider-of.ts';
import { buildMarketView } from './inputs/market-view.ts';
import { startSandbox } from './run-prepared.ts';
import type { PreparedRun } from './run-request.ts';
import { ToolTimings } from './tool-extras.ts';

/**
 * Starts an agent, sends it `hello` and its first decision, and ends it. Nothing is written, and orders have no effect.
 *
 * @throws AppError `agent_failed` with the end of its standard error
 */
export async function tryAgent(run: PreparedRun, { listen, observer }: RunContext): Promise<void> {
  const { detail, costs, features = [], context = [], interestClock, ...view } = buildMarketView(run);
  const interrupt = listen();
  const timings = { tools: new ToolTimings(), model: new ToolTimings() };
  let failed: { readonly reason: string; readonly errorOutput: string } | undefined;
  const agent = deciderOf(run, view.market, interrupt.signal, timings, undefined, {
    preflight: {
      failed({ kind, message }, errorOutput) {
        failed = { reason: `${kind}, ${message}`, errorOutput };
      },
    },
  });
  let hasDecided = false;
  const once: Decider = {
    readsEvents: true,
    waitedMs: () => agent.waitedMs?.() ?? 0,
    watch: (turn) => agent.watch?.(turn),
    async decide(turn) {
      await agent.decide(turn);
      if (hasDecided) throw new RunStop('stopped', TRIED);
    },
    close: () => agent.close?.(),
  };
  try {
    observer.stage('Trying one decision of the agent');
    await startSandbox(run.sandbox, observer);
    const { error } = await runBacktest({
      ...view,
      ...(detail === undefined ? {} : { detail }),
      ...(costs === undefined ? {} : { costs }),
      ...(interestClock === undefined ? {} : { interestClock }),
      features,
      context,
      decider: once,
      arrivals: run.extras.arrivals,
      signal: interrupt.signal,
      emitStart: false,
      onEvent(event) {
        hasDecided ||= event.type === 'decision_made';
      },
    });
    if (interrupt.signal.aborted)
      throw new AppError({
        code: 'interrupted',
        message: 'Stopped on request while the agent was tried. No run was started.',
        hint: 'Start the run again.',
        kind: 'run',
      });
    if (failed !== undefined) throw refusal(run, failed);
    // A fault of the run itself, for example an interrupt.
    if (error !== undefined && !hasDecided) throw error;
  } finally {
    interrupt.release();
    observer.progressEnd();
  }
}

const TRIED = { code: 'tried', message: 'The agent was tried.', hint: '' };

function refusal(
  { request }: PreparedRun,
  { reason, errorOutput }: { readonly reason: string; readonly errorOutput: string },
): AppError {
  const shown = errorOutput === '' ? '' : `\nIts standard error:\n${errorOutput.replaceAll(/^/gm, '  ')}`;
  return new AppError({
    code: 'agent_failed',
    message: `The agent ${request.options.agent} failed its first decision, so the run was not started: ${reason}.${shown}`,
    hint: 'Correct the agent, and run it again. Its decision before a run is described in docs/agents.md.',
  });
}
