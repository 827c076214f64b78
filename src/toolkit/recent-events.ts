import {
  type BarContext,
  type EventsSince,
  type Json,
  MOST_LISTED,
  type NewDocuments,
  recentEvents,
} from '../engine/index.ts';
import { formatInstant } from '../kernel/index.ts';
import { type DocumentHit, featuresOf, type Window } from '../market/index.ts';
import { LastTrades } from './symbol-table.ts';
import { failure, type ToolFailure } from './tool.ts';

type Fields = Readonly<Record<string, Json>>;

/**
 * Returns the events since the last decision in the format for prompts, external agents and MCP clients.
 *
 * @param documentsBefore number of documents known at the last decision
 */
function recentEventsView(since: EventsSince, turn: BarContext, documentsBefore: number): Fields {
  const { bar, time, profit, events } = since;
  const resting = new Map(
    turn.orders
      .pending()
      .flatMap(({ id, size, filled }): [number, number][] =>
        size.kind === 'units' ? [[id, size.units.minus(filled).toNumber()]] : [],
      ),
  );
  const toFill = (orderId: number): number | undefined => resting.get(orderId);
  return recentEvents({ bar, time, profit, events, toFill, documents: newDocuments(turn, documentsBefore) });
}

/** Collects the events since the last decision, for an agent that does not decide on every bar. */
export class RecentEvents {
  #kept: EventsSince | undefined;
  #documents = 0;
  /** Last trade of each symbol, for the table of symbols. */
  readonly trades = new LastTrades();

  /** Stores the events of a bar without a decision, so that the next decision shows them. */
  pass({ eventsSince }: BarContext): void {
    this.trades.note(eventsSince);
    this.#kept = this.#kept?.and(eventsSince) ?? eventsSince;
  }

  /** Returns the events since the last decision, as shown at the beginning of a decision. */
  view(turn: BarContext): Fields {
    const { eventsSince } = turn;
    this.trades.note(eventsSince);
    return recentEventsView(this.#kept?.and(eventsSince) ?? eventsSince, turn, this.#documents);
  }

  /** Number of documents known at the last decision. */
  get documents(): number {
    return this.#documents;
  }

  /** Clears the collected events. Must be called when a decision has shown them. */
  decided(turn: BarContext): void {
    this.#kept = undefined;
    this.#documents = turn.documents.length;
  }
}

/**
 * Returns the newest value of each feature of a window, with its date and the time at which it became
 * visible. `null` for a feature without a visible value. Features are time series other than bars.
 */
export function featureView(window: Window): Readonly<Record<string, Json>> {
  return Object.fromEntries(
    featuresOf(window).map((feature) => {
      const [value = null] = feature.tail(1);
      if (Number.isNaN(feature.availableAt)) return [feature.name, null];
      return [
        feature.name,
        {
          value: typeof value === 'number' && Number.isNaN(value) ? null : value,
          date: formatInstant(feature.date),
          available_at: formatInstant(feature.availableAt),
        },
      ];
    }),
  );
}

/**
 * Formats the features of every symbol as text for a prompt, one line per feature. If the run has no
 * features, returns a sentence that states this.
 */
export function featuresText({ symbols, windowOf }: BarContext): string {
  const lines = symbols.flatMap((symbol) =>
    Object.entries(featureView(windowOf(symbol))).map(([name, view]) => {
      const known = view as {
        readonly value: Json;
        readonly date: string;
        readonly available_at: string;
      } | null;
      const said =
        known === null
          ? 'not known yet'
          : `${JSON.stringify(known.value)} (of ${known.date}, available at ${known.available_at})`;
      return `${symbol} ${name}: ${said}`;
    }),
  );
  return lines.length === 0 ? 'There are no features.' : lines.join('\n');
}

/** Formats a document for a list: id, date, source and title. */
export function hitView({ id, availableAt, source, title }: DocumentHit): Record<string, Json> {
  return { id, date: formatInstant(availableAt), source, title };
}

/**
 * Returns the documents published since an earlier decision, oldest first. `count` is the number of all new
 * documents. If there are more than `MOST_LISTED`, `shown` contains only the newest.
 *
 * @param before number of documents known at the earlier decision
 */
function newDocuments({ documents }: BarContext, before: number): NewDocuments {
  const count = Math.max(0, documents.length - before);
  return { count, shown: count === 0 ? [] : documents.tail(Math.min(count, MOST_LISTED)).map(hitView) };
}

/** Returns the documents published since an earlier decision as text for a prompt, one line each. */
export function newDocumentsText(turn: BarContext, before: number): string {
  const count = turn.documents.length - before;
  if (count <= 0) return 'There are no new documents.';
  const lines = turn.documents
    .tail(Math.min(count, MOST_LISTED))
    .map(
      ({ id, availableAt, source, title }) =>
        `${formatInstant(availableAt)} ${source === '' ? '' : `${source}: `}${title} (${id})`,
    );
  const more = count - lines.length;
  return [...(more > 0 ? [`${more} earlier documents are omitted.`] : []), ...lines].join('\n');
}

/**
 * Returns the failure of a tool whose data the run does not have.
 *
 * @param flag command-line flag that adds the data
 */
export function notGiven(what: string, flag: string): ToolFailure {
  return failure(`This run has no ${what}.`, `Continue without them. The user adds them with ${flag}.`);
}
