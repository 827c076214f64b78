import type { EventOf, RunRecord } from '../../../journal/index.ts';
import { type Decimal, decimal, decimalString, ZERO } from '../../../kernel/index.ts';

/** Final state of an order. */
type Status = 'filled' | 'partly_filled' | 'cancelled' | 'refused' | 'resting';

interface OrderEnd {
  readonly status: Status;
  readonly filledQuantity: string;
  readonly endBar?: number;
  readonly endDate?: string | undefined;
  readonly endCode?: string;
  readonly endMessage?: string;
}

/** Returns one row per order: accepted orders by number, then rejected orders, which have no number. */
export function orderRows(record: RunRecord) {
  const dateOf = (bar: number): string | undefined => record.bars[bar]?.date;
  const filled = new Map<number, { quantity: Decimal; bar: number }>();
  for (const { orderId, quantity, bar } of record.fills) {
    const before = filled.get(orderId)?.quantity ?? ZERO;
    filled.set(orderId, { quantity: before.plus(quantity), bar });
  }
  const cancelled = new Map(record.cancellations.map((event) => [event.orderId, event]));
  const refused = new Map(record.rejections.map((event) => [event.orderId, event]));
  const accepted = new Set(record.orders.map(({ orderId }) => orderId));

  const endOf = (order: EventOf<'order_accepted'>): OrderEnd => {
    const fill = filled.get(order.orderId);
    const filledQuantity = decimalString(fill?.quantity ?? ZERO);
    const end = cancelled.get(order.orderId) ?? refused.get(order.orderId);
    if (end !== undefined) {
      const status =
        fill !== undefined ? 'partly_filled' : end.type === 'order_cancelled' ? 'cancelled' : 'refused';
      const { bar, code, message } = end;
      return {
        status,
        filledQuantity,
        endBar: bar,
        endDate: dateOf(bar),
        endCode: code,
        endMessage: message,
      };
    }
    if (fill === undefined) return { status: 'resting', filledQuantity };
    const isPart = order.quantity !== undefined && fill.quantity.lt(decimal(order.quantity));
    return {
      status: isPart ? 'partly_filled' : 'filled',
      filledQuantity,
      ...(isPart ? {} : { endBar: fill.bar, endDate: dateOf(fill.bar) }),
    };
  };

  return [
    ...record.orders.map((order) => ({ ...order, date: dateOf(order.bar), ...endOf(order) })),
    ...record.rejections
      .filter(({ orderId }) => orderId === null || !accepted.has(orderId))
      .map(({ bar, orderId, symbol, action, code, message }) => ({
        orderId,
        bar,
        date: dateOf(bar),
        symbol,
        action,
        status: 'refused' as const,
        filledQuantity: '0',
        endBar: bar,
        endDate: dateOf(bar),
        endCode: code,
        endMessage: message,
      })),
  ];
}
