import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { After, Given, Then, When } from '@cucumber/cucumber';
import { redisIsHere, startRedis, type TestRedis } from '../../test/support/redis.ts';
import { startWorker, type WorkerProcess } from '../../test/support/worker.ts';
import { runHere } from '../support/command-line.ts';
import type { TradingWorld } from '../support/world.ts';

const SECRET = 'the secret of the desk';

/** Processes of a scenario. */
interface Machines {
  readonly redis: TestRedis;
  readonly workers: WorkerProcess[];
  guesser?: WorkerProcess;
}

const machines = new WeakMap<TradingWorld, Machines>();

function machinesOf(world: TradingWorld): Machines {
  const found = machines.get(world);
  assert.ok(found, 'there is no queue');
  return found;
}

After(async function (this: TradingWorld) {
  const found = machines.get(this);
  if (found === undefined) return;
  await Promise.all(found.workers.map((worker) => worker.kill()));
  await found.redis.stop();
});

Given('a queue and a store that all machines reach', async function (this: TradingWorld) {
  if (!redisIsHere()) {
    this.log('There is no redis-server.');
    return 'skipped';
  }
  machines.set(this, { redis: await startRedis(), workers: [] });
  return undefined;
});

function hire(world: TradingWorld, secret: string): WorkerProcess {
  const { redis, workers } = machinesOf(world);
  const worker = startWorker(redis.url, world.folder.file('store'), {
    ...world.environment,
    SANDTABLE_SWEEP_SECRET: secret,
  });
  workers.push(worker);
  return worker;
}

Given('{int} workers serve the queue', async function (this: TradingWorld, count: number) {
  const hired = Array.from({ length: count }, () => hire(this, SECRET));
  for (const worker of hired) await worker.says('Waiting for sweeps');
});

Given('a worker of somebody who guesses the secret', function (this: TradingWorld) {
  machinesOf(this).guesser = hire(this, 'secret');
});

async function run(world: TradingWorld, line: string): Promise<void> {
  const environment = { ...world.environment, SANDTABLE_SWEEP_SECRET: SECRET };
  world.noteCommand(await runHere({ line, folder: world.folder.path, environment }));
}

When('the trader has the workers run {code}', async function (this: TradingWorld, line: string) {
  const { redis } = machinesOf(this);
  await run(this, `${line} --queue ${redis.url} --store "${this.folder.file('store')}"`);
});

function onlySweep(world: TradingWorld, out: string): string {
  const [name, ...others] = world.folder.list(out).filter((one) => one !== 'ledger.jsonl');
  assert.ok(name !== undefined && others.length === 0, `${out} holds ${[name, ...others].join(', ')}`);
  return join(world.folder.path, out, name);
}

When(
  'the trader goes on with the sweep in {string} with {string}',
  async function (this: TradingWorld, out: string, flags: string) {
    await run(this, `sandtable sweep --resume "${onlySweep(this, out)}" ${flags}`);
  },
);

Then(
  'the sweeps in {string} and {string} have the same rows, byte for byte',
  function (this: TradingWorld, one: string, other: string) {
    const [first, second] = [one, other].map((out) =>
      readFileSync(join(onlySweep(this, out), 'trials.parquet')),
    );
    assert.ok(first!.equals(second!), 'trials.parquet is not the same');
  },
);

Then('{int} requests have reached the model', function (this: TradingWorld, times: number) {
  assert.equal(this.model?.calls.length, times);
});

Then('no more than {int} requests have reached the model', function (this: TradingWorld, times: number) {
  assert.ok((this.model?.calls.length ?? 0) <= times, `it was asked ${this.model?.calls.length} times`);
});

Then('the worker who guesses ran nothing', async function (this: TradingWorld) {
  const { guesser } = machinesOf(this);
  await guesser!.says('does not match SANDTABLE_SWEEP_SECRET');
  assert.ok(!guesser!.text().includes('Working for'), guesser!.text());
});
