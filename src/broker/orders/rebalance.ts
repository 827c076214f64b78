import { EXACT_ZERO, Exact } from '../../kernel/index.ts';
import type { OrderReceipt } from '../desk.ts';
import { unitsOfShare } from '../fills/fill-size.ts';
import { leverageAt, MarginSum } from '../fills/margin.ts';
import { projectedQuantity, type ValidationParts } from './projection.ts';
import {
  badWeights,
  percents,
  type Rebalanced,
  type RebalanceReceipt,
  type RebalanceRequest,
  type RebalanceTerms,
  readRebalance,
  type SkippedWeight,
  type WeightShortfall,
} from './rebalance-request.ts';
import type { Refusal } from './refusals.ts';
import type { OrderRequest } from './request.ts';
import { validate } from './validate.ts';

/** Decimal places of the weights in a receipt. */
const WEIGHT_PLACES = 6;
/**
 * Rejection codes of a symbol that make the whole request invalid, because its weight could not be reached at
 * any bar. Other rejections only skip the symbol.
 */
const FAULTS: readonly string[] = ['unknown_symbol', 'short_not_allowed'];

type Unreachable = SkippedWeight & Pick<Refusal, 'code'>;

/** Change of a symbol's position to its target weight. */
interface Move {
  readonly symbol: number;
  readonly weight: Exact;
  /**
   * Signed units of the position: `held` after the fills of orders placed before the rebalance, `target` at
   * the target weight.
   */
  readonly held: Exact;
  readonly target: Exact;
}

/**
 * Brings an account to target weights with market orders. Orders that only reduce positions come first, then
 * orders that change the side of a position, then orders that open positions.
 *
 * @param place places one order
 */
export function rebalance(
  request: RebalanceRequest,
  parts: ValidationParts,
  place: (request: OrderRequest) => OrderReceipt,
): RebalanceReceipt {
  const { terms, faults } = readRebalance(request, parts.settings.leverage, (name) =>
    leverageOf(name, parts),
  );
  const unreachable: Unreachable[] = [];
  for (const [name, weight] of terms.weights) {
    const refused = refusalOf(name, weight, parts);
    // A weight above the leverage (`bad_quantity`) is already reported by the check of the sum of all
    // weights.
    if (refused === undefined || refused.code === 'bad_quantity') continue;
    const { code, message } = refused;
    if (FAULTS.includes(code)) faults.push(faultOf(name, weight, refused));
    else unreachable.push({ symbol: name, weight: weight.toString(), code, message });
  }
  if (faults.length > 0) return { accepted: false, refusal: badWeights(faults) };
  return new Rebalance(terms, parts, place, unreachable).run();
}

/**
 * Returns the leverage of an instrument with separate margin terms. `undefined` if the run's leverage
 * applies.
 */
function leverageOf(name: string, { symbols, matcher, close }: ValidationParts): Exact | undefined {
  const instrument = matcher.instruments[symbols.indexOf(name)];
  const price = close[symbols.indexOf(name)];
  if (instrument === undefined || instrument.usesRunLeverage || Number.isNaN(price)) return undefined;
  return leverageAt(instrument, Exact.of(price!));
}

/**
 * Returns the rejection that an order to this weight would receive now. `undefined` if the order would be
 * accepted.
 */
function refusalOf(symbol: string, weight: Exact, parts: ValidationParts): Refusal | undefined {
  const verdict = validate({ action: 'target', symbol, targetFraction: weight.toString() }, parts);
  return 'refusal' in verdict ? verdict.refusal : undefined;
}

function faultOf(name: string, weight: Exact, { code, message }: Refusal): string {
  return code === 'short_not_allowed'
    ? `The weight of ${name} is ${percents(weight)}, and short positions are not allowed.`
    : message;
}

/** One execution of a rebalance: the request, the equity, and the orders and skipped weights so far. */
class Rebalance {
  readonly #terms: RebalanceTerms;
  readonly #parts: ValidationParts;
  readonly #place: (request: OrderRequest) => OrderReceipt;
  readonly #equity: Exact;
  readonly #orders: Rebalanced[] = [];
  readonly #shortfall: WeightShortfall[] = [];
  readonly #skipped: SkippedWeight[];

  constructor(
    terms: RebalanceTerms,
    parts: ValidationParts,
    place: (request: OrderRequest) => OrderReceipt,
    unreachable: readonly Unreachable[],
  ) {
    this.#terms = terms;
    this.#parts = parts;
    this.#place = place;
    this.#equity = Exact.max(parts.ledger.exactEquity, EXACT_ZERO);
    this.#skipped = [...unreachable];
    for (const { symbol, weight, code, message } of unreachable)
      if (Number(weight) !== 0) this.#shortfall.push({ symbol, weight, reaches: '0', code, message });
  }

  run(): RebalanceReceipt {
    const setAside = this.#setAside();
    const equity = this.#equity.minus(setAside);
    const moves = this.#moves(equity);
    const turns = moves.filter((move) => rankOf(move) === 1);
    turns.sort((one, other) => this.#marginTaken(one).compare(this.#marginTaken(other)));
    for (const move of moves) if (rankOf(move) === 0) this.#order(move, equity);
    for (const move of turns) this.#order(move, equity);
    for (const move of moves) if (rankOf(move) === 2) this.#order(move, equity);
    return {
      accepted: true,
      equity: this.#equity.toString(),
      ...(setAside.isZero() ? {} : { setAside: setAside.toString() }),
      orders: this.#orders,
      shortfall: this.#shortfall,
      skipped: this.#skipped,
    };
  }

  /**
   * Returns the part of the equity to reserve for the commission of the orders. Zero if the equity is
   * sufficient for both the margin and the commission of the full weights.
   */
  #setAside(): Exact {
    const { matcher, ledger, settings } = this.#parts;
    const margin = new MarginSum(settings.leverage);
    let commission = EXACT_ZERO;
    for (const { symbol, held, target } of this.#moves(this.#equity, false)) {
      const quantity = target.minus(held).abs();
      const price = this.#priceOf(symbol);
      margin.add(matcher.instruments[symbol]!, target.abs(), price, ledger.rateOf(symbol));
      if (quantity.isZero()) continue;
      const fee = matcher.costs.commission(quantity, price, matcher.instruments[symbol]!);
      commission = commission.plus(fee.times(ledger.rateOf(symbol)));
    }
    const needed = margin.total.plus(commission);
    return needed.compare(this.#equity) > 0 ? Exact.min(commission, this.#equity) : EXACT_ZERO;
  }

  /**
   * Returns current and target units of each symbol.
   *
   * @param equity amount of which the weights are fractions
   * @param notes true if positions without a weight are recorded as skipped in the receipt and not returned
   */
  #moves(equity: Exact, notes = true): Move[] {
    const { symbols } = this.#parts;
    const { weights, keeps } = this.#terms;
    const left = new Set(this.#skipped.map(({ symbol }) => symbol));
    return symbols.flatMap((name, symbol): Move[] => {
      const held = projectedQuantity(symbol, this.#parts);
      const weight = weights.get(name);
      if (left.has(name) || (weight === undefined && held.isZero())) return [];
      const move = { symbol, held, target: held, weight: weight ?? EXACT_ZERO };
      if (weight === undefined && keeps) {
        if (notes) this.#leave(move, 'kept', `${name} has no weight and stays unchanged.`);
        return notes ? [] : [move];
      }
      const target = unitsOfShare(this.#sizing, symbol, equity, move.weight, this.#priceOf(symbol));
      return [{ ...move, target }];
    });
  }

  /** Returns the margin that a change of a position needs. Negative if the change frees margin. */
  #marginTaken({ symbol, held, target }: Move): Exact {
    const { matcher, ledger, settings } = this.#parts;
    const units = target.abs().minus(held.abs());
    const price = this.#priceOf(symbol);
    const instrument = matcher.instruments[symbol]!;
    return new MarginSum(settings.leverage).add(instrument, units, price, ledger.rateOf(symbol)).total;
  }

  get #sizing(): Parameters<typeof unitsOfShare>[0] {
    const { ledger, matcher } = this.#parts;
    return { ledger, costs: matcher.costs, instruments: matcher.instruments };
  }

  /**
   * Returns the exact value that is missing from a position to reach its weight, in account currency.
   * Negative if the position is too large.
   */
  #missing({ symbol, held, weight }: Move, equity: Exact): Exact {
    return equity.times(weight).minus(held.times(this.#unitValue(symbol)));
  }

  #unitValue(symbol: number): Exact {
    return this.#parts.ledger.unitValue(symbol, this.#priceOf(symbol));
  }

  /**
   * Places the order for a change of position, or records why no order is needed.
   *
   * @param equity amount of which the weights are fractions
   */
  #order(move: Move, equity: Exact): void {
    const { symbol, held, target, weight } = move;
    const name = this.#parts.symbols[symbol]!;
    if (weight.isZero() && held.isZero())
      return this.#leave(move, 'at_target', `There is no position in ${name}.`);
    const off = weight.minus(this.#weightOf(symbol, held)).abs();
    if (!weight.isZero() && off.compare(this.#terms.tolerance) <= 0 && !this.#terms.tolerance.isZero())
      return this.#leave(move, 'within_tolerance', `${name} is within the tolerance of its weight.`);
    const { lot } = this.#parts.matcher.instruments[symbol]!;
    if (
      !weight.isZero() &&
      this.#missing(move, equity)
        .abs()
        .compare(lot.times(this.#unitValue(symbol))) < 0
    )
      return this.#leave(move, 'at_target', `${name} is within a lot of its weight.`);
    const difference = target.minus(held);
    const units = difference.abs().dividedBy(lot).floor().times(lot);
    const { reason } = this.#terms;
    // An order with action `close` also sells fractions of a lot, which can exist after a split.
    if (weight.isZero()) return this.#submit(move, held.abs(), { action: 'close', symbol: name, reason });
    const action = difference.isNegative() ? 'sell' : 'buy';
    this.#submit(move, units, { action, symbol: name, quantity: units.toString(), reason });
  }

  /** Places an order. If its size would be rejected, places the largest order that is accepted instead. */
  #submit(move: Move, wanted: Exact, request: OrderRequest): void {
    const { symbol, held, target } = move;
    const verdict = validate(request, this.#parts);
    const refused = 'refusal' in verdict ? verdict.refusal : undefined;
    const largest = Exact.of(refused?.largestAccepted ?? '0');
    const isLess = largest.isPositive() && largest.compare(wanted) < 0;
    const quantity = isLess ? largest : wanted;
    const receipt = this.#place(isLess ? { ...request, quantity: quantity.toString() } : request);
    if (!receipt.accepted) {
      const { code, message } = receipt.refusal;
      this.#leave(move, code, message);
      return this.#fallShort(move, held, receipt.refusal);
    }
    const buys = target.compare(held) > 0;
    const reached = buys ? held.plus(quantity) : held.minus(quantity);
    this.#orders.push({
      orderId: receipt.order.id,
      symbol: this.#parts.symbols[symbol]!,
      side: buys ? 'buy' : 'sell',
      quantity: quantity.toString(),
      weight: move.weight.toString(),
      reaches: this.#shown(symbol, reached),
    });
    if (refused !== undefined) this.#fallShort(move, reached, refused);
  }

  #fallShort({ symbol, weight }: Move, reached: Exact, { code, message }: Refusal): void {
    this.#shortfall.push({
      symbol: this.#parts.symbols[symbol]!,
      weight: weight.toString(),
      reaches: this.#shown(symbol, reached),
      code,
      message,
    });
  }

  #leave({ symbol, weight }: Move, code: SkippedWeight['code'], message: string): void {
    this.#skipped.push({ symbol: this.#parts.symbols[symbol]!, weight: weight.toString(), code, message });
  }

  #priceOf(symbol: number): Exact {
    return Exact.of(this.#parts.close[symbol]!);
  }

  /** Returns the weight of a position: its value at the close divided by equity. */
  #weightOf(symbol: number, units: Exact): Exact {
    if (this.#equity.isZero()) return EXACT_ZERO;
    return this.#unitValue(symbol).times(units).dividedBy(this.#equity);
  }

  #shown(symbol: number, units: Exact): string {
    return this.#weightOf(symbol, units).toDecimalPlaces(WEIGHT_PLACES).toString();
  }
}

/**
 * Returns the rank of a change, by which orders are placed in ascending order. 0 if the change only reduces a
 * position, which frees buying power. 1 if it changes the side, 2 if it opens or enlarges a position.
 */
function rankOf({ held, target }: Move): 0 | 1 | 2 {
  if (held.isZero()) return 2;
  const turns = !target.isZero() && target.isNegative() !== held.isNegative();
  if (turns) return 1;
  return target.abs().compare(held.abs()) < 0 ? 0 : 2;
}
