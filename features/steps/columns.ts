import assert from 'node:assert/strict';
import { Given, Then, When } from '@cucumber/cucumber';
import { AppError, formatInstant } from '../../src/kernel/index.ts';
import { loadMarket } from '../../src/market/index.ts';
import type { TradingWorld } from '../support/world.ts';

/** Two bars in the format of each source, shortened from its documentation and exports. */
const WRITTEN: Readonly<Record<string, readonly string[]>> = {
  'yfinance, one header line': [
    'Date,Open,High,Low,Close,Adj Close,Volume',
    '2020-01-02,74.06,75.15,73.8,75.09,72.88,1354804',
    '2020-01-03,74.29,75.14,74.13,74.36,72.17,1463228',
  ],
  'yfinance, three header lines': [
    'Price,Close,High,Low,Open,Volume',
    'Ticker,AAPL,AAPL,AAPL,AAPL,AAPL',
    'Date,,,,,',
    '2020-01-02,75.09,75.15,73.8,74.06,1354804',
    '2020-01-03,74.36,75.14,74.13,74.29,1463228',
  ],
  'yfinance, hours with offsets': [
    'Datetime,Open,High,Low,Close,Volume,Dividends,Stock Splits',
    '2020-01-02 09:30:00-05:00,74.06,75.15,73.8,75.09,1354804,0.0,0.0',
    '2020-01-02 10:30:00-05:00,74.29,75.14,74.13,74.36,1463228,0.0,0.0',
  ],
  'dukascopy, Gmt time': [
    'Gmt time,Open,High,Low,Close,Volume',
    '03.02.2020 00:00:00.000,1.10,1.12,1.09,1.11,1000.5',
    '04.02.2020 00:00:00.000,1.11,1.13,1.10,1.12,900.25',
  ],
  'dukascopy, Local time': [
    'Local time,Open,High,Low,Close,Volume',
    '03.02.2020 00:00:00.000 GMT+0100,1.10,1.12,1.09,1.11,1000.5',
    '03.02.2020 01:00:00.000 GMT+0100,1.11,1.13,1.10,1.12,900.25',
  ],
  'binance, without a header': [
    '1577923200000,7200.24,7260.00,7195.24,7254.74,642.4,1578009599999,4656452.5,8140,321.9,2333432.2,0',
    '1578009600000,7254.77,7320.00,7200.00,7316.14,768.9,1578095999999,5555555.5,9140,421.9,2433432.2,0',
  ],
  'binance, with a header': [
    'open_time,open,high,low,close,volume,close_time,quote_volume,count,taker_buy_volume,taker_buy_quote_volume,ignore',
    '1577923200000,7200.24,7260.00,7195.24,7254.74,642.4,1578009599999,4656452.5,8140,321.9,2333432.2,0',
    '1578009600000,7254.77,7320.00,7200.00,7316.14,768.9,1578095999999,5555555.5,9140,421.9,2433432.2,0',
  ],
  'binance, in microseconds': [
    '1735689600000000,7200.24,7260.00,7195.24,7254.74,642.4,1735693199999999,4656452.5,8140,321.9,2333432.2,0',
    '1735693200000000,7254.77,7320.00,7200.00,7316.14,768.9,1735696799999999,5555555.5,9140,421.9,2433432.2,0',
  ],
  'metatrader, MT5': [
    '<DATE>\t<TIME>\t<OPEN>\t<HIGH>\t<LOW>\t<CLOSE>\t<TICKVOL>\t<VOL>\t<SPREAD>',
    '2020.01.02\t01:00:00\t1.1\t1.12\t1.09\t1.11\t321\t0\t5',
    '2020.01.02\t02:00:00\t1.11\t1.12\t1.10\t1.12\t123\t0\t5',
  ],
  'metatrader, MT4': ['2020.01.02,01:00,1.1,1.12,1.09,1.11,321', '2020.01.02,02:00,1.11,1.12,1.10,1.12,123'],
  'stooq, one symbol': [
    'Date,Open,High,Low,Close,Volume',
    '2020-01-02,74.06,75.15,73.8,75.09,1354804',
    '2020-01-03,74.29,75.14,74.13,74.36,1463228',
  ],
  'stooq, bulk': [
    '<TICKER>,<PER>,<DATE>,<TIME>,<OPEN>,<HIGH>,<LOW>,<CLOSE>,<VOL>,<OPENINT>',
    'AAPL.US,60,20200102,153000,74.06,75.15,73.8,75.09,1354804,0',
    'AAPL.US,60,20200102,163000,74.29,75.14,74.13,74.36,1463228,0',
  ],
  'alphavantage, daily': [
    'timestamp,open,high,low,close,volume',
    '2020-01-03,74.29,75.14,74.13,74.36,1463228',
    '2020-01-02,74.06,75.15,73.8,75.09,1354804',
  ],
  'kraken, OHLCVT': [
    '1577923200,7200.24,7260.00,7195.24,7254.74,642.4,8140',
    '1578009600,7254.77,7320.00,7200.00,7316.14,768.9,9140',
  ],
  'ib, ib_insync': [
    ',date,open,high,low,close,volume,average,barCount',
    '0,2020-01-02,74.06,75.15,73.8,75.09,1354804,74.9,1234',
    '1,2020-01-03,74.29,75.14,74.13,74.36,1463228,74.6,1234',
  ],
};

Given(
  /^the file "([^"]+)" as (\w+) writes it, (.+)$/,
  function (this: TradingWorld, name: string, source: string, what: string) {
    const lines = WRITTEN[`${source}, ${what}`];
    assert.ok(lines, `nothing is known of ${source}, ${what}`);
    this.folder.write(name, `${lines.join('\n')}\n`);
  },
);

When(
  'the trader loads {string} with the columns {string}',
  async function (this: TradingWorld, name: string, columns: string) {
    try {
      this.loaded = await loadMarket({ paths: [this.folder.file(name)], columns });
    } catch (error) {
      assert.ok(error instanceof AppError, `no error for a user: ${String(error)}`);
      this.refusal = error;
      this.problems.note(error, error.message);
    }
  },
);

Then(
  /^the first bar is of (\S+) at (\S+): open (\S+), close (\S+), volume (\S+)$/,
  function (this: TradingWorld, symbol: string, time: string, open: string, close: string, volume: string) {
    const [series] = this.loaded?.market.series ?? [];
    assert.ok(series, 'nothing was loaded');
    const first = [
      series.symbol,
      formatInstant(series.time[0]!),
      series.open[0],
      series.close[0],
      series.volume[0],
    ];
    assert.deepEqual(first, [symbol, time, Number(open), Number(close), Number(volume)]);
  },
);

When('the bars of {string} are destroyed', function (this: TradingWorld, name: string) {
  this.folder.write(name, 'no bars any more');
});
