import type { Exact } from '../../kernel/index.ts';
import type { SplitRatio } from '../account/index.ts';
import type { BrokerEvent } from '../events.ts';
import type { Instrument } from '../settings/instruments.ts';
import { toTick } from '../settings/ticks.ts';
import { isTargets } from './exit-levels.ts';
import { isIfTouched, type RestingOrder } from './order.ts';
import { readAmount } from './read-fields.ts';
import type { Amount, ExitLevel, OrderRequest, TargetLevel } from './request.ts';

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
