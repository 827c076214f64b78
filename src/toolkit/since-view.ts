import { type BarContext, type EventsSince, type Json, sinceBlock } from '../engine/index.ts';
import { newDocuments } from './document-view.ts';
import { LastTrades } from './symbol-table.ts';

type Fields = Readonly<Record<string, Json>>;

/**
 * Returns the events since the last decision in the format for prompts, agents and clients.
 *
 * @param documentsBefore number of documents known at the last decision
 */
function sinceView(since: EventsSince, turn: BarContext, documentsBefore: number): Fields {
  const { bar, time, profit, events } = since;
  const resting = new Map(
    turn.orders
      .pending()
      .flatMap(({ id, size, filled }): [number, number][] =>
        size.kind === 'units' ? [[id, size.units.minus(filled).toNumber()]] : [],
      ),
  );
  const toFill = (orderId: number): number | undefined => resting.get(orderId);
  return sinceBlock({ bar, time, profit, events, toFill, documents: newDocuments(turn, documentsBefore) });
}

/** State between two decisions of an agent that does not decide on every bar. */
export class SinceDecision {
  #kept: EventsSince | undefined;
  #documents = 0;
  /** Last trade of each symbol, for the table of symbols. */
  readonly trades = new LastTrades();

  /** Stores the events of a bar without a decision for the next decision. */
  pass({ eventsSince }: BarContext): void {
    this.trades.note(eventsSince);
    this.#kept = this.#kept?.and(eventsSince) ?? eventsSince;
  }

  /** Returns the block at the beginning of a decision. */
  view(turn: BarContext): Fields {
    const { eventsSince } = turn;
    this.trades.note(eventsSince);
    return sinceView(this.#kept?.and(eventsSince) ?? eventsSince, turn, this.#documents);
  }

  /** Number of documents known at the last decision. */
  get documents(): number {
    return this.#documents;
  }

  /** Call after a decision has been made or has begun with its block. */
  decided(turn: BarContext): void {
    this.#kept = undefined;
    this.#documents = turn.documents.length;
  }
}
