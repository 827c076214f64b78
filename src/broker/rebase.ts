import type { SplitRatio } from '../account/index.ts';
import type { Exact } from '../kernel/index.ts';
import type { BrokerEvent } from './events.ts';
import { type Instrument, toTick } from './instruments.ts';
import type { RestingOrder } from './order.ts';
import { isIfTouched } from './order-kinds.ts';
import { readAmount } from './read-amount.ts';
import { isTargets } from './read-exit.ts';
import type { Amount, ExitLevel, OrderRequest, TargetLevel } from './request.ts';

/** Decimal places of a re-based part of an order that has filled already. */
const PLACES = 12;

/**
 * Brings a resting order onto the basis after a split: quantities × to / from in whole lots, prices × from / to.
 *
 * Prices are rounded to the tick as when the order was accepted. Sizes in money and exits in fractions are left:
 * they are counted at the fill.
 */
export function rebaseOrder(
  order: RestingOrder,
  ratio: SplitRatio,
  instrument: Instrument,
): 'kept' | 'below-lot' {
  const buys = order.side > 0;
  const price = (value: number, up: boolean): number =>
    Number.isNaN(value) ? value : toTick(rebasedPrice(value, ratio), instrument.tick, up).toNumber();
  const units = (quantity: Exact): Exact => wholeLots(quantity, ratio, instrument);
  order.limitPrice = price(order.limitPrice, !buys);
  order.stopPrice = price(order.stopPrice, isIfTouched(order.type) ? !buys : buys);
  if (!Number.isNaN(order.activationPrice))
    order.activationPrice = rebasedPrice(order.activationPrice, ratio).toNumber();
  if (order.limitOffset !== undefined)
    order.limitOffset = order.limitOffset.times(ratio.from).dividedBy(ratio.to);
  const { trail, size } = order;
  if (trail !== undefined && 'amount' in trail)
    order.trail = { amount: rebasedPrice(trail.amount, ratio).toNumber() };
  order.stopLoss = order.stopLoss && exitLevel(order.stopLoss, ratio);
  order.takeProfit = order.takeProfit && exitLevel(order.takeProfit, ratio);
  order.targets = order.targets?.map((target) => exitLevel(target, ratio));
  if (order.request !== undefined) order.request = requestAfter(order.request, ratio, units);
  if (size.kind === 'target-units') order.size = { kind: 'target-units', units: units(size.units) };
  if (size.kind !== 'units') return 'kept';
  const rest = units(size.units.minus(order.filled));
  order.filled = order.filled.times(ratio.to).dividedBy(ratio.from).toDecimalPlaces(PLACES);
  order.size = { kind: 'units', units: order.filled.plus(rest) };
  return rest.isZero() ? 'below-lot' : 'kept';
}

/** The journal's line of a re-based order. */
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

function rebasedPrice(price: Amount, { to, from }: SplitRatio): Exact {
  return readAmount(price)!.times(from).dividedBy(to);
}

/** Towards zero, so that a split never enlarges what was asked for. */
function wholeLots(quantity: Exact, { to, from }: SplitRatio, { lot }: Instrument): Exact {
  const lots = quantity.abs().times(to).dividedBy(from.times(lot)).floor().times(lot);
  return quantity.isNegative() ? lots.negated() : lots;
}

function exitLevel<Level extends ExitLevel>(level: Level, ratio: SplitRatio) {
  if ('price' in level) return { ...level, price: rebasedPrice(level.price, ratio).toDecimal() };
  if ('distance' in level) return { ...level, distance: rebasedPrice(level.distance, ratio).toDecimal() };
  return level;
}

const PRICES = ['limitPrice', 'stopPrice', 'trailAmount', 'limitOffset', 'activationPrice'] as const;
const QUANTITIES = ['quantity', 'targetQuantity'] as const;
const EXITS = ['stopLoss', 'takeProfit'] as const;

/** The request as it would be made on the new basis: what a replacement starts from. */
function requestAfter(
  request: OrderRequest,
  ratio: SplitRatio,
  units: (quantity: Exact) => Exact,
): OrderRequest {
  const changes: Partial<Record<keyof OrderRequest, Amount | ExitLevel | readonly TargetLevel[]>> = {};
  for (const name of PRICES) {
    const value = request[name];
    if (value !== undefined) changes[name] = rebasedPrice(value, ratio).toDecimal();
  }
  for (const name of QUANTITIES) {
    const value = request[name];
    if (value !== undefined) changes[name] = units(readAmount(value)!).toDecimal();
  }
  for (const name of EXITS) {
    const level = request[name];
    if (level === undefined) continue;
    if (isTargets(level)) {
      changes[name] = level.map((target) => exitLevel(target, ratio));
      continue;
    }
    const bare =
      typeof level !== 'object' || !['price', 'distance', 'fraction', 'atr'].some((key) => key in level);
    changes[name] = exitLevel<ExitLevel>(bare ? { price: level as Amount } : (level as ExitLevel), ratio);
  }
  return { ...request, ...changes } as OrderRequest;
}
