import { type Html, html } from '../../../shared/html.ts';
import { grouped, percent, signedPercent, tone } from '../../../shared/number-formats.ts';
import type { Step } from '../attribution.ts';
import type { TradeRow } from '../page-data.ts';
import {
  extentOf,
  figure,
  fixed,
  footAxis,
  lineThrough,
  plot,
  roomy,
  thinned,
  ticks,
  valueAxis,
} from './plot.ts';

const SIZE = { width: 560, height: 220 };
const DAY = 86_400;

/**
 * Draws the maximum adverse and favourable excursion of each closed trade. All points of one colour form a
 * single SVG path, so that ten thousand trades are drawn quickly.
 */
export function excursionScatter(rows: readonly TradeRow[]): Html {
  const known = rows.filter(
    (row): row is TradeRow & { adverse: number; favourable: number } =>
      row.exitTime !== null && row.adverse !== null && row.favourable !== null,
  );
  if (known.length === 0) return html`<p>No closed trade has prices to measure it by.</p>`;
  const across = roomy(extentOf([0, ...known.map(({ adverse }) => adverse)]));
  const up = roomy(extentOf([0, ...known.map(({ favourable }) => favourable)]));
  const at = plot(SIZE, across, up);
  const dots = (isWon: boolean): string =>
    known
      .filter(({ net }) => net > 0 === isWon)
      .map(({ adverse, favourable }) => `M${fixed(at.x(adverse))} ${fixed(at.y(favourable))}h0`)
      .join('');
  const label = `${known.length} closed ${known.length === 1 ? 'trade' : 'trades'} by maximum adverse excursion (MAE, across) and maximum favourable excursion (MFE, up). Trades with a loss are red.`;
  const places = Math.max(Math.abs(across.low), up.high) < 0.04 ? 1 : 0;
  return figure(
    'excursions',
    label,
    SIZE,
    valueAxis(at, up, (value) => percent(value, places)),
    footAxis(
      at,
      ticks(across).map((value) => [value, percent(value, places)] as const),
    ),
    html`<path class="dots gain" d="${dots(true)}"/><path class="dots loss" d="${dots(false)}"/>`,
  );
}

/** Draws the cumulative net profit after each closed trade. */
export function tradeByTrade(rows: readonly TradeRow[]): Html {
  const closed = rows.filter(({ exitTime }) => exitTime !== null);
  if (closed.length < 2)
    return html`<p>${closed.length === 0 ? 'No trade was closed.' : 'One trade was closed.'}</p>`;
  let sum = 0;
  const sums = [0, ...closed.map(({ net }) => (sum += net))];
  const up = roomy(extentOf(sums));
  const at = plot(SIZE, { low: 0, high: closed.length }, up);
  const places = thinned(sums.length);
  const path = lineThrough(
    at,
    places,
    places.map((place) => sums[place]!),
  );
  const label = `What ${closed.length} closed ${closed.length === 1 ? 'trade' : 'trades'} had made, one after the other: ${grouped(sum)} net in the end.`;
  return figure(
    'trade-by-trade',
    label,
    SIZE,
    valueAxis(at, up, (value) => grouped(value, 0)),
    footAxis(at, [
      [0, '0'],
      [closed.length, `${closed.length} trades`],
    ]),
    html`<path class="zero" d="M${at.left} ${fixed(at.y(0))}H${at.right}"/><path class="own" d="${path}"/>`,
  );
}

/** Draws the net return of each closed trade against its holding time. */
export function holdingTimes(rows: readonly TradeRow[]): Html {
  const closed = rows.filter(({ exitTime, notional }) => exitTime !== null && notional > 0);
  if (closed.length === 0) return html``;
  const days = (row: TradeRow): number => (row.exitTime! - row.entryTime) / DAY;
  // Most holding times are short and a few are very long, so the axis is logarithmic.
  const place = (row: TradeRow): number => Math.log10(Math.max(days(row), 1 / 1440));
  const across = roomy(extentOf(closed.map(place)), 0.03);
  const up = roomy(extentOf([0, ...closed.map(({ net, notional }) => net / notional)]));
  const at = plot(SIZE, across, up);
  const dots = (isWon: boolean): string =>
    closed
      .filter(({ net }) => net > 0 === isWon)
      .map((row) => `M${fixed(at.x(place(row)))} ${fixed(at.y(row.net / row.notional))}h0`)
      .join('');
  const marks = SPANS.map(([span, name]) => [Math.log10(span), name] as const).filter(
    ([value]) => value >= across.low && value <= across.high,
  );
  const longest = closed.reduce((most, row) => Math.max(most, days(row)), 0);
  const label = `How long ${closed.length} closed ${closed.length === 1 ? 'trade was' : 'trades were'} held (across; at most ${grouped(longest, 1)} days) and what each returned of its entry (up).`;
  return figure(
    'holding',
    label,
    SIZE,
    valueAxis(at, up, (value) => signedPercent(value, Math.max(up.high, -up.low) < 0.04 ? 1 : 0)),
    footAxis(at, marks),
    html`<path class="zero" d="M${at.left} ${fixed(at.y(0))}H${at.right}"/><path class="dots gain" d="${dots(true)}"/><path class="dots loss" d="${dots(false)}"/>`,
  );
}

const SPANS: readonly (readonly [days: number, name: string])[] = [
  [1 / 1440, '1 min'],
  [1 / 24, '1 h'],
  [1, '1 day'],
  [7, '1 week'],
  [30, '1 month'],
  [365, '1 year'],
];

const ROW = 26;
const NAME = 236;
const WIDTH = 666;
const AMOUNT = 110;

/** Draws the steps from zero to the profit as bars. Each bar begins at the end of the previous bar. */
export function waterfall(steps: readonly Step[], profit: number): Html {
  const shown = [...steps.filter(({ amount }, place) => place === 0 || amount !== 0)];
  let sum = 0;
  const bars = shown.map(({ name, amount }) => {
    const from = sum;
    sum += amount;
    return { name, amount, from, to: sum, isTotal: false };
  });
  bars.push({ name: 'Profit', amount: profit, from: 0, to: profit, isTotal: true });
  const ends = bars.flatMap(({ from, to }) => [from, to]);
  const [low, high] = [Math.min(0, ...ends), Math.max(0, ...ends)];
  const x = (value: number): number => NAME + ((value - low) / (high - low || 1)) * (WIDTH - NAME - AMOUNT);
  const rows = bars.map(({ name, amount, from, to, isTotal }, place) => {
    const top = place * ROW + 4;
    const [left, width] = [Math.min(x(from), x(to)), Math.max(Math.abs(x(to) - x(from)), 1)];
    const link =
      place === 0 ? '' : html`<path class="grid" d="M${fixed(x(isTotal ? to : from))} ${top - 8}v8"/>`;
    return html`${link}<text x="0" y="${top + 13}" class="name">${name}</text><rect class="${isTotal ? 'total' : tone(amount)}" x="${fixed(left)}" y="${top}" width="${fixed(width)}" height="18" rx="2"/><text x="${WIDTH}" y="${top + 13}" text-anchor="end" class="${isTotal ? 'sum' : ''}">${grouped(amount)}</text>`;
  });
  const label = `From prices to the profit: ${bars.map(({ name, amount }) => `${name.toLowerCase()} ${grouped(amount)}`).join(', ')}.`;
  const zero = html`<path class="zero" d="M${fixed(x(0))} 0V${bars.length * ROW}"/>`;
  return figure('waterfall', label, { width: WIDTH, height: bars.length * ROW + 4 }, zero, rows);
}
