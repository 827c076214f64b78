import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { CDPSession, Page } from 'playwright-core';
import { browserPath } from '../features/support/browser.ts';
import { type Figure, median } from './figure.ts';

const PANS = 20;

/**
 * Measures how long a report page occupies a browser when a user pans, filters and sorts. Empty without a
 * browser.
 *
 * @param named description of the run
 */
export async function pageFluency(html: string, named: string): Promise<Figure[]> {
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
    const paint = await page.evaluate(
      () =>
        new Promise<number>((done) =>
          new PerformanceObserver((list) =>
            done(list.getEntriesByName('first-contentful-paint')[0]?.startTime ?? 0),
          ).observe({
            type: 'paint',
            buffered: true,
          }),
        ),
    );
    await page.locator('body[data-ready]').waitFor({ state: 'attached' });
    const whole = await page.evaluate(() => performance.now());
    const session = await page.context().newCDPSession(page);
    // Measures the time of the page's thread, so that other work on the machine does not count.
    await session.send('Performance.enable', { timeDomain: 'threadTicks' });
    const figure = (name: string, value: number): Figure => ({ name, value, unit: 'ms' });
    return [
      { ...figure(`report of ${named}: its first paint`, paint), reach: '≤ 1000' },
      figure('… everything drawn and ready', whole),
      figure(
        '… a step of a pan of five panes, drawn without a graphics card, p50',
        median(await pans(page, session)),
      ),
      {
        ...figure('… a filter of its trades, with layout', await busy(page, session, () => filter(page))),
        reach: '≤ 100',
      },
      {
        ...figure('… a sort of its trades, with layout', await busy(page, session, () => sort(page))),
        reach: '≤ 100',
      },
      figure(
        '… another period, with all its figures and intervals',
        await busy(page, session, () => period(page)),
      ),
    ];
  } finally {
    await browser.close();
    rmSync(folder, { recursive: true });
  }
}

async function pans(page: Page, session: CDPSession): Promise<number[]> {
  await page.locator('#time-chart').scrollIntoViewIfNeeded();
  const box = await page.locator('#time-chart').boundingBox();
  if (box === null) throw new Error('The page has no chart.');
  const [x, y] = [box.x + box.width / 2, box.y + box.height / 2];
  await page.mouse.move(x, y);
  await page.keyboard.down('Control');
  await page.mouse.wheel(0, -400);
  await page.keyboard.up('Control');
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
  // Scrolls to the table, as a user would. The chart may still be drawing after the previous action.
  await page.locator('#trades-part').scrollIntoViewIfNeeded();
  await page.waitForTimeout(1_000);
  const before = await scriptMilliseconds(session, 'TaskDuration');
  await act();
  await settled(page);
  return (await scriptMilliseconds(session, 'TaskDuration')) - before;
}

// Dispatches the events directly, so that the time to find and press an element does not count.
async function filter(page: Page): Promise<void> {
  await page.locator('#trade-filter').evaluate((field) => {
    (field as HTMLInputElement).value = 'short';
    field.dispatchEvent(new Event('input'));
  });
}

async function sort(page: Page): Promise<void> {
  await page
    .locator('#trades thead button')
    .nth(10)
    .evaluate((button) => (button as HTMLButtonElement).click());
}

async function period(page: Page): Promise<void> {
  await page.locator('#preset').selectOption({ index: 2 });
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
