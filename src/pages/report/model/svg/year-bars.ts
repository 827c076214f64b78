import { type Html, html } from '../../../shared/html.ts';
import { percent, signedPercent } from '../../../shared/number-formats.ts';
import { extentOf, figure, fixed, plot, roomy, valueAxis } from './plot.ts';

export interface YearPair {
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
    return html`<g><title>${year}: ${signedPercent(own)}, benchmark ${signedPercent(held)}</title>${bar('own', x, own)}${bar('held-bar', x + width, held)}${text}</g>`;
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
