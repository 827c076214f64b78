import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { skipBecause } from '../missing.ts';
import { sampled } from '../support/depth.ts';
import { ROOT } from './blocks.ts';

const PROGRAM = `${ROOT}dist/cli/bin.js`;
const able = existsSync(PROGRAM);
if (!able) skipBecause('The walk of docs/research.md was not tested: it needs a build.');

const page = readFileSync(`${ROOT}docs/research.md`, 'utf8');
const steps = [...page.matchAll(/```sh\n(.*)\n```\n\n```text\n([\s\S]*?)```/g)].map(([, line, output]) => ({
  words: line!.split(' '),
  lines: output!.split('\n').filter((text) => text !== ''),
}));

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'sandtable-research-'));
  for (const name of ['strategies', 'data', 'node_modules', 'package.json'])
    symlinkSync(join(ROOT, name), join(folder, name));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** Normalises parts that may differ between a page and a terminal: spacing between columns, and durations. */
const plain = (text: string): string =>
  text
    .replaceAll(/\s+/g, ' ')
    .replace(/ in [\d.]+ s,/, ' in … s,')
    .trim();

it('docs/research.md contains a run, a sweep, a walk-forward and a stress test', () => {
  expect(steps.map(({ words }) => words.slice(0, 3).join(' '))).toEqual([
    'npx sandtable run',
    'npx sandtable sweep',
    'npx sandtable sweep',
    'npx sandtable stress',
  ]);
  // The third command is the second one with an additional walk-forward. One run is used for both, because
  // its output contains all lines of the second.
  expect(steps[2]!.words.slice(0, steps[1]!.words.length)).toEqual(steps[1]!.words);
});

const shown: readonly (readonly [command: string, words: readonly string[], lines: readonly string[]])[] = [
  ['run', steps[0]!.words, steps[0]!.lines],
  // The first line of the second command is omitted. The output of the third command differs there, because
  // it mentions the walk-forward.
  ['sweep', steps[2]!.words, [...steps[1]!.lines.slice(1), ...steps[2]!.lines]],
  ['stress', steps[3]!.words, steps[3]!.lines],
];

it.skipIf(!able).each(sampled(shown, shown.length))(
  'docs/research.md shows the actual output of %s',
  (command, words, lines) => {
    const ran = spawnSync(process.execPath, [PROGRAM, ...words.slice(2)], {
      cwd: folder,
      encoding: 'utf8',
      env: { ...process.env, COLUMNS: command === 'run' ? '80' : '200' },
    });
    expect(ran.status, ran.stderr).toBe(0);
    // The terminal wraps sentences.
    const printed = plain(ran.stdout);
    for (const line of lines) expect(printed).toContain(plain(line));
  },
  300_000,
);
