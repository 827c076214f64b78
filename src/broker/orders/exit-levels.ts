import { Decimal, EXACT_ONE, EXACT_ZERO, type Exact } from '../../kernel/index.ts';
import type { SplitRatio } from '../account/index.ts';
import type { BrokerEvent } from '../events.ts';
import type { Instrument } from '../settings/instruments.ts';
import { toTick } from '../settings/ticks.ts';
import { isIfTouched, type RestingOrder } from './order.ts';
import { bad, priceNumber, readAmount, shown } from './read-fields.ts';
import type { Refusal } from './refusals.ts';
import { type Amount, type ExitLevel, MOST_TARGETS, type OrderRequest, type TargetLevel } from './request.ts';

/** Reads the level of an exit. `undefined` if no level was given, a rejection if the level is invalid. */
export function readExit(
  level: OrderRequest['stopLoss'] | ExitLevel,
  name: string,
): ExitLevel | undefined | { readonly refusal: Refusal } {
  if (level === undefined) return undefined;
  const remedy = 'Use a price, {price}, {distance}, {fraction} below 1, or {atr, length}.';
  const no = (what: string): { readonly refusal: Refusal } => bad('bad_price', `${name} ${what}.`, remedy);
  if (level === null || typeof level !== 'object' || level instanceof Decimal) {
    const value = readAmount(level);
    return value !== undefined && priceNumber(value) !== undefined
      ? { price: level }
      : no(`is ${shown(level)}, which is not a level above 0`);
  }
  const kinds = Object.keys(level).filter((key) => key !== 'length' && key !== 'trail');
  const [kind] = kinds;
  if (kinds.length !== 1 || !EXIT_KINDS.includes(kind!)) {
    return no(
      kinds.length === 0 ? 'has no level' : `has ${kinds.join(', ')}. Exactly one known field is allowed`,
    );
  }
  const { [kind as 'price']: amount, length } = level as { price?: Amount; length?: unknown };
  const value = readAmount(amount);
  const isUsable =
    value?.isPositive() === true &&
    (kind === 'price' ? priceNumber(value) !== undefined : value.toNumber() <= LARGEST_DISTANCE) &&
    (kind !== 'atr' || typeof amount === 'number') &&
    !(kind === 'fraction' && name === 'stopLoss' && value.toNumber() >= 1);
  if (!isUsable) return no(`has a ${kind} of ${shown(amount)}, which is not a level above 0`);
  const { trail } = level as { trail?: unknown };
  if (trail !== undefined && typeof trail !== 'boolean')
    return no(`has a trail of ${shown(trail)}, which is neither true nor false`);
  if (trail === true && (name !== 'stopLoss' || kind === 'price'))
    return no(name === 'stopLoss' ? 'at a price cannot trail. Use a distance' : 'cannot trail');
  if (length === undefined) return level as ExitLevel;
  const isLength = typeof length === 'number' && Number.isInteger(length) && length >= 1 && length <= 500;
  return kind === 'atr' && isLength
    ? (level as ExitLevel)
    : no(`has a length of ${shown(length)}. {atr} allows 1 to 500 bars`);
}

/** Reads a single take profit, or several, each with a share of the units that the order opens. */
export function readTakeProfit(
  given: OrderRequest['takeProfit'],
):
  | { readonly takeProfit: ExitLevel | undefined; readonly targets: readonly TargetLevel[] | undefined }
  | { readonly refusal: Refusal } {
  if (!isTargets(given)) {
    const takeProfit = readExit(given, 'takeProfit');
    return takeProfit !== undefined && 'refusal' in takeProfit
      ? takeProfit
      : { takeProfit, targets: undefined };
  }
  if (given.length < 1 || given.length > MOST_TARGETS) {
    const message = `takeProfit has ${given.length} targets.`;
    return bad('bad_price', message, `Use 1 to ${MOST_TARGETS}.`);
  }
  let total = EXACT_ZERO;
  for (const [index, target] of given.entries()) {
    const name = `takeProfit[${index}]`;
    if (typeof target !== 'object' || target === null)
      return bad(
        'bad_price',
        `${name} is ${shown(target)}.`,
        'Use a target such as {price: 110, share: 0.5}.',
      );
    const { share, ...level } = target;
    const read = readExit(level, name);
    if (read !== undefined && 'refusal' in read) return read;
    if (share === undefined && index === given.length - 1) continue;
    const part = readAmount(share);
    if (part?.isPositive() !== true || part.compare(EXACT_ONE) > 0) {
      const message = `${name} has a share of ${shown(share)}, which is not above 0 and at most 1.`;
      return bad(
        'bad_quantity',
        message,
        'Use shares above 0 and at most 1. The last target may omit its share.',
      );
    }
    total = total.plus(part);
  }
  const isWhole = total.compare(EXACT_ONE) >= 0;
  if (total.compare(EXACT_ONE) > 0 || (isWhole && given.at(-1)!.share === undefined)) {
    const message = `The shares of the take profits sum to ${total}${isWhole && given.at(-1)!.share === undefined ? ' without the last' : ''}.`;
    return bad('bad_quantity', message, 'Use shares with a sum of at most 1.');
  }
  return { takeProfit: undefined, targets: given };
}

/** True if a take profit is a list. */
function isTargets(given: OrderRequest['takeProfit']): given is readonly TargetLevel[] {
  return Array.isArray(given);
}

const EXIT_KINDS: readonly string[] = ['price', 'distance', 'fraction', 'atr'];
/**
 * Largest allowed distance of an exit from a price. With larger distances, float64 prices would lose digits.
 */
const LARGEST_DISTANCE = 1e15;

/** Decimal places to which an order's filled units are rounded after a split. */
const PLACES = 12;

/**
 * Functions that convert prices, distances and quantities of an order to their equivalent after a split or a
 * roll to the next futures contract.
 */
interface Basis {
  price(value: Exact): Exact;
  /** Converts the distance between two prices. */
  distance(value: Exact): Exact;
  units(quantity: Exact): Exact;
}

/**
 * Shifts a resting order when its symbol rolls to the next futures contract. The prices of the order change
 * by `gap` (new contract's price minus old contract's price) and are rounded to the tick as at acceptance.
 * Quantities, distances, fractions and sizes in money are unchanged.
 */
export function shiftOrder(order: RestingOrder, gap: Exact, { tick }: Instrument): 'kept' | 'no-price' {
  const same = (value: Exact): Exact => value;
  movePrices(order, { price: (value) => value.plus(gap), distance: same, units: same }, tick);
  return order.limitPrice <= 0 || order.stopPrice <= 0 ? 'no-price' : 'kept';
}

/**
 * Applies a split to a resting order. Quantities are multiplied by `to` / `from` and rounded to whole lots.
 * Prices are multiplied by `from` / `to` and rounded to the tick as at acceptance.
 *
 * Sizes in money and exits given as fractions are unchanged, because they are evaluated at the fill.
 */
export function rebaseOrder(
  order: RestingOrder,
  ratio: SplitRatio,
  instrument: Instrument,
): 'kept' | 'below-lot' {
  const { size } = order;
  const rebase = (value: Exact): Exact => value.times(ratio.from).dividedBy(ratio.to);
  const units = (quantity: Exact): Exact => wholeLots(quantity, ratio, instrument);
  movePrices(order, { price: rebase, distance: rebase, units }, instrument.tick);
  if (size.kind === 'target-units') order.size = { kind: 'target-units', units: units(size.units) };
  if (size.kind !== 'units') return 'kept';
  const rest = units(size.units.minus(order.filled));
  order.filled = order.filled.times(ratio.to).dividedBy(ratio.from).toDecimalPlaces(PLACES);
  order.size = { kind: 'units', units: order.filled.plus(rest) };
  return rest.isZero() ? 'below-lot' : 'kept';
}

/**
 * Converts all prices and distances of an order. Also converts its stored request, because a replacement of
 * the order starts from this request.
 */
function movePrices(order: RestingOrder, basis: Basis, tick: Exact | undefined): void {
  const buys = order.side > 0;
  const price = (value: number, up: boolean): number =>
    Number.isNaN(value) ? value : toTick(basis.price(readAmount(value)!), tick, up).toNumber();
  order.limitPrice = price(order.limitPrice, !buys);
  order.stopPrice = price(order.stopPrice, isIfTouched(order.type) ? !buys : buys);
  if (!Number.isNaN(order.activationPrice))
    order.activationPrice = basis.price(readAmount(order.activationPrice)!).toNumber();
  if (order.limitOffset !== undefined) order.limitOffset = basis.distance(order.limitOffset);
  const { trail } = order;
  if (trail !== undefined && 'amount' in trail)
    order.trail = { amount: basis.distance(readAmount(trail.amount)!).toNumber() };
  order.firstPrice = order.firstPrice && basis.price(order.firstPrice);
  order.stopLoss = order.stopLoss && exitLevel(order.stopLoss, basis);
  order.takeProfit = order.takeProfit && exitLevel(order.takeProfit, basis);
  order.targets = order.targets?.map((target) => exitLevel(target, basis));
  if (order.request !== undefined) order.request = requestAfter(order.request, basis);
}

/** Returns the event of an order changed by a split or roll. */
export function orderAdjusted(order: RestingOrder, bar: number, symbol: string): BrokerEvent {
  const { id, size, filled, limitPrice, stopPrice } = order;
  return {
    type: 'order_adjusted',
    bar,
    orderId: id,
    symbol,
    ...(size.kind === 'units' ? { quantity: size.units.minus(filled).toString() } : {}),
    ...(Number.isNaN(limitPrice) ? {} : { limitPrice: String(limitPrice) }),
    ...(Number.isNaN(stopPrice) ? {} : { stopPrice: String(stopPrice) }),
  };
}

/**
 * Returns the quantity after a split in whole lots. Rounds towards zero, so that a split never enlarges an
 * order.
 */
function wholeLots(quantity: Exact, { to, from }: SplitRatio, { lot }: Instrument): Exact {
  const lots = quantity.abs().times(to).dividedBy(from.times(lot)).floor().times(lot);
  return quantity.isNegative() ? lots.negated() : lots;
}

function exitLevel<Level extends ExitLevel>(level: Level, { price, distance }: Basis) {
  if ('price' in level) return { ...level, price: price(readAmount(level.price)!).toDecimal() };
  if ('distance' in level) return { ...level, distance: distance(readAmount(level.distance)!).toDecimal() };
  return level;
}

const PRICES = ['limitPrice', 'stopPrice', 'activationPrice'] as const;
const DISTANCES = ['trailAmount', 'limitOffset'] as const;
const QUANTITIES = ['quantity', 'targetQuantity'] as const;
const EXITS = ['stopLoss', 'takeProfit'] as const;

/**
 * Returns an order request converted for a split or roll. A later replacement of the order starts from the
 * converted request.
 */
function requestAfter(request: OrderRequest, basis: Basis): OrderRequest {
  const changes: Partial<Record<keyof OrderRequest, Amount | ExitLevel | readonly TargetLevel[]>> = {};
  const change = (names: readonly (keyof OrderRequest)[], of: (value: Exact) => Exact): void => {
    for (const name of names) {
      const value = request[name] as Amount | undefined;
      if (value !== undefined) changes[name] = of(readAmount(value)!).toDecimal();
    }
  };
  change(PRICES, basis.price);
  change(DISTANCES, basis.distance);
  change(QUANTITIES, basis.units);
  for (const name of EXITS) {
    const level = request[name];
    if (level === undefined) continue;
    if (isTargets(level)) {
      changes[name] = level.map((target) => exitLevel(target, basis));
      continue;
    }
    const bare =
      typeof level !== 'object' || !['price', 'distance', 'fraction', 'atr'].some((key) => key in level);
    changes[name] = exitLevel<ExitLevel>(bare ? { price: level as Amount } : (level as ExitLevel), basis);
  }
  return { ...request, ...changes } as OrderRequest;
}
