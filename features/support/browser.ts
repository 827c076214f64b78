import { existsSync } from 'node:fs';
import type { Browser, Page } from 'playwright-core';

/** Where Debian and others put a Chromium; SANDTABLE_BROWSER names another. */
const KNOWN_PLACES = ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome'];

let running: Promise<Browser> | undefined;

export function browserPath(): string | undefined {
  return [process.env.SANDTABLE_BROWSER, ...KNOWN_PLACES].find(
    (place) => place !== undefined && existsSync(place),
  );
}

/** One browser for all scenarios; it starts with the first that needs it. */
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
  await (await running)?.close();
}

/** A page with what went wrong in it. */
export interface OpenPage {
  readonly page: Page;
  /** Console warnings and errors, and exceptions nobody caught. */
  readonly complaints: string[];
  /** Addresses that the page asked for, its own left out. */
  readonly requests: string[];
}

export async function openPage(address: string, width: number, height: number): Promise<OpenPage> {
  const context = await (await browser()).newContext({
    viewport: { width, height },
    reducedMotion: 'reduce',
  });
  const page = await context.newPage();
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
  return { page, complaints, requests };
}
