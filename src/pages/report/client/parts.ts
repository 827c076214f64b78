import type { Steps } from '../../../results/analysis/series/index.ts';
import { type PivotName, pivotTable, waterfallOf } from '../model/attribution.ts';
import { capacityOfRange, capacityTable, costParts, paidStepsOf } from '../model/costs.ts';
import { equityChart, pointText } from '../model/equity-chart.ts';
import type { PageData, TradeRow } from '../model/page-data.ts';
import { benchmarkStepsOfRange, benchmarkTableOfRange, type Range } from '../model/range.ts';
import { spreadOfRange, spreadPart } from '../model/spread.ts';
import { excursionScatter, holdingTimes, tradeByTrade, waterfall } from '../model/svg/trade-plots.ts';
import { benchmarkTableHtml, tilesOf } from '../model/tiles.ts';
import { daysOf, type ViewStore } from './view.ts';

/**
 * Returns a function that runs pieces of work one after another, with time for the browser to repaint the
 * page in between. A new call cancels the pieces of the previous call that have not run yet.
 */
function startLater(): (pieces: readonly (() => undefined | Steps<void>)[]) => void {
  let newest = 0;
  return (pieces) => {
    newest += 1;
    const own = newest;
    document.body.dataset.working = '';
    const goOn = async (): Promise<void> => {
      for (const piece of pieces) {
        await painted();
        if (own !== newest) return;
        const steps = piece();
        if (steps === undefined) continue;
        for (let until = performance.now() + SLICE; steps.next().done !== true; ) {
          if (performance.now() < until) continue;
          await painted();
          if (own !== newest) return;
          until = performance.now() + SLICE;
        }
      }
      delete document.body.dataset.working;
    };
    void goOn();
  };
}

/** Converts a function to a piece of work for `startLater`. The piece runs without pauses. */
function inOneStep(work: () => void): () => undefined {
  return () => {
    work();
    return undefined;
  };
}

/** Maximum milliseconds of work before the browser may repaint the page. */
const SLICE = 12;
/** Milliseconds after which work continues if the page is not repainted, for example because it is hidden. */
const UNSEEN = 200;

function painted(): Promise<void> {
  return new Promise((resolve) => {
    const unseen = setTimeout(resolve, UNSEEN);
    requestAnimationFrame(() => {
      clearTimeout(unseen);
      setTimeout(resolve, 0);
    });
  });
}

/** Functions that update the parts of the page that depend on the selected period. */
interface Parts {
  /** Updates only the parts that can be drawn quickly. Called while the user drags a period. */
  preview(range: Range): void;
  /** Draws the plots for the trades in the table, when the table has not changed for a while. */
  plots(rows: () => readonly TradeRow[]): void;
}

/**
 * Updates the parts of the page that depend on the selected period when the period changes.
 *
 * @param drawChart shows the period in the time chart
 */
export function startParts(data: PageData, view: ViewStore, drawChart: () => void): Parts {
  const of = (id: string): HTMLElement | null => document.getElementById(id);
  const [benchmark, tiles, pivot, steps] = [
    of('spine-table'),
    of('tiles'),
    of('pivot'),
    of('waterfall-part'),
  ];
  const tabs = [...document.querySelectorAll<HTMLButtonElement>('[data-pivot]')];
  const firstPivot = (tabs[0]?.dataset.pivot ?? 'side') as PivotName;
  const equity = of('equity');
  const [spread, costs, room] = [of('spread'), of('costs-of-period'), of('capacity-of-period')];
  const later = startLater();
  let pending = 0;
  // The initial content of the page is stored, and restored when the whole run is selected. It is more exact
  // than figures that are recalculated from sessions, for example for drawdowns within a session.
  const whole = [benchmark, spread, costs, room, tiles].map((element) => element?.innerHTML ?? '');
  const put = (element: HTMLElement | null, text: string): void => {
    if (element !== null) element.innerHTML = text;
  };

  const drawPivot = (): void => {
    const by = view.now.by ?? firstPivot;
    for (const tab of tabs) tab.setAttribute('aria-pressed', String(tab.dataset.pivot === by));
    put(pivot, pivotTable(data, view.now.range, by).text);
  };
  const drawBenchmarkTable = (range: Range, intervals: 'now' | 'later'): void =>
    put(
      benchmark,
      benchmarkTableHtml(benchmarkTableOfRange(data, range, intervals), data.terms, intervals).text,
    );
  const benchmarkInSteps = function* (range: Range): Steps<void> {
    const rows = yield* benchmarkStepsOfRange(data, range);
    put(benchmark, benchmarkTableHtml(rows, data.terms).text);
  };
  /** Draws the tiles and the chart at the head of the page. */
  const drawHead = (range: Range, isWhole: boolean): void => {
    put(tiles, isWhole ? whole[4]! : tilesOf(data, range, benchmarkTableOfRange(data, range, 'later')).text);
    put(equity, equityChart(data, range).text);
  };
  /**
   * Draws parts below the first screen: profit steps, profit by group, return distribution, costs and
   * capacity.
   */
  const drawBelow = (range: Range, isWhole: boolean): void => {
    const { steps: made, profit } = waterfallOf(data, range);
    put(steps, waterfall(made, profit).text);
    drawPivot();
    put(spread, isWhole ? whole[1]! : spreadPart(spreadOfRange(data, range)).text);
    put(costs, isWhole ? whole[2]! : costParts(paidStepsOf(data, range), PERIOD_START).text);
    put(room, isWhole ? whole[3]! : capacityTable(capacityOfRange(data, range), PERIOD_START).text);
  };
  const draw = (): void => {
    const { range, isWhole } = view.now;
    drawHead(range, isWhole);
    const isLong = !isWhole && range.to - range.from > QUICK;
    if (isWhole) put(benchmark, whole[0]!);
    else drawBenchmarkTable(range, isLong ? 'later' : 'now');
    // Parts further down are drawn later, so that visible parts appear immediately. Confidence intervals need
    // a thousand resamples of the period's sessions. For long periods, they are therefore calculated last.
    const below = (): void => drawBelow(range, isWhole);
    later([inOneStep(drawChart), inOneStep(below), ...(isLong ? [() => benchmarkInSteps(range)] : [])]);
    const said = of('range-said');
    const days = daysOf(data, range);
    if (said !== null)
      said.textContent = isWhole
        ? 'The page is of the whole run.'
        : `The page is of ${days.from} to ${days.to}.`;
  };

  for (const tab of tabs)
    tab.addEventListener('click', () => view.change({ by: tab.dataset.pivot as PivotName }));
  pivot?.addEventListener('click', (event) => {
    const button =
      event.target instanceof Element ? event.target.closest<HTMLElement>('[data-filter]') : null;
    if (button === null) return;
    view.change({ filter: button.dataset.filter ?? '' });
    of('trades-part')?.scrollIntoView();
  });
  view.onChange((now, before) => {
    if (now.range !== before.range) draw();
    else if (now.by !== before.by) drawPivot();
  });
  if (!view.now.isWhole) draw();
  else if (view.now.by !== null) drawPivot();
  return {
    preview(range) {
      // Cancels work for the previous period, which would replace the preview.
      later([]);
      drawHead(range, false);
      drawBenchmarkTable(range, 'later');
    },
    plots(rowsOf) {
      clearTimeout(pending);
      pending = window.setTimeout(() => drawPlots(rowsOf(), view.now.isWhole, data.rows.length), PAUSE);
    },
  };
}

/**
 * Draws the plots of the given trades. Does nothing if the page still contains the initial plots and they
 * show the requested trades.
 */
function drawPlots(rows: readonly TradeRow[], isWhole: boolean, all: number): void {
  const plots = document.getElementById('trade-plots');
  const isAll = isWhole && rows.length === all;
  if (plots === null || (isAll && plots.dataset.whole !== undefined)) return;
  const last = Number.POSITIVE_INFINITY;
  const inOrder = [...rows].sort((a, b) => (a.exitTime ?? last) - (b.exitTime ?? last));
  if (isAll) plots.dataset.whole = '';
  else delete plots.dataset.whole;
  plots.innerHTML = `${tradeByTrade(inOrder).text}${excursionScatter(inOrder).text}${holdingTimes(inOrder).text}`;
}

/** Maximum number of sessions in a period for which confidence intervals are calculated immediately. */
const QUICK = 1_000;
const PERIOD_START = 'the equity at the start of the period';

/** Milliseconds without a change of the table before the plots are drawn. */
const PAUSE = 400;

/** Shows the values of the point under the pointer in the chart at the head of the page. */
export function startEquityHover(data: PageData): void {
  const place = document.getElementById('equity');
  const leave = (): void => {
    place?.querySelector('.cross')?.setAttribute('hidden', '');
    const readout = document.getElementById('equity-readout');
    if (readout !== null) readout.textContent = '';
  };
  place?.addEventListener('pointermove', ({ clientX }) => {
    const chart = document.getElementById('equity-curve');
    const box = chart?.querySelector('.pane')?.getBoundingClientRect();
    const cross = chart?.querySelector<HTMLElement>('.cross');
    const readout = document.getElementById('equity-readout');
    if (chart === null || box === undefined || cross == null || readout === null) return;
    const share = (clientX - box.left) / box.width;
    if (share < 0 || share > 1) return leave();
    const [from, to] = [Number(chart.dataset.from), Number(chart.dataset.to)];
    const point = Math.round(from + share * (to - from));
    readout.textContent = pointText(data, point, from);
    const outer = cross.parentElement!.getBoundingClientRect();
    cross.style.left = `${box.left - outer.left + ((point - from) / Math.max(to - from, 1)) * box.width}px`;
    cross.hidden = false;
  });
  place?.addEventListener('pointerleave', leave);
}
