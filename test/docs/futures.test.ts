import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { skipBecause } from '../missing.ts';
import { inDepth } from '../support/depth.ts';
import { ROOT } from './blocks.ts';

const PROGRAM = `${ROOT}dist/cli/bin.js`;
const able = existsSync(PROGRAM);
if (!able) skipBecause('The walk of docs/futures.md was not tested: it needs a build.');

const page = readFileSync(`${ROOT}docs/futures.md`, 'utf8');
const steps = [...page.matchAll(/```sh\n(.*)\n```\n\n(?:[^`]*)```text\n([\s\S]*?)```/g)];

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'sandtable-futures-'));
  for (const name of ['strategies', 'data', 'node_modules', 'package.json'])
    symlinkSync(join(ROOT, name), join(folder, name));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** Normalises white space: a terminal may use different spacing between columns. */
const plain = (text: string): string => text.replaceAll(/\s+/g, ' ').trim();

it.skipIf(!able || !inDepth(2))('docs/futures.md shows the actual output of its commands', () => {
  expect(steps).toHaveLength(3);
  for (const [, line = '', output = ''] of steps) {
    const command = line.replace(/^npx sandtable /, `"${process.execPath}" "${PROGRAM}" `);
    const { stdout, stderr, status } = spawnSync(command, {
      cwd: folder,
      shell: true,
      encoding: 'utf8',
      env: { ...process.env, COLUMNS: line.includes(' run ') ? '80' : '200' },
    });
    expect(status, stderr).toBe(0);
    // The terminal wraps sentences.
    const printed = plain(stdout);
    for (const text of output.trim().split('\n')) expect(printed).toContain(plain(text));
  }
});
