import assert from 'node:assert/strict';
import { Then, When } from '@cucumber/cucumber';
import type { Json } from '../../src/engine/index.ts';
import type { Answer } from '../support/agent.ts';
import type { TradingWorld } from '../support/world.ts';

const AGENT = 'the agent';
/** Arguments of indicators that use other lines instead of prices. */
const LINES: Readonly<Record<string, Readonly<Record<string, Json>>>> = {
  long_run: { fast: { name: 'ema', length: 5 }, slow: { name: 'ema', length: 20 } },
  short_run: { fast: { name: 'ema', length: 5 }, slow: { name: 'ema', length: 20 } },
  tsignals: { trend: { name: 'increasing', length: 3 } },
  xsignals: { signal: { name: 'rsi' }, xa: 30, xb: 70 },
};
const REPAINTING = ['dpo', 'ichimoku', 'ssf', 'tos_stdevall', 'vp'];

async function computed(world: TradingWorld, code: string): Promise<Json | undefined> {
  const answer = await world.agent(AGENT).call('compute', { code });
  assert.ok(!('error' in answer), JSON.stringify(answer));
  return answer.result;
}

function part(world: TradingWorld, key: string): Json | undefined {
  const { answer } = world;
  assert.ok(!('error' in answer), `the answer is an error: ${JSON.stringify(answer)}`);
  assert.ok(key in answer, `the answer has no ${key}: ${JSON.stringify(answer)}`);
  return answer[key];
}

Then('its value is what {code} computes', async function (this: TradingWorld, code: string) {
  const value = part(this, 'value');
  assert.equal(typeof value, 'number');
  assert.equal(value, await computed(this, code));
});

Then('its values are what {code} computes', async function (this: TradingWorld, code: string) {
  assert.deepEqual(part(this, 'values'), await computed(this, code));
});

Then('its values have the columns {string}', function (this: TradingWorld, columns: string) {
  const values = part(this, 'values') as Answer;
  assert.equal(Object.keys(values).join(', '), columns);
  for (const value of Object.values(values)) assert.equal(typeof value, 'number');
});

Then('its note says {string}', function (this: TradingWorld, text: string) {
  const note = part(this, 'note');
  assert.ok(typeof note === 'string' && note.includes(text), JSON.stringify(note));
});

When('the agent asks indicator_calc for every indicator of ta', async function (this: TradingWorld) {
  const names = (await computed(
    this,
    'sum([list(names) for names in ta.Category.values()], [])',
  )) as string[];
  for (const name of names) {
    const answer = await this.agent(AGENT).call('indicator_calc', { name, ...LINES[name] });
    this.answers.push({ ...answer, asked: name });
    if ('error' in answer) this.problems.seen(answer);
  }
});

Then('all {int} are answered, those that repaint by a refusal', function (this: TradingWorld, count: number) {
  assert.equal(this.answers.length, count);
  const refused = this.answers.filter((answer) => 'error' in answer);
  assert.deepEqual(refused.map(({ asked }) => asked).sort(), REPAINTING);
  for (const answer of this.answers) {
    if ('error' in answer) continue;
    assert.equal(answer.indicator, answer.asked);
    const values = 'values' in answer ? Object.values(answer.values as Answer) : [answer.value];
    assert.ok(values.length > 0 && !('note' in answer), JSON.stringify(answer));
  }
});
