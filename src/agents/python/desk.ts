import type {
  CancelReceipt,
  Order,
  OrderReceipt,
  OrderRequest,
  RebalanceReceipt,
  RebalanceRequest,
  Refusal,
} from '../../broker/index.ts';
import type { BarContext, DeciderEvent, Json } from '../../engine/index.ts';
import { AppError } from '../../kernel/index.ts';
import { type Action, fromPython, readQuestion, toPython } from './replies.ts';

type Fields = { readonly [name: string]: Json };

/** Executes the actions of a decision on the actual turn, in order. Returns a receipt for each, as Python shows it. */
export function perform(actions: readonly Action[], turn: BarContext): Fields[] {
  return actions.map((action) => performOne(action, turn));
}

function performOne(action: Action, turn: BarContext): Fields {
  const { orders, bar } = turn;
  switch (action[0]) {
    case 'submit':
      return orderReceipt(orders.submit(requestOf(action[1]) as unknown as OrderRequest));
    case 'rebalance':
      return rebalanceReceipt(orders.rebalance(action[1] as unknown as RebalanceRequest));
    case 'cancel':
      return cancelReceipt(orders.cancel(action[1]));
    case 'replace':
      return orderReceipt(orders.replace(action[1], requestOf(action[2]) as Partial<OrderRequest>));
    case 'note':
      turn.record(noteOf(action[2], action[1], bar));
      return {};
    default:
      turn.record(noteOf({ printed: true }, action[1].replace(/\n$/, ''), bar));
      return {};
  }
}

function noteOf(fields: Fields, text: string, bar: number): DeciderEvent {
  return { ...fields, type: 'note', bar, text };
}

/** Answers a question of the strategy in the middle of its decision. */
export function answerQuestion(text: string, turn: BarContext): string {
  try {
    const { actions, question } = readQuestion(JSON.parse(text));
    const receipts = perform(actions, turn);
    return JSON.stringify({ receipts, ...(question === null ? {} : { value: ordersNow(turn) }) });
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    return JSON.stringify({ failed: error.message, remedy: error.hint });
  }
}

/** Returns the resting orders as Python shows them, oldest first. */
export function ordersNow({ orders, symbols }: BarContext): Fields[] {
  return orders.pending().map((order) => orderFields(order, symbols));
}

function orderFields(order: Order, symbols: readonly string[]): Fields {
  const { symbol, size, barsLeft, expiresAt, ...others } = order;
  return {
    ...(toPython(others) as Fields),
    symbol: symbols[symbol] ?? null,
    size: toPython(size),
    quantity: size.kind === 'units' ? size.units.toNumber() : null,
    bars_left: toPython(barsLeft),
    expires_at: toPython(expiresAt),
  };
}

function requestOf(fields: Fields): Json {
  return fromPython(fields);
}

function orderReceipt(receipt: OrderReceipt): Fields {
  if (!receipt.accepted) return refused(receipt.refusal);
  const { order, cut } = receipt;
  return { accepted: true, id: order.id, ...(cut === undefined ? {} : { cut: toPython(cut) }) };
}

function cancelReceipt(receipt: CancelReceipt): Fields {
  return receipt.cancelled ? { accepted: true } : refused(receipt.refusal);
}

function rebalanceReceipt(receipt: RebalanceReceipt): Fields {
  return receipt.accepted ? (toPython(receipt) as Fields) : refused(receipt.refusal);
}

function refused({ code, message, remedy }: Refusal): Fields {
  return { accepted: false, code, message, remedy };
}
