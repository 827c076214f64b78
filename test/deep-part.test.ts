import { spawnSync } from 'node:child_process';
import { copyFileSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, describe, expect, it } from 'vitest';

const SCRIPT = fileURLToPath(new URL('../.ci/deep-part', import.meta.url));
const root = mkdtempSync(join(tmpdir(), 'sandtable-parts-'));
afterAll(() => rmSync(root, { recursive: true, force: true }));

/** Environment with fixed author and date of commits. The git configuration of the machine is ignored. */
const AUTHOR = {
  GIT_CONFIG_GLOBAL: '/dev/null',
  GIT_CEILING_DIRECTORIES: root,
  ...Object.fromEntries(
    ['AUTHOR', 'COMMITTER'].flatMap((who) => [
      [`GIT_${who}_NAME`, 'Test'],
      [`GIT_${who}_EMAIL`, 'test@example.com'],
      [`GIT_${who}_DATE`, '2026-01-05T12:00:00Z'],
    ]),
  ),
};

function run(folder: string, program: string, ...words: string[]): string {
  // If a git hook runs the tests, it sets variables that name another repository. They are removed here.
  const { GIT_DIR: _, GIT_WORK_TREE: __, GIT_INDEX_FILE: ___, ...inherited } = process.env;
  const { status, stdout, stderr } = spawnSync(program, words, {
    cwd: folder,
    encoding: 'utf8',
    env: { ...inherited, ...AUTHOR },
  });
  expect(status, stderr).toBe(0);
  return stdout.trim();
}

function checkout(name: string): string {
  const folder = join(root, name);
  mkdirSync(join(folder, '.ci'), { recursive: true });
  copyFileSync(SCRIPT, join(folder, '.ci/deep-part'));
  writeFileSync(join(folder, 'CHANGELOG.md'), '# Changelog\n');
  return folder;
}

const partOf = (folder: string): string => run(folder, 'bash', '.ci/deep-part', '4');

describe.skipIf(process.platform === 'win32')('the part of the exhaustive tests in CI', () => {
  it('is the next one for each commit', () => {
    const folder = checkout('whole');
    run(folder, 'git', 'init', '--quiet');
    const parts = [1, 2, 3, 4, 5].map((commit) => {
      run(folder, 'git', 'commit', '--quiet', '--allow-empty', '--message', `Commit ${commit}`);
      return partOf(folder);
    });
    expect(parts).toEqual(['2/4', '3/4', '4/4', '1/4', '2/4']);
  });

  it('depends on the commit hash in a shallow clone', () => {
    run(root, 'git', 'clone', '--quiet', '--depth', '1', `file://${join(root, 'whole')}`, 'shallow');
    const folder = checkout('shallow');
    const commit = run(folder, 'git', 'rev-parse', 'HEAD');
    expect(partOf(folder)).toBe(`${(Number.parseInt(commit.slice(0, 8), 16) % 4) + 1}/4`);
  });

  it('is constant for the same files without git', () => {
    const folder = checkout('unpacked');
    const part = partOf(folder);
    expect(part).toMatch(/^[1-4]\/4$/);
    expect(partOf(folder)).toBe(part);
  });
});
