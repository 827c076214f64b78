import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { loadStrategy, readScript, recordingOf, startScriptedModel } from '../src/agents/index.ts';
import { type RunEvent, runBacktest } from '../src/engine/index.ts';
import { openJournal } from '../src/journal/index.ts';
import { simulateMarket } from '../src/market/index.ts';
import type { Sandbox } from '../src/sandbox/index.ts';
import { createToolkit } from '../src/toolkit/index.ts';
import { type Benchmark, median } from './figure.ts';

const DECISIONS = 500;
const REPLAYED = 5_000;

const STRATEGY = `---
model: scripted
base_url: \${OPENAI_BASE_URL}
tools: [market_history, market_observe, account_status, trade_execute]
---
Trade {{symbols}} on {{date}}.
`;

const SCRIPT = readScript({
  steps: [
    {
      when: { round: 1 },
      times: 'any',
      reply: {
        tool_calls: [
          { name: 'market_history', arguments: { bars: 20 } },
          { name: 'account_status' },
          { name: 'trade_execute', arguments: { action: 'buy', quantity: 1 } },
        ],
      },
    },
    { when: { round: 2 }, times: 'any', reply: { text: 'Bought one.' } },
  ],
});

/**
 * Strategy with roles: an analyst with tools, a debate of two rounds, a trader who buys, and a risk manager
 * who approves. Nine requests per decision.
 */
const DESK = `---
model: scripted
base_url: \${OPENAI_BASE_URL}
tools: []
roles:
  analyst: { tools: [market_history] }
  bull: {}
  bear: {}
  trader: { tools: [trade_execute] }
  risk: { tools: [account_status] }
flow: [analyst, { debate: [bull, bear], rounds: 2 }, trader, { veto: risk }]
---
Trade {{symbols}} on {{date}}.

# analyst
You are the analyst.

# bull
You are the bull.

# bear
You are the bear.

# trader
You are the trader.

# risk
You are in charge of risk.
`;
const DESK_REQUESTS = 9;
const DESK_DECISIONS = 200;

const calls = (who: string, name: string, given: object) => ({
  when: { contains: who, round: 1 },
  times: 'any',
  reply: { tool_calls: [{ name, arguments: given }] },
});

const DESK_SCRIPT = readScript({
  steps: [
    calls('You are the analyst.', 'market_history', { bars: 20 }),
    calls('You are the trader.', 'trade_execute', { action: 'buy', quantity: 1 }),
    {
      when: { contains: 'You are in charge of risk.' },
      times: 'any',
      reply: { text: '{"approve": true, "reason": "small"}' },
    },
    { times: 'any', reply: { text: 'Prices rise, and they will go on to.' } },
  ],
});

const none = { timeoutMs: 0, call: () => Promise.reject(new Error('no Python')) } as unknown as Sandbox;

/**
 * Runs a backtest with one decision per bar. Returns its events, its total duration and the time inside
 * requests, in milliseconds.
 */
async function walk(
  folder: string,
  bars: number,
  baseUrl: string,
  text = STRATEGY,
  record?: readonly RunEvent[],
): Promise<{ events: RunEvent[]; total: number; asking: number }> {
  const file = join(folder, 'llm.md');
  writeFileSync(file, text);
  const environment = { OPENAI_BASE_URL: baseUrl };
  const strategy = await loadStrategy(file, {}, { environment });
  const recording = record && recordingOf(record);
  const toolkit = createToolkit({
    sandbox: none,
    tools: strategy.tools,
    recorded: (sequence) => recording?.toolCall(sequence),
  });
  const market = simulateMarket({ seed: 1, bars });
  const journal = openJournal(join(folder, `journal-${performance.now()}.jsonl`));
  const events: RunEvent[] = [];
  let asking = 0;
  const decider = strategy.createDecider(toolkit, bars, market.symbols, {
    environment,
    ...(recording === undefined ? {} : { recording, replayOnly: true }),
    onModelTiming: (milliseconds) => {
      asking += milliseconds;
    },
  });
  const startedAt = performance.now();
  const result = await runBacktest({
    market,
    decider,
    settings: { cash: '100000000' },
    onEvent(event) {
      journal.append(event);
      events.push(event);
    },
  });
  journal.close();
  if (result.outcome !== 'completed') throw result.error;
  return { events, total: performance.now() - startedAt, asking };
}

export const llmBenchmarks: Readonly<Record<string, Benchmark>> = {
  async llm() {
    const folder = mkdtempSync(join(tmpdir(), 'sandtable-bench-'));
    const model = await startScriptedModel(SCRIPT);
    try {
      const overheads: number[] = [];
      for (let run = 0; run < 3; run++) {
        const { total, asking } = await walk(folder, DECISIONS, model.url);
        overheads.push((total - asking) / DECISIONS);
      }
      const { events } = await walk(folder, REPLAYED, model.url);
      const replay = await walk(folder, REPLAYED, model.url, STRATEGY, events);
      return [
        {
          name: 'a decision with three tool calls, outside the model calls',
          value: median(overheads),
          unit: 'ms',
          reach: '≤ 3',
        },
        {
          name: 'replay of 5,000 decisions with three tool calls',
          value: replay.total / 1000,
          unit: 's',
          reach: '≤ 60',
        },
      ];
    } finally {
      await model.close();
      rmSync(folder, { recursive: true });
    }
  },
  async desk() {
    const folder = mkdtempSync(join(tmpdir(), 'sandtable-bench-'));
    const model = await startScriptedModel(DESK_SCRIPT);
    try {
      const overheads: number[] = [];
      for (let run = 0; run < 3; run++) {
        const { events, total, asking } = await walk(folder, DESK_DECISIONS, model.url, DESK);
        const asked = events.filter(({ type }) => type === 'model_called').length;
        if (asked !== DESK_DECISIONS * DESK_REQUESTS) throw new Error(`the desk asked ${asked} times`);
        overheads.push((total - asking) / DESK_DECISIONS);
      }
      const decision = median(overheads);
      const name = 'a decision of a desk of five roles (nine requests), outside the model calls';
      return [
        { name, value: decision, unit: 'ms' },
        { name: '… of each request', value: decision / DESK_REQUESTS, unit: 'ms', reach: '≤ 3' },
      ];
    } finally {
      await model.close();
      rmSync(folder, { recursive: true });
    }
  },
};
