import { mean, quantileOf } from '../../../../results/analysis/series/index.ts';
import { type Content, type Html, html } from '../../../shared/html.ts';
import { grouped, percent, signedPercent } from '../../../shared/number-formats.ts';
import type { PageData } from '../page-data.ts';
import { dayText } from '../range.ts';

/** Size of a picture in its own units. One unit is a pixel if the picture is not scaled. */
interface Size {
  readonly width: number;
  readonly height: number;
}

const LEFT = 62;
const RIGHT = 10;
const TOP = 8;
const FOOT = 22;

/** Plot area with functions that convert values of each axis to coordinates. */
export interface Plot extends Size {
  readonly x: (value: number) => number;
  readonly y: (value: number) => number;
  readonly bottom: number;
  readonly left: number;
  readonly right: number;
}

export interface Extent {
  readonly low: number;
  readonly high: number;
}

export function extentOf(values: Iterable<number>): Extent {
  let [low, high] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY];
  for (const value of values) {
    if (value < low) low = value;
    if (value > high) high = value;
  }
  return low > high ? { low: 0, high: 1 } : { low, high };
}

/**
 * Returns an extent with a margin on both sides. If low and high are equal, the margin is a fraction of this
 * value, or 1 if the value is 0.
 */
export function roomy({ low, high }: Extent, share = 0.05): Extent {
  const room = (high - low) * share || Math.abs(high) * share || 1;
  return { low: low - room, high: high + room };
}

export function plot({ width, height }: Size, across: Extent, up: Extent): Plot {
  const [left, right, bottom] = [LEFT, width - RIGHT, height - FOOT];
  const scale = (value: number, extent: Extent, from: number, to: number): number =>
    from + ((value - extent.low) / (extent.high - extent.low || 1)) * (to - from);
  return {
    width,
    height,
    left,
    right,
    bottom,
    x: (value) => scale(value, across, left, right),
    y: (value) => scale(value, up, bottom, TOP),
  };
}

/** Returns approximately `count` round numbers between two values, for the labels of an axis. */
export function ticks({ low, high }: Extent, count = 4): number[] {
  const rough = (high - low) / count;
  if (!(rough > 0)) return [low];
  const power = 10 ** Math.floor(Math.log10(rough));
  const step = power * ([1, 2, 5, 10].find((one) => one * power >= rough) ?? 10);
  const found: number[] = [];
  for (let tick = Math.ceil(low / step); tick * step <= high; tick++) found.push(tick * step);
  return found;
}

/** Returns the vertical axis: grid lines with labels. */
export function valueAxis(at: Plot, up: Extent, write: (value: number) => string): Html[] {
  return ticks(up).map(
    (value) =>
      html`<path class="grid" d="M${at.left} ${fixed(at.y(value))}H${at.right}"/><text x="${at.left - 6}" y="${fixed(at.y(value) + 4)}" text-anchor="end">${write(value)}</text>`,
  );
}

/** Returns the labels of the horizontal axis, below the plot. */
export function footAxis(at: Plot, marks: readonly (readonly [place: number, text: string])[]): Html[] {
  return marks.map(([place, text]) => {
    const x = at.x(place);
    const anchor = x < at.left + 20 ? 'start' : x > at.right - 20 ? 'end' : 'middle';
    return html`<text x="${fixed(x)}" y="${at.height - 6}" text-anchor="${anchor}">${text}</text>`;
  });
}

/** Returns a complete picture with a text alternative for screen readers. */
export function figure(id: string, label: string, { width, height }: Size, ...content: Content[]): Html {
  return html`<figure class="plot" id="${id}"><svg viewBox="0 0 ${width} ${height}" role="img" aria-label="${label}">${content}</svg><figcaption>${label}</figcaption></figure>`;
}

export function fixed(value: number): string {
  return String(Math.round(value * 10) / 10);
}

/** Returns a path through points. Missing and infinite values are gaps. */
export function lineThrough(at: Plot, xs: ArrayLike<number>, ys: ArrayLike<number | null>): string {
  let [path, isDown] = ['', false];
  for (let index = 0; index < xs.length; index++) {
    const y = ys[index];
    if (y === null || y === undefined || !Number.isFinite(y)) {
      isDown = false;
      continue;
    }
    path += `${isDown ? 'L' : 'M'}${fixed(at.x(xs[index]!))} ${fixed(at.y(y))}`;
    isDown = true;
  }
  return path;
}

/** Returns the indexes of about `most` evenly spaced points. The last point is always included. */
export function thinned(count: number, most = 700): number[] {
  const step = Math.max(1, count / most);
  const places: number[] = [];
  for (let place = 0; place < count - 1; place += step) places.push(Math.floor(place));
  if (count > 0) places.push(count - 1);
  return places;
}

const EQUITY = { width: 760, height: 230 };
const FALL = { width: 760, height: 120 };

/**
 * Draws equity and drawdown of a range of points as two pictures without a script, for printing and export.
 */
export function timeLines(data: PageData, from: number, to: number): Html {
  const places = thinned(to - from + 1).map((place) => from + place);
  const value = (column: readonly (number | null)[] | null): (number | null)[] =>
    places.map((place) => column?.[place] ?? null);
  const times = places.map((place) => data.times[place]!);
  const across = { low: times[0] ?? 0, high: times.at(-1) ?? 1 };
  const [own, held] = [value(data.equity.close), value(data.benchmark)];
  const up = roomy(extentOf([...own, ...held].filter((one) => one !== null)));
  const at = plot(EQUITY, across, up);
  const marks = [0, 0.25, 0.5, 0.75, 1].map((share) => {
    const time = across.low + share * (across.high - across.low);
    return [time, dayText(time)] as const;
  });
  const [fall, heldFall] = [value(data.drawdown), value(data.benchmarkDrawdown)];
  const down = roomy(extentOf([0, ...fall, ...heldFall].filter((one) => one !== null)), 0.03);
  const below = plot(FALL, across, { low: down.low, high: 0 });
  const last = own.at(-1) ?? 0;
  return html`${figure(
    'equity-lines',
    `Equity, ${grouped(last)} in the end; the benchmark is grey.`,
    EQUITY,
    valueAxis(at, up, (one) => grouped(one, 0)),
    footAxis(at, marks),
    html`<path class="held" d="${lineThrough(at, times, held)}"/><path class="own" d="${lineThrough(at, times, own)}"/>`,
  )}${figure(
    'drawdown-lines',
    'Drawdown from the highest equity so far; the benchmark’s is grey.',
    FALL,
    valueAxis(below, { low: down.low, high: 0 }, (one) => percent(one, 0)),
    html`<path class="held" d="${lineThrough(below, times, heldFall)}"/><path class="own loss" d="${lineThrough(below, times, fall)}"/><path class="zero" d="M${below.left} ${fixed(below.y(0))}H${below.right}"/>`,
  )}`;
}

const WIDTH = 560;
const HEIGHT = 190;
const MOST_BINS = 41;
const FEWEST_BINS = 9;

/**
 * Draws a histogram of returns. An outline shows the benchmark's returns in the same bins. The middle bin is
 * centred on zero.
 *
 * @param held returns of the benchmark
 * @param unit word for the time span of one return: `daily`, `bar` or `month`
 */
export function histogram(returns: Float64Array, held: Float64Array | undefined, unit: string): Html {
  if (returns.length < 2) return html`<p>There are too few returns to draw.</p>`;
  const sorted = Float64Array.from(returns).sort();
  // The smallest and the largest 0.5% of the returns are counted in the outer bins, because they would
  // stretch the axis.
  const reach = Math.max(
    Math.abs(quantileOf(sorted, 0.005)),
    Math.abs(quantileOf(sorted, 0.995)),
    Number.MIN_VALUE,
  );
  const count = Math.min(MOST_BINS, Math.max(FEWEST_BINS, Math.round(Math.sqrt(returns.length)) | 1)) | 1;
  const middle = (count - 1) / 2;
  const binned = (values: Float64Array): number[] => {
    const bins = new Array<number>(count).fill(0);
    for (const value of values) {
      const bin = Math.round((value / reach) * middle) + middle;
      bins[Math.min(Math.max(bin, 0), count - 1)]! += 1 / values.length;
    }
    return bins;
  };
  const own = binned(returns);
  const other = held === undefined || held.length < 2 ? undefined : binned(held);
  // The bins other than the one at zero determine the height of the picture. If the run is mostly out of the
  // market, the bin at zero would make all others invisible. If all returns are zero, the bin at zero has the
  // full height.
  const shares = [...own, ...(other ?? [])];
  const highestOther = Math.max(...shares.filter((_, at) => at % count !== middle));
  const highest = Math.min(Math.max(...shares), highestOther === 0 ? 1 : highestOther * 1.3);
  const step = WIDTH / count;
  const y = (share: number): number => HEIGHT - FOOT - Math.min(share / highest, 1) * (HEIGHT - FOOT - 18);
  const bars = own.map((share, bin) => {
    const tone = bin === middle ? 'even' : bin > middle ? 'gain' : 'loss';
    return html`<rect class="${tone}" x="${fixed(bin * step + 0.5)}" y="${fixed(y(share))}" width="${fixed(step - 1)}" height="${fixed(HEIGHT - FOOT - y(share))}"/>`;
  });
  const outline =
    other === undefined
      ? ''
      : html`<path class="held" d="M0 ${HEIGHT - FOOT}${other.map((share, bin) => `V${fixed(y(share))}H${fixed((bin + 1) * step)}`).join('')}V${HEIGHT - FOOT}"/>`;
  const label = `${returns.length} ${unit} returns: mean ${percent(mean(returns), 3)}, worst ${percent(sorted[0])}, best ${percent(sorted.at(-1))}${other === undefined ? '' : '; the line is the benchmark’s'}.`;
  const mark = (x: number, anchor: string, text: string): Html =>
    html`<text x="${x}" y="${HEIGHT - 6}" text-anchor="${anchor}">${text}</text>`;
  return figure(
    `spread-${unit.replaceAll(/\W/g, '')}`,
    label,
    { width: WIDTH, height: HEIGHT },
    bars,
    own[middle]! > highest
      ? html`<text x="${fixed((middle + 0.5) * step)}" y="12" text-anchor="middle">${percent(own[middle], 0)} at 0</text>`
      : '',
    outline,
    html`<path class="zero" d="M0 ${HEIGHT - FOOT}H${WIDTH}"/>`,
    mark(0, 'start', `≤ ${percent(-reach, 1)}`),
    mark(WIDTH / 2, 'middle', '0'),
    mark(WIDTH, 'end', `≥ ${percent(reach, 1)}`),
  );
}

interface YearPair {
  readonly year: number;
  readonly own: number | null;
  readonly held: number | null;
}

const SIZE = { width: 560, height: 190 };

/** Draws the returns of calendar years next to the benchmark's returns. */
export function yearBars(years: readonly YearPair[]): Html {
  if (years.length < 2) return html``;
  const values = years.flatMap(({ own, held }) => [own ?? 0, held ?? 0]);
  const up = roomy(extentOf([0, ...values]));
  const at = plot(SIZE, { low: 0, high: years.length }, up);
  const width = (at.x(1) - at.x(0)) * 0.4;
  const bar = (kind: string, x: number, value: number | null): Html | string => {
    if (value === null) return '';
    const [top, bottom] = [Math.min(at.y(0), at.y(value)), Math.max(at.y(0), at.y(value))];
    return html`<rect class="${kind}" x="${fixed(x)}" y="${fixed(top)}" width="${fixed(width)}" height="${fixed(Math.max(bottom - top, 0.5))}"/>`;
  };
  const every = Math.ceil(years.length / 12);
  const bars = years.map(({ year, own, held }, place) => {
    const x = at.x(place) + width * 0.2;
    const text =
      place % every === 0
        ? html`<text x="${fixed(x + width)}" y="${SIZE.height - 6}" text-anchor="middle">${year}</text>`
        : '';
    return html`<g><title>${year}: ${signedPercent(own)}, benchmark ${signedPercent(held)}</title>${bar('own', x, own)}${bar('held', x + width, held)}${text}</g>`;
  });
  const ahead = years.filter(({ own, held }) => own !== null && held !== null && own > held).length;
  const label = `Returns of ${years.length} calendar years, the benchmark’s in grey; the run was ahead in ${ahead}.`;
  return figure(
    'years',
    label,
    SIZE,
    valueAxis(at, up, (value) => percent(value, 0)),
    bars,
    html`<path class="zero" d="M${at.left} ${fixed(at.y(0))}H${at.right}"/>`,
  );
}
