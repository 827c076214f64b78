import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { type DataTable, Given, Then, When } from '@cucumber/cucumber';
import type { Json } from '../../src/engine/index.ts';
import { skipBecause } from '../../test/missing.ts';
import { type CommandResult, projectPath, runHere, SpawnedCommand } from '../support/command-line.ts';
import type { TradingWorld } from '../support/world.ts';

async function runLine(world: TradingWorld, line: string, input?: string): Promise<void> {
  const { folder, environment } = world;
  const command = { line, folder: folder.path, environment, ...(input === undefined ? {} : { input }) };
  world.noteCommand(await (world.spawns ? new SpawnedCommand(command).result : runHere(command)));
}

/** Returns the value at a path such as `data.adjustments.0`. */
function valueAt(document: Json, path: string): Json | undefined {
  return path.split('.').reduce<Json | undefined>((value, key) => {
    if (typeof value !== 'object' || value === null) return undefined;
    return (value as Readonly<Record<string, Json>>)[key];
  }, document);
}

/** Asserts that a document has the given values at paths. A cell is JSON or plain text. */
function assertValues(document: Json, cells: readonly (readonly string[])[]): void {
  for (const [path = '', cell = ''] of cells) {
    const value = valueAt(document, path);
    assert.ok(value !== undefined, `there is no ${path} in ${JSON.stringify(document).slice(0, 500)}`);
    const text = typeof value === 'string' ? value : JSON.stringify(value);
    assert.equal(text, cell, path);
  }
}

Given('the shared file {string} is at hand', function (this: TradingWorld, name: string) {
  if (existsSync(projectPath(`../shared/${name}`))) return undefined;
  const note = `There is no ../shared/${name}.`;
  this.log(note);
  skipBecause(note);
  return 'skipped';
});

When('the trader runs {code}', async function (this: TradingWorld, line: string) {
  await runLine(this, line);
});

When(
  'the trader runs {code} with the input:',
  async function (this: TradingWorld, line: string, input: string) {
    await runLine(this, line, `${input}\n`);
  },
);

When(
  'the trader compares the runs in {string} and {string} with {code}',
  async function (this: TradingWorld, first: string, second: string, flags: string) {
    const runs = [first, second].map((folder) => `${folder}/${this.folder.results(folder)[0]}`);
    await runLine(this, `sandtable compare ${runs.join(' ')} ${flags}`);
  },
);

When('two processes run {code} at the same time', async function (this: TradingWorld, line: string) {
  const commands = [1, 2].map(() => new SpawnedCommand({ line, folder: this.folder.path }));
  for (const { result } of commands) this.noteCommand(await result);
});

When('the trader starts {code}', function (this: TradingWorld, line: string) {
  this.running = new SpawnedCommand({ line, folder: this.folder.path });
});

When('the file {string} holds {code}', async function (this: TradingWorld, path: string, text: string) {
  const { running, folder } = this;
  assert.ok(running, 'no command is running');
  while (running.running) {
    const [name = '', file = ''] = path.split('/*/');
    const runs = existsSync(folder.file(name)) ? folder.results(name) : [];
    const found = runs.some((run) => {
      const inside = `${name}/${run}/${file}`;
      return existsSync(folder.file(inside)) && folder.read(inside).includes(text);
    });
    if (found) return;
    await sleep(20);
  }
  const { code, stderr } = await running.result;
  assert.fail(`the command ended with ${code} before ${path} held "${text}": ${stderr}`);
});

When('the trader presses Ctrl-C twice', async function (this: TradingWorld) {
  const { running } = this;
  assert.ok(running, 'no command is running');
  running.signal('SIGINT');
  // The operating system merges signals that arrive at the same time, so the second one is sent later.
  await sleep(300);
  running.signal('SIGINT');
  this.noteCommand(await running.result);
});

When('the trader presses Ctrl-C', async function (this: TradingWorld) {
  assert.ok(this.running, 'no command is running');
  this.running.signal('SIGINT');
  this.noteCommand(await this.running.result);
});

Then('it ends with exit code {int}', function (this: TradingWorld, code: number) {
  const { command } = this;
  assert.equal(command.code, code, `${command.stdout}\n${command.stderr}`);
  this.problems.seen(command);
});

/** Replaces line breaks and repeated spaces, so that texts match wherever the terminal wraps lines. */
function unwrapped(text: string): string {
  return text.replaceAll(/\s+/g, ' ');
}

Then(
  'the runs in {string} and {string} have the same {string}',
  function (this: TradingWorld, first: string, second: string, file: string) {
    const [one, other] = [first, second].map((out) =>
      this.folder.read(`${out}/${this.folder.results(out)[0]}/${file}`),
    );
    assert.equal(one, other);
  },
);

Then('stdout says {string}', function (this: TradingWorld, text: string) {
  assert.ok(unwrapped(this.command.stdout).includes(unwrapped(text)), this.command.stdout);
});

Then('stdout does not say {string}', function (this: TradingWorld, text: string) {
  assert.ok(!unwrapped(this.command.stdout).includes(unwrapped(text)), this.command.stdout);
});

Then('stderr does not say {string}', function (this: TradingWorld, text: string) {
  assert.ok(!this.results.some(({ stderr }) => stderr.includes(text)));
});

Then('stderr says {string}', function (this: TradingWorld, text: string) {
  assert.ok(this.command.stderr.includes(text), this.command.stderr);
});

Then('stdout is empty', function (this: TradingWorld) {
  assert.equal(this.command.stdout, '');
});

Then('there is no stack trace', function (this: TradingWorld) {
  const { stdout, stderr } = this.command;
  for (const text of [stdout, stderr]) assert.doesNotMatch(text, /^\s+at .+/m);
});

Then('stdout is one JSON document with:', function (this: TradingWorld, table: DataTable) {
  this.document = JSON.parse(this.command.stdout) as Json;
  assertValues(this.document, table.raw());
});

Then(
  'its {string} is {float} to within {float}',
  function (this: TradingWorld, path: string, expected: number, tolerance: number) {
    const value = valueAt(this.document, path);
    assert.ok(
      typeof value === 'number' && Math.abs(value - expected) <= tolerance,
      `${path} is ${String(value)}`,
    );
  },
);

Then(
  'stdout is one JSON document with {int} entries called:',
  function (this: TradingWorld, count: number, table: DataTable) {
    const entries = JSON.parse(this.command.stdout) as {
      function: { name: string; parameters: { type: string } };
    }[];
    assert.equal(entries.length, count);
    assert.deepEqual(
      entries.map((entry) => [entry.function.name]),
      table.raw(),
    );
    for (const entry of entries) assert.equal(entry.function.parameters.type, 'object');
  },
);

Then('stdout is one JSON document in which nothing is bad', function (this: TradingWorld) {
  const { good, findings } = JSON.parse(this.command.stdout) as {
    good: boolean;
    findings: { name: string; good: boolean }[];
  };
  assert.ok(findings.length > 0);
  assert.deepEqual({ good, bad: findings.filter((finding) => !finding.good) }, { good: true, bad: [] });
});

// A row with `error: …` expects an error that contains this text. Any other row is JSON that the result must
// contain.
Then('stdout answers line by line:', function (this: TradingWorld, table: DataTable) {
  const lines = this.command.stdout.trimEnd().split('\n');
  const expected = table.raw().map(([cell = '']) => cell);
  assert.equal(lines.length, expected.length, this.command.stdout);
  for (const [index, line] of lines.entries()) assertAnswer(line, expected[index] ?? '');
});

function assertAnswer(line: string, expected: string): void {
  const answer = JSON.parse(line) as Readonly<Record<string, Json>>;
  if (!expected.startsWith('error: ')) {
    assert.deepEqual({ ...answer, ...(JSON.parse(expected) as object) }, answer);
    assert.ok(!('error' in answer), line);
    return;
  }
  assert.ok(String(answer.error).includes(expected.slice('error: '.length)), line);
  assert.ok(typeof answer.remediation === 'string' && answer.remediation !== '', line);
}

Then('both end with exit code {int}', function (this: TradingWorld, code: number) {
  for (const result of this.results.slice(-2)) {
    assert.equal(result.code, code, result.stderr);
    this.problems.seen(result);
  }
});

Then('both print the same on stdout', function (this: TradingWorld) {
  const [one, other] = this.results.slice(-2) as [CommandResult, CommandResult];
  assert.equal(one.stdout, other.stdout);
  assert.notEqual(one.stdout, '');
});

Then('its help shows how it is called', function (this: TradingWorld) {
  assert.match(this.command.stdout, /^Usage: sandtable/m);
  assert.match(this.command.stdout, /^(?:Examples?|First steps):\n(?: {2}.*\n)*? {2}.*npx sandtable/m);
});
