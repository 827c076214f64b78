import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { browserPath, closeBrowser, openPage } from '../../features/support/browser.ts';
import { comparisonPage } from '../../src/pages/compare/page.ts';
import { signedPercent } from '../../src/pages/shared/number-formats.ts';
import { compareRuns } from '../../src/results/runs/compare/compare.ts';
import { skipBecause } from '../missing.ts';
import { storedRun } from '../support/stored-run.ts';
import { texts } from './gallery/report-figures.ts';

if (browserPath() === undefined) skipBecause('There is no Chromium: comparisons were not looked at.');

/** Creates runs with increasing final equity. */
const runs = (count: number) =>
  Array.from({ length: count }, (_, place) => {
    const equity = Array.from({ length: 60 }, (_, bar) => 100 + bar * (place - 5) * 0.1 + (bar % 3));
    return storedRun(`r${place}`, { equity }, { fast: 5 + ((place * 7) % count), slow: 40 });
  });

describe.skipIf(browserPath() === undefined)('a comparison in a browser', () => {
  let folder: string;
  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), 'sandtable-compare-'));
  });
  afterAll(async () => {
    rmSync(folder, { recursive: true });
    await closeBrowser();
  });

  async function opened(count: number, hash = ''): Promise<Page> {
    const compared = runs(count);
    const file = join(folder, `${count}.html`);
    writeFileSync(file, comparisonPage(compareRuns(compared), compared));
    const { page } = await openPage(`${pathToFileURL(file).href}${hash}`, 1280, 900);
    return page;
  }
  const runsIn = (page: Page): Promise<(string | null)[]> =>
    page
      .locator('table.runs:visible tbody tr')
      .evaluateAll((rows) => rows.map((row) => row.getAttribute('data-run')));
  const sortedBy = (page: Page, name: string) =>
    page.locator('table.runs:visible thead').getByRole('button', { name, exact: true });

  it('is sorted by a metric and by a parameter, by mouse and keyboard', async () => {
    const page = await opened(14);
    const own = Array.from({ length: 14 }, (_, place) => String(place));
    expect(await runsIn(page)).toEqual(own);
    await sortedBy(page, 'Total return').click();
    expect(await runsIn(page)).toEqual(own.toReversed());
    await sortedBy(page, 'Total return').press('Enter');
    expect(await runsIn(page)).toEqual(own);
    await sortedBy(page, 'fast').press(' ');
    const fast = await texts(page, 'table.runs:visible tbody td:nth-of-type(1)');
    expect(fast.map(Number)).toEqual(fast.map(Number).toSorted((one, other) => other - one));
    const sorted = page.locator('table.runs:visible th[aria-sort="descending"]');
    expect(await sorted.allTextContents()).toEqual(['fast']);
    await page.context().close();
  });

  it('highlights the hovered run in every chart and shows its name', async () => {
    const page = await opened(14);
    const front = (): Promise<(string | null)[]> =>
      page.locator('.front').evaluateAll((marks) => marks.map((mark) => mark.getAttribute('data-run')));
    expect(await front()).toEqual([]);
    await page.locator('circle[data-run="13"]:visible').hover();
    expect(new Set(await front())).toEqual(new Set(['13']));
    expect((await front()).length).toBeGreaterThanOrEqual(3);
    const told = (await page.locator('#front').textContent()) ?? '';
    expect(told).toContain('fast ');
    // SVG draws later elements above earlier ones.
    expect(
      await page.locator('path.line:visible').evaluateAll((paths) => paths.at(-1)?.getAttribute('data-run')),
    ).toBe('13');
    await page.locator('table.runs:visible tbody tr[data-run="3"]').hover();
    expect(new Set(await front())).toEqual(new Set(['3']));
    expect(await page.locator('#front').textContent()).not.toBe(told);
    await page.context().close();
  });

  it('shows the values of a chart of few runs by mouse and arrow keys', async () => {
    const page = await opened(3);
    const said = page.locator('#equity-said');
    const chart = page.locator('#equity-chart');
    await chart.locator('canvas').first().waitFor();
    await chart.press('Home');
    expect(await said.textContent()).toBe('2024-01-01: fast 5 0.00% · fast 6 0.00% · fast 7 0.00%');
    await chart.press('ArrowRight');
    const [one, other] = runs(3).map(({ record }) => Number(record.bars[1]!.equity));
    expect(await said.textContent()).toContain(
      `fast 5 ${signedPercent(one! / 100 - 1)} · fast 6 ${signedPercent(other! / 100 - 1)}`,
    );
    await chart.press('End');
    expect(await said.textContent()).toMatch(/^2024-03-22: /);
    await chart.hover({ position: { x: 300, y: 60 } });
    await page.waitForFunction(
      () => !document.getElementById('equity-said')?.textContent?.startsWith('2024-03-22'),
    );
    await page.context().close();
  });

  it('uses another baseline, which is selected by keyboard and stored in the address', async () => {
    const page = await opened(6);
    const choice = page.getByLabel('Compare with');
    await choice.focus();
    await choice.press('ArrowDown');
    await page.waitForURL((url) => url.hash === '#baseline=1');
    const baselineOf = async (shown: Page): Promise<string[]> => {
      const rows = await texts(shown, 'table.runs:visible tbody tr');
      return rows.flatMap((row, place) => (row.includes('baseline') ? [String(place)] : []));
    };
    expect(await baselineOf(page)).toEqual(['1']);
    await page.context().close();
    const again = await opened(6, '#baseline=2');
    expect(await baselineOf(again)).toEqual(['2']);
    expect(await again.getByLabel('Compare with').inputValue()).toBe('2');
    await again.context().close();
  });
});
