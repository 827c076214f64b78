import type { CustomCosts } from '../broker/index.ts';
import type { RunSettings } from '../engine/index.ts';
import { AppError, createRandom, type Fault, faultsError, type Random } from '../kernel/index.ts';
import {
  type BarSeries,
  type CorporateAction,
  type DetailBars,
  type FeatureTable,
  intervalOf,
  isShareAction,
  type Market,
  type PointInTimeData,
  trusted,
} from '../market/index.ts';

/** Mean number of consecutive bars in a block. `otherShape` shuffles blocks. */
const BLOCK = 3;
/** Range of the factor by which a symbol's volatility is multiplied. */
const VOLATILITIES = [0.6, 1.6] as const;
/**
 * Range of the noise that is added before values are ranked: its standard deviation, in standard deviations
 * of the values.
 */
const NOISES = [0.3, 0.8] as const;
/**
 * Ranges from which sizes are drawn for each symbol: of opening gaps (`GAPS`) and of candle shadows
 * (`SHADOWS`). The unit is the standard deviation of the symbol's new returns.
 */
const GAPS = [0.2, 0.5] as const;
const SHADOWS = [0.25, 0.6] as const;
/** Range from which the standard deviation of log volume is drawn for each symbol. */
const VOLUME_SPREADS = [0.25, 0.55] as const;
/** Largest absolute value that `studentOf` returns, in standard deviations. Larger random numbers are cut. */
const CUT = 4;
const HOUR = 3_600_000;

/**
 * Checks if a run can use the mask kind `shape`, which replaces the bars with randomised bars. Rejects inputs
 * that refer to events of real days, because the randomised bars do not reflect them.
 *
 * @throws AppError `bad_flags` with every such input, and for bars shorter than a day
 */
export function checkShape({ market, actions, features = [], detail, pointInTime }: GivenWorld): void {
  const { documents = [], fundamentals = [], universe } = pointInTime ?? {};
  const given: readonly (readonly [boolean, string])[] = [
    [actions.some(isShareAction), '--actions'],
    [actions.some(({ kind }) => kind === 'roll'), '--rolls'],
    [actions.some(({ kind }) => kind === 'funding'), '--funding'],
    [features.some(({ isOfBars }) => isOfBars !== true), '--features'],
    [detail !== undefined, '--detail'],
    [documents.length > 0, '--documents'],
    [fundamentals.length > 0, '--fundamentals'],
    [universe !== undefined, '--universe'],
    [market.series.some(({ extra }) => extra !== undefined), 'slippage from columns of the data'],
  ];
  const faults = given.flatMap(([is, where]): Fault[] =>
    is ? [{ where, message: 'belongs to days of the real market' }] : [],
  );
  if (faults.length > 0)
    throw faultsError(
      'bad_flags',
      '--mask shape changes the order of returns',
      faults,
      'Remove these options, or remove shape from --mask.',
    );
  const length = market.interval?.milliseconds ?? 24 * HOUR;
  if (length >= 20 * HOUR) return;
  throw new AppError({
    code: 'bad_flags',
    message:
      '--mask shape changes the order of days and requires daily bars. These bars are shorter than a day.',
    hint: 'Use daily bars, or remove shape from --mask.',
  });
}

/**
 * Replaces every series of a market with randomised bars. `otherShape` describes the method. All series get
 * the same drift: the mean of their real drifts.
 */
export function otherMarket(market: Market, secret: number): Market {
  const drifts = market.series.filter(isChanged).map(driftOf);
  const drift = drifts.reduce((sum, value) => sum + value, 0) / Math.max(1, drifts.length);
  return trusted({ ...market, series: market.series.map((one) => otherShape(one, secret, drift)) });
}

/**
 * Replaces a series with randomised bars that cannot be recognised by the shape of their chart.
 *
 * First, blocks of three bars on average are shuffled. Then the returns are replaced with random returns of
 * the same ranks: the largest real return becomes the largest random return. Gaps, shadows and log volumes
 * are replaced in the same way. Returns, gaps and volumes are drawn from Student's t with five degrees of
 * freedom, shadows from its absolute value. Noise of random size is added before ranking, so that the
 * dependence between columns also changes. Volatility, sizes of gaps and shadows, and variation of volumes
 * are drawn for each symbol. The first bar is unchanged.
 *
 * @param drift mean log return of the result, in standard deviations of log returns
 */
export function otherShape(series: BarSeries, secret: number, drift = driftOf(series)): BarSeries {
  if (!isChanged(series)) return series;
  const { open, high, low, close, volume } = series;
  const random = createRandom(secret, `shape/${series.symbol}`);
  const order = blockOrder(close.length, random);
  const of = (value: (bar: number) => number): Float64Array => Float64Array.from(order, value);
  const student = (): number => studentOf(random);
  const dealt = (values: Float64Array, draw: () => number): Float64Array =>
    dealtByRank(values, between(NOISES, random), draw, random);
  const returns = of((bar) => Math.log(close[bar]! / close[bar - 1]!));
  const spread = deviationOf(returns) * between(VOLATILITIES, random);
  const shadow = (values: Float64Array): Float64Array => {
    const size = between(SHADOWS, random) * spread;
    return dealt(values, () => size * Math.abs(student()));
  };
  const [gap, busy] = [between(GAPS, random) * spread, between(VOLUME_SPREADS, random)];
  const volumes = of((bar) => Math.log(Math.max(volume[bar]!, 1)));
  const typical = meanOf(volumes);
  const columns = {
    close: dealt(returns, () => spread * (student() + drift)),
    open: dealt(
      of((bar) => Math.log(open[bar]! / close[bar - 1]!)),
      () => gap * student(),
    ),
    up: shadow(of((bar) => Math.log(high[bar]! / Math.max(open[bar]!, close[bar]!)))),
    down: shadow(of((bar) => Math.log(Math.min(open[bar]!, close[bar]!) / low[bar]!))),
    volume: dealt(volumes, () => Math.exp(typical + busy * student())),
  };
  const made = {
    open: open.slice(),
    high: high.slice(),
    low: low.slice(),
    close: close.slice(),
    volume: volume.slice(),
  };
  for (const [at, from] of order.entries()) {
    const bar = at + 1;
    const before = made.close[bar - 1]!;
    made.close[bar] = before * Math.exp(columns.close[at]!);
    made.open[bar] = before * Math.exp(columns.open[at]!);
    made.high[bar] = Math.max(made.open[bar]!, made.close[bar]!) * Math.exp(columns.up[at]!);
    made.low[bar] = Math.min(made.open[bar]!, made.close[bar]!) * Math.exp(-columns.down[at]!);
    // Bars of an index have no volume. They remain without volume.
    made.volume[bar] = volume[from] === 0 ? 0 : Math.max(1, Math.round(columns.volume[at]!));
  }
  const six = (column: Float64Array): Float64Array => column.map((value) => Number(value.toPrecision(6)));
  return {
    ...series,
    ...made,
    open: six(made.open),
    high: six(made.high),
    low: six(made.low),
    close: six(made.close),
  };
}

/** True for series that the mask can change: at least three bars and a known interval. */
function isChanged(series: BarSeries): boolean {
  return series.close.length >= 3 && intervalOf(series) !== undefined;
}

/** Mean log return in standard deviations of log returns. 0 if all returns are equal. */
function driftOf({ close }: BarSeries): number {
  const returns = close.map((value, bar) => (bar === 0 ? 0 : Math.log(value / close[bar - 1]!))).subarray(1);
  const spread = deviationOf(returns);
  return spread === 0 ? 0 : meanOf(returns) / spread;
}

/**
 * Draws random values and arranges them by rank: the largest drawn value is at the position of the largest
 * given value. Noise is added to the given values before ranking.
 */
function dealtByRank(values: Float64Array, noise: number, draw: () => number, random: Random): Float64Array {
  const size = noise * deviationOf(values);
  const blurred = values.map((value) => value + size * random.normal());
  const places = [...blurred.keys()].sort((a, b) => blurred[a]! - blurred[b]! || a - b);
  const drawn = values.map(draw).sort();
  const dealt = new Float64Array(values.length);
  for (const [rank, place] of places.entries()) dealt[place] = drawn[rank]!;
  return dealt;
}

/** Draws from Student's t with five degrees of freedom, scaled to a variance of 1 and cut at ±`CUT`. */
function studentOf(random: Random): number {
  let squares = 0;
  for (let degree = 0; degree < 5; degree++) squares += random.normal() ** 2;
  const value = random.normal() * Math.sqrt(3 / squares);
  return Math.max(-CUT, Math.min(CUT, value));
}

/** Draws a log-uniform number from `low` to `high`. */
function between([low, high]: readonly [number, number], random: Random): number {
  return low * (high / low) ** random.next();
}

/**
 * Returns the shuffled order of bars. For each new bar from the second one, the result contains the number of
 * the real bar whose ranks are used.
 */
function blockOrder(bars: number, random: Random): Int32Array {
  const blocks: number[][] = [];
  for (let bar = 1; bar < bars; bar++) {
    if (blocks.length === 0 || random.next() < 1 / BLOCK) blocks.push([]);
    blocks.at(-1)!.push(bar);
  }
  for (let last = blocks.length - 1; last > 0; last--) {
    const other = random.integer(0, last);
    [blocks[last], blocks[other]] = [blocks[other]!, blocks[last]!];
  }
  return Int32Array.from(blocks.flat());
}

function meanOf(values: Float64Array): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length;
}

function deviationOf(values: Float64Array): number {
  const mean = meanOf(values);
  return Math.sqrt(values.reduce((sum, value) => sum + (value - mean) ** 2, 0) / values.length);
}

/** All inputs of a run that contain names, dates or prices. */
export interface GivenWorld {
  readonly market: Market;
  readonly settings: RunSettings;
  /** Series that are used only as exchange rates and are not traded. */
  readonly rates: readonly BarSeries[];
  readonly actions: readonly CorporateAction[];
  /** Tables of features. */
  readonly features?: readonly FeatureTable[];
  /** Series that are shown but not traded. */
  readonly context?: readonly BarSeries[];
  /** Documents, fundamentals and the universe. */
  readonly pointInTime?: PointInTimeData | undefined;
  readonly detail?: DetailBars | undefined;
  readonly costs?: CustomCosts | undefined;
  /**
   * Real times of the market's bars, from which interest is computed. `undefined` if dates are not masked.
   */
  readonly interestClock?: Float64Array | undefined;
}
