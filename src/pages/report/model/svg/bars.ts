import { mean, quantileOf } from '../../../../results/analysis/series/index.ts';
import { type Html, html } from '../../../shared/html.ts';
import { percent, signedPercent } from '../../../shared/number-formats.ts';
import { extentOf, figure, fixed, plot, roomy, valueAxis } from './plot.ts';

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
  // show only the bin at zero. If all returns are zero, that bin has the full height.
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
