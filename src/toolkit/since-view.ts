import { type BarContext, type EventsSince, type Json, sinceBlock } from '../engine/index.ts';
import { newDocuments } from './document-view.ts';
import { LastTrades } from './symbol-table.ts';

type Fields = Readonly<Record<string, Json>>;

/**
 * What happened since the last decision, as prompts, agents and clients are shown it.
 *
 * @param documentsBefore how many documents were known then
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

/** What is kept from one decision to the next by whoever does not decide at every bar it is asked at. */
export class SinceDecision {
  #kept: EventsSince | undefined;
  #documents = 0;
  /** Of each symbol, for the table of many. */
  readonly trades = new LastTrades();

  /** A bar that passes without a decision: what happened until then is for the next one. */
  pass({ eventsSince }: BarContext): void {
    this.trades.note(eventsSince);
    this.#kept = this.#kept?.and(eventsSince) ?? eventsSince;
  }

  /** The block that a decision begins with. */
  view(turn: BarContext): Fields {
    const { eventsSince } = turn;
    this.trades.note(eventsSince);
    return sinceView(this.#kept?.and(eventsSince) ?? eventsSince, turn, this.#documents);
  }

  /** How many documents were known at the last decision. */
  get documents(): number {
    return this.#documents;
  }

  /** A decision is made, or has begun and was given its block. */
  decided(turn: BarContext): void {
    this.#kept = undefined;
    this.#documents = turn.documents.length;
  }
}
