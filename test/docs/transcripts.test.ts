import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { printedBy, renewed, TRANSCRIPT_PAGES, transcriptsOf } from '../../docs/transcripts.ts';
import { provisionRuntime } from '../../src/sandbox/index.ts';
import { skipBecause } from '../missing.ts';
import { sampled } from '../support/depth.ts';
import { ROOT } from './blocks.ts';

const shown = TRANSCRIPT_PAGES.flatMap((page) =>
  transcriptsOf(readFileSync(`${ROOT}${page}`, 'utf8')).map((one) => ({ page, ...one })),
);

it('README.md has a short summary, and docs/strategies.md has seven tables against the benchmark', () => {
  expect(shown.map(({ page }) => page)).toEqual(['README.md', ...Array(7).fill('docs/strategies.md')]);
  expect(shown[0]!.text).toMatch(/^Verdict .*^Equity .*^Next +npx sandtable serve .*^Folder /ms);
  for (const { text } of shown.slice(1)) expect(text).toMatch(/^ +Strategy +Benchmark/m);
});

it.each(sampled(shown, 4).map((one) => [`${one.page}: ${one.command}`, one] as const))(
  '%s prints the documented output',
  async (_, { command, text }) => {
    if (command.includes('compute') && (await provisionRuntime().catch(() => undefined)) === undefined) {
      skipBecause('There is no Python to print the run of README.md with.');
      return;
    }
    // To update the transcripts, run: npm run docs:transcripts
    expect(renewed(text, await printedBy(command))).toBe(text);
  },
  300_000,
);

it('a difference would be reported', () => {
  const text = 'Verdict   Better.\n\nTrades  3';
  expect(renewed(text, 'Verdict   Worse.\n\nTrades  3')).not.toBe(text);
});
