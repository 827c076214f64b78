import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import { Given, Then, When } from '@cucumber/cucumber';
import type { RunSummary } from '../../src/results/analysis/index.ts';
import { runHere } from '../support/command-line.ts';
import type { TradingWorld } from '../support/world.ts';

function runFolders(world: TradingWorld): string[] {
  return world.folder
    .results('runs')
    .sort()
    .map((run) => world.folder.file(`runs/${run}`));
}

/** Returns the rows of a file of bars as texts. */
function barsOf(world: TradingWorld, file: string): { readonly rows: readonly string[][] } {
  const [, ...rows] = readFileSync(world.folder.file(file), 'utf8').trim().split('\n');
  return { rows: rows.map((row) => row.split(',')) };
}

/** Returns the dates in a file of bars, and its numbers that are too long to occur by chance. */
function factsOf(world: TradingWorld, file: string): { dates: string[]; prices: string[] } {
  const { rows: cells } = barsOf(world, file);
  const isLong = (text: string): boolean => text.replace('.', '').length >= 4;
  return {
    dates: cells.map(([date = '']) => date),
    prices: cells.flatMap((row) => row.slice(1)).filter(isLong),
  };
}

Given('the file {string} that says {code}', function (this: TradingWorld, name: string, text: string) {
  this.folder.write(name, text);
});

Given(
  'the file {string} with the rates of a currency over the time of {string}',
  function (this: TradingWorld, name: string, file: string) {
    const { rows } = barsOf(this, file);
    const lines = rows.map(([date], bar) => {
      const close = (1.1 + ((bar * 7) % 40) / 1_000).toFixed(4);
      return `${date},${close},${close},${close},${close}`;
    });
    this.folder.write(name, `date,open,high,low,close\n${lines.join('\n')}\n`);
  },
);

Given(
  'the file {string} with finer bars of {string}',
  function (this: TradingWorld, name: string, file: string) {
    const lines = barsOf(this, file).rows.flatMap(([date, open, high, low, close, volume]) => [
      `${date} 10:00,${open},${open},${low},${low},${volume}`,
      `${date} 14:00,${low},${high},${low},${close},${volume}`,
    ]);
    this.folder.write(name, `date,open,high,low,close,volume\n${lines.join('\n')}\n`);
  },
);

Then('the journals of both runs have a dividend, a split and rates', function (this: TradingWorld) {
  for (const folder of runFolders(this)) {
    const journal = readFileSync(`${folder}/journal.jsonl`, 'utf8');
    for (const sign of ['"kind":"dividend"', '"type":"split"', '"rate":"'])
      assert.ok(journal.includes(sign), `${folder} has no ${sign}`);
  }
});

Then('a request contains {string}', function (this: TradingWorld, text: string) {
  const requests = (this.model?.calls ?? []).map(({ body }) => JSON.stringify(body));
  assert.ok(
    requests.some((request) => request.includes(text)),
    requests.join('\n'),
  );
});

Then('no request contains {string}', function (this: TradingWorld, text: string) {
  const requests = (this.model?.calls ?? []).map(({ body }) => JSON.stringify(body));
  assert.ok(requests.length > 0);
  for (const request of requests) assert.ok(!request.includes(text), request);
});

function assertHides(world: TradingWorld, texts: readonly string[], symbol: string, file: string): void {
  const { dates, prices } = factsOf(world, file);
  assert.ok(dates.length > 30 && prices.length > 100);
  const known = new Set(prices);
  for (const text of texts) {
    assert.ok(!text.toLowerCase().includes(symbol.toLowerCase()), `${symbol} is in ${text}`);
    for (const date of dates) assert.ok(!text.includes(date), `${date} is in ${text}`);
    for (const [number] of text.matchAll(/\d+(?:\.\d+)?/g))
      assert.ok(!known.has(number), `the price ${number} is in ${text}`);
  }
}

Then(
  'no request contains the symbol {string}, a date or a price of {string}',
  function (this: TradingWorld, symbol: string, file: string) {
    const calls = this.model?.calls ?? [];
    assert.ok(calls.length > 3);
    assertHides(
      this,
      calls.map(({ body }) => JSON.stringify(body)),
      symbol,
      file,
    );
  },
);

Then(
  'no answer holds the symbol {string}, a date or a price of {string}',
  function (this: TradingWorld, symbol: string, file: string) {
    assert.ok(this.answers.length > 3);
    // The name of the run folder contains the current date, which may equal a date in the file.
    const texts = this.answers.map((answer) => JSON.stringify({ ...answer, folder: '', run: '' }));
    assertHides(this, texts, symbol, file);
  },
);

Then('the run folder is about {string} in real terms', function (this: TradingWorld, symbol: string) {
  const [folder] = runFolders(this);
  const summary = JSON.parse(readFileSync(`${folder}/summary.json`, 'utf8')) as RunSummary;
  assert.deepEqual(summary.symbols, [symbol]);
  assert.equal(summary.firstBar, factsOf(this, `${symbol}.csv`).dates[0]);
  assert.equal(summary.openTradeCount, 1);
});

Then(
  "the run's files contain the symbol {string} and the dates of {string}",
  function (this: TradingWorld, symbol: string, file: string) {
    const [folder] = runFolders(this);
    const summary = JSON.parse(readFileSync(`${folder}/summary.json`, 'utf8')) as RunSummary;
    const { dates } = factsOf(this, file);
    assert.deepEqual(summary.symbols, [symbol]);
    assert.deepEqual([summary.firstBar, summary.lastBar], [dates[0], dates.at(-1)]);
    assert.equal(summary.initialCash, '100000');
  },
);

Then(
  'both runs made the same trades, and their equity is never {float} % apart',
  function (this: TradingWorld, most: number) {
    const [one, other] = runFolders(this);
    const rows = (folder: string, file: string): string[][] =>
      readFileSync(`${folder}/${file}`, 'utf8')
        .trim()
        .split('\n')
        .map((row) => row.split(','));
    const columns = (folder: string, names: readonly string[]): string[][] => {
      const [header = [], ...body] = rows(folder, 'trades.csv');
      return body.map((row) => names.map((name) => row[header.indexOf(name)] ?? ''));
    };
    const same = ['symbol', 'side', 'entryBar', 'entryDate', 'exitBar', 'exitDate', 'exitReason'];
    assert.deepEqual(columns(other!, same), columns(one!, same));
    assert.ok(columns(one!, same).length > 2, 'there was hardly a trade');
    const [open, masked] = [rows(one!, 'equity.csv'), rows(other!, 'equity.csv')];
    const equity = open[0]!.indexOf('equity');
    assert.equal(masked.length, open.length);
    for (let bar = 1; bar < open.length; bar++) {
      assert.equal(masked[bar]![1], open[bar]![1], 'the dates are the real ones');
      const [real, own] = [Number(open[bar]![equity]), Number(masked[bar]![equity])];
      assert.ok(
        Math.abs(own / real - 1) <= most / 100,
        `bar ${bar - 1}: ${own}, and ${real} without the mask`,
      );
    }
  },
);

Then('the model was asked nothing', function (this: TradingWorld) {
  assert.equal(this.model?.calls.length, 0);
});

Then('the two parts of the split earn what the whole run earns', function (this: TradingWorld) {
  const [folder] = runFolders(this);
  const summary = JSON.parse(readFileSync(`${folder}/summary.json`, 'utf8')) as RunSummary;
  const { before, after } = summary.modelCutoff ?? {};
  assert.ok(before && after);
  const grown = (1 + (before.totalReturn ?? 0)) * (1 + (after.totalReturn ?? 0)) - 1;
  assert.ok(Math.abs(grown - (summary.totalReturn ?? 0)) < 1e-12);
  assert.equal(before.bars + after.bars, summary.bars);
  assert.equal(before.tradeCount + after.tradeCount, summary.tradeCount);
  assert.ok(before.lastBar <= '2000-06-30' && after.firstBar > '2000-06-30');
});

When(
  'the trader answers a new run of {string} from the record, with {string}',
  async function (this: TradingWorld, strategy: string, flags: string) {
    const [recorded] = runFolders(this);
    const line = `sandtable run ${strategy} ${flags} --recording "${recorded}" --replay-only --out runs --quiet`;
    this.noteCommand(await runHere({ line, folder: this.folder.path, environment: this.environment }));
  },
);

When("the run's journal says that its mask was drawn by version 1", function (this: TradingWorld) {
  const journal = `${runFolders(this)[0]}/journal.jsonl`;
  const text = readFileSync(journal, 'utf8');
  const other = text.replace(/"mask":\{"version":\d+,/, '"mask":{"version":1,');
  assert.notEqual(other, text);
  writeFileSync(journal, other);
});
