import { equityChart, priceChart, rollingChart, together } from './charts.ts';
import { pageData } from './data.ts';
import { startTheme } from './theme.ts';
import { startTradesTable } from './trades-table.ts';

startTheme();
const data = pageData();
const prices = priceChart(data);
const equity = equityChart(data);
rollingChart(data);
if (prices !== undefined && equity !== undefined) together(prices.chart, equity);

const note = document.getElementById('price-note');
if (note !== null) {
  if (prices === undefined) note.textContent = 'The journal has no prices in its bars: nothing can be drawn.';
  else if (data.barsPerPoint > 1)
    note.textContent = `Each candle is ${data.barsPerPoint} bars: first open, highest high, lowest low, last close. Equity is drawn the same way, and its drawdown by the deepest bar.`;
}
const symbol = document.getElementById('symbol');
if (symbol instanceof HTMLSelectElement) {
  symbol.addEventListener('change', () => prices?.showSymbol(Number(symbol.value)));
}
for (const id of ['show-levels', 'show-trades'])
  document.getElementById(id)?.addEventListener('change', () => prices?.refresh());
document.getElementById('show-all')?.addEventListener('click', () => prices?.chart.timeScale().fitContent());

startTradesTable((trade, name) => {
  const index = data.symbols.indexOf(name);
  if (symbol instanceof HTMLSelectElement && index >= 0) symbol.value = String(index);
  if (index >= 0 && data.symbols.length > 1) prices?.showSymbol(index);
  prices?.showTrade(trade);
  document.getElementById('prices')?.scrollIntoView();
});
