import assert from 'node:assert/strict';
import { type DataTable, Given, Then, When } from '@cucumber/cucumber';
import type { Json } from '../../src/engine/index.ts';
import type { Answer } from '../support/agent.ts';
import type { TradingWorld } from '../support/world.ts';

/** Returns a list in the latest answer. Fails if the answer is an error. */
function listIn(world: TradingWorld, key: string): readonly Json[] {
  const { answer } = world;
  assert.ok(!('error' in answer), `the answer is an error: ${JSON.stringify(answer)}`);
  const list = answer[key];
  assert.ok(Array.isArray(list), `there is no list ${key} in ${JSON.stringify(answer)}`);
  return list as readonly Json[];
}

Given(/^the agent has the tools (.+) and (.+)$/, function (this: TradingWorld, some: string, last: string) {
  this.tools = [...some.split(', '), last];
});

Given('a decision may call {word} {int} times', function (this: TradingWorld, name: string, calls: number) {
  this.budgets = { ...this.budgets, [name]: calls };
});

When(
  '{agent} calls {word} with the text {code}',
  async function (this: TradingWorld, name: string, tool: string, text: string) {
    this.answers.push(await this.agent(name).call(tool, text));
  },
);

When('{agent} writes {int} notes', async function (this: TradingWorld, name: string, count: number) {
  for (let note = 1; note <= count; note++)
    this.answers.push(await this.agent(name).call('memory_note', { key: `note ${note}`, content: 'x' }));
});

When(
  'the run of {agent} is resumed from its journal by {agent}',
  async function (this: TradingWorld, from: string, by: string) {
    await this.agent(by).restore(this.agent(from).events);
  },
);

Then('the answer is {code}', function (this: TradingWorld, json: string) {
  assert.deepEqual(this.answer, JSON.parse(json));
});

Then('the answer is the same as before', function (this: TradingWorld) {
  assert.deepEqual(this.answer, this.answers.at(-2));
});

Then('its {string} are:', function (this: TradingWorld, key: string, table: DataTable) {
  assert.deepEqual(
    listIn(this, key),
    table.raw().map(([cell = '']) => JSON.parse(cell) as Json),
  );
});

// An empty cell means null or missing.
Then('its orders are:', function (this: TradingWorld, table: DataTable) {
  const columns = table.raw()[0] ?? [];
  const orders = listIn(this, 'orders') as readonly Answer[];
  assert.deepEqual(
    orders.map((order) => Object.fromEntries(columns.map((column) => [column, String(order[column] ?? '')]))),
    table.hashes(),
  );
});

Then('it recalls:', function (this: TradingWorld, table: DataTable) {
  const entries = listIn(this, 'entries') as readonly Answer[];
  assert.deepEqual(
    entries.map(({ content }) => [content]),
    table.raw(),
  );
});

Then('nothing is resting', function (this: TradingWorld) {
  assert.deepEqual(this.agent('the agent').turn.orders.pending(), []);
});

Then('the answer holds code {string}', function (this: TradingWorld, code: string) {
  void this.error;
  assert.equal(this.answer.code, code, JSON.stringify(this.answer));
});
