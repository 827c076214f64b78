import { EXACT_ZERO, Exact } from '../kernel/index.ts';
import type { RestingOrder } from './order.ts';
import { MARKET_TERMS, type OrderTerms } from './read-request.ts';
import { type Refusal, refusal } from './refusals.ts';
import type { ExitLevel, OrderRequest, PlacedExit, PlacedTarget } from './request.ts';
import { offsetLimit, trailFrom, wakes } from './triggers.ts';
import type { Verdict } from './validate.ts';

const ATR_LENGTH = 14;
type Placement = Pick<Exclude<Verdict, { refusal: Refusal }>, 'symbol' | 'size' | 'buys'>;
/** Decimals kept of a distance in average true ranges: the mean of float64 ranges errs in its last digits. */
const RANGE_PLACES = 10;

export type PlacedTerms = OrderTerms & {
  readonly stopLoss: PlacedExit | undefined;
  readonly takeProfit: PlacedExit | undefined;
  readonly targets: readonly PlacedTarget[] | undefined;
};

interface MakerParts {
  readonly symbols: readonly string[];
  /** Close of each symbol at the bar under way. */
  readonly close: ArrayLike<number>;
  readonly nextId: () => number;
  /** The step of a symbol's prices; undefined where any price will do. */
  readonly tickOf: (symbol: number) => Exact | undefined;
  readonly averageTrueRange: ((symbol: number, length: number) => number) | undefined;
}

/** Makes orders that can rest out of requests that were found good. */
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

  /** The terms with exits in average true ranges as distances, each by its own length, as the bars stand now. */
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
      `An average true range of ${length} bars needs more bars than ${this.#symbols[symbol]} has.`,
      'Wait, or give the exit as a price.',
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
    // Each field by name: a literal that spreads another takes longer to make than all checks of an order.
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
      reason: request.reason,
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
   * An order that nobody placed.
   *
   * @param opens signed units that it opens; left out where it closes the whole of a position
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

  /** A trail begins from the close it was placed at; one that the close does not wake sleeps. */
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

/** Returns the request for the unfilled rest of an order. The size of a close or target follows from the position. */
export function remainderOf({ action, size, filled }: RestingOrder, request: OrderRequest): OrderRequest {
  const isSizedByPosition = action === 'close' || action === 'target';
  if (filled.isZero() || size.kind !== 'units' || isSizedByPosition) return request;
  const { notional: _, equityFraction: __, ...rest } = request;
  return { ...rest, quantity: size.units.minus(filled).toString() };
}
