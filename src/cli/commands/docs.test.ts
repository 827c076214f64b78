import { readdirSync, readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { testIo } from '../../../test/support/io.ts';
import { sandtable } from '../../../test/support/sandtable.ts';
import { main } from '../main.ts';

it('prints the pages of the package and the address of each other page', async () => {
  const { stdout } = await sandtable(['docs']);
  const source = readFileSync(new URL('docs.ts', import.meta.url), 'utf8');
  const elsewhere = [...source.slice(0, source.indexOf('];')).matchAll(/^ {2}'([a-z/-]+)',$/gm)].map(
    ([, name]) => name!,
  );
  const { files } = JSON.parse(readFileSync('package.json', 'utf8')) as { files: readonly string[] };
  const pages = readdirSync('docs').filter((name) => name.endsWith('.md') && name !== 'index.md');
  for (const page of pages) {
    expect(stdout).toContain(page.slice(0, -3));
    expect(elsewhere.includes(page.slice(0, -3)), page).toBe(files.includes(`!docs/${page}`));
  }
});

it('prints a section by a word of its heading, without Markdown links', async () => {
  const { stdout } = await sandtable(['docs', 'docs/orders.md', 'REFUSED']);
  expect(stdout).toMatch(/^## When an order is refused\n/);
  expect(stdout).not.toMatch(/\]\(/);
  const { exitCode, stderr } = await sandtable(['docs', 'orders', 'nothing like it']);
  expect(exitCode).toBe(2);
  expect(stderr).toContain('Its headings: ');
});

it('names a command whose help covers a page of the repository', async () => {
  const { stdout } = await sandtable(['docs', 'docs/study.md']);
  // In a checkout, the command prints the page. In the npm package, which does not contain the page, it names
  // the help of `study`.
  expect(stdout).toMatch(/^# |npx sandtable study --help/);
  const source = readFileSync(new URL('docs.ts', import.meta.url), 'utf8');
  const commands = [...source.matchAll(/^ {2}'?[a-z-]+'?: '([a-z -]+)',$/gm)].map(([, line]) => line!);
  expect(commands.length).toBeGreaterThan(10);
  for (const line of commands) expect((await sandtable(line.split(' '))).exitCode, line).toBe(0);
});

it('are linked from an error, on a terminal only', async () => {
  const words = ['run', 'no-such-strategy.ts', '--data', 'data/spx-daily.csv'];
  const [terminal, log] = [testIo({ terminal: true }), testIo({})];
  expect(await main(words, terminal)).toBe(2);
  expect(await main(words, log)).toBe(2);
  const [, code = ''] = /More: npx sandtable docs (\w+)\n$/.exec(terminal.stderr.text) ?? [];
  expect(log.stderr.text).not.toContain('More:');
  expect((await sandtable(['docs', code])).stdout).toContain(`## ${code}\n`);
});
