import type { BrokerSettings, InstrumentSettings } from '../../broker/index.ts';
import { AppError, DAY, type Fault, faultsError, nearest } from '../../kernel/index.ts';
import type { Market } from '../../market/index.ts';
import { ACCOUNT_CURRENCY, currenciesOf, rateOf, type TradedMarket } from '../world/exchange-rates.ts';

const MOST_NAMES = 20;

/**
 * Checks the names in settings against the market. A misspelt symbol would otherwise trade on default terms.
 *
 * @throws AppError `bad_settings` with every unknown symbol and missing rate
 */
export function checkSettingsFit(traded: TradedMarket, settings: BrokerSettings): void {
  const faults = [...instrumentFaults(traded, settings), ...currencyFaults(traded, settings)];
  if (faults.length === 0) return;
  throw faultsError(
    'bad_settings',
    'The settings do not fit the data',
    faults,
    'Use the names of the data. A rate is a number or a series of --data or --fx, for example {"currencies": {"EUR": {"rate": "EURUSD"}}}.',
  );
}

function instrumentFaults({ market, rates }: TradedMarket, { instruments }: BrokerSettings): Fault[] {
  return Object.keys(instruments).flatMap((symbol) => {
    const where = `instruments.${symbol}`;
    if (market.symbols.includes(symbol)) return hoursFaults(instruments[symbol]!, market, where);
    if (rates.some((series) => series.symbol === symbol))
      return [
        {
          where,
          message: 'this symbol only provides exchange rates and is not traded',
          hint: 'remove it',
        },
      ];
    return [{ where, ...missing(symbol, market.symbols) }];
  });
}

function hoursFaults({ hours }: InstrumentSettings, { interval }: Market, where: string): Fault[] {
  if (hours === undefined || interval === undefined || interval.milliseconds < DAY) return [];
  const message = 'hours require bars shorter than a day';
  return [{ where: `${where}.hours`, message, hint: 'remove it' }];
}

function currencyFaults({ market, rates }: TradedMarket, settings: BrokerSettings): Fault[] {
  const account = settings.currency ?? ACCOUNT_CURRENCY;
  const series = [...new Set([...rates, ...market.series].map(({ symbol }) => symbol))];
  const currencies = currenciesOf(market.symbols, settings) ?? [];
  const codes = new Set([...currencies, ...Object.keys(settings.currencies)]);
  return [...codes].sort().flatMap((code) => {
    if (code === account) {
      const message = `${code} is the currency of the account`;
      return Object.hasOwn(settings.currencies, code)
        ? [{ where: `currencies.${code}`, message, hint: 'remove it' }]
        : [];
    }
    const { rate } = rateOf(code, settings, rates);
    if (typeof rate === 'number' || series.includes(rate)) return [];
    const where = `currencies.${code}`;
    const symbol = market.symbols[currencies.indexOf(code)];
    const { message, hint } = missing(rate, series, 'series');
    if (symbol === undefined) return [{ where: `${where}.rate`, message, hint }];
    return [{ where, message: `${symbol} is in ${code}, the account is in ${account}: ${message}`, hint }];
  });
}

function missing(
  name: string,
  known: readonly string[],
  kind = 'symbol',
): { readonly message: string; readonly hint: string } {
  const meant = nearest(name, known);
  const more = known.length > MOST_NAMES ? ` and ${known.length - MOST_NAMES} more` : '';
  const names = `${[...known].sort().slice(0, MOST_NAMES).join(', ')}${more}`;
  return {
    message: `unknown ${kind} ${name}`,
    hint: meant === undefined ? `available: ${names}` : `did you mean ${meant}?`,
  };
}

const OPTIONS = {
  market: true,
  decider: true,
  settings: true,
  detail: true,
  costs: true,
  actions: true,
  rates: true,
  features: true,
  context: true,
  pointInTime: true,
  arrivals: true,
  interestClock: true,
  onEvent: true,
  emitStart: true,
  lightBars: true,
  onProgress: true,
  signal: true,
  onStart: true,
} as const;

/**
 * Throws on unknown options of `runBacktest`. A misspelt option would otherwise be silently ignored.
 *
 * @throws AppError `bad_settings` with every unknown option
 */
export function checkOptionNames(options: unknown): void {
  if (typeof options !== 'object' || options === null) {
    throw new AppError({
      code: 'bad_settings',
      message: 'runBacktest was called without options.',
      hint: 'Pass an object with a market and a decider: runBacktest({ market, decider }).',
    });
  }
  const names = Object.keys(OPTIONS);
  const faults = Object.keys(options).flatMap((name): Fault[] => {
    if (Object.hasOwn(OPTIONS, name)) return [];
    const meant = nearest(name, names);
    const hint = meant === undefined ? `available: ${names.join(', ')}` : `did you mean ${meant}?`;
    return [{ where: name, message: 'unknown option', hint }];
  });
  if (faults.length > 0)
    throw faultsError(
      'bad_settings',
      'The options of runBacktest',
      faults,
      'Fix these options. Terms of the run belong in `settings`.',
    );
}
