import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { isDeep, sampled } from '../../../test/support/depth.ts';
import { sandtable } from '../../../test/support/sandtable.ts';
import { simulateMarket, toCsv } from '../../market/index.ts';
import type { StudyReport } from '../../results/analysis/index.ts';

const place = mkdtempSync(join(tmpdir(), 'sandtable-random-match-'));
afterAll(() => rmSync(place, { recursive: true }));

/** Strategies without skill. The index of the bar, not the price, decides when they trade. */
const ARMS = {
  // Always invested with the whole equity, alternately long and short.
  turning: `if (bar % 9 === 0) orders.submit({ action: 'target', symbol: symbols[0], targetFraction: bar % 18 === 0 ? 0.9999 : -0.9999 });`,
  // Always invested in exactly one symbol, which changes every seven bars.
  switching: `if (bar % 7 === 0) orders.rebalance({ weights: { [symbols[(bar * 13) % symbols.length]]: 0.98 } });`,
  // Invested in several symbols with weights that change every five bars.
  weekly: `if (bar % 5 === 0) orders.rebalance({ weights: Object.fromEntries(symbols.map((symbol, place) => [symbol, ((bar * 7 + place * 11) % 23) / 100])) });`,
  // Enters at the open and usually exits within the same bar, because stop loss and take profit are close to
  // the price.
  inside: `const symbol = symbols[bar % symbols.length];
    if (bar % 3 === 0 && account.units(symbol) === 0)
      orders.submit({ action: 'buy', symbol, equityFraction: 0.5, stopLoss: { fraction: 0.004 }, takeProfit: { fraction: 0.004 } });`,
  // Invested for 12 of every 20 bars, and at the end of each window.
  late: `if (bar % 20 === 0) orders.rebalance({ weights: { [symbols[0]]: 0.5, [symbols[1]]: 0.3 } });
    if (bar % 20 === 12) for (const symbol of symbols) if (account.units(symbol) !== 0) orders.close({ symbol });`,
} as const;

type ArmName = keyof typeof ARMS;
const SETS: readonly (readonly [string, readonly ArmName[]])[] = [
  ['two arms', ['turning', 'weekly']],
  ['all arms', Object.keys(ARMS) as ArmName[]],
];

describe('random agents', () => {
  it.runIf(isDeep).each(sampled(SETS, 2))(
    'have the exposure and turnover of their arm, and find no skill in arms without skill: %s',
    async (_, names) => {
      const root = mkdtempSync(join(place, 'match-'));
      const { series } = simulateMarket({ seed: 21, bars: 330, symbols: ['A', 'B', 'C', 'D'] });
      mkdirSync(join(root, 'data'));
      for (const one of series) writeFileSync(join(root, 'data', `${one.symbol}.csv`), toCsv(one));
      for (const name of names)
        writeFileSync(
          join(root, `${name}.ts`),
          `import { defineStrategy } from 'sandtable';
export default defineStrategy({ name: '${name}', summary: '', onBar({ bar, symbols, account, orders }) { ${ARMS[name]} } });`,
        );
      writeFileSync(
        join(root, 'study.yaml'),
        `name: match
strategies: [${names.map((name) => `${name}.ts`).join(', ')}]
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
      expect(arms.map(({ name }) => name)).toEqual(names);
      for (const { name, random } of arms) {
        const { exposure, ownExposure, turnover, ownTurnover } = random!;
        expect(Math.abs(exposure! - ownExposure!), `exposure of ${name}`).toBeLessThan(0.03);
        expect(Math.abs(turnover! / ownTurnover! - 1), `turnover of ${name}`).toBeLessThan(0.1);
      }
      // For arms without skill, p-values lie anywhere between 0 and 1. A very small p-value, or a mean close
      // to 1, would be an error.
      const ps = arms.map(({ random }) => random!.p);
      expect(Math.min(...ps)).toBeGreaterThan(0.05 / arms.length);
      expect(ps.reduce((sum, p) => sum + p, 0) / ps.length).toBeLessThan(0.85);
    },
    300_000,
  );

  it('have a small p-value for the right times, 1 for the wrong times, and increase in between', async () => {
    const cycle = join(place, 'cycle');
    mkdirSync(cycle);
    // Prices alternately rise for five bars and fall for five bars. Each arm buys `lag` bars after the start
    // of a rise and sells five bars later.
    const lags = [0, 2, 3, 5];
    for (const lag of lags)
      writeFileSync(
        join(cycle, `lag-${lag}.ts`),
        `import { defineStrategy } from 'sandtable';
export default defineStrategy({ name: 'lag-${lag}', summary: '', onBar({ window, account, orders }) {
  const rises = Array.from({ length: 10 }, (_, at) => window.close.at(-1 - at) > window.close.at(-2 - at));
  const first = rises.findIndex((one, at) => at > 0 && one !== rises[at - 1]);
  const since = (rises[0] ? 0 : 5) + first - 1;
  if (account.units() > 0 && since === (${lag} + 4) % 10) orders.close();
  if (account.units() === 0 && since === (${lag} + 9) % 10) orders.submit({ action: 'buy', equityFraction: 0.9 });
} });`,
      );
    let close = 100;
    const rows = Array.from({ length: 200 }, (_, bar) => {
      const open = close;
      close *= bar % 10 < 5 ? 1.01 : 1 / 1.01;
      const date = new Date(Date.UTC(2020, 0, 1 + bar)).toISOString().slice(0, 10);
      return [date, open, Math.max(open, close), Math.min(open, close), close, 1e6].join(',');
    });
    writeFileSync(join(cycle, 'CYCLE.csv'), `date,open,high,low,close,volume\n${rows.join('\n')}\n`);
    writeFileSync(
      join(cycle, 'study.yaml'),
      `name: cycle
strategies: [${lags.map((lag) => `lag-${lag}.ts`).join(', ')}]
windows:
  - { name: one, from: 2020-02-01, to: 2020-04-10 }
  - { name: two, from: 2020-04-11, to: 2020-07-15 }
data: CYCLE.csv
random: 19
seed: 4
`,
    );
    const out = join(cycle, 'out');
    const { exitCode, stderr } = await sandtable([
      'study',
      join(cycle, 'study.yaml'),
      ...['--out', out, '--jobs', '1', '--quiet'],
    ]);
    expect([exitCode, stderr]).toEqual([0, expect.not.stringContaining('error')]);
    const folder = readdirSync(out).find((name) => name.includes('study'))!;
    const { arms } = JSON.parse(readFileSync(join(out, folder, 'study.json'), 'utf8')) as StudyReport;
    const ranks = arms.map(({ random }) => random!);
    const [right, early, late, wrong] = ranks.map(({ p }) => p) as [number, number, number, number];
    expect([right, wrong]).toEqual([1 / 20, 1]);
    expect(early).toBeGreaterThan(right);
    expect(late).toBeGreaterThan(early);
    expect(late).toBeLessThan(wrong);
    expect(ranks.map(({ percentile }) => percentile)).toEqual(
      ranks.map(({ p }) => expect.closeTo((20 - 20 * p) / 19, 9)),
    );
    for (const { p, pHolm } of ranks) expect(pHolm).toBeGreaterThanOrEqual(p);
    expect(ranks[0]!.pHolm).toBeCloseTo(4 / 20, 9);
  });
});
