import type { Desk } from './desk.ts';
import { percentFlag, type Step, type Table } from './step.ts';

/** Steps that define the inputs of a backtest or open existing runs. */
export const WORLD_STEPS: readonly Step[] = [
  {
    keyword: 'Given',
    pattern: 'the data {string}',
    example: 'the data "prices.csv"',
    about: 'A file, a folder or a glob, as for `--data`. Repeat the step for more files.',
    run: (desk: Desk, path: string) => desk.addData(path),
  },
  {
    keyword: 'Given',
    pattern: 'the bars from {string} to {string}',
    example: 'the bars from "2001-01-01" to "2001-12-31"',
    about: 'Both days included.',
    run(desk: Desk, from: string, to: string) {
      desk.setFlag('from', from);
      desk.setFlag('to', to);
    },
  },
  {
    keyword: 'Given',
    pattern: 'the strategy {string}',
    example: 'the strategy "strategies/sma-cross.ts"',
    about: 'Any strategy file: `.ts`, `.js`, an order script in `.json`, a prompt in `.md`.',
    run(desk: Desk, file: string) {
      desk.strategy = file;
    },
  },
  {
    keyword: 'Given',
    pattern: 'the strategy {string} with parameter {word} {word}',
    example: 'the strategy "strategies/sma-cross.ts" with parameter fast 5',
    run(desk: Desk, file: string, name: string, value: string) {
      desk.strategy = file;
      desk.setParameter(name, value);
    },
  },
  {
    keyword: 'Given',
    pattern: 'the strategy {string} with parameters:',
    example: 'the strategy "strategies/sma-cross.ts" with parameters:\n  | fast | 5  |\n  | slow | 30 |',
    run(desk: Desk, file: string, table: Table) {
      desk.strategy = file;
      for (const [name = '', value = ''] of table.raw()) desk.setParameter(name, value);
    },
  },
  {
    keyword: 'Given',
    pattern: 'its parameter {word} is {word}',
    example: 'its parameter slow is 50',
    run: (desk: Desk, name: string, value: string) => desk.setParameter(name, value),
  },
  {
    keyword: 'Given',
    pattern: /^initial cash of ([\d,.]+)$/,
    example: 'initial cash of 50,000',
    run: (desk: Desk, amount: string) => desk.setFlag('cash', amount.replaceAll(',', '')),
  },
  {
    keyword: 'Given',
    pattern: /^a commission of ([\d.]+)% of each fill$/,
    example: 'a commission of 0.1% of each fill',
    run: (desk: Desk, percent: string) => desk.setFlag('commission', percentFlag(percent)),
  },
  {
    keyword: 'Given',
    pattern: 'slippage of {float} basis point(s)',
    example: 'slippage of 5 basis points',
    run: (desk: Desk, points: number) => desk.setFlag('slippage-bps', String(points)),
  },
  {
    keyword: 'Given',
    pattern: 'these settings:',
    example: 'these settings:\n  | leverage     | 2   |\n  | max position | 0.5 |\n  | no short     | yes |',
    about:
      'Any flag of [`sandtable run`](cli.md#run) by its name, one row per flag. Use `yes` for a flag without a value.',
    run(desk: Desk, table: Table) {
      for (const [name = '', value = ''] of table.raw()) desk.setFlag(name, value);
    },
  },
  {
    keyword: 'Given',
    pattern: 'the settings file {string}',
    example: 'the settings file "settings.json"',
    run: (desk: Desk, file: string) => desk.setFlag('settings', file),
  },
  {
    keyword: 'Given',
    pattern: 'a scripted model that plays {string}',
    example: 'a scripted model that plays "model.json"',
    about:
      'Answers the strategy instead of a real model; see [llm.md](llm.md#the-script-of-the-mock-server).',
    run: (desk: Desk, file: string) => desk.playModel({ file }),
  },
  {
    keyword: 'Given',
    pattern: 'a scripted model that plays:',
    example:
      'a scripted model that plays:\n  """\n  {"steps": [{"times": "any", "reply": {"text": "I hold."}}]}\n  """',
    run: (desk: Desk, text: string) => desk.playModel({ text }),
  },
  {
    keyword: 'Given',
    pattern: 'the runs are kept in {string}',
    example: 'the runs are kept in "reports"',
    about: 'By default, run folders are deleted after a scenario that passed.',
    run: (desk: Desk, folder: string) => desk.keepRunsIn(folder),
  },
  {
    keyword: 'Given',
    pattern: 'the run/report {string}',
    example: 'the run "kept/sma-cross"',
    about: 'Opens an existing run folder. The checks that follow use this run.',
    run: (desk: Desk, folder: string) => desk.open(folder),
  },
  {
    keyword: 'Given',
    pattern: 'the run/report {string} as {string}',
    example: 'the report "kept/sma-cross" as "last year\'s"',
    run: (desk: Desk, folder: string, label: string) => desk.open(folder, label),
  },
  {
    keyword: 'When',
    pattern: 'the backtest runs',
    example: 'the backtest runs',
    slow: true,
    about: 'Same as `sandtable run`. A run that does not reach its last bar fails the scenario.',
    run: (desk: Desk) => desk.backtest(undefined, false),
  },
  {
    keyword: 'When',
    pattern: 'the backtest runs as {string}',
    example: 'the backtest runs as "fast"',
    slow: true,
    about: 'Gives the run a name, for comparisons.',
    run: (desk: Desk, label: string) => desk.backtest(label, false),
  },
  {
    keyword: 'When',
    pattern: 'the backtest runs, however it ends',
    example: 'the backtest runs, however it ends',
    slow: true,
    about: 'For runs that should be refused or stop early.',
    run: (desk: Desk) => desk.backtest(undefined, true),
  },
];
