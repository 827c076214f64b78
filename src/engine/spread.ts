import type { BrokerSettings } from '../broker/index.ts';
import { AppError, Exact, type Fault, faultsError, formatInstant } from '../kernel/index.ts';
import type { BarSeries, Market } from '../market/index.ts';

/**
 * Returns the quoted spread of every symbol, one value per bar in money per unit, if slippage is configured
 * with columns.
 *
 * @returns `undefined` for other slippage
 * @throws AppError `missing_column`; `bad_data` with every row without a spread
 */
export function spreadColumns(market: Market, settings: BrokerSettings): readonly Float64Array[] | undefined {
  const { slippage } = settings;
  if (slippage?.model !== 'spread' || slippage.bps !== undefined) return undefined;
  const { column, bid, ask } = slippage;
  const faults: Fault[] = [];
  const columns = market.series.map((series) => {
    if (column !== undefined) return extraOf(series, column);
    return difference(extraOf(series, ask!), extraOf(series, bid!));
  });
  for (const [index, { symbol, time }] of market.series.entries()) {
    columns[index]!.forEach((value, bar) => {
      if (value >= 0 && value < Number.POSITIVE_INFINITY) return;
      faults.push({
        where: `${symbol} ${formatInstant(time[bar]!)}`,
        message: Number.isNaN(value) ? 'has no spread' : `the spread is ${value}`,
      });
    });
  }
  if (faults.length === 0) return columns;
  throw faultsError(
    'bad_data',
    'The spreads cannot be used',
    faults,
    'A spread is 0 or more, an ask not below its bid.',
  );
}

function extraOf({ symbol, extra }: BarSeries, name: string): Float64Array {
  const column = extra !== undefined && Object.hasOwn(extra, name) ? extra[name] : undefined;
  if (column !== undefined) return column;
  throw new AppError({
    code: 'missing_column',
    message: `The bars of ${symbol} carry no column "${name}", from which the slippage is to be taken.`,
    hint: 'Load them with extraColumns, or choose another slippage model.',
  });
}

// Uses decimals: 100.02 − 100.01 is exactly one cent.
function difference(ask: Float64Array, bid: Float64Array): Float64Array {
  return ask.map((value, bar) => {
    const other = bid[bar]!;
    if (!Number.isFinite(value) || !Number.isFinite(other)) return Number.NaN;
    return Exact.of(value).minus(Exact.of(other)).toNumber();
  });
}
