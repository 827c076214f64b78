import { type CandlestickData, CandlestickSeries, type Time, type WhitespaceData } from 'lightweight-charts';
import { newChart, showDays, zoom } from '../../report/client/charts.ts';
import { time } from '../../report/client/data.ts';
import { colours, onThemeChange } from '../../report/client/theme.ts';
import type { Overview, StepSummary } from '../step.ts';
import { DecisionLane } from './lane.ts';

/** Chart of the whole run: prices, and a lane with all decisions. The selected decision is marked. */
export interface OverviewChart {
  show(overview: Overview): void;
  showSteps(steps: readonly StepSummary[]): void;
  choose(bar: number): void;
}

/** Distance between the prices and the lane, in pixels. */
const GAP = 10;
const ZOOMS: Readonly<Record<string, number>> = { '+': 0.7, '=': 0.7, '-': 1.4 };

/**
 * Creates the chart.
 *
 * @param onEnd called to go to the first (−1) or the last (1) decision
 */
export function overviewChart(
  onChosen: (bar: number) => void,
  onEnd: (direction: 1 | -1) => void,
): OverviewChart | undefined {
  const container = document.getElementById('overview');
  const chart = newChart('overview');
  if (chart === undefined || container === null) return undefined;
  const candles = chart.addSeries(CandlestickSeries, {});
  const lane = new DecisionLane();
  candles.attachPrimitive(lane);
  let shown: Overview | undefined;
  let steps: readonly StepSummary[] = [];

  const paint = (): void => {
    const { up, down } = colours();
    candles.applyOptions({
      upColor: up,
      downColor: down,
      wickUpColor: up,
      wickDownColor: down,
      borderVisible: false,
      lastValueVisible: false,
      priceLineVisible: false,
    });
    const barsPerPoint = shown?.barsPerPoint ?? 1;
    lane.show(steps, barsPerPoint, (shown?.times.length ?? 1) * barsPerPoint);
    const bottom = Math.min(0.7, (lane.height + GAP) / Math.max(container.clientHeight - 28, 1));
    chart.priceScale('right').applyOptions({ scaleMargins: { top: 0.05, bottom } });
  };
  onThemeChange(paint);
  chart.subscribeClick(({ point }) => {
    if (point === undefined || shown === undefined) return;
    const bar = lane.barAt(point.x, point.y, chart.paneSize().height);
    if (bar !== undefined) onChosen(bar);
  });
  container.addEventListener('keydown', (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const factor = ZOOMS[event.key];
    if (factor !== undefined) zoom(chart, factor);
    else if (event.key === 'Home' || event.key === 'End') onEnd(event.key === 'End' ? 1 : -1);
    else return;
    event.preventDefault();
  });
  return {
    show(overview) {
      const first = shown === undefined;
      shown = overview;
      showDays(chart, overview.times);
      candles.setData(overview.times.map((_, point) => candleOf(overview, point)));
      paint();
      if (first) chart.timeScale().fitContent();
    },
    showSteps(all) {
      steps = all;
      paint();
    },
    choose: (bar) => lane.choose(bar),
  };
}

function candleOf(
  { times, open, high, low, close }: Overview,
  point: number,
): CandlestickData<Time> | WhitespaceData<Time> {
  const [first, most, least, last] = [open[point], high[point], low[point], close[point]];
  const at = time(times[point] ?? 0);
  if (first == null || most == null || least == null || last == null) return { time: at };
  return { time: at, open: first, high: most, low: least, close: last };
}
