import { type CandlestickData, CandlestickSeries, type Time, type WhitespaceData } from 'lightweight-charts';
import { newChart, showDays, zoom } from '../../report/client/charts.ts';
import { colours, onThemeChange } from '../../report/client/theme.ts';
import { time } from '../../report/client/view.ts';
import type { Overview, StepKind, StepSummary } from '../step.ts';
import { counted, element, shortNumbers } from './folding.ts';
import { DecisionLane, kindIcon, LOOKS } from './lane.ts';

/**
 * Chart of the whole run: prices, and below them a lane with a shape for each decision. The selected decision
 * is highlighted.
 */
export interface OverviewChart {
  show(overview: Overview): void;
  showSteps(steps: readonly StepSummary[]): void;
  choose(bar: number): void;
  /** Hides everything after a bar. If the bar is `undefined`, shows the whole run. */
  cut(bar: number | undefined): void;
}

/** Distance between the prices and the lane of decisions, in pixels. */
const GAP = 10;
const AXIS_WIDTH = 60;
const ZOOMS: Readonly<Record<string, number>> = { '+': 0.7, '=': 0.7, '-': 1.4 };

/**
 * Creates the chart.
 *
 * @param onChosen called with the bar of a clicked decision
 * @param onEnd called with −1 to go to the first decision, with 1 to go to the last
 * @returns `undefined` if the page has no element for the chart
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
  let end: number | undefined;

  const drawCandles = (): void => {
    if (shown === undefined) return;
    const own = shown;
    // During a replay, points after the current bar have no price. They remain on the time axis, so that the
    // axis does not change.
    const last = end === undefined ? own.times.length - 1 : Math.floor(end / own.barsPerPoint);
    candles.setData(own.times.map((at, point) => (point > last ? { time: time(at) } : candleOf(own, point))));
  };
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
    const known = end === undefined ? steps : steps.filter(({ bar }) => bar <= end!);
    lane.show(known, barsPerPoint, (shown?.times.length ?? 1) * barsPerPoint);
    const bottom = Math.min(0.7, (lane.height + GAP) / Math.max(container.clientHeight - 28, 1));
    // The price axis is wide enough for the names of the lane's rows.
    chart.priceScale('right').applyOptions({ scaleMargins: { top: 0.05, bottom }, minimumWidth: AXIS_WIDTH });
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
      drawCandles();
      paint();
      if (first) chart.timeScale().fitContent();
    },
    showSteps(all) {
      steps = all;
      paint();
    },
    choose: (bar) => lane.choose(bar),
    cut(bar) {
      if (bar === end) return;
      end = bar;
      drawCandles();
      paint();
    },
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

/** Time format and maxima that are common to all rows of the list of steps (bars with events). */
export interface RowTexts {
  /** Returns the formatted time of a step, or the bar number if the time is unknown. */
  readonly when: (step: StepSummary) => string;
  /**
   * Largest number of tokens of a step (bar with events). `mostMilliseconds` is the longest duration. The row
   * with the maximum has the longest horizontal bar.
   */
  readonly mostTokens: number;
  readonly mostMilliseconds: number;
}

const MOST_TRADES = 3;

/** Creates the row of a step as a link to its bar. */
export function stepRow(step: StepSummary, texts: RowTexts): HTMLLIElement {
  const marks = [
    ...step.tools
      .split('\n')
      .filter((name) => name !== '')
      .map((name) => ['tool', name] as const),
    ...step.trades
      .split(' ')
      .filter((id) => id !== '')
      .slice(0, MOST_TRADES)
      .map((id) => ['trade', `trade ${id}`] as const),
    ...(step.unfinished ? [['bad', 'did not end'] as const] : []),
    ...(step.errors === 0 ? [] : [['bad', counted(step.errors, 'error')] as const]),
  ];
  const failed = step.failure === '' ? '' : 'The run failed here: ';
  const spent = [
    spentBar(step.tokens, texts.mostTokens, 'token'),
    spentBar(step.milliseconds, texts.mostMilliseconds, 'ms'),
  ].filter((bar) => bar !== null);
  return element(
    'li',
    {},
    element(
      'a',
      { href: `#bar=${step.bar}`, 'data-bar': String(step.bar), class: step.kind },
      kindIcon(step.kind),
      element(
        'span',
        { class: 'told' },
        element('b', {}, texts.when(step)),
        element(
          'span',
          { class: step.failure === '' ? 'story' : 'story bad' },
          `: ${failed}${shortNumbers(step.story)}`,
        ),
        marks.length === 0
          ? null
          : element(
              'span',
              { class: 'marks' },
              marks.map(([kind, text]) =>
                element(
                  'span',
                  kind === 'bad' ? { class: 'chip', 'data-tone': 'bad' } : { class: 'chip quiet' },
                  text,
                ),
              ),
            ),
        spent.length === 0 ? null : element('span', { class: 'spent' }, spent),
      ),
    ),
  );
}

/** Creates a number with a horizontal bar. `most` is the number with the longest bar. */
function spentBar(value: number | null, most: number, unit: 'token' | 'ms'): HTMLElement | null {
  if (value === null || most === 0) return null;
  const bar = element('i', {});
  bar.style.width = `${Math.max(1, (value / most) * 40).toFixed(1)}px`;
  const text = unit === 'token' ? counted(value, 'token') : `${milliseconds(value)} ms`;
  return element('span', { class: unit }, bar, text);
}

function milliseconds(value: number): string {
  return value.toLocaleString('en-US', { maximumFractionDigits: value < 10 ? 1 : 0 });
}

/**
 * Returns the key of the lane: each shape with its meaning and its number of steps. Screen readers read this
 * key instead of the lane.
 */
export function laneKey(kinds: readonly StepKind[], steps: readonly StepSummary[]): HTMLLIElement[] {
  const number = (value: number): string => value.toLocaleString('en-US');
  const counts = kinds.map(
    (kind) => [kind, steps.filter(({ acts }) => acts.includes(LOOKS[kind].act)).length] as const,
  );
  const [tokens, times] = [
    steps.flatMap((step) => step.tokens ?? []),
    steps.flatMap((step) => step.milliseconds ?? []),
  ];
  const highest = (values: readonly number[]): number =>
    values.reduce((most, value) => Math.max(most, value), 0);
  return [
    ...counts
      .filter(([, count]) => count > 0)
      .map(([kind, count]) =>
        element('li', {}, kindIcon(kind, false), `${number(count)} ${LOOKS[kind].name}`),
      ),
    ...(tokens.length === 0
      ? []
      : [element('li', {}, `tokens of a decision: up to ${number(highest(tokens))}`)]),
    ...(times.length === 0
      ? []
      : [element('li', {}, `a decision took up to ${milliseconds(highest(times))} ms`)]),
  ];
}
