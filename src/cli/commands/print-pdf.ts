import { spawn } from 'node:child_process';
import { accessSync, constants, existsSync } from 'node:fs';
import { delimiter, join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { AppError } from '../../kernel/index.ts';

/** What browsers that print without a window are called, and where they are when no PATH leads to them. */
const NAMES = [
  'chromium',
  'chromium-browser',
  'google-chrome',
  'google-chrome-stable',
  'microsoft-edge',
  'chrome',
];
const PLACES = [
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
  '/Applications/Chromium.app/Contents/MacOS/Chromium',
  'C:\\Program Files\\Google\\Chrome\\Application\\chrome.exe',
  'C:\\Program Files (x86)\\Microsoft\\Edge\\Application\\msedge.exe',
];
/** Milliseconds after which a browser that prints is given up. */
const LONGEST = 120_000;

function findBrowser(environment: Readonly<Record<string, string | undefined>>): string | undefined {
  const { SANDTABLE_BROWSER: own, PATH = '' } = environment;
  if (own !== undefined && own !== '') return existsSync(own) ? own : undefined;
  const found = PATH.split(delimiter).flatMap((folder) => NAMES.map((name) => join(folder, name)));
  return [...found, ...PLACES].find(canRun);
}

function canRun(file: string): boolean {
  try {
    accessSync(file, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

/**
 * Has a browser of this machine print a page.
 *
 * @param page file of the page
 * @param pdf file to write
 * @throws AppError `browser_missing`, `pdf_failed`
 */
export async function printPdf(
  page: string,
  pdf: string,
  environment: Readonly<Record<string, string | undefined>>,
): Promise<void> {
  const browser = findBrowser(environment);
  if (browser === undefined)
    throw new AppError({
      code: 'browser_missing',
      message: 'A PDF is printed by a browser, and there is none.',
      hint: 'Install Chromium, Chrome or Edge, or name one in SANDTABLE_BROWSER; or print report.html from any browser.',
      kind: 'run',
    });
  const isRoot = process.getuid?.() === 0;
  const given = [
    '--headless',
    '--disable-gpu',
    '--no-first-run',
    // Chromium’s own sandbox does not start for root; the page is our own file, and its policy lets it reach nothing.
    ...(isRoot ? ['--no-sandbox'] : []),
    '--no-pdf-header-footer',
    '--virtual-time-budget=10000',
    `--print-to-pdf=${resolve(pdf)}`,
    pathToFileURL(resolve(page)).href,
  ];
  const said = await new Promise<string | undefined>((done) => {
    const child = spawn(browser, given, { stdio: ['ignore', 'ignore', 'pipe'], timeout: LONGEST });
    let text = '';
    child.stderr.on('data', (chunk: Buffer) => {
      text = (text + chunk.toString()).slice(-2000);
    });
    child.on('error', (error) => done(error.message));
    child.on('close', (code) =>
      done(code === 0 && existsSync(pdf) ? undefined : text.trim() || `exit code ${code}`),
    );
  });
  if (said === undefined) return;
  throw new AppError({
    code: 'pdf_failed',
    message: `${browser} did not print the page: ${said.split('\n').at(-1)}`,
    hint: 'Open report.html in a browser and print it there, or name another browser in SANDTABLE_BROWSER.',
    kind: 'run',
  });
}
