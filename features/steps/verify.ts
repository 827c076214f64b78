import assert from 'node:assert/strict';
import { readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { When } from '@cucumber/cucumber';
import { runHere } from '../support/command-line.ts';
import type { TradingWorld } from '../support/world.ts';

function onlyRun(world: TradingWorld): string {
  const runs = world.folder.results('runs');
  assert.equal(runs.length, 1, `there are ${runs.length} runs`);
  return `runs/${runs[0]}`;
}

async function run(world: TradingWorld, line: string): Promise<void> {
  world.noteCommand(await runHere({ line, folder: world.folder.path, environment: world.environment }));
}

When('the trader verifies the run', async function (this: TradingWorld) {
  await run(this, `sandtable verify ${this.folder.file(onlyRun(this))} --quiet`);
});

When(
  'the trader bundles the run as {string} with its data',
  async function (this: TradingWorld, out: string) {
    await run(this, `sandtable bundle ${onlyRun(this)} --with-data --out ${out}`);
  },
);

When(
  /^somebody changes `(.+)` to `(.+)` in the run's "(.+)"$/,
  function (this: TradingWorld, from: string, to: string, name: string) {
    const file = this.folder.file(`${onlyRun(this)}/${name}`);
    const text = readFileSync(file, 'utf8');
    assert.ok(text.includes(from), `${name} does not contain ${from}`);
    writeFileSync(file, text.replace(from, to));
  },
);

When('the run has no other files than its journal and its inputs', function (this: TradingWorld) {
  const folder = this.folder.file(onlyRun(this));
  for (const name of readdirSync(folder))
    if (!['journal.jsonl', 'inputs.json', 'strategy.ts'].includes(name)) rmSync(join(folder, name));
});
