import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { runStrategy } from 'sandtable';
import { browserPath } from '../features/support/browser.ts';
import { startServer } from '../src/pages/index.ts';
import { type Benchmark, type Figure, median } from './figure.ts';

const RUNS = 2_000;
const FILES = ['journal.jsonl', 'manifest.json', 'summary.json'];

/** Creates a folder of runs that differ in one parameter, based on the files of one real run. */
async function makeRuns(folder: string): Promise<void> {
  const one = join(folder, 'one');
  const { folder: made } = await runStrategy({
    strategy: 'strategies/sma-cross.ts',
    data: ['data/spx-daily.csv'],
    from: '2019-01-01',
    out: one,
  });
  const texts = FILES.map((file) => readFileSync(join(made!, file), 'utf8'));
  rmSync(one, { recursive: true });
  for (let run = 0; run < RUNS; run++) {
    const own = join(folder, `run-${String(run).padStart(4, '0')}`);
    mkdirSync(own);
    for (const [place, file] of FILES.entries())
      writeFileSync(join(own, file), texts[place]!.replaceAll(/"fast": ?10\b/g, `"fast":${run + 1}`));
  }
}

/** Measures how fast a list of 2,000 runs appears, and how long a browser needs for a search. */
async function listFigures(folder: string): Promise<Figure[]> {
  await makeRuns(folder);
  const startedAt = performance.now();
  const server = await startServer({ folder, port: 0 });
  try {
    const { origin } = new URL(server.url);
    const first = await fetch(`${origin}/`).then((answer) => answer.text());
    const listed = performance.now() - startedAt;
    const again: number[] = [];
    for (let ask = 0; ask < 5; ask++) {
      const askedAt = performance.now();
      await fetch(`${origin}/`).then((answer) => answer.text());
      again.push(performance.now() - askedAt);
    }
    const figure = (name: string, value: number, unit: string): Figure => ({ name, value, unit });
    return [
      {
        ...figure('serve with 2,000 runs, from its start to its list', listed / 1000, 's'),
        reach: '≤ 2',
      },
      figure('… its list once more', median(again), 'ms'),
      figure('… its page', Buffer.byteLength(first) / 1e6, 'MB'),
      ...(await searchFigures(server.url)),
    ];
  } finally {
    await server.close();
  }
}

async function searchFigures(address: string): Promise<Figure[]> {
  const executablePath = browserPath();
  if (executablePath === undefined) return [];
  const { chromium } = await import('playwright-core');
  const browser = await chromium.launch({ executablePath, args: ['--no-sandbox', '--disable-gpu'] });
  try {
    const page = await browser.newPage({ viewport: { width: 1440, height: 900 } });
    await page.goto(address);
    await page.locator('#runs tr[data-run]').first().waitFor();
    const session = await page.context().newCDPSession(page);
    // Measures the time of the page's thread, so that other work on the machine does not count.
    await session.send('Performance.enable', { timeDomain: 'threadTicks' });
    const spent = async (): Promise<number> => {
      const { metrics } = await session.send('Performance.getMetrics');
      const of = (name: string): number => metrics.find((one) => one.name === name)?.value ?? 0;
      return (of('ScriptDuration') + of('LayoutDuration') + of('RecalcStyleDuration')) * 1000;
    };
    const times: number[] = [];
    for (const text of ['fast:7', 'sma', 'state:failed', 'fast:1999', '']) {
      const before = await spent();
      await page.locator('#search').fill(text);
      await page.evaluate(() => new Promise((done) => requestAnimationFrame(() => setTimeout(done))));
      times.push((await spent()) - before);
    }
    return [{ name: '… a search, with layout', value: median(times), unit: 'ms', reach: '≤ 100' }];
  } finally {
    await browser.close();
  }
}

export const listBenchmarks: Readonly<Record<string, Benchmark>> = {
  async list() {
    const folder = mkdtempSync(join(tmpdir(), 'sandtable-bench-'));
    try {
      return await listFigures(folder);
    } finally {
      rmSync(folder, { recursive: true });
    }
  },
};
