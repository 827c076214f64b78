import { EXACT_ZERO, type Exact, type Instant, type TradingDays } from '../kernel/index.ts';
import type { Ledger, SplitRatio } from './account/index.ts';
import type { CostModels } from './costs/costs.ts';
import type { CancelReceipt, OrderDesk, OrderOptions, OrderReceipt } from './desk.ts';
import type { BrokerEvent } from './events.ts';
import { Maintenance } from './fills/margin.ts';
import { type LateCommands, LateDesk } from './late-commands.ts';
import type { DetailReader } from './matching/bar-matcher.ts';
import type { BarDoubt } from './matching/inside.ts';
import { type Ambiguity, Matcher } from './matching/matching.ts';
import type { Auctions, BarPrices } from './matching/triggers.ts';
import type { Order, RestingOrder } from './orders/order.ts';
import { acceptedEvent, haltEvent, rejectedEvent } from './orders/order-events.ts';
import { OrderMaker, remainderOf, ShareReceipt } from './orders/order-maker.ts';
import type { ValidationParts } from './orders/projection.ts';
import { rebalance } from './orders/rebalance.ts';
import type { RebalanceReceipt, RebalanceRequest } from './orders/rebalance-request.ts';
import { forcedOrder, type Refusal, refusal } from './orders/refusals.ts';
import type { Amount, OrderRequest } from './orders/request.ts';
import { validate } from './orders/validate.ts';
import { type RollPrices, rollPosition } from './roll-position.ts';
import type { BrokerSettings } from './settings/settings.ts';

export interface BrokerParts {
  readonly symbols: readonly string[];
  /**
   * Prices of the current bar. The engine sets the prices before each bar is processed, so the broker never
   * sees a later bar.
   */
  readonly prices: BarPrices;
  readonly ledger: Ledger;
  readonly settings: BrokerSettings;
  /** Symbols of series that are visible but cannot be traded. */
  readonly untraded?: readonly string[];
  /** Meaning of a bar's timestamp: the start or the end of the bar. Default: `start`. */
  readonly barTimes?: 'start' | 'end';
  /** Assigns bars to days, for DAY orders and daily limits. Default: days of UTC. */
  readonly days?: TradingDays;
  /** Bars in which opening and closing auctions take place. Default: every bar has both. */
  readonly auctions?: Auctions | undefined;
  readonly models?: CostModels;
  /**
   * Reads finer bars, for example the minute bars within a daily bar. They show in which sequence the prices
   * within a bar were reached. The broker receives only the finer bars of the current bar.
   */
  readonly detail?: DetailReader;
  /** Reports orders and cancellations given after the next bar had opened. Default: none are late. */
  readonly late?: LateCommands | undefined;
  /** Called for every order, rejection, fill and closed trade. `undefined` if events are not recorded. */
  readonly emit: ((event: BrokerEvent) => void) | undefined;
  /**
   * Returns true if a symbol is currently outside the run's universe of symbols. Positions in it can then
   * only be reduced. Default: no symbol is outside.
   */
  readonly isOutside?: ((symbol: number) => boolean) | undefined;
  /**
   * Returns Wilder's average true range of a symbol over `length` bars, at the current bar. `NaN` with too
   * few bars.
   */
  readonly averageTrueRange?: (symbol: number, length: number) => number;
}

/**
 * Accepts orders at a bar's close and fills them from the next open. docs/fill-rules.md defines every price
 * and refusal.
 */
export class Broker implements OrderDesk {
  readonly #parts: BrokerParts;
  readonly #matcher: Matcher;
  readonly #validation: ValidationParts;
  readonly #maker: OrderMaker;
  readonly #late: LateDesk | undefined;
  readonly #left = new Map<number, 'delisting' | 'expiry'>();
  readonly #maintenance: Maintenance;
  #bar = -1;
  #time: Instant = Number.NEGATIVE_INFINITY;

  constructor(parts: BrokerParts) {
    this.#parts = parts;
    const { symbols, prices, ledger, settings, models, detail, emit } = parts;
    this.#matcher = new Matcher({
      symbols,
      prices,
      ledger,
      settings,
      emit,
      barTimes: parts.barTimes,
      days: parts.days,
      auctions: parts.auctions,
      isOutside: parts.isOutside,
      ...(models === undefined ? {} : { models }),
      ...(detail === undefined ? {} : { detail }),
    });
    if (parts.late !== undefined) this.#late = new LateDesk(parts.late);
    this.#maintenance = new Maintenance(ledger, this.#matcher.instruments, settings);
    this.#maker = new OrderMaker({
      symbols,
      close: prices.close,
      nextId: () => this.#matcher.nextId(),
      tickOf: (symbol) => this.#matcher.instruments[symbol]!.tick,
      averageTrueRange: parts.averageTrueRange,
    });
    this.#validation = {
      symbols,
      ledger,
      settings,
      matcher: this.#matcher,
      close: prices.close,
      now: () => this.#time,
      leftBy: (symbol) => this.#left.get(symbol),
      untraded: parts.untraded ?? [],
    };
  }

  /**
   * Statistics, for the run so far, of bars in which the unknown sequence of prices within the bar changes
   * which orders fill.
   */
  get ambiguity(): Ambiguity {
    return this.#matcher.ambiguity;
  }

  /** Effect of the unknown sequence of prices within the current bar on the account. */
  get doubt(): BarDoubt {
    return this.#matcher.doubt;
  }

  pending(): readonly Order[] {
    return this.#waiting().filter((order) => !order.done);
  }

  /** Starts a bar: matches the resting orders with the bar's prices. */
  openBar(bar: number, time: Instant): void {
    this.#bar = bar;
    this.#time = time;
    if (this.#late !== undefined) {
      this.#matcher.startActions(bar, time);
      const cancel = (orderId: number): void => this.#cancelNow(this.#find(orderId));
      this.#late.openBar(time, (order) => this.#matcher.rest(order), cancel);
    }
    this.#matcher.matchBar(bar, time);
  }

  /**
   * Checks margin and risk limits, and places market orders that close positions if a limit requires this.
   * These orders fill at the next open. Call it after the positions are marked at the bar's close.
   */
  endBar(bar: number, _time?: Instant): void {
    const { risk } = this.#matcher;
    if (risk.any)
      for (const halt of risk.endBar()) this.#parts.emit?.(haltEvent(halt, bar, this.#parts.ledger));
    if (this.#maintenance.isSet)
      for (const symbol of this.#maintenance.breached()) this.#force(symbol, 'liquidation', 'liquidation');
    if (risk.halted && risk.flattens) this.#flatten('risk_drawdown', 'the drawdown limit was reached');
  }

  get fillsAtClose(): boolean {
    return this.#parts.settings.fillOn === 'close';
  }

  /** With `fillOn: "close"`: fills new market orders at the current close. */
  fillAtClose(): void {
    this.#matcher.fillMarketOrdersAtClose();
  }

  buy(quantity: Amount, options?: OrderOptions): OrderReceipt {
    return this.submit({ ...options, action: 'buy', quantity });
  }

  sell(quantity: Amount, options?: OrderOptions): OrderReceipt {
    return this.submit({ ...options, action: 'sell', quantity });
  }

  close(options?: OrderOptions): OrderReceipt {
    return this.submit({ ...options, action: 'close' });
  }

  submit(request: OrderRequest): OrderReceipt {
    return this.#place(request, undefined);
  }

  /**
   * Validates an order and accepts it if it is valid.
   *
   * @param replaced existing order, which is cancelled if the new order is valid
   * @param cutToPower see `RestingOrder`
   */
  #place(request: OrderRequest, replaced: RestingOrder | undefined, cutToPower = false): OrderReceipt {
    const parts = replaced === undefined ? this.#validation : { ...this.#validation, replaced };
    const verdict = validate(request, parts);
    if ('refusal' in verdict) return this.#refuse(request, verdict.refusal);
    const terms = this.#maker.termsOf(verdict.terms, verdict.symbol);
    if ('code' in terms) return this.#refuse(request, terms);
    if (replaced !== undefined) this.#matcher.cancel(replaced, 'replaced', 'Replaced by another order.');
    const order = this.#maker.orderOf(request, verdict, terms, this.#bar);
    order.cutToPower = cutToPower;
    if (replaced !== undefined && continuesEntry(order, replaced)) order.entryId = replaced.entryId;
    const lateAt = this.#late?.lateAt(this.#bar);
    if (lateAt === undefined) this.#matcher.rest(order);
    else this.#late?.hold(order, lateAt);
    this.#reportAccepted(order, lateAt !== undefined);
    return verdict.size.kind === 'equity-fraction'
      ? new ShareReceipt(order, parts)
      : { accepted: true, order };
  }

  rebalance(request: RebalanceRequest): RebalanceReceipt {
    const receipt = rebalance(request, this.#validation, (order) => this.#place(order, undefined, true));
    if (!receipt.accepted) {
      const { code, message, remedy } = receipt.refusal;
      const refused = { orderId: null, symbol: null, action: 'rebalance', code, message, remedy };
      this.#parts.emit?.({ type: 'order_rejected', bar: this.#bar, ...refused });
    }
    return receipt;
  }

  cancel(orderId: number): CancelReceipt {
    const order = this.#find(orderId);
    if (order === undefined) return { cancelled: false, refusal: this.#unknownOrder(orderId) };
    if (order.role === 'liquidation') return { cancelled: false, refusal: forcedOrder(order) };
    const lateAt = this.#late?.lateAt(this.#bar);
    if (lateAt === undefined) this.#cancelNow(order);
    else this.#late?.cancelLater(orderId, lateAt);
    return { cancelled: true };
  }

  #cancelNow(order: RestingOrder | undefined): void {
    if (order !== undefined) this.#matcher.cancel(order, 'cancelled', 'The order was cancelled.');
  }

  #find(orderId: number): RestingOrder | undefined {
    return this.#matcher.find(orderId) ?? this.#late?.orders.find(({ id }) => id === orderId);
  }

  /**
   * Resting orders, followed by late orders. A late order waits for the first bar that opens after the order
   * was placed.
   */
  #waiting(): readonly RestingOrder[] {
    const late = this.#late?.orders ?? [];
    return late.length === 0 ? this.#matcher.resting : [...this.#matcher.resting, ...late];
  }

  replace(orderId: number, changes: Partial<OrderRequest>): OrderReceipt {
    const order = this.#find(orderId);
    const request = order?.request;
    if (order === undefined)
      return this.#refuse({ action: 'close', ...changes }, this.#unknownOrder(orderId));
    if (order.role === 'liquidation')
      return this.#refuse({ action: 'close', ...changes }, forcedOrder(order));
    if (request === undefined)
      return this.#refuse(
        { action: 'close', ...changes },
        refusal(
          'unknown_order',
          `Order ${orderId} is an exit, and exits cannot be replaced.`,
          'Cancel the exit and place another order.',
        ),
      );
    if (this.#late?.lateAt(this.#bar) !== undefined)
      return this.#refuse(
        { action: 'close', ...changes },
        refusal(
          'too_late',
          `Order ${orderId} cannot be replaced: the next bar has opened.`,
          'Replace the order at the next decision, or decide faster.',
        ),
      );
    return this.#place({ ...remainderOf(order, request), ...changes }, order);
  }

  /**
   * Sets the current bar before its corporate actions are applied. Orders and fills that the actions cause
   * get this bar's number.
   */
  startActions(bar: number, time: Instant): void {
    this.#bar = bar;
    this.#matcher.startActions(bar, time);
  }

  /** Applies a split to a symbol's resting orders. Call it after the split of the ledger's position. */
  split(symbol: number, ratio: SplitRatio): void {
    this.#matcher.rebase(symbol, ratio);
  }

  /** Returns the smallest quantity of a symbol that can be traded. */
  lotOf(symbol: number): Exact {
    return this.#matcher.instruments[symbol]!.lot;
  }

  /**
   * Removes a symbol from the market: cancels its orders and closes its position at the given price, without
   * commission and slippage.
   */
  leave(symbol: number, price: Exact, why: 'delisting' | 'expiry'): void {
    this.#left.set(symbol, why);
    const [code, message] = why === 'delisting' ? LEFT : EXPIRED;
    for (const order of this.#matcher.resting) {
      if (order.symbol === symbol && !order.done) this.#matcher.cancel(order, code, message);
    }
    if (this.#parts.ledger.unitsAt(symbol) === 0) return;
    const order = this.#maker.forced(symbol, why, why, this.#bar);
    this.#reportAccepted(order);
    const left = this.#parts.ledger.quantity(symbol).negated();
    this.#matcher.executor.force(order, left, price, price, EXACT_ZERO);
  }

  /**
   * Rolls a symbol to its next futures contract. Closes the position in the old contract and opens the same
   * position in the new contract. Shifts the prices of resting orders by the price gap between the contracts.
   */
  roll(symbol: number, at: RollPrices): void {
    rollPosition(symbol, at, this.#matcher, this.#parts, (opens) => {
      const order = this.#maker.forced(symbol, 'roll', 'roll', this.#bar, opens);
      this.#reportAccepted(order);
      return order;
    });
    this.#matcher.shift(symbol, at.new.minus(at.old));
  }

  /**
   * Closes an insolvent account, whose equity is zero or negative. Cancels its orders and closes every
   * position at its mark, with commission.
   */
  closeInsolvent(): void {
    for (const order of this.#waiting()) {
      if (!order.done) this.#matcher.cancel(order, 'insolvent', 'The account is insolvent.');
    }
    for (const { symbol } of this.#parts.ledger.positions()) {
      const order = this.#maker.forced(
        this.#parts.symbols.indexOf(symbol),
        'insolvent',
        'insolvent',
        this.#bar,
      );
      this.#reportAccepted(order);
      const { ledger } = this.#parts;
      const mark = ledger.markOf(order.symbol);
      this.#matcher.executor.force(order, ledger.quantity(order.symbol).negated(), mark, mark);
    }
  }

  #unknownOrder(orderId: number): Refusal {
    const open = this.pending().map((order) => order.id);
    return refusal(
      'unknown_order',
      `Order ${orderId} is not resting.`,
      open.length === 0 ? 'No orders are resting.' : `Resting: ${open.join(', ')}.`,
    );
  }

  #flatten(code: string, why: string): void {
    for (const order of this.#waiting()) {
      if (!order.done && order.role === 'order') this.#matcher.cancel(order, code, `Cancelled: ${why}.`);
    }
    for (const { symbol } of this.#parts.ledger.positions())
      this.#force(this.#parts.symbols.indexOf(symbol), 'liquidation', code);
  }

  #force(symbol: number, role: 'liquidation', reason: string): void {
    if (this.#matcher.resting.some((order) => !order.done && order.symbol === symbol && order.role === role))
      return;
    const order = this.#maker.forced(symbol, role, reason, this.#bar);
    this.#matcher.rest(order);
    this.#reportAccepted(order);
  }

  #refuse(request: OrderRequest, refused: Refusal): OrderReceipt {
    const { emit, symbols } = this.#parts;
    emit?.(rejectedEvent(request, refused, this.#bar, symbols));
    return { accepted: false, refusal: refused };
  }

  #reportAccepted(order: RestingOrder, isLate = false): void {
    const { emit, symbols } = this.#parts;
    emit?.(acceptedEvent(order, this.#bar, symbols, isLate));
  }
}

/**
 * True if a replacement order has the same symbol and action as the order that it replaces. Both orders then
 * count as one entry (`entryId`).
 */
function continuesEntry(order: RestingOrder, replaced: RestingOrder): boolean {
  return order.symbol === replaced.symbol && order.action === replaced.action;
}

/** Codes and messages for orders that are cancelled because their symbol left the market. */
const LEFT = ['delisted', 'The symbol was delisted.'] as const;
const EXPIRED = ['contract_expired', 'The contract has expired.'] as const;
