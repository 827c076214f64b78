import { startTheme } from '../../report/client/theme.ts';
import type { StepSummary, StepView, TraceData } from '../step.ts';
import { comparisonForm, goTo, isDecision, type Place, placeOf, placeOfAddress } from './comparison.ts';
import { renderDiff } from './diff-view.ts';
import { byId, type Dates, datesOf, element, shortAmount } from './folding.ts';
import { LANE_KINDS } from './lane.ts';
import { type OtherRun, otherRun } from './other-run.ts';
import { laneKey, type OverviewChart, overviewChart } from './overview-chart.ts';
import { renderView } from './render.ts';
import { Replay } from './replay.ts';
import { type StepSource, sourceOf, stepsOfPage } from './source.ts';
import { StoryList } from './story-list.ts';

/**
 * Receives the progress of an active run from the server.
 *
 * @param onNews called with the number of finished bars and the new or changed steps
 */
export function follow(
  data: TraceData,
  source: StepSource,
  onNews: (bars: number, steps: readonly StepSummary[]) => void,
): void {
  const live = document.getElementById('live');
  if (data.api === null || !data.running || live === null) return;
  let { revision } = data;
  let requests = Promise.resolve();
  const events = new EventSource(`${data.api}/live`);
  events.addEventListener('progress', (event) => {
    const now = JSON.parse(String(event.data)) as {
      bars: number;
      planned: number;
      date: string;
      equity: string;
      outcome: string | null;
    };
    byId('processed', HTMLElement).textContent =
      `${now.bars.toLocaleString('en-US')} of ${now.planned.toLocaleString('en-US')} bars`;
    live.textContent =
      now.outcome === null
        ? `This run is under way: ${now.date}, equity ${shortAmount(now.equity)}.`
        : `This run has ended: ${now.outcome}, equity ${shortAmount(now.equity)}.`;
    if (now.outcome !== null) events.close();
    // The requests run one after another, so that an earlier response does not replace a later one.
    requests = requests
      .then(() => source.news(revision))
      .then((news) => {
        revision = news.revision;
        onNews(now.bars, news.steps);
      })
      .catch(() => {
        // The request failed. This is ignored, because the next event of the server causes a new request.
      });
  });
}

/**
 * Controller of the page. Connects the list, the chart and the selected bar. The address of the page
 * determines the selected bar.
 */
class TracePage {
  readonly #data: TraceData;
  readonly #source: StepSource;
  readonly #dates: Dates;
  readonly #list: StoryList;
  readonly #chart: OverviewChart | undefined;
  readonly #view = byId('view', HTMLDivElement);
  readonly #replay: Replay;
  readonly #other: OtherRun | undefined;
  /** Initial note above the chart. */
  readonly #hint = byId('overview-note', HTMLElement).textContent;
  #steps: readonly StepSummary[];
  #bars: number;
  /** Number of calls of `#showAddress`. Only the last call changes the view. */
  #shows = 0;
  /** Number of requests for the chart. `#drawn` is the number of the newest request whose response is drawn. */
  #requested = 0;
  #drawn = 0;

  constructor(data: TraceData, source: StepSource, steps: readonly StepSummary[]) {
    this.#data = data;
    this.#source = source;
    this.#steps = steps;
    this.#bars = data.bars;
    const times = steps.flatMap(({ time }) => (time === null ? [] : [time]));
    this.#dates = datesOf(times, data.timezone);
    const most = (of: (step: StepSummary) => number | null): number =>
      steps.reduce((highest, step) => Math.max(highest, of(step) ?? 0), 0);
    this.#list = new StoryList(
      source,
      steps,
      { everyBar: data.strategyKind === 'rules', isDaily: this.#dates.isDaily },
      {
        when: ({ time, bar }) => (time === null ? `Bar ${bar}` : this.#dates.text(time)),
        mostTokens: most(({ tokens }) => tokens),
        mostMilliseconds: most(({ milliseconds }) => milliseconds),
      },
    );
    this.#chart = overviewChart(goTo, (direction) => {
      const bar = this.#steps.at(direction === 1 ? -1 : 0)?.bar;
      if (bar !== undefined) goTo(bar);
    });
    this.#other = otherRun(data);
    this.#replay = new Replay({
      bars: () => this.#bars,
      tradeBars: () => this.#steps.filter(({ trades }) => trades !== '').map((step) => step.bar),
      cut: (bar) => this.#chart?.cut(bar),
    });
  }

  /** Shows the bar that the address contains and starts to handle events. */
  async start(): Promise<void> {
    this.#listen();
    this.#showSteps();
    this.#overview();
    // If the address contains no bar, the page shows the bar on which the run failed. If the run did not
    // fail, it shows the decision that led to the worst trade.
    const { failedBar, worstBar } = this.#data;
    const first = failedBar ?? worstBar;
    const isNamed = placeOfAddress() !== undefined;
    if (first !== null && !isNamed) history.replaceState(null, '', `#bar=${first}`);
    await this.#showAddress(isNamed || failedBar !== null);
    document.body.dataset.ready = '';
    void this.#other?.showDifference(this.#steps, this.#source);
    follow(this.#data, this.#source, (bars, news) => this.#take(bars, news));
  }

  #listen(): void {
    addEventListener('hashchange', () => void this.#showAddress(!this.#replay.isOn));
    addEventListener('keydown', (event) => {
      if (event.altKey || event.ctrlKey || event.metaKey || event.shiftKey) return;
      const { target } = event;
      if (target instanceof HTMLInputElement || target instanceof HTMLSelectElement) return;
      const inText = target instanceof HTMLPreElement && target.scrollWidth > target.clientWidth;
      if (inText || (event.key !== 'ArrowLeft' && event.key !== 'ArrowRight')) return;
      event.preventDefault();
      this.#step(event.key === 'ArrowRight' ? 1 : -1);
    });
    byId('previous', HTMLButtonElement).addEventListener('click', () => this.#step(-1));
    byId('next', HTMLButtonElement).addEventListener('click', () => this.#step(1));
    byId('go', HTMLFormElement).addEventListener('submit', (event) => {
      event.preventDefault();
      const { value } = byId('bar', HTMLInputElement);
      if (value !== '') goTo(Number(value));
    });
    document.getElementById('symbol')?.addEventListener('change', () => this.#overview());
  }

  /**
   * Shows the bar that the address contains.
   *
   * @param mayScroll if true, a narrow screen scrolls to the bar
   */
  async #showAddress(mayScroll: boolean): Promise<void> {
    this.#shows += 1;
    const turn = this.#shows;
    const place = placeOfAddress();
    const listed = this.#list.show(place?.bar);
    if (place === undefined) return listed;
    byId('bar', HTMLInputElement).value = String(place.bar);
    this.#chart?.choose(place.bar);
    this.#replay.show(place.bar);
    try {
      const { bar, before } = place;
      const [found, earlier] = await Promise.all([
        this.#source.view(bar),
        before === undefined ? undefined : this.#source.view(before),
      ]);
      if (turn !== this.#shows) return;
      const shown = found === undefined ? [this.#missing(bar)] : this.#shown(found, earlier, place);
      const [title, ...own] = shown;
      const columns =
        found === undefined || title === undefined
          ? undefined
          : await this.#other?.columns(own, found, this.#data.runId);
      if (turn !== this.#shows) return;
      this.#view.replaceChildren(...(columns === undefined ? shown : [title!, columns]));
      await listed;
      if (turn !== this.#shows) return;
      if (earlier !== undefined) document.getElementById('diff-title')?.focus();
      // On a narrow screen, the bar is below the list, so the page scrolls to it.
      else if (mayScroll && matchMedia('(max-width: 56rem)').matches)
        byId('step', HTMLElement).scrollIntoView();
    } catch (error) {
      if (turn !== this.#shows) return;
      this.#view.replaceChildren(notice(error instanceof Error ? error.message : String(error)));
    }
  }

  #missing(bar: number): HTMLElement {
    return notice(`The journal has no bar ${bar}; its bars are 0 to ${this.#bars - 1}.`);
  }

  #shown(found: StepView, earlier: StepView | undefined, { before }: Place): HTMLElement[] {
    const at = placeOf(this.#steps, found.bar);
    const own = this.#steps[at]?.bar === found.bar ? this.#steps[at] : undefined;
    const around =
      own === undefined
        ? { earlier: this.#steps[at - 1]?.bar, later: this.#steps[at]?.bar }
        : { earlier: undefined, later: undefined };
    const [title, ...rest] = renderView(found, this.#bars, around, this.#dateOf(found));
    const usual = this.#steps.slice(0, at).findLast(isDecision)?.bar;
    const canCompare = own !== undefined && isDecision(own) && (before ?? usual) !== undefined;
    return [
      title!,
      ...(canCompare ? [comparisonForm(found.bar, before, usual)] : []),
      ...(before !== undefined && earlier === undefined ? [this.#missing(before)] : []),
      ...(earlier === undefined
        ? []
        : [renderDiff(earlier, found, [this.#nameOf(earlier), this.#nameOf(found)])]),
      ...rest,
    ];
  }

  #dateOf({ date }: StepView): string {
    return date === '' ? '' : this.#dates.text(Date.parse(date.length > 10 ? `${date}Z` : date) / 1000);
  }

  #nameOf(found: StepView): string {
    return [`bar ${found.bar}`, this.#dateOf(found)].filter((text) => text !== '').join(', ');
  }

  #step(direction: 1 | -1): void {
    if (this.#replay.isOn) {
      this.#replay.step(direction);
      return;
    }
    const from = placeOfAddress()?.bar ?? (direction === 1 ? -1 : this.#bars + 1);
    const bar = this.#list.neighbour(from, direction);
    if (bar !== undefined) goTo(bar);
  }

  #overview(): void {
    const select = document.getElementById('symbol');
    const note = byId('overview-note', HTMLElement);
    this.#requested += 1;
    const turn = this.#requested;
    // A response may arrive after the response to a later request, for example for another symbol.
    const isLate = (): boolean => turn < this.#drawn;
    this.#source
      .overview(select instanceof HTMLSelectElement ? Number(select.value) : 0)
      .then((found) => {
        if (found === undefined || isLate()) return;
        this.#drawn = turn;
        // A run that has just started has no bars yet. Its prices follow.
        const hasPrices = found.close.some((price) => price !== null);
        byId('overview', HTMLDivElement).hidden = !hasPrices;
        if (!hasPrices) note.textContent = 'The journal has no prices in its bars: nothing can be drawn.';
        else if (found.barsPerPoint > 1) note.textContent = `Each candle is ${found.barsPerPoint} bars.`;
        else note.textContent = this.#hint;
        if (hasPrices) this.#chart?.show(found);
      })
      .catch((error: unknown) => {
        if (!isLate()) note.textContent = error instanceof Error ? error.message : String(error);
      });
  }

  #showSteps(): void {
    this.#chart?.showSteps(this.#steps);
    byId('lane-key', HTMLUListElement).replaceChildren(...laneKey(LANE_KINDS, this.#steps));
  }

  /**
   * Adds the steps that an active run has recorded since the last update.
   *
   * @param bars number of bars of the run so far
   */
  #take(bars: number, news: readonly StepSummary[]): void {
    this.#bars = bars;
    if (news.length > 0) {
      const changed = new Set(news.map(({ bar }) => bar));
      const known = this.#steps.filter(({ bar }) => !changed.has(bar));
      this.#steps = [...known, ...news].toSorted((a, b) => a.bar - b.bar);
      this.#showSteps();
      void this.#list.refresh(this.#steps);
    }
    this.#overview();
  }
}

function notice(text: string): HTMLElement {
  return element('p', { class: 'notices' }, text);
}

startTheme();
const data = JSON.parse(document.getElementById('data')?.textContent ?? 'null') as TraceData;
void stepsOfPage().then((steps) => new TracePage(data, sourceOf(data), steps).start());
