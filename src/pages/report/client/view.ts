import type { UTCTimestamp } from 'lightweight-charts';
import { PIVOTS, type PivotName } from '../model/attribution.ts';
import { unpacked } from '../model/pack.ts';
import { type PageData, ROLLING_NAMES, type RollingName } from '../model/page-data.ts';
import { dayText, type Range, rangeBetween, secondsOf, wholeRange } from '../model/range.ts';

/**
 * Selections of the user. The address of the page stores them, so that they can be bookmarked, shared and
 * undone with the back button.
 */
interface View {
  readonly range: Range;
  readonly isWhole: boolean;
  readonly symbol: number;
  readonly filter: string;
  readonly trade: number | null;
  readonly by: PivotName | null;
  readonly rolling: RollingName;
  /** Hidden parts of the time chart, separated by commas. Each is the value `data-pane` of a checkbox. */
  readonly hidden: string;
  readonly isLogarithmic: boolean;
}

export interface ViewStore {
  readonly now: View;
  /**
   * Changes parts of the view.
   *
   * @param quiet if true, no entry is added to the browser's history
   */
  change(part: Partial<Omit<View, 'isWhole'>>, quiet?: boolean): void;
  onChange(listener: (now: View, before: View) => void): void;
}

/** Returns the view that the address of the page describes. When the address changes, the view is updated. */
export function startView(data: PageData): ViewStore {
  const listeners: ((now: View, before: View) => void)[] = [];
  let now = read(data);
  const show = (next: View): void => {
    const before = now;
    now = next;
    for (const listener of listeners) listener(now, before);
  };
  addEventListener('popstate', () => show(read(data)));
  return {
    get now() {
      return now;
    },
    change(part, quiet = false) {
      const next = { ...now, ...part };
      const whole = wholeRange(data);
      const view = { ...next, isWhole: next.range.from === whole.from && next.range.to === whole.to };
      const address = written(view, data);
      if (address !== location.hash.slice(1))
        history[quiet ? 'replaceState' : 'pushState'](null, '', `#${address}`);
      show(view);
    },
    onChange(listener) {
      listeners.push(listener);
    },
  };
}

function read(data: PageData): View {
  const given = new URLSearchParams(location.hash.slice(1));
  const whole = wholeRange(data);
  const [from, to] = (given.get('range') ?? '').split('..').map((day) => secondsOf(day));
  const range = from === undefined || to === undefined ? whole : (rangeBetween(data, from, to) ?? whole);
  const symbol = data.symbols.indexOf(given.get('symbol') ?? '');
  const trade = Number(given.get('trade') ?? Number.NaN);
  return {
    range,
    isWhole: range.from === whole.from && range.to === whole.to,
    symbol: Math.max(symbol, 0),
    filter: given.get('filter') ?? '',
    trade: Number.isNaN(trade) ? null : trade,
    by: PIVOTS.find((name) => name === given.get('by')) ?? null,
    rolling: ROLLING_NAMES.find((name) => name === given.get('rolling')) ?? ROLLING_NAMES[0],
    hidden: given.get('hide') ?? '',
    isLogarithmic: given.get('scale') === 'log',
  };
}

function written(view: View, data: PageData): string {
  const { range, isWhole, symbol, filter, trade, by, rolling, hidden, isLogarithmic } = view;
  const parts = new URLSearchParams();
  const days = daysOf(data, range);
  if (!isWhole) parts.set('range', `${days.from}..${days.to}`);
  if (symbol > 0) parts.set('symbol', data.symbols[symbol] ?? '');
  if (filter !== '') parts.set('filter', filter);
  if (trade !== null) parts.set('trade', String(trade));
  if (by !== null) parts.set('by', by);
  if (rolling !== ROLLING_NAMES[0]) parts.set('rolling', rolling);
  if (hidden !== '') parts.set('hide', hidden);
  if (isLogarithmic) parts.set('scale', 'log');
  return parts.toString();
}

/** Returns the first and the last day of a range of sessions. */
export function daysOf({ sessions }: PageData, range: Range): { readonly from: string; readonly to: string } {
  const { time, first } = sessions;
  return { from: dayText((first ?? time)[range.from] ?? 0), to: dayText(time[range.to] ?? 0) };
}

/** Returns the data embedded in the page. */
export async function pageData(): Promise<PageData> {
  const text = JSON.parse(document.getElementById('data')?.textContent ?? '""') as string;
  return unpacked(JSON.parse(await inflated(text))) as PageData;
}

/** Decompresses a text that was deflated and encoded in base64. */
export async function inflated(base64: string): Promise<string> {
  const bytes = Uint8Array.from(atob(base64), (character) => character.charCodeAt(0));
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream('deflate-raw'));
  return new Response(stream).text();
}

export function time(seconds: number): UTCTimestamp {
  return seconds as UTCTimestamp;
}

interface Point {
  readonly time: UTCTimestamp;
  readonly value: number;
}

/** Returns the points of a line for the chart library. A time without a value becomes a gap. */
export function line(
  times: readonly number[],
  values: readonly (number | null)[],
): (Point | { readonly time: UTCTimestamp })[] {
  return times.map((seconds, index) => {
    const value = values[index];
    return value === null || value === undefined ? { time: time(seconds) } : { time: time(seconds), value };
  });
}
