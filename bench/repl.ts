import { createToolkit, type Market, provisionRuntime, Sandbox, simulateMarket, type Turn } from 'sandtable';
import { atLastBar } from './compute.ts';
import { type Benchmark, type Figure, median } from './figure.ts';

const WARM_UPS = 200;

interface Measured {
  readonly name: string;
  readonly tool: string;
  /** Returns the arguments of the n-th call. */
  readonly given: (call: number) => unknown;
  readonly calls: number;
  readonly reach?: string;
}

const CASES: readonly Measured[] = [
  {
    name: 'exec_code 1+1, p50',
    tool: 'exec_code',
    given: () => ({ source: '1+1' }),
    calls: 2_000,
    reach: '≤ 0.5',
  },
  {
    name: '… three new lines each time',
    tool: 'exec_code',
    given: (call) => ({ source: `x = ${call}\ny = x * 2\nx + y` }),
    calls: 1_000,
  },
  { name: 'eval_expr len(df), p50', tool: 'eval_expr', given: () => ({ expr: 'len(df)' }), calls: 1_000 },
  { name: 'list_globals, p50', tool: 'list_globals', given: () => ({}), calls: 1_000 },
  {
    name: 'inspect df, 5,000 bars, p50',
    tool: 'inspect',
    given: () => ({ expr: 'df' }),
    calls: 500,
    reach: '≤ 5',
  },
];

async function p50(sandbox: Sandbox, turn: Turn, { tool, given, calls }: Measured): Promise<number> {
  const toolkit = createToolkit({ sandbox, tools: [tool] });
  const times: number[] = [];
  for (let call = 0; call < calls + WARM_UPS; call++) {
    const startedAt = performance.now();
    const answer = (await toolkit.call(tool, given(call), turn)) as { readonly error?: string };
    if (answer.error !== undefined) throw new Error(`${tool}: ${answer.error}`);
    if (call >= WARM_UPS) times.push(performance.now() - startedAt);
  }
  return median(times);
}

/**
 * Measures compute and exec_code called alternately, so that each call has to handle the heap of the other
 * tool.
 */
async function byTurns(sandbox: Sandbox, market: Market): Promise<number> {
  const toolkit = createToolkit({ sandbox, tools: ['compute', 'exec_code'] });
  const times: number[] = [];
  await atLastBar(market, async (turn) => {
    for (let call = 0; call < 60; call++) {
      const startedAt = performance.now();
      await toolkit.call('exec_code', { source: '1+1' }, turn);
      await toolkit.call('compute', { code: '1+1' }, turn);
      if (call >= 10) times.push((performance.now() - startedAt) / 2);
    }
  });
  return median(times);
}

export const replBenchmarks: Readonly<Record<string, Benchmark>> = {
  async repl() {
    const sandbox = new Sandbox({ runtime: await provisionRuntime(), spares: 0 });
    const market = simulateMarket({ seed: 3, bars: 5_000, interval: '1h' });
    const figures: Figure[] = [];
    await atLastBar(market, async (turn) => {
      for (const each of CASES) {
        const { name, reach } = each;
        const value = await p50(sandbox, turn, each);
        figures.push({ name, value, unit: 'ms', ...(reach === undefined ? {} : { reach }) });
      }
    });
    const value = await byTurns(sandbox, market);
    figures.push({ name: 'exec_code and compute by turns, a call, p50', value, unit: 'ms' });
    await sandbox.close();
    return figures;
  },
};
