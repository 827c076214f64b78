import assert from 'node:assert/strict';
import { type DataTable, Given, Then, When } from '@cucumber/cucumber';
import type { RunSettingsInput } from '../../src/engine/index.ts';
import { type Bar, barSeries, createMarket, sessionTerms } from '../../src/market/index.ts';
import { Backtest } from '../support/backtest.ts';
import { type Instruction, readInstruction } from '../support/order-notation.ts';
import { assertRows, instantOf } from '../support/tables.ts';
import type { TradingWorld } from '../support/world.ts';

const DAY = 86_400_000;
const FIRST_DAY = instantOf('2020-01-01');
const pending = new WeakMap<Backtest, readonly number[]>();

// Bar 0 is 1 January 2020 and each bar is a day, unless the table has a column `time`. An omitted row is a
// missing bar.
Given('the candles', function (this: TradingWorld, table: DataTable) {
  const bars = new Map<string, Bar[]>();
  const clock = new Map<number, number>();
  for (const row of table.hashes()) {
    const { bar, time, symbol = 'ACME', open, high, low, close, volume = '1000' } = row;
    const instant = time === undefined ? FIRST_DAY + Number(bar) * DAY : instantOf(time);
    clock.set(instant, Number(bar));
    const prices = { open: Number(open), high: Number(high), low: Number(low), close: Number(close) };
    bars.set(symbol, [...(bars.get(symbol) ?? []), { time: instant, ...prices, volume: Number(volume) }]);
  }
  this.series = [...bars].map(([symbol, own]) => barSeries(symbol, own));
  createMarket(this.series).clock.forEach((instant, bar) => {
    assert.equal(clock.get(instant), bar, `bar ${bar} has no candle of any symbol`);
  });
});

function setting(words: string, read: (value: number) => RunSettingsInput): void {
  Given(words, function (this: TradingWorld, value: number) {
    this.settings = { ...this.settings, ...read(value) };
  });
}

setting('fills may take {float}% of the volume', (percent) => ({ participation: percent / 100 }));
setting('lots of {float}', (lot) => ({ lot }));
setting('ticks of {float}', (tick) => ({ tick }));
setting('a minimum notional of {float}', (minimumNotional) => ({
  instruments: { ACME: { minimumNotional } },
}));
setting('slippage of {float} a unit', (amount) => ({ slippage: { model: 'fixed', amount } }));
setting('a spread of {float} basis points', (bps) => ({ slippage: { model: 'spread', bps } }));
setting('a volume impact of {float}', (coefficient) => ({
  slippage: { model: 'volume-impact', coefficient },
}));
setting('a leverage of {float}', (leverage) => ({ leverage }));
setting('a maintenance margin of {float}%', (percent) => ({ maintenanceMargin: percent / 100 }));

Given('a limit needs the price to go through it', function (this: TradingWorld) {
  this.settings = { ...this.settings, limitNeedsThrough: true };
});

Given('sessions of {word} in {word}', function (this: TradingWorld, hours: string, timezone: string) {
  this.settings = { ...this.settings, session: { hours, timezone } };
});

Given('sessions of {word}', function (this: TradingWorld, calendar: string) {
  const session = sessionTerms(undefined, calendar, undefined);
  this.settings = { ...this.settings, ...(session === undefined ? {} : { session }) };
});

Given('a bar carries the time of its end', function (this: TradingWorld) {
  this.settings = { ...this.settings, barTimes: 'end' };
});

Given('{word} trades in lots of {float}', function (this: TradingWorld, symbol: string, lot: number) {
  this.settings = { ...this.settings, instruments: { ...this.settings.instruments, [symbol]: { lot } } };
});

When('these orders are placed', async function (this: TradingWorld, table: DataTable) {
  await place(
    this,
    table.hashes().map(({ bar, order = '' }) => ({ at: Number(bar), does: readInstruction(order) })),
  );
});

/** Runs a backtest in which a trader places orders at the close of the given bars. */
export async function place(
  world: TradingWorld,
  placed: readonly { readonly at: number; readonly does: Instruction }[],
): Promise<void> {
  let resting: readonly number[] = [];
  const decider: Parameters<typeof Backtest.run>[1] = {
    decide({ bar, orders }) {
      for (const { at, does } of placed) if (at === bar) follow(does, orders);
      resting = orders.pending().map(({ id }) => id);
    },
  };
  world.backtest = await Backtest.run(world.market, decider, world.settings, world.problems);
  pending.set(world.backtest, resting);
}

function follow(
  does: Instruction,
  orders: Parameters<Parameters<typeof Backtest.run>[1]['decide']>[0]['orders'],
): void {
  if (does.kind === 'place') orders.submit(does.request);
  else if (does.kind === 'rebalance') orders.rebalance(does.request);
  else if (does.kind === 'cancel') orders.cancel(does.orderId);
  else orders.replace(does.orderId, does.changes);
}

function backtestOf(world: TradingWorld): Backtest {
  assert.ok(world.backtest, 'no orders were placed');
  return world.backtest;
}

// Columns: bar, symbol, side, quantity, price, fee, reason. Ambiguous bars also have stamp and, if different,
// other.
Then('the fills are', function (this: TradingWorld, table: DataTable) {
  const fills = backtestOf(this).of('order_filled');
  assertRows(
    fills.map((fill) => ({
      ...fill,
      requested: fill.requestedQuantity ?? '',
      order: `#${fill.orderId}`,
      fee: fill.commission,
      reason: fill.reason ?? '',
      stamp: fill.ambiguous === true ? 'ambiguous' : '',
      'if other': fill.gainIfOther === undefined ? '' : `+${fill.gainIfOther}`,
    })),
    table,
  );
});

Then('nothing fills', function (this: TradingWorld) {
  assert.deepEqual(backtestOf(this).of('order_filled'), []);
});

// Rejected, cancelled and expired orders in chronological order. An order that is rejected when placed has no
// number.
Then('these orders end without filling', function (this: TradingWorld, table: DataTable) {
  const ends = backtestOf(this).events.filter(
    (event) => event.type === 'order_cancelled' || event.type === 'order_rejected',
  );
  for (const end of ends) this.problems.seen(end);
  assertRows(
    ends.map((end) => ({ ...end, order: end.orderId === null ? '' : `#${end.orderId}` })),
    table,
  );
});

Then('the order is refused, saying {string}', function (this: TradingWorld, text: string) {
  const refusals = backtestOf(this).of('order_rejected');
  const said = refusals.map(({ message, remedy }) => `${message} ${remedy}`);
  assert.ok(
    said.some((words) => words.includes(text)),
    said.join('\n') || 'nothing was refused',
  );
});

Then('at the end these orders rest: {}', function (this: TradingWorld, ids: string) {
  const resting = pending.get(backtestOf(this)) ?? [];
  assert.equal(resting.length === 0 ? 'none' : resting.map((id) => `#${id}`).join(', '), ids);
});

Then('at the end the position is {float}', function (this: TradingWorld, units: number) {
  const held = backtestOf(this).result.openTrades.map(({ side, quantity }) =>
    side === 'long' ? quantity.toNumber() : -quantity.toNumber(),
  );
  assert.equal(
    held.reduce((sum, quantity) => sum + quantity, 0),
    units,
  );
});
