import { EXACT_ONE, EXACT_ZERO, Exact } from '../kernel/index.ts';
import { readAmount, shown } from './read-amount.ts';
import { type Refusal, refusal } from './refusals.ts';
import type { Amount } from './request.ts';

/** What becomes of positions whose symbols have no weight. */
export const OTHERS = ['close', 'keep'] as const;

/** A portfolio to be reached. */
export interface RebalanceRequest {
  /** By symbol its share of the equity at this close; below 0 is short, 0 closes. */
  readonly weights: Readonly<Record<string, Amount>>;
  /** Share of the equity by which a weight may be off before it is traded; 0 when left out. A weight of 0 is always closed. */
  readonly tolerance?: Amount | undefined;
  /** Share of the equity that stays free of positions: the weights and it come to at most one (with leverage, see docs/orders.md). */
  readonly cash?: Amount | undefined;
  /** Positions without a weight: closed when left out. */
  readonly others?: (typeof OTHERS)[number] | undefined;
  /** Of each order; `rebalance` when left out. */
  readonly reason?: string | undefined;
}

/** One order of a rebalance. Weights are shares of the equity at the close, as decimal strings. */
export interface Rebalanced {
  readonly orderId: number;
  readonly symbol: string;
  readonly side: 'buy' | 'sell';
  /** Units, positive. */
  readonly quantity: string;
  readonly weight: string;
  /** What the position will weigh at this close's price once the order has filled. */
  readonly reaches: string;
}

/** A weight that its order does not reach, by more than a lot. */
export interface WeightShortfall {
  readonly symbol: string;
  readonly weight: string;
  readonly reaches: string;
  readonly code: Refusal['code'];
  readonly message: string;
}

/** A name of the weights, or one that is held, for which no order was placed. */
export interface SkippedWeight {
  readonly symbol: string;
  readonly weight: string;
  readonly code: Refusal['code'] | 'at_target' | 'within_tolerance' | 'kept';
  readonly message: string;
}

/** What became of a rebalance: its orders in the order they were placed, or everything that is wrong with the request. */
export type RebalanceReceipt =
  | {
      readonly accepted: true;
      /** The valuation that all orders were sized by. */
      readonly equity: string;
      /** What of it was set aside for the commission of the orders; left out where nothing had to be. */
      readonly setAside?: string;
      readonly orders: readonly Rebalanced[];
      readonly shortfall: readonly WeightShortfall[];
      readonly skipped: readonly SkippedWeight[];
    }
  | { readonly accepted: false; readonly refusal: Refusal };

/** A rebalance request that was read. */
export interface RebalanceTerms {
  readonly weights: ReadonlyMap<string, Exact>;
  readonly tolerance: Exact;
  readonly keeps: boolean;
  readonly reason: string;
}

const FIELDS = ['weights', 'tolerance', 'cash', 'others', 'reason'];
const REMEDY =
  'Give weights such as {"AAPL": 0.4, "MSFT": 0.3}: shares of the equity, at most 1 together with cash.';
/** Weights that were divided by their sum come to a little more than 1 in float64. */
const ROUNDING = Exact.of(1e-9);
const REASON_LENGTH = 500;
const HUNDRED = Exact.of(100);

/** Everything that is wrong with a request whatever the market, one sentence each; none where it can be tried. */
export function rebalanceFaults(request: unknown, leverage?: number): readonly string[] {
  return readRebalance(request, leverage).faults;
}

/** One refusal of all that is wrong. */
export function badWeights(faults: readonly string[]): Refusal {
  return refusal('bad_weights', faults.join(' '), REMEDY);
}

/**
 * Reads a request, which may be a model's or JavaScript's; what is wrong in it is read as if it had been left out.
 *
 * @param leverage bounds the sum of the weights; left out, it is not looked at
 * @param leverageOf a symbol's own, in place of it
 */
export function readRebalance(
  request: unknown,
  leverage: number | undefined,
  leverageOf: (symbol: string) => Exact | undefined = () => undefined,
): { readonly terms: RebalanceTerms; readonly faults: string[] } {
  const faults: string[] = [];
  if (!isRecord(request)) faults.push(`The request is ${shown(request)}, which is no portfolio.`);
  const fields = isRecord(request) ? request : { weights: {} };
  for (const field of Object.keys(fields))
    if (!FIELDS.includes(field)) faults.push(`There is no field ${shown(field)}.`);
  const weights = readWeights(fields.weights, faults);
  const tolerance = readShare('tolerance', fields.tolerance, faults);
  const cash = readShare('cash', fields.cash, faults);
  const { others, reason } = fields;
  if (others !== undefined && !OTHERS.some((known) => known === others))
    faults.push(`The value of others is ${shown(others)}, which is none of ${OTHERS.join(', ')}.`);
  if (reason !== undefined && (typeof reason !== 'string' || reason.length > REASON_LENGTH))
    faults.push(`The reason is no text of at most ${REASON_LENGTH} characters.`);
  if (leverage !== undefined) {
    const given = Exact.of(leverage);
    // A weight counts by the margin it takes: less where the instrument carries more.
    const sum = [...weights].reduce((total, [symbol, weight]) => {
      const own = leverageOf(symbol);
      return total.plus(own === undefined ? weight.abs() : weight.abs().times(given).dividedBy(own));
    }, EXACT_ZERO);
    const most = EXACT_ONE.minus(cash).times(given);
    if (sum.minus(most).compare(ROUNDING) > 0) {
      const why = `${leverage === 1 ? '' : ` with a leverage of ${leverage}`}${cash.isZero() ? '' : ` beside ${percents(cash)} in cash`}`;
      const text = `The weights come to ${percents(sum)}, short ones counted as positive`;
      faults.push(`${text}, and may come to ${percents(most)}${why}.`);
    }
  }
  return {
    terms: {
      weights,
      tolerance,
      keeps: others === 'keep',
      reason: typeof reason === 'string' ? reason : 'rebalance',
    },
    faults,
  };
}

function readWeights(given: unknown, faults: string[]): Map<string, Exact> {
  const weights = new Map<string, Exact>();
  if (!isRecord(given)) {
    faults.push(`The weights are ${shown(given)}, which is no object of weights by symbol.`);
    return weights;
  }
  for (const [symbol, weight] of Object.entries(given)) {
    const value = readAmount(weight as Amount);
    if (value === undefined) faults.push(`The weight of ${symbol} is ${shown(weight)}, which is no number.`);
    weights.set(symbol, value ?? EXACT_ZERO);
  }
  return weights;
}

function readShare(name: string, given: unknown, faults: string[]): Exact {
  if (given === undefined) return EXACT_ZERO;
  const value = readAmount(given as Amount);
  if (value !== undefined && !value.isNegative() && value.compare(EXACT_ONE) <= 0) return value;
  const what = value === undefined ? shown(given) : percents(value);
  faults.push(`The ${name} is ${what}, which is no share between 0 % and 100 %.`);
  return EXACT_ZERO;
}

/** A share as messages write it: the desk is given shares and the tool percents. */
export function percents(share: Exact): string {
  return `${share.times(HUNDRED)} %`;
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
