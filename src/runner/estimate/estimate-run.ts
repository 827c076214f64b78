import type { Recording } from '../../agents/index.ts';
import { type Decider, type RunEvent, RunStop, runBacktest } from '../../engine/index.ts';
import { AppError, messageOf } from '../../kernel/index.ts';
import type { RunContext } from '../context.ts';
import { deciderOf } from '../decider-of.ts';
import { buildMarketView } from '../inputs/market-view.ts';
import { startSandbox } from '../run-prepared.ts';
import type { PreparedRun } from '../run-request.ts';
import { ToolTimings } from '../tool-extras.ts';
import { type CostEstimate, type DecisionUsage, estimateDecisions, usageOf } from './amounts.ts';

/**
 * Estimates the requests, tokens and costs of a run. To count the decisions, makes the run with a model that
 * never trades. This run sends no requests and writes nothing.
 *
 * @param known usage of recorded decisions. If omitted, one decision is made with the real model, which costs
 *   money
 * @throws AppError `bad_estimate` for a strategy without a model, and if the decision fails
 */
export async function estimateRun(
  run: PreparedRun,
  context: RunContext,
  known: readonly DecisionUsage[] | undefined,
): Promise<CostEstimate> {
  const { kind, name } = run.strategy;
  if (kind !== 'llm' && kind !== 'agent')
    throw new AppError({
      code: 'bad_estimate',
      message: `--estimate: ${name} calls no model, so its run costs nothing.`,
      hint: 'Remove --estimate.',
    });
  await startSandbox(run.sandbox, context.observer);
  context.observer.stage('Counting decisions');
  const counted = await decisionsOf(run, context, { recording: HOLDING, isOne: false });
  await run.sandbox?.reset();
  if (counted.length === 0 || known !== undefined)
    return estimateDecisions(
      counted.length,
      known ?? [],
      known === undefined ? 'one decision' : 'recorded runs',
    );
  context.observer.stage('Trying one decision');
  const tried = await decisionsOf(run, context, { recording: undefined, isOne: true });
  await run.sandbox?.reset();
  return estimateDecisions(counted.length, tried, 'one decision');
}

/**
 * Recording that replaces a model or agent. Every reply is "hold", so no request is sent and nothing is
 * traded.
 */
const HOLDING: Recording = {
  exchanges: 0,
  configured: undefined,
  tools: () => undefined,
  exchange: ({ step, ...key }) => ({
    ...key,
    ...(step === undefined ? {} : { step }),
    type: 'model_called',
    added: [],
    request: '',
    reply: { text: '{}', toolCalls: [], end: 'stop' },
    usage: null,
    cost: null,
  }),
  limit: () => undefined,
  toolCall: () => undefined,
  agentReply: (bar, number) => ({ type: 'agent_replied', bar, number, message: { type: 'done', text: '' } }),
  agentReplies: 0,
};

/**
 * Makes the decisions of a run without writing a run folder. Returns the model usage of each decision. If
 * `isOne` is true, stops after the first decision.
 */
async function decisionsOf(
  run: PreparedRun,
  { listen, observer }: RunContext,
  { recording, isOne }: { readonly recording: Recording | undefined; readonly isOne: boolean },
): Promise<DecisionUsage[]> {
  const { detail, costs, features = [], context = [], interestClock, ...view } = buildMarketView(run);
  const interrupt = listen();
  const timings = { tools: new ToolTimings(), model: new ToolTimings() };
  const found: DecisionUsage[] = [];
  let requests = 0;
  let failure: string | undefined;
  const onEvent = (event: RunEvent): void => {
    if (event.type === 'model_called') {
      requests += 1;
      if (event.failure !== undefined) failure = event.failure.message;
    } else if (event.type === 'agent_replied' && event.failure !== undefined) failure = event.failure.message;
    if (event.type !== 'decision_made') return;
    // Requests that an agent sends to its own models are not visible here. Each decision therefore counts as
    // at least one request.
    found.push(usageOf(event, Math.max(requests, 1)));
    requests = 0;
  };
  const held = recording === undefined ? {} : { recording, replayOnly: true };
  const inner = deciderOf(run, view.market, interrupt.signal, timings, undefined, held);
  const decider: Decider = {
    readsEvents: true,
    waitedMs: () => inner.waitedMs?.() ?? 0,
    watch: (turn) => inner.watch?.(turn),
    async decide(turn) {
      await inner.decide(turn);
      if (isOne && found.length > 0) throw new RunStop('stopped', TRIED);
    },
    close: () => inner.close?.(),
  };
  try {
    const { error } = await runBacktest({
      ...view,
      ...(detail === undefined ? {} : { detail }),
      ...(costs === undefined ? {} : { costs }),
      ...(interestClock === undefined ? {} : { interestClock }),
      features,
      context,
      decider,
      arrivals: run.extras.arrivals,
      signal: interrupt.signal,
      emitStart: false,
      onEvent,
    });
    const isTried = error instanceof RunStop && error.code === TRIED.code;
    if (isOne && failure !== undefined && (found[0]?.tokens ?? null) === null) throw failed(run, failure);
    if (error !== undefined && !isTried) throw isOne ? failed(run, messageOf(error)) : error;
    return found;
  } finally {
    interrupt.release();
    observer.progressEnd();
  }
}

const TRIED = { code: 'tried', message: 'One decision was tried.', hint: '' };

function failed({ strategy }: PreparedRun, problem: string): AppError {
  return new AppError({
    code: 'bad_estimate',
    message: `The decision that was tried for an estimate of ${strategy.name} failed: ${problem}.`,
    hint: 'Fix the cause, or estimate from recorded runs with --estimate-from RUN.',
    kind: 'run',
  });
}
