import type { Ledger } from '../../broker/account/index.ts';
import { type Broker, multiplierPart, tradeClosed } from '../../broker/index.ts';
import {
  decimalString,
  Exact,
  type Fault,
  faultsError,
  formatInstant,
  type Instant,
} from '../../kernel/index.ts';
import {
  actionFaults,
  adjustmentsOf,
  type BarTimes,
  type Market,
  orderOfActions,
  type SeriesCursor,
  type ShareAction,
} from '../../market/index.ts';
import type { MarketEvent } from '../events/events-since.ts';

/** Parts of a run that corporate actions read or change. */
export interface ActionParts {
  readonly market: Market;
  readonly ledger: Ledger;
  readonly broker: Broker;
  readonly emit: ((event: MarketEvent) => void) | undefined;
  /**
   * Meaning of a bar's timestamp: start or end of the bar. An action does not affect a bar that ends at the
   * action's date.
   */
  readonly barTimes: BarTimes;
  /** Objects that reveal the bars of each symbol one by one. */
  readonly cursors: readonly SeriesCursor[];
  /**
   * If true, a split or dividend converts the visible earlier prices of its symbol, so that they are
   * comparable with the newest bar.
   */
  readonly adjusts: boolean;
}

/**
 * Applies dividends, splits and delistings before all other steps of their bar.
 *
 * A dividend or split takes effect with the symbol's first bar at or after its date. The prices of this bar
 * already reflect the action. A delisting takes effect with the first bar of any symbol at or after its date.
 * Actions are not visible earlier.
 */
export class CorporateActions {
  readonly #parts: ActionParts;
  /** Future actions, the next one last. */
  readonly #waiting: ShareAction[];
  /** Actions whose date has passed but whose symbol has had no bar since then. */
  #due: ShareAction[] = [];

  /**
   * @throws AppError `bad_actions` for invalid amounts, and if a symbol has bars after its delisting
   */
  constructor(actions: readonly ShareAction[], parts: ActionParts) {
    const { market } = parts;
    this.#parts = parts;
    const ours = actions.filter(({ symbol }) => market.symbols.includes(symbol));
    checkActions(ours);
    checkDelistings(ours, market, parts.barTimes);
    // Throws before the run if an adjustment would leave no positive price.
    if (parts.adjusts) for (const series of market.series) adjustmentsOf(series, ours);
    // Actions before a symbol's first bar are skipped, because no position or order can exist yet.
    const first = (symbol: string): Instant => market.series[market.symbols.indexOf(symbol)]!.time[0]!;
    this.#waiting = ours
      .filter(({ symbol, time }) => !isInForce(time, first(symbol), parts.barTimes))
      .sort(orderOfActions)
      .reverse();
  }

  #isReached(action: ShareAction, time: Instant): boolean {
    return isInForce(action.time, time, this.#parts.barTimes);
  }

  /** True if `apply` must be called for a bar at this instant. */
  isDue(time: Instant): boolean {
    if (this.#due.length > 0) return true;
    const next = this.#waiting.at(-1);
    return next !== undefined && this.#isReached(next, time);
  }

  /**
   * Applies all due actions.
   *
   * @param hasBar returns true if a symbol has a bar now; its mark is then that bar's open
   */
  apply(bar: number, time: Instant, hasBar: (symbol: number) => boolean): void {
    while (this.#waiting.length > 0 && this.#isReached(this.#waiting.at(-1)!, time))
      this.#due.push(this.#waiting.pop()!);
    this.#parts.broker.startActions(bar, time);
    const leaving = new Set(this.#due.flatMap(({ kind, symbol }) => (kind === 'delisting' ? [symbol] : [])));
    if (this.#parts.adjusts) this.#rebase(this.#parts.cursors, hasBar);
    const kept: ShareAction[] = [];
    for (const action of this.#due) {
      const symbol = this.#parts.market.symbols.indexOf(action.symbol);
      const now = { bar, time, symbol, hasBar: hasBar(symbol) };
      // An action of a symbol without a bar waits for the symbol's next bar. If the symbol leaves the market
      // now, its waiting actions are applied first.
      if (now.hasBar || leaving.has(action.symbol)) this.#applyOne(action, now);
      else kept.push(action);
    }
    this.#due = kept;
  }

  // Splits first, because the amount of a dividend refers to units after the split.
  #rebase(cursors: readonly SeriesCursor[], hasBar: (symbol: number) => boolean): void {
    const rank = ({ kind }: ShareAction): number => (kind === 'split' ? 0 : 1);
    for (const action of [...this.#due].sort((a, b) => rank(a) - rank(b))) {
      const symbol = this.#parts.market.symbols.indexOf(action.symbol);
      if (!hasBar(symbol)) continue;
      const cursor = cursors[symbol]!;
      if (action.kind === 'split') {
        const ratio = Number(action.from) / Number(action.to);
        cursor.rebase({ price: ratio, volume: Number(action.to) / Number(action.from) });
      }
      const before = cursor.window.close.at(-2);
      if (action.kind === 'dividend' && before > Number(action.amount))
        cursor.rebase({ price: 1 - Number(action.amount) / before, volume: 1 });
    }
  }

  #applyOne(action: ShareAction, now: Now): void {
    if (action.kind === 'dividend') this.#dividend(Exact.of(action.amount), now);
    else if (action.kind === 'split') this.#split(action.to, action.from, now);
    else this.#delist(action.price, now);
  }

  #dividend(perUnit: Exact, { bar, symbol }: Now): void {
    const { ledger, market, emit } = this.#parts;
    const quantity = ledger.quantity(symbol);
    if (quantity.isZero()) return;
    const amount = ledger.unitValue(symbol, quantity.times(perUnit));
    ledger.post('dividend', amount);
    emit?.({
      type: 'cash_entry',
      bar,
      kind: 'dividend',
      symbol: market.symbols[symbol]!,
      amount: amount.toString(),
      cash: decimalString(ledger.cash),
      quantity: quantity.toString(),
      perUnit: perUnit.toString(),
      ...multiplierPart(ledger.contractOf(symbol).multiplier),
      ...(ledger.currencyOf(symbol) === ledger.currency ? {} : { rate: ledger.rateOf(symbol).toString() }),
    });
  }

  #split(to: string, from: string, { bar, time, symbol, hasBar }: Now): void {
    const { ledger, broker, market, emit } = this.#parts;
    const ratio = { to: Exact.of(to), from: Exact.of(from) };
    if (!hasBar) ledger.mark(symbol, ledger.markOf(symbol).times(ratio.from).dividedBy(ratio.to).toNumber());
    const price = ledger.markOf(symbol).toNumber();
    const { before, after, leftOver, trades } = ledger.split(symbol, ratio, broker.lotOf(symbol), {
      bar,
      time,
      price,
    });
    emit?.({
      type: 'split',
      bar,
      symbol: market.symbols[symbol]!,
      ratio: `${to}:${from}`,
      quantityBefore: before.toString(),
      quantityAfter: after.toString(),
      ...(leftOver.isZero()
        ? {}
        : { leftOver: leftOver.toString(), price: String(price), cash: decimalString(ledger.cash) }),
    });
    if (emit !== undefined) for (const trade of trades) emit(tradeClosed(trade, bar));
    broker.split(symbol, ratio);
  }

  #delist(price: string | undefined, { bar, symbol }: Now): void {
    const { ledger, broker, market, emit } = this.#parts;
    const paid = price === undefined ? ledger.markOf(symbol) : Exact.of(price);
    emit?.({ type: 'delisted', bar, symbol: market.symbols[symbol]!, price: paid.toString() });
    broker.leave(symbol, paid, 'delisting');
  }
}

interface Now {
  readonly bar: number;
  readonly time: Instant;
  readonly symbol: number;
  readonly hasBar: boolean;
}

/** True if an action is in effect in a bar. A bar that ends at the action's instant is not affected. */
function isInForce(time: Instant, bar: Instant, barTimes: BarTimes): boolean {
  return barTimes === 'end' ? time < bar : time <= bar;
}

function checkActions(actions: readonly ShareAction[]): void {
  const faults = actionFaults(actions);
  if (faults.length === 0) return;
  throw faultsError(
    'bad_actions',
    'The corporate actions cannot be used',
    faults,
    'List each action once. Amounts and ratios must be above 0, and the price of a delisting at least 0, as decimal texts.',
  );
}

function checkDelistings(actions: readonly ShareAction[], market: Market, barTimes: BarTimes): void {
  const faults = actions.flatMap(({ kind, symbol, time }): Fault[] => {
    // Bars after the end of the clock are ignored, because they are never processed.
    const end = market.clock.at(-1)!;
    const last = market.series[market.symbols.indexOf(symbol)]!.time.findLast((bar) => bar <= end)!;
    if (kind !== 'delisting' || !isInForce(time, last, barTimes)) return [];
    const [from, bar] = [formatInstant(time), formatInstant(last)];
    return [
      { where: `${symbol}, delisting of ${from}`, message: `the data have bars of this symbol up to ${bar}` },
    ];
  });
  if (faults.length === 0) return;
  throw faultsError(
    'bad_actions',
    'The corporate actions do not fit the data',
    faults,
    'Set the date of a delisting to the first day without the symbol.',
  );
}
