import type { JournalEvent } from '../../journal/index.ts';

/**
 * Originator of an event: the market, the decider, or neither. `neither` applies to published data and to the
 * end of a bar.
 *
 * The end of a run belongs to the decider, because a run fails in a decision or after the last one.
 */
export type Whose = 'market' | 'decider' | 'neither';

/** Events that always belong to the market: changes of orders and of the account. */
const MARKET = new Set([
  'order_filled',
  'order_adjusted',
  'trade_closed',
  'risk_halted',
  'cash_entry',
  'split',
  'rolled',
  'delisted',
]);

const NEITHER = new Set([
  'bar',
  'run_started',
  'features_known',
  'context_known',
  'documents_known',
  'fundamentals_known',
  'universe_changed',
]);

/** Codes of orders that the decider cancelled or replaced. */
const TAKEN_BACK = new Set<unknown>(['cancelled', 'replaced']);

export function whoseEvent(event: JournalEvent): Whose {
  const { type } = event;
  if (MARKET.has(type)) return 'market';
  if (NEITHER.has(type)) return 'neither';
  switch (type) {
    // Orders with a role are exits, or result from a margin call, a roll or a delisting.
    case 'order_accepted':
      return event.role === undefined ? 'decider' : 'market';
    case 'order_cancelled':
      return TAKEN_BACK.has(event.code) ? 'decider' : 'market';
    // An order that is rejected when it is placed has no id.
    case 'order_rejected':
      return typeof event.orderId === 'number' ? 'market' : 'decider';
    // A file with `availableAt` appears at this time without a decision.
    case 'file_written':
      return event.availableAt === undefined ? 'decider' : 'neither';
    default:
      return 'decider';
  }
}

/**
 * Events of a bar: those before its decision, and those of the decision and after it, such as fills at the
 * close.
 */
export interface BarParts {
  readonly before: readonly JournalEvent[];
  readonly decided: readonly JournalEvent[];
}

/**
 * Splits the events of a bar at its first decision.
 *
 * @param events events of one bar, without its end
 */
export function partsOf(events: readonly JournalEvent[]): BarParts {
  const first = events.findIndex((event) => whoseEvent(event) === 'decider');
  const cut = first < 0 ? events.length : first;
  return { before: events.slice(0, cut), decided: events.slice(cut) };
}
