import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import { type DataTable, Given, Then, When } from '@cucumber/cucumber';
import { CATALOGUE } from '../../src/testing/steps/define.ts';
import type { Step } from '../../src/testing/steps/step.ts';
import { projectPath } from '../support/command-line.ts';
import { codeBlock, NewProject, type ProjectRun } from '../support/new-project.ts';
import type { TradingWorld } from '../support/world.ts';

const projects = new WeakMap<TradingWorld, NewProject>();
const runs = new WeakMap<TradingWorld, ProjectRun>();

const STEPS: readonly Step[] = Object.values<readonly Step[]>(CATALOGUE).flat();

function projectOf(world: TradingWorld): NewProject {
  const project = projects.get(world);
  assert.ok(project, 'there is no new project');
  return project;
}

function runOf(world: TradingWorld): ProjectRun {
  const run = runs.get(world);
  assert.ok(run, 'no features were run');
  return run;
}

function failuresOf(world: TradingWorld): { readonly scenario: string; readonly message: string }[] {
  return runOf(world).failures;
}

Given(
  'a new project, set up as the guide says, with the example folder in it',
  function (this: TradingWorld) {
    assert.ok(
      existsSync(projectPath('dist/testing/steps/index.js')),
      'dist/ is missing: run npm run build first',
    );
    const page = readFileSync(projectPath('docs/bdd.md'), 'utf8');
    const project = new NewProject(this.folder);
    project.copyExamples();
    project.write('package.json', codeBlock(page, 'package.json'));
    project.write('cucumber.json', codeBlock(page, 'cucumber.json'));
    project.write('features/support/steps.mjs', codeBlock(page, 'features/support/steps.mjs'));
    project.linkPackages();
    projects.set(this, project);
  },
);

When('its features run', async function (this: TradingWorld) {
  runs.set(this, await projectOf(this).cucumber([]));
});

When('its profile {string} runs', async function (this: TradingWorld, profile: string) {
  const project = projectOf(this);
  project.write('cucumber.json', readFileSync(projectPath('docs/examples/bdd/cucumber.json'), 'utf8'));
  runs.set(this, await project.cucumber(['--profile', profile]));
});

When('the examples of the guide are gone through without being run', async function (this: TradingWorld) {
  const lines = STEPS.map(({ keyword, example }) => `    ${keyword} ${example.replaceAll('\n', '\n    ')}\n`);
  const project = projectOf(this);
  project.removeFeatures();
  project.write('features/reference.feature', `Feature: reference\n\n  Scenario: all\n${lines.join('')}`);
  runs.set(this, await project.cucumber(['--dry-run']));
});

Then('they pass', function (this: TradingWorld) {
  const { code, text, steps } = runOf(this);
  assert.equal(code, 0, text);
  assert.ok(steps > 0, 'nothing was run');
});

Then('no step of Sandtable was left out', function (this: TradingWorld) {
  const { unused } = runOf(this);
  assert.deepEqual(unused, []);
});

Then('these are its failures:', function (this: TradingWorld, table: DataTable) {
  const failures = failuresOf(this);
  const wanted = table.hashes();
  assert.deepEqual(
    failures.map(({ scenario }) => scenario),
    wanted.map(({ scenario }) => scenario),
  );
  for (const [index, { says = '' }] of wanted.entries()) {
    const { message = '' } = failures[index] ?? {};
    assert.ok(message.includes(says), message);
  }
});

Then('each names the run that it is about, if there is one', function (this: TradingWorld) {
  const ofRuns = failuresOf(this).filter(({ message }) => /Run: |are in /.test(message));
  assert.equal(ofRuns.length, 7);
  for (const { message } of ofRuns) {
    for (const [, folder = ''] of message.matchAll(/(?:Run: |are in )(\S+?)\.?$/gm))
      assert.ok(existsSync(`${folder}/journal.jsonl`), `${folder} is gone`);
  }
});

Then('none of them shows a stack trace', function (this: TradingWorld) {
  for (const { message } of failuresOf(this)) assert.doesNotMatch(message, /^\s+at /m);
});
