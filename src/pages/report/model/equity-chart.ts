import { type Content, type Html, html } from '../../shared/html.ts';
import { grouped, percent, signedPercent } from '../../shared/number-formats.ts';
import type { PageData, Value } from './page-data.ts';
import { dayText, type Range, tradesIn, wholeRange } from './range.ts';
import { type Extent, extentOf, roomy, ticks } from './svg/plot.ts';

/** Width of a pane's picture in SVG units. The browser stretches the picture to the width of the page. */
const WIDTH = 2000;
/** Height of a pane's picture in SVG units. */
const HEIGHT = 600;
/** Number of columns of the picture. Each column shows the lowest and the highest value of its points. */
const COLUMNS = 500;
/**
 * Maximum number of closed trades for which the trades are marked on the curve. With more, no trade is
 * marked.
 */
const MOST_DOTS = 150;

/** Range of points by their indexes, both ends included. A point represents one or several bars. */
interface Points {
  readonly from: number;
  readonly to: number;
}

/**
 * Returns the points of a period. For the whole run, this includes the points before the evaluation period.
 */
function pointsOf(data: PageData, range: Range): Points {
  const { times, sessions } = data;
  const last = times.length - 1;
  const whole = wholeRange(data);
  if (range.from <= whole.from && range.to >= whole.to) return { from: 0, to: last };
  const [start, end] = [(sessions.first ?? sessions.time)[range.from]!, sessions.time[range.to]!];
  const from = Math.min(Math.max(pointAt(times, start), 0), last - 1);
  return { from, to: Math.max(pointAt(times, end), from + 1) };
}

/** Returns the index of the last point that is not later than a time. −1 if all points are later. */
function pointAt(times: readonly number[], seconds: number): number {
  let [low, high] = [0, times.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (times[middle]! <= seconds) low = middle + 1;
    else high = middle;
  }
  return low - 1;
}

/**
 * Returns the chart at the head of a report, which needs no script. It shows equity with the benchmark and
 * closed trades, the net profit of trades at their exit, and the drawdown.
 */
export function equityChart(data: PageData, range: Range): Html {
  if (data.times.length < 2) return html``;
  const points = pointsOf(data, range);
  const { equity, benchmark, times } = data;
  const isWhole = points.from === 0 && points.to === times.length - 1;
  // In a selected period, the drawdown is relative to the highest value since the start of the period.
  const drawdown = isWhole ? data.drawdown : fallsOf(equity.close, points);
  const benchmarkDrawdown =
    isWhole || benchmark === null ? data.benchmarkDrawdown : fallsOf(benchmark, points);
  const up = roomy(extentOf(known([...cut(equity.close, points), ...cut(benchmark, points)])), 0.06);
  const low = extentOf([0, ...known([...cut(drawdown, points), ...cut(benchmarkDrawdown, points)])]).low;
  const down = { low: low * 1.06 || -0.01, high: 0 };
  const closed = tradesIn(data, range).flatMap(({ exitTime, net }) =>
    exitTime === null ? [] : [{ at: pointAt(times, exitTime), net }],
  );
  const dots =
    closed.length > MOST_DOTS
      ? ''
      : [true, false].map((isGain) => {
          const marks = closed.filter(({ net }) => net > 0 === isGain);
          const path = marks.map(
            ({ at }) => `M${across(at, points)} ${upward(equity.close[Math.max(at, 0)]!, up)}h0`,
          );
          return html`<path class="dots ${isGain ? 'gain' : 'loss'}" d="${path.join('')}"/>`;
        });
  const [first, last] = [equity.close[points.from]!, equity.close[points.to]!];
  const held = benchmark === null ? '' : ', with the benchmark';
  const label = `Equity from ${grouped(first, 0)} on ${dayText(times[points.from]!)} to ${grouped(last, 0)} on ${dayText(times[points.to]!)}${held}, net profit of ${grouped(closed.length, 0)} closed trades, and drawdown down to ${percent(low)}`;
  const legend = html`<figcaption class="legend"><span class="key">Strategy</span>${benchmark === null ? '' : html`<span class="key held">Benchmark</span>`}${closed.length === 0 ? '' : html`<span class="key gain">Trade with a profit</span><span class="key loss">Trade with a loss</span>`}<output id="equity-readout"></output></figcaption>`;
  return html`<figure class="curves card" id="equity-curve" data-from="${points.from}" data-to="${points.to}">${legend}<div class="panes" role="img" aria-label="${label}">${pane(
    'Equity',
    up,
    (value) => grouped(value, Math.abs(up.high) < 100 ? 2 : 0),
    html`<path class="held" d="${curve(benchmark, points, up)}"/><path class="own" d="${curve(equity.close, points, up)}"/>${dots}`,
    5,
  )}${closed.length === 0 ? '' : tradePane(closed, points)}${pane(
    'Drawdown',
    down,
    (value) => percent(value, 0),
    html`<path class="area" d="${area(drawdown, points, down)}"/><path class="held" d="${curve(benchmarkDrawdown, points, down)}"/><path class="own thin" d="${curve(drawdown, points, down)}"/>`,
    2,
  )}<div class="dates" aria-hidden="true">${dates(times, points)}</div><i class="cross" hidden></i></div></figure>`;
}

function pane(
  name: string,
  extent: Extent,
  write: (value: number) => string,
  drawn: Content,
  count: number,
): Html {
  const marks = ticks(extent, count);
  const grid = marks.map((value) => `M0 ${upward(value, extent)}H${WIDTH}`).join('');
  const labels = marks.map(
    (value) =>
      html`<span style="top:${((upward(value, extent) / HEIGHT) * 100).toFixed(1)}%">${write(value)}</span>`,
  );
  return html`<div class="pane pane-${name.toLowerCase()}"><b>${name}</b><div><div class="ticks" aria-hidden="true">${labels}</div><svg viewBox="0 0 ${WIDTH} ${HEIGHT}" preserveAspectRatio="none" aria-hidden="true"><path class="grid" d="${grid}"/>${drawn}</svg></div></div>`;
}

interface Closed {
  readonly at: number;
  readonly net: number;
}

/** Draws the sums of profits (upwards) and losses (downwards) of the trades in each column. */
function tradePane(closed: readonly Closed[], points: Points): Html {
  const sums = new Map<number, [gain: number, loss: number]>();
  for (const { at, net } of closed) {
    const column = Math.round((across(at, points) / WIDTH) * COLUMNS);
    const sum = sums.get(column) ?? [0, 0];
    sum[net > 0 ? 0 : 1] += net;
    sums.set(column, sum);
  }
  const reach = [...sums.values()].reduce((most, [gain, loss]) => Math.max(most, gain, -loss), 0) || 1;
  const extent = { low: -reach, high: reach };
  const bars = (side: 0 | 1): string =>
    [...sums]
      .map(([column, sum]) =>
        sum[side] === 0
          ? ''
          : `M${Math.round((column / COLUMNS) * WIDTH)} ${HEIGHT / 2}V${upward(sum[side], extent)}`,
      )
      .join('');
  return html`<div class="pane pane-trades"><b>Net P&amp;L of trades</b><div><svg viewBox="0 0 ${WIDTH} ${HEIGHT}" preserveAspectRatio="none" aria-hidden="true"><path class="grid" d="M0 ${HEIGHT / 2}H${WIDTH}"/><path class="bars gain" d="${bars(0)}"/><path class="bars loss" d="${bars(1)}"/></svg></div></div>`;
}

/** Returns the date labels at equal distances on the time axis. */
function dates(times: readonly number[], { from, to }: Points): Html[] {
  const count = Math.min(6, to - from);
  return Array.from({ length: count + 1 }, (_, mark) => {
    const share = mark / count;
    const place = Math.round(from + share * (to - from));
    return html`<span style="left:${(share * 100).toFixed(1)}%">${dayText(times[place]!)}</span>`;
  });
}

/** Returns the drawdown of each point from the highest value since the first point of a period. */
function fallsOf(values: readonly Value[], { from, to }: Points): Value[] {
  let peak = Number.NEGATIVE_INFINITY;
  return values.map((value, point) => {
    if (value === null || point < from || point > to) return null;
    peak = Math.max(peak, value);
    return peak > 0 ? Math.min(value / peak - 1, 0) : null;
  });
}

function cut(values: readonly Value[] | null, { from, to }: Points): readonly Value[] {
  return values?.slice(from, to + 1) ?? [];
}

function known(values: readonly Value[]): number[] {
  return values.filter((value): value is number => value !== null && Number.isFinite(value));
}

function across(point: number, { from, to }: Points): number {
  return Math.round(((point - from) / Math.max(to - from, 1)) * WIDTH);
}

function upward(value: number, { low, high }: Extent): number {
  return Math.round((1 - (value - low) / (high - low || 1)) * HEIGHT);
}

/**
 * Returns the indexes of the points to draw, in order. These are the lowest and the highest point of each
 * column, and the last point.
 */
function drawnPoints(values: readonly Value[], { from, to }: Points): number[] {
  const size = (to - from + 1) / COLUMNS;
  if (size <= 2) return Array.from({ length: to - from + 1 }, (_, place) => from + place);
  const found: number[] = [];
  for (let column = 0; column < COLUMNS; column++) {
    const [start, end] = [from + Math.floor(column * size), from + Math.floor((column + 1) * size)];
    let [low, high] = [start, start];
    for (let point = start; point < end; point++) {
      const value = values[point] ?? null;
      if (value === null) continue;
      if (value < (values[low] ?? Number.POSITIVE_INFINITY)) low = point;
      if (value > (values[high] ?? Number.NEGATIVE_INFINITY)) high = point;
    }
    found.push(Math.min(low, high));
    if (low !== high) found.push(Math.max(low, high));
  }
  if (found.at(-1) !== to) found.push(to);
  return found;
}

/**
 * Returns an SVG path in relative coordinates, which are shorter than absolute ones. Missing values are gaps.
 */
function curve(values: readonly Value[] | null, points: Points, extent: Extent): string {
  if (values === null) return '';
  let [path, isDown, x, y] = ['', false, 0, 0];
  for (const point of drawnPoints(values, points)) {
    const value = values[point] ?? null;
    if (value === null || !Number.isFinite(value)) {
      isDown = false;
      continue;
    }
    const [nextX, nextY] = [across(point, points), upward(value, extent)];
    path += isDown ? `l${nextX - x} ${nextY - y}` : `M${nextX} ${nextY}`;
    [isDown, x, y] = [true, nextX, nextY];
  }
  return path;
}

/** Returns the SVG path of the area between a curve and the value 0 at the top of the picture. */
function area(values: readonly Value[], points: Points, extent: Extent): string {
  const path = curve(values, points, extent);
  return path === '' ? '' : `M0 0L${path.slice(1)}L${WIDTH} 0Z`;
}

/**
 * Describes a point of the chart as text: date, equity with its return since the point `first`, benchmark and
 * drawdown.
 */
export function pointText(
  { times, equity, benchmark, drawdown }: PageData,
  point: number,
  first: number,
): string {
  const own = equity.close[point]!;
  const held = benchmark?.[point] ?? null;
  const change = equity.close[first]! > 0 ? ` (${signedPercent(own / equity.close[first]! - 1)})` : '';
  return `${dayText(times[point]!)}: equity ${grouped(own)}${change}${held === null ? '' : `, benchmark ${grouped(held)}`}, drawdown ${percent(drawdown[point] ?? null)}`;
}
