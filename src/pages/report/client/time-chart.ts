import { createTextWatermark, type IChartApi, type MouseEventParams, type Time } from 'lightweight-charts';
import { grouped, percent } from '../../shared/number-formats.ts';
import { element } from '../../trace/client/folding.ts';
import type { PageData, RollingName } from '../model/page-data.ts';
import { dayText, equityBefore } from '../model/range.ts';
import { newChart, showDays } from './charts.ts';
import { type CurvePane, drawdownPane, equityPane, exposurePane, rollingPane } from './curve-panes.ts';
import { type Exposures, exposuresOf } from './exposures.ts';
import { type PricePane, pricePane } from './price-pane.ts';
import { colours, onThemeChange } from './theme.ts';
import { time, type ViewStore } from './view.ts';

/** Chart with all time series. Its panes have a common time axis. */
export interface TimeChart {
  readonly chart: IChartApi;
  readonly exposures: Exposures;
  showSymbol(symbol: number): void;
  /** Draws the panes and the scale that the user has selected. */
  draw(drawn: Drawn): void;
  /**
   * Highlights a point. If the point is `undefined`, removes the highlight. If `moveThere` is true, scrolls
   * to the point.
   */
  choose(point: number | undefined, moveThere: boolean): void;
  /** Moves the crosshair to a point. */
  point(at: number): void;
  /** Shows a range of points with a margin on both sides. */
  show(from: number, to: number): void;
  /** Returns the first and last visible point. */
  sight(): { readonly from: number; readonly to: number };
}

/** Number of points shown before and after a fill when the user steps to it with a key or a button. */
const ROOM = 40;
/** Margin at both ends of the time axis, as a fraction of all points. */
const EDGE = 0.015;
/** Space for the title at the top of a pane, as a fraction of its height. */
const TITLE = 0.24;

/** Selections of the user that determine the content of the chart. `View` in view.ts describes the fields. */
interface Drawn {
  readonly rolling: RollingName;
  readonly hidden: string;
  readonly isLogarithmic: boolean;
}

/**
 * Creates the time chart.
 *
 * @param on functions that are called for the point under the pointer and for a clicked point
 */
export function timeChart(
  data: PageData,
  chosen: Drawn,
  on: { readonly over: (point: number | undefined) => void; readonly clicked: (point: number) => void },
): TimeChart | undefined {
  if (data.times.length === 0) return undefined;
  const chart = newChart('time-chart');
  if (chart === undefined) return undefined;
  showDays(chart, data.times);
  const exposures = exposuresOf(data);
  let drawn = chosen;
  let symbol = 0;
  /** Highlighted point. A new price pane highlights it again. */
  let highlighted: number | undefined;
  let prices: PricePane | undefined;
  let curves: readonly CurvePane[] = [];
  /** Title watermarks of the panes. */
  let titles: readonly ReturnType<typeof createTextWatermark<Time>>[] = [];
  const paint = (): void => {
    prices?.paint();
    for (const curve of curves) curve.paint();
    const names = [...(prices === undefined ? [] : ['']), ...curves.map(({ title }) => title)];
    for (const one of titles) one.detach();
    titles = names.map((text, pane) =>
      createTextWatermark(chart.panes()[pane]!, {
        horzAlign: 'left',
        vertAlign: 'top',
        lines: [{ text, color: colours().soft, fontSize: 12 }],
      }),
    );
  };
  const build = (): void => {
    const sight = chart.timeScale().getVisibleLogicalRange();
    for (const one of titles) one.detach();
    titles = [];
    while (chart.panes().length > 1) chart.removePane(chart.panes().length - 1);
    for (const series of chart.panes()[0]?.getSeries() ?? []) chart.removeSeries(series);
    prices = isDrawn(drawn, 'price')
      ? pricePane(chart, data, () => isDrawn(drawn, 'levels'), highlighted)
      : undefined;
    const heights = prices === undefined ? [] : [3];
    const made: CurvePane[] = [];
    const add = (id: string, height: number, make: (pane: number) => CurvePane | undefined): void => {
      const one = isDrawn(drawn, id) ? make(heights.length) : undefined;
      if (one === undefined) return;
      made.push(one);
      heights.push(height);
    };
    add('equity', 2.4, (pane) => equityPane(chart, data, pane, drawn.isLogarithmic));
    add('drawdown', 1.2, (pane) => drawdownPane(chart, data, pane));
    add('exposure', 1.3, (pane) => exposurePane(chart, data, exposures, pane));
    add('rolling', 1.3, (pane) => rollingPane(chart, data, pane, drawn.rolling));
    // Leaves space for the title of the pane above the curve.
    for (const one of made)
      one.series.priceScale().applyOptions({ scaleMargins: { top: TITLE, bottom: 0.08 } });
    curves = made;
    for (const [pane, height] of heights.entries()) chart.panes()[pane]?.setStretchFactor(height);
    prices?.showSymbol(symbol);
    for (const curve of curves) curve.showSymbol?.(symbol);
    paint();
    if (sight !== null) chart.timeScale().setVisibleLogicalRange(sight);
  };
  build();
  onThemeChange(paint);
  const showAll = (): void => {
    const last = data.times.length - 1;
    // Without this margin, the labels of the first and last date would be cut off.
    const room = Math.max(0.5, last * EDGE);
    chart.timeScale().setVisibleLogicalRange({ from: -room, to: last + room });
  };
  showAll();
  // A change of the visible range redraws the fills with the next frame. The number of visible fills
  // determines whether they are drawn as arrows or as strips.
  let pending = 0;
  chart.timeScale().subscribeVisibleLogicalRangeChange(() => {
    cancelAnimationFrame(pending);
    pending = requestAnimationFrame(() => prices?.paint());
  });
  const inside = (logical: number): number =>
    Math.min(Math.max(Math.round(logical), 0), data.times.length - 1);
  chart.subscribeCrosshairMove(({ logical }: MouseEventParams<Time>) =>
    on.over(logical === undefined ? undefined : inside(logical)),
  );
  chart.subscribeClick(({ logical }) => {
    if (logical !== undefined) on.clicked(nearestFill(data, symbol, inside(logical), chart));
  });
  return {
    chart,
    exposures,
    showSymbol(next) {
      symbol = next;
      prices?.showSymbol(next);
      for (const curve of curves) curve.showSymbol?.(next);
    },
    draw(next) {
      drawn = next;
      build();
    },
    choose(point, moveThere) {
      highlighted = point;
      prices?.choose(point);
      if (moveThere && point !== undefined)
        chart.timeScale().setVisibleLogicalRange({ from: point - ROOM, to: point + ROOM });
    },
    point(at) {
      const series = prices?.series ?? curves[0]?.series;
      const seconds = data.times[at];
      if (series === undefined || seconds === undefined) return;
      const value = data.prices[symbol]?.close[at] ?? data.equity.close[at] ?? 0;
      chart.setCrosshairPosition(value, time(seconds), series);
      const sight = chart.timeScale().getVisibleLogicalRange();
      if (sight === null || (at >= sight.from && at <= sight.to)) return;
      const half = (sight.to - sight.from) / 2;
      chart.timeScale().setVisibleLogicalRange({ from: at - half, to: at + half });
    },
    show(from, to) {
      const room = Math.max(3, (to - from) * 0.03);
      if (from <= 0 && to >= data.times.length - 1) showAll();
      else chart.timeScale().setVisibleLogicalRange({ from: from - room, to: to + room });
    },
    sight() {
      const range = chart.timeScale().getVisibleLogicalRange() ?? { from: 0, to: data.times.length - 1 };
      return { from: inside(range.from), to: inside(range.to) };
    },
  };
}

function isDrawn({ hidden }: Drawn, name: string): boolean {
  return !hidden.split(',').includes(name);
}

/** Maximum distance in pixels between a click and a fill's arrow at which the click selects the fill. */
const REACH = 6;

/**
 * Returns the point of the fill nearest to a click, or the clicked point if no fill is near. If the visible
 * range is long, several bars are within one pixel, so the fill may be on another bar than the click.
 */
function nearestFill(data: PageData, symbol: number, point: number, chart: IChartApi): number {
  const range = chart.timeScale().getVisibleLogicalRange();
  const width = chart.timeScale().width();
  let distance = range === null || width === 0 ? 0 : ((range.to - range.from) / width) * REACH;
  let nearest = point;
  for (const fill of data.fills) {
    if (fill.symbol !== symbol || Math.abs(fill.point - point) > distance) continue;
    nearest = fill.point;
    distance = Math.abs(fill.point - point);
  }
  return nearest;
}

/** Maximum number of rows in the table that describes the chart for screen readers. */
const MOST_ROWS = 60;

/**
 * Shows the content of the chart as a table for screen readers. The table is created when the user opens it.
 */
export function startChartTable(data: PageData, view: ViewStore): void {
  const details = document.getElementById('chart-table');
  if (!(details instanceof HTMLDetailsElement)) return;
  const draw = (): void => {
    if (!details.open) return;
    details.querySelector('.frame')?.remove();
    details.append(tableOf(data, view));
  };
  details.addEventListener('toggle', draw);
  view.onChange(draw);
}

function tableOf(data: PageData, { now: { range } }: ViewStore): HTMLElement {
  const { sessions } = data;
  const step = Math.max(1, Math.ceil((range.to - range.from + 1) / MOST_ROWS));
  const rows: HTMLElement[] = [];
  let peak = equityBefore(data, range);
  for (let session = range.from; session <= range.to; session++) {
    const equity = sessions.equity[session]!;
    peak = Math.max(peak, equity);
    if ((range.to - session) % step !== 0) continue;
    const bars = sessions.inside?.bars[session] ?? 1;
    const exposure = sessions.exposure[session];
    const cells = [
      grouped(equity),
      grouped(sessions.benchmark?.[session] ?? null),
      percent(equity / peak - 1),
      percent(exposure === null || exposure === undefined ? null : exposure / bars, 1),
    ];
    rows.push(
      element(
        'tr',
        {},
        element('th', { scope: 'row' }, dayText(sessions.time[session]!)),
        cells.map((text) => element('td', {}, text)),
      ),
    );
  }
  const head = ['Session', 'Equity', 'Benchmark', 'Drawdown', 'Mean exposure'].map((name) =>
    element('th', { scope: 'col' }, name),
  );
  return element(
    'div',
    { class: 'frame tall', tabindex: '0', role: 'group', 'aria-label': 'The chart as a table' },
    element(
      'table',
      {},
      element('caption', { class: 'hidden' }, 'The chart as a table'),
      element('thead', {}, element('tr', {}, head)),
      element('tbody', {}, rows),
    ),
  );
}
