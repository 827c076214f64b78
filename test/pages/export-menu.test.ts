import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Locator, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { browserPath, closeBrowser, openPage } from '../../features/support/browser.ts';
import { reportPage } from '../../src/pages/index.ts';
import { signedPercent } from '../../src/pages/shared/number-formats.ts';
import { computeMetrics } from '../../src/results/analysis/index.ts';
import { skipBecause } from '../missing.ts';
import { runRecord } from '../support/records.ts';
import { readPicture } from './gallery/picture.ts';

if (browserPath() === undefined) skipBecause('There is no Chromium: nothing was taken along from a report.');

const record = runRecord({
  cash: '1000',
  equity: Array.from({ length: 120 }, (_, bar) => 1000 + bar * 2 + Math.sin(bar) * 20),
  trades: [{ netPnl: '1234.5', exitReason: '=1+1' }, { netPnl: '-20' }],
});

describe.skipIf(browserPath() === undefined)('exports of a report', () => {
  let folder: string;
  let page: Page;
  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'sandtable-takes-'));
    const file = join(folder, 'report.html');
    writeFileSync(file, reportPage({ runId: 'r', record, manifest: undefined }));
    ({ page } = await openPage(pathToFileURL(file).href, 1280, 900, { clipboard: true }));
    await page.locator('body[data-ready]').waitFor({ state: 'attached' });
  });
  afterAll(async () => {
    rmSync(folder, { recursive: true });
    await closeBrowser();
  });

  /**
   * Opens the export menu of the page section that contains `content`, by keyboard. Returns the menu entry
   * `kind`.
   */
  async function entry(content: string, kind: string): Promise<Locator> {
    const part = page.locator('main section', { has: page.locator(content) }).first();
    await part.locator('details.take summary').press('Enter');
    return part.getByRole('button', { name: kind, exact: true });
  }
  async function copied(content: string, kind: string): Promise<string> {
    await page.evaluate(() => navigator.clipboard.writeText('nothing'));
    await (await entry(content, kind)).press('Enter');
    await page.waitForFunction(async () => (await navigator.clipboard.readText()) !== 'nothing');
    return page.evaluate(() => navigator.clipboard.readText());
  }
  async function saved(content: string, kind: string): Promise<{ name: string; file: Buffer }> {
    const button = await entry(content, kind);
    const [download] = await Promise.all([page.waitForEvent('download'), button.press('Enter')]);
    return { name: download.suggestedFilename(), file: readFileSync(await download.path()) };
  }

  it('copy a table as CSV with plain numbers and without formulas', async () => {
    const rows = (await copied('#trades', 'CSV')).trim().split('\n');
    expect(rows.length).toBeGreaterThanOrEqual(3);
    expect(rows.join('\n')).toContain('1234.50');
    expect(rows.join('\n')).not.toMatch(/(^|,)=1\+1/m);
    const columns = rows.slice(0, 3).map((row) => row.replaceAll(/"[^"]*"/g, '').split(',').length);
    expect(new Set(columns).size).toBe(1);
  });

  it('copy a table as Markdown', async () => {
    const lines = (await copied('#spine-table', 'Markdown')).trim().split('\n');
    expect(lines[1]).toMatch(/^\|( --- \|)+$/);
    const { totalReturn } = computeMetrics(record);
    expect(lines.join('\n')).toContain(`| ${signedPercent(totalReturn.value)} |`);
    const bars = lines.filter((line) => line.startsWith('|')).map((line) => line.split(' | ').length);
    expect(Math.min(...bars)).toBeGreaterThan(3);
  });

  it('save a chart as a standalone SVG', async () => {
    const { name, file } = await saved('#waterfall', 'SVG');
    expect(name).toMatch(/\.svg$/);
    const text = file.toString();
    expect(text).toMatch(/^<svg[^>]* xmlns="http:\/\/www\.w3\.org\/2000\/svg"/);
    expect(text).toContain('fill:');
    expect(text).not.toContain('var(--');
  });

  it('save vector and canvas charts as PNG', async () => {
    for (const content of ['#waterfall', '#time-chart']) {
      const { name, file } = await saved(content, 'PNG');
      expect(name).toMatch(/\.png$/);
      const { width, data } = readPicture(file);
      expect(width).toBeGreaterThan(300);
      // An empty picture would have a single colour.
      expect(new Set(new Uint32Array(new Uint8Array(data).buffer)).size).toBeGreaterThan(5);
    }
  });
});
