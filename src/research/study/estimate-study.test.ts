import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { STUDY_CONTEXT } from '../../../test/support/study-context.ts';
import { simulateMarket, toCsv } from '../../market/index.ts';
import { estimateStudy } from './estimate-study.ts';

const folder = mkdtempSync(join(tmpdir(), 'sandtable-estimate-study-'));
afterAll(() => rmSync(folder, { recursive: true }));
const { series } = simulateMarket({ seed: 2, bars: 60, symbols: ['A'], interval: '1d', start: '2020-01-01' });
writeFileSync(join(folder, 'A.csv'), toCsv(series[0]!));
const dateOf = (bar: number): string => new Date(series[0]!.time[bar]!).toISOString().slice(0, 10);
writeFileSync(
  join(folder, 'trader.md'),
  '---\nmodel: m-1\ntools: [trade_execute]\nbase_url: http://127.0.0.1:9\n---\nTrade.\n',
);
writeFileSync(join(folder, 'script.json'), '{"orders": []}');

/** Estimates a study with windows of 10 and 20 bars. `known` is the usage of each earlier decision. */
function estimate(
  more: string,
  known: readonly { requests: number; tokens: number | null; usd: number | null }[],
  strategies = '[trader.md, script.json]',
) {
  const file = join(folder, 'study.yaml');
  const windows = [
    [10, 19],
    [30, 49],
  ].map(([from, to]) => `{ from: ${dateOf(from!)}, to: ${dateOf(to!)} }`);
  writeFileSync(
    file,
    `strategies: ${strategies}\ndata: A.csv\nwindows: [${windows.join(', ')}]\nrandom: 0\nbudget: { calls: 9 }\n${more}`,
  );
  return estimateStudy(file, known, STUDY_CONTEXT);
}

describe('the estimate of a study', () => {
  const usage = { requests: 2, tokens: 100, usd: 0.5 };
  const range = (expected: number) => ({ expected, low: expected / 2, high: expected * 3 });

  it('counts the decisions of a prompt in all windows, samples and simulated markets', async () => {
    const found = await estimate('samples: 3\nleakage: { counterfactual: { worlds: 2 } }\n', [usage]);
    // The windows have 10 and 20 bars. The first decision of a window is made on the bar before the window.
    // Three samples and two simulated markets repeat the decisions.
    const decisions = (11 + 21) * 5;
    expect(found).toEqual({
      ...{ name: 'study', probes: 0, unknown: [] },
      arms: [{ arm: 'trader', estimate: found.total }],
      total: {
        ...{ decisions, basis: 'recorded runs', observed: 1 },
        requests: range(2 * decisions),
        tokens: range(100 * decisions),
        usd: range(0.5 * decisions),
      },
    });
    expect((await estimate('', [usage])).total.decisions).toBe(11 + 21);
  });

  it('includes each question of a memory probe as an average request of a decision', async () => {
    const found = await estimate(
      'models: [own, { model: m-2, base_url: "http://127.0.0.1:9" }]\nleakage: { probe: 7 }\n',
      [{ requests: 4, tokens: 100, usd: null }],
    );
    expect(found.probes).toBe(14);
    const arms = found.arms.map(({ estimate: own }) => own);
    expect(found.arms.map(({ arm }) => arm)).toEqual(['trader · own', 'trader · m-2']);
    expect(found.total).toMatchObject({ decisions: 64, usd: null, observed: 2 });
    // 14 questions of 25 tokens each, at the most 75 tokens.
    const [one, other] = arms;
    const expected = one!.tokens!.expected + other!.tokens!.expected;
    expect(found.total.tokens).toEqual({
      expected: expected + 14 * 25,
      low: expected / 2,
      high: 3 * expected + 14 * 75,
    });
    expect(found.total.requests).toEqual({
      ...{ expected: 64 * 4 + 14, low: 64 * 2 + 14, high: 64 * 12 + 14 },
    });
  });

  it('names MCP clients, whose costs are unknown, and is empty without a prompt', async () => {
    const found = await estimate('', [usage], '[{ mcp: client, name: mine }, script.json]');
    expect(found).toMatchObject({ arms: [], unknown: ['mine'], probes: 0, total: { decisions: 0 } });
    const probes = await estimate('leakage: { probe: 7 }\n', [usage], '[script.json]');
    expect(probes).toMatchObject({ probes: 0, unknown: [], total: { requests: { expected: 0 } } });
  });
});
