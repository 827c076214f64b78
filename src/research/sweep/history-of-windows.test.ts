import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { formatInstant } from '../../kernel/index.ts';
import { simulateMarket, toCsv } from '../../market/index.ts';
import { type SweepOptions, sweepFromCode as sweep } from './sweep-from-code.ts';

const root = mkdtempSync(join(tmpdir(), 'sandtable-history-'));
afterAll(() => rmSync(root, { recursive: true }));

const [series] = simulateMarket({ seed: 11, bars: 400, symbols: ['AAA'], start: '2014-01-01' }).series;
const dates = Array.from(series!.time, (time) => formatInstant(time));
const written = (name: string, text: string): string => {
  writeFileSync(join(root, name), text);
  return join(root, name);
};
const data = written('aaa.csv', toCsv(series!));

const strategyOf = (name: string, condition: string): string =>
  written(
    `${name}.ts`,
    `import { defineStrategy, z } from 'sandtable';
export default defineStrategy({
  name: '${name}', summary: '', parameters: z.object({ quantity: z.coerce.number() }),
  onBar({ bar, window, account, orders }, { parameters: { quantity } }) {
    if (${condition}) orders.submit({ action: 'buy', quantity });
  },
});`,
  );
const flat = 'account.positions().length === 0 && orders.pending().length === 0';

async function swept(name: string, condition: string, terms: Partial<SweepOptions>) {
  const out = join(root, `${name}-runs`);
  const strategy = strategyOf(name, condition);
  const { result, folder } = await sweep({
    strategy,
    data,
    out,
    jobs: 1,
    keep: 'none',
    parameters: { quantity: '10,20' },
    ...terms,
  });
  return { result: result!, page: readFileSync(join(folder, 'sweep.html'), 'utf8') };
}

describe('a window of a walk-forward', () => {
  it('sees all earlier bars of a strategy without warmUpBars, and states how many', async () => {
    const { result, page } = await swept('seasoned', `window.close.length >= 200 && ${flat}`, {
      walkForward: 'train=4m,test=1m',
      objective: 'totalReturn',
    });
    const { windows, history } = result.walkForward!;
    expect(windows.length).toBeGreaterThan(5);
    for (const { train, test, tradeCount } of windows) {
      expect(train.historyBars).toBe(dates.indexOf(train.from));
      expect(test.historyBars).toBe(dates.indexOf(test.from));
      // A window has at most 23 bars, so at most `seen` bars are visible at its end. The strategy buys once
      // if at least 200 bars are visible. The position is closed at the end of the window.
      const seen = test.historyBars! + 23;
      if (seen < 200 || test.historyBars! >= 200) expect(tradeCount).toBe(seen < 200 ? 0 : 1);
    }
    expect(windows.some(({ tradeCount }) => tradeCount === 0)).toBe(true);
    expect(page).toContain(history);
    expect(page).toContain('Bars of history (trained, tested)');
  });
});

describe('a group of a cross-validation', () => {
  it('sees all earlier bars and starts without positions', async () => {
    const { result, page } = await swept('once', 'bar === 10', { crossValidate: 'cpcv:groups=4,test=1' });
    const { windows, splits } = result.crossValidation!;
    expect(windows.map(({ historyBars }) => historyBars)).toEqual([0, 100, 200, 300]);
    expect(windows.map(({ from, to }) => [from, to])).toEqual(
      [0, 100, 200, 300].map((first) => [dates[first], dates[first + 99]]),
    );
    // The only order is placed at bar 10, in the first group. Its position is not carried into the other
    // groups, so only the first group has a result other than 0.
    expect(splits.map(({ outOfSample }) => outOfSample !== 0)).toEqual([true, false, false, false]);
    expect(page).toContain('Bars of history');
    const seasoned = await swept('late', `window.close.length >= 250 && ${flat}`, {
      crossValidate: 'cpcv:groups=4,test=1,embargo=5d',
      objective: 'totalReturn',
    });
    const late = seasoned.result.crossValidation!;
    expect(late.splits.map(({ outOfSample }) => outOfSample !== 0)).toEqual([false, false, true, true]);
  });

  it('refuses an embargo longer than the group before the sweep begins', async () => {
    await expect(
      swept('refused', 'bar === 10', { crossValidate: 'cpcv:groups=4,test=2,embargo=2y' }),
    ).rejects.toMatchObject({
      code: 'bad_cross_validation',
      message: expect.stringContaining('The longest possible embargo is') as string,
    });
  });
});
