import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { CDPSession, Page } from 'playwright-core';
import { browserPath } from '../features/support/browser.ts';
import { type Figure, median } from './figure.ts';

const PANS = 20;

/** How long a page of a report keeps a browser busy when its reader moves, narrows and sorts it; none without a browser. */
export async function pageFluency(html: string, trades: number): Promise<Figure[]> {
  const executablePath = browserPath();
  if (executablePath === undefined) {
    process.stderr.write('no Chromium: the page is not measured\n');
    return [];
  }
  const { chromium } = await import('playwright-core');
  const folder = mkdtempSync(join(tmpdir(), 'sandtable-bench-'));
  const file = join(folder, 'report.html');
  writeFileSync(file, html);
  const browser = await chromium.launch({ executablePath, args: ['--no-sandbox', '--disable-gpu'] });
  try {
    const page = await browser.newPage({ viewport: { width: 1280, height: 900 } });
    await page.goto(pathToFileURL(file).href);
    const session = await page.context().newCDPSession(page);
    await session.send('Performance.enable');
    const named = `10,000 bars and ${trades} trades`;
    const figure = (name: string, value: number): Figure => ({ name, value, unit: 'ms' });
    return [
      figure(
        `report of ${named}: a step of a pan, drawn without a graphics card, p50`,
        median(await pans(page, session)),
      ),
      figure('… a filter of its trades, with layout', await busy(page, session, () => filter(page))),
      figure('… a sort of its trades, with layout', await busy(page, session, () => sort(page))),
    ];
  } finally {
    await browser.close();
    rmSync(folder, { recursive: true });
  }
}

async function pans(page: Page, session: CDPSession): Promise<number[]> {
  await page.locator('#price-chart').scrollIntoViewIfNeeded();
  const box = await page.locator('#price-chart').boundingBox();
  if (box === null) throw new Error('The page has no chart.');
  const [x, y] = [box.x + box.width / 2, box.y + box.height / 2];
  await page.mouse.move(x, y);
  await page.mouse.wheel(0, -400);
  await page.mouse.down();
  const times: number[] = [];
  for (let pan = 0; pan < PANS; pan++) {
    const before = await scriptMilliseconds(session, 'ScriptDuration');
    await page.mouse.move(x - 10 * (pan + 1), y);
    await settled(page);
    times.push((await scriptMilliseconds(session, 'ScriptDuration')) - before);
  }
  await page.mouse.up();
  return times;
}

async function busy(page: Page, session: CDPSession, act: () => Promise<void>): Promise<number> {
  const before = await scriptMilliseconds(session, 'TaskDuration');
  await act();
  await settled(page);
  return (await scriptMilliseconds(session, 'TaskDuration')) - before;
}

async function filter(page: Page): Promise<void> {
  await page.locator('#trade-filter').fill('short');
}

async function sort(page: Page): Promise<void> {
  await page.locator('#trades').getByRole('button', { name: 'Net P&L', exact: true }).click();
}

async function settled(page: Page): Promise<void> {
  await page.evaluate(
    () => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(() => done(undefined)))),
  );
}

async function scriptMilliseconds(session: CDPSession, name: string): Promise<number> {
  const { metrics } = await session.send('Performance.getMetrics');
  return (metrics.find((metric) => metric.name === name)?.value ?? 0) * 1000;
}
