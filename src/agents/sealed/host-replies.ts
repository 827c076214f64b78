import { type BarContext, DecisionFault } from '../../engine/index.ts';
import { AppError, messageOf } from '../../kernel/index.ts';
import { pack, unpack } from './codec.ts';
import type { ChildMessage, HostMessage } from './messages.ts';

export type Failure = Extract<ChildMessage, { type: 'failed' }>;
type Question = Extract<ChildMessage, { type: 'ask' }>;

/** Answers a question of the strategy from the turn: its account, order desk, documents and events. */
export function answered({ what, given }: Question, turn: BarContext): HostMessage {
  try {
    const values = given.map(unpack);
    return { type: 'answer', value: pack(ask(what, values, turn)) };
  } catch (error) {
    return { type: 'refused', ...errorParts(error) };
  }
}

function ask(what: Question['what'], given: readonly unknown[], turn: BarContext): unknown {
  const { account, orders, documents } = turn;
  if (what === 'cashByKind') return account.cashByKind;
  // The account reports unknown symbols itself.
  if (what === 'position') return account.position(given[0] as string);
  if (what === 'units') return account.units(given[0] as string);
  if (what === 'pending') return orders.pending();
  if (what === 'documentCount') return documents.length;
  if (what === 'documentSearch') return documents.search(given[0] as Parameters<typeof documents.search>[0]);
  if (what === 'documentRead') return documents.read(given[0] as string);
  if (what === 'documentTail') return documents.tail(given[0] as number);
  if (what === 'fundamentals') return turn.fundamentals(...(given as Parameters<BarContext['fundamentals']>));
  if (what === 'universe') return turn.universe();
  if (what === 'eventsSince') return turn.eventsSince;
  // The desk validates the arguments, as for every strategy, because a strategy may be JavaScript.
  const desk = orders[what] as (...values: readonly unknown[]) => unknown;
  return desk(...given);
}

/** Returns the fields of an error that are sent to the strategy. */
export function errorParts(error: unknown): { code: string; message: string; remedy: string } {
  if (error instanceof AppError) return { code: error.code, message: error.message, remedy: error.hint };
  return { code: '', message: messageOf(error), remedy: '' };
}

/** Converts a failure reported by a sealed strategy to an error. */
export function errorOf({ how, code, message, remedy, stack }: Failure): Error {
  if (how === 'fault') return new DecisionFault(code, message, remedy);
  const error =
    code === ''
      ? new Error(message)
      : new AppError({ code, message, hint: remedy, kind: how === 'input' ? 'input' : 'run' });
  error.stack = `Error: ${message}\n${stack ?? ''}`;
  return error;
}

/** Refuses a message that is not expected at this point. @throws Error */
export function outOfTurn({ type }: ChildMessage): never {
  throw new Error(`a sealed strategy sent ${type} outside its turn`);
}
