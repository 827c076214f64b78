import { EXACT_ZERO, Exact } from '../../kernel/index.ts';
import type { OrderCut, OrderReceipt } from '../desk.ts';
import { offsetLimit, trailFrom, wakes } from '../matching/triggers.ts';
import type { RestingOrder } from './order.ts';
import { largestAffordable, projectedQuantity, type ValidationParts } from './projection.ts';
import { MARKET_TERMS, type OrderTerms } from './read-request.ts';
import { type Refusal, refusal } from './refusals.ts';
import {
  type ExitLevel,
  type OrderRequest,
  type PlacedExit,
  type PlacedTarget,
  recordedReason,
} from './request.ts';
import type { Verdict } from './validate.ts';

const ATR_LENGTH = 14;
type Placement = Pick<Exclude<Verdict, { refusal: Refusal }>, 'symbol' | 'size' | 'buys'>;
/**
 * Decimal places of a distance computed as a multiple of the average true range. The average is a float64
 * whose last digits are inaccurate.
 */
const RANGE_PLACES = 10;

type PlacedTerms = OrderTerms & {
  readonly stopLoss: PlacedExit | undefined;
  readonly takeProfit: PlacedExit | undefined;
  readonly targets: readonly PlacedTarget[] | undefined;
};

interface MakerParts {
  readonly symbols: readonly string[];
  /** Close of each symbol at the current bar. */
  readonly close: ArrayLike<number>;
  readonly nextId: () => number;
  /** Returns the price step of a symbol. `undefined` if any price is allowed. */
  readonly tickOf: (symbol: number) => Exact | undefined;
  readonly averageTrueRange: ((symbol: number, length: number) => number) | undefined;
}

/** Creates resting orders from valid requests. */
export class OrderMaker {
  readonly #symbols: readonly string[];
  readonly #close: ArrayLike<number>;
  readonly #nextId: () => number;
  readonly #tickOf: MakerParts['tickOf'];
  readonly #averageTrueRange: MakerParts['averageTrueRange'];

  constructor({ symbols, close, nextId, tickOf, averageTrueRange }: MakerParts) {
    this.#symbols = symbols;
    this.#close = close;
    this.#nextId = nextId;
    this.#tickOf = tickOf;
    this.#averageTrueRange = averageTrueRange;
  }

  /**
   * Returns the given terms with exits in multiples of the average true range converted to price distances.
   * The range is computed from the bars up to now. Returns a rejection if there are too few bars.
   */
  termsOf(terms: OrderTerms, symbol: number): PlacedTerms | Refusal {
    if (terms === MARKET_TERMS) return MARKET_TERMS;
    const stopLoss = this.#distanceOf(terms.stopLoss, symbol);
    if (stopLoss !== undefined && 'code' in stopLoss) return stopLoss;
    const takeProfit = this.#distanceOf(terms.takeProfit, symbol);
    if (takeProfit !== undefined && 'code' in takeProfit) return takeProfit;
    const targets: PlacedTarget[] = [];
    for (const { share, ...level } of terms.targets ?? []) {
      const placed = this.#distanceOf(level, symbol);
      if (placed !== undefined && 'code' in placed) return placed;
      targets.push({ ...placed!, ...(share === undefined ? {} : { share }) });
    }
    return { ...terms, stopLoss, takeProfit, targets: terms.targets && targets };
  }

  #distanceOf(level: ExitLevel | undefined, symbol: number): PlacedExit | Refusal | undefined {
    if (level === undefined || !('atr' in level)) return level;
    const length = level.length ?? ATR_LENGTH;
    const range = this.#averageTrueRange?.(symbol, length) ?? Number.NaN;
    if (!Number.isNaN(range)) {
      const distance = Exact.of(range * level.atr).toDecimalPlaces(RANGE_PLACES);
      return { distance: distance.toString(), ...(level.trail === undefined ? {} : { trail: level.trail }) };
    }
    return refusal(
      'bad_price',
      `${this.#symbols[symbol]} has too few bars for an average true range of ${length} bars.`,
      'Wait for more bars, or set the exit as a price.',
    );
  }

  orderOf(
    request: OrderRequest,
    { symbol, size, buys }: Placement,
    terms: PlacedTerms,
    bar: number,
  ): RestingOrder {
    const { action } = request;
    const side = action === 'buy' ? 1 : action === 'sell' ? -1 : 0;
    const prices = this.#firstPrices(terms, symbol, buys);
    const id = this.#nextId();
    // All fields are listed, because spreading an object takes longer than all checks of an order.
    return {
      id,
      request,
      symbol,
      action,
      side,
      size,
      type: terms.type,
      role: 'order',
      limitPrice: prices.limitPrice,
      stopPrice: prices.stopPrice,
      activationPrice: prices.activationPrice,
      timeInForce: request.timeInForce ?? 'GTC',
      reduceOnly: request.reduceOnly === true || action === 'close',
      group: request.group,
      parentId: undefined,
      placedBar: bar,
      reason: recordedReason(request.reason),
      filled: EXACT_ZERO,
      fees: undefined,
      triggered: false,
      trail: terms.trail,
      limitOffset: terms.limitOffset,
      postOnly: request.postOnly === true,
      barsLeft: request.validBars ?? Number.POSITIVE_INFINITY,
      expiresAt: terms.expiresAt,
      session: Number.NaN,
      stopLoss: terms.stopLoss,
      takeProfit: terms.takeProfit,
      targets: terms.targets,
      target: undefined,
      entryId: id,
      firstPrice: undefined,
      cutToPower: false,
      done: false,
    };
  }

  /**
   * Creates an order that the program itself places, for example a liquidation.
   *
   * @param opens signed units to open; default: close the whole position
   */
  forced(
    symbol: number,
    role: RestingOrder['role'],
    reason: string,
    bar: number,
    opens?: Exact,
  ): RestingOrder {
    const buys = opens?.isPositive() ?? false;
    const action = opens === undefined ? 'close' : buys ? 'buy' : 'sell';
    const size =
      opens === undefined
        ? ({ kind: 'position' } as const)
        : ({ kind: 'units', units: opens.abs() } as const);
    return { ...this.orderOf({ action, reason }, { symbol, size, buys }, MARKET_TERMS, bar), role };
  }

  /**
   * Returns the initial prices of an order. A trailing stop gets its first level from the close at which it
   * is placed. If it has an activation price that this close has not reached, it gets no level yet.
   */
  #firstPrices(
    terms: PlacedTerms,
    symbol: number,
    buys: boolean,
  ): Pick<RestingOrder, 'limitPrice' | 'stopPrice' | 'activationPrice'> {
    const { limitPrice, trail, limitOffset, activationPrice } = terms;
    if (trail === undefined) return terms;
    const close = this.#close[symbol]!;
    const side = buys ? 1 : -1;
    if (!Number.isNaN(activationPrice) && !wakes(side, close, activationPrice)) return terms;
    const level = trailFrom(close, side, trail);
    const limit =
      limitOffset === undefined ? limitPrice : offsetLimit(level, side, limitOffset, this.#tickOf(symbol));
    return { limitPrice: limit, stopPrice: level, activationPrice: Number.NaN };
  }
}

/**
 * Returns the request for the unfilled rest of an order. A `close` or `target` order needs no change, because
 * its size follows from the position.
 */
export function remainderOf({ action, size, filled }: RestingOrder, request: OrderRequest): OrderRequest {
  const isSizedByPosition = action === 'close' || action === 'target';
  if (filled.isZero() || size.kind !== 'units' || isSizedByPosition) return request;
  const { notional: _, equityFraction: __, ...rest } = request;
  return { ...rest, quantity: size.units.minus(filled).toString() };
}

type Accepted = Extract<OrderReceipt, { readonly accepted: true }>;

/**
 * Receipt of an accepted order for a fraction of equity. The getter `cut` computes the size reduction from
 * the current account and resting orders, so read it before the next order is placed.
 *
 * The receipt is a class, because creating an object literal with an accessor takes longer than creating the
 * order.
 */
export class ShareReceipt implements Accepted {
  readonly accepted = true;
  readonly order: RestingOrder;
  readonly #parts: ValidationParts;

  constructor(order: RestingOrder, parts: ValidationParts) {
    this.order = order;
    this.#parts = parts;
  }

  get cut(): OrderCut | undefined {
    return cutAtClose(this.order, { ...this.#parts, replaced: this.order });
  }
}

/**
 * Returns the size reduction at the last close, if buying power after commission does not allow the requested
 * fraction of equity. Otherwise `undefined`.
 */
function cutAtClose(order: RestingOrder, parts: ValidationParts): OrderCut | undefined {
  const { size, symbol, limitPrice } = order;
  if (size.kind !== 'equity-fraction' || order.reduceOnly) return undefined;
  const { ledger, matcher, close } = parts;
  const held = projectedQuantity(symbol, parts);
  const closes = order.action === 'buy' ? held.isNegative() : held.isPositive();
  const closable = closes ? held.abs() : EXACT_ZERO;
  const price = Exact.of(Number.isNaN(limitPrice) ? close[symbol]! : limitPrice);
  const { equityNumber, exactEquity } = ledger;
  const share = {
    number: equityNumber * size.fraction.toNumber(),
    exact: () => exactEquity.times(size.fraction),
  };
  const unitValue = ledger.unitValue(symbol, price);
  const asked = matcher.costs.lotsFor(share, unitValue, matcher.instruments[symbol]!).plus(closable);
  const carried = largestAffordable(symbol, closable, price, parts);
  if (asked.compare(carried) <= 0) return undefined;
  return { asked: asked.toString(), carried: carried.toString() };
}
