import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { skipBecause } from '../missing.ts';
import { ROOT } from './blocks.ts';
import { isBuilt, paste } from './paste.ts';

if (!isBuilt) skipBecause('The walk of docs/study.md was not tested: it needs a build.');

const [walk = ''] = readFileSync(`${ROOT}docs/study.md`, 'utf8').split('\n## Twenty names');
const commands = [...walk.matchAll(/```sh\n([\s\S]*?)```/g)].map(([, block]) => block!);
const shown = [...walk.matchAll(/```text\n([\s\S]*?)```/g)].flatMap(([, block]) =>
  block!.split('\n').filter((line) => line !== ''),
);

/** Normalises white space: a page and a terminal may use different spacing between columns. */
const plain = (text: string): string => text.replaceAll(/\s+/g, ' ').trim();

it.skipIf(!isBuilt)(
  'docs/study.md leads from one prompt to the tables that it shows, by copy and paste',
  async () => {
    expect(commands.length).toBeGreaterThan(4);
    expect(shown.length).toBeGreaterThan(10);
    const ran = await paste(commands, ['8101']);
    // The terminal wraps sentences.
    const printed = plain(ran.stdout);
    for (const line of shown) expect(printed, ran.stderr).toContain(plain(line));
    expect(ran.stdout).toContain('leaderboard.csv');
  },
  600_000,
);
