import { describe, expect, it } from 'vitest';
import { faultsOfPage, faultsOfPages, writtenPages } from './pages.ts';

describe('pages of docs/', () => {
  it('are in plain English', () => {
    expect(faultsOfPages(writtenPages())).toEqual([]);
  });
});

describe('the check of a page', () => {
  it('finds avoided words and long sentences with their lines, also in tables', () => {
    const page = `# A\n\nIt keeps rows.\n\n| a | b |\n| --- | --- |\n| fine | it says so |\n\n${'word '.repeat(31)}end.\n`;
    expect(faultsOfPage(page).map(({ line, problem }) => [line, problem.slice(0, 7)])).toEqual([
      [2, '"keeps"'],
      [6, '"says":'],
      [8, 'a sente'],
    ]);
  });

  it('ignores code, addresses, front matter and lists of names', () => {
    const page =
      '---\nkept: true\n---\n`kept` [says](kept.md)\n\n```sh\nkept\n```\n\nFields: `a`, `b`, `c` and `d`.\n';
    expect(faultsOfPage(page)).toEqual([{ line: 3, problem: expect.stringContaining('"says"') }]);
  });
});
