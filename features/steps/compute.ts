import assert from 'node:assert/strict';
import { Given, Then, When } from '@cucumber/cucumber';
import type { Json } from '../../src/engine/index.ts';
import type { Column } from '../../src/market/index.ts';
import type { Answer } from '../support/agent.ts';
import { correlation, crossedOver, mean } from '../support/figures.ts';
import type { TradingWorld } from '../support/world.ts';

// Relative tolerance: Python and this file add numbers in different orders.
const RELATIVE = 1e-12;

function assertClose(actual: Json | undefined, expected: number): void {
  assert.ok(typeof actual === 'number', `${JSON.stringify(actual)} is no number`);
  assert.ok(Math.abs(actual - expected) <= RELATIVE * Math.abs(expected), `${actual} is not ${expected}`);
}

async function compute(world: TradingWorld, name: string, parameters: Json): Promise<void> {
  world.answers.push(await world.agent(name).call('compute', parameters));
}

function closes(world: TradingWorld, symbol?: string): number[] {
  const { turn } = world.agent('the agent');
  const window = symbol === undefined ? turn.window : turn.windowOf(symbol);
  const column: Column = window.close;
  return [...column.tail(column.length)];
}

function held(world: TradingWorld, key: string): Json {
  const { result } = world;
  assert.ok(typeof result === 'object' && result !== null && key in result, `the result holds no ${key}`);
  return (result as Answer)[key] as Json;
}

Given('results of up to {int} bytes are allowed', function (this: TradingWorld, bytes: number) {
  this.resultBytes = bytes;
});

When('{agent} computes {code}', async function (this: TradingWorld, name: string, code: string) {
  await compute(this, name, { code });
});

When('{agent} computes:', async function (this: TradingWorld, name: string, code: string) {
  await compute(this, name, { code });
});

When(
  '{agent} computes {code} with {symbols} as df',
  async function (this: TradingWorld, name: string, code: string, [symbol = '']: string[]) {
    await compute(this, name, { code, symbol });
  },
);

When(
  '{agent} calls {word} with {code}',
  async function (this: TradingWorld, name: string, tool: string, parameters: string) {
    this.answers.push(await this.agent(name).call(tool, JSON.parse(parameters) as Json));
  },
);

Then('the result is {code}', function (this: TradingWorld, json: string) {
  assert.deepEqual(this.result, JSON.parse(json));
});

Then('the answer holds {code}', function (this: TradingWorld, json: string) {
  const { answer } = this;
  assert.ok(!('error' in answer), `the answer is an error: ${JSON.stringify(answer)}`);
  assert.deepEqual({ ...answer, ...(JSON.parse(json) as Answer) }, answer);
});

Then('the result is the close of bar {int}', function (this: TradingWorld, bar: number) {
  assert.equal(this.result, this.market.series[0]?.close[bar]);
});

Then('the result is the mean of the last {int} closes', function (this: TradingWorld, count: number) {
  assertClose(this.result, mean(closes(this).slice(-count)));
});

Then('the result is the mean of all closes so far', function (this: TradingWorld) {
  assertClose(this.result, mean(closes(this)));
});

Then(
  'the result holds {string}, the mean of the last {int} closes',
  function (this: TradingWorld, key: string, count: number) {
    assertClose(held(this, key), mean(closes(this).slice(-count)));
  },
);

Then(
  'the result holds {string}, whether the close is above the mean of the last {int}',
  function (this: TradingWorld, key: string, count: number) {
    const values = closes(this);
    assert.equal(held(this, key), (values.at(-1) ?? Number.NaN) > mean(values.slice(-count)));
  },
);

Then(
  'the result says whether the {int}-bar mean has just crossed above the {int}-bar mean',
  function (this: TradingWorld, fast: number, slow: number) {
    assert.equal(this.result, crossedOver(closes(this), fast, slow));
  },
);

Then(
  'the result is a number from {float} to {float}',
  function (this: TradingWorld, low: number, high: number) {
    const { result } = this;
    assert.ok(typeof result === 'number' && result >= low && result <= high, `${JSON.stringify(result)}`);
  },
);

Then(
  'the result is the correlation of the closes of {symbols}',
  function (this: TradingWorld, [a, b]: string[]) {
    assertClose(this.result, correlation(closes(this, a), closes(this, b)));
  },
);

Then("the result is the agent's cash", function (this: TradingWorld) {
  assert.equal(this.result, this.agent('the agent').turn.account.cash.toNumber());
});

Then("the result is the agent's equity", function (this: TradingWorld) {
  assert.equal(this.result, this.agent('the agent').turn.account.equity.toNumber());
});

Then('the result is the date of bar {int}', function (this: TradingWorld, bar: number) {
  const instant = this.market.clock[bar];
  assert.ok(instant !== undefined, `there is no bar ${bar}`);
  assert.equal(this.result, new Date(instant).toISOString().slice(0, 19));
});

Then('the result is the same as before', function (this: TradingWorld) {
  assert.deepEqual(this.result, this.answers.at(-2)?.result);
});

Then('the result is another than before', function (this: TradingWorld) {
  assert.notDeepEqual(this.result, this.answers.at(-2)?.result);
});

Then('the result has {int} values', function (this: TradingWorld, count: number) {
  const { result } = this;
  assert.ok(Array.isArray(result), 'the result is no list');
  assert.equal(result.length, count);
});

Then('the answer is a/an {word}', function (this: TradingWorld, kind: string) {
  assert.match(this.error.error, new RegExp(`^${kind}: `));
});

Then('the answer is an error that says {string}', function (this: TradingWorld, text: string) {
  const { error } = this.error;
  assert.ok(error.includes(text), error);
});

Then('its remedy says {string}', function (this: TradingWorld, text: string) {
  const { remediation } = this.error;
  assert.ok(remediation.includes(text), remediation);
});

Then('it names no file and no internal of the machine', function (this: TradingWorld) {
  const { error, remediation } = this.error;
  for (const text of [error, remediation])
    assert.doesNotMatch(text, /0x[0-9a-f]{4}|\.py\b|\/lib\/|Traceback/i);
});
