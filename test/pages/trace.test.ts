import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { source as axe } from 'axe-core';
import type { Page } from 'playwright-core';
import { ruleDecider, runBacktest, simulateMarket } from 'sandtable';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { browserPath, closeBrowser, openPage } from '../../features/support/browser.ts';
import { readJournal } from '../../src/journal/index.ts';
import { traceOfRun } from '../../src/pages/trace/trace-of-run.ts';
import smaCross from '../../strategies/sma-cross.ts';
import { skipBecause } from '../missing.ts';
import { decisionLines as decisions } from '../support/decisions.ts';
import { sampled } from '../support/depth.ts';
import { type Line, textOfLines } from '../support/journal.ts';

const RIGHT_TO_LEFT = 'שלום עולם';
const HOSTILE = `"><img src=x onerror=alert(1)></script>${RIGHT_TO_LEFT}${'W'.repeat(400)}`;

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'sandtable-trace-page-'));
});
afterAll(async () => {
  rmSync(folder, { recursive: true });
  await closeBrowser();
});

/** Opens the trace of a journal as a file. */
async function opened(journal: string, hash = '', width = 1440, height = 900) {
  writeFileSync(join(folder, 'journal.jsonl'), journal);
  const { page: html } = await traceOfRun(folder);
  const file = join(folder, 'trace.html');
  writeFileSync(file, html);
  const open = await openPage(pathToFileURL(file).href + hash, width, height);
  await open.page.locator('body[data-ready]').waitFor({ state: 'attached' });
  return open;
}

async function rules(bars: number, interval: '1d' | '1h' = '1d'): Promise<string> {
  const events: Line[] = [];
  await runBacktest({
    market: simulateMarket({ seed: 5, bars, interval }),
    decider: ruleDecider(smaCross, smaCross.parameters.parse({ fast: 3, slow: 9 }), undefined),
    settings: { cash: '100000', commissionRate: 0.0005 },
    onEvent: (event) => events.push(event as unknown as Line),
  });
  return textOfLines(events);
}

const texts = (page: Page, selector: string): Promise<string[]> =>
  page.locator(selector).evaluateAll((all) => all.map((one) => (one.textContent ?? '').trim()));

/** Returns accessibility faults found by axe, and content wider than the screen. */
async function faults(page: Page): Promise<string[]> {
  await page.evaluate(axe);
  const found = await page.evaluate(async () => {
    const { violations } = await (
      window as unknown as {
        axe: { run(): Promise<{ violations: { id: string; nodes: { html: string }[] }[] }> };
      }
    ).axe.run();
    return violations.map(({ id, nodes }) => `${id}: ${nodes[0]?.html.slice(0, 200)}`);
  });
  const wide = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
  return wide > 0 ? [...found, `${wide} px too wide`] : found;
}

if (browserPath() === undefined) skipBecause('There is no Chromium: traces were not looked at.');

describe.skipIf(browserPath() === undefined)('the trace of a run in a browser', () => {
  it.each(['1d', '1h'] as const)(
    'of rules contains each order, fill and price of the journal: %s',
    async (interval) => {
      const { page, complaints } = await opened(await rules(600, interval));
      const record = readJournal(join(folder, 'journal.jsonl'));
      const orders = record.orders.filter(({ role }) => role === undefined);
      const of = (side: string): number =>
        new Set(record.fills.filter((fill) => fill.side === side).map(({ bar }) => bar)).size;
      const key = (await texts(page, '#lane-key li')).join(' ');
      expect(key).toContain(`${of('buy')} bought`);
      expect(key).toContain(`${of('sell')} sold`);
      const [fill] = record.fills;
      const placed = orders.find(({ orderId }) => orderId === fill!.orderId)!;
      await page.evaluate((bar) => {
        location.hash = `bar=${bar}`;
      }, fill!.bar);
      await page.getByRole('heading', { name: `Bar ${fill!.bar} ·` }).waitFor();
      const close = record.bars[fill!.bar]!.prices?.[0]?.[3];
      expect(await page.locator('#view td').nth(3).getAttribute('title')).toBe(String(close));
      const equity = page.locator('#view .facts div', { hasText: 'Equity' }).first().locator('dd');
      expect((await equity.getAttribute('title')) ?? (await equity.textContent())).toBe(
        String(record.bars[fill!.bar]!.equity),
      );
      await page.getByRole('link', { name: new RegExp(`^order ${fill!.orderId} placed on bar`) }).click();
      await page.getByRole('heading', { name: `Bar ${placed.bar} ·` }).waitFor();
      const row = await page.locator('#steps a[aria-current] .told').textContent();
      expect(row).toMatch(fill!.side === 'buy' ? /: bought / : /: sold /);
      expect(row).toMatch(interval === '1d' ? /^\d{1,2} \w+/ : /^\d{1,2} \w+.*, \d\d:\d\d/);
      expect(complaints).toEqual([]);
      await page.context().close();
    },
  );

  it('of thousands of decisions opens a late one, counts all, and compares two requests', async () => {
    const { page, complaints, requests } = await opened(decisions(4_000), '#bar=3998');
    await page.getByRole('heading', { name: 'Bar 3998 ·' }).waitFor();
    const key = (await texts(page, '#lane-key li')).join(' ');
    for (const part of ['1,000 bought', '1,000 sold', '1,000 refused', '1,000 held', 'up to 4,104'])
      expect(key).toContain(part);
    const chosen = page.locator('#steps a[aria-current]');
    expect(await chosen.textContent()).toContain('refused to buy');
    expect(await chosen.textContent()).toContain('4,103 tokens');
    await page.locator('#with').press('Enter');
    await page.getByRole('heading', { name: /^What changed from bar 3997/ }).waitFor();
    expect(page.url()).toContain('#bar=3998&with=3997');
    expect(await texts(page, '.line[data-tone="bad"]')).toEqual([
      '−only before:   "bar": 3997,',
      '−only before:     "cash": 4997',
    ]);
    expect(await texts(page, '.line[data-tone="good"]')).toEqual([
      '+only now:   "bar": 3998,',
      '+only now:     "cash": 4998',
    ]);
    expect(await faults(page)).toEqual([]);
    await page.locator('#what').selectOption('s');
    await page.locator('#count').getByText('1,000 bars').waitFor();
    expect(await texts(page, '#steps .kind')).toEqual(Array(100).fill('sold'));
    expect([complaints, requests.filter((address) => !address.endsWith('/trace.html'))]).toEqual([[], []]);
    await page.context().close();
  });

  it('can be used with the keyboard only: list, grouped rows, lane, comparison', async () => {
    const { page, complaints } = await opened(await rules(300));
    await page.locator('#overview').focus();
    await page.keyboard.press('End');
    const last = await page.locator('#steps a[data-bar]').last().getAttribute('data-bar');
    await page.getByRole('heading', { name: new RegExp(`^Bar ${last} `) }).waitFor();
    await page.keyboard.press('Home');
    const first = await page.locator('#steps a[data-bar]').first().getAttribute('data-bar');
    await page.getByRole('heading', { name: new RegExp(`^Bar ${first} `) }).waitFor();
    const fold = page.locator('#steps summary').nth(1);
    expect(await fold.textContent()).toMatch(/^\d+ days held, \d fills?$/);
    await fold.focus();
    await page.keyboard.press('Enter');
    // The browser reports the open row in a later task, which adds the links.
    await fold.locator('xpath=../ol//a').first().waitFor();
    await page.keyboard.press('Tab');
    const inside = await page.evaluate(() => document.activeElement?.getAttribute('href') ?? '');
    expect(inside).toMatch(/^#bar=\d+$/);
    await page.keyboard.press('Enter');
    await page.waitForURL((url) => url.hash === inside);
    expect(complaints).toEqual([]);
    await page.context().close();
  });

  it.each(
    sampled(
      [
        ['a desk', 1440, 900],
        ['a tablet', 1024, 768],
        ['half of that, as at 200 %', 720, 450],
        ['a phone', 390, 844],
      ],
      4,
      3,
    ),
  )(
    'is accessible and has no truncated text, in light and dark, with any names and texts: %s',
    async (_, width, height) => {
      const { page, complaints } = await opened(decisions(40, HOSTILE), '#bar=6&with=5', width, height);
      for (const theme of ['light', 'dark']) {
        await page.evaluate((name) => {
          document.documentElement.dataset.theme = name;
        }, theme);
        expect([theme, ...(await faults(page))]).toEqual([theme]);
      }
      expect(await page.locator('main img').count()).toBe(0);
      expect(await page.locator('#steps').textContent()).toContain(RIGHT_TO_LEFT);
      expect(complaints).toEqual([]);
      await page.emulateMedia({ media: 'print' });
      expect(await page.locator('#filters').isVisible()).toBe(false);
      expect(await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)).toBe(0);
      await page.context().close();
    },
  );

  it('shows the beginning of a long answer, and all of it on request', async () => {
    const long = 'word '.repeat(40_000);
    const { page } = await opened(decisions(4, long), '#bar=3');
    const whole = page.getByRole('button', { name: 'Show all 200,000 characters' }).first();
    const shown = whole.locator('xpath=preceding-sibling::pre');
    expect((await shown.textContent())?.length).toBe(20_000);
    await whole.click();
    expect(await page.locator('pre:focus').evaluate((one) => one.textContent?.length)).toBe(200_000);
    await page.context().close();
  });

  it('of a crashed run opens the failed bar with the error', async () => {
    const lines = decisions(12).trimEnd().split('\n').slice(0, -1);
    const error = { code: 'decider_failed', message: 'the feed is gone' };
    const end = {
      type: 'run_finished',
      outcome: 'failed',
      bars: 12,
      openTrades: [],
      commissionPaid: '0',
      error,
    };
    const started = JSON.stringify({ ...(JSON.parse(lines[0]!) as Line), bars: 50 });
    const { page } = await opened([started, ...lines.slice(1), JSON.stringify(end), ''].join('\n'));
    expect(new URL(page.url()).hash).toBe('#bar=12');
    const chosen = page.locator('#steps a[aria-current]');
    expect(await chosen.textContent()).toContain('The run failed here: the feed is gone');
    expect(await chosen.locator('.kind').textContent()).toBe('error');
    expect(await page.locator('.notices').first().textContent()).toContain(
      'The run failed on bar 12: the feed is gone',
    );
    await page.context().close();
  });
});
