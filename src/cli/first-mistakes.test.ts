import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, it } from 'vitest';
import { sandtable } from '../../test/support/sandtable.ts';
import { simulateMarket, toCsv } from '../market/index.ts';

const folder = mkdtempSync(join(tmpdir(), 'sandtable-mistakes-'));
afterAll(() => rmSync(folder, { recursive: true }));
const at = (name: string): string => join(folder, name);
writeFileSync(at('rsi-dip.py'), 'def on_bar(bar):\n    pass\n');
writeFileSync(at('spx-daily.csv'), toCsv(simulateMarket({ seed: 1, bars: 40 }).series[0]!));
writeFileSync(
  at('percent.yaml'),
  `strategy: rsi-dip.py
data: spx-daily.csv
costs: { commission: 0.1% }
fills: { participation: 10 % }
`,
);
const SWALLOWED = 'is missing, because --data takes all values that follow, and took';

it.each([
  [
    'a strategy',
    ['run', at('rsi_dip.py'), '--data', at('spx-daily.csv')],
    `(nearest name: ${at('rsi-dip.py')})`,
  ],
  [
    'a strategy with another ending',
    ['run', at('rsi-dip.ts'), '--data', at('spx-daily.csv')],
    `(nearest name: ${at('rsi-dip.py')})`,
  ],
  [
    'a data file',
    ['run', at('rsi-dip.py'), '--data', at('spx_daly.csv')],
    `(nearest name: ${at('spx-daily.csv')})`,
  ],
])('the nearest name is given for %s that does not exist', async (_, argv, text) => {
  const { exitCode, stderr } = await sandtable(argv);
  expect(exitCode).toBe(2);
  expect(stderr).toContain(text);
});

it.each(['run', 'sweep', 'stress'])('%s names the flag that took its strategy', async (command) => {
  const { exitCode, stderr } = await sandtable([
    command,
    '--no-config',
    '--data',
    at('spx-daily.csv'),
    at('rsi-dip.py'),
  ]);
  expect(exitCode).toBe(2);
  expect(stderr).toContain(`${SWALLOWED} ${at('rsi-dip.py')}. Write the strategy before the flags`);
});

it('a strategy among the data files is named', async () => {
  const { stderr } = await sandtable([
    'run',
    at('rsi-dip.py'),
    '--data',
    at('spx-daily.csv'),
    at('rsi-dip.py'),
  ]);
  expect(stderr).toContain(
    `${at('rsi-dip.py')}: is a file of code, not of bars (write the strategy before --data`,
  );
});

it('a percentage is refused with the number to write', async () => {
  const flag = await sandtable([
    'run',
    at('rsi-dip.py'),
    '--data',
    at('spx-daily.csv'),
    '--commission',
    '0.1%',
  ]);
  expect(flag.stderr).toContain(
    '--commission: "0.1%" is not a number from 0 to 0.999999. Write 0.1% as 0.001',
  );
  const { exitCode, stderr } = await sandtable(['run', '--config', at('percent.yaml')]);
  expect(exitCode).toBe(2);
  expect(stderr).toContain('percent.yaml:3 costs.commission: "0.1%" is not a number');
  expect(stderr).toContain(
    'percent.yaml:4 fills.participation: "10 %" is not a number above 0 and at most 1. Write 10 % as 0.1',
  );
});

it('a missing feed ends before a run folder exists', async () => {
  const { exitCode, stderr } = await sandtable([
    ...['forward', at('rsi-dip.py'), '--data', at('spx-daily.csv'), '--out', at('reports')],
    ...['--feed', `file:${at('spx-dailly.csv')}`, '--clock', 'bars'],
  ]);
  expect(exitCode).toBe(2);
  expect(stderr).toContain('Cannot read the feed');
  expect(existsSync(at('reports'))).toBe(false);
});
