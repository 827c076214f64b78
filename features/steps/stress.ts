import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { Then, When } from '@cucumber/cucumber';
import { openPage } from '../support/browser.ts';
import { runHere } from '../support/command-line.ts';
import { sizeOf } from '../support/screens.ts';
import type { TradingWorld } from '../support/world.ts';

interface Document {
  readonly worlds: number;
  readonly figures: Readonly<Record<string, { readonly p?: number | null }>>;
}

const TABLES = ['stress.json', 'worlds.parquet', 'stress.html'];

function onlyTest(world: TradingWorld, out: string): string {
  const [name, ...others] = world.folder.results(out);
  assert.ok(name !== undefined && others.length === 0, `${out} holds ${[name, ...others].join(', ')}`);
  return join(world.folder.path, out, name);
}

function documentOf(world: TradingWorld): Document {
  return JSON.parse(world.results.at(-1)!.stdout) as Document;
}

async function goOn(world: TradingWorld, out: string, flags: string): Promise<void> {
  const { folder, environment } = world;
  const line = `sandtable stress --resume "${onlyTest(world, out)}" --quiet ${flags}`;
  world.noteCommand(await runHere({ line, folder: folder.path, environment }));
}

Then(
  'the p of every figure that has one is between 1\\/{int} and 1',
  function (this: TradingWorld, of: number) {
    const ps = Object.values(documentOf(this).figures).flatMap(({ p }) => (typeof p === 'number' ? [p] : []));
    assert.ok(ps.length > 5);
    for (const p of ps) assert.ok(p >= 1 / of && p <= 1, `p is ${p}`);
  },
);

When(
  'the trader opens the page of the stress test on a {word}',
  async function (this: TradingWorld, device: string) {
    const page = pathToFileURL(join(onlyTest(this, 'tests'), 'stress.html')).href;
    this.page = await openPage(page, ...sizeOf(device));
  },
);

Then('no figure has a p', function (this: TradingWorld) {
  for (const [name, figure] of Object.entries(documentOf(this).figures))
    assert.ok(!('p' in figure), `${name} has a p`);
});

Then('the folder of the stress test holds {string}', function (this: TradingWorld, names: string) {
  const held = this.folder.list(join('tests', this.folder.results('tests')[0]!));
  for (const name of names.split(' '))
    assert.ok(held.includes(name), `there is no ${name} in ${held.join(', ')}`);
});

Then(
  'both stress tests in {string} and {string} came to the same, byte for byte',
  function (this: TradingWorld, one: string, other: string) {
    for (const name of TABLES) {
      const [first, second] = [one, other].map((out) => readFileSync(join(onlyTest(this, out), name)));
      assert.ok(first!.equals(second!), `${name} is not the same`);
    }
  },
);

When(
  'the stress test in {string} is cut back to its first {int} worlds and half a line',
  function (this: TradingWorld, out: string, worlds: number) {
    const file = join(onlyTest(this, out), 'worlds.jsonl');
    const lines = readFileSync(file, 'utf8').trim().split('\n');
    const half = lines[worlds]!.slice(0, lines[worlds]!.length / 2);
    writeFileSync(file, `\n${lines.slice(0, worlds).join('\n')}\n${half}`);
  },
);

When('the trader goes on with the stress test in {string}', async function (this: TradingWorld, out: string) {
  await goOn(this, out, '');
});

When(
  'the trader goes on with the stress test in {string} with {string}',
  async function (this: TradingWorld, out: string, flags: string) {
    await goOn(this, out, flags);
  },
);

Then(
  'the stress test in {string} ran each of {int} worlds once',
  function (this: TradingWorld, out: string, worlds: number) {
    const text = readFileSync(join(onlyTest(this, out), 'worlds.jsonl'), 'utf8');
    const numbers = text.split('\n').flatMap((line) => {
      const [, world] = /^\{"world":(\d+),.*\}$/.exec(line) ?? [];
      return world === undefined ? [] : [Number(world)];
    });
    assert.deepEqual(
      numbers.sort((a, b) => a - b),
      Array.from({ length: worlds }, (_, index) => index + 1),
    );
  },
);

When(
  'the trader exports the stress test in {string} with {string}',
  async function (this: TradingWorld, out: string, flags: string) {
    const { folder, environment } = this;
    const line = `sandtable export "${onlyTest(this, out)}" ${flags}`;
    this.noteCommand(await runHere({ line, folder: folder.path, environment }));
  },
);

Then(
  '{string} has a row for each of {int} worlds',
  function (this: TradingWorld, file: string, worlds: number) {
    const [header = '', ...rows] = this.folder.read(file).trimEnd().split('\n');
    assert.ok(header.startsWith('world,outcome,sharpe,'), header);
    assert.deepEqual(
      rows.map((row) => Number.parseInt(row, 10)),
      Array.from({ length: worlds }, (_, index) => index + 1),
    );
  },
);

When(
  'the price that {string} knows is the close of bar {int} of {string}',
  function (this: TradingWorld, strategy: string, bar: number, data: string) {
    const rows = this.folder.read(data).trim().split('\n');
    const close = rows[bar + 1]!.split(',')[4]!;
    this.folder.write(strategy, this.folder.read(strategy).replace('ACTUAL', close));
  },
);

When('the file {string} loses its last bar', function (this: TradingWorld, name: string) {
  const rows = this.folder.read(name).trimEnd().split('\n');
  this.folder.write(name, `${rows.slice(0, -1).join('\n')}\n`);
});
