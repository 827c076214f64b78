import assert from 'node:assert/strict';
import { cpSync, mkdirSync, symlinkSync } from 'node:fs';
import { dirname } from 'node:path';
import { type DataTable, Given, Then, When } from '@cucumber/cucumber';
import type { Json } from '../../src/engine/index.ts';
import { readJournal } from '../../src/journal/index.ts';
import { rebuildVfs } from '../../src/toolkit/vfs/index.ts';
import { skipBecause } from '../../test/missing.ts';
import type { Answer } from '../support/agent.ts';
import { projectPath } from '../support/command-line.ts';
import { assertHolds, fileAgentOf, sharedVenv } from '../support/file-agent.ts';
import type { TradingWorld } from '../support/world.ts';

/** Expands the notation `"x" * 5` for long texts. */
function unfolded(text: string): string {
  return text.replaceAll(/"([^"]*)" \* (\d{1,3}(?:,\d{3})*)/g, (_, part: string, times: string) =>
    JSON.stringify(part.repeat(Number(times.replaceAll(',', '')))),
  );
}

Given(
  'the file agent has the file {string} with {string}',
  function (this: TradingWorld, path: string, text: string) {
    fileAgentOf(this).bring(path, text.replaceAll('\\n', '\n'));
  },
);

Given('the skill {string} with a venv', function (this: TradingWorld, name: string) {
  const venv = sharedVenv();
  if (venv === undefined) {
    const note = 'python3 or its venv is missing.';
    this.log(note);
    skipBecause(note);
    return 'skipped';
  }
  const place = this.folder.file(`skills/${name}/venv`);
  mkdirSync(dirname(place), { recursive: true });
  symlinkSync(venv, place);
  return undefined;
});

Given('the skill {string} without a venv', function (this: TradingWorld, name: string) {
  mkdirSync(this.folder.file(`skills/${name}`), { recursive: true });
});

Given('the skill {string} with a venv without Python', function (this: TradingWorld, name: string) {
  mkdirSync(this.folder.file(`skills/${name}/venv`), { recursive: true });
});

Given('the example skill {string} is there too', function (this: TradingWorld, name: string) {
  const example = projectPath(`strategies/skills/${name}`);
  cpSync(example, this.folder.file(`skills/${name}`), {
    recursive: true,
    filter: (path) => !path.endsWith('venv'),
  });
});

Given('scripts may run for {int} second(s)', function (this: TradingWorld, seconds: number) {
  fileAgentOf(this).timeoutSeconds = seconds;
});

Given('a run that does not allow scripts', function (this: TradingWorld) {
  fileAgentOf(this).allowed = false;
});

When(
  'the file agent calls {word} with {code}',
  async function (this: TradingWorld, tool: string, json: string) {
    await fileAgentOf(this).call(tool, JSON.parse(unfolded(json)) as Json);
  },
);

When('the file agent calls {word} with:', async function (this: TradingWorld, tool: string, json: string) {
  await fileAgentOf(this).call(tool, JSON.parse(unfolded(json)) as Json);
});

When('the file agent evaluates {code}', async function (this: TradingWorld, code: string) {
  await fileAgentOf(this).call('evaluate_python', { code });
});

When('the file agent evaluates:', async function (this: TradingWorld, code: string) {
  await fileAgentOf(this).call('evaluate_python', { code });
});

Then('the file agent gets exactly:', function (this: TradingWorld, json: string) {
  const { remediation, ...answer } = this.answer;
  this.problems.seen(this.answer);
  assert.equal(typeof remediation === 'string', 'error' in answer, 'an error says what to do');
  assert.deepEqual(answer, JSON.parse(json));
});

Then('the file agent gets {code}', function (this: TradingWorld, json: string) {
  assert.ok(!('error' in this.answer), JSON.stringify(this.answer));
  assertHolds(this.answer, JSON.parse(json) as Answer);
});

Then('the file agent gets an error and {code}', function (this: TradingWorld, json: string) {
  assert.equal(typeof this.error.error, 'string');
  assertHolds(this.answer, JSON.parse(json) as Answer);
});

Then('the file agent is refused with {code}', function (this: TradingWorld, text: string) {
  const { error } = this.error;
  assert.ok(error.includes(text), error);
});

Then('the file agent has the files:', function (this: TradingWorld, table: DataTable) {
  const files = fileAgentOf(this)
    .files.list()
    .map(({ path, content }) => [path, content.replaceAll('\n', '\\n')]);
  assert.deepEqual(files, table.raw());
});

Then('the file agent has no files', function (this: TradingWorld) {
  assert.deepEqual(fileAgentOf(this).files.list(), []);
});

Then("the file agent's journal gives the same files back", function (this: TradingWorld) {
  const { files, events } = fileAgentOf(this);
  assert.deepEqual(rebuildVfs(events).list(), files.list());
});

Then("the file agent's journal holds {code}", function (this: TradingWorld, json: string) {
  const expected = JSON.parse(json) as Answer;
  const found = fileAgentOf(this).events.filter(({ type }) => type === expected.type);
  assert.ok(found.length > 0, `no ${String(expected.type)} event`);
  assertHolds(found.at(-1) as unknown as Answer, expected);
});

Then(
  'the skill {string} has the file {string} with {string}',
  function (this: TradingWorld, skill: string, name: string, text: string) {
    assert.equal(this.folder.read(`skills/${skill}/${name}`), text);
  },
);

Then(
  'the run has the file {string} that says {string}',
  function (this: TradingWorld, name: string, text: string) {
    const [run = ''] = this.folder.results('runs');
    const content = this.folder.read(`runs/${run}/${name}`);
    assert.ok(content.includes(text), content);
  },
);

Then("the run's journal gives its files back", function (this: TradingWorld) {
  const [run = ''] = this.folder.results('runs');
  const { fileChanges } = readJournal(this.folder.file(`runs/${run}/journal.jsonl`));
  const files = rebuildVfs(fileChanges).list();
  assert.ok(files.length > 0);
  for (const { path, content } of files) assert.equal(this.folder.read(`runs/${run}/vfs/${path}`), content);
});
