import { CandlestickSeries, createSeriesMarkers, type SeriesMarker, type Time } from 'lightweight-charts';
import { newChart, showDays } from '../../report/client/charts.ts';
import { time } from '../../report/client/data.ts';
import { colours, onThemeChange } from '../../report/client/theme.ts';
import type { Overview } from '../step.ts';

/** The whole run at a glance, with the chosen bar in it. */
export interface OverviewChart {
  show(overview: Overview): void;
  choose(bar: number): void;
}

/** Points in sight up to which fills are marked: beyond, the marks lie over each other. */
const MOST_MARKED_POINTS = 1_000;

export function overviewChart(onChosen: (bar: number) => void): OverviewChart | undefined {
  const chart = newChart('overview');
  if (chart === undefined) return undefined;
  const candles = chart.addSeries(CandlestickSeries, {});
  const markers = createSeriesMarkers<Time>(candles, []);
  let shown: Overview | undefined;
  let chosen: number | undefined;
  let marked = true;

  const paint = (): void => {
    const { good, bad, accent } = colours();
    candles.applyOptions({
      upColor: good,
      downColor: bad,
      wickUpColor: good,
      wickDownColor: bad,
      borderVisible: false,
      lastValueVisible: false,
      priceLineVisible: false,
    });
    if (shown === undefined) return;
    const { fills, times, barsPerPoint } = shown;
    const marks = (marked ? fills : []).map(
      ({ point, side }): SeriesMarker<Time> => ({
        time: time(times[point] ?? 0),
        position: side === 'buy' ? 'belowBar' : 'aboveBar',
        shape: side === 'buy' ? 'arrowUp' : 'arrowDown',
        color: side === 'buy' ? good : bad,
      }),
    );
    const at = chosen === undefined ? undefined : times[Math.floor(chosen / barsPerPoint)];
    if (at !== undefined)
      marks.push({
        time: time(at),
        position: 'aboveBar',
        shape: 'circle',
        color: accent,
        text: `bar ${chosen}`,
      });
    markers.setMarkers(marks.sort((a, b) => Number(a.time) - Number(b.time)));
  };
  onThemeChange(paint);
  chart.timeScale().subscribeVisibleLogicalRangeChange((range) => {
    const near = range === null || range.to - range.from <= MOST_MARKED_POINTS;
    if (near === marked) return;
    marked = near;
    paint();
  });
  chart.subscribeClick(({ logical }) => {
    if (shown === undefined || logical === undefined) return;
    const point = Math.min(Math.max(Math.round(logical), 0), shown.times.length - 1);
    onChosen(point * shown.barsPerPoint);
  });
  return {
    show(overview) {
      const first = shown === undefined;
      shown = overview;
      showDays(chart, overview.times);
      candles.setData(
        overview.times.map((seconds, point) => {
          const candle = overview.candles[point];
          if (candle === null || candle === undefined) return { time: time(seconds) };
          const [open, high, low, close] = candle;
          return { time: time(seconds), open, high, low, close };
        }),
      );
      paint();
      if (first) chart.timeScale().fitContent();
    },
    choose(bar) {
      chosen = bar;
      paint();
    },
  };
}
