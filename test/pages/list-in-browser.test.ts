import { appendFileSync, cpSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { hostname } from 'node:os';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { afterAll, describe, expect, it } from 'vitest';
import { browserPath, closeBrowser, openPage } from '../../features/support/browser.ts';
import { skipBecause } from '../missing.ts';
import { journalLines, textOfLines } from '../support/journal.ts';
import { serveRuns } from '../support/served-runs.ts';
import { texts } from './gallery/report-figures.ts';

if (browserPath() === undefined) skipBecause('There is no Chromium: the list was not looked at.');

describe.skipIf(browserPath() === undefined)('the list of runs in a browser', () => {
  const served = serveRuns();
  afterAll(closeBrowser);

  /** Locks a run. Without a lock, a run without an end would count as killed after a while. */
  function lock(folder: string): void {
    writeFileSync(join(folder, 'run.lock'), `${process.pid} ${hostname()}`);
  }

  /** Creates a folder in the served folder that is locked by this process, so that it counts as active. */
  function underWay(name: string, manifest: string, text: object): string {
    const folder = join(served.root, name);
    mkdirSync(folder);
    writeFileSync(join(folder, manifest), JSON.stringify(text));
    lock(folder);
    return folder;
  }
  const opened = async (address = ''): Promise<Page> => {
    const { page } = await openPage(new URL(address, served.server.url).href, 1440, 900);
    await page.locator('#runs tbody tr').first().waitFor();
    return page;
  };
  const runsIn = (page: Page): Promise<(string | null)[]> =>
    page.locator('#runs tr[data-run]').evaluateAll((rows) => rows.map((row) => row.getAttribute('data-run')));

  it('shows live progress of a sweep and a study, and the remaining work of the study', async () => {
    const sweep = underWay('2026-sweep', 'sweep-manifest.json', {
      strategy: { name: 'cross' },
      expectedTrials: 4,
    });
    const trials = join(sweep, 'trials.jsonl');
    writeFileSync(trials, '{"id":"a"}\n');
    const study = underWay('2026-study-spring-0a1b2c', 'study-manifest.json', { arms: [{}], runs: 2 });
    const page = await opened();
    const about = (name: string) => page.locator(`tr[data-research="${name}"] .about`);
    expect(await about('2026-sweep').textContent()).toContain('1 of 4 trials');
    expect(await about('2026-study-spring-0a1b2c').textContent()).toMatch(/running.*1 arm.*0 of 2 runs/);
    expect(await texts(page, 'tr[data-research="2026-study-spring-0a1b2c"] th bdi')).toContain('spring');

    appendFileSync(trials, '{"id":"b"}\n{"id":"c"}\n');
    served.finishedRun('done');
    for (const sample of ['sample-1', 'sample-2'])
      cpSync(join(served.root, 'done'), join(study, 'runs', 'arm', 'window', sample), { recursive: true });
    await about('2026-sweep').getByText('3 of 4 trials').waitFor();
    await about('2026-study-spring-0a1b2c')
      .getByText('baselines, random agents and figures follow')
      .waitFor();

    rmSync(join(sweep, 'run.lock'));
    await about('2026-sweep').getByText('Continue it with sandtable sweep --resume').waitFor();
    await page.context().close();
  });

  it('shows running work first, with its equity, and no truncated column', async () => {
    served.finishedRun('done');
    const lines = journalLines(10);
    const file = served.addRun('a-growing', lines.slice(0, 5));
    lock(join(served.root, 'a-growing'));
    underWay('2026-study-spring-0a1b2c', 'study-manifest.json', { arms: [{}], runs: 2 });
    rmSync(join(served.root, '2026-study-spring-0a1b2c', 'run.lock'));
    const { page } = await openPage(served.server.url, 1440, 900);
    const row = page.locator('tr[data-run="a-growing"]');
    await row.locator('.curve svg').waitFor();
    expect((await texts(page, '.group-head button.toggle bdi')).slice(0, 2)).toEqual(['Running', 'Studies']);
    expect((await runsIn(page))[0]).toBe('a-growing');
    expect(await row.locator('small.equity').textContent()).toBe('Equity 1,001.00');
    const drawn = await row.locator('.curve path.own').getAttribute('d');
    appendFileSync(file, textOfLines(lines.slice(5, 11)));
    await row.getByText('Equity 1,003.00').waitFor();
    await page.waitForFunction(
      (before) => document.querySelector('tr[data-run="a-growing"] path.own')?.getAttribute('d') !== before,
      drawn,
    );
    for (const width of [1440, 1280, 1024]) {
      await page.setViewportSize({ width, height: 900 });
      await page.waitForFunction(() => {
        const frame = document.querySelector('#runs')?.parentElement;
        return frame != null && frame.scrollWidth <= frame.clientWidth;
      });
    }
    expect(await page.locator('#dropped').textContent()).toContain('Period');
    await page.context().close();
  });

  it('retains the focus and a click that has begun while a running run is updated', async () => {
    const lines = journalLines(10);
    const file = served.addRun('a-growing', lines.slice(0, 5));
    lock(join(served.root, 'a-growing'));
    const page = await opened();
    const row = page.locator('tr[data-run="a-growing"]');
    const link = row.locator('th a').first();
    await row.getByText('Equity 1,001.00').waitFor();
    await link.hover();
    await page.mouse.down();
    await link.focus();
    appendFileSync(file, textOfLines(lines.slice(5, 11)));
    await row.getByText('Equity 1,003.00').waitFor();
    expect(await link.evaluate((one) => one === document.activeElement)).toBe(true);
    await page.mouse.up();
    await page.waitForURL('**/runs/a-growing/report');
    await page.context().close();
  });

  it.each([1440, 1280, 1024])(
    'shows the same columns before and after its curves arrive, %i wide',
    async (width) => {
      for (const name of ['one', 'two', 'three']) served.finishedRun(name);
      const { page } = await openPage('about:blank', width, 900);
      let release = (): void => undefined;
      const released = new Promise<void>((done) => {
        release = done;
      });
      await page.route('**/api/curves*', async (route) => {
        await released;
        await route.continue();
      });
      await page.goto(served.server.url);
      await page.locator('#runs tbody tr').first().waitFor();
      const columns = (): Promise<number[]> =>
        page
          .locator('#runs thead th')
          .evaluateAll((cells) => cells.map((cell) => Math.round(cell.getBoundingClientRect().width)));
      const before = await columns();
      release();
      await page.locator('tr[data-run="one"] .curve svg').waitFor();
      expect(await columns()).toEqual(before);
      await page.context().close();
    },
  );

  it('opens and closes a row by keyboard without losing the focus', async () => {
    served.finishedRun('done');
    const samples = join(served.root, 'several');
    mkdirSync(samples);
    writeFileSync(join(samples, 'samples.json'), '{"samples": 2}');
    for (const sample of ['sample-1', 'sample-2'])
      cpSync(join(served.root, 'done'), join(samples, sample), { recursive: true });
    const page = await opened();
    const toggle = page.locator('tr[data-research="several"] button.toggle');
    await toggle.focus();
    await page.keyboard.press('Enter');
    expect(await toggle.getAttribute('aria-expanded')).toBe('true');
    expect(await toggle.evaluate((one) => one === document.activeElement)).toBe(true);
    const links = page.locator('tr.inside a');
    expect(await links.first().getAttribute('href')).toBe('/runs/several%2Fsample-1/report');
    await page.keyboard.press(' ');
    expect(await toggle.getAttribute('aria-expanded')).toBe('false');
    expect(await links.count()).toBe(0);
    await page.context().close();
  });

  it('renders a hundred of many runs, finds any run, and opens the view of an address', async () => {
    served.finishedRun('done');
    for (let run = 0; run < 130; run++)
      cpSync(join(served.root, 'done'), join(served.root, `run-${String(run).padStart(3, '0')}`), {
        recursive: true,
      });
    const page = await opened('/?group=none&sort=runId&hide=sharpe,tags');
    expect((await runsIn(page)).slice(0, 3)).toEqual(['done', 'first', 'run-000']);
    const heads = await texts(page, '#runs thead th:visible');
    expect(heads).toContain('Return');
    expect(heads).not.toContain('Sharpe');
    expect(heads).not.toContain('Tags');
    expect((await runsIn(page)).length).toBeLessThan(133);
    await page.getByLabel('Search').focus();
    await page.keyboard.type('run-12 state:completed');
    expect(await runsIn(page)).toEqual(Array.from({ length: 10 }, (_, run) => `run-12${run}`));
    expect(new URL(page.url()).search).toBe(
      '?search=run-12+state%3Acompleted&sort=runId&group=none&hide=sharpe%2Ctags',
    );
    expect(await page.locator('#count').textContent()).toBe('10 of 133 runs');
    await page.context().close();
  });
});
