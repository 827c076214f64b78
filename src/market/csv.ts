import { formatInstant } from '../kernel/index.ts';
import { type BarSeries, PRICE_COLUMNS } from './bar-series.ts';

/**
 * Returns CSV text that `loadMarket` reads back as the same bars. Several series get a `symbol` column and
 * are sorted by time.
 *
 * @param series one series, or several
 */
export function toCsv(series: BarSeries | readonly BarSeries[]): string {
  if (!('length' in series)) {
    const lines = [`date,${PRICE_COLUMNS.join(',')}`];
    for (let index = 0; index < series.time.length; index++) lines.push(barLine(series, index));
    return `${lines.join('\n')}\n`;
  }
  const rows = series.flatMap((one) => Array.from(one.time, (time, index) => ({ time, one, index })));
  rows.sort((a, b) => a.time - b.time || (a.one.symbol < b.one.symbol ? -1 : 1));
  const lines = rows.map(({ one, index }) => {
    const [date, ...values] = barLine(one, index).split(',');
    return [date, quoted(one.symbol), ...values].join(',');
  });
  return `${[`date,symbol,${PRICE_COLUMNS.join(',')}`, ...lines].join('\n')}\n`;
}

function barLine(series: BarSeries, index: number): string {
  const { time, open, high, low, close, volume } = series;
  return `${formatInstant(time[index]!)},${open[index]},${high[index]},${low[index]},${close[index]},${volume[index]}`;
}

function quoted(symbol: string): string {
  return /[",;|\t]/.test(symbol) ? `"${symbol.replaceAll('"', '""')}"` : symbol;
}
