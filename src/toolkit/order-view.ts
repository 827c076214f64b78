import type { Order } from '../broker/index.ts';
import type { Json } from '../engine/index.ts';
import { decimal, formatInstant } from '../kernel/index.ts';

/** Returns the fields of an order that all lists show. */
export function orderOutline(order: Order, symbols: readonly string[]): Record<string, Json> {
  return {
    order_id: order.id,
    symbol: symbols[order.symbol]!,
    action: order.action,
    order_type: order.type,
    quantity: order.size.kind === 'units' ? order.size.units.toString() : null,
    price: priceOrNull(order.limitPrice),
    stop_price: priceOrNull(order.stopPrice),
    // `quantity` is the total quantity of the order, including the filled part.
    ...(order.filled.isZero() ? {} : { filled: order.filled.toString() }),
  };
}

/** Returns all fields of an order. Fields that do not apply are omitted. */
export function orderDetails(order: Order, symbols: readonly string[]): Record<string, Json> {
  const { size, trail, stopLoss, takeProfit, targets } = order;
  return {
    ...orderOutline(order, symbols),
    ...sizeDetails(size),
    ...(trail === undefined
      ? {}
      : 'amount' in trail
        ? { trail: trail.amount }
        : { trail_percent: percent(trail.fraction) }),
    ...(order.limitOffset === undefined ? {} : { limit_offset: order.limitOffset.toNumber() }),
    ...(Number.isNaN(order.activationPrice) ? {} : { activation_price: order.activationPrice }),
    ...(order.postOnly ? { post_only: true } : {}),
    ...(stopLoss === undefined ? {} : exitDetails('stop_loss', stopLoss)),
    ...(takeProfit === undefined ? {} : exitDetails('take_profit', takeProfit)),
    ...(targets === undefined ? {} : { take_profits: targets.map(targetDetails) }),
    filled: order.filled.toString(),
    role: order.role,
    ...(order.parentId === undefined ? {} : { exit_of: order.parentId }),
    placed_bar: order.placedBar,
    time_in_force: order.timeInForce,
    ...(Number.isFinite(order.barsLeft) ? { bars_left: order.barsLeft } : {}),
    ...(Number.isFinite(order.expiresAt) ? { good_till: formatInstant(order.expiresAt).slice(0, 10) } : {}),
    ...(order.triggered ? { triggered: true } : {}),
    ...(order.reduceOnly ? { reduce_only: true } : {}),
    ...(order.group === undefined ? {} : { group: order.group }),
    ...(order.reason === undefined ? {} : { reason: order.reason }),
  };
}

function sizeDetails(size: Order['size']): Record<string, Json> {
  switch (size.kind) {
    case 'notional':
      return { notional: size.notional.toString() };
    case 'equity-fraction':
      return { equity_percent: percent(size.fraction.toString()) };
    case 'target-units':
      return { target_quantity: size.units.toString() };
    case 'target-fraction':
      return { target_percent: percent(size.fraction.toString()) };
    default:
      return {};
  }
}

function exitDetails(
  name: 'stop_loss' | 'take_profit',
  level: NonNullable<Order['stopLoss']>,
): Record<string, Json> {
  if ('price' in level) return { [name]: Number(level.price) };
  const trails = level.trail === true ? { [`${name}_trails`]: true } : {};
  if ('distance' in level) return { [`${name}_distance`]: Number(level.distance), ...trails };
  return { [`${name}_percent`]: percent(String(level.fraction)), ...trails };
}

function targetDetails(target: NonNullable<Order['targets']>[number]): Record<string, Json> {
  const { share } = target;
  return {
    ...('price' in target
      ? { price: Number(target.price) }
      : 'distance' in target
        ? { distance: Number(target.distance) }
        : { percent: percent(String(target.fraction)) }),
    ...(share === undefined ? {} : { share_percent: percent(String(share)) }),
  };
}

function percent(fraction: number | string): number {
  return decimal(fraction).times(100).toNumber();
}

function priceOrNull(price: number): number | null {
  return Number.isNaN(price) ? null : price;
}
