import assert from 'node:assert/strict';
import { existsSync, mkdirSync, renameSync } from 'node:fs';
import { dirname } from 'node:path';
import { Then, When } from '@cucumber/cucumber';
import { runHere } from '../support/command-line.ts';
import type { TradingWorld } from '../support/world.ts';

When('the file {string} moves to {string}', function (this: TradingWorld, from: string, to: string) {
  mkdirSync(dirname(this.folder.file(to)), { recursive: true });
  renameSync(this.folder.file(from), this.folder.file(to));
});

When('the trader replays the run with data {string}', async function (this: TradingWorld, data: string) {
  const [run = ''] = this.folder.results('runs');
  this.noteCommand(
    await runHere({
      line: `sandtable replay "${this.folder.file(`runs/${run}`)}" --data ${data} --quiet`,
      folder: this.folder.path,
      environment: this.environment,
    }),
  );
});

When(
  "the run's {string} is of schema {int} by version {string}",
  function (this: TradingWorld, name: string, schema: number, version: string) {
    const [run = ''] = this.folder.results('runs');
    const file = `runs/${run}/${name}`;
    const value = JSON.parse(this.folder.read(file)) as { versions: Record<string, string> };
    this.folder.write(
      file,
      JSON.stringify({ ...value, schema, versions: { ...value.versions, sandtable: version } }),
    );
  },
);

Then(
  "the run's {string} is still of schema {int}",
  function (this: TradingWorld, name: string, schema: number) {
    const [run = ''] = this.folder.results('runs');
    assert.equal((JSON.parse(this.folder.read(`runs/${run}/${name}`)) as { schema: number }).schema, schema);
  },
);

Then("the run's folder has no {string}", function (this: TradingWorld, name: string) {
  const [run = ''] = this.folder.results('runs');
  assert.ok(!existsSync(this.folder.file(`runs/${run}/${name}`)), `${name} was written`);
});
