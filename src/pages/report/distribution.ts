import { mean } from '../../analysis/index.ts';
import { percent } from '../shared/formats.ts';
import { type Html, html } from '../shared/html.ts';

const WIDTH = 560;
const HEIGHT = 180;
const FOOT = 22;
const MOST_BINS = 41;

/** A histogram of session returns as an SVG picture, zero in the middle of a bin's edge; nothing without returns. */
export function histogram(returns: Float64Array, unit: string): Html {
  if (returns.length < 2) return html`<p>There are too few returns to draw.</p>`;
  const sorted = Float64Array.from(returns).sort();
  const at = (share: number): number => sorted[Math.round(share * (sorted.length - 1))]!;
  // The outermost half per cent at each side would stretch the picture: they are counted into the last bins.
  const reach = Math.max(Math.abs(at(0.005)), Math.abs(at(0.995)), Number.MIN_VALUE);
  const bins = new Array<number>(MOST_BINS).fill(0);
  const middle = (MOST_BINS - 1) / 2;
  for (const value of returns) {
    const bin = Math.round((value / reach) * middle) + middle;
    bins[Math.min(Math.max(bin, 0), MOST_BINS - 1)]! += 1;
  }
  const highest = Math.max(...bins);
  const step = WIDTH / MOST_BINS;
  const bars = bins.map((count, bin) => {
    const height = (count / highest) * (HEIGHT - FOOT - 4);
    const tone = bin === middle ? 'even' : bin > middle ? 'gain' : 'loss';
    const x = (bin * step + 0.5).toFixed(1);
    const y = (HEIGHT - FOOT - height).toFixed(1);
    return html`<rect class="${tone}" x="${x}" y="${y}" width="${(step - 1).toFixed(1)}" height="${height.toFixed(1)}"></rect>`;
  });
  const label = `${returns.length} ${unit} returns: mean ${percent(mean(returns), 3)}, worst ${percent(sorted[0])}, best ${percent(sorted.at(-1))}`;
  const mark = (x: number, anchor: string, text: string): Html =>
    html`<text x="${x}" y="${HEIGHT - 6}" text-anchor="${anchor}">${text}</text>`;
  return html`<figure><svg viewBox="0 0 ${WIDTH} ${HEIGHT}" role="img" aria-label="${label}" class="histogram">${bars}<line x1="0" x2="${WIDTH}" y1="${HEIGHT - FOOT}" y2="${HEIGHT - FOOT}"></line>${mark(0, 'start', `≤ ${percent(-reach, 1)}`)}${mark(WIDTH / 2, 'middle', '0')}${mark(WIDTH, 'end', `≥ ${percent(reach, 1)}`)}</svg><figcaption>${label}.</figcaption></figure>`;
}
