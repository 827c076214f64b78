/** Opens pages of the built site in Chromium and returns their faults. */
import { existsSync, readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { createRequire } from 'node:module';
import type { AddressInfo } from 'node:net';
import { extname, join, normalize } from 'node:path';
import { chromium, type Page } from 'playwright-core';
import { browserPath } from '../features/support/browser.ts';

const TYPES: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript',
  '.css': 'text/css',
  '.svg': 'image/svg+xml',
  '.png': 'image/png',
  '.woff2': 'font/woff2',
  '.json': 'application/json',
};
const PHONE = { width: 390, height: 844 };
/** Most bytes of the first page with everything that it loads: two seconds at 6 Mbit/s. */
const FIRST_PAGE = 1_500_000;

/** Serves the site as GitHub Pages does: `/name` is `name.html`. */
function serve(site: string): ReturnType<typeof createServer> {
  return createServer((request, response) => {
    const path = normalize(decodeURIComponent((request.url ?? '/').split('?')[0]!));
    const found = [path, `${path}.html`, join(path, 'index.html')]
      .map((name) => join(site, name))
      .find((file) => extname(file) !== '' && existsSync(file));
    if (found === undefined) response.writeHead(404).end();
    else
      response
        .writeHead(200, { 'content-type': TYPES[extname(found)] ?? 'application/octet-stream' })
        .end(readFileSync(found));
  });
}

/** Returns accessibility faults found by axe, one line per rule. */
async function axeFaults(page: Page, axe: string): Promise<string[]> {
  await page.evaluate(axe);
  return page.evaluate(async () => {
    const { axe: run } = window as unknown as {
      axe: { run(): Promise<{ violations: { id: string; nodes: { html: string }[] }[] }> };
    };
    const { violations } = await run.run();
    return violations.map(({ id, nodes }) => `${id}: ${nodes[0]?.html.slice(0, 160) ?? ''}`);
  });
}

/**
 * Opens every page at the width of a phone. Checks with axe, at both widths, the pages that stand for a kind.
 *
 * @param pages paths relative to `site`
 */
export async function browserFaults(site: string, pages: readonly string[]): Promise<string[]> {
  const executablePath = browserPath();
  if (executablePath === undefined) {
    if (process.env.CI === 'true')
      return ['Chromium is missing. Install it, for example: apt-get install chromium'];
    console.warn('The pages were not opened: Chromium is missing.');
    return [];
  }
  const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');
  const server = serve(site).listen(0, '127.0.0.1');
  const browser = await chromium.launch({ executablePath, args: ['--no-sandbox'] });
  const faults: string[] = [];
  try {
    const address = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    const first = await browser.newPage({ viewport: { width: 1440, height: 900 } });
    let bytes = 0;
    first.on('response', async (response) => {
      bytes += (await response.body().catch(() => Buffer.alloc(0))).length;
    });
    const began = performance.now();
    await first.goto(address, { waitUntil: 'networkidle' });
    const taken = ((performance.now() - began) / 1000).toFixed(1);
    console.log(`the first page has ${Math.round(bytes / 1000)} kB and is complete after ${taken} s`);
    if (bytes > FIRST_PAGE) faults.push(`index.html: loads ${bytes} bytes, more than ${FIRST_PAGE}`);
    const phone = await browser.newPage({ viewport: PHONE });
    for (const name of pages) {
      const path = `/${name.replace(/(index)?\.html$/, '')}`;
      await phone.goto(`${address}${path}`, { waitUntil: 'load' });
      const wide = await phone.evaluate(() => document.documentElement.scrollWidth - innerWidth);
      if (wide > 0) faults.push(`${name}: ${wide} pixels wider than a phone of ${PHONE.width}`);
      if (!isSample(name)) continue;
      for (const page of [phone, first]) {
        await page.goto(`${address}${path}`, { waitUntil: 'load' });
        for (const fault of await axeFaults(page, axe)) faults.push(`${name}: ${fault}`);
      }
    }
  } finally {
    await browser.close();
    server.close();
  }
  return [...new Set(faults)];
}

/** True for pages that stand for a kind: the first page, a tutorial, tables, code, pictures. */
const isSample = (name: string): boolean =>
  [
    'index.html',
    'tutorials/first-python.html',
    'gallery/rules.html',
    'orders.html',
    'coming-from.html',
  ].includes(name) || name === 'reference/indicators.html';
