import { copyFileSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { afterAll, afterEach, beforeEach, describe, expect, it } from 'vitest';
import { browserPath, closeBrowser, openPage } from '../../features/support/browser.ts';
import { projectPath, SpawnedCommand } from '../../features/support/command-line.ts';
import { removeFolder } from '../../features/support/folder.ts';
import { RunLauncher } from '../../src/cli/commands/start-runs.ts';
import { type RunningServer, startServer } from '../../src/pages/index.ts';
import { buildIsHere, skipBecause } from '../missing.ts';
import { inDepth } from '../support/depth.ts';
import { accessFaults, clippedTexts } from './gallery/appearance.ts';

if (browserPath() === undefined) skipBecause('There is no Chromium: no run was started in it.');

/** Strategy that needs `wait` milliseconds per bar, so that a test can stop the run before its last bar. */
const SLOW = `
import { defineStrategy, z } from 'sandtable';

export default defineStrategy({
  name: 'slow',
  summary: 'Buys once and waits on every bar.',
  parameters: z.object({
    every: z.coerce.number().int().min(1).default(5).describe('bars between two orders'),
    wait: z.coerce.number().min(0).default(0),
  }),
  onBar({ orders, bar, account }, { parameters }) {
    const until = performance.now() + parameters.wait;
    while (performance.now() < until);
    if (bar % parameters.every !== 0) return;
    if (account.units() > 0) orders.close({ reason: 'its turn' });
    else orders.submit({ action: 'buy', equityFraction: 0.5, reason: 'its turn' });
  },
});
`;

describe.skipIf(browserPath() === undefined || !buildIsHere())('runs started in a browser', () => {
  let project: string;
  let server: RunningServer;
  const runs = (): string[] => readdirSync(join(project, 'runs')).filter((name) => /^\d{8}-/.test(name));
  const command = (line: string) => new SpawnedCommand({ line: `sandtable ${line}`, folder: project }).result;

  beforeEach(async () => {
    project = mkdtempSync(join(tmpdir(), 'sandtable-project-'));
    for (const folder of ['runs', 'rules', 'data']) mkdirSync(join(project, folder));
    writeFileSync(join(project, 'rules', 'slow.ts'), SLOW);
    writeFileSync(join(project, 'rules', 'notes.ts'), 'export const nothing = 1;\n');
    copyFileSync(projectPath('data/spx-daily.csv'), join(project, 'data', 'spx-daily.csv'));
    const io = { stdin: process.stdin, stdout: process.stdout, stderr: process.stderr, env: process.env };
    server = await startServer({
      folder: join(project, 'runs'),
      port: 0,
      launcher: new RunLauncher('runs', project, io),
    });
  });
  afterEach(async () => {
    await server.close();
    removeFolder(project);
  });
  afterAll(closeBrowser);

  async function formOf(page: Page): Promise<void> {
    await page.getByRole('button', { name: 'New run' }).click();
    await page.locator('#start-strategy').selectOption('rules/slow.ts');
    await page.locator('[data-name="every"]').waitFor();
  }
  const line = (page: Page, text: string): Promise<void> =>
    page.locator('#start-line').getByText(text).waitFor();

  it.runIf(inDepth(7))(
    'can be started, paused, resumed, replayed, repeated and compared, and equal a run from a terminal',
    async () => {
      const { page, complaints } = await openPage(server.url, 1440, 900);
      await formOf(page);
      expect(await page.locator('#start-strategy option').allTextContents()).toEqual([
        'Choose a strategy',
        'rules/slow.ts',
      ]);
      await page.locator('[data-name="every"]').fill('7');
      // The run must still be active when the test pauses and stops it, also on a slow machine.
      await page.locator('[data-name="wait"]').fill('100');
      await page.locator('[data-name="from"]').fill('2019-10-01');
      await page.locator('[data-name="commission"]').fill('0.001');
      await line(page, '--from 2019-10-01 --commission 0.001 --param every=7 wait=100 --out=runs');
      expect(await accessFaults(page)).toEqual([]);
      expect(await clippedTexts(page)).toEqual([]);
      await page.getByRole('button', { name: 'Start', exact: true }).click();

      const row = page.locator('tr[data-run]').first();
      await row.locator('progress').waitFor();
      const [run = ''] = runs();
      expect(await page.locator('.group-head').first().textContent()).toContain('Running');
      await page.getByRole('button', { name: `Pause ${run}` }).click();
      await page.getByRole('button', { name: `Resume ${run}` }).waitFor();
      expect(await row.textContent()).toMatch(/stopped/);
      await page.getByRole('button', { name: `Resume ${run}` }).click();
      await page.getByRole('button', { name: `Stop ${run}` }).click();
      await page.getByRole('button', { name: `Resume ${run}` }).click();
      await row.getByText('completed').waitFor();

      const told = await command(
        'run rules/slow.ts --data data/spx-daily.csv --from 2019-10-01 --commission 0.001 --param every=7 wait=100 --out=runs',
      );
      expect(told.code).toBe(0);
      const other = runs().find((name) => name !== run)!;
      for (const file of ['journal.jsonl', 'trades.csv', 'equity.csv', 'strategy.ts'])
        expect([file, readFileSync(join(project, 'runs', run, file), 'utf8')]).toEqual([
          file,
          readFileSync(join(project, 'runs', other, file), 'utf8'),
        ]);
      const inputsOf = (name: string): object => ({
        ...(JSON.parse(readFileSync(join(project, 'runs', name, 'inputs.json'), 'utf8')) as object),
        runId: '',
      });
      expect(inputsOf(run)).toEqual(inputsOf(other));
      await page.getByRole('button', { name: `Change the notes and tags of ${run}` }).click();
      await page.getByLabel('Tags, separated by commas').fill('promising');
      await page.getByLabel('Notes', { exact: true }).fill('Look at March.');
      await page.getByRole('button', { name: 'Save', exact: true }).last().click();
      await page.locator(`tr[data-run="${run}"]`).getByText('Look at March.').waitFor();
      expect((await command(`verify runs/${run}`)).code).toBe(0);

      await page.getByRole('button', { name: `Rerun with changes ${run}` }).click();
      await line(page, '--commission 0.001 --param every=7 wait=100');
      await page.locator('[data-name="every"]').fill('9');
      await page.locator('[data-name="wait"]').fill('0');
      await line(page, 'every=9 wait=0');
      await page.getByRole('button', { name: 'Start', exact: true }).click();
      await page.getByText('has started').waitFor();
      expect(runs()).toHaveLength(3);
      const again = runs().find((name) => ![run, other].includes(name))!;
      await page.locator(`tr[data-run="${again}"]`).getByText('completed').waitFor();

      await page.getByRole('link', { name: `trace of ${run}` }).click();
      await page.locator('body[data-ready]').waitFor();
      // The trace opens at the decision of the worst trade.
      expect(new URL(page.url()).hash).toMatch(/^#bar=\d+$/);
      await page
        .locator('#view')
        .getByText(/^Order \d+: /)
        .first()
        .waitFor();
      // The address that the driver reports may be older than the address of the page.
      const barOf = (): Promise<number> => page.evaluate(() => Number(location.hash.slice('#bar='.length)));
      await page.locator('#bar').fill('3');
      await page.getByRole('button', { name: 'Go', exact: true }).click();
      await page.locator('#view-title', { hasText: 'Bar 3 ' }).waitFor();
      // Slow enough that the test pauses the replay before its last bar.
      await page.locator('#speed').selectOption('5');
      await page.locator('#play').click();
      await page.waitForFunction(() => Number(location.hash.slice('#bar='.length)) >= 8);
      await page.locator('#play').click();
      const paused = await barOf();
      await page.locator('body').press('ArrowRight');
      expect(await barOf()).toBe(paused + 1);
      await page.locator('body').press('t');
      await page.waitForFunction((bar) => Number(location.hash.slice('#bar='.length)) > bar, paused + 1);
      await page.locator('body').press('Escape');
      expect(await page.locator('#replay-end').isHidden()).toBe(true);
      expect(await accessFaults(page)).toEqual([]);
      expect(await clippedTexts(page)).toEqual([]);

      await page.locator('#other').selectOption(other);
      await page.getByText('All decisions of both runs are equal.').waitFor();
      await page.locator('#other').selectOption(again);
      const difference = page.locator('#first-difference');
      await difference.waitFor();
      expect(await difference.textContent()).toBe('bar 7');
      await difference.click();
      const columns = page.locator('.two > section');
      await page.locator('#view-title', { hasText: 'Bar 7 ' }).waitFor();
      await columns.nth(1).waitFor();
      expect(await columns.nth(0).textContent()).toMatch(/Order \d+: /);
      expect(await columns.nth(1).textContent()).toContain('Nothing was done on this bar.');
      expect(await accessFaults(page)).toEqual([]);
      for (const width of [1440, 1280, 1024, 390]) {
        await page.setViewportSize({ width, height: 900 });
        expect([width, await clippedTexts(page)]).toEqual([width, []]);
      }
      await page.setViewportSize({ width: 1440, height: 900 });
      await page.goto(server.url);

      await page.getByRole('button', { name: `Start a sweep from ${run}` }).click();
      await page.getByText('For a sweep, give values to try').waitFor();
      await page.locator('[data-name="every"]').fill('5,9');
      await page.locator('[data-name="wait"]').fill('0');
      await line(page, 'sweep rules/slow.ts');
      await page.getByRole('button', { name: 'Start', exact: true }).click();
      await page.locator('tr[data-research]').waitFor();
      // A sweep writes `sweep.json`, then a report, and removes its lock at the end. The folder must not be
      // removed before.
      const sweep = join(project, 'runs', runs().find((name) => name.includes('-sweep-'))!);
      await expect
        .poll(() => readdirSync(sweep).filter((name) => ['run.lock', 'sweep.json'].includes(name)))
        .toEqual(['sweep.json']);
      expect(complaints).toEqual([]);
      await page.context().close();
    },
  );

  it('are not started while the form has faults, which are shown', async () => {
    const { page } = await openPage(server.url, 390, 844);
    await formOf(page);
    await page.locator('[data-name="commission"]').fill('2');
    await page.getByText('is not a number from 0').waitFor();
    expect(await page.getByRole('button', { name: 'Start', exact: true }).isDisabled()).toBe(true);
    expect(await clippedTexts(page)).toEqual([]);
    expect(await accessFaults(page)).toEqual([]);
    await page.locator('[data-name="commission"]').fill('');
    await page.locator('[data-name="every"]').fill('0');
    await line(page, 'every=0');
    await page.getByRole('button', { name: 'Start', exact: true }).click();
    await page.getByText('below the minimum').waitFor();
    expect(runs()).toEqual([]);
    await page.context().close();
  });

  it('have their decisions compared only if they begin at the same bar', async () => {
    for (const from of ['2018-01-02', '2019-01-02'])
      expect(
        await command(`run rules/slow.ts --data data/spx-daily.csv --from ${from} --out runs --quiet`),
      ).toMatchObject({ code: 0 });
    const [first, second] = runs();
    const address = `${server.url.slice(0, server.url.indexOf('#'))}runs/${first}/trace`;
    const { page } = await openPage(address, 1280, 900);
    await page.locator('#view-title').waitFor();
    await page.waitForLoadState('networkidle');
    expect(await page.locator('#other-part').isHidden()).toBe(true);
    await page.goto(`${address}?other=${second}`);
    await page.getByText('The runs begin on different dates').waitFor();
    await page.context().close();
  });
});
