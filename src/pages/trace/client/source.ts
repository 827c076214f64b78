import type { Overview, StepFilter, StepPage, StepView, TraceData } from '../step.ts';
import { PAGE_SIZE, pageAt, passes, says, wordsOf } from './match.ts';

/** Where a trace's page has its bars from. */
export interface StepSource {
  page(filter: StepFilter, place: { readonly offset: number } | { readonly bar: number }): Promise<StepPage>;
  /** Undefined where the journal has no such bar. */
  view(bar: number): Promise<StepView | undefined>;
  overview(symbol: number): Promise<Overview | undefined>;
}

const ALL_STEPS: StepFilter = { search: '', tool: '', errors: false, trade: null };

/** The nearest bars before and after one on which something happened. */
export async function stepsAround(
  source: StepSource,
  bar: number,
): Promise<{ readonly earlier: number | undefined; readonly later: number | undefined }> {
  const { offset, steps } = await source.page(ALL_STEPS, { bar });
  const before =
    steps[0] !== undefined && steps[0].bar >= bar && offset > 0
      ? (await source.page(ALL_STEPS, { offset: offset - PAGE_SIZE })).steps
      : steps;
  return {
    earlier: before.findLast((step) => step.bar < bar)?.bar,
    // The page holds the first step at or after the bar: only a bar with events could have its next on another.
    later: steps.find((step) => step.bar > bar)?.bar,
  };
}

export function sourceOf(data: TraceData): StepSource {
  return data.whole === null ? fromServer(data.api ?? '') : fromPage(data.whole);
}

function fromPage(whole: NonNullable<TraceData['whole']>): StepSource {
  const views = new Map(whole.views.map((view) => [view.bar, view]));
  return {
    page(filter, place) {
      const words = wordsOf(filter.search);
      const steps = whole.steps.filter((step) => {
        const view = views.get(step.bar);
        return passes(step, filter) && (words.length === 0 || (view !== undefined && says(view, words)));
      });
      const offset = 'bar' in place ? pageAt(steps, place.bar) : place.offset;
      const page = steps.slice(offset, offset + PAGE_SIZE);
      return Promise.resolve({ offset, steps: page, matches: steps.length, capped: false });
    },
    view: (bar) => Promise.resolve(views.get(bar)),
    overview: (symbol) => Promise.resolve(whole.overviews[symbol]),
  };
}

function fromServer(api: string): StepSource {
  const ask = async (path: string, query: Readonly<Record<string, string>> = {}): Promise<unknown> => {
    const answer = await fetch(`${api}/${path}?${new URLSearchParams(query).toString()}`);
    const value = (await answer.json()) as { error?: { message?: string } };
    if (!answer.ok) throw new Error(value.error?.message ?? `The server answered ${answer.status}.`);
    return value;
  };
  return {
    async page({ search, tool, errors, trade }, place) {
      return (await ask('steps', {
        ...('bar' in place ? { bar: String(place.bar) } : { offset: String(place.offset) }),
        ...(search === '' ? {} : { search }),
        ...(tool === '' ? {} : { tool }),
        ...(errors ? { errors: '1' } : {}),
        ...(trade === null ? {} : { trade: String(trade) }),
      })) as StepPage;
    },
    async view(bar) {
      return ((await ask(`bars/${bar}`)) as StepView | null) ?? undefined;
    },
    async overview(symbol) {
      return (await ask('overview', { symbol: String(symbol) })) as Overview;
    },
  };
}
