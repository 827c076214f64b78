import type { BrokerSettings, InstrumentSettings } from '../../broker/index.ts';
import {
  AppError,
  DAY,
  type Fault,
  faultsError,
  formatInstant,
  type Instant,
  nearest,
  parseInstant,
} from '../../kernel/index.ts';
import type { BarTimes, Market } from '../../market/index.ts';
import { ACCOUNT_CURRENCY, currenciesOf, rateOf, type TradedMarket } from '../world/exchange-rates.ts';

const MOST_NAMES = 20;

/**
 * Checks that all symbols in the settings are traded, and that every foreign currency has an exchange rate. A
 * misspelt symbol would otherwise trade on default terms. Also checks that bars are short enough for `hours`.
 *
 * @throws AppError `bad_settings` with all faults
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
  feed: true,
  means: true,
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

/**
 * Value of `evaluateFrom` instead of a date: evaluation begins with the first bar on which the run's first
 * decision can fill.
 */
export const FIRST_DECISION = 'first-decision';

/**
 * Returns the index of the first bar at or after a date. A bar that ends exactly at the date counts as before
 * the date.
 *
 * @returns the number of bars if all bars are before the date
 */
export function firstBarFrom(times: ArrayLike<Instant>, from: Instant, barTimes: BarTimes = 'start'): number {
  let [low, high] = [0, times.length];
  while (low < high) {
    const middle = (low + high) >>> 1;
    const isBefore = barTimes === 'end' ? times[middle]! <= from : times[middle]! < from;
    if (isBefore) low = middle + 1;
    else high = middle;
  }
  return low;
}

interface EvaluationSettings {
  readonly evaluateFrom?: string | undefined;
  readonly barTimes: BarTimes;
  readonly fillOn: 'open' | 'close';
}

/**
 * Sets `evaluateFrom` to the end of a strategy's warm-up, unless the settings already have a date.
 *
 * @param warmUp number of bars that must have closed before the first decision, or `first-decision`
 */
export function withWarmUp<Settings extends EvaluationSettings>(
  settings: Settings,
  warmUp: number | typeof FIRST_DECISION | undefined,
  { clock }: Market,
): Settings {
  if (warmUp === undefined || settings.evaluateFrom !== undefined) return settings;
  if (warmUp === FIRST_DECISION) return { ...settings, evaluateFrom: FIRST_DECISION };
  const bars = Math.ceil(warmUp);
  // A warm-up of one bar has no effect, because every decision is made after at least one closed bar.
  if (!(bars > 1 && bars < clock.length)) return settings;
  // By default, a decision at the close of the last warm-up bar fills on the next bar. With `fillOn:
  // "close"`, it fills at this close.
  const first = settings.fillOn === 'close' ? bars - 1 : bars;
  const from = clock[settings.barTimes === 'end' ? first - 1 : first]!;
  return { ...settings, evaluateFrom: formatInstant(from) };
}

/**
 * Returns the bar at whose close the first decision is made: the last bar before the date, or 0 without a
 * date.
 *
 * The date is `evaluateFrom`. If orders fill at the close of their decision, returns the first bar at or
 * after the date instead. An earlier fill would affect the equity at the start of the evaluation.
 *
 * @throws AppError `bad_settings` for a date without a bar before it or after it
 */
export function firstAskedBar(
  { clock, growing }: Market,
  { evaluateFrom, barTimes, fillOn }: EvaluationSettings,
): number {
  if (evaluateFrom === undefined || evaluateFrom === FIRST_DECISION) return 0;
  const from = parseInstant(evaluateFrom) ?? Number.NaN;
  const bar = firstBarFrom(clock, from, barTimes);
  if (bar > 0 && (bar < clock.length || growing === true)) return fillOn === 'close' ? bar : bar - 1;
  const [first, last] = [formatInstant(clock[0]!), formatInstant(clock.at(-1)!)];
  throw new AppError({
    code: 'bad_settings',
    message:
      bar === 0
        ? `evaluateFrom is ${evaluateFrom} and the data begin at ${first}. A decision needs a bar before evaluateFrom.`
        : `evaluateFrom is ${evaluateFrom} and the data end at ${last}. No bar is left to evaluate.`,
    hint:
      bar === 0
        ? 'Use data that begin earlier, or set a later date with --evaluate-from.'
        : 'Use data that end later, or set an earlier date with --evaluate-from.',
  });
}
