import { inflated } from '../../report/client/view.ts';
import { unpacked } from '../../report/model/pack.ts';
import type { Found, LeanView, Overview, StepNews, StepSummary, StepView, TraceData } from '../step.ts';

/** Filter of the list of steps (bars with events). A step must meet all three conditions. */
export interface StepFilter {
  /**
   * Action that a step must contain, as a letter of `Act`. `d` stands for all decisions except "hold". Empty
   * for all steps.
   */
  readonly act: string;
  /** Name of a tool that the step must have called. Empty for any tool. */
  readonly tool: string;
  /** Number of a trade to which the step must belong. `null` for any trade. */
  readonly trade: number | null;
}

/** True if a step (bar with events) meets all conditions of the filter. */
export function passes(step: StepSummary, { act, tool, trade }: StepFilter): boolean {
  if (act === 'e' && step.errors === 0 && step.failure === '') return false;
  if (act === 'd' && (step.kind === 'hold' || step.kind === 'market')) return false;
  if ('bsrh'.includes(act) && !step.acts.includes(act)) return false;
  if (tool !== '' && !step.tools.split('\n').includes(tool)) return false;
  return trade === null || step.trades.split(' ').includes(String(trade));
}

export function wordsOf(search: string): string[] {
  return search
    .toLowerCase()
    .split(/\s+/)
    .filter((word) => word !== '');
}

/** Returns true if the texts of a bar contain all words of a search. */
export function says(view: StepView, words: readonly string[]): boolean {
  if (words.length === 0) return true;
  const text = [
    view.date,
    ...[...view.market, ...view.decision].flatMap((block) => [
      block.title,
      ...block.facts.flat(),
      ...block.texts.map((own) => own.text),
    ]),
  ]
    .join('\n')
    .toLowerCase();
  return words.every((word) => text.includes(word));
}

/**
 * Maximum number of decompressed parts of the page in the cache. The least recently used part is removed
 * first.
 */
const MOST_KEPT = 6;
/** Maximum number of search results. */
const MOST_FOUND = 2_000;

/** Source of the bars of a trace. The bars are in the page itself or on a server. */
export interface StepSource {
  view(bar: number): Promise<StepView | undefined>;
  overview(symbol: number): Promise<Overview | undefined>;
  /**
   * Searches the texts of bars.
   *
   * @param candidates bars to search, in order
   * @param isOver returns true if the result is no longer needed
   */
  search(words: string, candidates: readonly number[], isOver: () => boolean): Promise<Found>;
  /**
   * Returns the steps that are new or have changed since a revision. Always empty for a page that contains
   * the whole run, because the run is finished.
   */
  news(since: number): Promise<StepNews>;
}

/** Returns the steps (bars with events) that are stored in the page. Empty if the page stores none. */
export async function stepsOfPage(): Promise<StepSummary[]> {
  return ((await unpackedBlob('steps-data')) ?? []) as StepSummary[];
}

export function sourceOf(data: TraceData): StepSource {
  return data.api === null ? fromPage(data) : fromServer(data.api);
}

function fromPage({ parts, symbols }: TraceData): StepSource {
  const kept = new Map<number, Promise<ReadonlyMap<number, StepView>>>();
  const views = (part: number): Promise<ReadonlyMap<number, StepView>> => {
    const known = kept.get(part) ?? viewsOf(part, symbols);
    kept.delete(part);
    kept.set(part, known);
    for (const oldest of kept.keys()) {
      if (kept.size <= MOST_KEPT) break;
      kept.delete(oldest);
    }
    return known;
  };
  const partOf = (bar: number): number => parts.findLastIndex((first) => first <= bar);
  const view = async (bar: number): Promise<StepView | undefined> => (await views(partOf(bar))).get(bar);
  return {
    view,
    overview: async (symbol) => (await unpackedBlob(`overview-${symbol}`)) as Overview | undefined,
    async search(search, candidates, isOver) {
      const words = wordsOf(search);
      const bars: number[] = [];
      for (const bar of candidates) {
        if (isOver()) break;
        const found = await view(bar);
        if (found === undefined || !says(found, words)) continue;
        if (bars.length === MOST_FOUND) return { bars, capped: true };
        bars.push(bar);
      }
      return { bars, capped: false };
    },
    news: (revision) => Promise.resolve({ steps: [], revision }),
  };
}

async function viewsOf(part: number, symbols: readonly string[]): Promise<ReadonlyMap<number, StepView>> {
  const text = await blobText(`part-${part}`);
  const views = JSON.parse(text ?? '[]') as LeanView[];
  return new Map(
    views.map((view) => [
      view.bar,
      { ...view, prices: view.prices.map((values, place) => ({ symbol: symbols[place] ?? '', values })) },
    ]),
  );
}

function fromServer(api: string): StepSource {
  const ask = async (path: string, query: Readonly<Record<string, string>> = {}): Promise<unknown> => {
    const answer = await fetch(`${api}/${path}?${new URLSearchParams(query).toString()}`);
    const value = (await answer.json()) as { error?: { message?: string } } | null;
    if (!answer.ok) throw new Error(value?.error?.message ?? `The server answered ${answer.status}.`);
    return value;
  };
  return {
    view: async (bar) => ((await ask(`bars/${bar}`)) as StepView | null) ?? undefined,
    overview: async (symbol) => (await ask('overview', { symbol: String(symbol) })) as Overview,
    search: async (search) => (await ask('steps', { search })) as Found,
    news: async (since) => (await ask('steps', { since: String(since) })) as StepNews,
  };
}

/** Decompresses and parses a data element of the page. `undefined` if the element does not exist. */
async function unpackedBlob(id: string): Promise<unknown> {
  const text = await blobText(id);
  return text === undefined ? undefined : unpacked(JSON.parse(text));
}

/** Decompresses a data element of the page to its JSON text. `undefined` if the element does not exist. */
async function blobText(id: string): Promise<string | undefined> {
  let element = document.getElementById(id);
  // Data elements after the script do not exist before the browser has parsed the whole page.
  if (element === null && document.readyState === 'loading') {
    await new Promise((done) => document.addEventListener('DOMContentLoaded', done, { once: true }));
    element = document.getElementById(id);
  }
  return element === null ? undefined : inflated(element.textContent ?? '');
}
