import { AppError, describeValue, type Fault, faultsError, nearest } from '../../kernel/index.ts';
import type { PRICE_COLUMNS } from '../bars/bar-columns.ts';
import type { Column } from '../bars/column.ts';
import {
  adxCalculator,
  atrCalculator,
  bollingerCalculator,
  type Calculator,
  deviationCalculator,
  donchianCalculator,
  emaCalculator,
  extremeCalculator,
  macdCalculator,
  rsiCalculator,
  smaCalculator,
  zscoreCalculator,
} from './calculators.ts';

/** Column of a bar that an indicator reads. */
export type PriceColumn = (typeof PRICE_COLUMNS)[number];

/** Values of an indicator, one per visible bar. `NaN` until the indicator has enough bars. */
export interface Indicator extends Column {
  /** Value of the bar before the newest. */
  readonly previous: number;
  /**
   * Returns the same indicator of another symbol, or of a series that is not traded.
   *
   * @throws AppError `unknown_symbol`
   */
  of(symbol: string): Indicator;
}

/** Indicator with several values per bar, each by its name. */
export type IndicatorGroup<Name extends string> = {
  readonly [Key in Name]: Indicator;
} & {
  /**
   * Returns the same indicator of another symbol, or of a series that is not traded.
   *
   * @throws AppError `unknown_symbol`
   */
  of(symbol: string): IndicatorGroup<Name>;
};

/** Indicator that a strategy declares, before it has values. */
export interface DeclaredIndicator<Value = Indicator | IndicatorGroup<never>> {
  /** Text that is equal for equal indicators, such as `sma 20 close`. */
  readonly key: string;
  /** Columns of a bar that the indicator reads: one to three. */
  readonly inputs: readonly PriceColumn[];
  /** Names of its values. `undefined` for a single value. */
  readonly outputs: readonly string[] | undefined;
  /** Creates a calculator that has seen no bar. */
  readonly create: () => Calculator;
  /** Faults of its arguments. */
  readonly faults: readonly string[];
  /** Type of its values. Exists for the compiler only. */
  readonly value?: Value;
}

/** Maps the names of declared indicators to the types of their values. */
export type IndicatorsOf<Declared> = {
  readonly [Name in keyof Declared]: Declared[Name] extends DeclaredIndicator<infer Value> ? Value : never;
};

type Single = DeclaredIndicator<Indicator>;
type Group<Name extends string> = DeclaredIndicator<IndicatorGroup<Name>>;

/**
 * Functions that declare the indicators of a strategy. Formulas, defaults and values are those of the Python
 * package `ta`. A length is a whole number of bars, 1 or more.
 */
export interface IndicatorKit<Parameters = Readonly<Record<string, unknown>>> {
  /** Parameters of the strategy. */
  readonly p: Parameters;
  /** Simple moving average. Default: 10 closes. */
  sma(length?: number, source?: PriceColumn): Single;
  /** Exponential moving average, seeded with a simple average. Default: 10 closes. */
  ema(length?: number, source?: PriceColumn): Single;
  /** Wilder's relative strength index, 0 to 100. `NaN` until the first price change. Default: 14 closes. */
  rsi(length?: number, source?: PriceColumn): Single;
  /**
   * MACD: `line` is the fast exponential average minus the slow one. `signal` is the exponential average of
   * `line`. `histogram` is `line` minus `signal`. Default: 12, 26 and 9 closes.
   */
  macd(
    fast?: number,
    slow?: number,
    signal?: number,
    source?: PriceColumn,
  ): Group<'line' | 'signal' | 'histogram'>;
  /** Average true range with Wilder's smoothing. Default: 14 bars. */
  atr(length?: number): Single;
  /**
   * Bollinger bands. `middle` is a simple moving average. The bands are `deviations` standard deviations
   * (divisor `length`) below and above `middle`. `width` is the distance of the bands in percent of `middle`.
   * `percent` is 0 at the lower band and 1 at the upper band. Default: 5 closes, 2 deviations.
   */
  bollinger(
    length?: number,
    deviations?: number,
    source?: PriceColumn,
  ): Group<'lower' | 'middle' | 'upper' | 'width' | 'percent'>;
  /**
   * Donchian channels: lowest low of `lower` bars, highest high of `upper` bars, and their middle. Includes
   * the newest bar. Default: 20 bars; `upper` is `lower` if omitted.
   */
  donchian(lower?: number, upper?: number): Group<'lower' | 'middle' | 'upper'>;
  /**
   * Average directional index with its two directional lines. `signal` is the length of the last smoothing.
   * Default: 14 bars; `signal` is `length` if omitted.
   */
  adx(length?: number, signal?: number): Group<'adx' | 'plus' | 'minus'>;
  /** Rolling standard deviation with the divisor `length - 1`. `NaN` for the length 1. Default: 30 closes. */
  stdev(length?: number, source?: PriceColumn): Single;
  /**
   * Distance of the newest value from its moving average, in standard deviations (divisor `length - 1`).
   * `NaN` while prices are constant. Default: 30 closes.
   */
  zscore(length?: number, source?: PriceColumn): Single;
  /** Highest value of the last `length` bars, including the newest. Default: 20 highs. */
  highest(length?: number, source?: PriceColumn): Single;
  /** Lowest value of the last `length` bars, including the newest. Default: 20 lows. */
  lowest(length?: number, source?: PriceColumn): Single;
}

/** Maximum length of an indicator in bars. Longer windows would need too much memory. */
const MOST_BARS = 1_000_000;
const COLUMNS: readonly PriceColumn[] = ['open', 'high', 'low', 'close', 'volume'];

function declared<Value>(
  name: string,
  numbers: Readonly<Record<string, number>>,
  inputs: readonly PriceColumn[],
  create: () => Calculator,
  outputs?: readonly string[],
): DeclaredIndicator<Value> {
  const faults = Object.entries(numbers).flatMap(([argument, value]) => {
    if (argument === 'deviations')
      return Number.isFinite(value) && value > 0
        ? []
        : [`${argument} of ${name} is ${describeValue(value)}. Expected a number above 0`];
    return Number.isInteger(value) && value >= 1 && value <= MOST_BARS
      ? []
      : [
          `${argument} of ${name} is ${describeValue(value)}. Expected a whole number of bars, 1 to ${MOST_BARS}`,
        ];
  });
  for (const input of inputs)
    if (!COLUMNS.includes(input))
      faults.push(`source of ${name} is ${describeValue(input)}. Expected one of ${COLUMNS.join(', ')}`);
  const key = [name, ...Object.values(numbers), ...inputs].join(' ');
  return { key, inputs, outputs, create, faults };
}

function kitOf<Parameters>(p: Parameters): IndicatorKit<Parameters> {
  return {
    p,
    sma: (length = 10, source = 'close') =>
      declared('sma', { length }, [source], () => smaCalculator(length)),
    ema: (length = 10, source = 'close') =>
      declared('ema', { length }, [source], () => emaCalculator(length)),
    rsi: (length = 14, source = 'close') =>
      declared('rsi', { length }, [source], () => rsiCalculator(length)),
    macd: (fast = 12, slow = 26, signal = 9, source = 'close') =>
      declared('macd', { fast, slow, signal }, [source], () => macdCalculator(fast, slow, signal), [
        'line',
        'signal',
        'histogram',
      ]),
    atr: (length = 14) => declared('atr', { length }, ['high', 'low', 'close'], () => atrCalculator(length)),
    bollinger: (length = 5, deviations = 2, source = 'close') =>
      declared('bollinger', { length, deviations }, [source], () => bollingerCalculator(length, deviations), [
        'lower',
        'middle',
        'upper',
        'width',
        'percent',
      ]),
    donchian: (lower = 20, upper = lower) =>
      declared('donchian', { lower, upper }, ['high', 'low'], () => donchianCalculator(lower, upper), [
        'lower',
        'middle',
        'upper',
      ]),
    adx: (length = 14, signal = length) =>
      declared('adx', { length, signal }, ['high', 'low', 'close'], () => adxCalculator(length, signal), [
        'adx',
        'plus',
        'minus',
      ]),
    stdev: (length = 30, source = 'close') =>
      declared('stdev', { length }, [source], () => deviationCalculator(length)),
    zscore: (length = 30, source = 'close') =>
      declared('zscore', { length }, [source], () => zscoreCalculator(length)),
    highest: (length = 20, source = 'high') =>
      declared('highest', { length }, [source], () => extremeCalculator(length, 'highest')),
    lowest: (length = 20, source = 'low') =>
      declared('lowest', { length }, [source], () => extremeCalculator(length, 'lowest')),
  };
}

/** Indicators of a strategy by name. */
export type Declarations = Readonly<Record<string, DeclaredIndicator>>;

/**
 * Calls the function of a strategy that declares its indicators.
 *
 * @param subject name of the strategy for error messages
 * @throws AppError `bad_indicators` with every fault
 */
export function declareIndicators<Parameters>(
  declare: (kit: IndicatorKit<Parameters>) => unknown,
  parameters: Parameters,
  subject: string,
): Declarations {
  const kit = kitOf(parameters);
  const { p: _, ...functions } = kit;
  const given = declare(known(kit, Object.keys(functions), subject));
  const hint = `Write: indicators: ({ p, sma }) => ({ fast: sma(p.fast) }). Available: ${Object.keys(functions).join(', ')}.`;
  if (typeof given !== 'object' || given === null || Array.isArray(given))
    throw new AppError({
      code: 'bad_indicators',
      message: `indicators of ${subject} returned ${describeValue(given)}. Expected an object of indicators.`,
      hint,
    });
  const faults = Object.entries(given).flatMap(([name, one]): Fault[] => {
    const where = `indicators.${name}`;
    return isDeclared(one)
      ? one.faults.map((message) => ({ where, message }))
      : [{ where, message: `is ${describeValue(one)}. Expected an indicator` }];
  });
  if (faults.length > 0) throw faultsError('bad_indicators', `The strategy ${subject}`, faults, hint);
  return given as Declarations;
}

/** Returns the kit with a check: reading an unknown name throws an error that suggests the nearest name. */
function known<Kit extends object>(kit: Kit, names: readonly string[], subject: string): Kit {
  return new Proxy(kit, {
    get(target, name) {
      if (typeof name === 'symbol' || name in target) return Reflect.get(target, name) as unknown;
      const meant = nearest(name, names);
      throw new AppError({
        code: 'bad_indicators',
        message: `indicators of ${subject}: ${name} is not an indicator.`,
        hint: `${meant === undefined ? '' : `Did you mean ${meant}? `}Available: ${names.join(', ')}.`,
      });
    },
  });
}

function isDeclared(value: unknown): value is DeclaredIndicator {
  return typeof value === 'object' && value !== null && 'create' in value && 'faults' in value;
}
