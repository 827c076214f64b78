import assert from 'node:assert/strict';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { Given, Then, When } from '@cucumber/cucumber';
import { parse } from 'yaml';
import { DESK_TO_KILL, killAndResume } from '../../bench/kill-resume.ts';
import { readScript, readScriptFile, startScriptedModel } from '../../src/agents/index.ts';
import { readEarlier } from '../../src/journal/index.ts';
import { runHere } from '../support/command-line.ts';
import type { TradingWorld } from '../support/world.ts';

function onlyRun(world: TradingWorld): string {
  const runs = world.folder.results('runs');
  assert.equal(runs.length, 1, `there are ${runs.length} runs`);
  return world.folder.file(`runs/${runs[0]}`);
}

async function run(world: TradingWorld, line: string): Promise<void> {
  world.noteCommand(await runHere({ line, folder: world.folder.path, environment: world.environment }));
}

Given('a model that plays:', async function (this: TradingWorld, script: string) {
  this.model = await startScriptedModel(readScript(JSON.parse(script)));
  this.environment = { OPENAI_BASE_URL: this.model.url };
  const key = (JSON.parse(script) as { api_key?: string }).api_key;
  if (key !== undefined) this.environment.OPENAI_API_KEY = key;
});

Given('a model that plays the file {string}', async function (this: TradingWorld, file: string) {
  this.model = await startScriptedModel(readScriptFile(file));
  this.environment = { OPENAI_BASE_URL: this.model.url };
});

Given("the model's key is {string}", function (this: TradingWorld, key: string) {
  this.environment.OPENAI_API_KEY = key;
});

Given(
  "the model's strategy {string} with {string}",
  function (this: TradingWorld, name: string, settings: string) {
    writeStrategy(this, name, settings, '');
  },
);

Given(
  "the model's strategy {string} about {string} with {string}",
  function (this: TradingWorld, name: string, subject: string, settings: string) {
    writeStrategy(this, name, settings, `\nThink of ${subject}.\n`);
  },
);

Given(
  "the model's strategy {string} that answers with weights and {string}",
  function (this: TradingWorld, name: string, settings: string) {
    writeStrategy(this, name, `${settings}, ${weightsOutput('the share of PRICES alone')}`, '');
  },
);

Given(
  "the model's strategy {string} that answers with weights and {string} for {string}",
  function (this: TradingWorld, name: string, settings: string, subject: string) {
    writeStrategy(this, name, `${settings}, ${weightsOutput(subject)}`, '');
  },
);

function weightsOutput(description: string): string {
  const weights = {
    type: 'object',
    description,
    properties: { '{{symbols}}': { type: 'number', minimum: -100, maximum: 100 } },
    required: ['{{symbols}}'],
    additionalProperties: false,
  };
  const schema = {
    type: 'object',
    properties: { weights, reason: { type: 'string' } },
    required: ['weights', 'reason'],
    additionalProperties: false,
  };
  const calls = [{ tool: 'portfolio_rebalance', arguments: { weights: '$.weights', reason: '$.reason' } }];
  return `output: ${JSON.stringify({ schema, calls })}`;
}

Then('the answer of the decision is {code}', function (this: TradingWorld, text: string) {
  const decisions = readEarlier(join(onlyRun(this), 'journal.jsonl')).events.filter(
    (event) => event.type === 'decision_made',
  );
  assert.deepEqual(decisions.at(-1)?.answer, JSON.parse(text));
});

Given(
  "the desk's strategy {string} with the flow {string}",
  function (this: TradingWorld, name: string, flow: string) {
    writeDesk(this, name, flow, '');
  },
);

Given(
  "the desk's strategy {string} with the flow {string} and {string}",
  function (this: TradingWorld, name: string, flow: string, more: string) {
    writeDesk(this, name, flow, more);
  },
);

const PROMPTS: Readonly<Record<string, string>> = {
  analyst: 'You are the analyst of {{symbols}}.',
  bull: 'You are the bull.',
  bear: 'You are the bear.',
  trader: 'You are the trader.',
  risk: 'You are in charge of risk.',
};

const ROLES: Readonly<Record<string, object>> = {
  analyst: { tools: ['market_history'] },
  trader: { tools: ['trade_execute'], model: 'large', prices: { input: 2, output: 4 } },
};

/**
 * Writes a strategy with the roles named in its flow. Settings apply to all roles, or to one role if given
 * under its name.
 */
function writeDesk(world: TradingWorld, name: string, flow: string, more: string): void {
  const settings = parse(`{${more}}`) as Record<string, object>;
  const names = Object.keys(PROMPTS).filter((role) => flow.includes(role));
  const front = {
    model: 'small',
    // biome-ignore lint/suspicious/noTemplateCurlyInString: the strategy's own notation
    base_url: '${OPENAI_BASE_URL:-http://localhost:1/v1}',
    tools: [],
    prices: { input: 1, output: 2 },
    request: { backoff_seconds: 0.001 },
    ...(more.includes('schedule') ? {} : { decision_start: '2000-02-10', schedule: { every_bars: 5 } }),
    ...Object.fromEntries(Object.entries(settings).filter(([key]) => !names.includes(key))),
    roles: Object.fromEntries(names.map((role) => [role, { ...ROLES[role], ...settings[role] }])),
    flow: parse(flow) as object,
  };
  const prompts = names.map((role) => `# ${role}\n${PROMPTS[role]}\n`);
  world.folder.write(name, `---\n${JSON.stringify(front)}\n---\nToday is {{date}}.\n${prompts.join('')}`);
}

Then('the costs of the roles add up to that of the run', function (this: TradingWorld) {
  const { model } = JSON.parse(this.command.stdout) as {
    model: { cost: string; roles: readonly { cost: string }[] };
  };
  const sum = model.roles.reduce((total, { cost }) => total + Number(cost), 0);
  assert.ok(Number(model.cost) > 0);
  assert.ok(Math.abs(sum - Number(model.cost)) < 1e-12, `${sum} is not ${model.cost}`);
});

When(
  "a desk's run is killed {int} times at random points, with seed {int}, and resumed each time",
  async function (this: TradingWorld, kills: number, seed: number) {
    this.kills = await killAndResume(this.folder.path, kills, seed, DESK_TO_KILL);
  },
);

function writeStrategy(world: TradingWorld, name: string, settings: string, more: string): void {
  const front = {
    model: 'scripted',
    // biome-ignore lint/suspicious/noTemplateCurlyInString: the strategy's own notation
    base_url: '${OPENAI_BASE_URL:-http://localhost:1/v1}',
    tools: ['market_history', 'account_status', 'trade_execute'],
    request: { backoff_seconds: 0.001 },
    ...(parse(`{${settings}}`) as object),
  };
  world.folder.write(name, `---\n${JSON.stringify(front)}\n---\nTrade {{symbols}} on {{date}}.\n${more}`);
}

When('the trader resumes the run with {string}', async function (this: TradingWorld, flags: string) {
  await run(this, `sandtable resume "${onlyRun(this)}" ${flags}`);
});

When('the trader replays the run', async function (this: TradingWorld) {
  await run(this, `sandtable replay "${onlyRun(this)}" --quiet`);
});

When('the model is switched off', function (this: TradingWorld) {
  this.switchedOff = this.environment;
  this.environment = {};
});

When('the model is switched on again', function (this: TradingWorld) {
  this.environment = this.switchedOff;
});

When(
  /^somebody changes `(.+)` to `(.+)` in the journal's first (tool call|exchange)$/,
  function (this: TradingWorld, from: string, to: string, kind: string) {
    const file = join(onlyRun(this), 'journal.jsonl');
    const lines = readFileSync(file, 'utf8').split('\n');
    const start = `{"type":"${kind === 'exchange' ? 'model_called' : 'tool_called'}"`;
    const index = lines.findIndex((line) => line.startsWith(start) && line.includes(from));
    assert.ok(index >= 0, `no ${kind} contains ${from}`);
    lines[index] = lines[index]!.replace(from, to);
    writeFileSync(file, lines.join('\n'));
  },
);

When('somebody adds the last line of the journal a second time', function (this: TradingWorld) {
  const file = join(onlyRun(this), 'journal.jsonl');
  const text = readFileSync(file, 'utf8');
  writeFileSync(file, `${text}${text.trimEnd().split('\n').at(-1)}\n`);
});

When('somebody takes the first {string} out of the journal', function (this: TradingWorld, type: string) {
  const file = join(onlyRun(this), 'journal.jsonl');
  const lines = readFileSync(file, 'utf8').split('\n');
  const index = lines.findIndex((line) => line.startsWith(`{"type":"${type}"`));
  assert.ok(index >= 0, `there is no ${type}`);
  writeFileSync(file, lines.toSpliced(index, 1).join('\n'));
});

When("the run's journal is cut in the middle of line {int}", function (this: TradingWorld, line: number) {
  const file = join(onlyRun(this), 'journal.jsonl');
  this.wholeJournal = readFileSync(file, 'utf8');
  const lines = this.wholeJournal.split('\n');
  const half = lines[line - 1]!;
  writeFileSync(file, `${lines.slice(0, line - 1).join('\n')}\n${half.slice(0, half.length / 2)}`);
});

Then("the run's journal is as it was before the cut", function (this: TradingWorld) {
  assert.equal(readFileSync(join(onlyRun(this), 'journal.jsonl'), 'utf8'), this.wholeJournal);
});

Then('the journal records a failure {string}', function (this: TradingWorld, kind: string) {
  const kinds = readEarlier(join(onlyRun(this), 'journal.jsonl')).events.flatMap((event) =>
    event.type === 'model_called' && event.failure !== undefined ? [event.failure.kind] : [],
  );
  assert.deepEqual(kinds, [kind]);
});

Then("the last decision's text is {string}", function (this: TradingWorld, text: string) {
  const decisions = readEarlier(join(onlyRun(this), 'journal.jsonl')).events.filter(
    (event) => event.type === 'decision_made',
  );
  assert.equal(decisions.at(-1)?.text, text);
});

Then('the model played its script to the end', function (this: TradingWorld) {
  assert.deepEqual(
    { unexpected: this.model?.unexpected, left: this.model?.leftover() },
    { unexpected: [], left: [] },
  );
});

Then(
  'the scripted model reports {int} unexpected request and {int} step left over',
  function (this: TradingWorld, unexpected: number, left: number) {
    assert.equal(this.model?.unexpected.length, unexpected);
    assert.equal(this.model?.leftover().length, left);
  },
);

Then(
  'the key {string} is in no file and in nothing that was printed',
  function (this: TradingWorld, key: string) {
    const folder = onlyRun(this);
    const files = readdirSync(folder, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map((entry) => relative(folder, join(entry.parentPath, entry.name)));
    assert.ok(files.length > 2);
    for (const name of files) assert.ok(!readFileSync(join(folder, name), 'utf8').includes(key), name);
    for (const { stdout, stderr } of this.results) assert.ok(!`${stdout}${stderr}`.includes(key));
  },
);

When(
  "a model's run is killed {int} times at random points, with seed {int}, and resumed each time",
  async function (this: TradingWorld, kills: number, seed: number) {
    this.kills = await killAndResume(this.folder.path, kills, seed);
  },
);

Then(
  "its journal is the uninterrupted run's, and nothing recorded was asked for again",
  function (this: TradingWorld) {
    assert.deepEqual(this.kills?.problems, []);
    assert.ok((this.kills?.exchanges ?? 0) > 10);
  },
);

/** Returns the observations shown to the decisions of the run. */
function observations(world: TradingWorld): Readonly<Record<string, unknown>>[] {
  const { events } = readEarlier(join(onlyRun(world), 'journal.jsonl'));
  return events.flatMap((event) => {
    if (event.type === 'agent_asked') return [event.observation as Readonly<Record<string, unknown>>];
    if (event.type !== 'model_called' || event.round !== 1 || event.attempt !== 1) return [];
    const added = event.added as readonly { readonly role: string; readonly text: string }[];
    return [JSON.parse(added.find(({ role }) => role === 'user')?.text ?? '{}') as Record<string, unknown>];
  });
}

Then(
  'decision {int} of the run was shown first:',
  function (this: TradingWorld, decision: number, json: string) {
    const shown = observations(this)[decision - 1];
    assert.ok(shown, `there is no decision ${decision}`);
    assert.equal(Object.keys(shown)[0], 'since_last_decision');
    assert.deepEqual(shown.since_last_decision, JSON.parse(json));
  },
);

Then(
  'decision {int} of the run was shown {code}',
  function (this: TradingWorld, decision: number, json: string) {
    const shown = observations(this)[decision - 1];
    assert.ok(shown, `there is no decision ${decision}`);
    assert.deepEqual({ ...shown, ...(JSON.parse(json) as object) }, shown);
  },
);

Then(
  'decision {int} of the run was shown the columns {string} of {int} symbols',
  function (this: TradingWorld, decision: number, columns: string, symbols: number) {
    const { table } = observations(this)[decision - 1] as {
      readonly table?: {
        readonly columns: readonly string[];
        readonly rows: readonly (readonly unknown[])[];
      };
    };
    assert.equal(table?.columns.join(' '), columns);
    assert.equal(table?.rows.length, symbols);
    for (const row of table?.rows ?? []) {
      assert.equal(row.length, table?.columns.length);
      for (const value of row.slice(1, 6)) assert.equal(typeof value, 'number');
    }
  },
);

Then(
  "the client was answered with the table that decision {int} of the agent's run was shown",
  function (this: TradingWorld, decision: number) {
    const { table } = observations(this)[decision - 1] as { readonly table?: unknown };
    assert.ok(table, 'the agent was shown no table');
    assert.deepEqual((this.answers.at(-1) as { readonly table?: unknown }).table, table);
  },
);
