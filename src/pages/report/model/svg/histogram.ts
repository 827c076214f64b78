import { mean, quantileOf } from '../../../../analysis/series/index.ts';
import { type Html, html } from '../../../shared/html.ts';
import { percent } from '../../../shared/number-formats.ts';
import { figure, fixed } from './plot.ts';

const WIDTH = 560;
const HEIGHT = 190;
const FOOT = 22;
const MOST_BINS = 41;
const FEWEST_BINS = 9;

/**
 * Draws a histogram of returns, with the benchmark's returns as an outline on the same bins. The middle bin
 * is centred on zero.
 *
 * @param unit period of one return: `day`, `month`
 */
export function histogram(returns: Float64Array, held: Float64Array | undefined, unit: string): Html {
  if (returns.length < 2) return html`<p>There are too few returns to draw.</p>`;
  const sorted = Float64Array.from(returns).sort();
  // The outer 0.5% on each side would stretch the picture, so these values are counted in the first and the
  // last bin.
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
  // The height is limited relative to the other bins. Otherwise a run that is mostly out of the market would
  // show only the bin at zero.
  const beside = [...own, ...(other ?? [])].filter((_, at) => at % count !== middle);
  const highest = Math.min(Math.max(...own, ...(other ?? [])), Math.max(...beside) * 1.3);
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
