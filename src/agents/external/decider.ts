import { randomUUID } from 'node:crypto';
import { type AgentFailure, asJson, type BarContext, type Decider, RunStop } from '../../engine/index.ts';
import { AppError } from '../../kernel/index.ts';
import { checkCanary } from '../../masking/index.ts';
import { defaultColumns, RecentEvents, type Toolkit, toolDefinitions } from '../../toolkit/index.ts';
import { maskedTools } from '../llm/masked.ts';
import { Notes, observationOf } from '../llm/observation.ts';
import { createSchedule } from '../llm/schedule.ts';
import type { AgentBudget } from '../model/budget.ts';
import type { RunServices } from '../run-services.ts';
import { AgentSpending } from './budget.ts';
import {
  type AgentChannel,
  AgentFailed,
  type AgentMessage,
  type HostMessage,
  PROTOCOL_VERSION,
  readAgentMessage,
} from './messages.ts';

/** Number of earlier conclusions that an observation repeats. Equal to the default of a prompt's `notes`. */
const NOTES = 3;

/** Recorded reply of an agent: either a valid message or a failure. */
interface Reply {
  readonly message?: AgentMessage;
  readonly failure?: AgentFailure;
}

/**
 * Creates a decider for a user's own agent. Replies come from the channel or from the run's record.
 *
 * @param channel connection that opens at the first request without a recorded reply
 */
export function ownAgentDecider(
  agent: OwnAgent,
  toolkit: Toolkit,
  services: RunServices,
  channel: AgentChannel,
): Decider {
  const {
    sample = 1,
    recording,
    otherRecord = false,
    replayOnly = false,
    signal,
    mask,
    preflight,
  } = services;
  const names = agent.tools.filter((name) => toolkit.names.includes(name));
  const tools = maskedTools(toolDefinitions(names), mask?.maskExamples);
  let run: string | undefined;
  const schedule = createSchedule({
    schedule: agent.every === 1 ? 'every_bar' : { every_bars: agent.every },
    warmUpBars: agent.warmUp,
    decisionStart: undefined,
    toolkit,
    importModule: () => Promise.reject(new Error('an agent has no modules')),
  });
  const notes = new Notes(NOTES);
  const since = new RecentEvents();
  const spending = new AgentSpending(agent.budget, services);
  let decisions = 0;
  let failuresInARow = 0;
  let errorOutput = '';
  const drop = (): void => {
    errorOutput = channel.errorOutput.trim();
    channel.drop();
  };

  /**
   * Sends one message to the agent and returns its reply, or the failure. `left` is the decision's remaining
   * time in milliseconds. Also returns the time that remains after the reply.
   */
  const ask = async (turn: BarContext, message: HostMessage, left: number): Promise<[Reply, number]> => {
    signal?.throwIfAborted();
    if (replayOnly) throw notRecorded(turn.bar);
    const timer = new AbortController();
    const timeout = setTimeout(() => timer.abort(), Math.max(left, 0));
    const ending = signal === undefined ? timer.signal : AbortSignal.any([timer.signal, signal]);
    const startedAt = performance.now();
    const rest = (): number => left - (performance.now() - startedAt);
    try {
      if (!channel.isOpen && message.type === 'decide') {
        run ??= services.runId?.() ?? `${preflight === undefined ? 'trial' : 'preflight'}-${randomUUID()}`;
        const hello = {
          version: PROTOCOL_VERSION,
          run,
          tools,
          symbols: turn.symbols,
          decisions: decisions - 1,
          sample,
          ...(preflight === undefined ? {} : { preflight: true as const }),
        };
        await channel.open({ type: 'hello', ...hello }, ending);
      }
      checkCanary(JSON.stringify(message));
      const read = ofDecision(readAgentMessage(await channel.ask(message, ending)), decisions);
      if ('message' in read) return [read, rest()];
      drop();
      return [{ failure: { kind: 'malformed', message: read.fault } }, rest()];
    } catch (error) {
      if (error instanceof AppError) throw error;
      const slow = tooSlow(agent, channel.ignored);
      drop();
      signal?.throwIfAborted();
      if (timer.signal.aborted) return [{ failure: slow }, 0];
      if (!(error instanceof AgentFailed)) throw error;
      return [{ failure: { kind: error.kind, message: error.message } }, rest()];
    } finally {
      clearTimeout(timeout);
    }
  };

  const decideNow = async (turn: BarContext): Promise<void> => {
    const { bar } = turn;
    spending.begin(turn);
    decisions += 1;
    const observation = observationOf(turn, since, notes.all, defaultColumns(turn));
    since.decided(turn);
    turn.record({ type: 'agent_asked', bar, decision: decisions, observation });
    let message: HostMessage = { type: 'decide', id: decisions, observation };
    let left = agent.timeoutSeconds * 1000;
    let calls = 0;
    for (let number = 1; ; number++) {
      const then = otherRecord ? undefined : recording?.agentReply(bar, number);
      let reply: Reply;
      if (then === undefined) {
        await spending.meter();
        [reply, left] = await ask(turn, message, left);
      } else reply = replyOf(then);
      if (then === undefined && reply.message?.type === 'call' && calls >= agent.calls) {
        drop();
        reply = { failure: tooManyCalls(agent) };
      }
      turn.record({ type: 'agent_replied', bar, number, ...asJson(reply) });
      const said = reply.message;
      if (said !== undefined) spending.add(said);
      if (said?.type === 'call') {
        calls += 1;
        const result = await toolkit.call(said.tool, said.arguments, turn);
        message = { type: 'result', id: said.id, result };
        continue;
      }
      const text = said?.text ?? '';
      const outcome = said === undefined ? 'agent_failed' : 'answered';
      const made = { outcome, rounds: number, toolCalls: calls, text, ...spending.reported } as const;
      turn.record({ type: 'decision_made', bar, sample, ...made });
      failuresInARow = said === undefined ? failuresInARow + 1 : 0;
      if (reply.failure !== undefined) preflight?.failed(reply.failure, errorOutput);
      const stops = reply.failure !== undefined && failuresInARow >= agent.failures;
      if (stops && errorOutput !== '') services.warn?.(`Standard error of the agent:\n${errorOutput}`);
      if (reply.failure !== undefined && failuresInARow >= agent.failures)
        throw keepsFailing(agent, bar, reply.failure);
      if (said !== undefined && then === undefined) spending.checkCounted(bar);
      if (text.trim() !== '') notes.add(turn, text);
      return;
    }
  };

  return {
    readsEvents: true,
    waitedMs: () => toolkit.waitedMs(),
    watch: (turn) => schedule.watch(turn),
    decide(turn) {
      // The schedule of an agent is a fixed number of bars, so `isDue` never returns a promise.
      return schedule.isDue(turn) === true
        ? decideNow(turn).finally(() => spending.settle())
        : since.pass(turn);
    },
    close: () => channel.close({ type: 'bye' }),
  };
}

/**
 * Checks that a message answers the current decision. Over stdio, an agent may send a late `done` for an
 * earlier decision, after it has received the next request. A `done` with an id is accepted only for the
 * decision with that id.
 */
function ofDecision(
  read: ReturnType<typeof readAgentMessage>,
  decision: number,
): ReturnType<typeof readAgentMessage> {
  if (!('message' in read) || read.message.type !== 'done') return read;
  const { id = decision } = read.message;
  return id === decision
    ? read
    : { fault: `id of its done is ${id}. Expected ${decision}, the id of the last decide` };
}

function replyOf({
  message,
  failure,
}: {
  readonly message?: unknown;
  readonly failure?: AgentFailure;
}): Reply {
  if (failure !== undefined) return { failure };
  const read = readAgentMessage(JSON.stringify(message ?? null));
  return 'message' in read ? read : { failure: { kind: 'malformed', message: read.fault } };
}

function tooSlow({ timeoutSeconds }: OwnAgent, ignored: string | undefined): AgentFailure {
  const said = ignored === undefined ? '' : `; its last output, "${ignored}", is not a message`;
  return { kind: 'timeout', message: `it did not end its decision within ${timeoutSeconds} s${said}` };
}

function tooManyCalls({ calls }: OwnAgent): AgentFailure {
  return { kind: 'too_many_calls', message: `it made more than ${calls} calls in one decision` };
}

function notRecorded(bar: number): RunStop {
  return new RunStop('stopped', {
    code: 'record_missing',
    message: `The record has no reply of the agent at bar ${bar}, and --replay-only allows no request.`,
    hint: 'Resume the run without --replay-only, or restore the recorded journal.',
  });
}

function keepsFailing({ failures, shown }: OwnAgent, bar: number, failure: AgentFailure): RunStop {
  return new RunStop('stopped', {
    code: 'agent_failed',
    message: `The agent ${shown} failed at ${failures === 1 ? 'a decision' : `${failures} decisions in a row`}, last at bar ${bar}: ${failure.kind}, ${failure.message}.`,
    hint: 'Fix the agent, then resume the run; --agent-failures allows more in a row.',
  });
}

/** Settings of a run with a user's own agent. All defaults are filled in. */
export interface OwnAgent {
  /** Command or address of the agent, as shown in the record. */
  readonly shown: string;
  readonly tools: readonly string[];
  readonly every: number;
  readonly warmUp: number;
  readonly timeoutSeconds: number;
  readonly calls: number;
  readonly failures: number;
  /** Budget of the whole run. */
  readonly budget: AgentBudget;
}
