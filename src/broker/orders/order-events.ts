import { decimalString } from '../../kernel/index.ts';
import type { Ledger } from '../account/index.ts';
import type { BrokerEvent } from '../events.ts';
import type { Halt } from '../settings/risk.ts';
import type { RestingOrder } from './order.ts';
import type { Refusal } from './refusals.ts';
import type { OrderRequest } from './request.ts';

export function acceptedEvent(
  order: RestingOrder,
  bar: number,
  symbols: readonly string[],
  isLate = false,
): BrokerEvent {
  return {
    type: 'order_accepted',
    bar,
    orderId: order.id,
    symbol: symbols[order.symbol]!,
    action: order.action,
    orderType: order.type,
    ...describeSize(order),
    ...(Number.isNaN(order.limitPrice) ? {} : { limitPrice: String(order.limitPrice) }),
    ...(Number.isNaN(order.stopPrice) ? {} : { stopPrice: String(order.stopPrice) }),
    ...(order.limitOffset === undefined ? {} : { limitOffset: order.limitOffset.toString() }),
    ...(Number.isNaN(order.activationPrice) ? {} : { activationPrice: String(order.activationPrice) }),
    ...(order.postOnly ? { postOnly: true } : {}),
    ...(order.timeInForce === 'GTC' ? {} : { timeInForce: order.timeInForce }),
    ...(order.barsLeft === Number.POSITIVE_INFINITY ? {} : { validBars: order.barsLeft }),
    ...(order.group === undefined ? {} : { group: order.group }),
    ...(isLate ? { late: true } : {}),
    ...(order.role === 'order' ? {} : { role: order.role }),
    ...(order.reason === undefined ? {} : { reason: order.reason }),
  };
}

/** Returns the event of an exit order (stop loss or take profit) that the fill of its entry created. */
export function exitAcceptedEvent(exit: RestingOrder, bar: number, symbols: readonly string[]): BrokerEvent {
  const { id, symbol, action, type, parentId, role } = exit;
  return {
    type: 'order_accepted',
    bar,
    orderId: id,
    symbol: symbols[symbol]!,
    action,
    orderType: type,
    ...describeSize(exit),
    ...(role === 'stop-loss'
      ? { stopPrice: String(exit.stopPrice) }
      : { limitPrice: String(exit.limitPrice) }),
    ...(parentId === undefined ? {} : { parentId }),
    role,
  };
}

export function rejectedEvent(
  request: OrderRequest | null | undefined,
  { code, message, remedy }: Refusal,
  bar: number,
  symbols: readonly string[],
): BrokerEvent {
  // A request may come from JSON, so its fields may have any type. Only texts are recorded in the journal.
  const symbol: unknown = request?.symbol ?? symbols[0]!;
  const action: unknown = request?.action;
  return {
    type: 'order_rejected',
    bar,
    orderId: null,
    symbol: typeof symbol === 'string' ? symbol : null,
    action: typeof action === 'string' ? action : '',
    code,
    message,
    remedy,
  };
}

export function haltEvent({ code, limit, from }: Halt, bar: number, ledger: Ledger): BrokerEvent {
  return {
    type: 'risk_halted',
    bar,
    code,
    limit,
    from: String(from),
    equity: decimalString(ledger.equity),
  };
}

function describeSize({ size }: RestingOrder): Record<string, string> {
  switch (size.kind) {
    case 'units':
      return { quantity: size.units.toString() };
    case 'notional':
      return { notional: size.notional.toString() };
    case 'equity-fraction':
      return { equityFraction: size.fraction.toString() };
    case 'target-units':
      return { targetQuantity: size.units.toString() };
    case 'target-fraction':
      return { targetFraction: size.fraction.toString() };
    case 'position':
      return {};
  }
}
