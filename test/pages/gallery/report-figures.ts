import type { Page } from 'playwright-core';
import { expect } from 'vitest';
import type { RunRecord } from '../../../src/journal/index.ts';
import { grouped, percent, ratio, signedPercent } from '../../../src/pages/shared/number-formats.ts';
import {
  benchmarkTable,
  breakdownsOf,
  computeMetrics,
  evaluated,
} from '../../../src/results/analysis/index.ts';

export const texts = (page: Page, selector: string): Promise<string[]> =>
  page.locator(selector).evaluateAll((all) => all.map((one) => (one.textContent ?? '').trim()));

export async function tile(page: Page, label: string): Promise<string> {
  const value = page.locator('#tiles div', { has: page.getByText(label, { exact: true }) }).locator('dd');
  return value.evaluate((one) => one.firstChild?.textContent ?? '');
}

/** Compares the figures of a report in a browser with the calculated metrics of the run. */
export async function expectFigures(page: Page, record: RunRecord): Promise<void> {
  const counted = evaluated(record);
  const metrics = computeMetrics(record);
  expect(await texts(page, '#verdict > strong')).toHaveLength(1);
  const own = await texts(page, '#spine-table tbody tr td:nth-of-type(1)');
  const { totalReturn, cagr, volatility, sharpe, sortino, maxDrawdown, conditionalValueAtRisk } = metrics;
  expect(own).toEqual([
    signedPercent(totalReturn.value),
    signedPercent(cagr.value),
    percent(volatility.value),
    ratio(sharpe.value),
    ratio(sortino.value),
    percent(maxDrawdown.value),
    percent(conditionalValueAtRisk.value),
    percent(metrics.meanExposure.value, 1),
    ratio(metrics.turnover.value),
  ]);
  const held = await texts(page, '#spine-table tbody tr td:nth-of-type(2)');
  const rows = benchmarkTable(record, metrics);
  expect(held[0]).toBe(signedPercent(rows[0]!.benchmark));
  expect(held[3]).toBe(ratio(rows[3]!.benchmark));
  const profit = grouped(Number(metrics.attribution.profit));
  expect(await tile(page, 'Total return')).toBe(signedPercent(totalReturn.value));
  expect(await tile(page, 'Sharpe ratio')).toBe(ratio(sharpe.value));
  expect(await tile(page, 'Max drawdown')).toBe(percent(maxDrawdown.value));
  expect(await tile(page, 'Closed trades')).toBe(grouped(record.trades.length, 0));
  expect((await texts(page, '#waterfall .sum')).at(-1)).toBe(profit);
  expect((await texts(page, '#pivot .sum td')).find((text) => text !== '')).toBe(profit);
  const sides = breakdownsOf(counted).find(({ title }) => title === 'Side')!.groups;
  if (record.started.symbols.length === 1)
    for (const { name, netPnl, trades } of sides) {
      const row = page.locator('#pivot tbody tr', {
        has: page.getByRole('button', { name, exact: true }),
      });
      expect(await row.locator('td').nth(0).textContent()).toBe(grouped(trades, 0));
      expect(await row.locator('td').nth(2).textContent()).toBe(grouped(Number(netPnl)));
    }
  const nets = await texts(page, '#trades tbody tr[data-trade] td:nth-of-type(10)');
  const all = [...record.trades, ...record.openTrades].map(({ netPnl }) => grouped(Number(netPnl)));
  expect(nets).toEqual(all.slice(0, 100));
}
