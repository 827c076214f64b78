import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Browser } from 'playwright-core';
import { ruleDecider, runBacktest, simulateMarket } from 'sandtable';
import { browserPath } from '../features/support/browser.ts';
import { startServer, traceOfRun } from '../src/pages/index.ts';
import smaCross from '../strategies/sma-cross.ts';
import { decisionLines } from '../test/support/decisions.ts';
import { type Benchmark, type Figure, median } from './figure.ts';

const BARS = 100_000;
const DECISIONS = 5_000;
const RUNS = 3;

async function ruleLines(): Promise<string> {
  const lines: string[] = [];
  await runBacktest({
    market: simulateMarket({ seed: 4, bars: BARS, interval: '5min' }),
    decider: ruleDecider(smaCross, smaCross.parameters.parse({ fast: 20, slow: 50 }), undefined),
    settings: { cash: '1000000', commissionRate: 0.0002 },
    onEvent: (event) => lines.push(JSON.stringify(event)),
  });
  return `${lines.join('\n')}\n`;
}

/**
 * Measures how fast a trace opens in a browser without a graphics card, and how fast it then shows one of its
 * last bars.
 */
async function opening(browser: Browser, address: string, bar: number, named: string): Promise<Figure[]> {
  const taken = { paint: [] as number[], ready: [] as number[], far: [] as number[], heap: [] as number[] };
  for (let run = 0; run < RUNS; run++) {
    const page = await browser.newPage({ viewport: { width: 1440, height: 900 } });
    const startedAt = performance.now();
    await page.goto(address);
    await page.locator('body[data-ready]').waitFor({ state: 'attached' });
    taken.ready.push(performance.now() - startedAt);
    const paints = await page.evaluate(
      () => performance.getEntriesByName('first-contentful-paint')[0]?.startTime ?? 0,
    );
    taken.paint.push(paints);
    const askedAt = performance.now();
    await page.evaluate((far) => {
      location.hash = `bar=${far}`;
    }, bar);
    await page.locator('#view-title', { hasText: `Bar ${bar} ` }).waitFor();
    taken.far.push(performance.now() - askedAt);
    const session = await page.context().newCDPSession(page);
    await session.send('HeapProfiler.collectGarbage');
    taken.heap.push((await session.send('Runtime.getHeapUsage')).usedSize / 1e6);
    await page.close();
  }
  return [
    { name: `${named}: its first paint`, value: median(taken.paint) / 1000, unit: 's' },
    { name: '… list, lane and chart ready', value: median(taken.ready) / 1000, unit: 's', reach: '≤ 3' },
    { name: '… to a bar at its end', value: median(taken.far) / 1000, unit: 's' },
    { name: '… memory of its script', value: median(taken.heap), unit: 'MB' },
  ];
}

async function traceFigures(): Promise<Figure[]> {
  const executablePath = browserPath();
  if (executablePath === undefined) {
    process.stderr.write('no Chromium: traces are not measured\n');
    return [];
  }
  const { chromium } = await import('playwright-core');
  const folder = mkdtempSync(join(tmpdir(), 'sandtable-bench-'));
  const browser = await chromium.launch({ executablePath, args: ['--no-sandbox', '--disable-gpu'] });
  try {
    const figures: Figure[] = [];
    for (const [name, journal, bar] of [
      [`trace of ${BARS} bars of rules`, await ruleLines(), BARS - 10],
      [`trace of ${DECISIONS} decisions of a model`, decisionLines(DECISIONS), DECISIONS - 10],
    ] as const) {
      const run = mkdtempSync(join(folder, 'run-'));
      writeFileSync(join(run, 'journal.jsonl'), journal);
      const startedAt = performance.now();
      const { page } = await traceOfRun(run);
      const file = join(run, 'trace.html');
      writeFileSync(file, page);
      figures.push(
        { name: `${name}: trace.html, made`, value: (performance.now() - startedAt) / 1000, unit: 's' },
        { name: '… its size', value: readFileSync(file).length / 1e6, unit: 'MB' },
        ...(await opening(browser, pathToFileURL(file).href, bar, '… from a file')),
      );
      const server = await startServer({ folder, port: 0, onProblem: () => undefined });
      const { origin } = new URL(server.url);
      const address = `${origin}/runs/${run.split('/').at(-1)}/trace`;
      figures.push(...(await opening(browser, address, bar, '… by serve')));
      await server.close();
    }
    return figures;
  } finally {
    await browser.close();
    rmSync(folder, { recursive: true });
  }
}

export const traceBenchmarks: Readonly<Record<string, Benchmark>> = { trace: traceFigures };
