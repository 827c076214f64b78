import type { Ledger } from '../account/index.ts';
import type { BrokerSettings } from '../broker/index.ts';
import type { Instant } from '../kernel/index.ts';
import {
  BarBounds,
  type BarSeries,
  type BarTimes,
  checkedMarket,
  EndedBars,
  type Market,
  marketOf,
} from '../market/index.ts';

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

/** One currency's rate series, read forward: nothing is taken from a bar that has not begun, no close from one that has not ended. */
class RateCursor {
  readonly #bars: EndedBars;
  readonly #inverse: boolean;

  constructor(series: BarSeries, inverse: boolean, barTimes: BarTimes) {
    this.#bars = new EndedBars(series, barTimes);
    this.#inverse = inverse;
  }

  /** What is known at an instant: the newest bar's close when it has ended, else its open; NaN before the first. */
  at(instant: Instant, moment: 'open' | 'close'): number {
    const price = this.#bars.priceAt(instant, moment);
    return this.#inverse ? 1 / price : price;
  }
}

/**
 * Moves the ledger's exchange rates along with the bars, never ahead of them: at a bar's open by what has ended when it
 * begins, at its close by what has ended when it ends.
 */
export class ExchangeRates {
  readonly #ledger: Ledger;
  readonly #sources: { readonly cursor: RateCursor; readonly symbols: readonly number[] }[] = [];
  readonly #bounds: BarBounds;

  private constructor(ledger: Ledger, bounds: BarBounds) {
    this.#ledger = ledger;
    this.#bounds = bounds;
  }

  /** Finds each foreign currency's rates, which `checkSettingsFit` has seen to be there; undefined where none is needed. */
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

  /** The rates that are known when a bar opens. @param bar number on the clock */
  atOpen(bar: number): void {
    this.#set(this.#bounds.startOf(bar), 'open');
  }

  /** The rates that are known when a bar has closed. */
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

/** As the settings say; else the series of `--fx` that the usual pair names, such as EURUSD or, turned round, USDEUR. */
export function rateOf(code: string, settings: BrokerSettings, rates: readonly BarSeries[]): CurrencyRate {
  if (Object.hasOwn(settings.currencies, code)) return settings.currencies[code]!;
  const account = settings.currency ?? ACCOUNT_CURRENCY;
  const inverse = rates.some(({ symbol }) => symbol === `${account}${code}`);
  const straight = rates.some(({ symbol }) => symbol === `${code}${account}`);
  const name = inverse && !straight ? `${account}${code}` : `${code}${account}`;
  return { rate: name, inverse: inverse && !straight, tradable: false };
}
