import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { copyFileSync, rmSync } from 'node:fs';
import { Given, Then, When } from '@cucumber/cucumber';
import type { RunEvent } from '../../src/engine/index.ts';
import { readEarlier } from '../../src/journal/index.ts';
import { skipBecause } from '../../test/missing.ts';
import { projectPath, SpawnedCommand } from '../support/command-line.ts';
import type { TradingWorld } from '../support/world.ts';

function hasPython(world: TradingWorld): boolean {
  if (spawnSync('python3', ['--version']).status === 0) return true;
  const note = 'There is no python3 on this machine.';
  world.log(note);
  skipBecause(note);
  return false;
}

Given('the agent {string} of the documentation', function (this: TradingWorld, name: string) {
  if (!hasPython(this)) return 'skipped';
  copyFileSync(projectPath(`docs/examples/${name}`), this.folder.file(name));
  return undefined;
});

Given('the agent {string}:', function (this: TradingWorld, name: string, code: string) {
  if (!hasPython(this)) return 'skipped';
  const loop = `import json, os, sys, time

def exchange(message):
    print(json.dumps(message), flush=True)
    return json.loads(sys.stdin.readline())

def call(tool, **arguments):
    return exchange({"type": "call", "id": 1, "tool": tool, "arguments": arguments})["result"]

for line in sys.stdin:
    message = json.loads(line)
    if message["type"] == "hello":
        hello = message
    if message["type"] != "decide":
        continue
    number, observation = message["id"], message["observation"]
    said = ""
`;
  const decision = code.replaceAll(/^/gm, '    ');
  this.folder.write(
    name,
    `${loop}${decision}\n    print(json.dumps({"type": "done", "text": said}), flush=True)\n`,
  );
  return undefined;
});

When('the command is killed', async function (this: TradingWorld) {
  const { running } = this;
  assert.ok(running, 'no command is running');
  running.signal('SIGKILL');
  await running.result;
});

// The agent's command refers to files in the scenario's folder, so a process with this working directory runs
// it.
When("the trader replays the agent's run", async function (this: TradingWorld) {
  const [run = ''] = this.folder.results('runs');
  const line = `sandtable replay runs/${run} --quiet`;
  this.noteCommand(await new SpawnedCommand({ line, folder: this.folder.path }).result);
});

Then('no process of {string} is left', function (this: TradingWorld, name: string) {
  const listed = spawnSync('ps', ['-A', '-o', 'args='], { encoding: 'utf8' }).stdout;
  assert.match(listed, /node/);
  const left = listed.split('\n').filter((line) => line.startsWith('python3') && line.includes(name));
  assert.deepEqual(left, []);
});

When('the file {string} is removed', function (this: TradingWorld, name: string) {
  rmSync(this.folder.file(name));
});

When("the trader resumes the agent's run with {string}", async function (this: TradingWorld, flags: string) {
  const [run = ''] = this.folder.results('runs');
  const line = `sandtable resume runs/${run} --quiet ${flags}`.trim();
  this.noteCommand(await new SpawnedCommand({ line, folder: this.folder.path }).result);
});

Then(
  'the runs in {string} and {string} have the same journal',
  function (this: TradingWorld, one: string, other: string) {
    assert.deepEqual(linesOf(this, other), linesOf(this, one));
  },
);

Then(
  'the runs in {string} and {string} have the same journal up to bar {int} and another one from bar {int} on',
  function (this: TradingWorld, one: string, other: string, last: number, first: number) {
    // The hashes of links depend on the hash of the whole data, which `run_started` has.
    const upTo = (folder: string, bar: number): string[] =>
      eventsOf(this, folder)
        .filter((event) => 'bar' in event && event.bar <= bar && String(event.type) !== 'link')
        .map((event) => JSON.stringify(event));
    assert.deepEqual(upTo(other, last), upTo(one, last));
    assert.notDeepEqual(upTo(other, first), upTo(one, first));
  },
);

Then(
  'the runs in {string} and {string} have the same calls and fills',
  function (this: TradingWorld, one: string, other: string) {
    const done = (folder: string): RunEvent[] =>
      eventsOf(this, folder).filter(({ type }) => type === 'tool_called' || type === 'order_filled');
    assert.notEqual(done(one).length, 0);
    assert.deepEqual(done(other), done(one));
  },
);

function fileOf(world: TradingWorld, folder: string): string {
  const [run = ''] = world.folder.results(folder);
  return world.folder.file(`${folder}/${run}/journal.jsonl`);
}

function linesOf(world: TradingWorld, folder: string): readonly string[] {
  return readEarlier(fileOf(world, folder)).lines;
}

function eventsOf(world: TradingWorld, folder: string): readonly RunEvent[] {
  return readEarlier(fileOf(world, folder)).events;
}

Then('the samples in {string} ordered 1, 2 and 3 units', function (this: TradingWorld, folder: string) {
  const [samples = ''] = this.folder.results(folder);
  const sizes = [1, 2, 3].map((sample) =>
    readEarlier(this.folder.file(`${folder}/${samples}/sample-${sample}/journal.jsonl`)).events.flatMap(
      (event) => (event.type === 'order_accepted' && 'quantity' in event ? [event.quantity] : []),
    ),
  );
  assert.deepEqual(sizes, [Array(3).fill('1'), Array(3).fill('2'), Array(3).fill('3')]);
});

Then("the journal of the agent's run says {string}", function (this: TradingWorld, text: string) {
  const found = linesOf(this, 'runs').some((line) => line.includes(text));
  assert.ok(
    found,
    linesOf(this, 'runs')
      .filter((line) => line.includes('failure'))
      .join('\n'),
  );
});

Then(
  "the journal of the agent's run has no {string} and no {string} in what the agent said",
  function (this: TradingWorld, one: string, other: string) {
    const said = eventsOf(this, 'runs').flatMap((event) =>
      event.type === 'agent_replied' || event.type === 'agent_asked' ? [JSON.stringify(event)] : [],
    );
    assert.ok(said.length > 30, 'the agent said nothing');
    for (const text of said) assert.ok(!text.includes(one) && !text.includes(other), text);
  },
);
