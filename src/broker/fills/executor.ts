import { EXACT_ZERO, Exact, formatInstant, type Instant } from '../../kernel/index.ts';
import type { Ledger } from '../account/index.ts';
import type { BorrowDates } from '../costs/cost-models.ts';
import type { Costs } from '../costs/costs.ts';
import { type BrokerEvent, termsPart, tradeClosed } from '../events.ts';
import type { BarPrices } from '../matching/triggers.ts';
import type { SizedFill, Venue } from '../matching/venue.ts';
import type { RestingOrder } from '../orders/order.ts';
import { noBuyingPower, positionGone, type Refusal, refusal, shortRefusal } from '../orders/refusals.ts';
import { carriesMinimum, type Instrument } from '../settings/instruments.ts';
import type { RiskGate } from '../settings/risk.ts';
import type { BrokerSettings } from '../settings/settings.ts';
import { BuyingPower } from './buying-power.ts';
import { closableBy, type FillAccount } from './fill-account.ts';
import {
  type FillPlace,
  FillSizer,
  type FillTerms,
  fillPrice,
  type Sized,
  withinVolume,
} from './fill-size.ts';

export type Assessment =
  | { readonly kind: 'fill'; readonly fill: SizedFill }
  | { readonly kind: 'refused'; readonly refusal: Refusal }
  /** The order does not fill now, because the bar's volume is used up. */
  | { readonly kind: 'no-volume' };

export interface ExecutorParts {
  readonly symbols: readonly string[];
  readonly prices: BarPrices;
  readonly ledger: Ledger;
  readonly settings: BrokerSettings;
  readonly costs: Costs;
  readonly instruments: readonly Instrument[];
  readonly risk: RiskGate;
  readonly borrow: BorrowDates | undefined;
  readonly emit: ((event: BrokerEvent) => void) | undefined;
}

/**
 * Computes the size of fills and checks them against buying power and risk limits, without side effects
 * (`assess`). Books fills on the ledger (`book`, `force`).
 */
export class Executor {
  readonly #parts: ExecutorParts;
  readonly #power: BuyingPower;
  readonly #sizer: FillSizer;
  readonly #volumeLeft: (Exact | undefined)[];
  #bar = -1;
  #time: Instant = 0;
  /** Number of fills that do not occur on another possible price path within their bar. */
  ambiguousFills = 0;

  constructor(parts: ExecutorParts) {
    this.#parts = parts;
    this.#power = new BuyingPower(parts);
    this.#sizer = new FillSizer(parts, this.#power);
    this.#volumeLeft = parts.symbols.map(() => undefined);
  }

  startBar(bar: number, time: Instant): void {
    this.#bar = bar;
    this.#time = time;
    const { participation } = this.#parts.settings;
    if (participation === undefined) return;
    for (let symbol = 0; symbol < this.#volumeLeft.length; symbol++) {
      const { lot, turnover } = this.#parts.instruments[symbol]!;
      const volume = Exact.of(this.#parts.prices.volume[symbol] || 0).times(Exact.of(participation));
      const share = turnover === undefined ? volume : volume.dividedBy(turnover);
      this.#volumeLeft[symbol] = share.dividedBy(lot).floor().times(lot);
    }
  }

  instrumentOf(symbol: number): Instrument {
    return this.#parts.instruments[symbol]!;
  }

  /** Units that fills of a symbol may still use in this bar. `undefined` without a volume limit. */
  volumeLeft(symbol: number): Exact | undefined {
    return this.#volumeLeft[symbol];
  }

  /**
   * Returns the fill of an order at a price, limited by the bar's volume, or the reason why the order does
   * not fill. Has no side effects.
   *
   * @param rule price by the fill rules, before slippage
   */
  assess(venue: Venue, order: RestingOrder, side: 1 | -1, rule: number, place: FillPlace): Assessment {
    const { costs, instruments } = this.#parts;
    const { account } = venue;
    const { symbol } = order;
    const instrument = instruments[symbol]!;
    const rulePrice = Exact.of(rule);
    const { wished, closable, priceOf } = this.#sizeOf(account, order, side, rulePrice, place);
    if ('code' in wished) return { kind: 'refused', refusal: wished };
    const { units: wanted, requested } = this.#sizer.withinPower(account, order, wished, closable, priceOf);
    if (wanted.isZero()) return { kind: 'refused', refusal: positionGone(this.#parts.symbols[symbol]!) };
    const quantity = withinVolume(order, wanted, venue.volumeLeft(symbol));
    if (quantity === undefined) return { kind: 'no-volume' };
    const price = priceOf(quantity);
    const closing = Exact.min(quantity, closable);
    const opening = quantity.minus(closing);
    const refused = this.#refusal(
      account,
      order,
      side,
      { quantity, opening, closing, price },
      wanted,
      closable,
    );
    if (refused !== undefined) return { kind: 'refused', refusal: refused };
    const commission = costs.commission(quantity, price, instrument, place.maker, order);
    return {
      kind: 'fill',
      fill: {
        quantity,
        price,
        rule: rulePrice,
        commission,
        opening,
        wanted,
        requested,
      },
    };
  }

  /**
   * Returns the units that an order would trade at a price, regardless of the bar's volume. 0 if the order
   * would be rejected.
   */
  #unitsOf(account: FillAccount, order: RestingOrder, side: 1 | -1, rule: number): Exact {
    const { wished } = this.#sizeOf(account, order, side, Exact.of(rule), { maker: false });
    return 'code' in wished ? EXACT_ZERO : wished.units;
  }

  /** Returns the size of an order at a price. The size of a reduce-only order is limited by the position. */
  #sizeOf(
    account: FillAccount,
    order: RestingOrder,
    side: 1 | -1,
    rule: Exact,
    place: FillTerms,
  ): {
    readonly wished: Sized | Refusal;
    readonly closable: Exact;
    readonly priceOf: (quantity: Exact) => Exact;
  } {
    const { costs, instruments, prices: bar } = this.#parts;
    const instrument = instruments[order.symbol]!;
    const closable = closableBy(side, account, order.symbol);
    const priceOf = fillPrice(order, side, rule, place, { costs, instrument, prices: bar });
    // A size given as notional or as a fraction of equity is converted to units at the price of one lot after
    // slippage. `#refusal` later checks buying power with the slippage of the whole quantity.
    const prices = { rule, slipped: priceOf(instrument.lot) };
    const wished = this.#sizer.sizeOf(account, order, side, closable, prices);
    // The size of a reduce-only order is limited by the position, not by buying power. `requested`, which
    // reports a reduction by buying power, is therefore omitted.
    if (!order.reduceOnly || 'code' in wished) return { wished, closable, priceOf };
    return { wished: { units: Exact.min(wished.units, closable) }, closable, priceOf };
  }

  /** True if an order, filled at this price, would only close units and open none. */
  onlyCloses(account: FillAccount, order: RestingOrder, side: 1 | -1, price: number): boolean {
    return this.#unitsOf(account, order, side, price).compare(closableBy(side, account, order.symbol)) <= 0;
  }

  /**
   * Returns the buying power that an order would need if it filled now at its limit, its stop or, without
   * either, the bar's close. Zero if the order only closes units.
   */
  wouldClaim(account: FillAccount, order: RestingOrder, side: 1 | -1): Exact {
    const { symbol, limitPrice, stopPrice } = order;
    const close = this.#parts.prices.close[symbol]!;
    const price = Number.isNaN(limitPrice) ? (Number.isNaN(stopPrice) ? close : stopPrice) : limitPrice;
    // The level of a trailing stop can be 0 or below. An order with such a level cannot fill.
    if (price <= 0) return EXACT_ZERO;
    const opening = this.#unitsOf(account, order, side, price).minus(closableBy(side, account, symbol));
    return opening.isPositive() ? this.claimOf(order, opening, Exact.of(price)) : EXACT_ZERO;
  }

  /** Returns the buying power that an order needs within a bar to open `opening` units at a price. */
  claimOf(order: RestingOrder, opening: Exact, price: Exact): Exact {
    return this.#power.claimOf(order, opening, price);
  }

  /** Books a fill that `assess` has returned. */
  book(order: RestingOrder, side: 1 | -1, fill: SizedFill, place: FillPlace): void {
    const left = this.#volumeLeft[order.symbol];
    if (left !== undefined) this.#volumeLeft[order.symbol] = left.minus(fill.quantity);
    this.#book(order, side > 0, fill.quantity, fill.price, fill.rule, place, fill.commission, fill.requested);
  }

  #refusal(
    account: FillAccount,
    order: RestingOrder,
    side: 1 | -1,
    fill: {
      readonly quantity: Exact;
      readonly opening: Exact;
      readonly closing: Exact;
      readonly price: Exact;
    },
    whole: Exact,
    closable: Exact,
  ): Refusal | undefined {
    const { symbols, instruments, risk } = this.#parts;
    const { quantity, opening, closing, price } = fill;
    const name = symbols[order.symbol]!;
    const instrument = instruments[order.symbol]!;
    if (!opening.isPositive()) return undefined;
    if (side < 0 && !this.#sizer.canShort(order.symbol))
      return shortRefusal(name, closable, this.#parts.settings);
    // The minimum applies to the whole order. A part that is limited by volume may be smaller.
    if (order.filled.isZero() && !carriesMinimum(whole.minus(closable), price, instrument)) {
      return refusal(
        'below_minimum_notional',
        `${quantity} ${name} at ${price} is below the minimum notional of ${instrument.minimumNotional}.`,
        'Increase the order.',
      );
    }
    if (risk.any) {
      const limited = risk.refusalOf(
        { symbol: order.symbol, side, quantity: opening, closing, price },
        {
          exposure: account.exposure(order.symbol),
          fillBar: this.#bar,
          affordable: () => this.#power.carried(account, order, closing, price),
          verb: 'have filled',
          equity: account.equity.number,
          lost: account.lost,
        },
      );
      if (limited !== undefined) return limited;
    }
    // A fraction of equity was already reduced to an affordable size.
    if (order.size.kind === 'equity-fraction') return undefined;
    const carried = this.#power.carried(account, order, closing, price);
    if (opening.compare(carried) <= 0) return undefined;
    const largest = carriesMinimum(carried, price, instrument) ? carried.plus(closing) : closing;
    return noBuyingPower(name, quantity, `the fill price of ${price}`, largest, 'have filled');
  }

  /**
   * Books a fill without matching, regardless of the bar's volume.
   *
   * @param quantity signed units
   * @param commission default: the commission by the run's commission model
   */
  force(order: RestingOrder, quantity: Exact, price: Exact, rule: Exact, commission?: Exact): void {
    this.#book(order, !quantity.isNegative(), quantity.abs(), price, rule, { maker: false }, commission);
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
    requested?: Exact | undefined,
  ): void {
    const { ledger, costs, risk, symbols, settings, emit } = this.#parts;
    order.fees = costs.feesAfter(order, quantity, price, this.instrumentOf(order.symbol), commission);
    costs.noteTraded(quantity.toNumber() * price.toNumber() * ledger.pointValueOf(order.symbol).toNumber());
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
      closesOrder: order.parentId,
      ambiguous: place.ambiguous,
    });
    // With the setting `mark: "open"`, positions are valued at the bar's open. A fill then sets the mark to
    // its price before slippage, because the new units did not earn the price change since the open.
    if (settings.mark === 'open') ledger.mark(order.symbol, rulePrice.toNumber());
    if (order.role !== 'roll') risk.noteClosed(order.symbol, this.#bar, trades);
    if (place.ambiguous === true) this.ambiguousFills += 1;
    if (emit === undefined) return;
    emit({
      type: 'order_filled',
      bar: this.#bar,
      orderId: order.id,
      symbol: symbols[order.symbol]!,
      side: buys ? 'buy' : 'sell',
      quantity: quantity.toString(),
      ...(requested === undefined ? {} : { requestedQuantity: requested.toString() }),
      price: price.toString(),
      priceBeforeSlippage: rulePrice.toString(),
      commission: ledger.inAccountCurrency(order.symbol, commission).toString(),
      cash: ledger.exactCash.toString(),
      ...termsPart(order.symbol, ledger),
      ...(order.reason === undefined && order.role === 'order' ? {} : { reason }),
      ...(place.detailTime === undefined ? {} : { detailTime: formatInstant(place.detailTime) }),
      ...(place.ambiguous === true ? { ambiguous: true } : {}),
      ...(place.gainIfOther === undefined ? {} : { gainIfOther: place.gainIfOther.toString() }),
    });
    for (const trade of trades) emit(tradeClosed(trade, this.#bar));
  }
}
