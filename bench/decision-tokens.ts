import { existsSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { loadStrategy, readScript, startScriptedModel } from '../src/agents/index.ts';
import { type RunEvent, runBacktest } from '../src/engine/index.ts';
import { loadMarket, type Market, simulateMarket } from '../src/market/index.ts';
import type { Sandbox } from '../src/sandbox/index.ts';
import { createToolkit } from '../src/toolkit/index.ts';
import type { Benchmark } from './figure.ts';

/** Data of twenty symbols next to the checkout. If they are missing, symbols are simulated. */
const FOLDER = process.env.SANDTABLE_DJIA ?? '../shared/data/djia';
const [FROM, TO] = ['2025-03-03', '2025-06-30'];

const SEVEN =
  'tools: [market_history, market_observe, compute, account_status, trade_execute, order_query, order_cancel]';

/** Script of a decision with three rounds: looks at two symbols, trades four and states the reason. */
const script = (symbols: readonly string[], atOnce: boolean): unknown => {
  const [first, second] = symbols;
  const weights = Object.fromEntries(symbols.slice(0, 4).map((symbol, index) => [symbol, 10 + index]));
  const orders = Object.entries(weights).map(([symbol, target_percent]) => ({
    name: 'trade_execute',
    arguments: { action: 'target', symbol, target_percent },
  }));
  return {
    steps: [
      {
        when: { round: 1 },
        times: 'any',
        reply: {
          usage: null,
          tool_calls: [first, second].map((symbol) => ({
            name: 'market_history',
            arguments: { symbol, bars: 20 },
          })),
        },
      },
      {
        when: { round: 2 },
        times: 'any',
        reply: {
          usage: null,
          tool_calls: atOnce ? [{ name: 'portfolio_rebalance', arguments: { weights } }] : orders,
        },
      },
      {
        when: { round: 3 },
        times: 'any',
        reply: { usage: null, text: `Momentum favours ${first} and ${second}: four targets were set.` },
      },
    ],
  };
};

const none = { timeoutMs: 0, call: () => Promise.reject(new Error('no Python')) } as unknown as Sandbox;

/** Returns the tokens and characters that a decision with three rounds sends. */
async function decisionCost(
  market: Market,
  settings: string,
  atOnce = false,
): Promise<{ tokens: number; characters: number; tools: number; kept: number }> {
  const folder = mkdtempSync(join(tmpdir(), 'sandtable-tokens-'));
  const model = await startScriptedModel(readScript(script(market.symbols, atOnce)));
  try {
    const file = join(folder, 'twenty.md');
    const head = ['model: scripted', 'base_url: $' + '{OPENAI_BASE_URL}', 'schedule: week_end', settings];
    writeFileSync(file, `---\n${head.join('\n')}\n---\nYou trade {{symbols}} by momentum.\n`);
    const environment = { OPENAI_BASE_URL: model.url };
    const strategy = await loadStrategy(file, {}, { environment });
    const names = strategy.tools.filter((name) => !/^(?:document|fundamentals)/.test(name));
    const toolkit = createToolkit({ sandbox: none, tools: names });
    const events: RunEvent[] = [];
    const { outcome, error } = await runBacktest({
      market,
      decider: strategy.createDecider(toolkit, market.clock.length, market.symbols, { environment }),
      onEvent: (event) => events.push(event),
    });
    if (outcome !== 'completed') throw error;
    const decisions = events.filter(({ type }) => type === 'decision_made').length;
    const asked = events.filter((event) => event.type === 'model_called');
    const sent = model.calls.map(({ body }) => JSON.stringify(body));
    const tools = model.calls.map(({ body }) => JSON.stringify((body as { tools?: unknown }).tools ?? []));
    const sum = (texts: readonly string[]): number => texts.reduce((total, text) => total + text.length, 0);
    return {
      tokens: asked.reduce((total, { usage }) => total + (usage?.input ?? 0), 0) / decisions,
      characters: sum(sent) / decisions,
      tools: sum(tools) / decisions / 3,
      kept: keptShare(model.calls.map(({ body }) => body as Request)),
    };
  } finally {
    await model.close();
    rmSync(folder, { recursive: true });
  }
}

type Request = { readonly tools?: unknown; readonly messages: readonly unknown[] };

/**
 * Returns the fraction of each request that repeats the beginning of the previous one, which a server can
 * cache. Tools precede messages.
 */
function keptShare(requests: readonly Request[]): number {
  const texts = requests.map(({ tools, messages }) => JSON.stringify([tools, ...messages]));
  let [kept, all] = [0, 0];
  for (const [index, text] of texts.slice(1).entries()) {
    const before = texts[index]!;
    let same = 0;
    while (same < text.length && text[same] === before[same]) same += 1;
    kept += same;
    all += text.length;
  }
  return kept / all;
}

async function twenty(): Promise<Market> {
  if (!existsSync(FOLDER))
    return simulateMarket({
      seed: 20,
      bars: 83,
      symbols: Array.from({ length: 20 }, (_, index) => `S${index + 1}`),
    });
  const files = readdirSync(FOLDER)
    .filter((name) => name.endsWith('.csv'))
    .map((name) => join(FOLDER, name));
  const { market } = await loadMarket({ paths: files, from: FROM, to: TO });
  return market;
}

const VARIANTS = {
  'seven tools with their whole manuals': `${SEVEN}\ntool_manuals: full`,
  'seven tools': SEVEN,
  'the tools of a strategy that names none': '',
  'these, and one portfolio_rebalance for four orders': '',
} as const;

export const tokenBenchmarks: Readonly<Record<string, Benchmark>> = {
  async tokens() {
    const market = await twenty();
    const figures = [];
    for (const [name, settings] of Object.entries(VARIANTS)) {
      const { tokens, characters, tools, kept } = await decisionCost(
        market,
        settings,
        name.includes('portfolio_rebalance'),
      );
      figures.push(
        { name: `20 names, three rounds, ${name}: tokens a decision`, value: tokens, unit: 'tokens' },
        { name: '… characters a decision', value: characters, unit: 'characters' },
        { name: '… of tools in each request', value: tools, unit: 'characters' },
        { name: '… that begins as the request before', value: kept * 100, unit: '%' },
      );
    }
    return figures;
  },
};
