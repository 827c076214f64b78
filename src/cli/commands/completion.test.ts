import { execFileSync, spawnSync } from 'node:child_process';
import { describe, expect, it } from 'vitest';
import { sandtable } from '../../../test/support/sandtable.ts';

/** Returns the completions of the last word in bash. */
async function completedInBash(...words: string[]): Promise<string[]> {
  const { stdout } = await sandtable(['completion', 'bash']);
  const call = `COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); _sandtable; printf '%s\\n' "\${COMPREPLY[@]}"`;
  const printed = execFileSync('bash', ['-c', `${stdout}\n${call}`, 'bash', 'sandtable', ...words], {
    encoding: 'utf8',
  });
  return printed.split('\n').filter((word) => word !== '');
}

describe('completion in bash', () => {
  it.each([
    [['sw'], ['sweep']],
    [['data', 's'], ['simulate']],
    [['run', 'x.ts', '--commission-'], ['--commission-model']],
    [['run', '--data', 'x.csv', '--slippage-b'], ['--slippage-bps']],
    [['data', 'simulate', '--corr'], ['--correlation']],
    [
      ['stress', '--help'],
      ['--help-all', '--help'],
    ],
    [['run', 'package.js'], ['package.json']],
  ])('of %j is %j', async (words, completions) => {
    expect((await completedInBash(...words)).sort()).toEqual([...completions].sort());
  });
});

describe('sandtable completion', () => {
  it('knows every command', async () => {
    const completions = await completedInBash('');
    expect(completions).toEqual(expect.arrayContaining(['run', 'init', 'completion', 'mcp', '--help']));
  });

  it.each(['zsh', 'fish'])('prints a script for %s without syntax errors', async (shell) => {
    const { exitCode, stdout } = await sandtable(['completion', shell]);
    expect(exitCode).toBe(0);
    expect(stdout).toContain('slippage-bps');
    const checked = spawnSync(shell, ['-n'], { input: stdout, encoding: 'utf8' });
    if (checked.error === undefined) expect(checked).toMatchObject({ status: 0, stderr: '' });
  });

  it('refuses another shell', async () => {
    const { exitCode, stderr } = await sandtable(['completion', 'tcsh']);
    expect(exitCode).toBe(2);
    expect(stderr).toContain('Invalid shell "tcsh". Expected bash, zsh, fish.');
  });
});
