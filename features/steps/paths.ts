import assert from 'node:assert/strict';
import { Given, Then, When } from '@cucumber/cucumber';
import { type Bar, barSeries } from '../../src/market/index.ts';
import { readInstruction } from '../support/order-notation.ts';
import { instantOf } from '../support/tables.ts';
import type { TradingWorld } from '../support/world.ts';
import { place } from './fills.ts';

/** Creates a market with two bars. All prices of bar 0 are 100. Orders can fill on bar 1. */
function draw(world: TradingWorld, [open, high, low, close]: number[], volume: number): void {
  const quiet: Bar = {
    time: instantOf('2020-01-01'),
    open: 100,
    high: 100,
    low: 100,
    close: 100,
    volume: 1000,
  };
  const prices = { open: open!, high: high!, low: low!, close: close! };
  world.series = [barSeries('ACME', [quiet, { time: instantOf('2020-01-02'), ...prices, volume }])];
}

Given(
  'a bar that opens at {float}, rises to {float}, falls to {float} and closes at {float}',
  function (this: TradingWorld, open: number, high: number, low: number, close: number) {
    draw(this, [open, high, low, close], 1000);
  },
);

Given(
  'a bar of volume {int} that opens at {float}, rises to {float}, falls to {float} and closes at {float}',
  function (this: TradingWorld, volume: number, open: number, high: number, low: number, close: number) {
    draw(this, [open, high, low, close], volume);
  },
);

Given('every bar is resolved for the {word}', function (this: TradingWorld, resolve: 'worst' | 'best') {
  this.settings = { ...this.settings, resolve };
});

const meet = (world: TradingWorld, ...orders: string[]): Promise<void> =>
  place(
    world,
    orders.map((order) => ({ at: 0, does: readInstruction(order) })),
  );

When('{string} meets it', async function (this: TradingWorld, order: string) {
  await meet(this, order);
});

When('{string} and {string} meet it', async function (this: TradingWorld, one: string, other: string) {
  await meet(this, one, other);
});

When(
  '{int} buy limits from {int} down to {int} meet it',
  async function (this: TradingWorld, count: number, highest: number, lowest: number) {
    assert.equal(highest - lowest + 1, count);
    await meet(this, ...Array.from({ length: count }, (_, index) => `buy 1 limit ${highest - index}`));
  },
);

function barEvent(world: TradingWorld, bar: number) {
  const event = world.backtest?.of('bar').find((one) => one.bar === bar);
  assert.ok(event, `bar ${bar} was not processed`);
  return event;
}

Then('bar {int} is proved', function (this: TradingWorld, bar: number) {
  assert.equal(barEvent(this, bar).ambiguity, undefined);
  assert.equal(this.backtest?.result.ambiguity.fills, 0);
});

Then(
  'bar {int} leaves {float} or {float}',
  function (this: TradingWorld, bar: number, worse: number, better: number) {
    assert.deepEqual(barEvent(this, bar).ambiguity, { worse: String(worse), better: String(better) });
    assert.equal(this.backtest?.result.ambiguity.bars, 1);
    assert.equal(this.backtest?.result.ambiguity.difference.toNumber(), better - worse);
  },
);

Then('the bounds of bar {int} are {word}', function (this: TradingWorld, bar: number, kind: string) {
  assert.deepEqual(barEvent(this, bar).bounds, { ACME: kind });
});

Then('the open position is ambiguous', function (this: TradingWorld) {
  const trades = this.backtest?.result.openTrades ?? [];
  assert.deepEqual(
    trades.map(({ ambiguous }) => ambiguous),
    [true],
  );
});

Then('{int} orders fill', function (this: TradingWorld, count: number) {
  assert.equal(this.backtest?.of('order_filled').length, count);
});

Then('bar {int} has no bounds but its two answers', function (this: TradingWorld, bar: number) {
  assert.equal(barEvent(this, bar).bounds, undefined);
});
