import assert from 'node:assert/strict';
import { type DataTable, Then, When } from '@cucumber/cucumber';
import { loadStrategy } from '../../src/agents/index.ts';
import type { EventOf } from '../../src/journal/index.ts';
import { loadMarket } from '../../src/market/index.ts';
import { createToolkit } from '../../src/toolkit/index.ts';
import { Backtest } from '../support/backtest.ts';
import { projectPath } from '../support/command-line.ts';
import { PATIENT_MS, python } from '../support/python.ts';
import type { TradingWorld } from '../support/world.ts';

function backtestOf(world: TradingWorld): Backtest {
  assert.ok(world.backtest, 'no strategy was run');
  return world.backtest;
}

function closedTrades(world: TradingWorld): EventOf<'trade_closed'>[] {
  return backtestOf(world).of('trade_closed');
}

When('the strategy {word} trades {word}', async function (this: TradingWorld, name: string, data: string) {
  const { market } = await loadMarket({ paths: [projectPath(data)] });
  this.series = [...market.series];
  const strategy = await loadStrategy(projectPath(`strategies/${name}.ts`));
  const tools = [...strategy.tools];
  const sandbox = tools.length === 0 ? undefined : python().own({ spares: 0, timeoutMs: PATIENT_MS });
  if (sandbox !== undefined) this.ownSandboxes.push(sandbox);
  const toolkit = sandbox === undefined ? undefined : createToolkit({ sandbox, tools });
  const decider = strategy.createDecider(toolkit, market.clock.length, market.symbols);
  this.backtest = await Backtest.run(market, decider, this.settings, this.problems);
});

// The table must contain every exit reason that occurs. The numbers are minimum counts.
Then('its trades end for these reasons, at least so often:', function (this: TradingWorld, table: DataTable) {
  const counts = new Map<string, number>();
  for (const { exitReason } of closedTrades(this)) counts.set(exitReason, (counts.get(exitReason) ?? 0) + 1);
  const wanted = new Map(table.hashes().map(({ reason = '', times }) => [reason, Number(times)]));
  assert.deepEqual([...counts.keys()].sort(), [...wanted.keys()].sort());
  for (const [reason, least] of wanted) {
    const found = counts.get(reason) ?? 0;
    assert.ok(found >= least, `${reason}: ${found} trades, not ${least}`);
  }
});

Then(
  'every {word} costs money and every {word} brings some',
  function (this: TradingWorld, loss: string, gain: string) {
    for (const { exitReason, grossPnl, id } of closedTrades(this)) {
      if (exitReason === loss) assert.ok(Number(grossPnl) < 0, `trade ${id}, a ${loss}, made ${grossPnl}`);
      if (exitReason === gain) assert.ok(Number(grossPnl) > 0, `trade ${id}, a ${gain}, made ${grossPnl}`);
    }
  },
);

Then('all its trades are long', function (this: TradingWorld) {
  assert.deepEqual(new Set(closedTrades(this).map(({ side }) => side)), new Set(['long']));
});

Then('some of its orders expire', function (this: TradingWorld) {
  const expired = backtestOf(this)
    .of('order_cancelled')
    .filter(({ code }) => code === 'expired');
  assert.ok(expired.length > 0, 'none expired');
});

Then('every long of one symbol is entered with a short of the other', function (this: TradingWorld) {
  const sidesByBar = new Map<number, string[]>();
  for (const { entryBar, symbol, side } of closedTrades(this))
    sidesByBar.set(entryBar, [...(sidesByBar.get(entryBar) ?? []), `${side} ${symbol}`]);
  for (const [bar, sides] of sidesByBar) {
    const pair = sides.map((text) => text.split(' ')[0]).sort();
    assert.deepEqual(pair, ['long', 'short'], `bar ${bar}: ${sides.join(', ')}`);
  }
});

Then('at every close it holds at most {int} symbols', function (this: TradingWorld, most: number) {
  const units = new Map<string, number>();
  for (const event of backtestOf(this).events) {
    if (event.type === 'order_filled') {
      const signed = event.side === 'buy' ? Number(event.quantity) : -Number(event.quantity);
      units.set(event.symbol, (units.get(event.symbol) ?? 0) + signed);
    } else if (event.type === 'bar') {
      const held = [...units].filter(([, quantity]) => quantity !== 0).map(([symbol]) => symbol);
      assert.ok(held.length <= most, `${event.date}: ${held.join(', ')}`);
    }
  }
});

Then('it trades in at most one bar a month', function (this: TradingWorld) {
  const backtest = backtestOf(this);
  const days = new Set(backtest.of('order_filled').map(({ bar }) => backtest.dateOf(bar)));
  const months = new Set([...days].map((date) => date.slice(0, 7)));
  assert.ok(months.size > 0, 'nothing was traded');
  assert.equal(days.size, months.size);
});
