import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { loadStrategy } from '../src/agent/index.ts';
import { runBacktest } from '../src/engine/index.ts';
import { simulateMarket } from '../src/market/index.ts';
import type { Benchmark, Figure } from './figure.ts';

const BARS = 3_000;

/** What a rule does at each bar, from nothing to several questions to the engine. */
const RULES = {
  'that looks at closes': 'if (window.close.mean(20) > window.close.last) return;',
  'that reads its account': 'if (account.units() > 0 && account.equity.isNegative()) return;',
  'that submits an order a bar':
    'orders.submit({ action: "buy", quantity: 1, type: "limit", limitPrice: 0.01, validBars: 1 });',
} as const;

async function perBar(file: string, seal: boolean): Promise<{ start: number; bar: number }> {
  const market = simulateMarket({ seed: 1, bars: BARS });
  const startedAt = performance.now();
  const strategy = await loadStrategy(file, {}, { seal });
  const decider = strategy.createDecider(undefined, BARS, market.symbols, { environment: {} });
  const start = performance.now() - startedAt;
  const from = performance.now();
  await runBacktest({ market, decider });
  return { start, bar: ((performance.now() - from) / BARS) * 1000 };
}

async function seal(): Promise<Figure[]> {
  const folder = mkdtempSync(join(tmpdir(), 'sandtable-bench-'));
  const figures: Figure[] = [];
  try {
    for (const [name, code] of Object.entries(RULES)) {
      const file = join(folder, `${name.replaceAll(' ', '-')}.ts`);
      writeFileSync(
        file,
        `import { defineStrategy } from 'sandtable';
export default defineStrategy({ name: 'bench', summary: '', onBar({ window, account, orders }) { ${code} } });`,
      );
      const plain = await perBar(file, false);
      const sealed = await perBar(file, true);
      figures.push(
        { name: `a rule ${name}, not sealed`, value: plain.bar, unit: 'µs a bar' },
        { name: `a rule ${name}, sealed`, value: sealed.bar, unit: 'µs a bar' },
        { name: `start of a sealed rule ${name}`, value: sealed.start, unit: 'ms' },
      );
    }
  } finally {
    rmSync(folder, { recursive: true });
  }
  return figures;
}

export const sealBenchmarks: Readonly<Record<string, Benchmark>> = { seal };
