import type { Ledger, SplitRatio } from '../account/index.ts';
import { decimalString, EXACT_ZERO, Exact, type Instant } from '../kernel/index.ts';
import type { CostModels } from './costs.ts';
import type { BrokerEvent } from './events.ts';
import type { BarPrices } from './executor.ts';
import type { DetailReader } from './inside.ts';
import { Matcher } from './matching.ts';
import type { Order, RestingOrder } from './order.ts';
import { MARKET_TERMS, type OrderTerms } from './read-request.ts';
import { type Refusal, refusal } from './refusals.ts';
import type { Amount, ExitLevel, OrderRequest, PlacedExit } from './request.ts';
import type { Halt } from './risk.ts';
import type { BrokerSettings } from './settings.ts';
import { trailFrom } from './triggers.ts';
import { type ValidationParts, type Verdict, validate } from './validate.ts';

export type OrderReceipt =
  | { readonly accepted: true; readonly order: Order }
  | { readonly accepted: false; readonly refusal: Refusal };

export type CancelReceipt =
  | { readonly cancelled: true }
  | { readonly cancelled: false; readonly refusal: Refusal };

/** What an order may say beside its action and quantity. */
export type OrderOptions = Omit<OrderRequest, 'action' | 'quantity'>;

/** Where a decider places orders; they can fill from the next bar's open. */
export interface OrderDesk {
  /** Market orders fill at the close they were decided on, not at the next open. */
  readonly fillsAtClose: boolean;
  submit(request: OrderRequest): OrderReceipt;
  /** Buys `quantity` units; at the next open unless the options say another type. */
  buy(quantity: Amount, options?: OrderOptions): OrderReceipt;
  /** Sells `quantity` units, short beyond what is held. */
  sell(quantity: Amount, options?: OrderOptions): OrderReceipt;
  /** Closes the whole position. */
  close(options?: OrderOptions): OrderReceipt;
  /** Takes a resting order back; its exits, if it has filled, stay. */
  cancel(orderId: number): CancelReceipt;
  /** Takes a resting order back and places it anew with these changes; it goes to the end of the queue. */
  replace(orderId: number, changes: Partial<OrderRequest>): OrderReceipt;
  /** Accepted orders that have not filled yet, oldest first. */
  pending(): readonly Order[];
}

export interface BrokerParts {
  readonly symbols: readonly string[];
  /** Filled in by the engine before each bar's work; the broker never sees a later bar. */
  readonly prices: BarPrices;
  readonly ledger: Ledger;
  readonly settings: BrokerSettings;
  readonly models?: CostModels;
  /** Finer bars, which settle what a bar leaves open; the broker is given those of the bar under way alone. */
  readonly detail?: DetailReader;
  /** Told of every order, refusal, fill and closed trade; left out where nothing is written down. */
  readonly emit: ((event: BrokerEvent) => void) | undefined;
  /** Wilder's average true range of a symbol over a number of bars, up to now; NaN while there are too few. */
  readonly averageTrueRange?: (symbol: number, length: number) => number;
}

const ATR_LENGTH = 14;
type Placement = Pick<Exclude<Verdict, { refusal: Refusal }>, 'symbol' | 'size' | 'buys'>;
/** Decimals kept of a distance in average true ranges: the mean of float64 ranges errs in its last digits. */
const RANGE_PLACES = 10;

type PlacedTerms = OrderTerms & {
  readonly stopLoss: PlacedExit | undefined;
  readonly takeProfit: PlacedExit | undefined;
};

/** Accepts orders at a bar's close and fills them from the next open, by docs/fill-rules.md. */
export class Broker implements OrderDesk {
  readonly #parts: BrokerParts;
  readonly #matcher: Matcher;
  readonly #validation: ValidationParts;
  readonly #delisted = new Set<number>();
  #bar = -1;

  constructor(parts: BrokerParts) {
    this.#parts = parts;
    const { symbols, prices, ledger, settings, models, detail, emit } = parts;
    this.#matcher = new Matcher({
      symbols,
      prices,
      ledger,
      settings,
      emit,
      ...(models === undefined ? {} : { models }),
      ...(detail === undefined ? {} : { detail }),
    });
    this.#validation = {
      symbols,
      ledger,
      settings,
      matcher: this.#matcher,
      close: prices.close,
      delisted: (symbol) => this.#delisted.has(symbol),
    };
  }

  /** Fills whose bar left two answers open, and what the better answers would have added to the final equity. */
  get ambiguity(): { readonly fills: number; readonly gain: string } {
    const { ambiguousFills, ambiguousGain } = this.#matcher.executor;
    return { fills: ambiguousFills, gain: ambiguousGain.toString() };
  }

  pending(): readonly Order[] {
    return this.#matcher.resting.filter((order) => !order.done);
  }

  /** The bar's matching. */
  openBar(bar: number, time: Instant): void {
    this.#bar = bar;
    this.#matcher.matchBar(bar, time);
  }

  /** Looks at margin and risk once the bar is marked; forced orders fill at the next open. */
  endBar(bar: number, _time?: Instant): void {
    const { risk } = this.#matcher;
    if (risk.any) for (const halt of risk.endBar()) this.#emitHalt(bar, halt);
    if (this.#parts.settings.maintenanceMargin > 0) this.#liquidateOnBreach();
    if (risk.halted && risk.flattens) this.#flatten('risk_drawdown', 'the drawdown limit was reached');
  }

  get fillsAtClose(): boolean {
    return this.#parts.settings.fillOn === 'close';
  }

  /** With `fillOn: "close"`: what was just placed fills at this close. */
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
    const verdict = validate(request, this.#validation);
    if ('refusal' in verdict) return this.#refuse(request, verdict.refusal);
    const terms = this.#withRanges(verdict.terms, verdict.symbol);
    if ('code' in terms) return this.#refuse(request, terms);
    const order = this.#orderOf(request, verdict, terms);
    this.#matcher.rest(order);
    this.#emitAccepted(order);
    return { accepted: true, order };
  }

  cancel(orderId: number): CancelReceipt {
    const order = this.#matcher.find(orderId);
    if (order === undefined) return { cancelled: false, refusal: this.#unknownOrder(orderId) };
    this.#matcher.cancel(order, 'cancelled', 'It was taken back.');
    return { cancelled: true };
  }

  replace(orderId: number, changes: Partial<OrderRequest>): OrderReceipt {
    const order = this.#matcher.find(orderId);
    const request = order?.request;
    if (order === undefined || request === undefined)
      return this.#refuse({ action: 'close', ...changes }, this.#unknownOrder(orderId));
    // The old order gives way only when the new one can be accepted.
    const wanted = { ...remainderOf(order, request), ...changes };
    const verdict = validate(wanted, this.#validation);
    if ('refusal' in verdict) return this.#refuse(wanted, verdict.refusal);
    const terms = this.#withRanges(verdict.terms, verdict.symbol);
    if ('code' in terms) return this.#refuse(wanted, terms);
    this.#matcher.cancel(order, 'replaced', 'A new order takes its place.');
    return this.submit(wanted);
  }

  /** Before a bar's corporate actions: orders and fills that come of them carry its number. */
  startActions(bar: number, time: Instant): void {
    this.#bar = bar;
    this.#matcher.startActions(bar, time);
  }

  /** Re-bases a symbol's resting orders after the ledger's position. */
  split(symbol: number, ratio: SplitRatio): void {
    this.#matcher.rebase(symbol, ratio);
  }

  /** The smallest quantity of a symbol that is traded. */
  lotOf(symbol: number): Exact {
    return this.#matcher.instruments[symbol]!.lot;
  }

  /** A symbol leaves the market: its orders are taken back, and its position is closed at a price without costs. */
  delist(symbol: number, price: Exact): void {
    this.#delisted.add(symbol);
    for (const order of this.#matcher.resting) {
      if (order.symbol === symbol && !order.done)
        this.#matcher.cancel(order, 'delisted', 'The symbol left the market.');
    }
    if (this.#parts.ledger.unitsAt(symbol) === 0) return;
    const request = { action: 'close', reason: 'delisting' } as const;
    const order: RestingOrder = {
      ...this.#orderOf(request, { symbol, size: { kind: 'position' }, buys: false }, MARKET_TERMS),
      role: 'delisting',
    };
    this.#emitAccepted(order);
    this.#matcher.executor.settle(order, price);
  }

  #unknownOrder(orderId: number): Refusal {
    const open = this.pending().map((order) => order.id);
    return refusal(
      'unknown_order',
      `There is no resting order ${orderId}.`,
      open.length === 0 ? 'No order is resting.' : `Resting: ${open.join(', ')}.`,
    );
  }

  /** The terms with exits in average true ranges as distances, each by its own length, as the bars stand now. */
  #withRanges(terms: OrderTerms, symbol: number): PlacedTerms | Refusal {
    if (terms === MARKET_TERMS) return MARKET_TERMS;
    const stopLoss = this.#distanceOf(terms.stopLoss, symbol);
    if (stopLoss !== undefined && 'code' in stopLoss) return stopLoss;
    const takeProfit = this.#distanceOf(terms.takeProfit, symbol);
    if (takeProfit !== undefined && 'code' in takeProfit) return takeProfit;
    return { ...terms, stopLoss, takeProfit };
  }

  #distanceOf(level: ExitLevel | undefined, symbol: number): PlacedExit | Refusal | undefined {
    if (level === undefined || !('atr' in level)) return level;
    const length = level.length ?? ATR_LENGTH;
    const range = this.#parts.averageTrueRange?.(symbol, length) ?? Number.NaN;
    if (!Number.isNaN(range)) {
      const distance = Exact.of(range * level.atr).toDecimalPlaces(RANGE_PLACES);
      return { distance: distance.toString() };
    }
    return refusal(
      'bad_price',
      `An average true range of ${length} bars needs more bars than ${this.#parts.symbols[symbol]} has.`,
      'Wait, or give the exit as a price.',
    );
  }

  #orderOf(request: OrderRequest, { symbol, size, buys }: Placement, terms: PlacedTerms): RestingOrder {
    const { action } = request;
    const side = action === 'buy' ? 1 : action === 'sell' ? -1 : 0;
    return {
      id: this.#matcher.nextId(),
      request,
      symbol,
      action,
      side,
      size,
      type: terms.type,
      role: 'order',
      limitPrice: terms.limitPrice,
      stopPrice: terms.trail === undefined ? terms.stopPrice : this.#firstTrail(symbol, buys, terms.trail),
      timeInForce: request.timeInForce ?? 'GTC',
      reduceOnly: request.reduceOnly === true || action === 'close',
      group: request.group,
      parentId: undefined,
      placedBar: this.#bar,
      reason: request.reason,
      filled: EXACT_ZERO,
      triggered: false,
      trail: terms.trail,
      barsLeft: request.validBars ?? Number.POSITIVE_INFINITY,
      expiresAt: terms.expiresAt,
      session: Number.NaN,
      stopLoss: terms.stopLoss,
      takeProfit: terms.takeProfit,
      bornInside: false,
      done: false,
    };
  }

  /** A trailing stop begins from the close it was placed at. */
  #firstTrail(symbol: number, buys: boolean, trail: NonNullable<RestingOrder['trail']>): number {
    const close = this.#parts.prices.close[symbol]!;
    return trailFrom(close, buys ? 1 : -1, trail);
  }

  /** Largest loser first, until what is left carries itself. */
  #liquidateOnBreach(): void {
    const { ledger, settings, symbols } = this.#parts;
    let gross = ledger.grossExposureNumber;
    const equity = ledger.equityNumber;
    if (gross === 0 || equity >= settings.maintenanceMargin * gross) return;
    const losers = ledger
      .positions()
      .sort((a, b) => a.unrealisedPnl.comparedTo(b.unrealisedPnl) || (a.symbol < b.symbol ? -1 : 1));
    for (const position of losers) {
      if (equity >= settings.maintenanceMargin * gross) break;
      const symbol = symbols.indexOf(position.symbol);
      this.#force(symbol, 'liquidation', 'liquidation');
      gross -= Math.abs(position.marketValue.toNumber());
    }
  }

  #flatten(code: string, why: string): void {
    for (const order of this.#matcher.resting) {
      if (!order.done && order.role === 'order') this.#matcher.cancel(order, code, `Taken back: ${why}.`);
    }
    for (const { symbol } of this.#parts.ledger.positions())
      this.#force(this.#parts.symbols.indexOf(symbol), 'liquidation', code);
  }

  #force(symbol: number, role: 'liquidation', reason: string): void {
    if (this.#matcher.resting.some((order) => !order.done && order.symbol === symbol && order.role === role))
      return;
    const order = {
      ...this.#orderOf(
        { action: 'close', reason },
        { symbol, size: { kind: 'position' }, buys: false },
        MARKET_TERMS,
      ),
      role,
    };
    this.#matcher.rest(order);
    this.#emitAccepted(order);
  }

  #refuse(request: OrderRequest, refused: Refusal): OrderReceipt {
    this.#parts.emit?.({
      type: 'order_rejected',
      bar: this.#bar,
      orderId: null,
      ...this.#namesOf(request),
      code: refused.code,
      message: refused.message,
      remedy: refused.remedy,
    });
    return { accepted: false, refusal: refused };
  }

  #emitHalt(bar: number, { code, limit, from }: Halt): void {
    const { ledger, emit } = this.#parts;
    emit?.({
      type: 'risk_halted',
      bar,
      code,
      limit,
      from: String(from),
      equity: decimalString(ledger.equity),
    });
  }

  /** What a refused request names, whatever it was made of: only text goes into the journal. */
  #namesOf(request: OrderRequest | null | undefined): { symbol: string | null; action: string } {
    const symbol: unknown = request?.symbol ?? this.#parts.symbols[0]!;
    const action: unknown = request?.action;
    return {
      symbol: typeof symbol === 'string' ? symbol : null,
      action: typeof action === 'string' ? action : '',
    };
  }

  #emitAccepted(order: RestingOrder): void {
    this.#parts.emit?.({
      type: 'order_accepted',
      bar: this.#bar,
      orderId: order.id,
      symbol: this.#parts.symbols[order.symbol]!,
      action: order.action,
      orderType: order.type,
      ...describeSize(order),
      ...(Number.isNaN(order.limitPrice) ? {} : { limitPrice: String(order.limitPrice) }),
      ...(Number.isNaN(order.stopPrice) ? {} : { stopPrice: String(order.stopPrice) }),
      ...(order.timeInForce === 'GTC' ? {} : { timeInForce: order.timeInForce }),
      ...(order.barsLeft === Number.POSITIVE_INFINITY ? {} : { validBars: order.barsLeft }),
      ...(order.group === undefined ? {} : { group: order.group }),
      ...(order.role === 'order' ? {} : { role: order.role }),
      ...(order.reason === undefined ? {} : { reason: order.reason }),
    });
  }
}

/** A request without what has filled of it already. */
function remainderOf({ size, filled }: RestingOrder, request: OrderRequest): OrderRequest {
  if (filled.isZero() || size.kind !== 'units') return request;
  const { notional: _, equityFraction: __, ...rest } = request;
  return { ...rest, quantity: size.units.minus(filled).toString() };
}

function describeSize({ size }: RestingOrder): Record<string, string> {
  switch (size.kind) {
    case 'units':
      return { quantity: size.units.toString() };
    case 'notional':
      return { notional: size.notional.toString() };
    case 'equity-fraction':
      return { equityFraction: size.fraction.toString() };
    case 'target-units':
      return { targetQuantity: size.units.toString() };
    case 'target-fraction':
      return { targetFraction: size.fraction.toString() };
    case 'position':
      return {};
  }
}
