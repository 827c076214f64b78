import {
  type BenchmarkRow,
  type BenchmarkRowName,
  sharpeInterval,
} from '../../../results/analysis/series/index.ts';
import { type BenchmarkTexts, benchmarkTexts } from '../../shared/benchmark-format.ts';
import { type Content, type Html, html } from '../../shared/html.ts';
import { grouped, percent, ratio, signedPercent, tone } from '../../shared/number-formats.ts';
import type { PageData, Places, TradeRow } from './page-data.ts';
import { dateText, dayText, equityBefore, fallOf, type Range, returnsOf, sumOf, tradesIn } from './range.ts';

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

/**
 * Returns the main figures of a range of sessions.
 *
 * @param rows rows of the comparison with the benchmark for this range
 * @param isCommon true if the benchmark covers all sessions of the range; if false, the figures of the
 *   benchmark are omitted
 */
export function tilesOf(data: PageData, range: Range, rows: readonly BenchmarkRow[], isCommon = true): Html {
  const { sessions, terms } = data;
  const [before, end] = [equityBefore(data, range), sessions.equity[range.to]!];
  const fall = fallOf(data, range);
  const trades = tradeSums(tradesIn(data, range));
  const costs = sumOf(sessions.commission, range) + sumOf(sessions.slippage, range);
  const row = (name: BenchmarkRowName): BenchmarkRow | undefined => rows.find((one) => one.name === name);
  const own = (name: BenchmarkRowName): number | null => row(name)?.own ?? null;
  const held = (name: BenchmarkRowName, write: (value: number) => string): string => {
    const value = isCommon ? (row(name)?.benchmark ?? null) : null;
    return value === null ? '' : `benchmark ${write(value)}`;
  };
  const returns = returnsOf(data, range);
  const interval =
    returns === undefined ? undefined : sharpeInterval(returns, terms.periodsPerYear, terms.riskFree);
  const dayAt = (session: number): Html =>
    html`<span class="date">${dayText(sessions.time[Math.max(session, range.from)]!)}</span>`;
  return tileList([
    {
      label: 'Total return',
      value: signedPercent(before > 0 ? end / before - 1 : null),
      detail: `${grouped(end - before)}${isCommon ? `; ${held('totalReturn', signedPercent)}` : ''}`.replace(
        /; $/,
        '',
      ),
    },
    { label: 'CAGR', value: signedPercent(own('cagr')), detail: held('cagr', signedPercent) },
    {
      label: 'Sharpe ratio',
      value: ratio(own('sharpe')),
      detail:
        interval &&
        html`95% interval <span class="date">${ratio(interval.low)} to ${ratio(interval.high)}</span>`,
    },
    {
      label: 'Max drawdown',
      value: percent(fall.depth),
      detail: fall.depth < 0 ? html`${dayAt(fall.peak)} to ${dayAt(fall.trough)}` : 'equity never fell',
    },
    { label: 'Volatility', value: percent(own('volatility')), detail: held('volatility', percent) },
    {
      label: 'Closed trades',
      value: grouped(trades.closed, 0),
      detail:
        trades.closed === 0
          ? ''
          : `${percent(trades.winRate, 1)} won; profit factor ${ratio(trades.profitFactor)}`,
    },
    {
      label: 'Mean exposure',
      value: percent(own('exposure'), 1),
      detail: own('turnover') === null ? '' : `turnover ${ratio(own('turnover'))} a year`,
    },
    {
      label: 'Trading costs',
      value: grouped(costs),
      detail: costs > 0 && before > 0 ? `${percent(costs / before)} of initial equity` : '',
    },
  ]);
}

/**
 * Returns the table row of a trade. The initial page contains the first rows; the page's script adds all
 * others.
 */
export function rowHtml(row: TradeRow, symbol: string, places: Places): Html {
  const cells = [
    symbol,
    row.side,
    grouped(row.quantity, places.quantity),
    dateText(row.entryTime),
    grouped(row.entryPrice, places.price),
    row.entryReason,
    row.exitTime === null ? '' : dateText(row.exitTime),
    grouped(row.exitPrice, places.price),
    row.reason,
    html`<span class="${tone(row.net)}">${grouped(row.net)}</span>`,
    percent(returnOf(row)),
    percent(row.adverse, 1),
    percent(row.favourable, 1),
  ];
  return html`<tr data-trade="${row.id}"><th scope="row"><button type="button" class="jump" aria-label="Show trade ${row.id}">${row.id}</button></th>${cells.map((cell, place) => html`<td${tradeColumnClass(place + 1)}>${cell}</td>`)}</tr>`;
}

/**
 * HTML classes for columns of the trades table, by column number. They align a column, or hide it on narrow
 * screens.
 */
const TRADE_COLUMNS: Readonly<Record<number, Html>> = {
  1: html` class="text"`,
  2: html` class="text"`,
  3: html` class="not-phone"`,
  5: html` class="not-phone"`,
  6: html` class="text not-phone"`,
  8: html` class="not-phone"`,
  9: html` class="text not-phone"`,
  11: html` class="not-phone"`,
  12: html` class="desk-only"`,
  13: html` class="desk-only"`,
};

export function tradeColumnClass(column: number): Html | string {
  return TRADE_COLUMNS[column] ?? '';
}

/** Returns net profit as a fraction of the entry value. `null` if the entry value is zero. */
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

/**
 * Returns a text with the number and the net profit of the trades in `found`, separately for closed and open
 * trades.
 *
 * @param all trades of the run. If `found` has fewer trades, the text states both numbers
 */
export function tradeCountText(found: readonly TradeRow[], all: readonly TradeRow[]): string {
  const part = (isOpen: boolean, words: (count: number) => string): string => {
    const [own, whole] = [found, all].map((rows) =>
      rows.filter(({ exitTime }) => (exitTime === null) === isOpen),
    );
    const net = own!.reduce((sum, row) => sum + row.net, 0);
    const count = own!.length === whole!.length ? '' : `${grouped(own!.length, 0)} of `;
    return `${count}${grouped(whole!.length, 0)} ${words(whole!.length)}${own!.length === 0 ? '' : `, net of commission ${grouped(net)}`}`;
  };
  const closed = part(false, (count) => (count === 1 ? 'closed trade' : 'closed trades'));
  return all.every(({ exitTime }) => exitTime !== null) ? closed : `${closed}; ${part(true, () => 'open')}`;
}

/** Texts and settings of the comparison table. */
export interface BenchmarkTableTerms {
  /** Name of the benchmark, for the head of the table. */
  readonly benchmark: string;
  /**
   * True if differences may be coloured as good or bad. False if the run went broke, is incomplete or is too
   * short to judge.
   */
  readonly isJudged: boolean;
}

/**
 * Returns the comparison table at the head of a report. Each row contains a figure of the run, the same
 * figure of the benchmark, and the confidence interval of the difference.
 *
 * @param intervals `later` leaves the cells of the intervals empty
 */
export function benchmarkTableHtml(
  rows: readonly BenchmarkRow[],
  { benchmark, isJudged }: BenchmarkTableTerms,
  intervals: 'now' | 'later' = 'now',
): Html {
  const body = benchmarkTexts(rows);
  return html`<table class="spine"><caption class="hidden">The run beside its benchmark</caption><thead><tr><th scope="col"><span class="hidden">Figure</span></th><th scope="col">Strategy</th><th scope="col" title="${benchmark}">Benchmark</th><th scope="col">at equal volatility</th><th scope="col">Difference <small>95% interval</small></th><td class="whisker"></td></tr></thead><tbody>${body.map((row) => line(row, isJudged, intervals))}</tbody></table>`;
}

function line(
  { row, ...texts }: ReturnType<typeof benchmarkTexts>[number],
  isJudged: boolean,
  intervals: 'now' | 'later',
): Html {
  const { label, unit, own, benchmark, scaled, difference, interval }: BenchmarkTexts = texts;
  const supports = isJudged ? row.supports : null;
  const mark = texts.isToBenchmark ? html`<abbr title="to the benchmark as it is">†</abbr>` : '';
  const isComing = intervals === 'later' && row.difference !== null && !NEVER.has(row.name);
  const bounds: Content =
    interval === '' && !isComing ? '' : html`<small>${isComing ? '…' : interval}</small>`;
  return html`<tr data-figure="${row.name}" data-state="${supports ?? 'nothing'}"><th scope="row">${label}${unit === '' ? '' : html` <small>${unit}</small>`}</th><td>${own}</td><td>${benchmark}</td><td>${scaled}</td><td class="difference">${difference}${mark} ${bounds}</td><td class="whisker" aria-hidden="true">${whisker(row)}</td></tr>`;
}

/** Figures for which no confidence interval is calculated. */
const NEVER: ReadonlySet<string> = new Set(['exposure', 'turnover']);

const WIDTH = 96;
const HEIGHT = 14;

/**
 * Draws the difference from the benchmark, with its confidence interval, on an axis centred on zero. The
 * scale differs from row to row.
 */
function whisker({ difference, low, high }: BenchmarkRow): Html | string {
  if (difference === null || low === null || high === null) return '';
  const reach = Math.max(Math.abs(low), Math.abs(high), Math.abs(difference)) * 1.05 || 1;
  const x = (value: number): string => ((value / reach + 1) * (WIDTH / 2)).toFixed(1);
  const middle = HEIGHT / 2;
  return html`<svg viewBox="0 0 ${WIDTH} ${HEIGHT}" width="${WIDTH}" height="${HEIGHT}"><path class="zero" d="M${WIDTH / 2} 0V${HEIGHT}"/><path class="bounds" d="M${x(low)} ${middle}H${x(high)}"/><circle cx="${x(difference)}" cy="${middle}" r="3.5"/></svg>`;
}
