import { decimal } from '../kernel/index.ts';
import { type BarSeries, EndedBars, keepInterval, mapColumns } from '../market/index.ts';
import type { MaskView, TimeKind } from './mask-view.ts';

/** Significant digits of masked prices and masked volumes. */
const PRICE_DIGITS = 5;
const VOLUME_DIGITS = 3;
/** Common price steps and volume lots, coarsest first. */
const TICKS = [
  1, 0.5, 0.25, 0.2, 0.125, 0.1, 0.0625, 0.05, 0.03125, 0.025, 0.01, 0.005, 0.001, 1e-4, 1e-5, 1e-6,
];
const LOTS = [1000, 100, 10, 1];
/** Minimum fraction of values that must be multiples of a step for the step to be recognised. */
const ENOUGH = 0.5;
/** Maximum number of values examined to recognise the step. */
const LOOKED_AT = 20_000;

/** Parameters of `shownAs` for one symbol's prices or volumes: factor, noise and rounding. */
interface Rounding {
  readonly factor: number;
  /** Step of the real values, of which most values are multiples. 0 if no step was recognised. */
  readonly grid: number;
  readonly digits: number;
  /**
   * Exponent of the power of ten of which masked values are multiples, for example −2 for cents. If omitted,
   * only `digits` limits the rounding.
   */
  readonly least?: number | undefined;
  readonly seed: number;
}

/**
 * Returns the largest step of `TICKS` or `LOTS` of which at least half of the values are multiples. 0 if no
 * such step exists.
 */
export function gridOf(columns: readonly Float64Array[], kind: 'prices' | 'volumes'): number {
  const every = Math.max(1, Math.ceil(columns.reduce((sum, { length }) => sum + length, 0) / LOOKED_AT));
  const values = columns.flatMap((column) => [
    ...column.filter((value, at) => at % every === 0 && value !== 0),
  ]);
  if (values.length === 0) return 0;
  const isOn = (grid: number) => (value: number) => {
    const steps = value / grid;
    return Math.abs(steps - Math.round(steps)) <= 1e-9 * Math.max(1, Math.abs(steps));
  };
  const grids = kind === 'prices' ? TICKS : LOTS;
  return grids.find((grid) => values.filter(isOn(grid)).length >= ENOUGH * values.length) ?? 0;
}

/**
 * Masks one value: adds noise of at most half a step of `grid`, multiplies by `factor`, and rounds to
 * significant digits. The noise depends only on the value and the seed, so equal values stay equal. The order
 * of values is preserved.
 */
export function shownAs(value: number, { factor, grid, digits, least, seed }: Rounding): number {
  if (!Number.isFinite(value) || value === 0) return value;
  const size = Math.abs(grid === 0 ? value : withNoise(Math.abs(value), grid, seed)) * factor;
  const stepped =
    least === undefined ? size : Number(`${Math.max(1, Math.round(size * Number(`1e${-least}`)))}e${least}`);
  return Math.sign(value) * Number(stepped.toPrecision(digits));
}

function withNoise(value: number, grid: number, seed: number): number {
  const steps = value / grid;
  const nearest = Math.round(steps);
  if (Math.abs(steps - nearest) <= 1e-9 * Math.max(1, steps))
    return grid * (nearest + noiseOf(nearest, seed));
  const below = Math.floor(steps);
  const [low, high] = [below + noiseOf(below, seed), below + 1 + noiseOf(below + 1, seed)];
  return grid * (low + (high - low) * (steps - below));
}

/**
 * Multiplies by a factor from 1 − `part` to 1 + `part`. The factor depends only on the value and the seed, so
 * equal values remain equal.
 */
export function moved(value: number, part: number, seed: number): number {
  return value * (1 + 2 * part * noiseOf(Math.round(value * 1e6), seed));
}

/**
 * Returns noise from −0.5 to 0.5 that depends on a step number and the seed. Returns 0 for step 0, so that a
 * value of 0 remains 0.
 */
function noiseOf(step: number, seed: number): number {
  if (step === 0) return 0;
  let hash = Math.imul(seed ^ (step >>> 0) ^ Math.imul(Math.floor(step / 2 ** 32), 0x9e3779b1), 0x85ebca6b);
  hash = Math.imul(hash ^ (hash >>> 15), 0xc2b2ae35);
  hash = Math.imul(hash ^ (hash >>> 13), 0x27d4eb2f);
  return ((hash ^ (hash >>> 16)) >>> 0) / 2 ** 32 - 0.5;
}

/** Significant digits of a masked exchange rate. */
export const RATE_DIGITS = 6;
/** Significant digits of a masked dividend, and the largest noise as a fraction of the dividend. */
const DIVIDEND_DIGITS = 3;
const DIVIDEND_NOISE = 0.02;

/**
 * Cached rounding of each real series. Finer bars (for example minutes of a daily series) use the rounding of
 * the bars that contain them.
 */
const roundings = new WeakMap<BarSeries, { readonly prices: Rounding; readonly volumes: Rounding }>();

/** Returns the rounding of a symbol's prices and volumes. `undefined` if the mask does not change them. */
function roundingsOf(
  series: BarSeries,
  view: MaskView,
  tick: number | undefined,
): { readonly prices: Rounding; readonly volumes: Rounding } | undefined {
  const name = view.names.get(series.symbol) ?? series.symbol;
  const factor = Number(view.price(name));
  if (view.terms.scales?.[name] === undefined) return undefined;
  const found = roundings.get(series);
  if (found !== undefined && found.prices.factor === factor && found.prices.seed === seedOf(view, name))
    return found;
  const { open, high, low, close, volume } = series;
  const seed = seedOf(view, name);
  const made = {
    prices: {
      factor,
      grid: gridOf([open, high, low, close], 'prices'),
      digits: PRICE_DIGITS,
      ...(tick === undefined ? {} : { least: placeBelow(tick * factor) }),
      seed,
    },
    volumes: {
      factor: Number(view.volume(name)),
      grid: gridOf([volume], 'volumes'),
      digits: VOLUME_DIGITS,
      seed: seed ^ 0x55555555,
    },
  };
  roundings.set(series, made);
  return made;
}

/** Returns a different seed for each symbol. */
function seedOf({ terms }: MaskView, name: string): number {
  return [...name].reduce((hash, sign) => Math.imul(hash ^ sign.charCodeAt(0), 0x01000193), terms.secret);
}

/** Returns the exponent of the largest power of ten that is not above the value. */
export function placeBelow(value: number): number {
  return Number(value.toExponential(14).split('e')[1]);
}

/**
 * Masks the name, times and numbers of a series.
 *
 * @param like series whose rounding is used, for finer bars the series that contains them; default: the
 *   series itself
 * @param tick smallest real price step of the symbol
 */
export function maskSeries(
  series: BarSeries,
  view: MaskView,
  {
    like = series,
    tick,
    times = 'stamps',
  }: { like?: BarSeries; tick?: number | undefined; times?: TimeKind } = {},
): BarSeries {
  const rounding = roundingsOf(like, view, tick);
  const { time, open, high, low, close, volume } = series;
  const prices = new Set([open, high, low, close]);
  const masked = mapColumns(keepInterval(series), (column) => {
    if (column === time)
      return view.calendar === undefined ? column : column.map((at) => view.shown(at, times));
    if (column === series.ends) return shownEnds(column, view);
    if (rounding === undefined) return column;
    if (column === volume) return column.map((value) => shownAs(value, rounding.volumes));
    if (prices.has(column)) return column.map((value) => shownAs(value, rounding.prices));
    // An additional column contains spreads, or bid or ask prices. The noise for prices would distort a
    // spread of few ticks, so no noise is added.
    const { factor, digits, seed } = rounding.prices;
    return column.map((value) => shownAs(value, { factor, digits, seed, grid: 0 }));
  });
  return { ...masked, symbol: view.names.get(series.symbol) ?? series.symbol };
}

/**
 * Masks a series that is shown but not traded. Its bars may have other times than the market's bars. The ends
 * of its bars are converted to masked times.
 */
export function maskContext(series: BarSeries, view: MaskView): BarSeries {
  const masked = maskSeries(series, view);
  const { calendar } = view;
  if (calendar === undefined) return masked;
  // If bars are stamped with their end, the time of a bar is the time at which it becomes visible. The times
  // are therefore converted by the map of ends.
  if (calendar.barTimes === 'end')
    return { ...masked, time: series.time.map((time) => calendar.ends.shown(time)) };
  return { ...masked, ends: shownEnds(endsOf(series, calendar.barTimes), view) };
}

/** Converts the ends of bars to masked times. An infinite end (of a bar that never ends) is unchanged. */
function shownEnds(ends: Float64Array, { calendar }: MaskView): Float64Array {
  if (calendar === undefined) return ends;
  return ends.map((end) => (Number.isFinite(end) ? calendar.ends.shown(end) : end));
}

function endsOf(series: BarSeries, barTimes: 'start' | 'end'): Float64Array {
  const bars = new EndedBars(series, barTimes);
  return series.time.map((_, bar) => bars.endOf(bar));
}

/**
 * Masks the price of a corporate action exactly like an equal price of a bar. Otherwise a comparison of both
 * masked prices would reveal the price factor.
 */
export function shownPrice(price: string, series: BarSeries, view: MaskView, tick?: number): string {
  const rounding = roundingsOf(series, view, tick);
  return rounding === undefined ? price : decimal(shownAs(Number(price), rounding.prices)).toFixed();
}

/**
 * Masks a dividend. The noise is a fraction of the dividend. The noise for prices, half a tick, is too small
 * to hide the round numbers in which large dividends are paid.
 */
export function shownDividend(amount: string, series: BarSeries, view: MaskView, tick?: number): string {
  const rounding = roundingsOf(series, view, tick);
  if (rounding === undefined) return amount;
  const { factor, seed } = rounding.prices;
  return decimal(moved(Number(amount), DIVIDEND_NOISE, seed) * factor)
    .toSignificantDigits(DIVIDEND_DIGITS)
    .toFixed();
}
