import assert from 'node:assert/strict';
import { type DataTable, Given, Then, When } from '@cucumber/cucumber';
import { simulateMarket, toCsv } from '../../src/market/index.ts';
import { plannedOrders } from '../support/backtest.ts';
import { candles } from '../support/tables.ts';
import type { TradingWorld } from '../support/world.ts';

// All scenarios use the same seed. A symbol then has the same bars in all of them, which shared Python
// requires.
const SEED = 11;

Given('{float} in cash', function (this: TradingWorld, cash: number) {
  this.settings = { ...this.settings, cash };
});

Given('a commission of {float}%', function (this: TradingWorld, percent: number) {
  this.settings = { ...this.settings, commissionRate: percent / 100 };
});

Given('slippage of {int} basis points', function (this: TradingWorld, slippageBps: number) {
  this.settings = { ...this.settings, slippageBps };
});

Given('short positions are not allowed', function (this: TradingWorld) {
  this.settings = { ...this.settings, allowShort: false };
});

Given('{int} simulated bars', function (this: TradingWorld, bars: number) {
  this.series = [...simulateMarket({ seed: SEED, bars }).series];
});

Given('{int} simulated bars of {symbols}', function (this: TradingWorld, bars: number, symbols: string[]) {
  this.series = [...simulateMarket({ seed: SEED, bars, symbols }).series];
});

Given('the market has advanced to bar {int}', function (this: TradingWorld, bar: number) {
  this.bar = bar;
});

When('the market advances to the next bar', function (this: TradingWorld) {
  for (const agent of this.agents.values()) agent.advance();
  this.bar += 1;
});

Given('these bars of {symbols}:', function (this: TradingWorld, [symbol = '']: string[], table: DataTable) {
  this.series.push(candles(symbol, table));
});

Given('the trader orders:', function (this: TradingWorld, table: DataTable) {
  this.orders = plannedOrders(table, this.market);
});

Given('the agent bought {int} at bar {int}', function (this: TradingWorld, quantity: number, bar: number) {
  this.orders = [{ bar, request: { action: 'buy', quantity } }];
});

Then(
  'seed {int} makes the same {int} bars of a {word} market twice, and seed {int} makes others',
  (seed: number, bars: number, regime: string, otherSeed: number) => {
    const csvOf = (from: number): string => {
      const [series] = simulateMarket({ seed: from, bars, regime: regime as 'trend' }).series;
      assert.ok(series);
      return toCsv(series);
    };
    assert.equal(csvOf(seed), csvOf(seed));
    assert.notEqual(csvOf(seed), csvOf(otherSeed));
  },
);
