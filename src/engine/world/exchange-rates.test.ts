import { describe, expect, it } from 'vitest';
import { Ledger } from '../../broker/account/index.ts';
import { DAY, decimal, parseInstant } from '../../kernel/index.ts';
import { type BarSeries, barSeries, createMarket } from '../../market/index.ts';
import { type RunSettingsInput, readRunSettings } from '../settings/settings.ts';
import { currenciesOf, ExchangeRates, rateOf, tradedMarket } from './exchange-rates.ts';

const first = parseInstant('2024-03-04')!;

/** Returns daily bars from these opens and closes. */
function seriesOf(symbol: string, prices: readonly (readonly [open: number, close: number])[]): BarSeries {
  return barSeries(
    symbol,
    prices.map(([open, close], bar) => ({
      time: first + bar * DAY,
      open,
      close,
      high: Math.max(open, close),
      low: Math.min(open, close),
      volume: 1,
    })),
  );
}

const stock = (symbol: string): BarSeries =>
  seriesOf(symbol, [
    [10, 10],
    [10, 10],
    [10, 10],
  ]);
const EURUSD = seriesOf('EURUSD', [
  [1, 1.25],
  [1.5, 2],
  [2.5, 4],
]);
const USDJPY = seriesOf('USDJPY', [
  [100, 125],
  [160, 200],
  [250, 400],
]);

describe('the market of a run', () => {
  it('excludes series that only provide exchange rates', () => {
    const whole = createMarket([stock('A'), EURUSD, USDJPY]);
    const rate = { inverse: false, tradable: false };
    const { market, rates } = tradedMarket(
      whole,
      {
        currencies: {
          EUR: { ...rate, rate: 'EURUSD' },
          JPY: { ...rate, rate: 'USDJPY', tradable: true },
          GBP: { ...rate, rate: 1.3 },
        },
      },
      [stock('X')],
    );
    expect(market.symbols).toEqual(['A', 'USDJPY']);
    expect(rates.map(({ symbol }) => symbol)).toEqual(['X', 'EURUSD']);
  });

  it('is unchanged if no series provides exchange rates', () => {
    const whole = createMarket([stock('A'), EURUSD]);
    const given = [stock('X')];
    expect(tradedMarket(whole, { currencies: {} }, given)).toEqual({ market: whole, rates: given });
    expect(tradedMarket(whole, { currencies: {} }).rates).toEqual([]);
  });
});

describe('the currency of a symbol', () => {
  it('is that of the account by default', () => {
    const of = (settings: RunSettingsInput) => currenciesOf(['A', 'B'], readRunSettings(settings));
    expect(of({})).toBeUndefined();
    expect(of({ instruments: { A: { currency: 'USD' } } })).toBeUndefined();
    expect(of({ currency: 'EUR', instruments: { A: { currency: 'EUR' } } })).toBeUndefined();
    expect(of({ instruments: { A: { currency: 'EUR' } } })).toEqual(['EUR', 'USD']);
    expect(of({ currency: 'EUR', instruments: { B: { currency: 'USD' } } })).toEqual(['EUR', 'USD']);
  });
});

describe('the source of an exchange rate', () => {
  const settings = readRunSettings({ currencies: { GBP: { rate: 1.3, inverse: true } } });

  it('is the rate in the settings', () => {
    expect(rateOf('GBP', settings, [])).toEqual({ rate: 1.3, inverse: true, tradable: false });
  });

  it('is the series with the usual name, or its inverse if only that exists', () => {
    const straight = { rate: 'EURUSD', inverse: false, tradable: false };
    expect(rateOf('EUR', settings, [stock('USDEUR'), EURUSD])).toEqual(straight);
    expect(rateOf('EUR', settings, [])).toEqual(straight);
    expect(rateOf('JPY', settings, [EURUSD, USDJPY])).toEqual({
      rate: 'USDJPY',
      inverse: true,
      tradable: false,
    });
    expect(rateOf('JPY', readRunSettings({ currency: 'EUR' }), [stock('EURJPY')])).toEqual({
      rate: 'EURJPY',
      inverse: true,
      tradable: false,
    });
  });
});

describe('the exchange rates of a run', () => {
  const currencies = ['EUR', 'USD', 'JPY', 'EUR'];
  const symbols = ['A', 'B', 'C', 'D'];

  function ratesOf(given: RunSettingsInput, barTimes: 'start' | 'end' = 'start') {
    const settings = readRunSettings({
      ...given,
      barTimes,
      instruments: Object.fromEntries(
        symbols.map((symbol, index) => [symbol, { currency: currencies[index]! }]),
      ),
    });
    const traded = tradedMarket(createMarket(symbols.map(stock)), settings, [EURUSD, USDJPY]);
    const ledger = new Ledger(symbols, decimal('1000'), { currencies });
    const exchange = ExchangeRates.of(traded, settings, ledger);
    const now = () =>
      symbols.map((_, symbol) => (ledger.hasRate(symbol) ? Number(ledger.rateOf(symbol)) : 0));
    return { exchange, now };
  }

  it('are the opens of the rate series at an open, and its closes at a close', () => {
    const { exchange, now } = ratesOf({});
    const seen: number[][] = [now()];
    for (const bar of [0, 1, 2]) {
      exchange!.atOpen(bar);
      seen.push(now());
      exchange!.atClose(bar);
      seen.push(now());
    }
    expect(seen).toEqual([
      [0, 1, 0, 0],
      [1, 1, 1 / 100, 1],
      [1.25, 1, 1 / 125, 1.25],
      [1.5, 1, 1 / 160, 1.5],
      [2, 1, 1 / 200, 2],
      [2.5, 1, 1 / 250, 2.5],
      [4, 1, 1 / 400, 4],
    ]);
  });

  it('are set once if all rates in the settings are numbers, including inverse rates', () => {
    const { exchange, now } = ratesOf({
      currencies: { EUR: { rate: 1.25 }, JPY: { rate: 200, inverse: true } },
    });
    expect(exchange).toBeUndefined();
    expect(now()).toEqual([1.25, 1, 0.005, 1.25]);
  });

  it('change only for currencies with a rate series', () => {
    const { exchange, now } = ratesOf({ currencies: { EUR: { rate: 3 } } });
    exchange!.atClose(1);
    expect(now()).toEqual([3, 1, 1 / 200, 3]);
  });
});
