import type { AccountView, Ledger } from '../../broker/account/index.ts';
import {
  type Broker,
  type Order,
  type OrderCut,
  type OrderDesk,
  type OrderReceipt,
  orderView,
} from '../../broker/index.ts';
import { AppError, decimalString, type Exact, type Instant, withKnownMembers } from '../../kernel/index.ts';
import {
  type Documents,
  type FundamentalBook,
  Library,
  type PointInTimeFeed,
  type ReadFundamentals,
  type Window,
} from '../../market/index.ts';
import type { BarContext } from '../decider.ts';
import type { BarEvent, RunEvent } from '../events/events.ts';
import type { SinceLog } from '../events/events-since.ts';
import { checkRecorded, NoteLimit } from '../events/recorded-event.ts';
import type { RunSettings } from '../settings/settings.ts';

/**
 * Documents, fundamentals and universe of a run, for tools. Unlike a turn (the decider's view at one bar), it
 * distinguishes data that the run does not have from empty data.
 */
export interface PublishedData {
  /** Each field is `undefined` if the run has no data of this kind. */
  readonly documents: Library | undefined;
  readonly fundamentals: FundamentalBook | undefined;
  readonly universe: (() => readonly string[]) | undefined;
}

const NOTHING: PublishedData = { documents: undefined, fundamentals: undefined, universe: undefined };

// Published data by the `documents` object of a turn (the decider's view at one bar). All views of one turn
// share this object.
const known = new WeakMap<Documents, PublishedData>();

/** Returns the published data of a turn. */
export function publishedData({ documents }: { readonly documents: Documents }): PublishedData {
  return known.get(documents) ?? NOTHING;
}

/** Returns the part of a turn with documents, fundamentals and the universe. */
function publishedView(
  feed: PointInTimeFeed | undefined,
  symbols: readonly string[],
): {
  readonly documents: Documents;
  readonly fundamentals: ReadFundamentals;
  readonly universe: () => readonly string[];
} {
  if (feed === undefined)
    return { documents: new Library(), fundamentals: () => [], universe: () => symbols };
  const { documents, fundamentals, given } = feed;
  const universe = (): readonly string[] => feed.universe();
  known.set(documents, {
    documents: given.documents ? documents : undefined,
    fundamentals: given.fundamentals ? fundamentals : undefined,
    universe: given.universe ? universe : undefined,
  });
  return { documents, fundamentals: fundamentals.read, universe };
}

/** Inputs of `createBarContext`. */
interface TurnSource {
  readonly bar: number;
  readonly time: Instant;
  readonly symbols: readonly string[];
  readonly account: Ledger;
  readonly orders: Broker;
  readonly since: SinceLog;
  /** True after the last event of the run. */
  readonly isOver: boolean;
}

/**
 * Creates the decider's view of market and account. Through this view a decider cannot advance time, book a
 * fill, or read a later bar.
 */
export function createBarContext(
  source: TurnSource,
  windows: readonly Window[],
  contexts: ReadonlyMap<string, Window>,
  emit: ((event: RunEvent) => void) | undefined,
  pointInTime?: PointInTimeFeed,
): BarContext {
  const notes = new NoteLimit();
  const turn: BarContext = {
    get bar() {
      return source.bar;
    },
    get time() {
      return source.time;
    },
    symbols: source.symbols,
    window: windows[0]!,
    windowOf(symbol) {
      const window = windows[source.symbols.indexOf(symbol)] ?? contexts.get(symbol);
      if (window !== undefined) return window;
      throw new AppError({
        code: 'unknown_symbol',
        message: `Unknown symbol ${symbol} in this market.`,
        hint: `Use one of: ${source.symbols.join(', ')}.`,
      });
    },
    contextSymbols: [...contexts.keys()],
    context: (symbol) => windows[0]!.context(symbol),
    account: accountView(source.account),
    orders: orderDesk(source),
    get eventsSince() {
      return source.since.news;
    },
    ...publishedView(pointInTime, source.symbols),
    record(event) {
      refuseLate(source, 'record');
      checkRecorded(event, source.bar);
      notes.count(event, source.bar);
      emit?.(event);
    },
  };
  const { account, orders, window } = turn;
  withKnownMembers(account, 'turn.account', { 'turn.orders': orders });
  withKnownMembers(orders, 'turn.orders', { 'turn.account': account });
  return withKnownMembers(turn, 'turn', {
    'turn.account': account,
    'turn.orders': orders,
    'turn.window': window,
  });
}

function accountView(ledger: Ledger): AccountView {
  return {
    currency: ledger.currency,
    get cashByKind() {
      return ledger.cashByKind;
    },
    get cash() {
      return ledger.cash;
    },
    get equity() {
      return ledger.equity;
    },
    get realisedPnl() {
      return ledger.realisedPnl;
    },
    get commissionPaid() {
      return ledger.commissionPaid;
    },
    position: (symbol) => ledger.position(symbol),
    positions: () => ledger.positions(),
    units: (symbol) => ledger.units(symbol),
  };
}

type Accepted = Extract<OrderReceipt, { readonly accepted: true }>;

/**
 * Receipt for a decider. Its order view is created only on request, because creating it is slower than
 * placing the order, and few deciders read it. A class is used because an object literal with an accessor is
 * also slow.
 */
class ShownReceipt implements Accepted {
  readonly accepted = true;
  readonly #receipt: Accepted;

  constructor(receipt: Accepted) {
    this.#receipt = receipt;
  }

  get order(): Order {
    return orderView(this.#receipt.order);
  }

  toJSON(): Accepted {
    return { accepted: true, order: this.order };
  }

  /** Output of `console.log`. */
  [Symbol.for('nodejs.util.inspect.custom')](): Accepted {
    return this.toJSON();
  }
}

/** Receipt for an order whose size is a fraction of equity. */
class ShownShareReceipt extends ShownReceipt {
  readonly #share: Accepted;

  constructor(receipt: Accepted) {
    super(receipt);
    this.#share = receipt;
  }

  get cut(): OrderCut | undefined {
    return this.#share.cut;
  }

  override toJSON(): Accepted {
    return { ...super.toJSON(), cut: this.cut };
  }
}

/**
 * Throws if a decider calls an account or order function after the last event of the run.
 *
 * @throws AppError `run_over`, because the recorded result would not contain the effect of the call
 */
function refuseLate({ isOver }: TurnSource, name: string): void {
  if (!isOver) return;
  throw new AppError({
    code: 'run_over',
    message: `turn.${name} was called after the end of the run.`,
    hint: 'Await every promise before onBar returns.',
    kind: 'run',
  });
}

function orderDesk(source: TurnSource): OrderDesk {
  const broker = (name: keyof OrderDesk): Broker => {
    refuseLate(source, `orders.${name}`);
    return source.orders;
  };
  const shown = (receipt: OrderReceipt): OrderReceipt => {
    if (!receipt.accepted) return receipt;
    return 'cut' in receipt ? new ShownShareReceipt(receipt) : new ShownReceipt(receipt);
  };
  return {
    fillsAtClose: source.orders.fillsAtClose,
    submit: (request) => shown(broker('submit').submit(request)),
    buy: (quantity, options) => shown(broker('buy').buy(quantity, options)),
    sell: (quantity, options) => shown(broker('sell').sell(quantity, options)),
    close: (options) => shown(broker('close').close(options)),
    cancel: (orderId) => broker('cancel').cancel(orderId),
    replace: (orderId, changes) => shown(broker('replace').replace(orderId, changes)),
    rebalance: (request) => broker('rebalance').rebalance(request),
    pending: () => source.orders.pending().map(orderView),
  };
}

/**
 * Returns the fields of a `bar` event about fills that depend on the unknown sequence of prices within the
 * bar.
 *
 * @param marked equity with positions valued at the bar's marks
 */
export function doubtOf(
  { difference, bounds }: Broker['doubt'],
  marked: Exact,
  resolve: RunSettings['resolve'],
  symbols: readonly string[],
): Pick<BarEvent, 'ambiguity' | 'bounds'> {
  if (difference === undefined && bounds.size === 0) return {};
  const equity = marked.toDecimal();
  const other = difference?.toDecimal();
  const [worse, better] =
    resolve === 'worst' ? [equity, other?.plus(equity)] : [other?.negated().plus(equity), equity];
  return {
    ...(worse === undefined || better === undefined
      ? {}
      : { ambiguity: { worse: decimalString(worse), better: decimalString(better) } }),
    ...(bounds.size === 0
      ? {}
      : { bounds: Object.fromEntries([...bounds].map(([symbol, bound]) => [symbols[symbol]!, bound])) }),
  };
}
