import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Page } from 'playwright-core';
import { ruleDecider, runBacktest, simulateMarket } from 'sandtable';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { browserPath, closeBrowser, openPage } from '../../features/support/browser.ts';
import type { RunEvent } from '../../src/engine/index.ts';
import { type RunRecord, recordOf } from '../../src/journal/index.ts';
import { reportPage } from '../../src/pages/index.ts';
import { percent, ratio, signedPercent } from '../../src/pages/shared/number-formats.ts';
import { computeMetrics, recordBetween } from '../../src/results/analysis/index.ts';
import smaCross from '../../strategies/sma-cross.ts';
import { skipBecause } from '../missing.ts';
import { sampled } from '../support/depth.ts';
import { runRecord } from '../support/records.ts';
import { expectFigures, texts, tile } from './gallery/report-figures.ts';

const HOSTILE = '"><img src=x onerror=alert(1)></script>';

interface Sketch {
  readonly bars: number;
  readonly interval?: '1d' | '1h';
  readonly fast?: number;
  readonly slow?: number;
  readonly settings?: Record<string, unknown>;
}

async function ran({ bars, interval = '1d', fast = 5, slow = 12, settings }: Sketch): Promise<RunEvent[]> {
  const events: RunEvent[] = [];
  await runBacktest({
    market: simulateMarket({ seed: 9, bars, interval }),
    decider: ruleDecider(smaCross, smaCross.parameters.parse({ fast, slow }), undefined),
    settings: { cash: '100000', commissionRate: 0.0005, slippageBps: 2, ...settings },
    onEvent: (event) => events.push(event),
  });
  return JSON.parse(JSON.stringify(events)) as RunEvent[];
}

const of = async (sketch: Sketch): Promise<RunRecord> => recordOf(await ran(sketch));

/** Creates a run with twenty symbols. Each symbol has its own price path and one round trip. */
function twentyNames(): RunRecord {
  const symbols = Array.from({ length: 20 }, (_, at) => (at === 7 ? HOSTILE : `N${at}`));
  const closes = (bar: number) => symbols.map((_, at) => 50 + at + Math.sin(bar / 7 + at) * 5);
  const trades = symbols.map((symbol, at) => ({
    symbol,
    netPnl: String(at * 10 - 80),
    exitReason: HOSTILE,
    bar: 90,
  }));
  let equity = 1000;
  return runRecord({
    cash: '1000',
    symbols,
    equity: Array.from({ length: 120 }, (_, bar) => (equity *= 1 + Math.sin(bar) / 100)),
    prices: Array.from({ length: 120 }, (_, bar) =>
      closes(bar).map((close) => [close, close + 1, close - 1, close, 100] as const),
    ),
    trades,
    fills: symbols.map((symbol) => ({ symbol, quantity: '1', price: '50', bar: 2, reason: HOSTILE })),
  });
}

const KINDS: readonly (readonly [name: string, make: () => Promise<RunRecord> | RunRecord])[] = [
  ['daily', () => of({ bars: 900 })],
  ['intraday', () => of({ bars: 2400, interval: '1h' })],
  [
    'of more than ten thousand bars and thousands of trades',
    () => of({ bars: 13_000, interval: '1h', fast: 1, slow: 2 }),
  ],
  ['without a trade', () => of({ bars: 100, fast: 200, slow: 300 })],
  ['of one trade', () => of({ bars: 400, fast: 100, slow: 300 })],
  ['of one bar', () => of({ bars: 1 })],
  ['of twenty names', twentyNames],
  ['bankrupt', () => runRecord({ cash: '100', equity: [100, 60, -5, -5], trades: [{ netPnl: '-105' }] })],
  ['killed', async () => recordOf((await ran({ bars: 300 })).slice(0, -1))],
  [
    'crashed',
    async () => {
      const events = await ran({ bars: 300 });
      const error = { code: 'decider_failed', message: HOSTILE };
      return recordOf([...events.slice(0, -1), { ...events.at(-1)!, outcome: 'failed', error } as RunEvent]);
    },
  ],
  ['with a date that figures begin at', () => of({ bars: 500, settings: { evaluateFrom: '2000-12-01' } })],
];

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'sandtable-kinds-'));
});
afterAll(async () => {
  rmSync(folder, { recursive: true });
  await closeBrowser();
});

async function opened(record: RunRecord, part = ''): Promise<{ page: Page; complaints: string[] }> {
  const file = join(folder, 'report.html');
  writeFileSync(file, reportPage({ runId: 'r', record, manifest: undefined }));
  const { page, complaints, requests } = await openPage(pathToFileURL(file).href + part, 1280, 900);
  await page.locator('body[data-ready]').waitFor({ state: 'attached' });
  expect(requests.filter((address) => !address.endsWith('/report.html'))).toEqual([]);
  return { page, complaints };
}

/** Waits until the page has drawn the selected period. */
const settled = (page: Page): Promise<void> =>
  page.locator('body[data-ready]:not([data-working])').waitFor({ state: 'attached' });

if (browserPath() === undefined) skipBecause('There is no Chromium: reports were not looked at.');

describe.skipIf(browserPath() === undefined)('the report of a run', () => {
  it.each(sampled(KINDS, 3))('%s shows in a browser the results of the analysis', async (_, make) => {
    const record = await make();
    const { page, complaints } = await opened(record);
    await expectFigures(page, record);
    expect(complaints).toEqual([]);
    if (record.error !== undefined)
      expect(await texts(page, '.failure')).toEqual([expect.stringContaining(HOSTILE)]);
    await page.context().close();
  });

  it('for a part of its period shows the analysis of the same bars', async () => {
    const record = await of({ bars: 900 });
    const from = record.bars[200]!.date.slice(0, 10);
    const to = record.bars[600]!.date.slice(0, 10);
    const { page, complaints } = await opened(record, `#range=${from}..${to}&filter=side%3Ashort`);
    const part = recordBetween(record, Date.parse(from), Date.parse(to) + 86_400_000)!;
    const metrics = computeMetrics(part, { periodsPerYear: computeMetrics(record).periodsPerYear });
    const own = await texts(page, '#spine-table tbody tr td:nth-of-type(1)');
    expect(own[0]).toBe(signedPercent(metrics.totalReturn.value));
    expect(own[3]).toBe(ratio(metrics.sharpe.value));
    expect(own[5]).toBe(percent(metrics.maxDrawdown.value));
    expect(await tile(page, 'Total return')).toBe(signedPercent(metrics.totalReturn.value));
    const short = part.trades.filter(({ side }) => side === 'short');
    expect(await page.locator('#trades tbody tr[data-trade]').count()).toBe(short.length);
    expect(complaints).toEqual([]);
    await page.context().close();
  });

  it('with a period and a trade in its address shows the trade in the chart', async () => {
    const record = await of({ bars: 900 });
    const [from, to] = [100, 800].map((bar) => record.bars[bar]!.date.slice(0, 10));
    const { page, complaints } = await opened(record, `#range=${from}..${to}&trade=12`);
    await settled(page);
    await page.getByRole('button', { name: 'Use as period' }).click();
    const hash = await page.evaluate(() => location.hash);
    const [first, last] = new URLSearchParams(hash.slice(1)).get('range')!.split('..').map(Date.parse);
    const entry = Date.parse(record.trades.find(({ id }) => id === 12)!.entryTime);
    expect(first).toBeLessThan(entry);
    expect(last! - first!).toBeLessThan(200 * 86_400_000);
    expect(complaints).toEqual([]);
    await page.context().close();
  });

  it('describes the bar of a key that was pressed immediately after another period was selected', async () => {
    const record = await of({ bars: 900 });
    const { page } = await opened(record);
    await page.evaluate(() => {
      const preset = document.getElementById('preset') as HTMLSelectElement;
      preset.value = '0';
      preset.dispatchEvent(new Event('change'));
      document.getElementById('time-chart')?.dispatchEvent(new KeyboardEvent('keydown', { key: 'Home' }));
    });
    await settled(page);
    expect(await page.locator('#readout b').textContent()).toContain(record.bars[0]!.date.slice(0, 10));
    await page.context().close();
  });

  it('highlights the selected fill even after its chart was drawn again', async () => {
    const { page } = await opened(await of({ bars: 900 }));
    const box = (name: string) => page.locator(`[data-pane="${name}"]`);
    for (const name of ['equity', 'drawdown', 'exposure', 'rolling']) await box(name).uncheck();
    await page.getByRole('button', { name: 'Fill ▶' }).click();
    await page.locator('#time-chart').scrollIntoViewIfNeeded();
    // Only the highlight of a fill has the accent colour.
    const highlighted = (): Promise<number> =>
      page.evaluate(async () => {
        for (let frame = 0; frame < 3; frame++) await new Promise(requestAnimationFrame);
        const accent = getComputedStyle(document.documentElement).getPropertyValue('--accent').trim();
        const [red, green, blue] = [1, 3, 5].map((at) => Number.parseInt(accent.slice(at, at + 2), 16));
        let count = 0;
        for (const canvas of document.querySelectorAll<HTMLCanvasElement>('#time-chart canvas')) {
          if (canvas.width * canvas.height === 0) continue;
          const { data } = canvas.getContext('2d')!.getImageData(0, 0, canvas.width, canvas.height);
          for (let at = 0; at < data.length; at += 4)
            if (data[at] === red && data[at + 1] === green && data[at + 2] === blue && data[at + 3] === 255)
              count += 1;
        }
        return count;
      });
    await expect.poll(highlighted).toBeGreaterThan(0);
    await box('levels').uncheck();
    await expect.poll(highlighted).toBeGreaterThan(0);
    await page.context().close();
  });

  it('for a few months, with wide intervals, truncates no column of the comparison at 1280 px', async () => {
    const record = await of({ bars: 900 });
    const [from, to] = [200, 300].map((bar) => record.bars[bar]!.date.slice(0, 10));
    const { page } = await opened(record, `#range=${from}..${to}`);
    await page.setViewportSize({ width: 1280, height: 900 });
    const { scrollWidth, clientWidth } = await page
      .locator('#spine-table')
      .evaluate(({ scrollWidth, clientWidth }) => ({ scrollWidth, clientWidth }));
    expect(scrollWidth).toBeLessThanOrEqual(clientWidth);
    await page.context().close();
  });
});
