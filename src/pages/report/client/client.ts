import { ROLLING_NAMES } from '../model/page-data.ts';
import { zoom } from './charts.ts';
import { startExportMenus } from './export-menu.ts';
import { startExposureKey } from './exposures.ts';
import { startEquityHover, startParts } from './parts.ts';
import { startReadout } from './readout.ts';
import { storyOf } from './story.ts';
import { startStrip } from './strip.ts';
import { startTheme } from './theme.ts';
import { startChartTable, type TimeChart, timeChart } from './time-chart.ts';
import { startTradesTable, tradeFilter } from './trades-table.ts';
import { pageData, startView, type ViewStore } from './view.ts';

/** Functions that keys call while the chart has the focus. */
interface KeyActions {
  /** Returns the index of the point at the crosshair. A point represents one or several bars. */
  readonly at: () => number;
  readonly move: (to: number) => void;
  readonly stepFill: (direction: 1 | -1) => void;
  readonly choose: (point: number) => void;
}

const FAR = 20;

/** Makes the chart usable with the keyboard. */
export function startKeys(
  chart: () => TimeChart | undefined,
  last: number,
  { at, move, stepFill, choose }: KeyActions,
): void {
  const container = document.getElementById('time-chart');
  const zoomed = (factor: number): void => {
    const time = chart();
    if (time !== undefined) zoom(time.chart, factor, at());
  };
  container?.addEventListener('keydown', (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const step = event.shiftKey ? FAR : 1;
    const actions: Readonly<Record<string, () => void>> = {
      ArrowLeft: () => move(at() - step),
      ArrowRight: () => move(at() + step),
      Home: () => move(0),
      End: () => move(last),
      '+': () => zoomed(0.7),
      '=': () => zoomed(0.7),
      '-': () => zoomed(1.4),
      f: () => stepFill(1),
      F: () => stepFill(-1),
      Enter: () => choose(at()),
    };
    const action = actions[event.key];
    if (action === undefined) return;
    event.preventDefault();
    action();
  });
}

/**
 * Connects the controls that select the content of the time chart. The address of the page stores the
 * selection.
 */
export function startDrawn(view: ViewStore, time: () => TimeChart | undefined): void {
  const boxes = [...document.querySelectorAll<HTMLInputElement>('[data-pane]')];
  const rolling = document.getElementById('rolling') as HTMLSelectElement | null;
  const logarithmic = document.getElementById('log-scale') as HTMLInputElement | null;
  const show = (): void => {
    const hidden = view.now.hidden.split(',');
    for (const box of boxes) box.checked = !hidden.includes(box.dataset.pane ?? '');
    if (rolling !== null) rolling.value = view.now.rolling;
    if (logarithmic !== null) logarithmic.checked = view.now.isLogarithmic;
  };
  for (const box of boxes)
    box.addEventListener('change', () => {
      const hidden = boxes.filter(({ checked }) => !checked).map(({ dataset }) => dataset.pane);
      view.change({ hidden: hidden.join(',') });
    });
  rolling?.addEventListener('change', () => {
    view.change({ rolling: ROLLING_NAMES.find((name) => name === rolling.value) ?? ROLLING_NAMES[0] });
  });
  logarithmic?.addEventListener('change', () => view.change({ isLogarithmic: logarithmic.checked }));
  view.onChange((now, before) => {
    const isSame =
      now.hidden === before.hidden &&
      now.rolling === before.rolling &&
      now.isLogarithmic === before.isLogarithmic;
    if (isSame) return;
    show();
    time()?.draw(now);
  });
  show();
}

/**
 * Milliseconds after drawing the page until work of low priority starts. Also the maximum delay of each step
 * of `layOutParts`.
 */
const WARM_UP = 500;

startTheme();
start().catch((error: unknown) => {
  const note = document.getElementById('price-note');
  if (note !== null)
    note.textContent =
      typeof DecompressionStream === 'undefined'
        ? 'This browser is too old to unpack the charts’ data; every table of the page is here all the same.'
        : `The charts cannot be drawn: ${String(error)}`;
});

/** Distance from the visible part of the page within which the chart is drawn. */
const NEAR = '400px';

/** Draws the chart when the user scrolls near it. */
function drawNearby(draw: () => void): void {
  const place = document.getElementById('time-chart');
  if (place === null) return;
  const observer = new IntersectionObserver(
    (entries) => {
      if (!entries.some(({ isIntersecting }) => isIntersecting)) return;
      observer.disconnect();
      draw();
    },
    { rootMargin: NEAR },
  );
  observer.observe(place);
}

/**
 * Lays out the sections outside the visible part of the page, one in each idle period of the browser. The
 * style sheet initially excludes them from the layout.
 */
function layOutParts(): void {
  const part = document.querySelector<HTMLElement>('main > section:not([data-whole])');
  if (part === null) {
    document.body.dataset.whole = '';
    return;
  }
  part.dataset.whole = '';
  requestIdleCallback(layOutParts, { timeout: WARM_UP });
}

async function start(): Promise<void> {
  const data = await pageData();
  const view = startView(data);
  const last = data.times.length - 1;
  /**
   * Point of the selected fill. Keys move from there to the next or previous fill. −1 if no fill is selected.
   */
  let chosen = -1;
  let crosshair = last;
  /**
   * Last point of the selected period. The text next to the chart describes this point while the crosshair is
   * outside the chart.
   */
  let lastShown = last;
  const readout = startReadout(data, () => time?.exposures);
  let time: TimeChart | undefined;
  /** Range of points of a newly selected period that the chart does not show yet. */
  let pending: { readonly from: number; readonly to: number } | undefined;
  const drawRange = (): void => {
    if (pending !== undefined) time?.show(pending.from, pending.to);
    pending = undefined;
  };
  /**
   * Returns the chart of all time series. The first call draws it. Each call first shows a pending period, so
   * that the period cannot replace a later view of the chart, for example the view of a trade.
   */
  const chart = (): TimeChart | undefined => {
    if (time !== undefined) {
      drawRange();
      return time;
    }
    time = timeChart(data, view.now, {
      over: (point) => {
        crosshair = point ?? lastShown;
        readout.over(view.now.symbol, crosshair);
      },
      clicked: (point) => choose(point, false),
    });
    time?.showSymbol(view.now.symbol);
    showRange();
    drawRange();
    startExposureKey(data, time?.exposures, view);
    return time;
  };
  const choose = (point: number, moveThere: boolean): void => {
    chosen = point;
    chart()?.choose(point, moveThere);
    readout.fills(view.now.symbol, point);
  };
  const stepFill = (direction: 1 | -1): void => {
    const points = data.fills.filter((fill) => fill.symbol === view.now.symbol).map((fill) => fill.point);
    const next =
      direction === 1
        ? points.find((point) => point > chosen)
        : points.findLast((point) => point < chosen || chosen < 0);
    if (next === undefined) return;
    choose(next, true);
    crosshair = next;
  };
  const note = document.getElementById('price-note');
  if (note !== null) {
    if (data.prices.length === 0)
      note.textContent = 'The journal has no prices in its bars: none can be drawn.';
    else if (data.barsPerPoint > 1)
      note.textContent = `Each candle is ${data.barsPerPoint} bars: first open, highest high, lowest low, last close. Equity is drawn the same way, and its drawdown by the deepest bar.`;
  }

  const pointOf = (seconds: number): number => {
    const after = data.times.findIndex((one) => one > seconds);
    return after < 0 ? last : Math.max(after - 1, 0);
  };
  /** Moves the crosshair to the end of the selected period. `drawRange` shows the period in the chart. */
  const showRange = (): void => {
    const { time: ends, first } = data.sessions;
    const { range, isWhole } = view.now;
    lastShown = isWhole ? last : pointOf(ends[range.to]!);
    pending = { from: isWhole ? 0 : pointOf((first ?? ends)[range.from]!), to: lastShown };
    crosshair = lastShown;
    readout.over(view.now.symbol, crosshair);
  };

  view.onChange((now, before) => {
    if (now.range !== before.range) showRange();
  });
  const parts = startParts(data, view, drawRange);
  const tell = (): void => {
    document.querySelector('.story-row')?.remove();
    for (const row of document.querySelectorAll('#trades tr.chosen')) row.classList.remove('chosen');
    const { trade } = view.now;
    const own = trade === null ? undefined : data.rows.find(({ id }) => id === trade);
    const row = own && table?.rowOf(own.id);
    if (own === undefined || row === undefined) return;
    row.classList.add('chosen');
    const told = document.createElement('tr');
    told.className = 'story-row';
    const cell = told.insertCell();
    cell.colSpan = row.cells.length;
    cell.append(storyOf(data, own));
    row.after(told);
  };
  const table = startTradesTable(data, view, () => {
    tell();
    parts.plots(() => table?.rows ?? []);
  });
  const openTrade = (): void => {
    const { trade } = view.now;
    const own = data.rows.find(({ id }) => id === trade);
    const drawn = data.trades.find(({ id }) => id === trade);
    if (own !== undefined && drawn !== undefined) {
      if (own.symbol !== view.now.symbol) view.change({ symbol: own.symbol }, true);
      const room = Math.max(10, Math.round((drawn.to - drawn.from) / 2));
      choose(drawn.from, false);
      time?.show(drawn.from - room, drawn.to + room);
      table?.reach(own.id);
    }
    tell();
  };

  const symbol = document.getElementById('symbol');
  if (symbol instanceof HTMLSelectElement) {
    symbol.value = String(view.now.symbol);
    symbol.addEventListener('change', () => view.change({ symbol: Number(symbol.value) }));
  }
  startStrip(data, view, (range) => parts.preview(range));
  view.onChange((now, before) => {
    if (now.symbol !== before.symbol) {
      chosen = -1;
      if (symbol instanceof HTMLSelectElement) symbol.value = String(now.symbol);
      time?.showSymbol(now.symbol);
      readout.over(now.symbol, crosshair);
    }
    if (now.trade !== before.trade) openTrade();
  });
  const on = (id: string, act: () => void): void =>
    document.getElementById(id)?.addEventListener('click', act);
  on('show-all', () => chart()?.show(0, last));
  on('earlier-fill', () => stepFill(-1));
  on('later-fill', () => stepFill(1));
  on('view-range', () => {
    const sight = chart()?.sight();
    if (sight === undefined) return;
    const [from, to] = [data.times[sight.from]!, data.times[sight.to]!];
    const { time: ends } = data.sessions;
    const first = ends.findIndex((seconds) => seconds >= from);
    const end = ends.findLastIndex((seconds) => seconds <= to);
    if (first >= 0 && end > first) view.change({ range: { from: first, to: end } });
  });
  startKeys(chart, last, {
    at: () => crosshair,
    move: (to) => {
      // The first call draws the chart, which moves the crosshair to the last visible point.
      const drawn = chart();
      crosshair = Math.min(Math.max(to, 0), last);
      drawn?.point(crosshair);
      readout.over(view.now.symbol, crosshair);
    },
    stepFill,
    choose: (point) => choose(point, false),
  });
  startDrawn(view, () => time);
  startChartTable(data, view);
  startEquityHover(data);
  startExportMenus(data, chart);
  for (const link of document.querySelectorAll<HTMLAnchorElement>('main a[href^="#"]'))
    link.addEventListener('click', (event) => {
      // Following the link would remove the selections from the address of the page. The page therefore only
      // scrolls to the target.
      event.preventDefault();
      const { openTrade: trade } = link.dataset;
      if (trade !== undefined) view.change({ trade: Number(trade) });
      const place = trade === undefined ? null : document.querySelector('.story-row');
      if (place === null) document.getElementById(link.hash.slice(1))?.scrollIntoView();
      else place.scrollIntoView({ block: 'center' });
    });
  showRange();
  table?.draw();
  if (view.now.trade !== null) openTrade();
  drawNearby(chart);
  document.body.dataset.ready = '';
  requestIdleCallback(layOutParts, { timeout: WARM_UP });
  // Builds the search texts of all trades now, so that the user's first search is fast.
  setTimeout(() => data.rows.filter(tradeFilter(' x', data.symbols)), WARM_UP);
}
