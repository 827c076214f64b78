import type { Ledger, Trade } from '../account/index.ts';
import { decimalString, EXACT_ZERO, Exact, formatInstant, type Instant } from '../kernel/index.ts';
import { Costs, type Figure } from './costs.ts';
import type { BrokerEvent } from './events.ts';
import type { Amount, Order, OrderDesk, OrderOptions, OrderReceipt, OrderRequest, Refusal } from './order.ts';
import type { BrokerSettings } from './settings.ts';
import { type ValidationContext, validate } from './validate.ts';

/** One bar's prices as the broker needs them; a symbol without a bar at this instant has `trades[symbol]` 0. */
export interface BarPrices {
  readonly trades: Uint8Array;
  readonly open: Float64Array;
  readonly high: Float64Array;
  readonly low: Float64Array;
  readonly close: Float64Array;
}

/** Accepts orders at a bar's close and fills them at the next open, by docs/fill-rules.md. */
export class Broker implements OrderDesk {
  readonly #ledger: Ledger;
  readonly #symbols: readonly string[];
  readonly #prices: BarPrices;
  readonly #settings: BrokerSettings;
  readonly #costs: Costs;
  readonly #leverage: Exact;
  readonly #emit: ((event: BrokerEvent) => void) | undefined;
  readonly #context: ValidationContext;
  #pending: Order[] = [];
  #nextOrderId = 1;
  #bar = -1;
  #time: Instant = 0;

  /**
   * @param prices filled in by the engine before each bar's work; the broker never sees a later bar
   * @param emit told of every order, refusal, fill and closed trade; left out where nothing is written down
   */
  constructor(
    symbols: readonly string[],
    prices: BarPrices,
    ledger: Ledger,
    settings: BrokerSettings,
    emit?: (event: BrokerEvent) => void,
  ) {
    this.#symbols = symbols;
    this.#prices = prices;
    this.#ledger = ledger;
    this.#settings = settings;
    this.#costs = new Costs(settings);
    this.#leverage = Exact.of(settings.leverage);
    this.#emit = emit;
    this.#context = {
      symbols,
      lot: this.#costs.lot,
      leverage: settings.leverage,
      allowShort: settings.allowShort,
      lastPrice: (symbol) => prices.close[symbol]!,
      projectedQuantity: (symbol) => this.#projectedQuantity(symbol),
      largestAffordable: (symbol, buys) => this.#largestAffordable(symbol, buys),
    };
  }

  pending(): readonly Order[] {
    return this.#pending.slice();
  }

  /** Fills at the open everything that can, oldest first; the rest keeps resting. */
  openBar(bar: number, time: Instant): void {
    this.#bar = bar;
    this.#time = time;
    if (this.#pending.length === 0) return;
    const waiting = this.#pending;
    this.#pending = [];
    for (const order of waiting) {
      if (this.#prices.trades[order.symbol] === 1) this.#fillAtOpen(order);
      else this.#pending.push(order);
    }
  }

  buy(quantity: Amount, options?: OrderOptions): OrderReceipt {
    return this.submit({ action: 'buy', quantity, ...options });
  }

  sell(quantity: Amount, options?: OrderOptions): OrderReceipt {
    return this.submit({ action: 'sell', quantity, ...options });
  }

  close(options?: OrderOptions): OrderReceipt {
    return this.submit({ action: 'close', ...options });
  }

  submit(request: OrderRequest): OrderReceipt {
    const verdict = validate(request, this.#context);
    if ('refusal' in verdict) {
      this.#emitRejection(null, request.symbol ?? this.#symbols[0]!, request.action, verdict.refusal);
      return { accepted: false, refusal: verdict.refusal };
    }
    const order: Order = {
      id: this.#nextOrderId++,
      symbol: verdict.symbol,
      action: request.action,
      type: 'market',
      size: verdict.size,
      placedBar: this.#bar,
      reason: request.reason,
    };
    this.#pending.push(order);
    this.#emit?.({
      type: 'order_accepted',
      bar: this.#bar,
      orderId: order.id,
      symbol: this.#symbols[order.symbol]!,
      action: order.action,
      orderType: order.type,
      ...(order.size.kind === 'units' ? { quantity: order.size.units.toString() } : {}),
      ...(order.size.kind === 'equity-fraction' ? { equityFraction: order.size.fraction.toString() } : {}),
      ...(order.reason === undefined ? {} : { reason: order.reason }),
    });
    return { accepted: true, order };
  }

  #fillAtOpen(order: Order): void {
    const { symbol } = order;
    const held = this.#ledger.unitsAt(symbol);
    if (order.size.kind === 'position' && held === 0) {
      this.#reject(order, {
        code: 'nothing_to_close',
        message: `The position in ${this.#symbols[symbol]} was already closed when the order came to the open.`,
        remedy: 'Nothing to do.',
      });
      return;
    }
    const buys = order.size.kind === 'position' ? held < 0 : order.action === 'buy';
    const open = Exact.of(this.#prices.open[symbol]!);
    const price = this.#costs.slip(open, buys, this.#prices.low[symbol]!, this.#prices.high[symbol]!);
    const closable = (buys ? held < 0 : held > 0) ? this.#ledger.quantity(symbol).abs() : EXACT_ZERO;
    const fill = this.#sizeFill(order, buys, price, closable);
    if ('refusal' in fill) this.#reject(order, fill.refusal);
    else this.#book(order, buys, fill.quantity, price, open);
  }

  /**
   * The units to trade, positive, or why the order cannot fill.
   *
   * @param closable units of an opposite position that the order closes before it opens any
   */
  #sizeFill(
    order: Order,
    buys: boolean,
    price: Exact,
    closable: Exact,
  ): { quantity: Exact } | { refusal: Refusal } {
    const { size } = order;
    if (size.kind === 'position') return { quantity: closable };
    if (size.kind === 'units' && size.units.compare(closable) <= 0) return { quantity: size.units };
    if (!buys && !this.#settings.allowShort) {
      // A sell by fraction then only closes.
      const closes = size.kind === 'equity-fraction' && !closable.isZero();
      return closes ? { quantity: closable } : { refusal: this.#shortRefusal(order, closable) };
    }
    const equity = this.#equityAfterClosing(order.symbol, closable, price);
    const carried = this.#costs.affordable(
      this.#buyingPower(order.symbol, closable, equity),
      price,
      this.#settings.leverage,
    );
    if (size.kind === 'units') {
      const opening = size.units.minus(closable);
      if (opening.compare(carried) <= 0) return { quantity: size.units };
      return { refusal: this.#buyingPowerRefusal(order, size.units, price, carried.plus(closable)) };
    }
    const opening = Exact.min(this.#costs.lotsFor(equity, size.fraction, price), carried);
    if (!opening.isZero()) return { quantity: closable.plus(opening) };
    if (!closable.isZero()) return { quantity: closable };
    return { refusal: this.#tooSmallRefusal(price) };
  }

  /** Equity once `closing` units of the position are gone at `price`: less their commission and slippage. */
  #equityAfterClosing(symbol: number, closing: Exact, price: Exact): Figure {
    const ledger = this.#ledger;
    if (closing.isZero()) return { number: ledger.equityNumber, exact: () => ledger.exactEquity };
    const slipped = price.minus(ledger.markOf(symbol)).abs().times(closing);
    const cost = slipped.plus(this.#costs.commission(closing, price));
    return { number: ledger.equityNumber - cost.toNumber(), exact: () => ledger.exactEquity.minus(cost) };
  }

  /** What is left of `equity` beside the initial margin of all positions, the symbol's own less `closing` units. */
  #buyingPower(symbol: number, closing: Exact, equity: Figure): Figure {
    const ledger = this.#ledger;
    if (ledger.grossExposureNumber === 0) return equity;
    const margin = ledger.grossExposure.minus(closing.times(ledger.markOf(symbol))).dividedBy(this.#leverage);
    return { number: equity.number - margin.toNumber(), exact: () => equity.exact().minus(margin) };
  }

  #book(order: Order, buys: boolean, quantity: Exact, price: Exact, open: Exact): void {
    const commission = this.#costs.commission(quantity, price);
    const trades = this.#ledger.book({
      symbol: order.symbol,
      bar: this.#bar,
      time: this.#time,
      quantity: buys ? quantity : quantity.negated(),
      price,
      commission,
      reason: order.reason ?? order.type,
    });
    if (this.#emit === undefined) return;
    this.#emit({
      type: 'order_filled',
      bar: this.#bar,
      orderId: order.id,
      symbol: this.#symbols[order.symbol]!,
      side: buys ? 'buy' : 'sell',
      quantity: quantity.toString(),
      price: price.toString(),
      priceBeforeSlippage: open.toString(),
      commission: commission.toString(),
      cash: decimalString(this.#ledger.cash),
      ...(order.reason === undefined ? {} : { reason: order.reason }),
    });
    for (const trade of trades) this.#emit(tradeClosed(trade, this.#bar));
  }

  #projectedQuantity(symbol: number): Exact {
    let quantity = this.#ledger.quantity(symbol);
    for (const order of this.#pending) {
      if (order.symbol !== symbol) continue;
      if (order.size.kind === 'position') quantity = EXACT_ZERO;
      else if (order.size.kind === 'units') {
        quantity =
          order.action === 'buy' ? quantity.plus(order.size.units) : quantity.minus(order.size.units);
      } else if (quantity.isZero()) {
        // Its size is known only at the fill; one lot stands for "a position on that side".
        quantity = order.action === 'buy' ? this.#costs.lot : this.#costs.lot.negated();
      }
    }
    return quantity;
  }

  #largestAffordable(symbol: number, buys: boolean): Exact {
    const price = Exact.of(this.#prices.close[symbol]!);
    const held = this.#projectedQuantity(symbol);
    const opposite = buys ? held.isNegative() : held.isPositive();
    const closing = opposite ? held.abs() : EXACT_ZERO;
    let margin = EXACT_ZERO;
    for (let other = 0; other < this.#symbols.length; other++) {
      if (other === symbol && opposite) continue;
      const projected = this.#projectedQuantity(other);
      if (!projected.isZero())
        margin = margin.plus(projected.abs().times(Exact.of(this.#prices.close[other]!)));
    }
    const costs = margin.dividedBy(this.#leverage).plus(this.#costs.commission(closing, price));
    const budget: Figure = {
      number: this.#ledger.equityNumber - costs.toNumber(),
      exact: () => this.#ledger.exactEquity.minus(costs),
    };
    return this.#costs.affordable(budget, price, this.#settings.leverage).plus(closing);
  }

  #shortRefusal(order: Order, held: Exact): Refusal {
    return {
      code: 'short_not_allowed',
      message: `Selling more ${this.#symbols[order.symbol]} than is held would open a short position.`,
      remedy: `Sell at most ${held.toString()}, or allow short positions.`,
      largestAccepted: held.toString(),
    };
  }

  #buyingPowerRefusal(order: Order, units: Exact, price: Exact, largest: Exact): Refusal {
    return {
      code: 'buying_power',
      message: `At the fill price of ${price.toString()} the order for ${units.toString()} ${this.#symbols[order.symbol]} needs more buying power than there is.`,
      remedy: largest.isZero()
        ? 'Close a position first.'
        : `At most ${largest.toString()} would have filled.`,
      largestAccepted: largest.toString(),
    };
  }

  #tooSmallRefusal(price: Exact): Refusal {
    return {
      code: 'below_lot',
      message: `At ${price.toString()} the equity does not carry one lot of ${this.#costs.lot.toString()}.`,
      remedy: 'Use a larger fraction, more cash, or a smaller lot.',
      largestAccepted: '0',
    };
  }

  #reject(order: Order, refusal: Refusal): void {
    this.#emitRejection(order.id, this.#symbols[order.symbol]!, order.action, refusal);
  }

  #emitRejection(orderId: number | null, symbol: string, action: string, refusal: Refusal): void {
    this.#emit?.({
      type: 'order_rejected',
      bar: this.#bar,
      orderId,
      symbol,
      action,
      code: refusal.code,
      message: refusal.message,
      remedy: refusal.remedy,
    });
  }
}

function tradeClosed(trade: Trade, bar: number): BrokerEvent {
  return {
    type: 'trade_closed',
    bar,
    id: trade.id,
    symbol: trade.symbol,
    side: trade.side,
    quantity: trade.quantity.toString(),
    entryBar: trade.entryBar,
    entryTime: formatInstant(trade.entryTime),
    entryPrice: trade.entryPrice.toString(),
    exitTime: formatInstant(trade.exitTime ?? 0),
    exitPrice: trade.exitPrice.toString(),
    grossPnl: trade.grossPnl.toString(),
    commission: trade.commission.toString(),
    netPnl: trade.netPnl.toString(),
    exitReason: trade.exitReason ?? '',
  };
}
