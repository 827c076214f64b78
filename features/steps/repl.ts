import assert from 'node:assert/strict';
import { Given, Then, When } from '@cucumber/cucumber';
import type { Json } from '../../src/engine/index.ts';
import type { Answer } from '../support/agent.ts';
import type { TradingWorld } from '../support/world.ts';

Given('a strategy that names the tools {words}', function (this: TradingWorld, tools: readonly string[]) {
  this.tools = tools;
});

Given('its sessions last for the run', function (this: TradingWorld) {
  this.repl = 'run';
});

async function run(world: TradingWorld, name: string, source: string): Promise<void> {
  world.answers.push(await world.agent(name).call('exec_code', { source }));
}

When('{agent} runs {code}', async function (this: TradingWorld, name: string, source: string) {
  await run(this, name, source);
});

When('{agent} runs:', async function (this: TradingWorld, name: string, source: string) {
  await run(this, name, source);
});

When('{agent} inspects {code}', async function (this: TradingWorld, name: string, expr: string) {
  this.answers.push(await this.agent(name).call('inspect', { expr }));
});

When('{agent} evaluates {code}', async function (this: TradingWorld, name: string, expr: string) {
  this.answers.push(await this.agent(name).call('eval_expr', { expr }));
});

Then('the value shown is {code}', function (this: TradingWorld, text: string) {
  assert.ok(!('error' in this.answer), JSON.stringify(this.answer));
  assert.equal(this.answer.value_repr, text);
});

Then('no value is shown', function (this: TradingWorld) {
  assert.ok(!('error' in this.answer) && !('value_repr' in this.answer), JSON.stringify(this.answer));
});

Then('the answer is exactly:', function (this: TradingWorld, json: string) {
  assert.deepEqual(this.answer, JSON.parse(json));
});

Then('{word} is:', function (this: TradingWorld, stream: string, text: string) {
  this.problems.seen(this.answer);
  assert.equal(this.answer[stream], `${text}\n`);
});

Then('the answer has the note {string}', function (this: TradingWorld, text: string) {
  this.problems.seen(this.answer);
  assert.equal(this.answer.note, text);
});

Then('the answer has no note', function (this: TradingWorld) {
  assert.ok(!('note' in this.answer), JSON.stringify(this.answer));
});

/** Returns the result of an inspection of the session. */
function looked(world: TradingWorld): Answer {
  assert.equal(world.answer.ok, true, JSON.stringify(world.answer));
  return world.answer.result as Answer;
}

Then('its kind is {word}', function (this: TradingWorld, kind: string) {
  assert.equal(looked(this).kind, kind);
});

Then('its {word} section holds {code}', function (this: TradingWorld, section: string, json: string) {
  const found = looked(this)[section] as Answer | undefined;
  assert.ok(found !== undefined, `there is no section ${section}`);
  assert.deepEqual({ ...found, ...(JSON.parse(json) as Answer) }, found);
});

Then('it has no {word} section', function (this: TradingWorld, section: string) {
  assert.ok(!(section in looked(this)));
});

Then('the names listed include {code} as {word}', function (this: TradingWorld, name: string, type: string) {
  const globals = looked(this).globals as readonly { readonly [key: string]: Json }[];
  assert.ok(
    globals.some((each) => each.name === name && each.type_name === type),
    JSON.stringify(globals),
  );
});

Then('the failure has the code {word}', function (this: TradingWorld, code: string) {
  this.problems.seen(this.answer);
  assert.equal(this.answer.ok, false);
  assert.equal(this.answer.code, code);
});
