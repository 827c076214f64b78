import assert from 'node:assert/strict';
import { gzipSync } from 'node:zlib';
import { type DataTable, Given, Then, When } from '@cucumber/cucumber';
import { AppError, formatInstant } from '../../src/kernel/index.ts';
import { type LoadOptions, loadMarket, simulateMarket, toCsv } from '../../src/market/index.ts';
import { assertRows } from '../support/tables.ts';
import type { TradingWorld } from '../support/world.ts';

async function load(
  world: TradingWorld,
  names: string[],
  options: Omit<LoadOptions, 'paths'> = {},
): Promise<void> {
  const paths = names.map((name) => world.folder.file(name));
  try {
    world.loaded = await loadMarket({ ...options, paths });
  } catch (error) {
    assert.ok(error instanceof AppError, `no error for a user: ${String(error)}`);
    world.refusal = error;
    world.problems.note(error, error.message);
  }
}

Given('the file {string}:', function (this: TradingWorld, name: string, text: string) {
  this.folder.write(name, `${text}\n`);
});

Then('the file {string} has the lines:', function (this: TradingWorld, name: string, lines: string) {
  const found = this.folder.read(name).split('\n');
  for (const line of lines.split('\n'))
    assert.ok(found.includes(line), `no "${line}" in ${found.join('\n')}`);
});

Given('the folder is a package of ECMAScript modules', function (this: TradingWorld) {
  this.folder.write('package.json', '{ "type": "module" }\n');
});

Given('the gzipped file {string}:', function (this: TradingWorld, name: string, text: string) {
  this.folder.write(name, gzipSync(`${text}\n`));
});

Given(
  'the file {string} with {int} simulated bars',
  function (this: TradingWorld, name: string, bars: number) {
    const [series] = simulateMarket({ seed: 5, bars }).series;
    assert.ok(series);
    this.folder.write(name, toCsv(series));
  },
);

Given(
  'the file {string} with {int} simulated bars of a {word} market',
  function (this: TradingWorld, name: string, bars: number, regime: string) {
    const [series] = simulateMarket({ seed: 5, bars, regime: regime as 'trend' }).series;
    assert.ok(series);
    this.folder.write(name, toCsv(series));
  },
);

Given(
  'a file whose dates are written {string} and {string}',
  function (this: TradingWorld, first: string, second: string) {
    const row = '100,101,99,100,5';
    this.folder.write(
      'prices.csv',
      `date,open,high,low,close,volume\n"${first}",${row}\n"${second}",${row}\n`,
    );
  },
);

When('the trader loads {string}', async function (this: TradingWorld, name: string) {
  await load(this, [name]);
});

When(
  'the trader loads {string} and {string}',
  async function (this: TradingWorld, one: string, other: string) {
    await load(this, [one, other]);
  },
);

When('the trader loads it', async function (this: TradingWorld) {
  await load(this, ['prices.csv']);
});

When('the trader loads {string}, allowing gaps', async function (this: TradingWorld, name: string) {
  await load(this, [name], { allowGaps: true });
});

When('the trader loads it, dates being {word}', async function (this: TradingWorld, order: string) {
  assert.ok(order === 'dmy' || order === 'mdy');
  await load(this, ['prices.csv'], { dateOrder: order });
});

When(
  'the trader loads {string} from {date} to {date}',
  async function (this: TradingWorld, name: string, from: string, to: string) {
    await load(this, [name], { from, to });
  },
);

Then('the bars are:', function (this: TradingWorld, table: DataTable) {
  const series = this.loaded?.market.series ?? [];
  const bars = series.flatMap(({ symbol, time, open, high, low, close, volume }) =>
    [...time].map((instant, index) => ({
      symbol,
      date: formatInstant(instant),
      open: open[index],
      high: high[index],
      low: low[index],
      close: close[index],
      volume: volume[index],
    })),
  );
  assertRows(bars, table);
});

Then('the dates are {string} and {string}', function (this: TradingWorld, first: string, second: string) {
  assert.deepEqual([...(this.loaded?.market.clock ?? [])].map(formatInstant), [first, second]);
});

Then('{int} bars are loaded', function (this: TradingWorld, count: number) {
  assert.equal(this.loaded?.market.clock.length, count);
});

Then('nothing is said to be adjusted', function (this: TradingWorld) {
  assert.deepEqual(this.loaded?.adjustments, []);
});

Then('it is said that {string}', function (this: TradingWorld, text: string) {
  const { adjustments = [] } = this.loaded ?? {};
  assert.ok(
    adjustments.some((adjustment) => adjustment.includes(text)),
    JSON.stringify(adjustments),
  );
});

Then('loading is refused as {word}', function (this: TradingWorld, code: string) {
  const error = refusalOf(this);
  assert.equal(error.code, code);
  assert.equal(error.kind, 'input');
  assert.notEqual(error.hint, '');
});

Then('the refusal says {string}', function (this: TradingWorld, text: string) {
  const { message, hint: remedy } = refusalOf(this);
  assert.ok(`${message} ${remedy}`.includes(text), `${message}\n${remedy}`);
});

Then('loading is refused with these faults, and no others:', function (this: TradingWorld, table: DataTable) {
  const { message } = refusalOf(this);
  const faults = message
    .split('\n')
    .slice(1)
    .map((line) => {
      const [, where = '', fault = ''] = /([^/\\]+?): (.*)$/.exec(line) ?? [];
      return { where, fault };
    });
  assertRows(faults, table);
});

function refusalOf(world: TradingWorld): AppError {
  assert.ok(world.refusal, 'the data were loaded');
  world.problems.seen(world.refusal);
  return world.refusal;
}
