import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { skipBecause } from '../missing.ts';
import { inDepth } from '../support/depth.ts';
import { ROOT } from './blocks.ts';
import { isBuilt, paste } from './paste.ts';

if (!isBuilt) skipBecause('The walk of docs/study.md was not tested: it needs a build.');

const [walk = ''] = readFileSync(`${ROOT}docs/study.md`, 'utf8').split('\n## Twenty names');
const commandsIn = (text: string): string[] =>
  [...text.matchAll(/```sh\n([\s\S]*?)```/g)].map(([, block]) => block!);
const shownIn = (text: string): string[] =>
  [...text.matchAll(/```text\n([\s\S]*?)```/g)].flatMap(([, block]) =>
    block!.split('\n').filter((line) => line !== ''),
  );
/**
 * Two tests: all commands of the page, and a shorter list without the second study, which is killed and
 * resumed.
 */
const WALKS = [
  ['the tables that it shows', walk.replace(/^### A kill.*?(?=^### )/ms, '')],
  ['its tables, and through a kill to the same bytes', walk],
] as const;

/** Normalises white space: a page and a terminal may use different spacing between columns. */
const plain = (text: string): string => text.replaceAll(/\s+/g, ' ').trim();

it.skipIf(!isBuilt || !inDepth(4)).each(WALKS)(
  'the commands of docs/study.md from one prompt to %s work by copy and paste',
  async (_, text) => {
    const [commands, shown] = [commandsIn(text), shownIn(text)];
    expect(commands).toHaveLength(text === walk ? 5 : 4);
    expect(shown).toHaveLength(text === walk ? 11 : 10);
    const ran = await paste(commands, ['8101']);
    // The terminal wraps sentences.
    const printed = plain(ran.stdout);
    for (const line of shown) expect(printed, ran.stderr).toContain(plain(line));
    expect(ran.stdout).toContain('leaderboard.csv');
  },
  600_000,
);
