import { type JournalEvent, parseEvent, typeOfLine, wholeLines } from '../../journal/index.ts';
import { numberOf, parseInstant, textOf } from '../../kernel/index.ts';
import { type BlockContext, blockOf, type ToolTimes } from './blocks.ts';
import { PAGE_SIZE, pageAt, passes, says, wordsOf } from './client/match.ts';
import { maskOf, seenDate } from './masked.ts';
import type { Block, Overview, StepFilter, StepPage, StepSummary, StepView } from './step.ts';
import type { TraceIndex } from './trace-index.ts';

/** A search stops here: nobody reads further. */
const MOST_FOUND = 2_000;
/** Candles of the overview chart. */
const MOST_POINTS = 4_000;

/** Events with which the market answers orders of before. */
const MARKET = new Set(['order_filled', 'trade_closed', 'order_cancelled', 'order_rejected']);

/** Everything about one bar; undefined where the journal has none. */
export async function stepView(
  index: TraceIndex,
  bar: number,
  times: ToolTimes = {},
): Promise<StepView | undefined> {
  const span = index.span(bar);
  if (span === undefined) return undefined;
  const events: JournalEvent[] = [];
  for await (const lines of wholeLines(index.file, span.start, span.end)) {
    for (const { text } of lines) {
      const event = parseEvent(text);
      if (event !== undefined && (event.bar ?? bar) === bar) events.push(index.real(event));
    }
  }
  // The ending comes after the last bar, and is recorded there.
  if (index.finished !== undefined && bar === index.bars - 1) events.push(index.finished);
  return viewOf(index, bar, events, times);
}

function viewOf(index: TraceIndex, bar: number, events: readonly JournalEvent[], times: ToolTimes): StepView {
  const context: BlockContext = { lifecycles: index.lifecycles, times };
  const end = events.find((event) => event.type === 'bar');
  const rest = events.filter((event) => event.type !== 'bar');
  const decided = rest.findIndex((event) => !isMarkets(event));
  const blocks = (part: readonly JournalEvent[]): Block[] =>
    part.map((event) => blockOf(event, context)).filter((block) => block !== undefined);
  const cut = decided < 0 ? rest.length : decided;
  const seen = seenDate(textOf(end?.date), maskOf(index.started));
  return {
    bar,
    date: textOf(end?.date),
    unfinished: end === undefined,
    account:
      end === undefined
        ? []
        : [
            ['Cash', textOf(end.cash)],
            ['Equity', textOf(end.equity)],
            ...(seen === undefined ? [] : [['Date as it was seen', seen] as const]),
            ['Exposure', typeof end.exposure === 'number' ? `${(end.exposure * 100).toFixed(1)}%` : '–'],
          ],
    prices: pricesOf(index, end),
    market: blocks(rest.slice(0, cut)),
    decision: blocks(rest.slice(cut)),
  };
}

function isMarkets(event: JournalEvent): boolean {
  return MARKET.has(event.type) || (event.type === 'order_accepted' && event.role !== undefined);
}

export function symbolsOf(index: TraceIndex): string[] {
  const symbols = index.started?.symbols;
  return Array.isArray(symbols) ? symbols.map(textOf) : [];
}

function pricesOf(index: TraceIndex, end: JournalEvent | undefined): StepView['prices'] {
  if (!Array.isArray(end?.prices)) return [];
  const prices: readonly unknown[] = end.prices;
  return symbolsOf(index).map((symbol, number) => {
    const values = prices[number];
    return {
      symbol,
      values: Array.isArray(values) ? values.map((value) => numberOf(value) ?? null) : null,
    };
  });
}

/** Answers pages of a trace's list; a search is made once and kept while the journal stays as it is. */
export class StepLister {
  readonly #index: TraceIndex;
  #key = '';
  #found: { readonly steps: readonly StepSummary[]; readonly capped: boolean } = { steps: [], capped: false };

  constructor(index: TraceIndex) {
    this.#index = index;
  }

  /**
   * One page of the steps that match.
   *
   * @param place offset of the page's first step, or the bar that must be on the page
   */
  async page(
    filter: StepFilter,
    place: { readonly offset: number } | { readonly bar: number },
  ): Promise<StepPage> {
    const { steps, capped } = await this.#matching(filter);
    const offset = 'bar' in place ? pageAt(steps, place.bar) : place.offset;
    return { offset, steps: steps.slice(offset, offset + PAGE_SIZE), matches: steps.length, capped };
  }

  async #matching(filter: StepFilter) {
    const key = JSON.stringify([filter, this.#index.bars, this.#index.finished !== undefined]);
    if (key === this.#key && this.#index.openBar === undefined) return this.#found;
    const found = await this.#find(filter);
    [this.#key, this.#found] = [key, found];
    return found;
  }

  async #find(filter: StepFilter) {
    const candidates = this.#index.allSteps.filter((step) => passes(step, filter));
    const words = wordsOf(filter.search);
    if (words.length === 0) return { steps: candidates, capped: false };
    const steps: StepSummary[] = [];
    for (const step of candidates) {
      const view = await stepView(this.#index, step.bar);
      if (view === undefined || !says(view, words)) continue;
      if (steps.length === MOST_FOUND) return { steps, capped: true };
      steps.push(step);
    }
    return { steps, capped: false };
  }
}

/** Candles of one symbol over the whole run, read from the journal from end to end. */
export async function overviewOf(index: TraceIndex, symbol: number): Promise<Overview> {
  const barsPerPoint = Math.max(1, Math.ceil(index.bars / MOST_POINTS));
  const times: number[] = [];
  const candles: ([number, number, number, number] | null)[] = [];
  const fills: { point: number; side: string }[] = [];
  const name = symbolsOf(index)[symbol];
  for await (const lines of wholeLines(index.file, 0, index.end)) {
    for (const { text } of lines) {
      // Most lines are neither: reading them all would take several times as long.
      const kind = typeOfLine(text);
      const isFill = kind === 'order_filled';
      if (kind !== 'bar' && !isFill) continue;
      const parsed = parseEvent(text);
      if (parsed?.bar === undefined || parsed.bar >= index.bars) continue;
      const point = Math.floor(parsed.bar / barsPerPoint);
      const event = index.real(parsed);
      if (isFill) {
        if (textOf(event.symbol) === name) fills.push({ point, side: textOf(event.side) });
        continue;
      }
      times[point] ??= Math.floor((parseInstant(textOf(event.date)) ?? 0) / 1000);
      candles[point] = joined(candles[point] ?? null, barOf(event, symbol));
    }
  }
  return {
    barsPerPoint,
    // A point whose bars are all damaged has no time: it is left out of the axis by the page.
    times: Array.from(times, (time) => time ?? 0),
    candles: Array.from(times, (_, point) => candles[point] ?? null),
    fills,
  };
}

type Candle = [open: number, high: number, low: number, close: number];

function barOf(event: JournalEvent, symbol: number): Candle | null {
  const values: unknown = Array.isArray(event.prices) ? event.prices[symbol] : undefined;
  if (!Array.isArray(values)) return null;
  const [open, high, low, close] = values.map(numberOf);
  if (open === undefined || high === undefined || low === undefined || close === undefined) return null;
  return [open, high, low, close];
}

function joined(first: Candle | null, second: Candle | null): Candle | null {
  if (first === null || second === null) return first ?? second;
  return [first[0], Math.max(first[1], second[1]), Math.min(first[2], second[2]), second[3]];
}
