import assert from 'node:assert/strict';
import { Then, When } from '@cucumber/cucumber';
import { columnsOf } from '../../src/kernel/index.ts';
import { runSummarySchema } from '../../src/results/analysis/index.ts';
import { runHere } from '../support/command-line.ts';
import type { TradingWorld } from '../support/world.ts';

When(
  'the trader compares the runs in {string} and {string}',
  async function (this: TradingWorld, first: string, second: string) {
    const { folder, environment } = this;
    const [one, two] = [first, second].map((name) => `${name}/${folder.results(name)[0]}`);
    const line = `sandtable compare ${one} ${two}`;
    this.noteCommand(await runHere({ line, folder: folder.path, environment }));
  },
);

/**
 * Returns the rows of the comparison table in the report: strategy, benchmark, at equal volatility,
 * difference, interval.
 */
function rowsOfReport(world: TradingWorld): string[][] {
  const page = world.folder.read(`runs/${world.folder.results('runs')[0]}/report.html`);
  const table = /<table class="spine">.*?<\/table>/s.exec(page)?.[0] ?? '';
  return [...table.matchAll(/<tr data-figure.*?<\/tr>/gs)].map(([row]) => [
    ...[...row.matchAll(/<td>([^<]*)<\/td>/g)].map(([, cell = '']) => cell),
    /<td class="difference">([^<]*)/.exec(row)?.[1]?.trim() ?? '',
    /<small>([^<]* to [^<]*)<\/small>/.exec(row)?.[1] ?? '',
  ]);
}

Then('stdout has the table against the benchmark that the report has', function (this: TradingWorld) {
  const rows = rowsOfReport(this);
  assert.equal(rows.length, 9);
  const { stdout } = this.command;
  for (const cell of rows.flat()) assert.ok(stdout.includes(cell), `stdout lacks ${cell}:\n${stdout}`);
});

Then(
  'no line of stdout but that of the folder is wider than {int} columns',
  function (this: TradingWorld, columns: number) {
    const lines = this.command.stdout.split('\n').filter((line) => !line.includes(this.folder.path));
    assert.ok(lines.length > 5);
    for (const line of lines) assert.ok(columnsOf(line) <= columns, `${columnsOf(line)} columns: ${line}`);
  },
);

Then('stdout has at most {int} lines', function (this: TradingWorld, most: number) {
  const { stdout } = this.command;
  assert.ok(stdout.trimEnd().split('\n').length <= most, stdout);
});

Then('stdout is in ASCII alone', function (this: TradingWorld) {
  const strange = /[^\n -~]/u.exec(this.command.stdout.replaceAll(this.folder.path, ''));
  assert.equal(strange?.[0], undefined);
});

Then(
  "the exported {string} has the table against the benchmark of the run's summary",
  function (this: TradingWorld, file: string) {
    const run = this.folder.results('runs')[0];
    const summary = JSON.parse(this.folder.read(`runs/${run}/summary.json`));
    const { spine = [] } = runSummarySchema.parse(summary);
    assert.equal(spine.length, 9);
    const [head, ...rows] = this.folder.read(file).trimEnd().split('\n');
    assert.equal(head, 'figure,strategy,benchmark,atEqualVolatility,against,difference,low,high,supports');
    assert.deepEqual(
      rows,
      spine.map(({ name, own, benchmark, scaled, against, difference, low, high, supports }) =>
        [
          name,
          own,
          benchmark,
          scaled,
          against === 'scaled' ? 'atEqualVolatility' : against,
          difference,
          low,
          high,
          supports,
        ].join(','),
      ),
    );
  },
);
