import type { Ledger } from '../../broker/account/index.ts';
import type { BrokerSettings } from '../../broker/index.ts';
import type { Instant } from '../../kernel/index.ts';
import {
  BarBounds,
  type BarSeries,
  type BarTimes,
  checkedMarket,
  EndedBars,
  type Market,
  marketOf,
} from '../../market/index.ts';

/** Market with the traded symbols only, and the series that only provide exchange rates. */
export interface TradedMarket {
  readonly market: Market;
  readonly rates: readonly BarSeries[];
}

export const ACCOUNT_CURRENCY = 'USD';

type CurrencyRate = { readonly rate: string | number; readonly inverse: boolean; readonly tradable: boolean };

/**
 * Separates the series that only provide exchange rates from a market. These series are not symbols for the
 * decider and add no bars to the clock.
 *
 * @param given further series of rates, for example those of `--fx`
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

/** Returns the currency of each symbol. `undefined` if all are the account's currency. */
export function currenciesOf(
  symbols: readonly string[],
  { instruments, currency = ACCOUNT_CURRENCY }: BrokerSettings,
): string[] | undefined {
  const own = (symbol: string) =>
    Object.hasOwn(instruments, symbol) ? instruments[symbol]?.currency : undefined;
  const currencies = symbols.map((symbol) => own(symbol) ?? currency);
  return currencies.every((one) => one === currency) ? undefined : currencies;
}

/**
 * Reads the rate series of one currency forward. Never uses a bar that has not begun or a close of a bar that
 * has not ended.
 */
class RateCursor {
  readonly #bars: EndedBars;
  readonly #inverse: boolean;

  constructor(series: BarSeries, inverse: boolean, barTimes: BarTimes) {
    this.#bars = new EndedBars(series, barTimes);
    this.#inverse = inverse;
  }

  /**
   * Returns the rate known at an instant: the open of a bar that is in progress at this instant, otherwise
   * the close of the last bar that has ended. `NaN` before the first bar.
   */
  at(instant: Instant, moment: 'open' | 'close'): number {
    const price = this.#bars.priceAt(instant, moment);
    return this.#inverse ? 1 / price : price;
  }
}

/**
 * Updates the ledger's exchange rates with the bars. At a bar's open, uses the rates known at the bar's
 * start. At its close, uses the rates known at the bar's end.
 */
export class ExchangeRates {
  readonly #ledger: Ledger;
  readonly #sources: { readonly cursor: RateCursor; readonly symbols: readonly number[] }[] = [];
  readonly #bounds: BarBounds;

  private constructor(ledger: Ledger, bounds: BarBounds) {
    this.#ledger = ledger;
    this.#bounds = bounds;
  }

  /**
   * Finds the rate series of each foreign currency, which `checkSettingsFit` has verified to exist. Sets
   * fixed rates immediately. `undefined` if no rate changes during the run.
   */
  static of(
    { market, rates }: TradedMarket,
    settings: BrokerSettings & { readonly barTimes: BarTimes },
    ledger: Ledger,
  ): ExchangeRates | undefined {
    const currencies = currenciesOf(market.symbols, settings) ?? [];
    const { barTimes } = settings;
    const exchange = new ExchangeRates(ledger, new BarBounds(market, barTimes));
    for (const code of new Set(currencies)) {
      if (code === ledger.currency) continue;
      const symbols = currencies.flatMap((one, symbol) => (one === code ? [symbol] : []));
      const { rate, inverse } = rateOf(code, settings, rates);
      if (typeof rate === 'number') {
        for (const symbol of symbols) ledger.setRate(symbol, inverse ? 1 / rate : rate);
        continue;
      }
      const series = [...rates, ...market.series].find(({ symbol }) => symbol === rate);
      if (series !== undefined)
        exchange.#sources.push({ cursor: new RateCursor(series, inverse, barTimes), symbols });
    }
    return exchange.#sources.length === 0 ? undefined : exchange;
  }

  /**
   * Sets the rates that are known when a bar opens.
   *
   * @param bar number on the clock
   */
  atOpen(bar: number): void {
    this.#set(this.#bounds.startOf(bar), 'open');
  }

  /** Sets the rates that are known when a bar has closed. */
  atClose(bar: number): void {
    this.#set(this.#bounds.endOf(bar), 'close');
  }

  #set(instant: Instant, moment: 'open' | 'close'): void {
    for (const { cursor, symbols } of this.#sources) {
      const rate = cursor.at(instant, moment);
      if (Number.isNaN(rate)) continue;
      for (const symbol of symbols) this.#ledger.setRate(symbol, rate);
    }
  }
}

/**
 * Returns the source of a currency's rate: the settings, or the series of `--fx` with the usual name, such as
 * EURUSD or the inverse USDEUR.
 */
export function rateOf(code: string, settings: BrokerSettings, rates: readonly BarSeries[]): CurrencyRate {
  if (Object.hasOwn(settings.currencies, code)) return settings.currencies[code]!;
  const account = settings.currency ?? ACCOUNT_CURRENCY;
  const inverse = rates.some(({ symbol }) => symbol === `${account}${code}`);
  const straight = rates.some(({ symbol }) => symbol === `${code}${account}`);
  const name = inverse && !straight ? `${account}${code}` : `${code}${account}`;
  return { rate: name, inverse: inverse && !straight, tradable: false };
}
