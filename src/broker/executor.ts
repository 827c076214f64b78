import type { Ledger } from '../account/index.ts';
import { decimalString, EXACT_ZERO, Exact, formatInstant, type Instant } from '../kernel/index.ts';
import { BuyingPower } from './buying-power.ts';
import type { BarRange, Costs } from './costs.ts';
import type { BrokerEvent } from './events.ts';
import type { FillPlace } from './fill-place.ts';
import { FillSizer } from './fill-size.ts';
import { carriesMinimum, type Instrument } from './instruments.ts';
import type { RestingOrder } from './order.ts';
import { noBuyingPower, positionGone, type Refusal, refusal, shortNotAllowed } from './refusals.ts';
import type { RiskGate } from './risk.ts';
import type { BrokerSettings } from './settings.ts';
import { tradeClosed } from './trade-event.ts';

/** One bar's prices as the broker needs them; a symbol without a bar at this instant has `trades[symbol]` 0. */
export interface BarPrices {
  readonly trades: Uint8Array;
  readonly open: Float64Array;
  readonly high: Float64Array;
  readonly low: Float64Array;
  readonly close: Float64Array;
  readonly volume: Float64Array;
  /** Quoted spread of the bar in money a unit, where the slippage is taken from a column. */
  readonly spread?: Float64Array;
}

export type FillOutcome =
  | { readonly kind: 'filled'; readonly price: Exact; readonly complete: boolean }
  | { readonly kind: 'refused'; readonly refusal: Refusal }
  /** The bar's volume is used up. */
  | { readonly kind: 'no-volume' };

export interface ExecutorParts {
  readonly symbols: readonly string[];
  readonly prices: BarPrices;
  readonly ledger: Ledger;
  readonly settings: BrokerSettings;
  readonly costs: Costs;
  readonly instruments: readonly Instrument[];
  readonly risk: RiskGate;
  readonly emit: ((event: BrokerEvent) => void) | undefined;
}

/** Sizes a fill, checks it against account and limits, and books it. */
export class Executor {
  readonly #parts: ExecutorParts;
  readonly #power: BuyingPower;
  readonly #sizer: FillSizer;
  readonly #volumeLeft: (Exact | undefined)[];
  #bar = -1;
  #time: Instant = 0;
  /** Fills whose bar left two answers open, and what the better answers would have brought together. */
  ambiguousFills = 0;
  ambiguousGain = EXACT_ZERO;

  constructor(parts: ExecutorParts) {
    this.#parts = parts;
    this.#power = new BuyingPower({ ...parts, leverage: parts.settings.leverage });
    this.#sizer = new FillSizer(parts, this.#power);
    this.#volumeLeft = parts.symbols.map(() => undefined);
  }

  startBar(bar: number, time: Instant): void {
    this.#bar = bar;
    this.#time = time;
    const { participation } = this.#parts.settings;
    if (participation === undefined) return;
    for (let symbol = 0; symbol < this.#volumeLeft.length; symbol++) {
      const { lot } = this.#parts.instruments[symbol]!;
      const share = Exact.of(this.#parts.prices.volume[symbol] || 0).times(Exact.of(participation));
      this.#volumeLeft[symbol] = share.dividedBy(lot).floor().times(lot);
    }
  }

  /**
   * Fills an order at a price, whole or as far as the bar's volume goes.
   *
   * @param rule the rule's price, before slippage
   */
  fill(order: RestingOrder, side: 1 | -1, rule: number, place: FillPlace): FillOutcome {
    const { ledger, costs, instruments } = this.#parts;
    const { symbol } = order;
    const instrument = instruments[symbol]!;
    const buys = side > 0;
    const held = ledger.unitsAt(symbol);
    const closable = (buys ? held < 0 : held > 0) ? ledger.quantity(symbol).abs() : EXACT_ZERO;
    const rulePrice = Exact.of(rule);
    const range = this.#range(symbol);
    const unmoved =
      place.maker || order.type === 'limit' || order.type === 'stop_limit' || costs.leavesPrices(instrument);
    const slip = (quantity: Exact): Exact =>
      unmoved
        ? costs.onTick(rulePrice, buys, range, instrument)
        : costs.slip(rulePrice, buys, quantity, range, instrument);
    // A size in money is found at the slipped price of one lot; what volume impact adds is checked with the rest.
    const wished = this.#sizer.unitsOf(order, side, closable, slip(instrument.lot));
    if ('code' in wished) return { kind: 'refused', refusal: wished };
    const sized = order.reduceOnly ? Exact.min(wished, closable) : wished;
    if (sized.isZero()) return { kind: 'refused', refusal: positionGone(this.#parts.symbols[symbol]!) };
    const quantity = this.#withinVolume(order, sized);
    if (quantity === undefined) return { kind: 'no-volume' };
    const price = slip(quantity);
    const refused = this.#refusal(order, side, quantity, sized, closable, price);
    if (refused !== undefined) return { kind: 'refused', refusal: refused };
    this.#takeVolume(symbol, quantity);
    this.#book(order, buys, quantity, price, rulePrice, place);
    const complete = quantity.equals(sized);
    order.filled = order.filled.plus(quantity);
    if (!complete) {
      // From its first fill on, an order in money or of a position is an order for units, on the side it began with.
      order.size = { kind: 'units', units: order.filled.plus(sized).minus(quantity) };
      order.side = side;
    }
    return { kind: 'filled', price, complete };
  }

  /** Units that an order would trade at a price as far as the bar's volume goes; 0 where it would be refused. */
  unitsOf(order: RestingOrder, side: 1 | -1, rule: number): Exact {
    const { ledger } = this.#parts;
    const held = ledger.quantity(order.symbol);
    const closable = (side > 0 ? held.isNegative() : held.isPositive()) ? held.abs() : EXACT_ZERO;
    const wished = this.#sizer.unitsOf(order, side, closable, Exact.of(rule));
    if ('code' in wished) return EXACT_ZERO;
    const sized = order.reduceOnly ? Exact.min(wished, closable) : wished;
    return Exact.min(sized, this.#volumeLeft[order.symbol] ?? sized);
  }

  #withinVolume(order: RestingOrder, wanted: Exact): Exact | undefined {
    const left = this.#volumeLeft[order.symbol];
    if (left === undefined) return wanted;
    const quantity = Exact.min(wanted, left);
    if (!quantity.isPositive() || (order.timeInForce === 'FOK' && quantity.compare(wanted) < 0))
      return undefined;
    return quantity;
  }

  #takeVolume(symbol: number, quantity: Exact): void {
    const left = this.#volumeLeft[symbol];
    if (left !== undefined) this.#volumeLeft[symbol] = left.minus(quantity);
  }

  #refusal(
    order: RestingOrder,
    side: 1 | -1,
    quantity: Exact,
    whole: Exact,
    closable: Exact,
    price: Exact,
  ): Refusal | undefined {
    const { symbols, instruments, risk } = this.#parts;
    const name = symbols[order.symbol]!;
    const instrument = instruments[order.symbol]!;
    const closing = Exact.min(quantity, closable);
    const opening = quantity.minus(closing);
    if (!opening.isPositive()) return undefined;
    if (side < 0 && !this.#sizer.shortAllowed) return shortNotAllowed(name, closable);
    // The minimum is the order's: what volume leaves of it, or leaves for later, may be less.
    if (order.filled.isZero() && !carriesMinimum(whole.minus(closable), price, instrument)) {
      return refusal(
        'below_minimum_notional',
        `${quantity} ${name} at ${price} is below the minimum notional of ${instrument.minimumNotional}.`,
        'Order more.',
      );
    }
    if (risk.any) {
      const limited = risk.refusalOf(
        { symbol: order.symbol, side, quantity: opening, closing, price },
        {
          exposure: risk.exposure(order.symbol),
          fillBar: this.#bar,
          affordable: () => this.#power.carried(order, closing, price),
          verb: 'have filled',
        },
      );
      if (limited !== undefined) return limited;
    }
    // A size by fraction of equity was cut to what is affordable already.
    if (order.size.kind === 'equity-fraction') return undefined;
    const carried = this.#power.carried(order, closing, price);
    if (opening.compare(carried) <= 0) return undefined;
    const largest = carriesMinimum(carried, price, instrument) ? carried.plus(closing) : closing;
    return noBuyingPower(name, quantity, `the fill price of ${price}`, largest, 'have filled');
  }

  /** Closes a whole position at a price that no bar gave: a symbol that leaves the market. Costs nothing. */
  settle(order: RestingOrder, price: Exact): void {
    const quantity = this.#parts.ledger.quantity(order.symbol);
    const buys = quantity.isNegative();
    this.#book(order, buys, quantity.abs(), price, price, { inside: false, maker: false }, EXACT_ZERO);
  }

  /** Closes a whole position at its mark, whatever volume the bar has, and pays the commission. */
  closeAtMark(order: RestingOrder): void {
    const { ledger } = this.#parts;
    const held = ledger.quantity(order.symbol);
    const mark = ledger.markOf(order.symbol);
    this.#book(order, held.isNegative(), held.abs(), mark, mark, { inside: false, maker: false });
  }

  #range(symbol: number): BarRange {
    const { prices } = this.#parts;
    return {
      low: prices.low[symbol]!,
      high: prices.high[symbol]!,
      volume: prices.volume[symbol]!,
      spread: prices.spread === undefined ? Number.NaN : prices.spread[symbol]!,
    };
  }

  #book(
    order: RestingOrder,
    buys: boolean,
    quantity: Exact,
    price: Exact,
    rulePrice: Exact,
    place: FillPlace,
    commission: Exact = this.#parts.costs.commission(
      quantity,
      price,
      this.#parts.instruments[order.symbol]!,
      place.maker,
      order,
    ),
  ): void {
    const { ledger, costs, risk, symbols, emit } = this.#parts;
    order.fees = costs.feesAfter(order, quantity, price, commission);
    costs.noteTraded(quantity.toNumber() * price.toNumber() * ledger.rateOf(order.symbol).toNumber());
    const reason = order.reason ?? (order.role === 'order' ? order.type : order.role);
    const trades = ledger.book({
      symbol: order.symbol,
      bar: this.#bar,
      time: this.#time,
      quantity: buys ? quantity : quantity.negated(),
      price,
      commission,
      reason,
      orderId: order.id,
      ...(order.parentId === undefined ? {} : { closesOrder: order.parentId }),
    });
    risk.noteClosed(order.symbol, this.#bar, trades);
    const gain =
      place.gainIfOther === undefined ? undefined : place.gainIfOther.times(ledger.rateOf(order.symbol));
    if (gain !== undefined) {
      this.ambiguousFills += 1;
      this.ambiguousGain = this.ambiguousGain.plus(gain);
    }
    if (emit === undefined) return;
    emit({
      type: 'order_filled',
      bar: this.#bar,
      orderId: order.id,
      symbol: symbols[order.symbol]!,
      side: buys ? 'buy' : 'sell',
      quantity: quantity.toString(),
      price: price.toString(),
      priceBeforeSlippage: rulePrice.toString(),
      commission: ledger.inAccountCurrency(order.symbol, commission).toString(),
      cash: decimalString(ledger.cash),
      ...(ledger.currencyOf(order.symbol) === ledger.currency
        ? {}
        : { rate: ledger.rateOf(order.symbol).toString() }),
      ...(order.reason === undefined && order.role === 'order' ? {} : { reason }),
      ...(place.detailTime === undefined ? {} : { detailTime: formatInstant(place.detailTime) }),
      ...(gain === undefined ? {} : { ambiguous: true, gainIfOther: gain.toString() }),
    });
    for (const trade of trades) emit(tradeClosed(trade, this.#bar));
  }
}
