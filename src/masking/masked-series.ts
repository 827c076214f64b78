import { decimal } from '../kernel/index.ts';
import { type BarSeries, EndedBars, keepInterval, mapColumns } from '../market/index.ts';
import type { MaskView, TimeKind } from './mask-view.ts';
import { gridOf, moved, PRICE_DIGITS, type Rounding, shownAs, VOLUME_DIGITS } from './rounding.ts';

/** Digits that are shown of a rate. */
export const RATE_DIGITS = 6;
/** Digits that are shown of a dividend, and the part of it that noise moves it by at most. */
const DIVIDEND_DIGITS = 3;
const DIVIDEND_NOISE = 0.02;

/** A symbol's rounding, by its real series: finer bars are rounded like the bars they lie in. */
const roundings = new WeakMap<BarSeries, { readonly prices: Rounding; readonly volumes: Rounding }>();

/** How a symbol's prices and volumes are shown; undefined where they are shown as they are. */
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

/** Another for each symbol. */
function seedOf({ terms }: MaskView, name: string): number {
  return [...name].reduce((hash, sign) => Math.imul(hash ^ sign.charCodeAt(0), 0x01000193), terms.secret);
}

/** The power of ten at a number or below it. */
export function placeBelow(value: number): number {
  return Number(value.toExponential(14).split('e')[1]);
}

/**
 * A series with its name, its times and its numbers as they are shown.
 *
 * @param like the series whose bars these lie in, or itself
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
    // A quoted spread, or bid and ask: of a few ticks its own noise would leave little.
    const { factor, digits, seed } = rounding.prices;
    return column.map((value) => shownAs(value, { factor, digits, seed, grid: 0 }));
  });
  return { ...masked, symbol: view.names.get(series.symbol) ?? series.symbol };
}

/** A series that is no part of the clock, with the ends that its bars really have. */
export function maskBeside(series: BarSeries, view: MaskView): BarSeries {
  const masked = maskSeries(series, view);
  const { calendar } = view;
  if (calendar === undefined) return masked;
  const ends = endsOf(series, calendar.barTimes);
  // Bars that end with their stamps are known by them.
  if (calendar.barTimes === 'end')
    return { ...masked, time: series.time.map((time) => calendar.ends.shown(time)) };
  return { ...masked, ends: ends.map((end) => (Number.isFinite(end) ? calendar.ends.shown(end) : end)) };
}

function endsOf(series: BarSeries, barTimes: 'start' | 'end'): Float64Array {
  const bars = new EndedBars(series, barTimes);
  return series.time.map((_, bar) => bars.endOf(bar));
}

/** A price of an action: what a bar's price of the same amount is shown as, so that the factor is not between them. */
export function shownPrice(price: string, series: BarSeries, view: MaskView, tick?: number): string {
  const rounding = roundingsOf(series, view, tick);
  return rounding === undefined ? price : decimal(shownAs(Number(price), rounding.prices)).toFixed();
}

/** A dividend. Its noise is a part of it: half a tick would leave the step of large ones to be found. */
export function shownDividend(amount: string, series: BarSeries, view: MaskView, tick?: number): string {
  const rounding = roundingsOf(series, view, tick);
  if (rounding === undefined) return amount;
  const { factor, seed } = rounding.prices;
  return decimal(moved(Number(amount), DIVIDEND_NOISE, seed) * factor)
    .toSignificantDigits(DIVIDEND_DIGITS)
    .toFixed();
}
