import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
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
import { startServer } from '../../src/pages/serve/server.ts';
import { percent, signedPercent } from '../../src/pages/shared/number-formats.ts';
import smaCross from '../../strategies/sma-cross.ts';
import { skipBecause } from '../missing.ts';
import { runRecord } from '../support/records.ts';
import { sandtable } from '../support/sandtable.ts';

if (browserPath() === undefined) skipBecause('There is no Chromium: labels of pages were not compared.');

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'sandtable-labels-'));
});
afterAll(async () => {
  rmSync(folder, { recursive: true });
  await closeBrowser();
});

/**
 * Returns each label of a report with its value: tiles, comparison table, all figures, and the parts of the
 * profit.
 */
async function labelled(page: Page): Promise<[label: string, value: string][]> {
  return page.evaluate(() => {
    const text = (element: Element | null | undefined): string => (element?.textContent ?? '').trim();
    const first = (element: Element | null): string => (element?.firstChild?.textContent ?? '').trim();
    const rows = (selector: string, column: number): [string, string][] =>
      [...document.querySelectorAll(selector)].map((row) => [
        first(row.querySelector('th')) || text(row.querySelector('td')),
        text(row.querySelectorAll('td')[column]),
      ]);
    return [
      ...[...document.querySelectorAll('#tiles div')].map((tile): [string, string] => [
        text(tile.querySelector('dt')),
        first(tile.querySelector('dd')),
      ]),
      ...rows('#spine-table tbody tr', 0),
      ...rows('#figures tbody tr', document.querySelector('#figures tbody th') === null ? 1 : 0),
    ];
  });
}

async function opened(record: RunRecord): Promise<Page> {
  const file = join(folder, 'report.html');
  writeFileSync(file, reportPage({ runId: 'r', record, manifest: undefined }));
  const { page } = await openPage(pathToFileURL(file).href, 1280, 900);
  await page.locator('body[data-ready]').waitFor({ state: 'attached' });
  return page;
}

/** Returns labels with several different values. */
function ambiguous(found: readonly (readonly [string, string])[]): string[] {
  const labels = [...new Set(found.map(([label]) => label))];
  return labels.flatMap((label) => {
    const different = new Set(found.filter(([name]) => name === label).map(([, value]) => value));
    return different.size === 1 ? [] : [`${label}: ${[...different].join(' and ')}`];
  });
}

async function crossing(settings: Record<string, unknown> = {}): Promise<RunRecord> {
  const events: RunEvent[] = [];
  await runBacktest({
    market: simulateMarket({ seed: 9, bars: 900 }),
    decider: ruleDecider(smaCross, smaCross.parameters.parse({ fast: 5, slow: 12 }), undefined),
    settings: { cash: '100000', commissionRate: 0.0005, slippageBps: 2, ...settings },
    onEvent: (event) => events.push(event),
  });
  return recordOf(JSON.parse(JSON.stringify(events)) as RunEvent[]);
}

const hours = (count: number): number[] => Array.from({ length: count }, (_, hour) => hour);

describe.skipIf(browserPath() === undefined)('a label of a report', () => {
  it('has one value on the page', async () => {
    const page = await opened(await crossing());
    expect(ambiguous(await labelled(page))).toEqual([]);
    await page.context().close();
  });

  it('names closed trades before and after commission, and open positions', async () => {
    const page = await opened(await crossing());
    const waterfall = await page.locator('#waterfall-part').textContent();
    expect(waterfall).toContain('Closed trades before commission');
    const net = await page.locator('#pivot tbody tr', { hasText: 'long' }).locator('td').nth(2).textContent();
    const answer = await page.locator('#questions div', { hasText: 'Profit from where?' }).textContent();
    expect(answer).toContain('closed trades, net:');
    expect(answer).toContain(
      `long ${Math.round(Number(net!.replaceAll(',', '').replace('−', '-')))
        .toLocaleString('en')
        .replace('-', '−')}`,
    );
    await page.context().close();
  });

  it.each([
    ['flat before its first trade', runRecord({ cash: '100', equity: [100, 100, 100, 80, 90, 120] })],
    [
      'insolvent within a session',
      runRecord({
        cash: '100',
        equity: [...hours(24).map(() => 100), ...hours(20).map((hour) => 90 - hour), ...[70, 60, -5, -5]],
        dates: hours(48).map((hour) => new Date(Date.UTC(2024, 0, 1, hour)).toISOString()),
      }),
    ],
  ])('has one drawdown and the same dates everywhere: %s', async (_, record) => {
    const page = await opened(record);
    expect(ambiguous(await labelled(page))).toEqual([]);
    const days = async (selector: string): Promise<string[]> =>
      (await page.locator(`${selector} .date`).allTextContents())
        .slice(0, 2)
        .map((date) => date.slice(0, 10));
    const short = await days('#questions div:has(a[href="#drawdowns"])');
    expect(await days('#tiles div:has(dt:text-is("Worst drawdown"))')).toEqual(short);
    await page.context().close();
  });

  it('has one value on the page, in serve, on the terminal, in summary.json and in compare', async () => {
    const out = join(folder, 'runs');
    const words = ['strategies/sma-cross.ts', '--data', 'data/spx-daily.csv', '--to', '2004-01-01'];
    const { stdout } = await sandtable(['run', ...words, '--commission', '0.001', '--out', out]);
    await sandtable(['run', ...words, '--param', 'fast=7', '--out', out, '--quiet']);
    const [id] = readdirSync(out).filter((name) => stdout.includes(name));
    const run = join(out, id!);
    const file = await openPage(pathToFileURL(join(run, 'report.html')).href, 1280, 900);
    const onFile = await labelled(file.page);
    const server = await startServer({ folder: out, port: 0, onProblem: () => undefined });
    try {
      const served = await openPage(new URL(`/runs/${id}/report`, server.url).href, 1280, 900);
      expect(await labelled(served.page)).toEqual(onFile);
      for (const page of [file.page, served.page]) {
        expect(await page.locator('#luck .stamp').textContent()).toMatch(
          /read on \d{4}-\d\d-\d\d \d\d:\d\d UTC/,
        );
        await page.context().close();
      }
    } finally {
      await server.close();
    }
    const summary = JSON.parse(readFileSync(join(run, 'summary.json'), 'utf8'));
    const value = new Map(onFile);
    expect(value.get('Total return')).toBe(signedPercent(summary.totalReturn));
    expect(value.get('Worst drawdown')).toBe(percent(summary.maxDrawdown));
    const others = readdirSync(out).filter((name) => name !== id && !name.endsWith('.jsonl'));
    const compared = await sandtable(['compare', run, join(out, others[0]!), '--json']);
    const [first] = JSON.parse(compared.stdout).runs;
    expect(first.spine).toEqual(summary.spine);
    for (const label of ['Return', 'CAGR', 'Sharpe ratio', 'Worst drawdown', 'Win rate', 'Profit factor'])
      expect(
        stdout.split('\n').some((line) => line.includes(label) && line.includes(value.get(label)!)),
      ).toBe(true);
  });
});
