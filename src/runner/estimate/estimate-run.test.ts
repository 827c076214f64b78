import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, it } from 'vitest';
import { simulateMarket } from '../../market/index.ts';
import { SILENT } from '../context.ts';
import { runRequested } from '../run-requested.ts';
import type { CostEstimate, DecisionUsage } from './amounts.ts';

const root = mkdtempSync(join(tmpdir(), 'sandtable-estimate-'));
afterAll(() => rmSync(root, { recursive: true }));
const market = simulateMarket({ seed: 4, bars: 12, symbols: ['AAA'], start: '2024-01-01' });

async function estimated(schedule: string, known: readonly DecisionUsage[] | undefined) {
  const strategy = join(root, 'prompt.md');
  const head = ['name: prompt', 'summary: s', 'model: gpt-4.1-mini', 'tools: [trade_execute]', schedule];
  writeFileSync(strategy, `---\n${head.join('\n')}\n---\nTrade {{symbols}}.\n`);
  const stages: string[] = [];
  let found: CostEstimate | undefined;
  const onEstimate = (estimate: CostEstimate): void => {
    found = estimate;
  };
  const end = await runRequested(
    {
      ...{ strategy, market, parameters: {}, settings: {}, options: { out: join(root, 'runs') } },
      estimate: { known, onEstimate },
    },
    {
      environment: { OPENAI_API_KEY: 'none' },
      observer: { ...SILENT, stage: (text) => stages.push(text) },
      listen: () => ({ signal: new AbortController().signal, release: () => undefined }),
    },
  );
  expect(end).toBeUndefined();
  expect(readdirSync(root)).toEqual(['prompt.md']);
  return { found, stages };
}

it('the costs of a prompt are estimated from its decisions, without a request', async () => {
  const usage = { requests: 2, tokens: 100, usd: 0.5 };
  const { found, stages } = await estimated('schedule: { every_bars: 5 }', [usage]);
  const decisions = found!.decisions;
  expect(decisions).toBeGreaterThan(1);
  expect(decisions).toBeLessThan(12);
  const amount = (each: number) => ({
    ...{ expected: each * decisions, low: 0.5 * each * decisions, high: 3 * each * decisions },
  });
  expect(found).toEqual({
    ...{ decisions, requests: amount(2), tokens: amount(100), usd: amount(0.5) },
    ...{ basis: 'recorded runs', observed: 1 },
  });
  expect(stages).toEqual(['Counting decisions']);
});
