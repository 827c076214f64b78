import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, expect, it, vi } from 'vitest';
import { limitDescriptors } from './index.ts';

const folder = mkdtempSync(join(tmpdir(), 'sandtable-prlimit-'));
afterEach(() => {
  vi.unstubAllEnvs();
  rmSync(folder, { recursive: true });
});

it.skipIf(process.platform !== 'linux')('prlimit inherits no keys', () => {
  const seen = join(folder, 'seen.txt');
  writeFileSync(join(folder, 'prlimit'), `#!/bin/sh\nenv > '${seen}'\n`, { mode: 0o755 });
  vi.stubEnv('PATH', `${folder}:${process.env.PATH}`);
  vi.stubEnv('OPENAI_API_KEY', 'sk-do-not-pass-on');
  expect(limitDescriptors(process.pid)).toBe(true);
  const environment = readFileSync(seen, 'utf8');
  expect(environment).toContain('PATH=');
  expect(environment).not.toContain('sk-do-not-pass-on');
});
