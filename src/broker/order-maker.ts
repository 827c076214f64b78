import { EXACT_ZERO, Exact } from '../kernel/index.ts';
import type { RestingOrder } from './order.ts';
import { MARKET_TERMS, type OrderTerms } from './read-request.ts';
import { type Refusal, refusal } from './refusals.ts';
import type { ExitLevel, OrderRequest, PlacedExit } from './request.ts';
import { trailFrom } from './triggers.ts';
import type { Verdict } from './validate.ts';

const ATR_LENGTH = 14;
type Placement = Pick<Exclude<Verdict, { refusal: Refusal }>, 'symbol' | 'size' | 'buys'>;
/** Decimals kept of a distance in average true ranges: the mean of float64 ranges errs in its last digits. */
const RANGE_PLACES = 10;

export type PlacedTerms = OrderTerms & {
  readonly stopLoss: PlacedExit | undefined;
  readonly takeProfit: PlacedExit | undefined;
};

interface MakerParts {
  readonly symbols: readonly string[];
  /** Close of each symbol at the bar under way. */
  readonly close: ArrayLike<number>;
  readonly nextId: () => number;
  readonly averageTrueRange: ((symbol: number, length: number) => number) | undefined;
}

/** Makes orders that can rest out of requests that were found good. */
export class OrderMaker {
  readonly #symbols: readonly string[];
  readonly #close: ArrayLike<number>;
  readonly #nextId: () => number;
  readonly #averageTrueRange: MakerParts['averageTrueRange'];

  constructor({ symbols, close, nextId, averageTrueRange }: MakerParts) {
    this.#symbols = symbols;
    this.#close = close;
    this.#nextId = nextId;
    this.#averageTrueRange = averageTrueRange;
  }

  /** The terms with exits in average true ranges as distances, each by its own length, as the bars stand now. */
  termsOf(terms: OrderTerms, symbol: number): PlacedTerms | Refusal {
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
    const range = this.#averageTrueRange?.(symbol, length) ?? Number.NaN;
    if (!Number.isNaN(range)) {
      const distance = Exact.of(range * level.atr).toDecimalPlaces(RANGE_PLACES);
      return { distance: distance.toString() };
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
    return {
      id: this.#nextId(),
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
      placedBar: bar,
      reason: request.reason,
      filled: EXACT_ZERO,
      fees: undefined,
      triggered: false,
      trail: terms.trail,
      barsLeft: request.validBars ?? Number.POSITIVE_INFINITY,
      expiresAt: terms.expiresAt,
      session: Number.NaN,
      stopLoss: terms.stopLoss,
      takeProfit: terms.takeProfit,
      done: false,
    };
  }

  /** A trailing stop begins from the close it was placed at. */
  #firstTrail(symbol: number, buys: boolean, trail: NonNullable<RestingOrder['trail']>): number {
    const close = this.#close[symbol]!;
    return trailFrom(close, buys ? 1 : -1, trail);
  }
}
