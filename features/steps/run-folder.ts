import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { type DataTable, Then } from '@cucumber/cucumber';
import { type RunRecord, readJournal } from '../../src/journal/index.ts';
import { runSummarySchema } from '../../src/results/analysis/index.ts';
import { csvRows } from '../support/tables.ts';
import type { TradingWorld } from '../support/world.ts';

/** Returns the folders of the runs in `runs/`, sorted by name. */
function runFolders(world: TradingWorld): string[] {
  return world.folder.results('runs').map((run) => `runs/${run}`);
}

function runFile(world: TradingWorld, name: string): string {
  const folders = runFolders(world);
  assert.equal(folders.length, 1, `there are ${folders.length} runs`);
  return `${folders[0]}/${name}`;
}

function journalOf(world: TradingWorld): RunRecord {
  return readJournal(world.folder.file(runFile(world, 'journal.jsonl')));
}

function sha256(world: TradingWorld, name: string): string {
  return createHash('sha256').update(world.folder.read(name)).digest('hex');
}

Then('the run folder holds:', function (this: TradingWorld, table: DataTable) {
  assert.deepEqual(this.folder.list(runFile(this, '.')), table.raw().flat().sort());
});

Then('no run folder is left', function (this: TradingWorld) {
  assert.deepEqual(
    this.folder
      .list('.')
      .filter((name) => name === 'runs' || name === 'reports')
      .flatMap((name) => this.folder.list(name)),
    [],
  );
});

Then(
  '{string} has a row per bar, {int}, under {string}',
  function (this: TradingWorld, name: string, bars: number, header: string) {
    const csv = csvRows(this.folder.read(runFile(this, name)));
    assert.equal(csv.header, header);
    assert.deepEqual(
      csv.rows.map((row) => row.bar),
      Array.from({ length: bars }, (_, bar) => String(bar)),
    );
  },
);

Then(
  '{string} has a row per trade of the summary under {string}',
  function (this: TradingWorld, name: string, header: string) {
    const csv = csvRows(this.folder.read(runFile(this, name)));
    const summary = summaryOf(this);
    assert.equal(csv.header, header);
    assert.equal(csv.rows.length, summary.tradeCount + (summary.openTradeCount ?? 0));
    assert.ok(csv.rows.length > 0, 'the run made no trade');
  },
);

function summaryOf(world: TradingWorld): ReturnType<typeof runSummarySchema.parse> {
  return runSummarySchema.parse(JSON.parse(world.folder.read(runFile(world, 'summary.json'))));
}

Then("stdout is the run folder's {string}", function (this: TradingWorld, name: string) {
  assert.equal(this.command.stdout, this.folder.read(runFile(this, name)));
  JSON.parse(this.command.stdout);
});

Then('the last row of {string} agrees with the summary', function (this: TradingWorld, name: string) {
  const last = csvRows(this.folder.read(runFile(this, name))).rows.at(-1);
  assert.equal(last?.equity, summaryOf(this).finalEquity);
});

Then(
  'the manifest vouches for the journal, for {string} and for the strategy {word}',
  function (this: TradingWorld, data: string, strategy: string) {
    const manifest = JSON.parse(this.folder.read(runFile(this, 'manifest.json'))) as {
      sealed: boolean;
      openDoors: string[];
      journal: { sha256: string };
      strategy: { name: string };
      data: { sources: { file: string; sha256: string }[] };
    };
    assert.equal(manifest.sealed, false);
    assert.deepEqual(manifest.openDoors, ['strategy code runs with your rights']);
    assert.equal(manifest.strategy.name, strategy);
    assert.equal(manifest.journal.sha256, sha256(this, runFile(this, 'journal.jsonl')));
    assert.deepEqual(
      manifest.data.sources.map(({ file, sha256: hash }) => [file, hash]),
      [[data, sha256(this, data)]],
    );
  },
);

Then('the manifest says {string}', function (this: TradingWorld, text: string) {
  const manifest = this.folder.read(runFile(this, 'manifest.json'));
  assert.ok(manifest.includes(text), manifest);
});

Then(
  'the journal is whole and says {word} after {int} bars',
  function (this: TradingWorld, outcome: string, bars: number) {
    const record = journalOf(this);
    assert.deepEqual(record.damage, []);
    assert.deepEqual({ outcome: record.outcome, bars: record.bars.length }, { outcome, bars });
  },
);

Then('the journal is whole and says {word} before the end', function (this: TradingWorld, outcome: string) {
  const record = journalOf(this);
  assert.deepEqual(record.damage, []);
  assert.equal(record.outcome, outcome);
  assert.ok(record.bars.length > 0 && record.bars.length < record.started.bars, `${record.bars.length} bars`);
});

Then('the journal has the note {string}', function (this: TradingWorld, text: string) {
  const [folder = ''] = runFolders(this);
  assert.ok(this.folder.read(`${folder}/journal.jsonl`).includes(JSON.stringify(text)));
});

Then('the journal does not have the note {string}', function (this: TradingWorld, text: string) {
  const [folder = ''] = runFolders(this);
  assert.ok(!this.folder.read(`${folder}/journal.jsonl`).includes(JSON.stringify(text)));
});

Then('the journal says {string}', function (this: TradingWorld, text: string) {
  const [folder = ''] = runFolders(this);
  const journal = this.folder.read(`${folder}/journal.jsonl`);
  assert.ok(journal.includes(text), journal);
});

Then('the journal has {int} tool calls', function (this: TradingWorld, count: number) {
  const calls = journalOf(this).toolCalls;
  assert.equal(calls.length, count);
  for (const { result } of calls)
    assert.ok(!(result !== null && typeof result === 'object' && 'error' in result));
});

Then('both journals are the same, byte for byte', function (this: TradingWorld) {
  const journals = runFolders(this).map((folder) => this.folder.read(`${folder}/journal.jsonl`));
  assert.equal(journals.length, 2);
  assert.ok((journals[0] ?? '').includes('order_filled'), 'nothing happened in the run');
  assert.equal(journals[0], journals[1]);
});
