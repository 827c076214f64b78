import { equityChart, rollingChart, together } from './charts.ts';
import { pageData } from './data.ts';
import { priceChart } from './price-chart.ts';
import { startReadout } from './readout.ts';
import { startTheme } from './theme.ts';
import { startTradesTable } from './trades-table.ts';

startTheme();
const data = pageData();
const readout = startReadout(data);
/** Where stepping from fill to fill goes on from. */
let at = -1;
const prices = priceChart(data, {
  over: (point) => readout.over(prices?.symbol ?? 0, point),
  clicked: (point) => choose(point, false),
});
const equity = equityChart(data);
rollingChart(data);
if (prices !== undefined && equity !== undefined) together(prices.chart, equity);

function choose(point: number, moveThere: boolean): void {
  at = point;
  prices?.choose(point, moveThere);
  readout.fills(prices?.symbol ?? 0, point);
}

function stepFill(direction: 1 | -1): void {
  const points = data.fills.filter((fill) => fill.symbol === prices?.symbol).map((fill) => fill.point);
  const next =
    direction === 1 ? points.find((point) => point > at) : points.findLast((point) => point < at || at < 0);
  if (next !== undefined) choose(next, true);
}

const note = document.getElementById('price-note');
if (note !== null) {
  if (prices === undefined) note.textContent = 'The journal has no prices in its bars: nothing can be drawn.';
  else if (data.barsPerPoint > 1)
    note.textContent = `Each candle is ${data.barsPerPoint} bars: first open, highest high, lowest low, last close. Equity is drawn the same way, and its drawdown by the deepest bar.`;
}
const symbol = document.getElementById('symbol');
if (symbol instanceof HTMLSelectElement) {
  symbol.addEventListener('change', () => {
    at = -1;
    prices?.showSymbol(Number(symbol.value));
  });
}
for (const id of ['show-levels', 'show-trades'])
  document.getElementById(id)?.addEventListener('change', () => prices?.refresh());
document.getElementById('show-all')?.addEventListener('click', () => prices?.chart.timeScale().fitContent());
document.getElementById('earlier-fill')?.addEventListener('click', () => stepFill(-1));
document.getElementById('later-fill')?.addEventListener('click', () => stepFill(1));

startTradesTable(data.moreTrades, (row) => {
  const index = data.symbols.indexOf(row.dataset.symbol ?? '');
  if (symbol instanceof HTMLSelectElement && index >= 0) symbol.value = String(index);
  if (index >= 0 && data.symbols.length > 1) prices?.showSymbol(index);
  at = prices?.showTrade(Number(row.dataset.trade)) ?? at;
  readout.trade(row);
  document.getElementById('prices')?.scrollIntoView();
});
