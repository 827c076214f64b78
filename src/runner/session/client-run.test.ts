import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { readRunSettings } from '../../engine/index.ts';
import { simulateMarket } from '../../market/index.ts';
import { fitWorld, loadWorldFiles } from '../inputs/load-world.ts';
import { seenWorld } from '../inputs/market-view.ts';
import { toolExtras } from '../tool-extras.ts';
import { ClientRun } from './client-run.ts';

const root = mkdtempSync(join(tmpdir(), 'sandtable-client-'));
afterAll(() => rmSync(root, { recursive: true }));
const market = simulateMarket({ seed: 2, bars: 5, symbols: ['AAA'], start: '2024-01-01' });
const { open, close } = market.series[0]!;
const observer = { note: () => undefined, warn: () => undefined };

async function opened(own: object = {}) {
  const files = await loadWorldFiles({}, Promise.resolve({}), {}, observer, { market });
  const { settings, loaded } = fitWorld(files, readRunSettings({ cash: 100_000 }));
  return new ClientRun({
    ...{ loaded, view: seenWorld(loaded, settings, undefined), mask: undefined, extras: toolExtras({}) },
    toolkit: { tools: ['trade_execute', 'market_observe'] },
    ...{ sandbox: Promise.resolve(undefined), outFolder: root, project: undefined, client: () => 'raw 1' },
    ...own,
  });
}

describe('a run that an MCP client drives', () => {
  it('starts at the first call, and returns its result at the end', async () => {
    const run = await opened();
    await run.call('trade_execute', { action: 'buy', symbol: 'AAA', quantity: 10 });
    expect(await run.call('next_bar', { bars: 4 })).toMatchObject({ moved: 4, bar: 4 });
    const answer = (await run.call('finish', {})) as {
      folder: string;
      run: string;
      summary: Record<string, unknown>;
    };
    expect(answer).toMatchObject({
      ...{ finished: true, outcome: 'completed', folder: join(root, answer.run) },
      summary: {
        ...{ bars: 5, initial_cash: '100000', trades: 0, open_trades: 1, win_rate: null, rejected_orders: 0 },
        ...{ commission_paid: '0', tool_calls: 1 },
      },
    });
    expect(Number(answer.summary.final_equity)).toBeCloseTo(100_000 + 10 * (close[4]! - open[1]!), 4);
    expect(answer.summary).not.toHaveProperty('reduced_orders');
    const end = await run.close();
    expect(end).toMatchObject({ folder: answer.folder, finished: true, notes: [] });
    const [first] = readFileSync(join(answer.folder, 'journal.jsonl'), 'utf8').split('\n');
    expect(JSON.parse(first!)).toMatchObject({
      strategy: {
        name: 'mcp',
        kind: 'mcp',
        parameters: { client: 'raw 1', tools: ['trade_execute', 'market_observe'], budgets: {} },
      },
      ...{ sealed: false, openDoors: ['an MCP client drives the run'] },
    });
  });

  it('is recorded as interrupted if the client leaves', async () => {
    const run = await opened();
    await run.call('next_bar', {});
    const end = await run.close();
    expect(end).toMatchObject({ finished: false, summary: { outcome: 'interrupted', bars: 2 } });
  });

  it('is not created if the client calls nothing', async () => {
    expect(await (await opened()).close()).toBeUndefined();
  });
});
