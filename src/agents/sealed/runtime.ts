import type { Decision, Json } from '../../engine/index.ts';
import { AppError, describeValue, thrownText } from '../../kernel/index.ts';
import type { ToolCaller } from '../../toolkit/index.ts';
import { indicatorsOf, plainRuleDecider, type RuleDecider, readParameters } from '../strategies/rules.ts';
import { checkStrategy, isStrategy, type Strategy } from '../strategies/strategy.ts';
import { MOST_PRINTED, pack, packFields, unpack } from './codec.ts';
import type { ChildMessage, HostMessage } from './messages.ts';
import { type BarMessage, type BeginMessage, type MirrorParts, mirror, type Question } from './mirror.ts';
import { standAtBar } from './standstill.ts';

interface Channel {
  send(text: string): void;
  receive(): string | undefined;
  /** Reasons of the unhandled promise rejections in the strategy's code so far. */
  readonly uncaught: readonly unknown[];
}

/**
 * Engine classes and functions that run in the strategy's process, so that a sealed strategy gets the same
 * values as an unsealed one.
 */
export interface EngineParts extends MirrorParts {
  readonly channel: Channel;
  ordersOf(answer: unknown, bar: number): NonNullable<Decision['orders']>;
}

type Failure = Extract<ChildMessage, { type: 'failed' }>;
type Result = Extract<HostMessage, { type: 'result' | 'unresolved' }>;

/**
 * Creates the function that answers the engine's messages in the strategy's process, one message at a time.
 *
 * @returns function that handles a line. It returns true if callbacks of the strategy must run before the
 *   next line
 */
export function serveStrategy(exported: unknown, parts: EngineParts): (line: string) => boolean {
  const { channel, ordersOf } = parts;
  const say = (message: ChildMessage): void => channel.send(JSON.stringify(message));
  const early: Result[] = [];
  const waiting = new Map<number, { resolve(value: Json): void; reject(reason: unknown): void }>();
  let calls = 0;
  let strategy: Strategy | undefined;
  let parameters: Record<string, unknown> = {};
  let decider: RuleDecider | undefined;
  let world: ReturnType<typeof mirror> | undefined;
  let pending = false;
  let ending = false;
  /**
   * Message that is sent only after a check for unhandled rejections. `undefined` if no message is waiting.
   */
  let held: ChildMessage | undefined;

  const ask = (what: Question, given: readonly unknown[]): unknown => {
    say({ type: 'ask', what, given: given.map(pack) });
    for (;;) {
      const line = channel.receive();
      if (line === undefined) throw new Error('the engine is gone');
      const message = JSON.parse(line) as HostMessage;
      if (message.type === 'answer') return unpack(message.value);
      if (message.type === 'refused') throw errorOf(message);
      if (message.type === 'result' || message.type === 'unresolved') early.push(message);
    }
  };
  const toolkit: ToolCaller = {
    call(tool, given) {
      calls += 1;
      const id = calls;
      return new Promise((resolve, reject) => {
        // A strategy may be JavaScript, so the tool name is converted to a text. The engine's toolkit rejects
        // unknown names.
        say({ type: 'call', id, tool: String(tool), given: pack(given) });
        // The promise is registered after sending, because no answer arrives if sending fails.
        waiting.set(id, { resolve, reject });
      });
    },
    waitedMs: () => 0,
  };
  const settle = (message: Result): void => {
    const one = waiting.get(message.id);
    waiting.delete(message.id);
    if (message.type === 'result') one?.resolve(message.value);
    else one?.reject(errorOf(message));
  };
  const decided = (answer: unknown, bar: number): void => {
    pending = false;
    const unread = decider?.unread() ?? [];
    held = {
      type: 'decided',
      orders: ordersOf(answer, bar).map(pack),
      ...(unread.length === 0 ? {} : { unread }),
    };
  };
  const failed = (error: unknown): void => {
    pending = false;
    held = failureOf(error);
  };
  const decide = (message: BarMessage): void => {
    if (world === undefined || decider === undefined) throw new Error('no run has begun');
    world.move(message);
    standAtBar(message.time);
    try {
      const answer: unknown = decider.decide(world.turn);
      if (!isThenable(answer)) {
        decided(answer, message.bar);
        return;
      }
      pending = true;
      answer.then(
        (value) => {
          try {
            decided(value, message.bar);
          } catch (error) {
            failed(error);
          }
        },
        (error: unknown) => failed(error),
      );
    } catch (error) {
      failed(error);
    }
  };
  const load = (given: Readonly<Record<string, string>>): void => {
    try {
      if (!isStrategy(exported)) {
        throw new AppError({
          code: 'not_a_strategy',
          message: 'The file has no default export from defineStrategy.',
          hint: "Write: import { defineStrategy } from 'sandtable'; export default defineStrategy({ … });",
        });
      }
      checkStrategy(exported, 'The file');
      strategy = exported;
      parameters = readParameters(strategy, given);
      const { settings = {}, tools = [], budgets, repl, costs } = strategy;
      indicatorsOf(strategy, parameters);
      const warmUp = strategy.warmUpBars?.(parameters);
      held = {
        type: 'loaded',
        name: strategy.name,
        summary: String(strategy.summary),
        parameters: packFields(parameters),
        tools: [...tools],
        ...(budgets === undefined ? {} : { budgets: { ...budgets } }),
        ...(repl === undefined ? {} : { repl }),
        settings: pack(typeof settings === 'function' ? settings(parameters) : settings),
        hasCosts: costs !== undefined,
        ...(strategy.warmUpBars === undefined ? {} : { warmUpBars: warmUpOf(warmUp) }),
      };
    } catch (error) {
      failed(error);
    }
  };
  const begin = (message: BeginMessage): void => {
    if (strategy === undefined) return;
    try {
      world = mirror(message, parts, ask, say);
      decider = plainRuleDecider(strategy, parameters, toolkit);
      // Attaches the strategy's indicators before the first bar, so that the indicators receive every bar.
      decider.watch?.(world.turn);
      held = { type: 'ready' };
    } catch (error) {
      failed(error);
    }
  };
  return (line) => {
    if (line === '') {
      if (channel.uncaught.length > 0) held = { ...failureOf(channel.uncaught[0]), how: 'uncaught' };
      if (held !== undefined) {
        say(held);
        held = undefined;
        pending = false;
        return false;
      }
      const next = early.shift();
      if (next !== undefined) {
        settle(next);
        return true;
      }
      if (ending && waiting.size === 0) say({ type: 'ended' });
      if (pending && waiting.size === 0) {
        pending = false;
        say({ type: 'stuck' });
      }
      return false;
    }
    const message = JSON.parse(line) as HostMessage;
    if (message.type === 'load') load(message.given);
    else if (message.type === 'begin') begin(message);
    else if (message.type === 'bar') decide(message);
    else if (message.type === 'end') ending = true;
    else if (message.type === 'result' || message.type === 'unresolved') settle(message);
    return pending || ending || held !== undefined;
  };
}

function warmUpOf(bars: unknown): number | null {
  return typeof bars === 'number' && bars >= 0 ? Math.min(bars, Number.MAX_SAFE_INTEGER) : null;
}

function isThenable(answer: unknown): answer is PromiseLike<unknown> {
  return (
    typeof answer === 'object' && answer !== null && 'then' in answer && typeof answer.then === 'function'
  );
}

function errorOf({ code, message, remedy }: { code: string; message: string; remedy: string }): Error {
  return code === '' ? new Error(message) : new AppError({ code, message, hint: remedy });
}

const MOST_STACK = 4_000;

function failureOf(error: unknown): Failure {
  const stack = error instanceof Error ? String(error.stack).slice(0, MOST_STACK) : '';
  if (!(error instanceof AppError)) {
    return { type: 'failed', how: 'threw', code: '', message: thrownText(error), remedy: '', stack };
  }
  const { code, message, hint: remedy, kind } = error;
  const how = code === 'bad_decision' ? 'fault' : kind === 'input' ? 'input' : 'threw';
  return { type: 'failed', how, code, message, remedy, stack };
}

/**
 * Returns the replacement of `console`. Sends printed text to the engine, up to `MOST_PRINTED` characters.
 */
export function printer(channel: Channel): Readonly<Record<string, (...words: readonly unknown[]) => void>> {
  let printed = 0;
  const print = (...words: readonly unknown[]): void => {
    if (printed > MOST_PRINTED) return;
    const whole = words.map((word) => (typeof word === 'string' ? word : describeValue(word))).join(' ');
    // One character above the limit is sent, so that the engine can detect and report the excess.
    const text = whole.slice(0, MOST_PRINTED + 1 - printed);
    printed += text.length + 1;
    channel.send(JSON.stringify({ type: 'print', text } satisfies ChildMessage));
  };
  return { log: print, info: print, warn: print, error: print, debug: print };
}
