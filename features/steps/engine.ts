import assert from 'node:assert/strict';
import { Then, When } from '@cucumber/cucumber';
import { orderScriptDecider, parseOrderScript } from '../../src/agents/index.ts';
import type { Decider } from '../../src/engine/index.ts';
import type { EventOf } from '../../src/journal/index.ts';
import {
  createRandom,
  type Decimal,
  decimal,
  decimalString,
  formatInstant,
  ZERO,
} from '../../src/kernel/index.ts';
import { Backtest, deciderOf } from '../support/backtest.ts';
import { instantOf } from '../support/tables.ts';
import type { TradingWorld } from '../support/world.ts';

async function run(world: TradingWorld, decider: Decider): Promise<void> {
  const { market, settings, problems, actions, rates, detail } = world;
  world.backtest = await Backtest.run(market, decider, settings, problems, { actions, rates, detail });
}

function backtestOf(world: TradingWorld): Backtest {
  assert.ok(world.backtest, 'no backtest was run');
  return world.backtest;
}

When('the backtest runs', async function (this: TradingWorld) {
  await run(this, deciderOf(this.orders));
});

When('this order script runs:', async function (this: TradingWorld, text: string) {
  const script = parseOrderScript(text, 'orders.json', this.market.clock);
  const { cash = '100000', commissionRate = 0 } = script;
  this.settings = { ...this.settings, cash, commissionRate };
  await run(this, orderScriptDecider(script));
});

When('a trader who buys, sells and closes at random runs', async function (this: TradingWorld) {
  const random = createRandom(3, 'random trader');
  await run(this, {
    decide({ symbols, orders, account }) {
      for (const symbol of symbols) {
        const dice = random.next();
        if (dice < 0.2) orders.buy(1 + Math.floor(100 * random.next()), { symbol });
        else if (dice < 0.4) orders.sell(1 + Math.floor(100 * random.next()), { symbol });
        else if (dice < 0.5 && account.units(symbol) !== 0) orders.close({ symbol });
      }
    },
  });
});

When('a trader who writes down the last bar it can see runs', async function (this: TradingWorld) {
  await run(this, {
    decide(turn) {
      const last = turn.symbols.map((symbol) => turn.windowOf(symbol).bar?.time ?? 0);
      const beyond = turn.window.close.at(turn.window.length);
      turn.record({ type: 'note', bar: turn.bar, text: `${formatInstant(Math.max(...last))} ${beyond}` });
    },
  });
});

Then('no trader saw a bar later than its own', function (this: TradingWorld) {
  const backtest = backtestOf(this);
  const notes = backtest.of('note').map(({ text }) => text);
  assert.deepEqual(
    notes,
    backtest.of('bar').map(({ date }) => `${date} NaN`),
  );
});

Then(
  'the order of {date} is refused on {date} as {word}',
  function (this: TradingWorld, _placed: string, refused: string, code: string) {
    const refusal = refusalOn(this, refused);
    assert.equal(refusal.code, code);
  },
);

Then('the refusal of {date} says {string}', function (this: TradingWorld, date: string, text: string) {
  const { message, remedy } = refusalOn(this, date);
  assert.ok(`${message} ${remedy}`.includes(text), `${message} ${remedy}`);
});

function refusalOn(world: TradingWorld, date: string): EventOf<'order_rejected'> {
  const backtest = backtestOf(world);
  const day = formatInstant(instantOf(date));
  const refusal = backtest.of('order_rejected').find(({ bar }) => backtest.dateOf(bar) === day);
  assert.ok(refusal, `no order was refused on ${date}`);
  world.problems.seen(refusal);
  return refusal;
}

Then('some orders are refused, each with a code and a remedy', function (this: TradingWorld) {
  const refusals = backtestOf(this).of('order_rejected');
  assert.ok(refusals.length > 0, 'no order was refused');
  for (const refusal of refusals) {
    assert.match(refusal.code, /^[a-z_]+$/);
    assert.notEqual(refusal.remedy, '');
    this.problems.seen(refusal);
  }
});

Then('the run completes after {int} bars', function (this: TradingWorld, bars: number) {
  const { outcome, bars: processed } = backtestOf(this).result;
  assert.deepEqual({ outcome, processed }, { outcome: 'completed', processed: bars });
});

// Recalculates the account from the fills and the market only.
Then('at every close cash plus positions is the equity, to the last decimal', function (this: TradingWorld) {
  const positions = new Map<string, Decimal>();
  let cash = decimal(this.settings.cash ?? 100_000);
  for (const event of backtestOf(this).events) {
    if (event.type === 'order_filled') {
      const units = event.side === 'buy' ? decimal(event.quantity) : decimal(event.quantity).negated();
      positions.set(event.symbol, (positions.get(event.symbol) ?? ZERO).plus(units));
      cash = cash.minus(units.times(decimal(event.price))).minus(decimal(event.commission));
      assert.equal(event.cash, decimalString(cash));
    } else if (event.type === 'bar') {
      let equity = cash;
      for (const [symbol, units] of positions)
        equity = equity.plus(units.times(lastClose(this, symbol, event.bar)));
      assert.equal(event.cash, decimalString(cash));
      assert.equal(event.equity, decimalString(equity));
    }
  }
});

function lastClose(world: TradingWorld, symbol: string, bar: number): Decimal {
  const { clock, series } = world.market;
  const now = clock[bar] ?? Number.NaN;
  const own = series.find((one) => one.symbol === symbol);
  const index = own?.time.findLastIndex((time) => time <= now) ?? -1;
  return decimal(own?.close[index] ?? Number.NaN);
}

Then('every fill lies inside the range of its bar', function (this: TradingWorld) {
  const { market } = this;
  for (const fill of backtestOf(this).of('order_filled')) {
    const own = market.series.find((one) => one.symbol === fill.symbol);
    const index = own?.time.indexOf(market.clock[fill.bar] ?? Number.NaN) ?? -1;
    const [low, high] = [own?.low[index] ?? Number.NaN, own?.high[index] ?? Number.NaN];
    assert.ok(
      Number(fill.price) >= low && Number(fill.price) <= high,
      `${fill.price} is outside ${low}-${high}`,
    );
  }
});
