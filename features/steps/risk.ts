import assert from 'node:assert/strict';
import { type DataTable, Given, Then } from '@cucumber/cucumber';
import type { RunSettingsInput } from '../../src/engine/index.ts';
import { decimalString } from '../../src/kernel/index.ts';
import { assertRows, candles } from '../support/tables.ts';
import type { TradingWorld } from '../support/world.ts';

type RiskLimits = NonNullable<RunSettingsInput['risk']>;

function limit(world: TradingWorld, risk: RiskLimits): void {
  world.settings = { ...world.settings, risk: { ...world.settings.risk, ...risk } };
}

Given('no position above {float}% of equity', function (this: TradingWorld, percent: number) {
  limit(this, { maxPosition: percent / 100 });
});

Given('gross exposure of at most {float}% of equity', function (this: TradingWorld, percent: number) {
  limit(this, { maxGrossExposure: percent / 100 });
});

Given('net exposure of at most {float}% of equity', function (this: TradingWorld, percent: number) {
  limit(this, { maxNetExposure: percent / 100 });
});

Given('at most {int} open position(s)', function (this: TradingWorld, maxOpenPositions: number) {
  limit(this, { maxOpenPositions });
});

Given('no order worth more than {float}', function (this: TradingWorld, maxOrderNotional: number) {
  limit(this, { maxOrderNotional });
});

Given('no short positions by the risk limits', function (this: TradingWorld) {
  limit(this, { noShort: true });
});

Given('a daily loss limit of {float}%', function (this: TradingWorld, percent: number) {
  limit(this, { maxDailyLoss: percent / 100 });
});

Given('a drawdown limit of {float}%', function (this: TradingWorld, percent: number) {
  limit(this, { maxDrawdown: percent / 100 });
});

Given('everything is closed when the drawdown limit is reached', function (this: TradingWorld) {
  limit(this, { flattenOnHalt: true });
});

Given('a cooldown of {int} bar(s) after a loss', function (this: TradingWorld, cooldownBars: number) {
  limit(this, { cooldownBars });
});

Given('market orders fill at the close they are decided on', function (this: TradingWorld) {
  this.settings = { ...this.settings, fillOn: 'close' };
});

Given(
  'these finer bars of {symbols}:',
  function (this: TradingWorld, [symbol = '']: string[], table: DataTable) {
    this.detail.push(candles(symbol, table));
  },
);

Given(
  'the trader orders with a stop loss of {float} and a take profit of {float}:',
  function (this: TradingWorld, stopLoss: number, takeProfit: number, table: DataTable) {
    this.orders = table.hashes().map(({ date = '', action, quantity }) => ({
      bar: this.market.clock.indexOf(Date.parse(date)),
      request: { action: action === 'sell' ? 'sell' : 'buy', quantity, stopLoss, takeProfit },
    }));
  },
);

Then('the run is halted on {date} as {word}', function (this: TradingWorld, date: string, code: string) {
  const { backtest } = this;
  assert.ok(backtest);
  const halts = backtest.of('risk_halted').map((halt) => [backtest.dateOf(halt.bar), halt.code]);
  assert.deepEqual(halts, [[date, code]]);
});

Then('these fills are ambiguous:', function (this: TradingWorld, table: DataTable) {
  const { backtest } = this;
  assert.ok(backtest);
  const fills = backtest.of('order_filled').filter(({ ambiguous }) => ambiguous === true);
  assertRows(
    fills.map((fill) => ({ ...fill, date: backtest.dateOf(fill.bar) })),
    table,
  );
});

Then(
  'the final equity is {float}, and {float} with the better answers',
  function (this: TradingWorld, worse: number, better: number) {
    const equity = this.backtest?.result.ambiguity.finalEquity;
    assert.ok(equity);
    assert.deepEqual(
      [decimalString(equity.worse), decimalString(equity.better)],
      [String(worse), String(better)],
    );
  },
);

Then('the run is stamped {string}', function (this: TradingWorld, stamp: string) {
  assert.ok(this.backtest?.result.stamps.includes(stamp));
});
