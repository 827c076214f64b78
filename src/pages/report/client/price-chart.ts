import {
  CandlestickSeries,
  createSeriesMarkers,
  HistogramSeries,
  type IChartApi,
  type SeriesMarker,
  type Time,
} from 'lightweight-charts';
import { newChart, showDays } from './charts.ts';
import { line, type PageData, time } from './data.ts';
import { type Segment, Segments } from './levels.ts';
import { type Colours, colours, onThemeChange } from './theme.ts';

/** The price chart, and what the rest of the page does with it. */
export interface PriceChart {
  readonly chart: IChartApi;
  readonly symbol: number;
  showSymbol(symbol: number): void;
  /** Marks a point, and moves there where asked. */
  choose(point: number, moveThere: boolean): void;
  /** Moves to a trade, a little room on both sides; gives the point of its entry. */
  showTrade(id: number): number | undefined;
  refresh(): void;
}

/** Points in sight up to which fills say their quantity: beyond, the texts lie over each other. */
const MOST_LABELLED_POINTS = 250;
/** Stretches of the chart that have an arrow of each side at most: more would lie over each other. */
const MOST_STRETCHES = 300;
/** Points on each side of a fill that is stepped to. */
const ROOM = 40;

/** @param on of the point under the pointer, and of one that was clicked */
export function priceChart(
  data: PageData,
  on: { readonly over: (point: number | undefined) => void; readonly clicked: (point: number) => void },
): PriceChart | undefined {
  if (data.prices.length === 0) return undefined;
  const chart = newChart('price-chart');
  if (chart === undefined) return undefined;
  showDays(chart, data.times);
  const candles = chart.addSeries(CandlestickSeries, {});
  candles.priceScale().applyOptions({ scaleMargins: { top: 0.08, bottom: 0.18 } });
  const volume = chart.addSeries(HistogramSeries, {
    priceScaleId: 'volume',
    priceFormat: { type: 'volume' },
  });
  volume.priceScale().applyOptions({ scaleMargins: { top: 0.87, bottom: 0 } });
  const markers = createSeriesMarkers<Time>(candles, []);
  const segments = new Segments();
  candles.attachPrimitive(segments);
  let symbol = 0;
  let labelled = false;
  let perArrow = 1;
  let chosen: number | undefined;

  const mark = (): void =>
    markers.setMarkers(markersOf(data, symbol, colours(), { labelled, perArrow, chosen }));
  const paint = (): void => {
    const colour = colours();
    candles.applyOptions({
      upColor: colour.good,
      downColor: colour.bad,
      wickUpColor: colour.good,
      wickDownColor: colour.bad,
      borderVisible: false,
    });
    volume.applyOptions({ color: `${colour.soft}66`, lastValueVisible: false, priceLineVisible: false });
    mark();
    segments.show(segmentsOf(data, symbol, colour));
  };
  const showSymbol = (next: number): void => {
    symbol = next;
    const prices = data.prices[next]!;
    candles.setData(
      data.times.map((seconds, point) => {
        const [open, high, low, close] = [
          prices.open[point],
          prices.high[point],
          prices.low[point],
          prices.close[point],
        ];
        return typeof open === 'number' &&
          typeof high === 'number' &&
          typeof low === 'number' &&
          typeof close === 'number'
          ? { time: time(seconds), open, high, low, close }
          : { time: time(seconds) };
      }),
    );
    volume.setData(line(data.times, prices.volume));
    paint();
  };
  onThemeChange(paint);
  showSymbol(0);
  chart.timeScale().subscribeVisibleLogicalRangeChange((range) => {
    const span = range === null ? data.times.length : range.to - range.from;
    const near = span <= MOST_LABELLED_POINTS;
    const stretch = 2 ** Math.max(0, Math.ceil(Math.log2(span / MOST_STRETCHES)));
    if (near === labelled && stretch === perArrow) return;
    labelled = near;
    perArrow = stretch;
    mark();
  });
  const inside = (logical: number): number =>
    Math.min(Math.max(Math.round(logical), 0), data.times.length - 1);
  chart.subscribeCrosshairMove(({ logical }) => on.over(logical === undefined ? undefined : inside(logical)));
  chart.subscribeClick(({ logical }) => {
    if (logical !== undefined) on.clicked(nearestFill(data, symbol, inside(logical), chart));
  });
  chart.timeScale().fitContent();
  return {
    chart,
    get symbol() {
      return symbol;
    },
    showSymbol,
    refresh: paint,
    choose(point, moveThere) {
      chosen = point;
      mark();
      if (moveThere) chart.timeScale().setVisibleLogicalRange({ from: point - ROOM, to: point + ROOM });
    },
    showTrade(id) {
      const trade = data.trades.find((one) => one.id === id);
      if (trade === undefined) return undefined;
      const room = Math.max(10, Math.round((trade.to - trade.from) / 2));
      chosen = trade.from;
      mark();
      chart.timeScale().setVisibleLogicalRange({ from: trade.from - room, to: trade.to + room });
      return trade.from;
    },
  };
}

/** Pixels within which a click means an arrow. */
const REACH = 6;

/** The fill that a click meant: far out, several bars lie under a finger. */
function nearestFill(data: PageData, symbol: number, point: number, chart: IChartApi): number {
  const range = chart.timeScale().getVisibleLogicalRange();
  const width = chart.timeScale().width();
  const reach = range === null || width === 0 ? 0 : ((range.to - range.from) / width) * REACH;
  let nearest = point;
  let distance = reach;
  for (const fill of data.fills) {
    if (fill.symbol !== symbol || Math.abs(fill.point - point) > distance) continue;
    nearest = fill.point;
    distance = Math.abs(fill.point - point);
  }
  return nearest;
}

function checked(id: string): boolean {
  const box = document.getElementById(id);
  return !(box instanceof HTMLInputElement) || box.checked;
}

interface MarkerTerms {
  readonly labelled: boolean;
  /** Points that share one arrow of each side. */
  readonly perArrow: number;
  readonly chosen: number | undefined;
}

function markersOf(
  data: PageData,
  symbol: number,
  colour: Colours,
  terms: MarkerTerms,
): SeriesMarker<Time>[] {
  const { labelled, perArrow, chosen } = terms;
  const marks: SeriesMarker<Time>[] = [];
  const taken = new Set<string>();
  for (const fill of data.fills) {
    if (fill.symbol !== symbol) continue;
    const place = `${Math.floor(fill.point / perArrow)} ${fill.side}`;
    if (perArrow > 1 && taken.has(place)) continue;
    taken.add(place);
    marks.push({
      time: time(data.times[fill.point]!),
      position: fill.side === 'buy' ? 'belowBar' : 'aboveBar',
      shape: fill.side === 'buy' ? 'arrowUp' : 'arrowDown',
      color: fill.side === 'buy' ? colour.good : colour.bad,
      ...(labelled ? { text: `${fill.quantity}${fill.ambiguous ? ' ?' : ''}` } : {}),
    });
  }
  if (chosen === undefined) return marks;
  marks.push({
    time: time(data.times[chosen]!),
    position: 'aboveBar',
    shape: 'circle',
    color: colour.accent,
  });
  return marks.sort((a, b) => Number(a.time) - Number(b.time));
}

function segmentsOf(data: PageData, symbol: number, colour: Colours): Segment[] {
  const levelColour = { stop: colour.bad, target: colour.good, limit: colour.soft };
  const levels = checked('show-levels') ? data.levels : [];
  const trades = checked('show-trades') ? data.trades : [];
  return [
    ...levels
      .filter((level) => level.symbol === symbol)
      .map(({ from, to, price, kind }) => ({
        from,
        to,
        fromPrice: price,
        toPrice: price,
        colour: levelColour[kind],
        dashed: true,
      })),
    ...trades
      .filter((trade) => trade.symbol === symbol)
      .map(({ from, to, entry, exit, won }) => ({
        from,
        to,
        fromPrice: entry,
        toPrice: exit,
        colour: won ? colour.good : colour.bad,
        dashed: false,
      })),
  ];
}
