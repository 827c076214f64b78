import { type MarketEvent, MOST_LISTED, recentEvents } from '../../engine/index.ts';
import type { JournalEvent } from '../../journal/index.ts';
import { isObject, numberOf, parseInstant, textOf } from '../../kernel/index.ts';
import { block, factsOf, jsonText } from './agent-blocks.ts';
import { partsOf, whoseEvent } from './order-lifecycles.ts';
import type { Block } from './step.ts';
import type { TraceIndex } from './trace-index.ts';

/**
 * Kinds of strategy whose journals contain the observation of each decision, which is the input of the model
 * or agent.
 */
const OBSERVED = new Set(['llm', 'agent']);

/** Facts about a decision that are needed to make the block of the next decision. */
interface Decided {
  readonly bar: number;
  readonly date: string;
  /** Equity at the decision, in account currency. `undefined` if the journal does not contain it. */
  readonly equity: number | undefined;
}

/**
 * Makes the block "Since the last decision" of a bar, which is a part of the trace page. The block contains
 * fills, other market events, new documents and the profit since the previous decision. For models and
 * agents, the journal already contains these facts as part of the observation. For all other strategies
 * (rules, order scripts, MCP clients), they are computed here from the journal's events.
 *
 * `take` must be called for consecutive bars. Start with the first bar of the run, or with the bar that
 * `firstFor` returns.
 */
export class RecentEventsFinder {
  readonly #index: TraceIndex;
  /**
   * True if the strategy decides on every bar, as rules do. False for MCP clients. For them, a bar with
   * recorded calls counts as a decision.
   */
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
    // If a timestamp is the end of its bar, a bar that ends exactly at the start of the evaluation does not
    // belong to the evaluation.
    this.#evaluateFrom = barTimes === 'end' ? from + 1 : from;
    this.#fillsAtClose = fillOn === 'close';
  }

  /**
   * Returns true if the journal of a run does not contain the observations (inputs) of decisions. Only then
   * are the blocks made here.
   */
  static isFor({ started }: TraceIndex): boolean {
    return isObject(started?.strategy) && !OBSERVED.has(textOf(started.strategy.kind));
  }

  /**
   * Returns the first bar for which `take` must be called, so that the block of `bar` is complete.
   *
   * @param events events of `bar`
   */
  firstFor(bar: number, events: readonly JournalEvent[]): number {
    const isDecision = events.some((event) => whoseEvent(event) === 'decider');
    if (this.#everyBar && this.#isEvaluated(endOf(events))) return Math.max(0, bar - 1);
    // A bar without a decision has no block, so no earlier bar is needed.
    if (!isDecision) return bar;
    if (this.#everyBar) return 0;
    return this.#index.allSteps.findLast((step) => step.bar < bar && step.decided)?.bar ?? 0;
  }

  /**
   * Processes the next bar.
   *
   * @param events events of the bar, in order
   * @returns block of the bar; `undefined` if no decision was made or the block would be empty
   */
  take(bar: number, events: readonly JournalEvent[]): Block | undefined {
    const end = endOf(events);
    const { before, decided } = partsOf(events.filter((event) => event !== end));
    const now = { bar, date: textOf(end?.date), equity: this.#equityAt(end, decided) };
    const isAsked = this.#everyBar && this.#isEvaluated(end);
    // The first decision is made at the close before the evaluation period. If it did nothing, the journal
    // does not contain it, so it is added here.
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
    const since = recentEvents({
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
      // The text is collapsed, because the page shows the same events in detail above this block.
      texts: [jsonText('as prompts and agents are shown it', since, true)],
    });
  }

  #isEvaluated(end: JournalEvent | undefined): boolean {
    // The date of an unfinished bar is unknown. An unfinished bar is the last one and therefore belongs to
    // the evaluation period, which ends with the run.
    return end === undefined || (parseInstant(textOf(end.date)) ?? 0) >= this.#evaluateFrom;
  }

  /** True if the run ended before the decision of a bar because the account was insolvent. */
  #isOver(bar: number, decided: readonly JournalEvent[]): boolean {
    const { finished, bars } = this.#index;
    return finished?.outcome === 'insolvent' && bar === bars - 1 && decided.length === 0;
  }

  /**
   * Returns the equity at a decision. Later fills at the same close have changed the equity of the bar, so
   * their effect is subtracted. `undefined` if unknown.
   */
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

/** Decimal places to which the profit since the previous decision is rounded. */
const PLACES = 8;

function profitOf(before: number, after: number): number {
  return Number((after - before).toFixed(PLACES)) + 0;
}

function endOf(events: readonly JournalEvent[]): JournalEvent | undefined {
  return events.find(({ type }) => type === 'bar');
}

/**
 * Casts an event. This is safe, because the index contains only events with all required fields (see
 * `eventFault`).
 */
function marketEvent(event: JournalEvent): MarketEvent {
  return event as unknown as MarketEvent;
}
