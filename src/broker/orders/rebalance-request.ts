import { EXACT_ONE, EXACT_ZERO, Exact } from '../../kernel/index.ts';
import { readAmount, shown } from './read-fields.ts';
import { type Refusal, refusal } from './refusals.ts';
import { type Amount, recordedReason } from './request.ts';

/** Treatment of open positions in symbols that the target weights do not include. */
export const OTHERS = ['close', 'keep'] as const;

/** Request to trade an account to a target portfolio. */
export interface RebalanceRequest {
  /**
   * Target weight of each symbol: a fraction of the equity at the close of the current bar. Negative for a
   * short position, 0 to close the position.
   */
  readonly weights: Readonly<Record<string, Amount>>;
  /**
   * A position is not traded if it deviates from its weight by at most this fraction of equity. Default: 0. A
   * position with a weight of 0 is always closed.
   */
  readonly tolerance?: Amount | undefined;
  /**
   * Fraction of the equity that stays in cash. Weights and cash may total at most 1; with leverage, see
   * docs/orders.md.
   */
  readonly cash?: Amount | undefined;
  /** Treatment of positions in symbols without a weight: closed (default) or unchanged (`keep`). */
  readonly others?: (typeof OTHERS)[number] | undefined;
  /** Reason of each order. Default: `rebalance`. */
  readonly reason?: string | undefined;
}

/** One order of a rebalance. Weights are fractions of the equity at the close, as decimal strings. */
export interface Rebalanced {
  readonly orderId: number;
  readonly symbol: string;
  readonly side: 'buy' | 'sell';
  /** Units to trade, positive. */
  readonly quantity: string;
  readonly weight: string;
  /** Expected weight of the position after the order's fill, at the prices of the close of the request. */
  readonly reaches: string;
}

/**
 * Target weight that cannot be reached: even after the order of this rebalance, the position differs from the
 * weight by more than one lot.
 */
export interface WeightShortfall {
  readonly symbol: string;
  readonly weight: string;
  readonly reaches: string;
  readonly code: Refusal['code'];
  readonly message: string;
}

/** Symbol for which no order was placed, although it has a target weight or a position. */
export interface SkippedWeight {
  readonly symbol: string;
  readonly weight: string;
  readonly code: Refusal['code'] | 'at_target' | 'within_tolerance' | 'kept';
  readonly message: string;
}

/** Result of a rebalance: the placed orders in sequence, or one rejection with all faults of the request. */
export type RebalanceReceipt =
  | {
      readonly accepted: true;
      /** Equity at the close of the request. Orders are sized by this equity minus `setAside`. */
      readonly equity: string;
      /** Part of the equity that is reserved for the commission of the orders. Omitted if not needed. */
      readonly setAside?: string;
      readonly orders: readonly Rebalanced[];
      readonly shortfall: readonly WeightShortfall[];
      readonly skipped: readonly SkippedWeight[];
    }
  | { readonly accepted: false; readonly refusal: Refusal };

/** Parsed rebalance request. */
export interface RebalanceTerms {
  readonly weights: ReadonlyMap<string, Exact>;
  readonly tolerance: Exact;
  readonly keeps: boolean;
  readonly reason: string;
}

const FIELDS = ['weights', 'tolerance', 'cash', 'others', 'reason'];
const REMEDY =
  'Use weights such as {"AAPL": 0.4, "MSFT": 0.3}: fractions of the equity, with a sum of at most 1 together with cash.';
/**
 * Tolerance for the sum of the weights. If a caller divides weights by their sum, float64 rounding can make
 * the total slightly more than 1.
 */
const ROUNDING = Exact.of(1e-9);
const HUNDRED = Exact.of(100);

/** Returns all faults of a request that do not depend on the market, one sentence each. */
export function rebalanceFaults(request: unknown, leverage?: number): readonly string[] {
  return readRebalance(request, leverage).faults;
}

/** Returns one rejection with all faults. */
export function badWeights(faults: readonly string[]): Refusal {
  return refusal('bad_weights', faults.join(' '), REMEDY);
}

/**
 * Parses a request. The request may come from a language model or from JavaScript, so any value is possible.
 * Faulty parts are treated as missing.
 *
 * @param leverage limit of the sum of the weights; `undefined` for no check
 * @param leverageOf returns the leverage of a symbol with separate margin terms; `undefined` if `leverage`
 *   applies to the symbol
 */
export function readRebalance(
  request: unknown,
  leverage: number | undefined,
  leverageOf: (symbol: string) => Exact | undefined = () => undefined,
): { readonly terms: RebalanceTerms; readonly faults: string[] } {
  const faults: string[] = [];
  if (!isRecord(request)) faults.push(`The request is ${shown(request)}, which is not a portfolio.`);
  const fields = isRecord(request) ? request : { weights: {} };
  for (const field of Object.keys(fields))
    if (!FIELDS.includes(field)) faults.push(`Unknown field ${shown(field)}.`);
  const weights = readWeights(fields.weights, faults);
  const tolerance = readShare('tolerance', fields.tolerance, faults);
  const cash = readShare('cash', fields.cash, faults);
  const { others, reason } = fields;
  if (others !== undefined && !OTHERS.some((known) => known === others))
    faults.push(`Invalid value ${shown(others)} of others. Expected ${OTHERS.join(', ')}.`);
  if (reason !== undefined && typeof reason !== 'string')
    faults.push(`The reason must be a text. It is ${shown(reason)}.`);
  if (leverage !== undefined) {
    const given = Exact.of(leverage);
    // Each weight counts by the margin that it needs, which is smaller for an instrument with more leverage.
    const sum = [...weights].reduce((total, [symbol, weight]) => {
      const own = leverageOf(symbol);
      return total.plus(own === undefined ? weight.abs() : weight.abs().times(given).dividedBy(own));
    }, EXACT_ZERO);
    const most = EXACT_ONE.minus(cash).times(given);
    if (sum.minus(most).compare(ROUNDING) > 0) {
      const why = `${leverage === 1 ? '' : ` with a leverage of ${leverage}`}${cash.isZero() ? '' : `, with ${percents(cash)} in cash`}`;
      const text = `The weights sum to ${percents(sum)}, with short weights counted as positive`;
      faults.push(`${text}. At most ${percents(most)} is allowed${why}.`);
    }
  }
  return {
    terms: {
      weights,
      tolerance,
      keeps: others === 'keep',
      reason: typeof reason === 'string' ? recordedReason(reason) : 'rebalance',
    },
    faults,
  };
}

function readWeights(given: unknown, faults: string[]): Map<string, Exact> {
  const weights = new Map<string, Exact>();
  if (!isRecord(given)) {
    faults.push(`The weights are ${shown(given)}, which is not an object of weights by symbol.`);
    return weights;
  }
  for (const [symbol, weight] of Object.entries(given)) {
    const value = readAmount(weight as Amount);
    if (value === undefined)
      faults.push(`The weight of ${symbol} is ${shown(weight)}, which is not a number.`);
    weights.set(symbol, value ?? EXACT_ZERO);
  }
  return weights;
}

function readShare(name: string, given: unknown, faults: string[]): Exact {
  if (given === undefined) return EXACT_ZERO;
  const value = readAmount(given as Amount);
  if (value !== undefined && !value.isNegative() && value.compare(EXACT_ONE) <= 0) return value;
  const what = value === undefined ? shown(given) : percents(value);
  faults.push(`The ${name} is ${what}. Expected a value between 0 % and 100 %.`);
  return EXACT_ZERO;
}

/**
 * Formats a fraction as a percentage. Used in messages for both interfaces: strategies pass fractions,
 * language models pass percentages.
 */
export function percents(share: Exact): string {
  return `${share.times(HUNDRED)} %`;
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
