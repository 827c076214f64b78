import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { loadStrategy } from '../src/agents/index.ts';
import { runBacktest } from '../src/engine/index.ts';
import { simulateMarket } from '../src/market/index.ts';
import type { Benchmark, Figure } from './figure.ts';

const BARS = 3_000;

/** Work of a rule per bar, from a single read to several calls to the engine. */
const RULES = {
  'that looks at closes': 'if (window.close.mean(20) > window.close.last) return;',
  'that reads its account': 'if (account.units() > 0 && account.equity.isNegative()) return;',
  'that submits an order a bar':
    'orders.submit({ action: "buy", quantity: 1, type: "limit", limitPrice: 0.01, validBars: 1 });',
} as const;

/** One measured run. Times per bar are in microseconds. */
interface Measured {
  /** Time to load the strategy, in milliseconds. */
  readonly start: number;
  readonly bar: number;
  /** Processor time of the engine and of the strategy's process. NaN on platforms without /proc. */
  readonly processor: number;
}

async function perBar(file: string, seal: boolean): Promise<Measured> {
  const market = simulateMarket({ seed: 1, bars: BARS });
  const startedAt = performance.now();
  const strategy = await loadStrategy(file, {}, { seal });
  const decider = strategy.createDecider(undefined, BARS, market.symbols, { environment: {} });
  const start = performance.now() - startedAt;
  const [from, used] = [performance.now(), processorTime()];
  let measured: Measured | undefined;
  // The times are measured before `decider.close`, because it ends the strategy's process.
  await runBacktest({
    market,
    decider: {
      decide: (turn) => decider.decide(turn),
      close: async () => {
        const bar = performance.now() - from;
        const processor = processorTime() - used;
        await decider.close?.();
        measured = { start, bar: (bar / BARS) * 1e3, processor: (processor / BARS) * 1e6 };
      },
    },
  });
  return measured!;
}

/** Clock ticks of /proc per second on Linux. */
const TICKS = 100;

/** Processor time of this process and of its children so far, in seconds. */
function processorTime(): number {
  try {
    const own = process.cpuUsage();
    let ticks = 0;
    for (const child of readFileSync(`/proc/self/task/${process.pid}/children`, 'utf8').split(' ')) {
      if (child === '') continue;
      // The process name, in brackets, may contain spaces. It is removed before the fields are split.
      const fields = readFileSync(`/proc/${child}/stat`, 'utf8')
        .replace(/^.*\) /s, '')
        .split(' ');
      ticks += Number(fields[11]) + Number(fields[12]);
    }
    return (own.user + own.system) / 1e6 + ticks / TICKS;
  } catch {
    return Number.NaN;
  }
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
        { name: '… processor time, not sealed', value: plain.processor, unit: 'µs a bar' },
        { name: '… processor time, sealed', value: sealed.processor, unit: 'µs a bar' },
        { name: `start of a sealed rule ${name}`, value: sealed.start, unit: 'ms' },
      );
    }
  } finally {
    rmSync(folder, { recursive: true });
  }
  return figures;
}

export const sealBenchmarks: Readonly<Record<string, Benchmark>> = { seal };
