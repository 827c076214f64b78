/**
 * Makes the pictures of pages in docs/images: `npm run docs:pictures`. Needs Chromium. Look at each picture before you
 * commit it.
 */
import { execFileSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import type { Page } from 'playwright-core';
import { closeBrowser, openPage } from '../features/support/browser.ts';
import { RunLauncher } from '../src/cli/commands/start-runs.ts';
import { startServer } from '../src/pages/index.ts';

const ROOT = resolve(import.meta.dirname, '..');
const IMAGES = join(import.meta.dirname, 'images');
const DATA = join(ROOT, 'data', 'spx-daily.csv');
const COSTS = ['--commission', '0.0005', '--slippage-bps', '2'];
const strategy = (name: string): string => join(ROOT, 'strategies', name);

const project = mkdtempSync(join(tmpdir(), 'sandtable-pictures-'));
const reports = join(project, 'reports');

function sandtable(...words: readonly string[]): void {
  execFileSync(process.execPath, [join(ROOT, 'dist/cli/bin.js'), ...words], {
    cwd: project,
    stdio: 'ignore',
  });
}

/** Runs a strategy. Returns the run's folder. */
function run(file: string, ...words: readonly string[]): string {
  const before = new Set(runs());
  sandtable('run', file, '--data', 'data/spx-daily.csv', ...COSTS, '--quiet', ...words);
  return join(reports, runs().find((name) => !before.has(name)) ?? '');
}

function runs(): string[] {
  return readdirSync(reports).filter((name) => /^\d{8}-/.test(name));
}

async function picture(
  name: string,
  address: string,
  [width, height]: readonly [number, number],
  prepare: (page: Page) => Promise<void> = async () => {},
): Promise<void> {
  const { page } = await openPage(address, width, height);
  await page.waitForLoadState('networkidle');
  await prepare(page);
  await page.waitForTimeout(500);
  await page.screenshot({ path: join(IMAGES, `${name}.png`) });
  await page.context().close();
  console.log(`${name}.png`);
}

const to = (selector: string) => (page: Page) =>
  page
    .locator(selector)
    .first()
    .evaluate((part) => part.scrollIntoView());

try {
  for (const folder of [reports, join(project, 'data'), join(project, 'strategies')]) mkdirSync(folder);
  cpSync(DATA, join(project, 'data/spx-daily.csv'));
  for (const name of ['sma-cross.ts', 'buy-and-hold.ts'])
    cpSync(strategy(name), join(project, 'strategies', name));
  cpSync(strategy('python'), join(project, 'strategies/python'), { recursive: true });
  const ten = run('strategies/sma-cross.ts', '--param', 'fast=10', '--param', 'slow=150');
  const fifty = run('strategies/sma-cross.ts', '--param', 'fast=50', '--param', 'slow=200');
  run('strategies/python/rsi_reversion.py');
  run('strategies/buy-and-hold.ts');
  const twice = ['--data', 'data/spx-daily.csv', ...COSTS];
  sandtable(
    'sweep',
    'strategies/sma-cross.ts',
    ...twice,
    '--param',
    'fast=5:30:5',
    '--param',
    'slow=50:250:50',
  );
  sandtable(
    'stress',
    'strategies/sma-cross.ts',
    ...twice,
    '--param',
    'fast=10',
    '--param',
    'slow=150',
    '--worlds',
    '99',
  );
  cpSync(join(ROOT, 'reports/example-llm-momentum'), join(reports, 'example-llm-momentum'), {
    recursive: true,
  });
  for (const folder of [ten, fifty]) sandtable('report', folder);

  const page = `file://${ten}/report.html`;
  const { url } = await startServer({
    folder: reports,
    port: 0,
    launcher: new RunLauncher('reports', project, process),
  });
  const address = url.slice(0, url.indexOf('#'));
  await picture('report', page, [1280, 860]);
  await picture('report-time', `${page}#range=2008-06-02..2009-12-31`, [1280, 1000], to('#strip'));
  await picture('report-trade', page, [1280, 900], async (opened) => {
    await opened.locator('#trades tbody tr[data-trade]').nth(3).locator('td').nth(1).click();
    await to('#trades-part')(opened);
  });
  await picture('trace', `${address}runs/example-llm-momentum/trace`, [1280, 1000]);
  await picture(
    'compare',
    `${address}compare?run=${[ten, fifty].map((one) => one.split('/').at(-1)).join('&run=')}`,
    [1280, 1100],
  );
  await picture('list', url, [1440, 760]);
  await picture('report-phone', page, [390, 844]);
} finally {
  await closeBrowser();
  rmSync(project, { recursive: true, force: true });
}
process.exit();
