import { readdirSync, readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { skipBecause } from '../missing.ts';
import { isDeep, sampled } from '../support/depth.ts';
import { ROOT } from './blocks.ts';
import { isBuilt } from './paste.ts';
import { plain, stepsOf, walk } from './walk.ts';

if (!isBuilt) skipBecause('The tutorials and guides were not tested: they need a build.');

const pagesIn = (folder: string): string[] =>
  readdirSync(`${ROOT}docs/${folder}`)
    .filter((name) => name.endsWith('.md'))
    .sort()
    .map((name) => `docs/${folder}/${name}`);
const pages = [...pagesIn('tutorials'), ...pagesIn('guides'), ...pagesIn('coming-from')];

it('files, commands and their output are found in a page', () => {
  const text =
    'A\n\n`a/b.py`:\n\n```py\nx = 1\n```\n\n```sh\nls a\n```\n\n```text\nb.py\n```\n\n```sh no-run\nrm b\n```\n';
  expect(stepsOf(text)).toEqual([
    { line: 3, file: 'a/b.py', text: 'x = 1\n', expected: [] },
    { line: 9, text: 'ls a\n', expected: ['b.py'] },
  ]);
});

it('pages for users of other backtesters contain the same strategies of Sandtable', () => {
  const files = pagesIn('coming-from').map((page) =>
    stepsOf(readFileSync(`${ROOT}${page}`, 'utf8')).filter(({ file }) => file !== undefined),
  );
  const codes = files.map((steps) => steps.map(({ file, text }) => `${file}\n${text}`));
  expect(codes[0]).toHaveLength(3);
  for (const other of codes) expect(other).toEqual(codes[0]);
});

it.skipIf(!isBuilt || !isDeep).each(sampled(pages, pages.length, 1))(
  'every command of %s runs and prints the documented output',
  async (page) => {
    await walk(readFileSync(`${ROOT}${page}`, 'utf8'), ({ step, output, status }) => {
      expect(status, `${page}:${step.line}\n${step.text}\n${output}`).toBe(0);
      const printed = plain(output);
      for (const line of step.expected) expect(printed, `${page}:${step.line}`).toContain(plain(line));
    });
  },
  600_000,
);
