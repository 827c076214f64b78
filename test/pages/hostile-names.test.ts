import {
  copyFileSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { browserPath, closeBrowser, openPage } from '../../features/support/browser.ts';
import { projectPath } from '../../features/support/command-line.ts';
import { type RunningServer, startServer, stressPage, studyPage, sweepPage } from '../../src/pages/index.ts';
import type { StressReport, StudyReport } from '../../src/results/analysis/index.ts';
import { sweepOfNine } from '../fixtures/sweep-result.ts';
import { skipBecause } from '../missing.ts';
import { sampled } from '../support/depth.ts';
import { journalLines, textOfLines } from '../support/journal.ts';
import { clippedTexts, settle } from './gallery/appearance.ts';
import { inFolder, made, sandtable } from './gallery/commands.ts';
import { SCRIPT } from './gallery/inputs.ts';

if (browserPath() === undefined) skipBecause('There is no Chromium: hostile names were not looked at.');

/** Hostile names of strategies, symbols and arms: HTML, right-to-left text, emoji, and a very long word. */
const NAMES = [
  '"><img src=x onerror=alert(1)></script><script>alert(2)</script>',
  'تقاطع المتوسطات ‮hslab',
  '🦄👩‍👩‍👧‍👦 to the moon 🚀',
  `endless${'x'.repeat(240)}`,
] as const;

const STUDY = `name: spring
strategies: [rule.ts]
windows: [{ name: first, from: 2000-02-01, to: 2000-04-30 }]
data: prices.csv
random: 0
`;

/** Replaces names in a value at any depth. */
function renamed<T>(value: T, names: Readonly<Record<string, string>>): T {
  return JSON.parse(JSON.stringify(value), (_, one: unknown) =>
    typeof one === 'string' ? (names[one] ?? one) : one,
  ) as T;
}

describe.skipIf(browserPath() === undefined)('a hostile name is escaped', () => {
  let folder: string;
  let server: RunningServer;
  beforeAll(async () => {
    folder = realpathSync(mkdtempSync(join(tmpdir(), 'sandtable-hostile-')));
    for (const [place, name] of NAMES.entries()) {
      const run = join(folder, 'served', `run-${place}`);
      mkdirSync(run, { recursive: true });
      const lines = journalLines(10, name, NAMES[(place + 1) % NAMES.length]);
      writeFileSync(join(run, 'journal.jsonl'), textOfLines(lines));
    }
    server = await startServer({ folder: join(folder, 'served'), port: 0 });
    await inFolder(folder, SCRIPT, research);
  });
  afterAll(async () => {
    await server.close();
    rmSync(folder, { recursive: true });
    await closeBrowser();
  });

  /** Creates the pages of a study, a leaderboard, a stress test and a sweep with hostile names. */
  async function research(): Promise<void> {
    copyFileSync(projectPath('strategies/sma-cross.ts'), 'rule.ts');
    writeFileSync('study.yaml', STUDY);
    await sandtable('data simulate --bars 150 --seed 7 --out prices.csv');
    const study = join(await made('study study.yaml'), 'study.json');
    const stress = join(await made('stress rule.ts --worlds 5 --jobs 1'), 'stress.json');
    const names = { rule: NAMES[0], PRICES: NAMES[3], first: NAMES[1], spring: NAMES[2] };
    const report = renamed(JSON.parse(readFileSync(study, 'utf8')) as StudyReport, names);
    writeFileSync(study, JSON.stringify(report));
    writeFileSync('study.html', studyPage(report));
    await sandtable('leaderboard runs --quiet');
    const tested = JSON.parse(readFileSync(stress, 'utf8')) as StressReport;
    const called = { ...tested, strategy: NAMES[0], symbols: [NAMES[3], NAMES[1]], notes: [NAMES[2]] };
    writeFileSync('stress.html', stressPage(called, []));
    const { result, trials } = sweepOfNine();
    const best = result.best === null ? null : { ...result.best, parameters: { fast: 5, slow: NAMES[0] } };
    const swept = { ...result, best, strategy: { ...result.strategy, name: NAMES[3] }, warnings: [NAMES[1]] };
    writeFileSync(
      'sweep.html',
      sweepPage(
        {
          ...swept,
          top: result.top.map((one) => ({ ...one, parameters: { [NAMES[2]]: 5, slow: NAMES[0] } })),
        },
        trials.map((one) => ({ ...one, parameters: { [NAMES[2]]: 5, slow: NAMES[0] } })),
      ),
    );
  }

  const compared = NAMES.map((_, place) => `run=run-${place}`).join('&');
  const addresses: readonly (readonly string[])[] = [
    ['the list', '/'],
    ['a comparison', `/compare?${compared}`],
    ...NAMES.flatMap((_, place) => [
      [`report ${place}`, `/runs/run-${place}/report`],
      [`trace ${place}`, `/runs/run-${place}/trace#bar=2`],
    ]),
    ['a sweep', 'sweep.html'],
    ['a stress test', 'stress.html'],
    ['a study', 'study.html'],
    ['a leaderboard', 'runs/leaderboard.html'],
  ];
  it.each(sampled(addresses, 6, 1))('on the page of %s', async (_, path = '') => {
    const address = path.startsWith('/')
      ? `${new URL(server.url).origin}${path}`
      : pathToFileURL(join(folder, path)).href;
    for (const width of [1280, 390]) {
      const { page, complaints } = await openPage(address, width, 900);
      let asked = '';
      page.on('dialog', (dialog) => {
        asked = dialog.message();
        void dialog.dismiss();
      });
      await settle(page);
      expect(await page.locator('img[src="x"]').count()).toBe(0);
      const text = (await page.locator('body').textContent()) ?? '';
      const shown = NAMES.filter((name) => text.includes(name.slice(0, 20)));
      expect(shown.length, text).toBeGreaterThan(0);
      expect(await clippedTexts(page)).toEqual([]);
      expect([asked, complaints]).toEqual(['', []]);
      await page.context().close();
    }
  });
});
