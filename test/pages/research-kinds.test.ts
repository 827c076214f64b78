import {
  copyFileSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { DESK_TO_KILL } from '../../bench/kill-resume.ts';
import { browserPath, closeBrowser, openPage } from '../../features/support/browser.ts';
import { projectPath } from '../../features/support/command-line.ts';
import type { ScriptInput } from '../../src/agents/index.ts';
import { percent, ratio, signedPercent } from '../../src/pages/shared/number-formats.ts';
import { computeMetrics } from '../../src/results/analysis/index.ts';
import { readRun, type SweepResult } from '../../src/results/runs/index.ts';
import { skipBecause } from '../missing.ts';
import { sampled } from '../support/depth.ts';
import { inFolder, made, sandtable } from './gallery/commands.ts';
import { SCRIPT, TRADER } from './gallery/inputs.ts';
import { expectFigures, texts } from './gallery/report-figures.ts';

if (browserPath() === undefined)
  skipBecause('There is no Chromium: pages of models and sweeps were not looked at.');

describe.skipIf(browserPath() === undefined)('the page of a run or sweep', () => {
  let folder: string;
  beforeAll(async () => {
    folder = realpathSync(mkdtempSync(join(tmpdir(), 'sandtable-kinds-')));
    copyFileSync(projectPath('strategies/sma-cross.ts'), join(folder, 'rule.ts'));
    writeFileSync(join(folder, 'trader.md'), TRADER);
    writeFileSync(join(folder, 'desk.md'), DESK_TO_KILL.strategy);
    const bars = 'data simulate --bars 300 --seed 3 --regime trend --out prices.csv';
    await inFolder(folder, SCRIPT, () => sandtable(bars));
  });
  afterAll(async () => {
    rmSync(folder, { recursive: true });
    await closeBrowser();
  });

  const make = (script: ScriptInput, line: string): Promise<string> =>
    inFolder(folder, script, async () => join(folder, await made(line)));

  async function opened(file: string): Promise<{ page: Page; complaints: string[] }> {
    const { page, complaints } = await openPage(pathToFileURL(file).href, 1280, 900);
    await page.locator('main').waitFor();
    return { page, complaints };
  }

  it.each(
    sampled(
      [
        // The script buys in April according to the dates it sees. With masked dates, these are other months.
        ['a model behind a mask', SCRIPT, 'run trader.md --mask symbols,dates,prices', 20],
        ['a desk of four', DESK_TO_KILL.script, 'run desk.md', 40],
      ] as const,
      2,
    ),
  )('%s shows in a browser the results of the analysis', async (_, script, line, least) => {
    const run = await make(script, line);
    const { record } = readRun(run);
    expect(record.fills.length).toBeGreaterThanOrEqual(least);
    const { page, complaints } = await opened(join(run, 'report.html'));
    await page.locator('body[data-ready]').waitFor({ state: 'attached' });
    await expectFigures(page, record);
    // The report of a masked run shows the real dates.
    const [first = ''] = await texts(page, '#trades tbody tr[data-trade]');
    expect(first).toContain([...record.trades, ...record.openTrades][0]!.entryTime);
    expect(complaints).toEqual([]);
    await page.context().close();
  });

  it('a sweep shows in a browser the analysis of the runs of its trials', async () => {
    const sweep = await make(
      SCRIPT,
      'sweep rule.ts --param fast=4:8:1 slow=20,40 --keep all --jobs 1 --commission 0.001',
    );
    const { objective, top, best } = JSON.parse(
      readFileSync(join(sweep, 'sweep.json'), 'utf8'),
    ) as SweepResult;
    expect(objective.text).toBe('sharpe');
    const trials = readdirSync(join(sweep, 'runs')).map((name) => readRun(join(sweep, 'runs', name)));
    const found = trials.map(({ record }) => ({
      parameters: record.started.strategy.parameters as Record<string, unknown>,
      metrics: computeMetrics(record),
      trades: record.trades.length,
    }));
    expect(found).toHaveLength(10);
    found.sort((one, other) => other.metrics.sharpe.value! - one.metrics.sharpe.value!);
    const { page, complaints } = await opened(join(sweep, 'sweep.html'));
    const rows = await page
      .getByRole('table', { name: 'The ten best' })
      .locator('tbody tr')
      .evaluateAll((all) =>
        all.map((row) => [...row.querySelectorAll('th, td')].map((cell) => (cell.textContent ?? '').trim())),
      );
    const names = Object.keys(top[0]!.parameters);
    for (const [place, { parameters, metrics, trades }] of found.entries()) {
      const row = rows[place]!;
      expect(row.slice(1, 1 + names.length)).toEqual(names.map((name) => String(parameters[name])));
      expect(row.slice(-4)).toEqual([
        signedPercent(metrics.totalReturn.value),
        ratio(metrics.sharpe.value),
        percent(metrics.maxDrawdown.value),
        String(trades),
      ]);
    }
    const tiles = await texts(page, '#best .tiles dd');
    expect(best).not.toBeNull();
    const first = found[0]!.metrics;
    expect(tiles[0]).toContain(signedPercent(first.totalReturn.value));
    expect(tiles[1]).toContain(signedPercent(first.cagr.value));
    expect(tiles[2]).toContain(percent(first.maxDrawdown.value));
    expect(tiles[3]).toContain(ratio(first.sharpe.value));
    expect(complaints).toEqual([]);
    await page.context().close();
  });
});
