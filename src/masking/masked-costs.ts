import type { CustomCosts } from '../broker/index.ts';
import { type RunSettings, rateOf } from '../engine/index.ts';
import { type Decimal, decimal } from '../kernel/index.ts';
import { BarBounds, type BarSeries, EndedBars, intervalText, type Market } from '../market/index.ts';
import type { MaskView } from './mask-view.ts';
import { RATE_DIGITS } from './masked-series.ts';

type Answer = number | string | Decimal;

/** Wraps custom costs. They are called with real values, and their results are masked. */
export function maskCosts({ commission, slippage }: CustomCosts, view: MaskView): CustomCosts {
  const times = (value: number, factor: string): number =>
    factor === '1' ? value : decimal(value).times(factor).toNumber();
  const over = (value: number, factor: string): number =>
    factor === '1' ? value : decimal(value).dividedBy(factor).toNumber();
  const nameOf = (symbol: string): string => view.symbols[symbol] ?? symbol;
  return {
    ...(commission === undefined
      ? {}
      : {
          commission: (fill) => {
            const { symbol } = fill;
            const answer = commission({
              ...fill,
              symbol: nameOf(symbol),
              quantity: times(fill.quantity, view.units(symbol)),
              price: over(fill.price, view.price(symbol)),
              filledBefore: times(fill.filledBefore, view.units(symbol)),
              paidBefore: times(fill.paidBefore, view.rate(symbol)),
            });
            return changed(answer, (money) => decimal(money).dividedBy(view.rate(symbol)));
          },
        }),
    ...(slippage === undefined
      ? {}
      : {
          slippage: (fill) => {
            const { symbol } = fill;
            const answer = slippage({
              ...fill,
              symbol: nameOf(symbol),
              quantity: times(fill.quantity, view.units(symbol)),
              price: over(fill.price, view.price(symbol)),
              volume: over(fill.volume, view.volume(symbol)),
            });
            return changed(answer, (distance) => decimal(distance).times(view.price(symbol)));
          },
        }),
  };
}

/** Results that are not amounts are passed on, so that the broker rejects them with its own message. */
function changed(answer: Answer, change: (amount: Answer) => Decimal): Answer {
  return Number.isFinite(Number(answer)) && String(answer).trim() !== ''
    ? change(answer).toSignificantDigits(12)
    : answer;
}

/** Returns the name of the masked series of a currency's rates. Only the engine uses this name. */
export function rateName(currency: string): string {
  return `FX:${currency}`;
}

/** Returns the masked value of a rate. */
export function shownRate(rate: number, rateFactor: string): number {
  return rateFactor === '1' ? rate : Number((rate * Number(rateFactor)).toPrecision(RATE_DIGITS));
}

/**
 * Returns a series of rates for each foreign currency without a fixed rate, named as in the masked settings.
 * The series uses the market's clock. The open is the rate known at the start of a bar, the close the rate
 * known at its end.
 */
export function maskRates(
  market: Market,
  shownClock: Float64Array,
  { settings, rates }: { readonly settings: RunSettings; readonly rates: readonly BarSeries[] },
  view: MaskView,
): BarSeries[] {
  const { barTimes } = settings;
  const { interval } = market;
  const bounds = new BarBounds(market, barTimes);
  const shown = new BarBounds({ clock: shownClock, interval }, barTimes);
  return Object.entries(view.terms.currencies ?? {}).flatMap(([name, { real, rateFactor }]) => {
    const { rate, inverse } = rateOf(real, settings, rates);
    const series = [...rates, ...market.series].find(({ symbol }) => symbol === rate);
    if (series === undefined) return [];
    const bars = new EndedBars(series, barTimes);
    const at = (instant: number, moment: 'open' | 'close'): number => {
      const price = bars.priceAt(instant, moment);
      return shownRate(inverse ? 1 / price : price, rateFactor);
    };
    const open = new Float64Array(shownClock.length);
    const close = new Float64Array(shownClock.length);
    for (let bar = 0; bar < shownClock.length; bar++) {
      open[bar] = at(bounds.startOf(bar), 'open');
      close[bar] = at(bounds.endOf(bar), 'close');
    }
    return [
      {
        symbol: rateName(name),
        time: shownClock,
        open,
        high: open.map((value, bar) => Math.max(value, close[bar]!)),
        low: open.map((value, bar) => Math.min(value, close[bar]!)),
        close,
        volume: new Float64Array(shownClock.length),
        ...(interval === undefined ? {} : { interval: intervalText(interval) }),
        ends: shownClock.map((_, bar) => shown.endOf(bar)),
      },
    ];
  });
}
