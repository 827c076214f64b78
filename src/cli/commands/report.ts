import { spawn } from 'node:child_process';
import { accessSync, constants, existsSync } from 'node:fs';
import { delimiter, dirname, join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { AppError, childEnvironment } from '../../kernel/index.ts';
import {
  linkedReport,
  REPORT_FILE,
  reportCharts,
  reportFragment,
  TRACE_FILE,
  traceOfRun,
} from '../../pages/index.ts';
import { equityColumns, type MetricsOptions } from '../../results/analysis/index.ts';
import { checkRunVersion, readRun, type StoredRun, writeWhole } from '../../results/runs/index.ts';
import { findBenchmark } from '../../runner/index.ts';
import { readFlags, reportFlagsSchema } from '../flags/flags.ts';
import { type Io, printLine, writeNamedFile } from '../io.ts';
import { printing } from '../run-context.ts';
import { printSpans } from './export.ts';

/**
 * File names of browsers that can print without a window. `PLACES` contains the paths of browsers that are
 * outside PATH.
 */
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
/** Timeout in milliseconds for the browser that prints a page. */
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
 * Converts a page to a PDF or an image with a browser of this machine.
 *
 * @param page path of the page
 * @param file path of the file to write
 * @param output flags of the browser that select the format and the output file
 * @throws AppError `browser_missing`, `pdf_failed`
 */
async function printPage(
  page: string,
  file: string,
  output: readonly string[],
  environment: Readonly<Record<string, string | undefined>>,
): Promise<void> {
  const browser = findBrowser(environment);
  if (browser === undefined)
    throw new AppError({
      code: 'browser_missing',
      message: 'No browser found to print the report.',
      hint: 'Install Chromium, Chrome or Edge, or set SANDTABLE_BROWSER to a browser. You can also print report.html from any browser.',
      kind: 'run',
    });
  const isRoot = process.getuid?.() === 0;
  const given = [
    '--headless',
    '--disable-gpu',
    '--no-first-run',
    // Chromium's sandbox does not start for the user root, so it is disabled. This is safe: Sandtable has
    // generated the page, and the page's Content-Security-Policy forbids network access.
    ...(isRoot ? ['--no-sandbox'] : []),
    '--virtual-time-budget=10000',
    ...output,
    pathToFileURL(resolve(page)).href,
  ];
  const said = await new Promise<string | undefined>((done) => {
    const child = spawn(browser, given, {
      stdio: ['ignore', 'ignore', 'pipe'],
      timeout: LONGEST,
      env: childEnvironment(process.env, ['PATH']),
    });
    let text = '';
    child.stderr.on('data', (chunk: Buffer) => {
      text = (text + chunk.toString()).slice(-2000);
    });
    child.on('error', (error) => done(error.message));
    child.on('close', (code) =>
      done(code === 0 && existsSync(file) ? undefined : text.trim() || `exit code ${code}`),
    );
  });
  if (said === undefined) return;
  throw new AppError({
    code: 'pdf_failed',
    message: `${browser} did not print the page: ${said.split('\n').at(-1)}`,
    hint: 'Open report.html in a browser and print it there, or set SANDTABLE_BROWSER to another browser.',
    kind: 'run',
  });
}

/**
 * `sandtable report`: rebuilds `report.html` of a run from the run's journal. Also works for killed and
 * damaged runs.
 */
export async function reportCommand(folder: string, given: unknown, io: Io): Promise<void> {
  const flags = readFlags(reportFlagsSchema, given, 'report');
  if (flags.otel !== undefined) await printSpans(folder, flags.otel, io);
  const run = readRun(folder, { salvage: true, lightBars: true });
  const file = flags.out ?? join(folder, 'report.html');
  const benchmark = await findBenchmark(
    { benchmark: flags.benchmark },
    run.record.started.symbols,
    equityColumns(run.record).times,
    printing(io, false),
  );
  const changes: MetricsOptions = {
    ...(flags.periodsPerYear === undefined ? {} : { periodsPerYear: flags.periodsPerYear }),
    ...(flags.riskFree === undefined ? {} : { riskFreeRate: flags.riskFree }),
    ...(flags.minimumReturn === undefined ? {} : { minimumAcceptableReturn: flags.minimumReturn }),
    ...(benchmark === undefined
      ? {}
      : { benchmark: 'symbol' in benchmark ? benchmark.symbol : benchmark.series }),
  };
  const options = Object.keys(changes).length === 0 ? run.options : { ...run.options, ...changes };
  const page = linkedReport(run, dirname(file), options);
  writeNamedFile(file, page, { hint: 'Pass another file with --out.' });
  printLine(io.stdout, file);
  if (flags.pdf === true) {
    const pdf = file.replace(/(\.html?)?$/, '.pdf');
    await printPage(file, pdf, ['--no-pdf-header-footer', `--print-to-pdf=${resolve(pdf)}`], io.env);
    printLine(io.stdout, pdf);
  }
  const write = (name: string, text: string): void => {
    writeNamedFile(name, text, { hint: 'Pass another file with --out.', makesFolder: true });
    printLine(io.stdout, name);
  };
  if (flags.embed === true) write(file.replace(/(\.html?)?$/, '.embed.html'), reportFragment(run, options));
  if (flags.svg !== true && flags.png !== true) return damaged(run, io);
  for (const { name, svg, width, height } of reportCharts(run, options)) {
    const chart = join(dirname(file), 'charts', `${name}.svg`);
    write(chart, svg);
    if (flags.png !== true) continue;
    const png = chart.replace(/svg$/, 'png');
    const size = `--window-size=${Math.ceil(width)},${Math.ceil(height)}`;
    await printPage(
      chart,
      png,
      [`--screenshot=${resolve(png)}`, size, '--force-device-scale-factor=2'],
      io.env,
    );
    printLine(io.stdout, png);
  }
  damaged(run, io);
}

function damaged(run: StoredRun, io: Io): void {
  for (const line of run.record.damage) printLine(io.stderr, `note: ${line}`);
}

/**
 * `sandtable trace`: writes a page with everything that the strategy, model or agent of a run observed and
 * did on each bar.
 */
export async function traceCommand(
  folder: string,
  flags: { readonly out?: string; readonly otel?: string },
  io: Io,
): Promise<void> {
  checkRunVersion(folder);
  if (flags.otel !== undefined) await printSpans(folder, flags.otel, io);
  const file = flags.out ?? join(folder, TRACE_FILE);
  const { page, damage } = await traceOfRun(folder, dirname(file));
  writeNamedFile(file, page, { hint: 'Pass another file with --out.' });
  // An existing report shows a command that makes a trace. It is replaced by a report that links to the
  // trace.
  const report = join(folder, REPORT_FILE);
  if (flags.out === undefined && existsSync(report))
    writeWhole(report, linkedReport(readRun(folder, { salvage: true, lightBars: true }), folder));
  printLine(io.stdout, file);
  for (const line of damage) printLine(io.stderr, `note: ${line}`);
}
