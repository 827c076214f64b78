import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { isVersionOnly } from './print-version.ts';

const { version } = JSON.parse(readFileSync('package.json', 'utf8')) as { readonly version: string };

it('the fast path is used only for the version flag alone', () => {
  expect(isVersionOnly(['--version'])).toBe(true);
  expect(isVersionOnly(['-V'])).toBe(true);
  expect(isVersionOnly([])).toBe(false);
  expect(isVersionOnly(['run', '--version'])).toBe(false);
  expect(isVersionOnly(['--version', 'run'])).toBe(false);
});

it('prints the version without loading the program', () => {
  const traced = spawnSync(process.execPath, ['dist/cli/bin.js', '--version'], {
    encoding: 'utf8',
    env: { ...process.env, NODE_DEBUG: 'esm' },
  });
  expect(traced.stdout).toBe(`${version}\n`);
  expect(traced.status).toBe(0);
  expect(traced.stderr).not.toMatch(/kernel/);
});
