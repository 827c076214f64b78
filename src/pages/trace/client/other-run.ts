import type { Block, StepSummary, StepView, TraceData } from '../step.ts';
import { stepOf } from './comparison.ts';
import { byId, element } from './folding.ts';
import { renderView } from './render.ts';
import { type StepSource, sourceOf } from './source.ts';

/** Row of the list of runs, with the fields for choosing a second run. */
interface ListedRun {
  readonly runId: string;
  readonly name: string;
  readonly strategy: string;
  readonly symbols: readonly string[];
  readonly firstBar: string;
}

/** Second run on the same data. The page shows its decisions next to those of the first run. */
export class OtherRun {
  readonly #runId: string;
  readonly #source: StepSource;

  constructor(runId: string, data: TraceData) {
    this.#runId = runId;
    this.#source = sourceOf({ ...data, api: `/api/runs/${encodeURIComponent(runId)}` });
  }

  /**
   * Shows a link to the first bar on which the two runs decided differently.
   *
   * @param own steps of the first run
   * @param source source of the bars of the first run
   */
  async showDifference(own: readonly StepSummary[], source: StepSource): Promise<void> {
    const note = byId('other-note', HTMLElement);
    try {
      const [first, otherFirst] = await Promise.all([source.view(0), this.#source.view(0)]);
      if (first?.date !== otherFirst?.date) {
        note.textContent = `The runs begin on different dates, ${first?.date} and ${otherFirst?.date}, so their bars cannot be compared by number.`;
        return;
      }
      const { steps } = await this.#source.news(0);
      const bar = await firstDifference(own, steps, async (at) => [
        await source.view(at),
        await this.#source.view(at),
      ]);
      if (bar === undefined) note.textContent = 'All decisions of both runs are equal.';
      else
        note.replaceChildren(
          'The decisions differ first on ',
          element('a', { href: `#bar=${bar}`, id: 'first-difference' }, `bar ${bar}`),
          '.',
        );
    } catch (error) {
      note.textContent = error instanceof Error ? error.message : String(error);
    }
  }

  /** Returns an element with both runs in two columns, for one bar. */
  async columns(own: readonly HTMLElement[], { bar, date }: StepView, name: string): Promise<HTMLElement> {
    const found = await this.#source.view(bar);
    const shown =
      found === undefined
        ? [element('p', { class: 'notices' }, `This run has no bar ${bar}.`)]
        : renderView(
            found,
            found.unfinished ? bar : bar + 1,
            { earlier: undefined, later: undefined },
            '',
          ).slice(1);
    const isOtherDate = found !== undefined && found.date !== date;
    const column = (title: string, content: readonly HTMLElement[]): HTMLElement =>
      element(
        'section',
        { 'aria-label': title },
        element('p', { class: 'run' }, element('bdi', {}, title)),
        content,
      );
    return element(
      'div',
      {},
      isOtherDate
        ? element('p', { class: 'notices' }, `The bars have different dates: ${date} and ${found.date}.`)
        : null,
      element('div', { class: 'columns two' }, column(name, own), column(this.#runId, shown)),
    );
  }
}

/** Returns the first bar on which two runs decided differently. `undefined` if all decisions are equal. */
async function firstDifference(
  own: readonly StepSummary[],
  other: readonly StepSummary[],
  views: (bar: number) => Promise<readonly (StepView | undefined)[]>,
): Promise<number | undefined> {
  const bars = [...new Set([...own, ...other].map(({ bar }) => bar))].sort((a, b) => a - b);
  for (const bar of bars) {
    const [one, two] = [stepOf(own, bar), stepOf(other, bar)];
    if (one?.story === two?.story && one?.tools === two?.tools && one?.tokens === two?.tokens) continue;
    // The summary of a step also contains later events of its orders, such as fills. Therefore the decisions
    // are compared and not the summaries.
    const [first, second] = await views(bar);
    if (decisionText(first) !== decisionText(second)) return bar;
  }
  return undefined;
}

/**
 * Facts of a block that are excluded from the comparison, because they depend on later bars or on the speed
 * of the machine.
 */
const LATER = new Set(['What became of it', 'Usual time']);

function decisionText(view: StepView | undefined): string {
  const own = ({ title, facts, texts }: Block): unknown => [
    title,
    facts.filter(([name]) => !LATER.has(name)),
    texts,
  ];
  return JSON.stringify([...(view?.market ?? []), ...(view?.decision ?? [])].map(own));
}

/**
 * Returns the second run that the address of the page contains, and fills the list of runs to choose from.
 * `undefined` without a second run. A second run is possible only if a server delivers the page.
 */
export function otherRun(data: TraceData): OtherRun | undefined {
  if (data.api === null) return undefined;
  const chosen = new URLSearchParams(location.search).get('other') ?? '';
  const select = byId('other', HTMLSelectElement);
  const fill = async (): Promise<void> => {
    const runs = (await (await fetch('/api/runs')).json()) as ListedRun[];
    // Bars are compared by their number, so both runs must begin at the same bar.
    const own = runs.find(({ runId }) => runId === data.runId);
    const same = runs.filter(
      ({ runId, symbols, firstBar }) =>
        runId !== data.runId &&
        symbols.join() === data.symbols.join() &&
        (own === undefined || firstBar === own.firstBar),
    );
    select.append(
      ...same.map(({ runId, name, strategy }) =>
        element('option', { value: runId }, `${strategy}: ${name}, ${runId}`),
      ),
    );
    select.value = chosen;
    byId('other-part', HTMLElement).hidden = same.length === 0 && chosen === '';
  };
  void fill().catch(() => {
    // The list of runs could not be loaded. This is ignored, because the rest of the page works without the
    // list.
  });
  select.addEventListener('change', () => {
    const query = select.value === '' ? '' : `?other=${encodeURIComponent(select.value)}`;
    location.assign(`${location.pathname}${query}${location.hash}`);
  });
  return chosen === '' ? undefined : new OtherRun(chosen, data);
}
