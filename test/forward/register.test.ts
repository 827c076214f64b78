import { spawnSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { sandtable } from '../support/sandtable.ts';

const folder = mkdtempSync(join(tmpdir(), 'sandtable-register-'));
afterAll(() => rmSync(folder, { recursive: true }));

const STATED = ['--hypothesis', 'It earns', '--threshold', '1%', '--test', 'mean return'];
const DATA = ['--data', 'data/spx-daily.csv', '--from', '2019-01-01'];

function studyFile(name: string, random: number): string {
  const file = join(folder, `${name}.yaml`);
  writeFileSync(
    file,
    `name: walk
strategies: [${resolve('strategies/sma-cross.ts')}]
windows: [{ from: 2019-03-01, to: 2019-06-30 }]
data: ${resolve('data/spx-daily.csv')}
options: { from: 2019-01-01 }
random: ${random}
`,
  );
  return file;
}

describe('register and --amend', () => {
  it.each([
    [
      ['register', 'strategies/sma-cross.ts', ...DATA, ...STATED, '--primary', 'sharp'],
      '"sharp" is not a figure. Did you mean sharpe?',
    ],
    [
      ['register', 'strategies/sma-cross.ts', ...DATA, ...STATED, '--primary', 'zzzzzz'],
      '"zzzzzz" is not a figure. Expected one of finalEquity',
    ],
    [
      ['register', 'study.yaml', ...STATED, '--primary', 'sortino'],
      '"sortino" is not a figure. Expected one of totalReturn',
    ],
    [
      ['register', 'study.yaml', '--cash', '5', ...STATED, '--primary', 'sharpe'],
      '--cash: cannot be combined with a study. Set it in study.yaml',
    ],
    [['run', 'strategies/sma-cross.ts', ...DATA, '--amend', 'x'], '--amend: requires --registration FILE'],
    [['study', 'study.yaml', '--amend', 'x'], '--amend: requires --registration FILE'],
  ])('refuses %j', async (argv, problem) => {
    const { exitCode, stderr } = await sandtable(argv);
    expect({ exitCode, stderr }).toEqual({ exitCode: 2, stderr: expect.stringContaining(problem) });
  });
});

it('a plan can be registered before the file of its feed exists', async () => {
  const plan = ['strategies/sma-cross.ts', ...DATA, '--feed', `file:${join(folder, 'later.csv')}`];
  const out = join(folder, 'plan.json');
  expect(
    await sandtable(['register', ...plan, ...STATED, '--primary', 'sharpe', '--out', out]),
  ).toMatchObject({ exitCode: 0, stderr: '' });
});

describe('a registered study', () => {
  it('is refused if it differs, marked if amended, and verified', async () => {
    const file = join(folder, 'study.json');
    const registered = studyFile('same', 5);
    const { stdout, exitCode } = await sandtable([
      'register',
      registered,
      ...STATED,
      '--primary',
      'totalReturn',
      '--out',
      file,
    ]);
    expect(exitCode).toBe(0);
    const other = await sandtable(['study', studyFile('other', 6), '--registration', file, '--out', folder]);
    expect(other).toMatchObject({
      exitCode: 2,
      stderr: expect.stringContaining('random: registered 5, now 6'),
    });
    const out = join(folder, 'out');
    const amended = await sandtable([
      'study',
      studyFile('other', 6),
      '--registration',
      file,
      '--amend',
      'more draws',
      '--out',
      out,
      '--json',
      '--quiet',
    ]);
    expect(JSON.parse(amended.stdout)).toMatchObject({
      registration: { reason: 'more draws', changes: ['random: registered 5, now 6'] },
    });
    rmSync(out, { recursive: true });
    const followed = await sandtable([
      'study',
      registered,
      '--registration',
      file,
      '--out',
      out,
      '--json',
      '--quiet',
    ]);
    const { notes, arms } = JSON.parse(followed.stdout) as {
      notes: string[];
      arms: { figures: { totalReturn: { mean: number } } }[];
    };
    const reached = arms[0]!.figures.totalReturn.mean >= 0.01 ? 'sma-cross' : 'no arm';
    expect(notes[0]).toMatch(/^The study was registered at .*The study agrees with it\./);
    expect(notes[0]).toContain(`The threshold of 1% is reached by ${reached}.`);
    const study = join(out, readdirSync(out).find((name) => name.includes('study'))!);
    const verified = await sandtable(['verify', study, '--no-replay', '--published', stdout.slice(0, 64)]);
    expect(verified).toMatchObject({
      exitCode: 0,
      stdout: expect.stringContaining('its SHA-256 is in the hash given with --published'),
    });
    const unpublished = await sandtable(['verify', study, '--no-replay', '--published', 'f'.repeat(64)]);
    expect(unpublished).toMatchObject({
      exitCode: 1,
      stdout: expect.stringContaining('is not in the hash given with --published'),
    });
    writeFileSync(
      join(study, 'study.csv'),
      readFileSync(join(study, 'study.csv'), 'utf8').replace('sma-cross', 'better'),
    );
    const edited = await sandtable(['verify', study, '--no-replay']);
    expect(edited).toMatchObject({ exitCode: 1, stdout: expect.stringMatching(/failed +study\.csv/) });
  }, 300_000);
});

const hasGit = spawnSync('git', ['--version']).status === 0;

describe.skipIf(!hasGit)('a tag with the hash of a registration', () => {
  it('is compared with the run, and its limits are stated', async () => {
    const repository = mkdtempSync(join(folder, 'git-'));
    const git = (...argv: string[]) =>
      spawnSync('git', ['-c', 'user.name=A', '-c', 'user.email=a@b.c', '-C', repository, ...argv], {
        encoding: 'utf8',
      });
    git('init', '-q');
    git('commit', '-q', '--allow-empty', '-m', 'first');
    const file = join(folder, 'tagged.json');
    const { stdout } = await sandtable([
      'register',
      'strategies/sma-cross.ts',
      ...DATA,
      ...STATED,
      '--primary',
      'sharpe',
      '--out',
      file,
    ]);
    git('tag', '-a', 'plan', '-m', stdout);
    git('tag', '-a', 'other', '-m', 'nothing');
    git('tag', 'light');
    const out = join(folder, 'tagged');
    expect(
      await sandtable([
        'run',
        'strategies/sma-cross.ts',
        ...DATA,
        '--registration',
        file,
        '--out',
        out,
        '--quiet',
      ]),
    ).toMatchObject({ exitCode: 0 });
    const run = resolve(join(out, readdirSync(out).find((name) => name !== 'ledger.jsonl')!));
    // With `GIT_DIR`, git uses this repository instead of the one in the working directory.
    process.env.GIT_DIR = join(repository, '.git');
    const verify = (tag: string) => sandtable(['verify', run, '--no-replay', '--tag', tag]);
    const { exitCode, stdout: certificate } = await verify('plan');
    expect(exitCode).toBe(0);
    expect(certificate).toMatch(/verified +time of registration +its SHA-256 is in the tag plan/);
    expect(certificate).toContain("Its time is of the tagger's clock");
    expect(certificate).toContain('this is not a forward test');
    expect((await verify('other')).stdout).toContain('is not in the tag other');
    expect((await verify('light')).stderr).toContain('is a lightweight tag');
    expect((await verify('missing')).stderr).toContain('has no tag "missing"');
    delete process.env.GIT_DIR;
  }, 300_000);
});
