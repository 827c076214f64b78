import {
  probabilityText,
  type StressFigure,
  type StressFigureName,
  shortLabel,
} from '../../results/analysis/index.ts';
import { figureText } from '../shared/formats.ts';
import { type Html, html } from '../shared/html.ts';

const WIDTH = 500;
const HEIGHT = 190;
const HEAD = 20;
const FOOT = 22;
const BINS = 40;

/**
 * Draws a histogram of one figure over all worlds (randomised markets), and marks the actual value. In some
 * tests, the worlds do not contain the strategy's edge (`isNull`). Bins that are at least as good as the
 * actual value are then darker.
 */
export function spread(
  name: StressFigureName,
  figure: StressFigure,
  values: readonly number[],
  isNull: boolean,
): Html {
  const { actual } = figure;
  const better = isNull ? figure.better : 0;
  const sorted = [...values].sort((a, b) => a - b);
  const label = shortLabel(name);
  if (sorted.length < 2)
    return html`<figure><h3>${label}</h3><p>${sorted.length === 0 ? 'It is defined in no world.' : 'It is defined in one world alone.'} ${captionOf(name, figure)}</p></figure>`;
  if (sorted[0] === sorted.at(-1))
    return html`<figure><h3>${label}</h3><p>${figureText(name, sorted[0]!)} in each of ${sorted.length} worlds. Actual ${figureText(name, actual)}.</p></figure>`;
  const [low, high] = rangeOf(sorted, actual);
  const bins = new Array<number>(BINS).fill(0);
  const width = (high - low) / BINS;
  // Values outside the drawn range are counted in the first or last bin.
  for (const value of sorted) bins[Math.min(BINS - 1, Math.max(0, Math.floor((value - low) / width)))]! += 1;
  const highest = Math.max(...bins);
  const step = WIDTH / BINS;
  const foot = HEIGHT - FOOT;
  const bars = bins.map((count, bin) => {
    const height = (count / highest) * (foot - HEAD - 4);
    const middle = low + (bin + 0.5) * width;
    const asGood = actual !== null && better !== 0 && (middle - actual) * better >= 0;
    return html`<rect class="${asGood ? 'own' : 'pale'}" x="${(bin * step + 0.5).toFixed(1)}" y="${(foot - height).toFixed(1)}" width="${(step - 1).toFixed(1)}" height="${height.toFixed(1)}"></rect>`;
  });
  const text = captionOf(name, figure);
  return html`<figure><h3>${label}</h3><svg viewBox="0 0 ${WIDTH} ${HEIGHT}" role="img" aria-label="${`${label}: ${text}`}">${bars}<line class="axis" x1="0" x2="${WIDTH}" y1="${foot}" y2="${foot}"></line><text x="0" y="${HEIGHT - 6}">${figureText(name, low)}</text><text x="${WIDTH}" y="${HEIGHT - 6}" text-anchor="end">${figureText(name, high)}</text>${markOf(name, actual, low, high)}</svg><figcaption>${text}</figcaption></figure>`;
}

function markOf(name: StressFigureName, actual: number | null, low: number, high: number): Html {
  if (actual === null) return html``;
  const x = ((actual - low) / (high - low)) * WIDTH;
  const anchor = x < WIDTH * 0.2 ? 'start' : x > WIDTH * 0.8 ? 'end' : 'middle';
  const place = Math.min(WIDTH - 1, Math.max(1, x)).toFixed(1);
  return html`<line class="actual" x1="${place}" x2="${place}" y1="${HEAD}" y2="${HEIGHT - FOOT}"></line><text class="name" x="${place}" y="${HEAD - 6}" text-anchor="${anchor}">${`actual ${figureText(name, actual)}`}</text>`;
}

/**
 * Returns the range of the histogram. It contains the values of all worlds except the lowest and the highest
 * 0.5%, and the actual value.
 */
function rangeOf(sorted: readonly number[], actual: number | null): readonly [number, number] {
  const at = (share: number): number => sorted[Math.round(share * (sorted.length - 1))]!;
  const all = [at(0.005), at(0.995), ...(actual === null ? [] : [actual])];
  const [low, high] = [Math.min(...all), Math.max(...all)];
  const margin = (high - low) * 0.02;
  // If all values are equal, the range is extended on both sides, because it must not be empty.
  return margin > 0
    ? [low - margin, high + margin]
    : [low - 0.5 * (Math.abs(low) || 1), low + 0.5 * (Math.abs(low) || 1)];
}

function captionOf(name: StressFigureName, { actual, p, interval, quantiles }: StressFigure): string {
  const own = `Actual ${figureText(name, actual)}`;
  const middle =
    quantiles === null
      ? ''
      : `; nine worlds of ten ${figureText(name, quantiles.q05)} to ${figureText(name, quantiles.q95)}`;
  const chance =
    p === undefined || p === null || interval === undefined || interval === null
      ? ''
      : `; p = ${probabilityText(p)} (${probabilityText(interval.low)} to ${probabilityText(interval.high)})`;
  return `${own}${middle}${chance}.`;
}
