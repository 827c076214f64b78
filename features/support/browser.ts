import { existsSync } from 'node:fs';
import type { Browser, Page } from 'playwright-core';

/** Usual paths of Chromium. SANDTABLE_BROWSER specifies a different path. */
const KNOWN_PLACES = ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome'];

/**
 * Milliseconds to wait for an element or an address. High enough for a loaded machine, and lower than the time
 * limit of a step, so that the error names the element.
 */
const PATIENCE = 100_000;

let running: Promise<Browser> | undefined;

export function browserPath(): string | undefined {
  return [process.env.SANDTABLE_BROWSER, ...KNOWN_PLACES].find(
    (place) => place !== undefined && existsSync(place),
  );
}

/** Returns the browser that all scenarios share. The first use starts it. */
function browser(): Promise<Browser> {
  running ??= import('playwright-core').then(({ chromium }) =>
    chromium.launch({
      executablePath: browserPath() ?? '',
      args: ['--no-sandbox', '--disable-gpu', '--disable-background-networking'],
    }),
  );
  return running;
}

export async function closeBrowser(): Promise<void> {
  const browser = running;
  // The next test file of this process starts another one.
  running = undefined;
  await (await browser)?.close();
}

/** Page with the problems that occurred in it. */
export interface OpenPage {
  readonly page: Page;
  /** Console warnings and errors, and uncaught exceptions. */
  readonly complaints: string[];
  /** Addresses that the page requested, except its own. */
  readonly requests: string[];
}

export interface PageOptions {
  /** Current time for the page. Default: the clock of the machine. */
  readonly now?: Date;
  /** Device pixels per CSS pixel. */
  readonly scale?: number;
  /** Allows the page to write to the clipboard and the test to read it. */
  readonly clipboard?: boolean;
}

export async function openPage(
  address: string,
  width: number,
  height: number,
  { now, scale = 1, clipboard = false }: PageOptions = {},
): Promise<OpenPage> {
  const context = await (await browser()).newContext({
    viewport: { width, height },
    deviceScaleFactor: scale,
    reducedMotion: 'reduce',
    permissions: clipboard ? ['clipboard-read', 'clipboard-write'] : [],
  });
  context.setDefaultTimeout(PATIENCE);
  const page = await context.newPage();
  if (now !== undefined) await page.clock.setFixedTime(now);
  const complaints: string[] = [];
  const requests: string[] = [];
  page.on('console', (message) => {
    if (['warning', 'error'].includes(message.type())) complaints.push(message.text());
  });
  page.on('pageerror', (error) => complaints.push(error.message));
  page.on('request', (request) => {
    if (request.url() !== address && !request.url().startsWith('data:')) requests.push(request.url());
  });
  await page.goto(address);
  // Reports and traces unpack their data after the browser has loaded them. Before, their controls do nothing.
  if ((await page.locator('#time-chart, #overview').count()) > 0)
    await page.locator('body[data-ready]').waitFor({ state: 'attached' });
  return { page, complaints, requests };
}
