import { type MarketEvent, MOST_LISTED, sinceBlock } from '../../engine/index.ts';
import type { JournalEvent } from '../../journal/index.ts';
import { isObject, numberOf, parseInstant, textOf } from '../../kernel/index.ts';
import { block, factsOf, jsonText } from './block-parts.ts';
import type { Block } from './step.ts';
import type { TraceIndex } from './trace-index.ts';
import { partsOf, whoseEvent } from './whose-event.ts';

/** Kinds of strategy whose journal has what each decision was shown. */
const OBSERVED = new Set(['llm', 'agent']);

/** A decision, as the one after it looks back at it. */
interface Decided {
  readonly bar: number;
  readonly date: string;
  /** In the account's currency; undefined where the journal does not say. */
  readonly equity: number | undefined;
}

/**
 * What happened since the last decision, for runs whose journal does not have it: rules, order scripts, MCP clients.
 *
 * Bars are taken one after the other, from the decision before the first whose block is wanted, or from the first of all.
 */
export class SinceBlocks {
  readonly #index: TraceIndex;
  /** A rule is asked on each bar; a client's moves are not in the journal, and what it called is. */
  readonly #everyBar: boolean;
  readonly #evaluateFrom: number;
  readonly #fillsAtClose: boolean;
  #news: MarketEvent[] = [];
  #documents: JournalEvent[] = [];
  #last: Decided | undefined;
  #previous: Decided | undefined;

  constructor(index: TraceIndex) {
    this.#index = index;
    const { started } = index;
    this.#everyBar = !(isObject(started?.strategy) && started.strategy.kind === 'mcp');
    const { evaluateFrom, barTimes, fillOn } = isObject(started?.settings) ? started.settings : {};
    const from = parseInstant(textOf(evaluateFrom)) ?? Number.NEGATIVE_INFINITY;
    // A bar that is named by its end is before a date that it ends at.
    this.#evaluateFrom = barTimes === 'end' ? from + 1 : from;
    this.#fillsAtClose = fillOn === 'close';
  }

  /** Whether a run's decisions need it. */
  static isFor({ started }: TraceIndex): boolean {
    return isObject(started?.strategy) && !OBSERVED.has(textOf(started.strategy.kind));
  }

  /**
   * The bar from which bars have to be taken for the block of one.
   *
   * @param events of that bar
   */
  firstFor(bar: number, events: readonly JournalEvent[]): number {
    const isDecision = events.some((event) => whoseEvent(event) === 'decider');
    if (this.#everyBar && this.#isEvaluated(endOf(events))) return Math.max(0, bar - 1);
    // Where nobody decides, there is nothing to look back from.
    if (!isDecision) return bar;
    if (this.#everyBar) return 0;
    return this.#index.allSteps.findLast((step) => step.bar < bar && step.decided)?.bar ?? 0;
  }

  /**
   * Takes the next bar.
   *
   * @param events of it, in order
   * @returns undefined where nothing happened and nothing was done
   */
  take(bar: number, events: readonly JournalEvent[]): Block | undefined {
    const end = endOf(events);
    const { before, decided } = partsOf(events.filter((event) => event !== end));
    const now = { bar, date: textOf(end?.date), equity: this.#equityAt(end, decided) };
    const isAsked = this.#everyBar && this.#isEvaluated(end);
    // The first decision is asked at the close before the first bar that counts, where it may have done nothing.
    if (isAsked && this.#last === undefined && !this.#fillsAtClose) this.#decide(this.#previous, []);
    for (const event of before) {
      if (whoseEvent(event) === 'market') this.#news.push(marketEvent(event));
      else if (event.type === 'documents_known') this.#documents.push(event);
    }
    this.#previous = now;
    if (!isAsked && decided.length === 0) return undefined;
    const isQuiet = decided.length === 0 && this.#news.length === 0 && this.#documents.length === 0;
    const shown = isQuiet || this.#isOver(bar, decided) ? undefined : this.#block(now);
    this.#decide(now, decided);
    return shown;
  }

  #decide(decided: Decided | undefined, events: readonly JournalEvent[]): void {
    if (decided === undefined) return;
    this.#last = decided;
    this.#news = events.filter((event) => whoseEvent(event) === 'market').map(marketEvent);
    this.#documents = [];
  }

  #block({ bar, equity }: Decided): Block {
    const last = this.#last;
    const profit =
      last === undefined
        ? 0
        : equity === undefined || last.equity === undefined
          ? undefined
          : profitOf(last.equity, equity);
    const documents = this.#documents.flatMap(({ documents: some }) => (Array.isArray(some) ? some : []));
    const since = sinceBlock({
      bar: last?.bar ?? null,
      time: last === undefined ? null : (parseInstant(last.date) ?? null),
      profit,
      events: this.#news,
      toFill: (orderId) => this.#index.lifecycles.toFillOn(bar, orderId),
      documents: {
        count: documents.length,
        shown: documents
          .slice(-MOST_LISTED)
          .filter(isObject)
          .map(({ id, availableAt, source, title }) => ({
            id: textOf(id),
            date: textOf(availableAt),
            source: textOf(source),
            title: textOf(title),
          })),
      },
    });
    return block('other', 'Since the last decision', {
      facts: factsOf(
        ['Last decision', last === undefined ? 'none before' : `bar ${last.bar}`],
        ['Profit', profit],
      ),
      // The blocks above it tell the same at length.
      texts: [jsonText('as prompts and agents are shown it', since, true)],
    });
  }

  #isEvaluated(end: JournalEvent | undefined): boolean {
    // Of a bar that did not end nobody knows its date; a run's first bars are the ones that are not asked.
    return end === undefined || (parseInstant(textOf(end.date)) ?? 0) >= this.#evaluateFrom;
  }

  /** An account that is insolvent ends a run before the decision. */
  #isOver(bar: number, decided: readonly JournalEvent[]): boolean {
    const { finished, bars } = this.#index;
    return finished?.outcome === 'insolvent' && bar === bars - 1 && decided.length === 0;
  }

  /** The equity as a decision found it: without what was filled at the same close, after it. */
  #equityAt(end: JournalEvent | undefined, decided: readonly JournalEvent[]): number | undefined {
    let equity = numberOf(Number(textOf(end?.equity) || Number.NaN));
    const symbols = this.#index.started?.symbols;
    for (const fill of decided) {
      if (fill.type !== 'order_filled' || equity === undefined) continue;
      const values: unknown =
        Array.isArray(end?.prices) && Array.isArray(symbols)
          ? end.prices[symbols.indexOf(fill.symbol)]
          : undefined;
      const close = Array.isArray(values) ? numberOf(values[3]) : undefined;
      if (close === undefined) return undefined;
      const units = Number(fill.quantity) * (fill.side === 'sell' ? -1 : 1);
      const worth = Number(fill.multiplier ?? 1) * Number(fill.rate ?? 1);
      equity -= units * (close - Number(fill.price)) * worth - Number(fill.commission);
    }
    return equity;
  }
}

/** Decimal places of a profit, as a decision is shown it. */
const PLACES = 8;

function profitOf(before: number, after: number): number {
  return Number((after - before).toFixed(PLACES)) + 0;
}

function endOf(events: readonly JournalEvent[]): JournalEvent | undefined {
  return events.find(({ type }) => type === 'bar');
}

/** What the index has read has the fields that it needs: see `eventFault`. */
function marketEvent(event: JournalEvent): MarketEvent {
  return event as unknown as MarketEvent;
}
