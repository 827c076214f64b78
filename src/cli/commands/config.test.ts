import { execFileSync } from 'node:child_process';
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
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { buildIsHere, skipBecause } from '../../../test/missing.ts';
import { sampled } from '../../../test/support/depth.ts';
import { sandtable } from '../../../test/support/sandtable.ts';
import { findTestRuntime } from '../../../test/support/ta-python.ts';
import { STARTER_KINDS } from '../starter/starter-files.ts';

const root = mkdtempSync(join(tmpdir(), 'sandtable-init-'));
afterAll(() => rmSync(root, { recursive: true, force: true }));
const hasPython = (await findTestRuntime()) !== undefined;

/**
 * Shortens the data to 18 months, so that the tests run faster. The commands work with data of any length.
 */
function shorten(file: string): void {
  const [header, ...rows] = readFileSync(file, 'utf8').split('\n');
  writeFileSync(
    file,
    [header, ...rows.filter((row) => (row >= '2018' && row < '2019-07') || row === '')].join('\n'),
  );
}

describe('sandtable init', () => {
  it.each(sampled(STARTER_KINDS, 3, 1))(
    '--%s writes a project whose printed commands work',
    async (kind) => {
      const folder = join(root, kind);
      const { exitCode, stdout, stderr } = await sandtable(['init', folder, `--${kind}`]);
      expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: '' });
      expect(readdirSync(folder)).toEqual(expect.arrayContaining(['.gitignore', 'README.md', 'data']));
      const next = stdout.slice(stdout.indexOf('Next:') + 5);
      const commands = next.split('\n').map((line) => line.trim());
      expect(commands.filter((line) => line !== '' && !/^(#|cd )/.test(line))).toHaveLength(3);
      expect(existsSync(join(folder, 'tsconfig.json'))).toBe(kind === 'typescript');
      for (const line of commands.filter((line) => line !== '' && !/^cd /.test(line)))
        expect(readFileSync(join(folder, 'README.md'), 'utf8')).toContain(line);
      if (!buildIsHere() || (kind !== 'typescript' && !hasPython)) {
        skipBecause('There is no build or no Python to run the commands of the project with.');
        return;
      }
      shorten(join(folder, 'data/spx-daily.csv'));
      execFileSync('sh', ['-e', '-c', next], { stdio: 'pipe' });
      expect(readdirSync(join(folder, 'reports')).length).toBeGreaterThanOrEqual(2);
    },
    600_000,
  );

  it('writes a Python project by default, also into a folder with other files', async () => {
    const folder = join(root, 'present');
    mkdirSync(folder);
    writeFileSync(join(folder, 'notes.txt'), 'mine');
    expect((await sandtable(['init', folder])).exitCode).toBe(0);
    for (const file of ['strategy.py', 'sandtable.pyi'])
      expect(existsSync(join(folder, file)), file).toBe(true);
  });

  it('refuses to overwrite files, lists them and writes nothing', async () => {
    const folder = join(root, 'taken');
    mkdirSync(folder);
    for (const file of ['strategy.ts', 'README.md']) writeFileSync(join(folder, file), 'mine');
    const { exitCode, stdout, stderr } = await sandtable(['init', folder, '--typescript']);
    expect({ exitCode, stdout }).toEqual({ exitCode: 2, stdout: '' });
    expect(stderr).toContain('strategy.ts, README.md already exist. No file was written.');
    expect(readdirSync(folder).sort()).toEqual(['README.md', 'strategy.ts']);
    expect(readFileSync(join(folder, 'README.md'), 'utf8')).toBe('mine');
  });

  it('refuses two kinds', async () => {
    const { exitCode, stderr } = await sandtable(['init', join(root, 'two'), '--agent', '--python']);
    expect(exitCode).toBe(2);
    expect(stderr).toContain('--python and --agent cannot be combined');
  });

  it('refuses a folder below a regular file', async () => {
    const file = join(root, 'file');
    writeFileSync(file, '');
    const { exitCode, stderr } = await sandtable(['init', join(file, 'inside')]);
    expect(exitCode).toBe(2);
    expect(stderr).toContain('Cannot write');
  });
});
