import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { sandtable } from '../../../test/support/sandtable.ts';
import type { StudyReport } from '../../analysis/index.ts';
import { simulateMarket, toCsv } from '../../market/index.ts';

const root = mkdtempSync(join(tmpdir(), 'sandtable-random-match-'));
afterAll(() => rmSync(root, { recursive: true }));

/** Arms without skill, whose actions depend only on the number of the bar. */
const ARMS = {
  // Always in the market, alternately long and short, with the whole equity.
  turning: `if (bar % 9 === 0) orders.submit({ action: 'target', symbol: symbols[0], targetFraction: bar % 18 === 0 ? 0.9999 : -0.9999 });`,
  // One symbol at a time, never flat.
  switching: `if (bar % 7 === 0) orders.rebalance({ weights: { [symbols[(bar * 13) % symbols.length]]: 0.98 } });`,
  // Weights that change every week.
  weekly: `if (bar % 5 === 0) orders.rebalance({ weights: Object.fromEntries(symbols.map((symbol, place) => [symbol, ((bar * 7 + place * 11) % 23) / 100])) });`,
  // In and out within a bar.
  inside: `const symbol = symbols[bar % symbols.length];
    if (bar % 3 === 0 && account.units(symbol) === 0)
      orders.submit({ action: 'buy', symbol, equityFraction: 0.5, stopLoss: { fraction: 0.004 }, takeProfit: { fraction: 0.004 } });`,
  // Flat for a while, in the market at the end of each window.
  late: `if (bar % 20 === 0) orders.rebalance({ weights: { [symbols[0]]: 0.5, [symbols[1]]: 0.3 } });
    if (bar % 20 === 12) for (const symbol of symbols) if (account.units(symbol) !== 0) orders.close({ symbol });`,
} as const;

describe('random agents', () => {
  it('have the exposure and the turnover of their arm, and say nothing of arms without skill', async () => {
    const { series } = simulateMarket({ seed: 21, bars: 330, symbols: ['A', 'B', 'C', 'D'] });
    mkdirSync(join(root, 'data'));
    for (const one of series) writeFileSync(join(root, 'data', `${one.symbol}.csv`), toCsv(one));
    for (const [name, body] of Object.entries(ARMS))
      writeFileSync(
        join(root, `${name}.ts`),
        `import { defineStrategy } from 'sandtable';
export default defineStrategy({ name: '${name}', summary: '', onBar({ bar, symbols, account, orders }) { ${body} } });`,
      );
    writeFileSync(
      join(root, 'study.yaml'),
      `name: match
strategies: [${Object.keys(ARMS)
        .map((name) => `${name}.ts`)
        .join(', ')}]
windows: { rolling: { from: 2000-03-01, to: 2000-12-31, length: 5m, step: 5m } }
data: data
settings: { commission: { model: rate, rate: 0.0005 }, slippage: { model: bps, bps: 2 } }
random: 19
seed: 4
`,
    );
    const out = join(root, 'out');
    const { exitCode, stderr } = await sandtable([
      'study',
      join(root, 'study.yaml'),
      '--out',
      out,
      '--jobs',
      '1',
    ]);
    expect(stderr).not.toContain('error');
    expect(exitCode).toBe(0);
    const folder = readdirSync(out).find((name) => name.includes('study'))!;
    const { arms } = JSON.parse(readFileSync(join(out, folder, 'study.json'), 'utf8')) as StudyReport;
    expect(arms.map(({ name }) => name)).toEqual(Object.keys(ARMS));
    for (const { name, random } of arms) {
      const { exposure, ownExposure, turnover, ownTurnover } = random!;
      expect(Math.abs(exposure! - ownExposure!), `exposure of ${name}`).toBeLessThan(0.03);
      expect(Math.abs(turnover! / ownTurnover! - 1), `turnover of ${name}`).toBeLessThan(0.1);
    }
    // Without skill p is anywhere from 0 to 1.
    const ps = arms.map(({ random }) => random!.p);
    expect(Math.min(...ps)).toBeGreaterThan(0.05 / arms.length);
    expect(ps.reduce((sum, p) => sum + p, 0) / ps.length).toBeLessThan(0.85);
  }, 300_000);
});
