import { AppError, type Fault, faultsError, formatInstant } from '../../kernel/index.ts';
import { type BarSeries, PRICE_COLUMNS } from '../bars/bar-columns.ts';
import { dayBarFault, dayBarsIn } from './day-bars.ts';

/** Maximum number of reported faults per series. */
const MOST_FAULTS = 20;
/** First and last instant whose year has at most four digits, so that it can be written as a date. */
const FIRST_TIME = -62_167_219_200_000;
const LAST_TIME = 253_402_300_799_999;

/**
 * Validates series created in code by the same rules as files.
 *
 * @throws AppError `bad_data` with the first twenty faults of every series
 */
export function checkSeries(series: readonly BarSeries[]): void {
  if (!Array.isArray(series))
    throw new AppError({
      code: 'bad_data',
      message: `The bars cannot be used: ${kindOf(series)} was given where an array of series belongs.`,
      hint: 'Pass an array, such as createMarket([barSeries("AAPL", bars)]).',
    });
  const faults = series.flatMap((one, index) => seriesFaults(one, index));
  if (faults.length === 0) return;
  throw faultsError(
    'bad_data',
    'The bars cannot be used',
    faults,
    'Give each series a symbol and columns of one length: times that rise, prices above 0 with the high and the low around open and close, volumes of at least 0.',
  );
}

function seriesFaults(series: BarSeries, index: number): Fault[] {
  if (typeof series !== 'object' || series === null)
    return [{ where: `series ${index}`, message: `is ${kindOf(series)}, not a series of bars` }];
  const symbol: unknown = series.symbol;
  if (typeof symbol !== 'string' || symbol.trim() === '')
    return [{ where: `series ${index}`, message: 'its symbol is empty' }];
  const name = symbol.trim().toUpperCase();
  if (symbol !== name)
    return [{ where: `series ${index}`, message: `its symbol is "${symbol}": write it as "${name}"` }];
  const extra = Object.entries(series.extra ?? {});
  const columns = [['time', series.time], ...PRICE_COLUMNS.map((name) => [name, series[name]]), ...extra];
  const length = series.time?.length;
  const uneven = (columns as [string, Float64Array | undefined][]).flatMap(([name, column]): Fault[] => {
    if (!(column instanceof Float64Array))
      return [{ where: symbol, message: `${name} is not a Float64Array` }];
    if (column.length === length) return [];
    return [{ where: symbol, message: `${name} has ${column.length} values and time has ${length}` }];
  });
  const interval: unknown = series.interval;
  if (interval !== undefined && typeof interval !== 'string')
    uneven.push({
      where: symbol,
      message: `its interval is ${kindOf(interval)}, not a text`,
      hint: 'write a count and a unit, such as "1h"',
    });
  return uneven.length > 0 ? uneven : barFaults(series, extra);
}

function kindOf(value: unknown): string {
  if (value === null || value === undefined || typeof value === 'number' || typeof value === 'boolean')
    return String(value);
  return typeof value === 'object' ? 'an object' : `a ${typeof value}`;
}

function barFaults(series: BarSeries, extra: readonly (readonly [string, Float64Array])[]): Fault[] {
  const { symbol, time, open, high, low, close, volume } = series;
  const faults: Fault[] = [];
  for (let bar = 0; bar < time.length && faults.length < MOST_FAULTS; bar++) {
    const [now, o, h, l, c, v] = [time[bar]!, open[bar]!, high[bar]!, low[bar]!, close[bar]!, volume[bar]!];
    // Fast check: one chain of comparisons accepts a valid bar. NaN fails every comparison.
    const isGood =
      l > 0 &&
      l <= o &&
      l <= c &&
      h >= o &&
      h >= c &&
      h < Infinity &&
      v >= 0 &&
      v < Infinity &&
      now >= FIRST_TIME &&
      now <= LAST_TIME &&
      now % 1 === 0 &&
      (bar === 0 || now > time[bar - 1]!);
    if (isGood) continue;
    const isDate = now >= FIRST_TIME && now <= LAST_TIME && now % 1 === 0;
    const where = `${symbol} bar ${bar}${isDate ? ` (${formatInstant(now)})` : ''}`;
    const add = (message: string): void => void faults.push({ where, message });
    if (!isDate) add(`time ${now} is not an instant: give whole milliseconds since 1970`);
    else if (bar > 0 && now === time[bar - 1]) add('repeats the time of the bar before');
    else if (bar > 0 && now < time[bar - 1]!) add(`comes after the later ${formatInstant(time[bar - 1]!)}`);
    for (const [name, value] of [
      ['open', o],
      ['high', h],
      ['low', l],
      ['close', c],
    ] as const)
      if (!(value > 0 && value < Infinity)) add(`${name} is ${value}, not a price above 0`);
    if (h < Math.max(o, c)) add(`high ${h} is below ${h < o ? `open ${o}` : `close ${c}`}`);
    if (l > Math.min(o, c)) add(`low ${l} is above ${l > o ? `open ${o}` : `close ${c}`}`);
    if (!(v >= 0 && v < Infinity)) add(`volume is ${v}, not a number of at least 0`);
  }
  for (const [name, column] of extra) {
    const bar = column.findIndex((value) => !(value >= 0 && value < Infinity));
    if (bar < 0) continue;
    const where = `${symbol} bar ${bar} (${formatInstant(time[bar]!)})`;
    faults.push({ where, message: `${name} is ${column[bar]}, not a number of at least 0` });
  }
  if (faults.length > 0) return faults;
  return dayBarsIn(series)
    .slice(0, MOST_FAULTS)
    .map((found) => {
      const where = `${symbol} bar ${found.index} (${formatInstant(time[found.index]!)})`;
      return { where, ...dayBarFault(found) };
    });
}
