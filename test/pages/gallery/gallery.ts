import {
  copyFileSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { projectPath } from '../../../features/support/command-line.ts';
import { startServer } from '../../../src/pages/index.ts';
import { inFolder, made, NOON, sandtable } from './commands.ts';
import { designPage } from './design.ts';
import { SCRIPT, STUDY, TRADER } from './inputs.ts';

export const PAGE_NAMES = [
  'report',
  'compare-2',
  'compare-8',
  'compare-40',
  'trace',
  'list',
  'sweep',
  'stress',
  'study',
  'leaderboard',
  'design',
] as const;

type PageName = (typeof PAGE_NAMES)[number];

/**
 * Pages of every kind as the program writes and serves them. Their bytes are reproducible, except for times
 * in `timing.json`.
 */
export interface Gallery {
  readonly folder: string;
  /** Addresses of the pages. */
  readonly pages: Readonly<Record<PageName, string>>;
  close(): Promise<void>;
}

/** Periods of the short and the long moving average in the compared runs. */
const PAIRS = [
  [5, 12],
  [10, 40],
  [15, 50],
  [20, 60],
  [20, 80],
  [25, 100],
  [30, 120],
  [40, 160],
];

/** Creates all pages. */
export async function makeGallery(): Promise<Gallery> {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'sandtable-gallery-')));
  const files = await inFolder(folder, SCRIPT, makePages);
  const server = await startServer({ folder: join(folder, 'runs'), port: 0 });
  const written = Object.fromEntries(
    Object.entries(files).map(([name, file]) => [name, pathToFileURL(join(folder, file)).href]),
  ) as Record<keyof typeof files, string>;
  const close = async (): Promise<void> => {
    await server.close();
    rmSync(folder, { recursive: true });
  };
  return { folder, pages: { ...written, trace: `${written.trace}#bar=4`, list: server.url }, close };
}

/** Creates the pages in the current folder and returns the file of each page. */
async function makePages(): Promise<Record<Exclude<PageName, 'list'>, string>> {
  copyFileSync(projectPath('strategies/sma-cross.ts'), 'rule.ts');
  writeFileSync('trader.md', TRADER);
  writeFileSync('study.yaml', STUDY);
  await sandtable('data simulate --bars 700 --seed 7 --regime trend --out prices.csv');
  const runs: string[] = [];
  for (const [fast, slow] of PAIRS)
    runs.push(await made(`run rule.ts --param fast=${fast} slow=${slow} --commission 0.001`));
  const asked = await made('run trader.md --to 2000-06-30');
  const sweep = await made(
    'sweep rule.ts --param fast=4:11:1 slow=20:60:10 --keep all --jobs 1 --walk-forward train=1y,test=6m',
  );
  const stress = await made(
    'stress rule.ts --param fast=5 slow=12 --commission 0.001 --worlds 20 --shuffle-trades 20 --jobs 1',
  );
  const study = await made('study study.yaml');
  await sandtable('leaderboard runs --quiet');
  // Adds results of the sweep and the stress test to the first report.
  await sandtable(`report ${runs[0]}`);
  stopClocks();
  await sandtable(`trace ${asked}`);
  const trials = readdirSync(join(sweep, 'runs')).map((name) => join(sweep, 'runs', name));
  for (const compared of [runs.slice(0, 2), runs, trials])
    await sandtable(`compare ${compared.join(' ')} --html compare-${compared.length}.html`);
  writeFileSync('design.html', designPage());
  stopClocks();
  return {
    report: join(runs[0]!, 'report.html'),
    'compare-2': 'compare-2.html',
    'compare-8': 'compare-8.html',
    'compare-40': 'compare-40.html',
    trace: join(asked, 'trace.html'),
    sweep: join(sweep, 'sweep.html'),
    stress: join(stress, 'stress.html'),
    study: join(study, 'study.html'),
    leaderboard: 'runs/leaderboard.html',
    design: 'design.html',
  };
}

/** Replaces values that depend on the real clock: measured times and modification times of files. */
function stopClocks(): void {
  for (const file of readdirSync('runs', { recursive: true, encoding: 'utf8' })) {
    const path = join('runs', file);
    if (basename(file) === 'timing.json') writeFileSync(path, stoppedTimes(readFileSync(path, 'utf8')));
    utimesSync(path, NOON, NOON);
  }
}

/**
 * Returns `timing.json` with constant times. `calls` are counts and remain unchanged; `decisions` contains
 * `bar:milliseconds` pairs.
 */
function stoppedTimes(text: string): string {
  const stopped = (key: string, value: unknown): unknown => {
    if (key === 'decisions') return String(value).replaceAll(/:[\d.]+/g, ':12');
    return typeof value === 'number' && key !== 'calls' ? 12 : value;
  };
  return JSON.stringify(JSON.parse(text, stopped));
}
