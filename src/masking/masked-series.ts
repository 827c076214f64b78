import { decimal } from '../kernel/index.ts';
import { type BarSeries, EndedBars, keepInterval, mapColumns } from '../market/index.ts';
import type { MaskView, TimeKind } from './mask-view.ts';
import { gridOf, moved, PRICE_DIGITS, type Rounding, shownAs, VOLUME_DIGITS } from './rounding.ts';

/** Significant digits of a masked rate. */
export const RATE_DIGITS = 6;
/** Significant digits of a masked dividend, and the largest noise as a fraction of the dividend. */
const DIVIDEND_DIGITS = 3;
const DIVIDEND_NOISE = 0.02;

/** Cache of the rounding by real series. Finer bars are rounded like the bars that contain them. */
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
 * @param like series whose bars contain these bars; default: the series itself
 * @param tick step of its prices
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
    if (rounding === undefined) return column;
    if (column === volume) return column.map((value) => shownAs(value, rounding.volumes));
    if (prices.has(column)) return column.map((value) => shownAs(value, rounding.prices));
    // A quoted spread, or bid and ask. No noise is added, because the noise of prices would distort a spread
    // of few ticks.
    const { factor, digits, seed } = rounding.prices;
    return column.map((value) => shownAs(value, { factor, digits, seed, grid: 0 }));
  });
  return { ...masked, symbol: view.names.get(series.symbol) ?? series.symbol };
}

/** Masks a series that is not part of the clock. The real ends of its bars are converted to masked times. */
export function maskBeside(series: BarSeries, view: MaskView): BarSeries {
  const masked = maskSeries(series, view);
  const { calendar } = view;
  if (calendar === undefined) return masked;
  const ends = endsOf(series, calendar.barTimes);
  // Bars stamped with their end become visible at their stamp.
  if (calendar.barTimes === 'end')
    return { ...masked, time: series.time.map((time) => calendar.ends.shown(time)) };
  return { ...masked, ends: ends.map((end) => (Number.isFinite(end) ? calendar.ends.shown(end) : end)) };
}

function endsOf(series: BarSeries, barTimes: 'start' | 'end'): Float64Array {
  const bars = new EndedBars(series, barTimes);
  return series.time.map((_, bar) => bars.endOf(bar));
}

/**
 * Masks the price of an action like a bar's price of the same amount, so that comparing both does not reveal
 * the factor.
 */
export function shownPrice(price: string, series: BarSeries, view: MaskView, tick?: number): string {
  const rounding = roundingsOf(series, view, tick);
  return rounding === undefined ? price : decimal(shownAs(Number(price), rounding.prices)).toFixed();
}

/**
 * Masks a dividend. The noise is a fraction of the dividend. With noise of half a tick, the step of large
 * dividends would remain recognisable.
 */
export function shownDividend(amount: string, series: BarSeries, view: MaskView, tick?: number): string {
  const rounding = roundingsOf(series, view, tick);
  if (rounding === undefined) return amount;
  const { factor, seed } = rounding.prices;
  return decimal(moved(Number(amount), DIVIDEND_NOISE, seed) * factor)
    .toSignificantDigits(DIVIDEND_DIGITS)
    .toFixed();
}
