import type { AccountView, PositionView } from '../../account/index.ts';
import type { CancelReceipt, OrderReceipt } from '../../broker/index.ts';
import type { Decider, DeciderEvent, Decision, Json, Turn } from '../../engine/index.ts';
import { AppError, decimal, describeValue, messageOf } from '../../kernel/index.ts';
import type { BarSeries, SeriesCursor, Window } from '../../market/index.ts';
import type { Toolkit } from '../../toolkit/index.ts';
import { plainRuleDecider, readParameters } from '../rules.ts';
import { isStrategy, type Strategy } from '../strategy.ts';
import { pack, unpack } from './codec.ts';
import type { ChildMessage, HostMessage } from './messages.ts';
import { standAtBar } from './standstill.ts';

interface Channel {
  send(text: string): void;
  receive(): string | undefined;
}

/** Parts of the engine that are the strategy's too, so that it sees the same as without a seal. */
export interface EngineParts {
  readonly channel: Channel;
  readonly Cursor: typeof SeriesCursor;
  ordersOf(answer: unknown, bar: number): NonNullable<Decision['orders']>;
}

type BarMessage = Extract<HostMessage, { type: 'bar' }>;
type BeginMessage = Extract<HostMessage, { type: 'begin' }>;
type Result = Extract<HostMessage, { type: 'result' | 'unresolved' }>;

/** Bars of one symbol as they are pushed; the window holds what has been revealed of them. */
interface Feed {
  readonly series: { -readonly [Key in keyof BarSeries]: BarSeries[Key] };
  readonly cursor: SeriesCursor;
  count: number;
}

const COLUMNS = ['time', 'open', 'high', 'low', 'close', 'volume'] as const;

/**
 * The strategy's side of a sealed run: answers the engine's messages one by one.
 *
 * @returns handles a line; true where callbacks of the strategy must run before the next
 */
export function serveStrategy(exported: unknown, parts: EngineParts): (line: string) => boolean {
  const { channel, ordersOf } = parts;
  const say = (message: ChildMessage): void => channel.send(JSON.stringify(message));
  const early: Result[] = [];
  const waiting = new Map<number, { resolve(value: Json): void; reject(reason: unknown): void }>();
  let calls = 0;
  let strategy: Strategy | undefined;
  let parameters: Record<string, unknown> = {};
  let decider: Decider | undefined;
  let world: ReturnType<typeof mirror> | undefined;
  let pending = false;

  const ask = (what: Extract<ChildMessage, { type: 'ask' }>['what'], given: readonly unknown[]): unknown => {
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
  const toolkit: Toolkit = {
    names: [],
    call(tool, given) {
      calls += 1;
      const id = calls;
      return new Promise((resolve, reject) => {
        waiting.set(id, { resolve, reject });
        say({ type: 'call', id, tool, given: pack(given) });
      });
    },
    writes: () => false,
    restore: () => Promise.resolve(),
    recall: () => undefined,
    waitedMs: () => 0,
  };
  const settle = (message: Result): void => {
    const one = waiting.get(message.id);
    waiting.delete(message.id);
    if (message.type === 'result') one?.resolve(message.value as Json);
    else one?.reject(errorOf(message));
  };
  const decided = (answer: unknown, bar: number): void => {
    pending = false;
    say({ type: 'decided', orders: ordersOf(answer, bar).map(pack) });
  };
  const failed = (error: unknown): void => {
    pending = false;
    say(failureOf(error));
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
          message: 'The file has no default export made by defineStrategy.',
          remedy: "Write: import { defineStrategy } from 'sandtable'; export default defineStrategy({ … });",
        });
      }
      strategy = exported;
      parameters = readParameters(strategy, given);
      const { settings = {}, tools = [], budgets, repl, costs } = strategy;
      const warmUp = strategy.warmUpBars?.(parameters);
      say({
        type: 'loaded',
        name: strategy.name,
        summary: String(strategy.summary),
        parameters: pack(parameters) as Record<string, unknown>,
        tools: [...tools],
        ...(budgets === undefined ? {} : { budgets: { ...budgets } }),
        ...(repl === undefined ? {} : { repl }),
        settings: pack(typeof settings === 'function' ? settings(parameters) : settings),
        hasCosts: costs !== undefined,
        ...(strategy.warmUpBars === undefined ? {} : { warmUpBars: warmUpOf(warmUp) }),
      });
    } catch (error) {
      failed(error);
    }
  };
  const begin = (message: BeginMessage): void => {
    if (strategy === undefined) return;
    try {
      world = mirror(message, parts, ask, say);
      decider = plainRuleDecider(strategy, parameters, toolkit);
      say({ type: 'ready' });
    } catch (error) {
      failed(error);
    }
  };
  return (line) => {
    if (line === '') {
      const next = early.shift();
      if (next !== undefined) {
        settle(next);
        return true;
      }
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
    else if (message.type === 'result' || message.type === 'unresolved') settle(message);
    return pending;
  };
}

function mirror(
  { symbols, currency, lookback, fillsAtClose }: BeginMessage,
  { Cursor }: EngineParts,
  ask: (what: Extract<ChildMessage, { type: 'ask' }>['what'], given: readonly unknown[]) => unknown,
  say: (message: ChildMessage) => void,
): { readonly turn: Turn; move(message: BarMessage): void } {
  const feeds = symbols.map((symbol): Feed => {
    const column = (): Float64Array => new Float64Array(64);
    const series = {
      symbol,
      time: column(),
      open: column(),
      high: column(),
      low: column(),
      close: column(),
      volume: column(),
    };
    return { series, cursor: new Cursor(series, lookback ?? Number.POSITIVE_INFINITY), count: 0 };
  });
  let now: BarMessage = {
    type: 'bar',
    bar: -1,
    time: 0,
    bars: [],
    account: { cash: '0', equity: '0', realisedPnl: '0', commissionPaid: '0', positions: [] },
  };
  let views: PositionView[] | undefined;
  const positions = (): PositionView[] =>
    (views ??= now.account.positions.map(({ view }) => unpack(view) as PositionView));
  const account: AccountView = {
    currency,
    get cash() {
      return decimal(now.account.cash);
    },
    get equity() {
      return decimal(now.account.equity);
    },
    get realisedPnl() {
      return decimal(now.account.realisedPnl);
    },
    get commissionPaid() {
      return decimal(now.account.commissionPaid);
    },
    get cashByKind() {
      return ask('cashByKind', []) as AccountView['cashByKind'];
    },
    position: (symbol) =>
      positions().find((position) => position.symbol === symbol) ??
      (ask('position', [symbol]) as PositionView),
    positions: () => [...positions()],
    units(symbol = symbols[0]!) {
      const index = now.account.positions.findIndex(
        (_, position) => positions()[position]!.symbol === symbol,
      );
      if (index >= 0) return now.account.positions[index]!.units;
      return symbols.includes(symbol) ? 0 : (ask('units', [symbol]) as number);
    },
  };
  const order =
    (what: 'submit' | 'buy' | 'sell' | 'close' | 'replace') =>
    (...given: readonly unknown[]): OrderReceipt =>
      ask(what, given) as OrderReceipt;
  const windows: readonly Window[] = feeds.map(({ cursor }) => cursor.window);
  const turn: Turn = {
    get bar() {
      return now.bar;
    },
    get time() {
      return now.time;
    },
    symbols,
    window: windows[0]!,
    windowOf(symbol) {
      const window = windows[symbols.indexOf(symbol)];
      if (window !== undefined) return window;
      throw new AppError({
        code: 'unknown_symbol',
        message: `There is no symbol ${symbol} in this market.`,
        remedy: `Use one of: ${symbols.join(', ')}.`,
      });
    },
    account,
    orders: {
      fillsAtClose,
      submit: order('submit'),
      buy: order('buy'),
      sell: order('sell'),
      close: order('close'),
      cancel: (orderId) => ask('cancel', [orderId]) as CancelReceipt,
      replace: order('replace'),
      pending: () => ask('pending', []) as ReturnType<Turn['orders']['pending']>,
    },
    record: (event: DeciderEvent) => {
      if (event.type !== 'note') throw new TypeError('a sealed strategy records notes only');
      say({ type: 'note', note: event });
    },
  };
  return {
    turn,
    move(message) {
      now = message;
      views = undefined;
      for (const [symbol = -1, ...values] of message.bars) push(feeds[symbol]!, values);
    },
  };
}

function push(feed: Feed, values: readonly number[]): void {
  const { series, cursor, count } = feed;
  if (count === series.time.length) {
    for (const name of COLUMNS) {
      const wider = new Float64Array(2 * count);
      wider.set(series[name]);
      series[name] = wider;
    }
  }
  for (const [index, name] of COLUMNS.entries()) series[name][count] = values[index]!;
  feed.count += 1;
  cursor.advanceTo(values[0]!);
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
  return code === '' ? new Error(message) : new AppError({ code, message, remedy });
}

function failureOf(error: unknown): ChildMessage {
  if (!(error instanceof AppError))
    return { type: 'failed', how: 'threw', code: '', message: messageOf(error), remedy: '' };
  const { code, message, remedy, kind } = error;
  const how = code === 'bad_decision' ? 'fault' : kind === 'input' ? 'input' : 'threw';
  return { type: 'failed', how, code, message, remedy };
}

/** Stands for `console`: what a strategy prints goes to the engine, which says it beside the results. */
export function printer(channel: Channel): Readonly<Record<string, (...words: readonly unknown[]) => void>> {
  const print = (...words: readonly unknown[]): void => {
    const text = words.map((word) => (typeof word === 'string' ? word : describeValue(word))).join(' ');
    channel.send(JSON.stringify({ type: 'print', text } satisfies ChildMessage));
  };
  return { log: print, info: print, warn: print, error: print, debug: print };
}
