import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import {
  appendFileSync,
  cpSync,
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { withScriptedModel } from '../../src/testing/index.ts';
import { buildIsHere } from '../missing.ts';
import { sandtable } from '../support/sandtable.ts';

const folder = mkdtempSync(join(tmpdir(), 'sandtable-forward-'));
afterAll(() => rmSync(folder, { recursive: true }));

const lines = readFileSync('data/spx-daily.csv', 'utf8').trim().split('\n');
const [header = ''] = lines;
const history = join(folder, 'SPX.csv');
writeFileSync(history, `${lines.slice(0, 121).join('\n')}\n`);

function feedFile(name: string, rows: readonly string[]): string {
  const file = join(folder, name);
  writeFileSync(file, `${[header, ...rows].join('\n')}\n`);
  return `file:${file}`;
}

let count = 0;
/** Runs a command with a new results folder. Returns the folder of the run. */
async function runIn(argv: readonly string[]): Promise<string> {
  const out = join(folder, `out-${++count}`);
  const { exitCode, stderr } = await sandtable([...argv, '--out', out, '--quiet']);
  expect({ exitCode, stderr }).toMatchObject({ exitCode: 0 });
  return join(out, readdirSync(out).find((name) => name !== 'ledger.jsonl')!);
}

function filesOf(run: string): Record<string, unknown> {
  const { runId: _, ...summary } = JSON.parse(readFileSync(join(run, 'summary.json'), 'utf8')) as Record<
    string,
    unknown
  >;
  return {
    trades: readFileSync(join(run, 'trades.csv'), 'utf8'),
    equity: readFileSync(join(run, 'equity.csv'), 'utf8'),
    summary,
    // Removes lines that depend on the data source: the first line, and the `link` lines, whose hashes depend
    // on the first line.
    events: readFileSync(join(run, 'journal.jsonl'), 'utf8')
      .split('\n')
      .slice(1)
      .filter((line) => !line.startsWith('{"type":"link"')),
  };
}

const STRATEGY = [
  'strategies/sma-cross.ts',
  '--param',
  'fast=3',
  '--param',
  'slow=8',
  '--commission',
  '0.001',
];

describe('a forward run on the time of the bars', () => {
  it('equals a run on the recorded bars and a backtest of the same bars', async () => {
    const feed = feedFile('all.csv', lines.slice(121, 321));
    const forward = await runIn([
      'forward',
      ...STRATEGY,
      '--data',
      history,
      '--feed',
      feed,
      '--clock',
      'bars',
    ]);
    const recorded = await runIn(['run', '--recorded', forward]);
    expect(filesOf(recorded)).toEqual(filesOf(forward));
    const whole = join(folder, 'whole');
    cpSync(history, join(whole, 'SPX.csv'));
    appendFileSync(join(whole, 'SPX.csv'), `${lines.slice(121, 321).join('\n')}\n`);
    const first = lines[121]!.split(',')[0]!;
    const backtest = await runIn([
      'run',
      ...STRATEGY,
      '--data',
      join(whole, 'SPX.csv'),
      '--evaluate-from',
      first,
    ]);
    expect(filesOf(backtest).trades).toBe(filesOf(forward).trades);
    expect(filesOf(backtest).equity).toBe(filesOf(forward).equity);
    expect(readFileSync(join(forward, 'trades.csv'), 'utf8').split('\n').length).toBeGreaterThan(5);
  });
});

describe('a killed forward run', () => {
  it('continues from its journal to the same result after a kill at any place', async () => {
    const feed = feedFile('killed.csv', lines.slice(121, 221));
    const whole = await runIn(['forward', ...STRATEGY, '--data', history, '--feed', feed, '--clock', 'bars']);
    const journal = readFileSync(join(whole, 'journal.jsonl'));
    const received = readFileSync(join(whole, 'feed.jsonl'), 'utf8').split('\n');
    for (const [bars, share] of [
      [0, 0.3],
      [40, 0.5],
      [99, 0.93],
    ] as const) {
      const killed = join(folder, `killed-${bars}`);
      cpSync(whole, killed, { recursive: true });
      for (const name of ['manifest.json', 'summary.json', 'equity.csv', 'trades.csv'])
        rmSync(join(killed, name));
      // A run writes each bar to feed.jsonl before it processes the bar. The journal is therefore cut before
      // the first bar that is missing there.
      const known = received.slice(0, bars + 1);
      writeFileSync(join(killed, 'feed.jsonl'), `${known.join('\n')}\n{"type":"bar","ba`);
      const end = journal.indexOf(`{"type":"bar","bar":${120 + bars},`);
      const cut =
        end < 0 ? Math.floor(journal.length * share) : Math.min(end, Math.floor(journal.length * share));
      writeFileSync(join(killed, 'journal.jsonl'), journal.subarray(0, cut));
      const { exitCode, stderr } = await sandtable(['resume', killed, '--quiet']);
      expect({ exitCode, stderr }).toMatchObject({ exitCode: 0 });
      expect(filesOf(killed)).toEqual(filesOf(whole));
      const again = readFileSync(join(killed, 'feed.jsonl'), 'utf8').match(/"type":"bar"/g);
      expect(again).toHaveLength(100);
    }
    const { stdout } = await sandtable(['forward', 'status', whole, '--json']);
    expect(JSON.parse(stdout)).toMatchObject({ state: 'completed', pid: null, bars: 100, missed: 0 });
  });

  it.skipIf(!buildIsHere())(
    'reports the file if the disk is full, and continues when there is room',
    async () => {
      const feed = feedFile('full.csv', lines.slice(121, 321));
      const argv = ['forward', ...STRATEGY, '--data', history, '--feed', feed, '--clock', 'bars'];
      const whole = await runIn(argv);
      const out = join(folder, 'full');
      const program = [process.execPath, 'dist/cli/bin.js', ...argv, '--out', out, '--quiet'];
      // The size limit of 20 KiB is smaller than the journal.
      const full = spawnSync('sh', ['-c', 'ulimit -f 40; exec "$@"', 'sh', ...program], { encoding: 'utf8' });
      expect(full.stderr).toMatch(/Cannot write .*\.jsonl: the file would exceed/);
      expect(full.stderr).not.toMatch(/^\s+at /m);
      expect(full.status).toBe(1);
      const run = join(out, readdirSync(out).find((name) => /^\d{8}-/.test(name))!);
      expect(await sandtable(['resume', run, '--quiet'])).toMatchObject({ exitCode: 0 });
      expect(filesOf(run)).toEqual(filesOf(whole));
    },
  );

  it('can be stopped, and refuses a second process', async () => {
    const feed = feedFile('stopped.csv', lines.slice(121, 141));
    const out = join(folder, 'stopped');
    const running = sandtable([
      'forward',
      ...STRATEGY,
      '--data',
      history,
      '--feed',
      feed,
      '--grace',
      '60',
      '--out',
      out,
      '--quiet',
    ]);
    let run: string | undefined;
    while (
      run === undefined ||
      (await sandtable(['forward', 'status', run, '--json'])).stdout.includes('"bars": 0')
    ) {
      await new Promise((resolve) => setTimeout(resolve, 50));
      run = existsSync(out)
        ? readdirSync(out)
            .map((name) => join(out, name))
            .find((name) => existsSync(join(name, 'feed.jsonl')))
        : undefined;
    }
    const second = await sandtable(['resume', run]);
    expect(second.stderr).toContain('is writing');
    expect((await sandtable(['forward', 'stop', run])).exitCode).toBe(0);
    expect((await running).exitCode).toBe(1);
    const { stdout } = await sandtable(['forward', 'status', run, '--json']);
    expect(JSON.parse(stdout)).toMatchObject({ state: 'interrupted', pid: null, bars: 20 });
  });
});

describe('the forward command', () => {
  it.each([
    [['--benchmark', history], /--benchmark: must be a symbol of the run/],
    [['--fill-on', 'close'], /fillOn: must be "open"/],
    [['--evaluate-from', '2020-01-01'], /evaluateFrom: is set by the run/],
    [['--feed', 'carrier-pigeon'], /Unknown feed "carrier-pigeon"/],
  ])('refuses %j', async (flags, problem) => {
    const feed = flags[0] === '--feed' ? [] : ['--feed', 'simulate'];
    const { exitCode, stderr } = await sandtable([
      'forward',
      STRATEGY[0]!,
      '--data',
      history,
      ...feed,
      ...flags,
    ]);
    expect({ exitCode, stderr }).toEqual({ exitCode: 2, stderr: expect.stringMatching(problem) });
  });

  it('requires a feed', async () => {
    const { stderr } = await sandtable(['forward', STRATEGY[0]!, '--data', history]);
    expect(stderr).toContain('--feed: is missing');
  });
});

describe('a forward run of a prompt', () => {
  it('requests the model once per decision, also after a kill, and is replayed from its record', async () => {
    const feed = feedFile('prompt.csv', lines.slice(121, 141));
    const strategy = join(folder, 'trader.md');
    writeFileSync(strategy, '---\nmodel: m\ntools: [trade_execute]\nrounds: 3\n---\nTrade SPX.\n');
    const script = {
      steps: Array.from({ length: 21 }, (_, bar) => [
        {
          reply: {
            tool_calls: [
              { name: 'trade_execute', arguments: { action: bar % 2 === 0 ? 'buy' : 'sell', quantity: 1 } },
            ],
          },
        },
        { reply: { text: 'Done.' } },
      ]).flat(),
    };
    // `withScriptedModel` throws if a step is not used or an unexpected request arrives.
    await withScriptedModel(script, async ({ environment }) => {
      const env = { ...environment };
      const out = join(folder, 'prompt');
      const first = await sandtable(
        [
          'forward',
          strategy,
          '--data',
          history,
          '--feed',
          feed,
          '--clock',
          'bars',
          '--bars',
          '20',
          '--out',
          out,
          '--quiet',
        ],
        { env },
      );
      expect(first).toMatchObject({ exitCode: 0, stderr: '' });
      const whole = join(out, readdirSync(out).find((name) => name !== 'ledger.jsonl')!);
      expect(readFileSync(join(whole, 'trades.csv'), 'utf8').split('\n').length).toBeGreaterThan(8);
      const killed = join(folder, 'prompt-killed');
      cpSync(whole, killed, { recursive: true });
      rmSync(join(killed, 'manifest.json'));
      const received = readFileSync(join(whole, 'feed.jsonl'), 'utf8').split('\n');
      const journal = readFileSync(join(whole, 'journal.jsonl'), 'utf8');
      // The journal contains all replies of the model. Only the end of the last bar is missing.
      writeFileSync(join(killed, 'feed.jsonl'), `${received.slice(0, 21).join('\n')}\n`);
      writeFileSync(
        join(killed, 'journal.jsonl'),
        journal.slice(0, journal.lastIndexOf('{"type":"bar"') + 20),
      );
      expect(await sandtable(['resume', killed, '--quiet'], { env })).toMatchObject({ exitCode: 0 });
      expect(filesOf(killed).events).toEqual(filesOf(whole).events);
      const recorded = await sandtable(
        ['run', '--recorded', whole, '--out', join(folder, 'prompt-recorded'), '--quiet'],
        { env },
      );
      expect(recorded).toMatchObject({ exitCode: 0 });
      const again = join(
        folder,
        'prompt-recorded',
        readdirSync(join(folder, 'prompt-recorded')).find((name) => name !== 'ledger.jsonl')!,
      );
      expect(filesOf(again)).toMatchObject({
        trades: filesOf(whole).trades,
        equity: filesOf(whole).equity,
        events: filesOf(whole).events,
      });
    });
  });
});

describe('a registration', () => {
  const stated = [
    '--hypothesis',
    'It beats holding',
    '--primary',
    'sharpe',
    '--threshold',
    '0.5',
    '--test',
    'above',
  ];
  const feed = feedFile('registered.csv', lines.slice(121, 141));
  const plan = [...STRATEGY, '--data', history, '--feed', feed, '--clock', 'bars'];

  it('is accepted by a run that matches it, and is shown in its report', async () => {
    const file = join(folder, 'registration.json');
    const { stdout, exitCode } = await sandtable(['register', ...plan, ...stated, '--out', file]);
    expect(exitCode).toBe(0);
    const text = readFileSync(file, 'utf8');
    expect(stdout).toBe(`${createHash('sha256').update(text).digest('hex')}  ${file}\n`);
    const run = await runIn(['forward', ...plan, '--registration', file]);
    expect(readFileSync(join(run, 'registration.json'), 'utf8')).toBe(text);
    const { inputs } = JSON.parse(readFileSync(join(run, 'manifest.json'), 'utf8')) as {
      inputs: { registration: unknown };
    };
    expect(inputs.registration).toMatchObject({
      hypothesis: { threshold: '0.5' },
      sha256: stdout.slice(0, 64),
    });
    const recorded = await runIn(['run', '--recorded', run]);
    expect(filesOf(recorded).equity).toBe(filesOf(run).equity);
    const again = await sandtable(['register', ...plan, ...stated, '--out', file]);
    expect(again.stderr).toContain('never overwritten');
  });

  it('refuses a run that differs, unless the change is declared', async () => {
    const file = join(folder, 'other.json');
    await sandtable(['register', ...plan, ...stated, '--out', file]);
    const words = [
      'forward',
      ...plan.map((word) => (word === 'slow=8' ? 'slow=9' : word)),
      '--slippage-bps',
      '5',
      '--registration',
      file,
    ];
    const { exitCode, stderr } = await sandtable(words);
    expect(exitCode).toBe(2);
    expect(stderr).toContain('strategy.parameters.slow: registered 8, now 9');
    expect(stderr).toMatch(/settings\.\S+: registered \(nothing\), now|settings\.\S+: registered 0, now/);
    const run = await runIn([...words, '--amend', 'a mistake']);
    const { inputs } = JSON.parse(readFileSync(join(run, 'manifest.json'), 'utf8')) as {
      inputs: { registration: object };
    };
    expect(inputs.registration).toMatchObject({
      reason: 'a mistake',
      changes: expect.arrayContaining(['strategy.parameters.slow: registered 8, now 9']),
    });
  });
  it('is compared with the run by verify, and an edited file is refused', async () => {
    const file = join(folder, 'verified.json');
    await sandtable(['register', ...plan, ...stated, '--out', file]);
    const run = await runIn(['forward', ...plan, '--registration', file]);
    const honest = await sandtable(['verify', run]);
    expect(honest).toMatchObject({ exitCode: 0, stdout: expect.stringContaining('The run followed it') });
    const amended = await runIn([
      'forward',
      ...[...plan, '--slippage-bps', '5', '--registration', file, '--amend', 'a mistake'],
    ]);
    const changed = await sandtable(['verify', amended]);
    expect(changed).toMatchObject({
      exitCode: 0,
      stdout: expect.stringContaining('CHANGED since, because: a mistake'),
    });

    const text = readFileSync(file, 'utf8');
    const copy = join(run, 'registration.json');
    /**
     * Replaces the registration in the run folder, and its hash in all files that contain the hash. Returns
     * the output of `verify`.
     */
    const forged = async (other: string): Promise<string> => {
      const hash = (of: string): string => createHash('sha256').update(of).digest('hex');
      writeFileSync(copy, other);
      const names = ['inputs.json', 'manifest.json'].map((name) => join(run, name));
      const before = names.map((name) => readFileSync(name, 'utf8'));
      for (const [at, name] of names.entries())
        writeFileSync(name, before[at]!.replaceAll(hash(text), hash(other)));
      const { exitCode, stdout } = await sandtable(['verify', run]);
      expect(exitCode).toBe(1);
      for (const [at, name] of names.entries()) writeFileSync(name, before[at]!);
      return stdout;
    };
    expect(await forged(text.replace('It beats holding', 'It loses'))).toContain(
      'another time or hypothesis',
    );
    expect(await forged(text.replace('"cash":', '"cash_":'))).toContain('differs from it in settings.cash');
    writeFileSync(copy, text.replace('0.5', '0.1'));
    expect((await sandtable(['verify', run])).stdout).toContain('but the run followed');

    writeFileSync(file, ` ${text}`);
    const { exitCode, stderr } = await sandtable(['forward', ...plan, '--registration', file]);
    expect({ exitCode, stderr }).toEqual({
      exitCode: 2,
      stderr: expect.stringContaining('its text was edited'),
    });
  });
});
