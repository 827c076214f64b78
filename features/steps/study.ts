import assert from 'node:assert/strict';
import { copyFileSync, existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { Given, Then, When } from '@cucumber/cucumber';
import type { StudyReport } from '../../src/results/analysis/index.ts';
import { openPage } from '../support/browser.ts';
import { projectPath, runHere, SpawnedCommand } from '../support/command-line.ts';
import { sizeOf } from '../support/screens.ts';
import type { TradingWorld } from '../support/world.ts';

const WRITTEN = ['study.json', 'study.csv', 'comparisons.csv', 'study.html'];

/** Number of requests to the model before a study started, by scenario. */
const counted = new WeakMap<TradingWorld, { whole: number; lost: number }>();

function onlyStudy(world: TradingWorld, out: string): string {
  const [name, ...others] = world.folder.results(out);
  assert.ok(name !== undefined && others.length === 0, `${out} holds ${[name, ...others].join(', ')}`);
  return join(world.folder.path, out, name);
}

function reportOf(world: TradingWorld): StudyReport {
  return JSON.parse(world.results.at(-1)!.stdout) as StudyReport;
}

function runsIn(study: string): string[] {
  return readdirSync(join(study, 'runs'), { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('journal.jsonl'))
    .map((name) => join(study, 'runs', name, '..'))
    .sort();
}

async function run(world: TradingWorld, line: string): Promise<void> {
  const { folder, environment } = world;
  const command = { line, folder: folder.path, environment };
  world.noteCommand(await (world.spawns ? new SpawnedCommand(command).result : runHere(command)));
}

Given(
  'the file {string} is the example {string}',
  function (this: TradingWorld, name: string, example: string) {
    copyFileSync(projectPath(`strategies/${example}`), join(this.folder.path, name));
  },
);

Then('every p of a primary comparison is corrected to one no smaller', function (this: TradingWorld) {
  const { comparisons } = reportOf(this);
  assert.ok(comparisons.length > 4);
  for (const { a, b, p, pHolm, primary } of comparisons)
    assert.ok(
      p !== null && p > 0 && (primary ? pHolm !== null && pHolm >= p && pHolm <= 1 : pHolm === null),
      `${a} − ${b}: ${p}, ${pHolm}`,
    );
});

Then(
  'the folder of the study in {string} holds {string}',
  function (this: TradingWorld, out: string, names: string) {
    const held = readdirSync(onlyStudy(this, out));
    for (const name of names.split(' '))
      assert.ok(held.includes(name), `there is no ${name} in ${held.join(', ')}`);
  },
);

When('the trader replays a run of the study in {string}', async function (this: TradingWorld, out: string) {
  await run(this, `sandtable replay "${runsIn(onlyStudy(this, out))[0]}" --quiet`);
});

When(
  'the trader compares the windows {string} and {string} of {string} of the study in {string}',
  async function (this: TradingWorld, first: string, second: string, arm: string, out: string) {
    const windows = [first, second].map((name) => `"${join(onlyStudy(this, out), 'runs', arm, name)}"`);
    await run(this, `sandtable compare ${windows.join(' ')} --csv`);
  },
);

When('the model counts its requests from now on', function (this: TradingWorld) {
  counted.set(this, { whole: this.model!.calls.length, lost: 0 });
});

When(
  'the last run of the study in {string} loses its end and half a line',
  function (this: TradingWorld, out: string) {
    const begun = runsIn(onlyStudy(this, out)).filter((folder) => !existsSync(join(folder, 'summary.json')));
    const last = begun.at(-1) ?? runsIn(onlyStudy(this, out)).at(-1)!;
    const file = join(last, 'journal.jsonl');
    const lines = readFileSync(file, 'utf8').trimEnd().split('\n');
    const kept = lines.slice(0, -6);
    const lost = lines.slice(-6);
    writeFileSync(file, `${kept.join('\n')}\n${lost[0]!.slice(0, lost[0]!.length / 2)}`);
    rmSync(join(last, 'manifest.json'), { force: true });
    const known = counted.get(this)!;
    known.lost = lost.filter((line) => line.startsWith('{"type":"model_called"')).length;
  },
);

When(
  'the trader goes on with the study in {string}, with {string}',
  async function (this: TradingWorld, out: string, flags: string) {
    await run(this, `sandtable study --resume "${onlyStudy(this, out)}" ${flags}`);
  },
);

Then(
  'both studies in {string} and {string} came to the same, byte for byte',
  function (this: TradingWorld, one: string, other: string) {
    for (const name of WRITTEN) {
      const [first, second] = [one, other].map((out) => readFileSync(join(onlyStudy(this, out), name)));
      assert.ok(first!.equals(second!), `${name} is not the same`);
    }
  },
);

Then(
  'the model was asked as often for {string} as for {string}, but for what was lost',
  function (this: TradingWorld, _cut: string, _whole: string) {
    const { whole, lost } = counted.get(this)!;
    assert.ok(whole > 60);
    assert.equal(this.model!.calls.length - whole, whole + lost);
  },
);

Then('the probe of the study was refused because {string}', function (this: TradingWorld, why: string) {
  const [probe] = reportOf(this).probes;
  assert.ok(probe?.refused?.includes(why), String(probe?.refused));
});

When(
  'the trader opens the page of the study in {string} on a {word}',
  async function (this: TradingWorld, out: string, device: string) {
    const page = pathToFileURL(join(onlyStudy(this, out), 'study.html')).href;
    this.page = await openPage(page, ...sizeOf(device));
  },
);

Then(
  'the leaderboard has {int} group of {int} arms, the largest excess over holding first',
  function (this: TradingWorld, groups: number, arms: number) {
    const found = JSON.parse(this.results.at(-1)!.stdout) as {
      groups: { rows: { excess: number | null }[] }[];
    };
    assert.equal(found.groups.length, groups);
    const excesses = found.groups[0]!.rows.map(({ excess }) => excess ?? Number.NEGATIVE_INFINITY);
    assert.equal(excesses.length, arms);
    assert.deepEqual(
      excesses,
      [...excesses].sort((one, other) => other - one),
    );
  },
);

Then('the leaderboard has 2 groups, each at costs of its own', function (this: TradingWorld) {
  const found = JSON.parse(this.results.at(-1)!.stdout) as { groups: { settings: string[] }[] };
  const costs = found.groups.map(({ settings }) => settings.join('; '));
  assert.equal(costs.length, 2);
  assert.ok(costs.every((text) => text.startsWith('commission: ')));
  assert.notEqual(costs[0], costs[1]);
});

Then(
  'the file {string} has a row for {string} and one for {string}',
  function (this: TradingWorld, file: string, one: string, other: string) {
    const rows = readFileSync(join(this.folder.path, file), 'utf8').trim().split('\n');
    assert.equal(rows.length, 3);
    for (const name of [one, other])
      assert.ok(
        rows.some((row) => row.split(',').includes(name)),
        name,
      );
  },
);

Given(
  'the file {string} about the shared data {string}:',
  function (this: TradingWorld, file: string, data: string, text: string) {
    this.folder.write(file, text.replace('DATA', projectPath(`../shared/data/${data}`)));
  },
);
