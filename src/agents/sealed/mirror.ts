import type { AccountView, PositionView } from '../../broker/account/index.ts';
import type { CancelReceipt, OrderReceipt, RebalanceReceipt } from '../../broker/index.ts';
import type {
  BarContext,
  DeciderEvent,
  EventsSince,
  EventsSinceFields,
  NoteLimit,
} from '../../engine/index.ts';
import { AppError, decimal, recordOf, withKnownMembers } from '../../kernel/index.ts';
import type {
  BarSeries,
  Documents,
  ListedSessions,
  MirroredFeatures,
  ReadFundamentals,
  Rebasing,
  SeriesCursor,
  SessionRow,
  Window,
  WindowExtras,
} from '../../market/index.ts';
import { unpack } from './codec.ts';
import type { ChildMessage, HostMessage } from './messages.ts';

export type BarMessage = Extract<HostMessage, { type: 'bar' }>;
export type BeginMessage = Extract<HostMessage, { type: 'begin' }>;
/** Name of a request to the engine, for example `position` or `buy`. */
export type Question = Extract<ChildMessage, { type: 'ask' }>['what'];

/**
 * Engine classes and functions with which the strategy's process rebuilds market and account from messages.
 */
export interface MirrorParts {
  readonly Cursor: typeof SeriesCursor;
  readonly Features: typeof MirroredFeatures;
  readonly Sessions: typeof ListedSessions;
  readonly Since: typeof EventsSince;
  readonly Notes: typeof NoteLimit;
  checkRecorded(event: unknown, bar: number): asserts event is DeciderEvent;
}

/**
 * Bars of one symbol that the engine has sent. The window of `cursor` contains the bars that are visible to
 * the strategy.
 */
interface Feed {
  readonly series: { -readonly [Key in keyof BarSeries]: BarSeries[Key] };
  readonly cursor: SeriesCursor;
  readonly sessions: ListedSessions | undefined;
  count: number;
}

/** Number of values in a `SessionRow`. Distinguishes sessions from the other kinds of rows in `bars`. */
const SESSION_ROW = 5;
const COLUMNS = ['time', 'open', 'high', 'low', 'close', 'volume'] as const;

/**
 * Creates the `BarContext` that the strategy receives at each bar. Bars and account come from the engine's
 * last message. All other data are requested from the engine, which also executes the orders.
 */
export function mirror(
  {
    symbols,
    currency,
    lookback,
    fillsAtClose,
    barLength,
    contexts = [],
    sessions: early,
    features: shape,
  }: BeginMessage,
  parts: MirrorParts,
  ask: (what: Question, given: readonly unknown[]) => unknown,
  say: (message: ChildMessage) => void,
): { readonly turn: BarContext; move(message: BarMessage): void } {
  const { Cursor, Features, Sessions, Since } = parts;
  const notes = new parts.Notes();
  const sight = lookback ?? Number.POSITIVE_INFINITY;
  const features = shape === undefined ? undefined : new Features(shape, symbols, sight);
  const feedOf = (symbol: string, number: number, extras: WindowExtras): Feed => {
    const series = { symbol, ...recordOf(COLUMNS, () => new Float64Array(64)) };
    const own = early?.[number];
    const sessions = typeof own === 'number' ? new Sessions(own) : undefined;
    return { series, cursor: new Cursor(series, sight, { ...extras, sessions }), sessions, count: 0 };
  };
  const beside = contexts.map((each, index) =>
    feedOf(each.symbol, symbols.length + index, { barLength: each.barLength ?? undefined }),
  );
  const seen: ReadonlyMap<string, Window> = new Map(
    beside.map(({ series, cursor }) => [series.symbol, cursor.window]),
  );
  const traded = symbols.map((symbol, index) =>
    feedOf(symbol, index, {
      features: features?.of(index),
      barLength: barLength ?? undefined,
      contexts: seen,
    }),
  );
  const feeds = [...traded, ...beside];
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
  const windows: readonly Window[] = traded.map(({ cursor }) => cursor.window);
  const turn: BarContext = {
    get bar() {
      return now.bar;
    },
    get time() {
      return now.time;
    },
    symbols,
    window: windows[0]!,
    windowOf(symbol) {
      const window = windows[symbols.indexOf(symbol)] ?? seen.get(symbol);
      if (window !== undefined) return window;
      throw new AppError({
        code: 'unknown_symbol',
        message: `Unknown symbol ${symbol} in this market.`,
        hint: `Use one of: ${symbols.join(', ')}.`,
      });
    },
    contextSymbols: [...seen.keys()],
    context: (symbol) => windows[0]!.context(symbol),
    account,
    get eventsSince() {
      return new Since(ask('eventsSince', []) as EventsSinceFields);
    },
    orders: {
      fillsAtClose,
      submit: order('submit'),
      buy: order('buy'),
      sell: order('sell'),
      close: order('close'),
      cancel: (orderId) => ask('cancel', [orderId]) as CancelReceipt,
      replace: order('replace'),
      rebalance: (...given) => ask('rebalance', given) as RebalanceReceipt,
      pending: () => ask('pending', []) as ReturnType<BarContext['orders']['pending']>,
    },
    documents: {
      get length() {
        return ask('documentCount', []) as number;
      },
      search: (query = {}) => ask('documentSearch', [query]) as ReturnType<Documents['search']>,
      read: (id) => ask('documentRead', [id]) as ReturnType<Documents['read']>,
      tail: (count) => ask('documentTail', [count]) as ReturnType<Documents['tail']>,
    },
    fundamentals: (...given) => ask('fundamentals', given) as ReturnType<ReadFundamentals>,
    universe: () => ask('universe', []) as readonly string[],
    record: (event: DeciderEvent) => {
      parts.checkRecorded(event, now.bar);
      if (event.type !== 'note') {
        throw new AppError({
          code: 'bad_record',
          message: `A sealed strategy can record notes only, not events of the type ${event.type}.`,
          hint: "Record a note: turn.record({ type: 'note', bar: turn.bar, text: '…' }).",
          kind: 'run',
        });
      }
      notes.count(event, now.bar);
      say({ type: 'note', note: event });
    },
  };
  const { orders, window } = turn;
  withKnownMembers(account, 'turn.account', { 'turn.orders': orders });
  withKnownMembers(orders, 'turn.orders', { 'turn.account': account });
  withKnownMembers(turn, 'turn', { 'turn.account': account, 'turn.orders': orders, 'turn.window': window });
  return {
    turn,
    move(message) {
      now = message;
      views = undefined;
      for (const [index, { cursor }] of feeds.entries())
        if (index >= symbols.length || cursor.window.time.last !== message.time) cursor.rest();
      for (const [symbol = -1, ...values] of message.bars) {
        const feed = feeds[symbol]!;
        if (values.length === COLUMNS.length) push(feed, values);
        else if (values.length === SESSION_ROW) feed.sessions!.push(values as unknown as SessionRow);
        else feed.cursor.rebase(rebasingOf(values));
      }
      if (message.known !== undefined) features?.move(message.known);
    },
  };
}

function rebasingOf([price = 1, volume = 1, shift]: readonly number[]): Rebasing {
  return { price, volume, ...(shift === undefined ? {} : { shift }) };
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
