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
import { type Action, errorInPython, fromPython, inPython, readQuestion, toPython } from './replies.ts';

type Fields = { readonly [name: string]: Json };

/** Maximum number of characters that prints and notes of one run add to the journal. */
const MOST_NOTED = 5_000_000;

/** Prints and notes of one run, which are recorded up to a limit. */
export class Notes {
  readonly #warn: ((text: string) => void) | undefined;
  #left = MOST_NOTED;

  constructor(warn?: (text: string) => void) {
    this.#warn = warn;
  }

  record(turn: BarContext, text: string, fields: Fields = {}): void {
    if (this.#left < 0) return;
    const { bar } = turn;
    this.#left -= text.length + (Object.keys(fields).length === 0 ? 0 : JSON.stringify(fields).length);
    if (this.#left >= 0) {
      turn.record({ ...fields, type: 'note', bar, text } as DeciderEvent);
      return;
    }
    const most = `${MOST_NOTED.toLocaleString('en-US')} characters`;
    turn.record({
      type: 'note',
      bar,
      text: `More than ${most} printed and noted. Later ones are not recorded.`,
    });
    this.#warn?.(
      `The strategy printed and noted more than ${most}. From bar ${bar} on they are not recorded. Print less: at some bars only, or one value instead of a table.`,
    );
  }
}

/** Executes the actions of a decision on the actual turn, in order. Returns a receipt for each, as Python shows it. */
export function perform(actions: readonly Action[], turn: BarContext, notes: Notes): Fields[] {
  try {
    return actions.map((action) => performOne(action, turn, notes));
  } catch (error) {
    throw errorInPython(error);
  }
}

function performOne(action: Action, turn: BarContext, notes: Notes): Fields {
  const { orders } = turn;
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
      notes.record(turn, action[1], action[2]);
      return {};
    default:
      notes.record(turn, action[1].replace(/\n$/, ''), { printed: true });
      return {};
  }
}

/** Answers a question of the strategy in the middle of its decision. */
export function answerQuestion(text: string, turn: BarContext, notes: Notes): string {
  try {
    const { actions, question } = readQuestion(JSON.parse(text));
    const receipts = perform(actions, turn, notes);
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
  return { accepted: false, code, message: inPython(message), remedy: inPython(remedy) };
}
