import type { JournalEvent } from '../../journal/index.ts';

/**
 * Who made an event happen: the market, whoever decides, or neither: it became known, or is the bar's end.
 *
 * The end of a run is the decider's: what fails a run fails in a decision, or after the last one.
 */
export type Whose = 'market' | 'decider' | 'neither';

/** What the market does with orders and the account, whatever else an event says. */
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

/** Codes of orders that were taken back by whoever decides. */
const TAKEN_BACK = new Set<unknown>(['cancelled', 'replaced']);

export function whoseEvent(event: JournalEvent): Whose {
  const { type } = event;
  if (MARKET.has(type)) return 'market';
  if (NEITHER.has(type)) return 'neither';
  switch (type) {
    // An exit, or an order that a margin call, a roll or a delisting makes.
    case 'order_accepted':
      return event.role === undefined ? 'decider' : 'market';
    case 'order_cancelled':
      return TAKEN_BACK.has(event.code) ? 'decider' : 'market';
    // One that was refused at once has no number.
    case 'order_rejected':
      return typeof event.orderId === 'number' ? 'market' : 'decider';
    // A file that came by its date.
    case 'file_written':
      return event.availableAt === undefined ? 'decider' : 'neither';
    default:
      return 'decider';
  }
}

/** Events of a bar, from those before its decision to those of it and after it: what is filled at its close. */
export interface BarParts {
  readonly before: readonly JournalEvent[];
  readonly decided: readonly JournalEvent[];
}

/** @param events of one bar, its end left out */
export function partsOf(events: readonly JournalEvent[]): BarParts {
  const first = events.findIndex((event) => whoseEvent(event) === 'decider');
  const cut = first < 0 ? events.length : first;
  return { before: events.slice(0, cut), decided: events.slice(cut) };
}
