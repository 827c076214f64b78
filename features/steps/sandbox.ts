import assert from 'node:assert/strict';
import { setTimeout as sleep } from 'node:timers/promises';
import { Given, Then, When } from '@cucumber/cucumber';
import { z } from 'zod';
import { defineStrategy, ruleDecider } from '../../src/agents/index.ts';
import type { Sandbox } from '../../src/sandbox/index.ts';
import { createToolkit } from '../../src/toolkit/index.ts';
import type { Answer } from '../support/agent.ts';
import { Backtest } from '../support/backtest.ts';
import { PATIENT_MS, python } from '../support/python.ts';
import type { TradingWorld } from '../support/world.ts';

// SIGKILL simulates an out-of-memory kill, a crash or an administrator.
/** Kills the process of a sandbox and waits until the sandbox has started a new one. */
async function killAndWait(sandbox: Sandbox): Promise<void> {
  const { pid } = await sandbox.describe();
  assert.ok(pid !== undefined, 'the sandbox has no process');
  process.kill(pid, 'SIGKILL');
  while ((await sandbox.describe()).pid === pid) await sleep(5);
}

Given('{agent} has Python of its own', async function (this: TradingWorld, name: string) {
  await giveOwnPython(this, name, PATIENT_MS);
});

Given(
  '{agent} has Python of its own with {int} ms a call',
  async function (this: TradingWorld, name: string, timeoutMs: number) {
    await giveOwnPython(this, name, timeoutMs);
  },
);

async function giveOwnPython(world: TradingWorld, name: string, timeoutMs: number): Promise<void> {
  const sandbox = python().own({ spares: 0, timeoutMs });
  world.ownSandboxes.push(sandbox);
  await sandbox.start();
  world.introduce(name, sandbox);
}

When("somebody kills {agent}'s Python", async function (this: TradingWorld, name: string) {
  await killAndWait(this.agent(name).sandbox);
});

When(
  'an agent computes {code} on every bar, but {code} on bar {int}, and its Python is killed before bar {int}',
  async function (this: TradingWorld, usual: string, fatal: string, fatalBar: number, killBar: number) {
    const sandbox = python().own({ spares: 1, timeoutMs: 3_000 });
    this.ownSandboxes.push(sandbox);
    const strategy = defineStrategy({
      name: 'computes-every-bar',
      summary: 'Asks Python once a bar.',
      parameters: z.object({}),
      tools: ['compute'],
      onBar: async ({ bar }, { compute }) => {
        if (bar === killBar) await killAndWait(sandbox);
        const answer = (await compute(bar === fatalBar ? fatal : usual)) as Answer;
        this.answers.push(answer);
        if ('error' in answer) this.problems.note(answer, `bar ${bar}: ${JSON.stringify(answer.error)}`);
      },
    });
    const decider = ruleDecider(strategy, {}, createToolkit({ sandbox, tools: strategy.tools ?? [] }));
    this.backtest = await Backtest.run(this.market, decider, this.settings, this.problems);
  },
);

Then('the answer of bar {int} is a/an {word}', function (this: TradingWorld, bar: number, kind: string) {
  const answer = this.answers[bar];
  assert.ok(answer, `bar ${bar} has no answer`);
  assert.match(String(answer.error), new RegExp(`^${kind}: `));
  assert.ok(typeof answer.remediation === 'string' && answer.remediation !== '');
  this.problems.seen(answer);
});

Then('every other bar is answered with its number of bars', function (this: TradingWorld) {
  for (const [bar, answer] of this.answers.entries()) {
    if (!('error' in answer)) assert.equal(answer.result, bar + 1);
  }
});
