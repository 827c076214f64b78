import type { Ledger, SplitRatio } from '../account/index.ts';
import { EXACT_ZERO, type Exact, type Instant } from '../kernel/index.ts';
import { type CostModels, Costs } from './costs.ts';
import type { BrokerEvent } from './events.ts';
import { type Attempt, type BarPrices, Executor } from './executor.ts';
import { type Exit, exitsOf, fitExit } from './exits.ts';
import { type Instrument, instrumentsOf } from './instruments.ts';
import type { RestingOrder } from './order.ts';
import { orderAdjusted, rebaseOrder } from './rebase.ts';
import { positionGone, type Refusal } from './refusals.ts';
import { RiskGate } from './risk.ts';
import type { BrokerSettings } from './settings.ts';
import {
  type PriceBar,
  priceAtOpen,
  priceInside,
  priceProvenByClose,
  touchesStop,
  trailedStop,
} from './triggers.ts';

const DAY = 86_400_000;

export interface MatcherParts {
  readonly symbols: readonly string[];
  readonly prices: BarPrices;
  readonly ledger: Ledger;
  readonly settings: BrokerSettings;
  readonly models?: CostModels;
  readonly emit: ((event: BrokerEvent) => void) | undefined;
}

interface Candidate {
  readonly order: RestingOrder;
  readonly side: 1 | -1;
  readonly price: number;
}

/** Holds the resting orders and matches them against each bar, by docs/fill-rules.md. */
export class Matcher {
  readonly executor: Executor;
  readonly costs: Costs;
  readonly risk: RiskGate;
  readonly instruments: readonly Instrument[];
  readonly #parts: MatcherParts;
  readonly #bar: { open: number; high: number; low: number; close: number } = {
    open: 0,
    high: 0,
    low: 0,
    close: 0,
  };
  /** Oldest first. */
  #resting: RestingOrder[] = [];
  #nextId = 1;
  #barNumber = -1;

  constructor(parts: MatcherParts) {
    const { symbols, ledger, settings, prices, emit } = parts;
    this.#parts = parts;
    this.instruments = instrumentsOf(symbols, settings);
    this.costs = new Costs(settings, parts.models);
    this.risk = new RiskGate(settings.risk, symbols, ledger, this.instruments);
    const { costs, instruments, risk } = this;
    this.executor = new Executor({ symbols, prices, ledger, settings, emit, costs, instruments, risk });
  }

  get resting(): readonly RestingOrder[] {
    return this.#resting;
  }

  nextId(): number {
    return this.#nextId++;
  }

  rest(order: RestingOrder): void {
    this.#resting.push(order);
  }

  find(orderId: number): RestingOrder | undefined {
    return this.#resting.find((order) => order.id === orderId && !order.done);
  }

  /** The whole of a bar's matching: expiry, open, inside, close; then stops trail and bars are counted. */
  matchBar(bar: number, time: Instant): void {
    this.#barNumber = bar;
    this.executor.startBar(bar, time);
    if (this.#resting.length === 0) return;
    this.#expire(time);
    this.#atOpen();
    this.#inside();
    this.#atClose();
    this.#endBar(time);
  }

  /** Market orders fill at once, at this bar's close: the `fillOn: "close"` option. */
  fillMarketOrdersAtClose(): void {
    for (let index = 0; index < this.#resting.length; index++) {
      const order = this.#resting[index]!;
      if (order.done || order.type !== 'market' || !this.#trades(order)) continue;
      const side = this.#sideOf(order);
      if (side === 0) this.#withoutSide(order);
      else this.#fill({ order, side, price: this.#parts.prices.close[order.symbol]! }, false, true);
    }
    this.#sweep();
  }

  /** Re-bases the resting orders of a symbol that was split, once the ledger is; what falls below a lot is taken back. */
  rebase(symbol: number, ratio: SplitRatio): void {
    const { emit, ledger } = this.#parts;
    for (const order of this.#resting) {
      if (order.done || order.symbol !== symbol) continue;
      const rest = rebaseOrder(order, ratio, this.instruments[symbol]!);
      if (order.parentId !== undefined && fitExit(order, ledger) === 'gone')
        this.cancel(order, 'position_closed', 'The position it belongs to is closed.');
      else if (rest === 'below-lot' && order.parentId === undefined)
        this.cancel(order, 'split', 'After the split it is below one lot.');
      else emit?.(orderAdjusted(order, this.#barNumber, this.#parts.symbols[symbol]!));
    }
    this.#sweep();
  }

  /** Notes the bar whose corporate actions come before its matching. */
  startActions(bar: number, time: Instant): void {
    this.#barNumber = bar;
    this.executor.startBar(bar, time);
  }

  cancel(order: RestingOrder, code: string, message: string): void {
    order.done = true;
    this.#parts.emit?.({
      type: 'order_cancelled',
      bar: this.#barNumber,
      orderId: order.id,
      symbol: this.#parts.symbols[order.symbol]!,
      code,
      message,
    });
  }

  #trades(order: RestingOrder): boolean {
    return this.#parts.prices.trades[order.symbol] === 1;
  }

  #expire(time: Instant): void {
    const day = Math.floor(time / DAY);
    for (const order of this.#resting) {
      if (order.done) continue;
      if (order.expiresAt < time) this.cancel(order, 'expired', 'Its last date has passed.');
      else if (order.timeInForce === 'DAY' && day > order.session)
        this.cancel(order, 'expired', 'Its day is over.');
    }
  }

  #atOpen(): void {
    const { prices, settings } = this.#parts;
    // Exits born in this pass join its end: the open may be beyond them already.
    for (let index = 0; index < this.#resting.length; index++) {
      const order = this.#resting[index]!;
      if (order.done || !this.#trades(order)) continue;
      const side = this.#sideOf(order);
      if (side === 0) {
        this.#withoutSide(order);
        continue;
      }
      const open = prices.open[order.symbol]!;
      const price = priceAtOpen(order, side, open, settings.limitNeedsThrough);
      if (!Number.isNaN(price)) this.#fill({ order, side, price }, false, false);
      if (order.type === 'stop_limit' && (side > 0 ? open >= order.stopPrice : open <= order.stopPrice)) {
        order.triggered = true;
      }
      if ((order.timeInForce === 'IOC' || order.timeInForce === 'FOK') && !order.done) {
        this.cancel(order, order.timeInForce.toLowerCase(), 'What could not fill at the open is cancelled.');
      }
    }
  }

  #inside(): void {
    for (let index = 0; index < this.#resting.length; index++) {
      const order = this.#resting[index]!;
      if (order.done || order.type === 'market' || order.type === 'market_on_close' || !this.#trades(order))
        continue;
      const side = this.#sideOf(order);
      if (side === 0) continue;
      const bar = this.#barOf(order.symbol);
      const price = this.#priceInside(order, side, bar);
      if (!Number.isNaN(price)) this.#fillWorst({ order, side, price }, bar);
      else if (order.type === 'stop_limit' && touchesStop(order, side, bar)) order.triggered = true;
    }
  }

  #priceInside(order: RestingOrder, side: 1 | -1, bar: PriceBar): number {
    if (order.bornInside) return priceProvenByClose(order, side, bar);
    return priceInside(order, side, bar, this.#parts.settings.limitNeedsThrough);
  }

  /** Of an order and the rivals that this bar reached too, fills the one that leaves the trader worse off. */
  #fillWorst(first: Candidate, bar: PriceBar): void {
    let worst = first;
    let best = first;
    if (first.order.group !== undefined) {
      for (const rival of this.#resting) {
        if (rival === first.order || rival.done || rival.group !== first.order.group) continue;
        if (rival.symbol !== first.order.symbol) continue;
        const side = this.#sideOf(rival);
        const price = side === 0 ? Number.NaN : this.#priceInside(rival, side, bar);
        if (side === 0 || Number.isNaN(price)) continue;
        const candidate = { order: rival, side, price };
        if (gainAtClose(candidate, bar) < gainAtClose(worst, bar)) worst = candidate;
        if (gainAtClose(candidate, bar) > gainAtClose(best, bar)) best = candidate;
      }
    }
    const maker = worst.order.type === 'limit' || worst.order.type === 'stop_limit';
    const alternative = worst === best ? undefined : gainAtClose(best, bar) - gainAtClose(worst, bar);
    this.#fill(worst, maker, true, alternative);
  }

  #atClose(): void {
    for (let index = 0; index < this.#resting.length; index++) {
      const order = this.#resting[index]!;
      if (order.done || order.type !== 'market_on_close' || !this.#trades(order)) continue;
      const side = this.#sideOf(order);
      if (side === 0) this.#withoutSide(order);
      else this.#fill({ order, side, price: this.#parts.prices.close[order.symbol]! }, false, true);
    }
  }

  #endBar(time: Instant): void {
    const day = Math.floor(time / DAY);
    for (const order of this.#resting) {
      if (order.done || !this.#trades(order)) continue;
      order.bornInside = false;
      if (order.type === 'trailing_stop') {
        const side = this.#sideOf(order);
        if (side !== 0) order.stopPrice = trailedStop(order, side, this.#barOf(order.symbol));
      }
      order.barsLeft -= 1;
      if (Number.isNaN(order.session)) order.session = day;
      if (order.barsLeft <= 0) this.cancel(order, 'expired', 'Its bars are over.');
    }
    this.#sweep();
  }

  #sweep(): void {
    let kept = 0;
    for (const order of this.#resting) if (!order.done) this.#resting[kept++] = order;
    this.#resting.length = kept;
  }

  #fill({ order, side, price }: Candidate, maker: boolean, inside: boolean, alternative?: number): void {
    const attempt: Attempt = { side, price, maker, ...(alternative === undefined ? {} : { alternative }) };
    const outcome = this.executor.fill(order, attempt);
    if (outcome.kind === 'refused') this.#reject(order, outcome.refusal);
    if (outcome.kind !== 'filled') return;
    order.done = outcome.complete;
    if (order.group !== undefined && order.parentId === undefined) this.#cancelRivals(order);
    if (order.stopLoss !== undefined || order.takeProfit !== undefined)
      this.#bearExits(order, side, outcome.price, inside);
    this.#fitExits(order.symbol);
  }

  #bearExits(parent: RestingOrder, side: 1 | -1, price: Exact, inside: boolean): void {
    const { ledger } = this.#parts;
    const born = this.#resting.some((exit) => exit.parentId === parent.id && !exit.done);
    const opened = ledger.openQuantity(parent.symbol, parent.id);
    // A later partial fill resizes the exits that are there; an order that only closed has none.
    if (born || opened.isZero()) return;
    for (const exit of exitsOf(parent, side, price, this.instruments[parent.symbol]!)) {
      this.#bear(parent, side, exit, opened, inside);
    }
  }

  #bear(parent: RestingOrder, side: 1 | -1, exit: Exit, quantity: Exact, inside: boolean): void {
    const stop = exit.role === 'stop-loss';
    const id = this.nextId();
    const action = side > 0 ? 'sell' : 'buy';
    this.#resting.push({
      ...parent,
      id,
      action,
      request: undefined,
      side: side > 0 ? -1 : 1,
      type: stop ? 'stop' : 'limit',
      role: exit.role,
      size: { kind: 'units', units: quantity },
      filled: EXACT_ZERO,
      stopPrice: stop ? exit.price : Number.NaN,
      limitPrice: stop ? Number.NaN : exit.price,
      timeInForce: 'GTC',
      expiresAt: Number.POSITIVE_INFINITY,
      // Counted down at the end of the bar they are born in, like all others.
      barsLeft: Number.POSITIVE_INFINITY,
      reduceOnly: true,
      group: `exits of ${parent.id}`,
      parentId: parent.id,
      placedBar: this.#barNumber,
      reason: undefined,
      trail: undefined,
      triggered: false,
      stopLoss: undefined,
      takeProfit: undefined,
      bornInside: inside,
      done: false,
    });
    this.#parts.emit?.({
      type: 'order_accepted',
      bar: this.#barNumber,
      orderId: id,
      symbol: this.#parts.symbols[parent.symbol]!,
      action,
      orderType: stop ? 'stop' : 'limit',
      quantity: quantity.toString(),
      ...(stop ? { stopPrice: String(exit.price) } : { limitPrice: String(exit.price) }),
      parentId: parent.id,
      role: exit.role,
    });
  }

  #fitExits(symbol: number): void {
    for (const exit of this.#resting) {
      if (exit.done || exit.symbol !== symbol || exit.parentId === undefined) continue;
      if (fitExit(exit, this.#parts.ledger) !== 'gone') continue;
      this.cancel(exit, 'position_closed', 'The position it belongs to is closed.');
    }
  }

  #cancelRivals(filled: RestingOrder): void {
    for (const rival of this.#resting) {
      if (rival === filled || rival.done || rival.group !== filled.group) continue;
      this.cancel(rival, 'one_cancels_other', `Order ${filled.id} of its group filled.`);
    }
  }

  #withoutSide(order: RestingOrder): void {
    if (order.action === 'target') this.cancel(order, 'at_target', 'The position is at its target already.');
    else this.#reject(order, positionGone(this.#parts.symbols[order.symbol]!));
  }

  #reject(order: RestingOrder, { code, message, remedy }: Refusal): void {
    order.done = true;
    const symbol = this.#parts.symbols[order.symbol]!;
    const { action, id } = order;
    this.#parts.emit?.({
      type: 'order_rejected',
      bar: this.#barNumber,
      orderId: id,
      symbol,
      action,
      code,
      message,
      remedy,
    });
  }

  /** +1 buys, −1 sells, 0 when there is nothing to trade: closing no position, or at the target. */
  #sideOf(order: RestingOrder): 1 | -1 | 0 {
    if (order.side !== 0) return order.side;
    const { ledger } = this.#parts;
    const held = ledger.unitsAt(order.symbol);
    const { size } = order;
    if (size.kind === 'position') return held > 0 ? -1 : held < 0 ? 1 : 0;
    let target = held;
    if (size.kind === 'target-units') target = size.units.toNumber();
    if (size.kind === 'target-fraction') {
      const unitValue = ledger.inAccountCurrency(order.symbol, ledger.markOf(order.symbol)).toNumber();
      target = (size.fraction.toNumber() * ledger.equityNumber) / unitValue;
    }
    // Partly filled, it is an order for units: the side it began with is the side it keeps.
    return target > held ? 1 : target < held ? -1 : 0;
  }

  #barOf(symbol: number): PriceBar {
    const { prices } = this.#parts;
    const bar = this.#bar;
    bar.open = prices.open[symbol]!;
    bar.high = prices.high[symbol]!;
    bar.low = prices.low[symbol]!;
    bar.close = prices.close[symbol]!;
    return bar;
  }
}

/** What a fill gains by the bar's close, a unit: tells the worse of two answers. */
function gainAtClose({ side, price }: Candidate, bar: PriceBar): number {
  return side * (bar.close - price);
}
