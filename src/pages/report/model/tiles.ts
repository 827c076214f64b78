import type { SpineRow } from '../../../results/analysis/series/index.ts';
import { type Content, type Html, html } from '../../shared/html.ts';
import { grouped, MISSING, percent, ratio, signedPercent, tone } from '../../shared/number-formats.ts';
import { type SpineTexts, spineTexts } from '../../shared/spine-format.ts';
import type { PageData, Places, TradeRow } from './page-data.ts';
import { dateText, dayText, equityBefore, fallOf, type Range, sumOf, tradesIn } from './range.ts';

interface Tile {
  readonly label: string;
  readonly value: Content;
  readonly detail?: Content;
}

function tileList(tiles: readonly Tile[]): Html {
  return html`<dl class="tiles">${tiles.map(
    ({ label, value, detail }) => html`<div><dt>${label}</dt><dd>${value}<small>${detail}</small></dd></div>`,
  )}</dl>`;
}

/** Returns the main figures of a range of sessions. */
export function tilesOf(data: PageData, range: Range): Html {
  const { sessions } = data;
  const [before, end] = [equityBefore(data, range), sessions.equity[range.to]!];
  const fall = fallOf(data, range);
  const trades = tradeSums(tradesIn(data, range));
  const costs = sumOf(sessions.commission, range) + sumOf(sessions.slippage, range);
  const dayAt = (session: number): Html =>
    html`<span class="date">${dayText(sessions.time[Math.max(session, range.from)]!)}</span>`;
  return tileList([
    {
      label: 'Profit',
      value: grouped(end - before),
      detail: before > 0 ? `${signedPercent(end / before - 1)} of ${grouped(before)}` : '',
    },
    {
      label: 'Worst drawdown',
      value: percent(fall.depth),
      detail: fall.depth < 0 ? html`${dayAt(fall.peak)} to ${dayAt(fall.trough)}` : 'it never fell',
    },
    {
      label: 'Closed trades',
      value: grouped(trades.closed, 0),
      detail: `${percent(trades.winRate, 1)} won, profit factor ${ratio(trades.profitFactor)}`,
    },
    {
      label: 'Best and worst trade',
      value: trades.best === undefined ? MISSING : grouped(trades.best.net),
      detail: trades.worst === undefined ? '' : grouped(trades.worst.net),
    },
    {
      label: 'Commission and slippage',
      value: grouped(costs),
      detail: before > 0 ? `${percent(costs / before)} of the equity at the start` : '',
    },
  ]);
}

/**
 * Returns the table row of a trade. The page contains the first rows, and its script renders the other rows.
 */
export function rowHtml(row: TradeRow, symbol: string, places: Places): Html {
  const cell = (text: string): Html => html`<td>${text}</td>`;
  return html`<tr data-trade="${row.id}"><th scope="row"><button type="button" class="jump" aria-label="Show trade ${row.id}">${row.id}</button></th>${[
    cell(symbol),
    cell(row.side),
    cell(grouped(row.quantity, places.quantity)),
    cell(dateText(row.entryTime)),
    cell(grouped(row.entryPrice, places.price)),
    cell(row.entryReason),
    cell(row.exitTime === null ? '' : dateText(row.exitTime)),
    cell(grouped(row.exitPrice, places.price)),
    cell(row.reason),
    html`<td class="${tone(row.net)}">${grouped(row.net)}</td>`,
    cell(percent(returnOf(row))),
    cell(percent(row.adverse, 1)),
    cell(percent(row.favourable, 1)),
  ]}</tr>`;
}

/** Returns net profit divided by the entry value. `null` if the entry value is zero. */
export function returnOf({ net, notional }: TradeRow): number | null {
  return notional > 0 ? net / notional : null;
}

/** Statistics of closed trades. */
interface TradeSums {
  readonly closed: number;
  readonly winRate: number | null;
  readonly profitFactor: number | null;
  readonly best: TradeRow | undefined;
  readonly worst: TradeRow | undefined;
}

export function tradeSums(rows: readonly TradeRow[]): TradeSums {
  let [closed, won, wins, losses] = [0, 0, 0, 0];
  let [best, worst]: [TradeRow | undefined, TradeRow | undefined] = [undefined, undefined];
  for (const row of rows) {
    if (row.exitTime === null) continue;
    closed += 1;
    if (row.net > 0) [won, wins] = [won + 1, wins + row.net];
    else losses -= row.net;
    if (best === undefined || row.net > best.net) best = row;
    if (worst === undefined || row.net < worst.net) worst = row;
  }
  return {
    closed,
    winRate: closed === 0 ? null : won / closed,
    profitFactor: losses > 0 ? wins / losses : null,
    best,
    worst,
  };
}

/** Descriptions in the comparison table. */
export interface SpineTerms {
  /** Description of the benchmark. */
  readonly benchmark: string;
  /** True if differences may be coloured. False for runs that are broke, incomplete or too short to judge. */
  readonly isJudged: boolean;
}

/**
 * Returns the comparison table at the head of a report: each figure of the run, the benchmark's figure, and
 * the interval of the difference.
 *
 * @param intervals `later` leaves the cells of the intervals empty
 */
export function spineTable(
  rows: readonly SpineRow[],
  { benchmark, isJudged }: SpineTerms,
  intervals: 'now' | 'later' = 'now',
): Html {
  const body = spineTexts(rows);
  return html`<table class="spine"><caption class="hidden">The run beside its benchmark</caption><thead><tr><th scope="col"><span class="hidden">Figure</span></th><th scope="col">Strategy</th><th scope="col" title="${benchmark}">Benchmark</th><th scope="col">at equal volatility</th><th scope="col">Difference <small>95% interval</small></th><td class="whisker"></td></tr></thead><tbody>${body.map((row) => line(row, isJudged, intervals))}</tbody></table>`;
}

function line(
  { row, ...texts }: ReturnType<typeof spineTexts>[number],
  isJudged: boolean,
  intervals: 'now' | 'later',
): Html {
  const { label, unit, own, benchmark, scaled, difference, interval }: SpineTexts = texts;
  const supports = isJudged ? row.supports : null;
  const mark = texts.isToBenchmark ? html`<abbr title="to the benchmark as it is">†</abbr>` : '';
  const isComing = intervals === 'later' && row.difference !== null && !NEVER.has(row.name);
  const bounds: Content =
    interval === '' && !isComing ? '' : html`<small>${isComing ? '…' : interval}</small>`;
  return html`<tr data-figure="${row.name}" data-supports="${supports ?? 'nothing'}"><th scope="row">${label}${unit === '' ? '' : html` <small>${unit}</small>`}</th><td>${own}</td><td>${benchmark}</td><td>${scaled}</td><td class="difference">${difference}${mark} ${bounds}</td><td class="whisker" aria-hidden="true">${whisker(row)}</td></tr>`;
}

/** Figures without an interval. */
const NEVER: ReadonlySet<string> = new Set(['exposure', 'turnover']);

const WIDTH = 96;
const HEIGHT = 14;

/** Draws the interval around zero. Each row is scaled by its own largest bound. */
function whisker({ difference, low, high }: SpineRow): Html | string {
  if (difference === null || low === null || high === null) return '';
  const reach = Math.max(Math.abs(low), Math.abs(high), Math.abs(difference)) * 1.05 || 1;
  const x = (value: number): string => ((value / reach + 1) * (WIDTH / 2)).toFixed(1);
  const middle = HEIGHT / 2;
  return html`<svg viewBox="0 0 ${WIDTH} ${HEIGHT}" width="${WIDTH}" height="${HEIGHT}"><path class="zero" d="M${WIDTH / 2} 0V${HEIGHT}"/><path class="bounds" d="M${x(low)} ${middle}H${x(high)}"/><circle cx="${x(difference)}" cy="${middle}" r="3.5"/></svg>`;
}
