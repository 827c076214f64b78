import type { Ledger } from '../account/index.ts';
import type { BrokerSettings } from '../broker/index.ts';
import type { Instant } from '../kernel/index.ts';
import { type BarSeries, checkedMarket, type Market, marketOf } from '../market/index.ts';

/** A market of what can be traded, and beside it the series that only give exchange rates. */
export interface TradedMarket {
  readonly market: Market;
  readonly rates: readonly BarSeries[];
}

export const ACCOUNT_CURRENCY = 'USD';

type CurrencyRate = { readonly rate: string | number; readonly inverse: boolean; readonly tradable: boolean };

/**
 * Takes the series that only give rates out of a market: no decider sees them as symbols, and they add no bars.
 *
 * @param given more series of rates, such as those of `--fx`
 */
export function tradedMarket(
  whole: Market,
  settings: Pick<BrokerSettings, 'currencies'>,
  given: readonly BarSeries[] = [],
): TradedMarket {
  const market = checkedMarket(whole);
  const only = new Set<string>();
  for (const { rate, tradable } of Object.values(settings.currencies))
    if (typeof rate === 'string' && !tradable) only.add(rate);
  const rates = market.series.filter(({ symbol }) => only.has(symbol));
  if (rates.length === 0) return { market, rates: given };
  const traded = market.series.filter(({ symbol }) => !only.has(symbol));
  return { market: marketOf(traded), rates: [...given, ...rates] };
}

/** Each symbol's currency; undefined where all are the account's. */
export function currenciesOf(
  symbols: readonly string[],
  { instruments, currency = ACCOUNT_CURRENCY }: BrokerSettings,
): string[] | undefined {
  const own = (symbol: string) =>
    Object.hasOwn(instruments, symbol) ? instruments[symbol]?.currency : undefined;
  const currencies = symbols.map((symbol) => own(symbol) ?? currency);
  return currencies.every((one) => one === currency) ? undefined : currencies;
}

/** One currency's rate series, read forward: nothing is taken from a bar that has not begun. */
class RateCursor {
  readonly #series: BarSeries;
  readonly #inverse: boolean;
  /** The smallest distance between two of its bars so far; until there are two no bar counts as ended. */
  #length = Number.POSITIVE_INFINITY;
  #next = 0;

  constructor(series: BarSeries, inverse: boolean) {
    this.#series = series;
    this.#inverse = inverse;
  }

  /** Moves on to the newest bar that has begun at an instant. */
  advanceTo(instant: Instant): void {
    const { time } = this.#series;
    for (; this.#next < time.length && time[this.#next]! <= instant; this.#next++) {
      if (this.#next > 0) this.#length = Math.min(this.#length, time[this.#next]! - time[this.#next - 1]!);
    }
  }

  /**
   * The newest bar's close when it has ended, else its open; NaN before the first.
   *
   * @param time of the market's bar
   * @param passed how much of that bar has passed: a rate's bar that began with it has ended when it is no longer
   */
  at(time: Instant, passed: number): number {
    const { time: times, open, close } = this.#series;
    const bar = this.#next - 1;
    if (bar < 0) return Number.NaN;
    const began = times[bar]!;
    const ended = began === time ? this.#length <= passed : began + this.#length <= time;
    const price = ended ? close[bar]! : open[bar]!;
    return this.#inverse ? 1 / price : price;
  }
}

/**
 * Moves the ledger's exchange rates along with the bars, never ahead of them.
 *
 * How long a bar lasts is the smallest distance between two bars so far, of the clock and of each rate's series: what
 * later bars say cannot change what a rate was.
 */
export class ExchangeRates {
  readonly #ledger: Ledger;
  readonly #sources: { readonly cursor: RateCursor; readonly symbols: readonly number[] }[] = [];
  #time: Instant = Number.NaN;
  #barLength = Number.POSITIVE_INFINITY;

  private constructor(ledger: Ledger) {
    this.#ledger = ledger;
  }

  /** Finds each foreign currency's rates, which `checkSettingsFit` has seen to be there; undefined where none is needed. */
  static of(
    { market, rates }: TradedMarket,
    settings: BrokerSettings,
    ledger: Ledger,
  ): ExchangeRates | undefined {
    const currencies = currenciesOf(market.symbols, settings) ?? [];
    const exchange = new ExchangeRates(ledger);
    for (const code of new Set(currencies)) {
      if (code === ledger.currency) continue;
      const symbols = currencies.flatMap((one, symbol) => (one === code ? [symbol] : []));
      const { rate, inverse } = rateOf(code, settings, rates);
      if (typeof rate === 'number') {
        for (const symbol of symbols) ledger.setRate(symbol, inverse ? 1 / rate : rate);
        continue;
      }
      const series = [...rates, ...market.series].find(({ symbol }) => symbol === rate);
      if (series !== undefined) exchange.#sources.push({ cursor: new RateCursor(series, inverse), symbols });
    }
    return exchange.#sources.length === 0 ? undefined : exchange;
  }

  /** The rates that are known when a bar opens. */
  atOpen(time: Instant): void {
    if (time > this.#time) this.#barLength = Math.min(this.#barLength, time - this.#time);
    this.#time = time;
    for (const { cursor } of this.#sources) cursor.advanceTo(time);
    this.#set(time, 0);
  }

  /** The rates that are known when a bar has closed. */
  atClose(time: Instant): void {
    if (Number.isFinite(this.#barLength)) this.#set(time, this.#barLength);
  }

  #set(time: Instant, passed: number): void {
    for (const { cursor, symbols } of this.#sources) {
      const rate = cursor.at(time, passed);
      if (Number.isNaN(rate)) continue;
      for (const symbol of symbols) this.#ledger.setRate(symbol, rate);
    }
  }
}

/** As the settings say; else the series of `--fx` that the usual pair names, such as EURUSD or, turned round, USDEUR. */
export function rateOf(code: string, settings: BrokerSettings, rates: readonly BarSeries[]): CurrencyRate {
  if (Object.hasOwn(settings.currencies, code)) return settings.currencies[code]!;
  const account = settings.currency ?? ACCOUNT_CURRENCY;
  const inverse = rates.some(({ symbol }) => symbol === `${account}${code}`);
  const straight = rates.some(({ symbol }) => symbol === `${code}${account}`);
  const name = inverse && !straight ? `${account}${code}` : `${code}${account}`;
  return { rate: name, inverse: inverse && !straight, tradable: false };
}
