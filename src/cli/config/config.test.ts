import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { sandtable } from '../../../test/support/sandtable.ts';
import { simulateMarket, toCsv } from '../../market/index.ts';

const root = mkdtempSync(join(tmpdir(), 'sandtable-config-'));
afterAll(() => rmSync(root, { recursive: true }));

function written(name: string, text: string): string {
  const file = join(root, name);
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, text);
  return file;
}

const prices = written('prices.csv', toCsv(simulateMarket({ seed: 1, bars: 80 }).series[0]!));
const strategy = written(
  'cross.ts',
  `import { defineStrategy, z } from 'sandtable';
export default defineStrategy({
  name: 'cross',
  summary: '',
  parameters: z.object({ fast: z.coerce.number().int().default(3), slow: z.coerce.number().int().default(8) }),
  onBar({ bar, orders }, { parameters: { fast, slow } }) {
    if (bar % slow === 0) orders.buy(fast);
    if (bar % slow === fast) orders.close();
  },
});`,
);
let count = 0;

/** Writes a project file and returns its path. */
const project = (text: string): string => written(`project-${count++}.yaml`, text);

/** Effective values of `sandtable config` by key. */
async function effective(
  text: string,
  argv: readonly string[] = [],
  env: Record<string, string> = {},
): Promise<Record<string, { value: unknown; from: string; place?: string; profile?: string }>> {
  const { exitCode, stdout, stderr } = await sandtable(
    ['config', ...argv, '--config', project(text), '--json'],
    { env },
  );
  expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: '' });
  return (JSON.parse(stdout) as { values: Record<string, { value: unknown; from: string }> }).values;
}

/** Error text of a run with a project file. */
async function refused(
  text: string,
  argv: readonly string[] = [],
  env: Record<string, string> = {},
): Promise<string> {
  const file = project(text);
  const { exitCode, stdout, stderr } = await sandtable(['run', ...argv, '--config', file], { env });
  expect({ exitCode, stdout }).toEqual({ exitCode: 2, stdout: '' });
  return stderr.replaceAll(file, 'sandtable.yaml');
}

describe('a run with sandtable.yaml', () => {
  it('has the same results and record as with flags', async () => {
    const file = written(
      'same/sandtable.yaml',
      `strategy: ../cross.ts
data: ../prices.csv
from: 2000-01-10
account: { cash: 50000.10, leverage: 2, no-short: true }
costs: { commission: 1e-3, slippage-bps: 2.50 }
risk: { max-position: 0.5 }
param: { fast: 2, slow: 05 }
out: by-file
`,
    );
    const flags = [
      ...['run', strategy, '--data', prices, '--from', '2000-01-10', '--cash', '50000.10', '--leverage', '2'],
      ...['--no-short', '--commission', '1e-3', '--slippage-bps', '2.50', '--max-position', '0.5'],
      ...['--param', 'fast=2', 'slow=05', '--out', join(root, 'by-flags'), '--quiet'],
    ];
    expect((await sandtable(flags)).exitCode).toBe(0);
    const byFile = await sandtable(['run', '--config', file, '--quiet']);
    expect({ ...byFile, stderr: '' }).toEqual({ exitCode: 0, stdout: '', stderr: '' });
    const [one, other] = ['by-flags', 'same/by-file'].map((out) => {
      const runs = join(root, out);
      return join(runs, readdirSync(runs)[0]!);
    });
    for (const name of ['journal.jsonl', 'summary.json', 'trades.csv', 'equity.csv', 'inputs.json']) {
      const [first, second] = [one!, other!].map((run) =>
        readFileSync(join(run, name), 'utf8')
          .replaceAll(/"runId": "[^"]*"/g, '')
          .replaceAll(/"out": "[^"]*"/g, ''),
      );
      expect(second, name).toBe(first);
    }
  });

  it('lists the settings on stderr, and prints nothing with --quiet', async () => {
    const file = project(`data: prices.csv\nout: noted\n`);
    const { stderr } = await sandtable(['run', strategy, '--config', file]);
    expect(stderr).toContain(`note: Settings from ${file}: data, out.\n`);
    expect((await sandtable(['run', strategy, '--config', file, '--quiet'])).stderr).toBe('');
  });

  it('can share one file with sweep and stress', async () => {
    const file = project(`strategy: cross.ts
data: prices.csv
out: shared
costs: { commission: 0.001 }
sweep: { param: { fast: [2, 3] }, jobs: 1, keep: none }
stress: { worlds: 3, jobs: 1 }
run: { project: mine }
`);
    for (const command of ['run', 'sweep', 'stress']) {
      const { exitCode, stderr } = await sandtable([command, '--config', file, '--quiet']);
      expect({ command, exitCode, stderr }).toEqual({ command, exitCode: 0, stderr: '' });
    }
    expect(readdirSync(join(root, 'shared')).filter((name) => !name.startsWith('.'))).not.toHaveLength(0);
  });
});

describe('precedence of values', () => {
  const LAYERS = `from: 2000-01-03
costs: { commission: 0.1 }
symbol: [A, B]
param: { fast: 1, slow: 2 }
run: { to: 2000-02-01, param: { slow: 3 } }
sweep: { to: 2000-03-01, param: { fast: 1:9:2 } }
profiles:
  cheap: { costs: { commission: 0.2 }, symbol: C, run: { param: { slow: 4 } } }
  model: { costs: { commission-model: "rate:rate=0.1" } }
  off: { sort: false, account: { no-short: false } }
  other: { strategy: b.ts }
  agent: { agent: python3 a.py }
sort: true
account: { no-short: true }
`;

  it('is file, section of the command, profile, section in the profile, flag', async () => {
    expect(await effective(LAYERS)).toMatchObject({
      from: { value: '2000-01-03', from: 'file' },
      to: { value: '2000-02-01' },
      'costs.commission': { value: '0.1' },
      'account.cash': { value: '100000', from: 'default' },
      'account.no-short': { value: true },
      'param.slow': { value: '3' },
    });
    expect(
      await effective(LAYERS, ['--profile', 'cheap', '--param', 'fast=7', '--to', '2000-04-01']),
    ).toMatchObject({
      symbol: { value: ['C'], from: 'profile', profile: 'cheap' },
      'costs.commission': { value: '0.2', from: 'profile' },
      'param.fast': { value: '7', from: 'flag' },
      'param.slow': { value: '4', from: 'profile' },
      to: { value: '2000-04-01', from: 'flag' },
    });
    expect(await effective(LAYERS, ['sweep'])).toMatchObject({
      to: { value: '2000-03-01' },
      'param.fast': { value: '1:9:2' },
      'param.slow': { value: '2' },
    });
  });

  it('replaces values that exclude each other', async () => {
    for (const argv of [
      ['--profile', 'model'],
      ['--commission-model', 'rate:rate=0.1'],
    ]) {
      const values = await effective(LAYERS, argv);
      expect(values['costs.commission-model']?.value).toBe('rate:rate=0.1');
      expect(values['costs.commission']?.from).toBe('default');
    }
    expect(await refused('costs: { commission: 0.1, commission-model: "rate:rate=0.1" }')).toContain(
      'sandtable.yaml:1 costs.commission: cannot be combined with --commission-model',
    );
  });

  it('allows false in a profile, and --unset, to switch off a key', async () => {
    for (const argv of [
      ['--profile', 'off'],
      ['--unset', 'sort', 'account.no-short'],
      ['--unset', 'no-short', '--unset', 'sort'],
    ]) {
      const values = await effective(LAYERS, argv);
      expect(values.sort).toEqual({ value: false, from: 'default' });
      expect(values['account.no-short']).toEqual({ value: false, from: 'default' });
    }
  });

  it('drops parameters of a strategy that is not used', async () => {
    const text = `strategy: a.ts\n${LAYERS}`;
    expect((await effective(text))['param.fast']?.value).toBe('1');
    for (const argv of [
      ['b.ts'],
      ['--profile', 'other'],
      ['--agent', 'python3 a.py'],
      ['--profile', 'agent'],
    ]) {
      const values = await effective(text, argv);
      expect(values['param.fast'], argv.join(' ')).toBeUndefined();
    }
    expect((await effective(text, ['--profile', 'agent'])).strategy).toBeUndefined();
    expect(await refused('strategy: a.ts\nagent: python3 a.py\ndata: prices.csv')).toContain(
      'sandtable.yaml:2 agent: cannot be combined with the strategy file',
    );
  });
});

describe('values of the project file', () => {
  it('are passed as text without conversion', async () => {
    const values = await effective(
      `from: 2020-01-01\nto: "2020-12-31"\naccount: { cash: 1000000.10 }\nparam: { a: 1e3, b: 0x10, c: 010, d: yes, e: ~text, f: 1.10, g: true, h: 5:50:5 }\nproject: &name 2020\nrun: { timezone: UTC }\n`,
      [],
    );
    const texts = Object.entries(values).filter(([, { from }]) => from === 'file');
    expect(Object.fromEntries(texts.map(([key, { value }]) => [key, value]))).toEqual({
      from: '2020-01-01',
      to: '2020-12-31',
      'account.cash': '1000000.10',
      'param.a': '1e3',
      'param.b': '0x10',
      'param.c': '010',
      'param.d': 'yes',
      'param.e': '~text',
      'param.f': '1.10',
      'param.g': 'true',
      'param.h': '5:50:5',
      project: '2020',
      timezone: 'UTC',
    });
  });

  it('may contain environment variables, also from .env, which are reported as their origin', async () => {
    const text = `project: "\${TEAM}-x"\ncosts: { commission: "\${RATE:-0.002}" }\nsort: \${SORT}\n`;
    const { exitCode, stdout } = await sandtable(['config', '--config', project(text)], {
      env: { TEAM: 'alpha', SORT: 'true' },
    });
    expect(exitCode).toBe(0);
    expect(stdout).toMatch(/^project +alpha-x +environment TEAM, project-\d+\.yaml line 1$/m);
    expect(stdout).toMatch(/^costs\.commission +0\.002 +environment RATE/m);
    expect(stdout).toMatch(/^sort +true +environment SORT/m);
  });

  it('are refused if a variable is missing or contains a secret', async () => {
    const stderr = await refused(
      `project: \${NOBODY}\nagent: x --key \${OPENAI_API_KEY}\nsweep: { store: "\${ELSEWHERE}" }\n`,
      [],
      { OPENAI_API_KEY: 'sk-0123456789' },
    );
    expect(stderr).toContain('sandtable.yaml:1: project: the environment has no NOBODY');
    expect(stderr).toContain('sandtable.yaml:2: agent: OPENAI_API_KEY seems to be a secret');
    // Values of another command are not read.
    expect(stderr).not.toContain('ELSEWHERE');
    expect(stderr).not.toContain('0123456789');
  });
});

describe('faults of the project file', () => {
  it('include faults of parameters, and no missing flag for a misspelt key', async () => {
    const stderr = await refused(
      `strategy: cross.ts\ndataa: x.csv\nparam: { fast: .nan, slow: many, fsat: 3 }\n`,
    );
    expect(stderr).toContain('sandtable.yaml:2: unknown key dataa. Did you mean data?');
    expect(stderr).toContain('sandtable.yaml:3: param.fast is .nan. Expected text, a number, or a list');
    expect(stderr).toContain('--param fsat: cross has no such parameter');
    expect(stderr).toContain('--param slow: "many" is not a number');
    expect(stderr).not.toContain('is missing');
  });

  it('are all reported together with lines and closest names, also those of values and flags', async () => {
    const stderr = await refused(
      `dta: x.csv
commission: 3
costs:
  slipage-bps: 2
  commission: 2
account: { short: false, cash: [1] }
sort: yes
run: { trials: 3 }
from:
profiles: { a: { risks: 1 } }
`,
      ['--seed=-1', '--profile', 'b', '--unset', 'costs.comission'],
    );
    for (const fault of [
      'sandtable.yaml:1: unknown key dta. Did you mean data?',
      'sandtable.yaml:2: unknown key commission. Expected at costs.commission',
      'sandtable.yaml:4: unknown key costs.slipage-bps. Did you mean costs.slippage-bps?',
      'sandtable.yaml:5 costs.commission: "2" is not a number from 0 to 0.999999',
      'sandtable.yaml:6: unknown key account.short. Did you mean account.no-short?',
      'sandtable.yaml:6: account.cash is a list. Expected text or a number',
      'sandtable.yaml:7: sort is yes. Expected true or false',
      'sandtable.yaml:8: unknown key run.trials. sandtable run has no flag --trials',
      'sandtable.yaml:9: from is empty. Expected text or a number',
      'sandtable.yaml:10: unknown key profiles.a.risks. Did you mean risk?',
      '--profile: sandtable.yaml has no profile b. Did you mean a?',
      '--unset: costs.comission is not a key. Did you mean costs.commission?',
      '--seed: "-1" is not',
    ])
      expect(stderr).toContain(fault);
  });

  it.each([
    ['a syntax error', 'a: [1\n', /sandtable\.yaml:2/],
    ['a key given twice', 'data: a.csv\ndata: b.csv\n', /sandtable\.yaml:2.*unique/],
    ['a list', '- data\n', /the file is a list\. Expected keys/],
    ['text', 'data\n', /the file is data\. Expected keys/],
    ['two documents', 'data: a\n---\ndata: b\n', /sandtable\.yaml/],
    ['a tag', 'data: !!binary aGk=\n', /data is .*Expected text/],
    ['a merge key', 'base: &b { sort: true }\nrun: { <<: *b }\n', /unknown key run\.<</],
    ['deep nesting', `data: ${'['.repeat(5000)}${']'.repeat(5000)}`, /nested deeper/],
    [
      'an alias bomb',
      `a: &a [x,x,x,x,x,x,x,x,x]\nb: &b [*a,*a,*a,*a,*a,*a,*a,*a]\nc: &c [*b,*b,*b,*b,*b,*b,*b,*b]\nd: [*c,*c,*c,*c]\n`,
      /sandtable\.yaml:\d/,
    ],
    ['a prototype', '__proto__: { data: x }\nconstructor: 1\n', /unknown key constructor/],
  ])('refuses %s', async (_, text, expected) => {
    expect(await refused(text)).toMatch(expected);
  });

  it('refuses a missing file, a folder, and a profile without a file', async () => {
    const missing = await sandtable(['run', '--config', join(root, 'nowhere.yaml')]);
    expect(missing.exitCode).toBe(2);
    expect(missing.stderr).toContain('does not exist');
    const directory = await sandtable(['run', '--config', root]);
    expect(directory.exitCode).toBe(2);
    expect(directory.stderr).toContain('it is a folder');
    const alone = await sandtable(['run', '--profile', 'x']);
    expect(alone.exitCode).toBe(2);
    expect(alone.stderr).toContain('--profile needs a configuration');
  });

  it('accepts an empty file and empty sections', async () => {
    for (const text of ['', '# nothing\n', 'costs:\nrun:\nprofiles:\n  a:\n'])
      expect((await effective(text))['account.cash']?.from).toBe('default');
  });

  it('include configuration that does not apply to a resumed sweep', async () => {
    const file = project('data: prices.csv\n');
    const { exitCode, stderr } = await sandtable(['sweep', '--resume', root, '--config', file]);
    expect(exitCode).toBe(2);
    expect(stderr).toContain('--config: cannot be combined with --resume');
  });

  it('include a wrong subcommand of config, with a suggestion', async () => {
    const { exitCode, stderr } = await sandtable(['config', 'swep']);
    expect(exitCode).toBe(2);
    expect(stderr).toContain('Did you mean sweep?');
  });
});

it('does not read the project file of a parent folder', async () => {
  written('parent/sandtable.yaml', 'strategy: nowhere.ts');
  const { stderr } = await sandtable([
    'config',
    '--config',
    written('parent/child/own.yaml', 'from: 2020-01-01'),
  ]);
  expect(stderr).toBe('');
  expect(existsSync('sandtable.yaml')).toBe(false);
});
