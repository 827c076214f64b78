import type { Cone, TradeCones } from '../../results/analysis/index.ts';
import { percent, signedPercent } from '../shared/formats.ts';
import { type Html, html } from '../shared/html.ts';

const WIDTH = 480;
const HEIGHT = 220;
const FOOT = 22;
const HEAD = 8;

/**
 * Draws the four cones of the Monte Carlo over trades: equity and drawdown, each with shuffled and with
 * resampled trades.
 */
export function tradeConePictures(cones: TradeCones): Html {
  const { actual, shuffled, resampled, trades } = cones;
  const equity = { own: actual.equity, text: (value: number) => signedPercent(value - 1, 0) };
  const drawdown = { own: actual.drawdown, text: (value: number) => percent(value, 0) };
  return html`<div class="cones">${[
    picture(
      'Equity, the same trades drawn anew',
      resampled.equity,
      cones.points,
      equity,
      `At the end, nine draws of ten gave ${signedPercent(resampled.totalReturn.q05)} to ${signedPercent(resampled.totalReturn.q95)}; ${percent(resampled.losing, 0)} lost money.`,
    ),
    picture(
      'Deepest drawdown so far, the same trades drawn anew',
      resampled.drawdown,
      cones.points,
      drawdown,
      `One draw in twenty fell by ${percent(-resampled.maxDrawdown.q05)} or more.`,
    ),
    picture(
      'Equity, the same trades in another order',
      shuffled.equity,
      cones.points,
      equity,
      `Every order of the ${trades} trades ends at ${signedPercent(actual.totalReturn)}.`,
    ),
    picture(
      'Deepest drawdown so far, the same trades in another order',
      shuffled.drawdown,
      cones.points,
      drawdown,
      `The actual order fell by ${percent(-actual.maxDrawdown)} at the trades' ends; ${percent(shuffled.asDeep, 0)} of orders fell as deep, and one in twenty by ${percent(-shuffled.maxDrawdown.q05)} or more.`,
    ),
  ]}</div>`;
}

function picture(
  title: string,
  cone: Cone,
  points: readonly number[],
  actual: { readonly own: readonly number[]; readonly text: (value: number) => string },
  caption: string,
): Html {
  const all = [...cone.q05, ...cone.q95, ...actual.own];
  const [low, high] = [Math.min(...all), Math.max(...all)];
  const reach = high - low || 1;
  const last = points.at(-1) || 1;
  const x = (index: number): string => ((points[index]! / last) * WIDTH).toFixed(1);
  const y = (value: number): string =>
    (HEAD + (1 - (value - low) / reach) * (HEIGHT - FOOT - HEAD)).toFixed(1);
  const path = (values: readonly number[]): string =>
    values.map((value, index) => `${x(index)},${y(value)}`).join(' ');
  const band = (below: readonly number[], above: readonly number[]): string =>
    `${path(above)} ${below
      .map((value, index) => `${x(index)},${y(value)}`)
      .reverse()
      .join(' ')}`;
  return html`<figure><h3>${title}</h3><svg viewBox="0 0 ${WIDTH} ${HEIGHT}" role="img" aria-label="${`${title}. ${caption}`}" class="cone"><polygon class="wide" points="${band(cone.q05, cone.q95)}"></polygon><polygon class="narrow" points="${band(cone.q25, cone.q75)}"></polygon><polyline class="middle" points="${path(cone.q50)}"></polyline><polyline class="own" points="${path(actual.own)}"></polyline><line class="axis" x1="0" x2="${WIDTH}" y1="${HEIGHT - FOOT}" y2="${HEIGHT - FOOT}"></line><text x="2" y="${HEAD + 12}">${actual.text(high)}</text><text x="2" y="${HEIGHT - FOOT - 4}">${actual.text(low)}</text><text x="${WIDTH}" y="${HEIGHT - 6}" text-anchor="end">${`trade ${last}`}</text></svg><figcaption>${caption}</figcaption></figure>`;
}
