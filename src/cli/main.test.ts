import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Captured, testIo } from '../../test/support/io.ts';
import { sandtable } from '../../test/support/sandtable.ts';
import { simulateMarket, toCsv } from '../market/index.ts';
import { main } from './main.ts';

const strategies = fileURLToPath(new URL('../../strategies/', import.meta.url));
const smaCross = join(strategies, 'sma-cross.ts');
let folder: string;
let bars: string;
let script: string;
let badBars: string;

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'sandtable-cli-'));
  const file = (name: string, text: string): string => {
    writeFileSync(join(folder, name), text);
    return join(folder, name);
  };
  const csv = toCsv(simulateMarket({ seed: 1, bars: 80 }).series[0]!);
  bars = file('SIM.csv', csv);
  badBars = file('BAD.csv', csv.replace(/\n2000-01-0\d,[^,]+,/, '\n2000-01-03,oops,'));
  script = file(
    'orders.json',
    JSON.stringify({ cash: 5000, commissionRate: 0.001, orders: [{ bar: 2, side: 'buy', units: 4 }] }),
  );
});
afterAll(() => {
  rmSync(folder, { recursive: true, force: true });
});

const runsFolder = (): string => mkdtempSync(join(folder, 'runs-'));

describe('wrong usage', () => {
  it.each([
    [['walk']],
    [['run']],
    [['run', 'x.ts', '--dat', 'y.csv']],
    [['run', 'x.ts', '--cash']],
    [['tools', 'fetch']],
    [['compute']],
    [['data', 'simulate', 'extra']],
  ])('%j ends with exit code 2 and a reference to the help on stderr', async (argv) => {
    const { exitCode, stdout, stderr } = await sandtable(argv);
    expect({ exitCode, stdout }).toEqual({ exitCode: 2, stdout: '' });
    expect(stderr).toMatch(/^error: /);
    expect(stderr).toContain('--help');
  });

  it('reports all wrong flags together', async () => {
    const argv = ['run', 'x.ts', '--cash', '1e5', '--commission', '2', '--slippage-bps', 'much', '--seed=-1'];
    const { exitCode, stdout, stderr } = await sandtable([
      ...argv,
      ...[
        '--lookback',
        '0',
        '--lot',
        '',
        '--leverage',
        '0.5',
        '--date-order',
        'ymd',
        '--param',
        'fast',
        '=3',
      ],
    ]);
    expect({ exitCode, stdout }).toEqual({ exitCode: 2, stdout: '' });
    expect(stderr).toMatch(/^error: sandtable run: 11 faults\n/);
    for (const flag of [
      '--cash: "1e5" is not a positive amount',
      '--commission: "2" is not a number from 0 to 0.999999',
      '--slippage-bps: "much" is not a number of at least 0 and below 10000',
      '--seed: "-1" is not a whole number from 0 to 4294967295',
      '--lookback: "0" is not a whole number of at least 1',
      '--lot: "" is not a number',
      '--leverage: "0.5" is not a number from 1 to 1000',
      '--date-order: ',
      '--data: is missing. Pass at least one data file',
      '--param: "fast" is not name=value',
      '--param: "=3" is not name=value',
    ]) {
      expect(stderr).toContain(`  ${flag}`);
    }
    expect(stderr).toContain('npx sandtable run --help');
  });

  it('reports faults of the strategy and of the data together', async () => {
    const { exitCode, stderr } = await sandtable([
      ...['run', join(folder, 'missing.ts'), '--data', badBars, '--out', runsFolder()],
    ]);
    expect(exitCode).toBe(2);
    expect(stderr).toContain('missing.ts');
    expect(stderr).toContain('BAD.csv');
    expect(stderr).toContain('oops');
    expect(stderr).not.toContain(' at ');
  });

  it('leaves no run folder behind when a parameter is wrong', async () => {
    const out = join(folder, 'never');
    const { exitCode, stderr } = await sandtable([
      ...['run', smaCross, '--data', bars, '--out', out, '--param', 'fast=0', 'slow=x', 'lag=1'],
    ]);
    expect(exitCode).toBe(2);
    for (const name of ['fast', 'slow', 'lag']) expect(stderr).toContain(`--param ${name}: `);
    expect(existsSync(out)).toBe(false);
    const hexadecimal = await sandtable([
      'run',
      smaCross,
      '--data',
      bars,
      '--out',
      out,
      '--param',
      'fast=0x10',
    ]);
    expect(hexadecimal.exitCode).toBe(2);
    expect(hexadecimal.stderr).toContain('--param fast: "0x10" is not a decimal number');
  });

  it('reports the valid bars for a wrong --bar before Python starts', async () => {
    const { exitCode, stderr } = await sandtable(['compute', '1', '--data', bars, '--bar', '80']);
    expect(exitCode).toBe(2);
    expect(stderr).toContain('Invalid bar 80: the data have 80 bars, numbered from 0.');
    expect(stderr).toContain('Pass a --bar from 0 to 79.');
  });
});

describe('run', () => {
  it('--json prints the summary as one document and nothing else', async () => {
    const out = runsFolder();
    const { exitCode, stdout, stderr } = await sandtable([
      'run',
      script,
      '--data',
      bars,
      '--out',
      out,
      '--json',
    ]);
    expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: '' });
    const summary = JSON.parse(stdout) as Record<string, unknown>;
    expect(summary).toMatchObject({ strategy: 'orders', bars: 80, initialCash: '5000', openTradeCount: 1 });
    const [runId] = readdirSync(out);
    expect(summary.runId).toBe(runId);
    expect(JSON.parse(readFileSync(join(out, runId!, 'summary.json'), 'utf8'))).toEqual(summary);
    expect(readdirSync(join(out, runId!)).sort()).toEqual([
      'equity.csv',
      'inputs.json',
      'journal.jsonl',
      'manifest.json',
      'report.html',
      'strategy.json',
      'summary.json',
      'timing.json',
      'trades.csv',
    ]);
  });

  it('gives flags precedence over settings of the script', async () => {
    const argv = ['run', script, '--data', bars, '--json', '--cash', '700.50', '--commission', '0'];
    const { stdout } = await sandtable([...argv, '--out', runsFolder()]);
    expect(JSON.parse(stdout)).toMatchObject({ initialCash: '700.5', commissionPaid: '0' });
  });

  it('accepts parameters as name=value, several at a time, with = in a value', async () => {
    const out = runsFolder();
    const argv = ['run', smaCross, '--data', bars, '--out', out, '--quiet'];
    const { exitCode } = await sandtable([...argv, '--param', 'fast=3', 'slow=7', '--param', 'fraction=0.5']);
    expect(exitCode).toBe(0);
    const journal = readFileSync(join(out, readdirSync(out)[0]!, 'journal.jsonl'), 'utf8');
    expect(JSON.parse(journal.slice(0, journal.indexOf('\n')))).toMatchObject({
      strategy: { parameters: { fast: 3, slow: 7, fraction: 0.5 } },
    });
    expect((await sandtable([...argv, '--param', 'fast=3=4'])).stderr).toContain('--param fast: ');
  });

  it('prints nothing with --quiet, and a table without', async () => {
    const argv = ['run', smaCross, '--data', bars, '--out', runsFolder()];
    expect(await sandtable([...argv, '--quiet'])).toEqual({ exitCode: 0, stdout: '', stderr: '' });
    const { stdout } = await sandtable(argv);
    for (const word of ['sma-cross', 'Sharpe', 'SIM.csv']) expect(stdout).toContain(word);
  });

  it('prints alarms with --quiet, one line each, and no warning about missing costs', async () => {
    const idle = join(folder, 'idle.ts');
    writeFileSync(
      idle,
      `import { defineStrategy } from 'sandtable';
export default defineStrategy({ name: 'idle', summary: '', onBar() {} });`,
    );
    const argv = ['--data', bars, '--out', runsFolder(), '--quiet'];
    const { exitCode, stdout, stderr } = await sandtable(['run', idle, ...argv]);
    expect([exitCode, stdout]).toEqual([0, '']);
    expect(stderr).toMatch(/^warning: No orders were placed in 80 bars\. Check that .*\n$/);
    expect((await sandtable(['run', idle, ...argv, '--json'])).stderr).toBe('');
  });

  it('produces the same run twice, except for id and time', async () => {
    const journals = [];
    for (let time = 0; time < 2; time++) {
      const out = runsFolder();
      await sandtable(['run', smaCross, '--data', bars, '--out', out, '--quiet', '--seed', '5']);
      journals.push(readFileSync(join(out, readdirSync(out)[0]!, 'journal.jsonl'), 'utf8'));
    }
    expect(journals[0]).toBe(journals[1]);
  });

  it('that fails ends with exit code 1, reports the bar, and stores the results so far', async () => {
    const failing = join(folder, 'failing.ts');
    writeFileSync(
      failing,
      `import { defineStrategy, z } from 'sandtable';
export default defineStrategy({
  name: 'failing',
  summary: 'Fails at bar 9.',
  parameters: z.object({}),
  onBar({ bar }) {
    if (bar === 9) throw new Error('no idea');
  },
});
`,
    );
    const out = runsFolder();
    const { exitCode, stderr } = await sandtable(['run', failing, '--data', bars, '--out', out]);
    expect(exitCode).toBe(1);
    expect(stderr).toMatch(/^error: .*failing\.ts failed at bar 9: no idea/);
    const equity = readFileSync(join(out, readdirSync(out)[0]!, 'equity.csv'), 'utf8');
    expect(equity.trimEnd().split('\n')).toHaveLength(1 + 9);
  });
});

describe('a strategy that trades by tools', () => {
  const written = (name: string, more: string): string => {
    const file = join(folder, `${name}.ts`);
    writeFileSync(
      file,
      `import { defineStrategy } from 'sandtable';
export default defineStrategy({
  name: '${name}',
  summary: 'Buys once by the tool.',
  tools: ['trade_execute', 'market_observe'],
  ${more}
  async onBar({ bar }, { call }) {
    if (bar !== 3) return;
    for (let time = 0; time < 3; time++) await call('trade_execute', { action: 'buy', quantity: 1 });
  },
});
`,
    );
    return file;
  };
  const run = async (strategy: string) => {
    const out = runsFolder();
    const { exitCode, stderr } = await sandtable(['run', strategy, '--data', bars, '--out', out, '--quiet']);
    const [id] = readdirSync(out);
    const read = (name: string): string =>
      id === undefined ? '' : readFileSync(join(out, id, name), 'utf8');
    return { exitCode, stderr, id, read };
  };

  it('starts no Python if no tool needs it', async () => {
    const { exitCode, read } = await run(written('hands', ''));
    expect(exitCode).toBe(0);
    const { versions } = JSON.parse(read('manifest.json')) as { versions: object };
    expect(Object.keys(versions).sort()).toEqual(['node', 'sandtable']);
    expect(read('journal.jsonl').match(/"status":"accepted"/g)).toHaveLength(3);
  });

  it('is limited by its call budgets', async () => {
    const { exitCode, read } = await run(written('thrifty', 'budgets: { trade_execute: 2 },'));
    expect(exitCode).toBe(0);
    expect(read('journal.jsonl').match(/"status":"accepted"/g)).toHaveLength(2);
    expect(read('journal.jsonl').match(/"code":"over_budget"/g)).toHaveLength(1);
  });

  it('leaves no run folder when a budget is not a number of calls', async () => {
    const { exitCode, stderr, id } = await run(written('lavish', 'budgets: { trade_execute: 0.5 },'));
    expect({ exitCode, id }).toEqual({ exitCode: 2, id: undefined });
    expect(stderr).toContain('The budget of trade_execute is 0.5');
  });
});

describe('coloured output', () => {
  const sequence = '\u001b[';
  const coloured = async (env: Record<string, string>, terminal = true): Promise<boolean> => {
    const argv = ['run', smaCross, '--data', bars, '--out', runsFolder()];
    return (await sandtable(argv, { terminal, env })).stdout.includes(sequence);
  };

  it('is used only on terminals that support it', async () => {
    expect(await coloured({})).toBe(true);
    expect(await coloured({ NO_COLOR: '' })).toBe(true);
    expect(await coloured({ NO_COLOR: '1' })).toBe(false);
    expect(await coloured({ TERM: 'dumb' })).toBe(false);
    expect(await coloured({}, false)).toBe(false);
  });
});

describe('data commands', () => {
  it('simulate prints bars without faults', async () => {
    const made = await sandtable(['data', 'simulate', '--bars', '30', '--seed', '3', '--regime', 'trend']);
    expect({ exitCode: made.exitCode, stderr: made.stderr }).toEqual({ exitCode: 0, stderr: '' });
    const file = join(folder, 'made.csv');
    writeFileSync(file, made.stdout);
    const checked = await sandtable(['data', 'check', file, '--json']);
    expect(checked.exitCode).toBe(0);
    expect(JSON.parse(checked.stdout)).toMatchObject({ symbols: [{ bars: 30, firstBar: '2000-01-03' }] });
    expect((await sandtable(['data', 'check', file])).stdout).toContain('30 bars');
  });

  it('simulate writes one file per symbol and reports it on stderr', async () => {
    const out = join(folder, 'made');
    const argv = ['data', 'simulate', '--symbol', 'A', 'B', '--bars', '10'];
    expect((await sandtable(argv)).exitCode).toBe(2);
    const { exitCode, stdout, stderr } = await sandtable([...argv, '--out', out]);
    expect({ exitCode, stdout }).toEqual({ exitCode: 0, stdout: '' });
    expect(stderr).toContain('wrote 10 bars of A');
    expect(readdirSync(out).sort()).toEqual(['A.csv', 'B.csv']);
  });

  it('simulate and check refuse invalid options and files', async () => {
    const made = await sandtable(['data', 'simulate', '--regime', 'calm', '--interval', '2d']);
    expect(made.exitCode).toBe(2);
    for (const name of ['regime', 'interval']) expect(made.stderr).toMatch(new RegExp(`${name}: `));
    const late = await sandtable(['data', 'simulate', '--start', 'soon']);
    expect(late.exitCode).toBe(2);
    expect(late.stderr).toContain('start');
    expect((await sandtable(['data', 'check'])).stderr).toContain('--data: is missing. Pass at least one');
    const checked = await sandtable(['data', 'check', badBars]);
    expect({ exitCode: checked.exitCode, stdout: checked.stdout }).toEqual({ exitCode: 2, stdout: '' });
    expect(checked.stderr).toContain('BAD.csv');
  });
});

describe('an internal error', () => {
  const broken = (env: Record<string, string>) => {
    const io = testIo({ env });
    const stdout = new Captured();
    stdout.write = () => {
      throw new TypeError('a bug');
    };
    return { ...io, stdout };
  };

  it('ends with exit code 1 and a request for a report; the stack is shown only with SANDTABLE_DEBUG', async () => {
    const io = broken({});
    expect(await main(['tools', 'list'], io)).toBe(1);
    expect(io.stderr.text).toContain('Internal error of Sandtable: a bug');
    expect(io.stderr.text).not.toContain('main.test.ts');
    const debugged = broken({ SANDTABLE_DEBUG: '1' });
    await main(['tools', 'list'], debugged);
    expect(debugged.stderr.text).toContain('main.test.ts');
  });
});
