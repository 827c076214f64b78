import { type JournalEvent, parseEvent, typeOfLine, wholeLines } from '../../journal/index.ts';
import { numberOf, parseInstant, textOf } from '../../kernel/index.ts';
import { says, wordsOf } from './client/source.ts';
import { RecentEventsFinder } from './recent-events.ts';
import type { Block, Found, Overview, StepView } from './step.ts';
import { type ToolTimes, viewOf } from './step-summary.ts';
import type { TraceIndex } from './trace-index.ts';

/** Maximum number of search results. */
const MOST_FOUND = 2_000;
/** Maximum number of candles in the overview chart. */
const MOST_POINTS = 4_000;

/** Returns the view of one bar. `undefined` if the journal does not contain the bar. */
export async function stepView(
  index: TraceIndex,
  bar: number,
  times: ToolTimes = {},
): Promise<StepView | undefined> {
  for await (const { events } of barsFrom(index, bar, bar))
    return viewOf(index, bar, events, times, await sinceBlockOf(index, bar, events));
  return undefined;
}

async function sinceBlockOf(
  index: TraceIndex,
  bar: number,
  events: readonly JournalEvent[],
): Promise<Block | undefined> {
  if (!RecentEventsFinder.isFor(index)) return undefined;
  const since = new RecentEventsFinder(index);
  const first = since.firstFor(bar, events);
  if (first < bar)
    for await (const before of barsFrom(index, first, bar - 1)) since.take(before.bar, before.events);
  return since.take(bar, events);
}

/** Yields the views of all bars in order. Reads the journal in a single pass. */
export async function* allViews(index: TraceIndex, times: ToolTimes): AsyncGenerator<StepView> {
  const since = RecentEventsFinder.isFor(index) ? new RecentEventsFinder(index) : undefined;
  const last = Math.max(index.bars - 1, index.openBar ?? -1);
  for await (const { bar, events } of barsFrom(index, 0, last))
    yield viewOf(index, bar, events, times, since?.take(bar, events));
}

interface BarEvents {
  readonly bar: number;
  /** Events with real names, dates and prices, even if the run was masked. */
  readonly events: readonly JournalEvent[];
}

/**
 * Yields the events of consecutive bars in a single pass. If the journal does not contain the first bar,
 * yields nothing.
 */
async function* barsFrom(index: TraceIndex, first: number, last: number): AsyncGenerator<BarEvents> {
  const start = index.span(first)?.start;
  if (start === undefined) return;
  let bar = first;
  let end = index.span(bar)!.end;
  let events: JournalEvent[] = [];
  for await (const lines of wholeLines(index.file, start, index.span(last)?.end ?? index.end)) {
    for (const line of lines) {
      while (line.start >= end && bar < last) {
        yield { bar, events };
        events = [];
        bar += 1;
        end = index.span(bar)?.end ?? end;
      }
      if (line.start >= end) continue;
      const event = parseEvent(line.text);
      if (event !== undefined && (event.bar ?? bar) === bar) events.push(index.real(event));
    }
  }
  yield { bar, events };
}

export function symbolsOf(index: TraceIndex): string[] {
  const symbols = index.started?.symbols;
  return Array.isArray(symbols) ? symbols.map(textOf) : [];
}

/** Returns the bars whose views contain all words of the search text. */
export async function barsWith(index: TraceIndex, search: string): Promise<Found> {
  const words = wordsOf(search);
  const bars: number[] = [];
  for (const { bar } of index.allSteps) {
    const view = await stepView(index, bar);
    if (view === undefined || !says(view, words)) continue;
    if (bars.length === MOST_FOUND) return { bars, capped: true };
    bars.push(bar);
  }
  return { bars, capped: false };
}

/**
 * Returns the candles of one symbol for the whole run. In long runs, a candle represents several bars. Reads
 * the whole journal.
 */
export async function overviewOf(index: TraceIndex, symbol: number): Promise<Overview> {
  const [overview] = await overviewsOf(index, [symbol]);
  return overview!;
}

/**
 * Returns the candles of several symbols. Reads the whole journal in a single pass.
 *
 * @param numbers positions of the symbols in the run's list of symbols
 */
export async function overviewsOf(index: TraceIndex, numbers: readonly number[]): Promise<Overview[]> {
  const barsPerPoint = Math.max(1, Math.ceil(index.bars / MOST_POINTS));
  const times: number[] = [];
  const candles = numbers.map((): (Candle | null)[] => []);
  for await (const lines of wholeLines(index.file, 0, index.end)) {
    for (const { text } of lines) {
      // Most lines are not bars. Skipping them without parsing is several times faster. The type of a line
      // whose keys have another order is known only after parsing.
      if ((typeOfLine(text) ?? 'bar') !== 'bar') continue;
      const parsed = parseEvent(text);
      if (parsed?.type !== 'bar' || parsed.bar === undefined || parsed.bar >= index.bars) continue;
      const point = Math.floor(parsed.bar / barsPerPoint);
      const event = index.real(parsed);
      // The index contains only bars with a valid date.
      times[point] ??= Math.floor(parseInstant(textOf(event.date))! / 1000);
      for (const [place, symbol] of numbers.entries()) {
        const own = candles[place]!;
        own[point] = joined(own[point] ?? null, barOf(event, symbol));
      }
    }
  }
  return candles.map((own) => ({
    barsPerPoint,
    times,
    ...columnsOf(times.map((_, point) => own[point] ?? null)),
  }));
}

type Candle = [open: number, high: number, low: number, close: number];

/** Converts candles to columns, which compress better. */
function columnsOf(candles: readonly (Candle | null)[]): Omit<Overview, 'barsPerPoint' | 'times'> {
  const column = (place: 0 | 1 | 2 | 3): (number | null)[] =>
    candles.map((candle) => candle?.[place] ?? null);
  return { open: column(0), high: column(1), low: column(2), close: column(3) };
}

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
