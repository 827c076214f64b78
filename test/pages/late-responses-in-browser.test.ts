import { appendFileSync, writeFileSync } from 'node:fs';
import { hostname } from 'node:os';
import { dirname, join } from 'node:path';
import type { Page, Route } from 'playwright-core';
import { afterAll, describe, expect, it } from 'vitest';
import { browserPath, closeBrowser, openPage } from '../../features/support/browser.ts';
import type { Launcher } from '../../src/pages/serve/launcher.ts';
import { startServer } from '../../src/pages/serve/server.ts';
import type { Overview } from '../../src/pages/trace/step.ts';
import { skipBecause } from '../missing.ts';
import { journalLines, textOfLines } from '../support/journal.ts';
import { serveRuns } from '../support/served-runs.ts';

if (browserPath() === undefined) skipBecause('There is no Chromium: late responses were not tested.');

const LAUNCHER: Launcher = {
  choices: () => ({ strategies: ['rule.ts'], data: ['prices.csv'], fields: [] }),
  parameters: async () => [
    { name: 'fast', label: 'fast', help: '', group: 'Parameters', kind: 'number', initial: '' },
  ],
  check: () => ({ command: 'sandtable run rule.ts', problem: '' }),
  start: async () => ({ command: 'sandtable run rule.ts', folder: 'new' }),
  requestOf: (folder) => ({
    command: 'run',
    strategy: 'rule.ts',
    data: ['prices.csv'],
    values: {},
    parameters: { fast: folder.endsWith('first') ? '1' : '2' },
  }),
  resume: async () => ({ command: '', folder: '' }),
  end: () => undefined,
  owns: () => false,
};

/** Returns candles. The chart's note contains `barsPerPoint`. */
function candles(barsPerPoint: number, count = 3): Overview {
  const prices = Array.from({ length: count }, () => 10);
  const times = prices.map((_, point) => point * 86_400);
  return { barsPerPoint, times, open: prices, high: prices, low: prices, close: prices };
}

describe.skipIf(browserPath() === undefined)('a response that arrives late', () => {
  const served = serveRuns();
  afterAll(closeBrowser);

  /** Delays the next response to requests of an address. The returned function releases it. */
  async function held(page: Page, address: RegExp, answer?: (route: Route) => Promise<void>) {
    let release = (): void => undefined;
    const released = new Promise<void>((done) => {
      release = done;
    });
    await page.route(
      address,
      async (route) => {
        if (answer !== undefined) {
          await released;
          return answer(route);
        }
        const response = await route.fetch();
        await released;
        return route.fulfill({ response });
      },
      { times: 1 },
    );
    return async (): Promise<void> => {
      const ended = Promise.race([
        page.waitForEvent('requestfinished', (request) => address.test(request.url())),
        page.waitForEvent('requestfailed', (request) => address.test(request.url())),
      ]);
      release();
      await ended;
      // Time for the page to handle the response.
      await page.waitForTimeout(300);
    };
  }

  /** Opens the trace of a run with two symbols. */
  async function traceOfTwo(first: (route: Route) => Promise<void>): Promise<Page> {
    const [start, ...lines] = journalLines(10);
    served.addRun('two', [{ ...start, symbols: ['AAA', 'BBB'] }, ...lines]);
    const { page } = await openPage('about:blank', 1280, 900);
    await page.route(/overview\?symbol=0/, first);
    await page.route(/overview\?symbol=1/, (route) => route.fulfill({ json: candles(2) }));
    await page.goto(new URL('/runs/two/trace', served.server.url).href);
    await page.locator('body[data-ready]').waitFor({ state: 'attached' });
    return page;
  }

  it('does not replace the chart of the symbol that was selected later', async () => {
    let release = (): void => undefined;
    const released = new Promise<void>((done) => {
      release = done;
    });
    const page = await traceOfTwo(async (route) => {
      await released;
      await route.fulfill({ json: candles(7) });
    });
    await page.locator('#symbol').selectOption('BBB');
    await page.getByText('Each candle is 2 bars.').waitFor();
    const late = page.waitForEvent('requestfinished', (request) => request.url().endsWith('symbol=0'));
    release();
    await late;
    await page.waitForTimeout(300);
    expect(await page.locator('#overview-note').textContent()).toBe('Each candle is 2 bars.');
    await page.context().close();
  });

  it('draws the chart, even if earlier responses had no prices', async () => {
    const page = await traceOfTwo((route) => route.fulfill({ json: candles(1, 0) }));
    await page.getByText('nothing can be drawn').waitFor();
    await page.locator('#symbol').selectOption('BBB');
    await page.getByText('Each candle is 2 bars.').waitFor();
    expect(await page.locator('#overview').isVisible()).toBe(true);
    await page.context().close();
  });

  it('does not replace the bar that was selected later with an error', async () => {
    const { page } = await openPage(new URL('/runs/first/trace#bar=3', served.server.url).href, 1280, 900);
    const release = await held(page, /\/bars\/5\b/, (route) => route.abort());
    const title = (bar: number) => page.locator('#view-title', { hasText: `Bar ${bar} ` });
    for (const bar of [5, 6])
      await page.evaluate((to) => {
        location.hash = `bar=${to}`;
      }, bar);
    await title(6).waitFor();
    await release();
    expect(await title(6).count()).toBe(1);
    await page.context().close();
  });

  it('does not replace later news of an active run', async () => {
    const lines = journalLines(10);
    const file = served.addRun('growing', lines.slice(0, 5));
    // Without a lock, the run would count as killed after a while.
    writeFileSync(join(dirname(file), 'run.lock'), `${process.pid} ${hostname()}`);
    const { page } = await openPage('about:blank', 1280, 900);
    const release = await held(page, /\/growing\/steps\?since/);
    const asked = page.waitForRequest(/\/growing\/steps\?since/);
    await page.goto(new URL('/runs/growing/trace', served.server.url).href);
    await asked;
    // Time for the server to answer with the first bars.
    await page.waitForTimeout(500);
    appendFileSync(file, textOfLines(lines.slice(5)));
    await page.getByText('This run has ended').waitFor();
    await page.waitForTimeout(500);
    await release();
    await page.evaluate(() => {
      location.hash = 'bar=77';
    });
    await page.getByText('The journal has no bar 77; its bars are 0 to 9.').waitFor();
    await page.context().close();
  });

  it('does not close the dialog of another run', async () => {
    const { page } = await openPage(served.server.url, 1280, 900);
    const release = await held(page, /\/first\/notes$/);
    await page.getByRole('button', { name: 'Change the notes and tags of first' }).click();
    await page.locator('#tags-text').fill('early');
    await page.locator('#tags-save').click();
    await page.locator('#tags-no').click();
    await page.getByRole('button', { name: 'Change the notes and tags of second' }).click();
    await page.locator('#notes-text').fill('Not saved yet.');
    await release();
    await page.locator('tr[data-run="first"]').getByText('early').waitFor();
    expect(await page.locator('#tags-dialog').isVisible()).toBe(true);
    await page.locator('#tags-no').click();

    const deleted = await held(page, /\/api\/runs\/first$/);
    await page.getByRole('button', { name: 'Delete first' }).click();
    await page.locator('#delete-yes').click();
    await page.locator('#delete-no').click();
    await page.getByRole('button', { name: 'Delete second' }).click();
    await deleted();
    await page.locator('tr[data-run="first"]').waitFor({ state: 'detached' });
    expect(await page.locator('#delete-dialog').isVisible()).toBe(true);
    await page.context().close();
  });

  it('does not fill the form of another run, and a change of the form does not start a run twice', async () => {
    const server = await startServer({ folder: served.root, port: 0, launcher: LAUNCHER });
    try {
      const { page } = await openPage(server.url, 1280, 900);
      const fast = page.locator('[data-name="fast"]');
      const release = await held(page, /\/first\/request$/);
      await page.getByRole('button', { name: 'Rerun with changes first' }).click();
      await page.locator('#start-no').click();
      await page.getByRole('button', { name: 'Rerun with changes second' }).click();
      await expect.poll(() => fast.inputValue()).toBe('2');
      await release();
      expect(await fast.inputValue()).toBe('2');

      const start = page.getByRole('button', { name: 'Start', exact: true });
      await expect.poll(() => start.isEnabled()).toBe(true);
      const started = await held(page, /\/api\/start$/);
      await start.click();
      await page.getByText('Starting…').waitFor();
      await fast.fill('4');
      // Longer than the pause after which the form checks its fields.
      await page.waitForTimeout(500);
      expect(await start.isDisabled()).toBe(true);
      await started();
      await page.getByText('new has started').waitFor();
      await page.context().close();
    } finally {
      await server.close();
    }
  });
});
