import { type Content, type Html, html } from '../../shared/html.ts';
import { grouped, MISSING, percent, ratio, signedPercent } from '../../shared/number-formats.ts';
import { dayText } from './dates.ts';
import type { PageData } from './page-data.ts';
import { equityBefore, fallOf, type Range, sumOf, tradesIn } from './range.ts';
import { tradeSums } from './trade-figures.ts';

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
