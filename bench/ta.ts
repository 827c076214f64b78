import {
  createToolkit,
  type Market,
  provisionRuntime,
  runBacktest,
  Sandbox,
  simulateMarket,
  type Toolkit,
  type Turn,
} from 'sandtable';
import { atLastBar } from './compute.ts';
import { type Benchmark, type Figure, median } from './figure.ts';

const BARS = 5_000;
const ROUNDS = 5;
/**
 * Calls per measurement. The clock is outside the sandbox, so the round trip would dominate a single call.
 */
const REPEATS = 10;
/**
 * Indicators that are not measured: they are not among the 129 of pandas_ta that need only prices. They need
 * other inputs, or are not in its release.
 */
const NOT_MEASURED = new Set(
  'cdl_doji cdl_inside dm drawdown hwma long_run mcgd short_run tsignals vp xsignals'.split(' '),
);
/** The sandbox does not recognise a copy of df as the bars, so every call calculates from the first bar. */
const COPY = 'own = df.copy()\n';

async function timed(toolkit: Toolkit, turn: Turn, code: string): Promise<number> {
  const startedAt = performance.now();
  const answer = (await toolkit.call('compute', { code }, turn)) as { readonly error?: string };
  const took = performance.now() - startedAt;
  if (answer.error !== undefined) throw new Error(`${code}: ${answer.error}`);
  return took;
}

async function medianOf(toolkit: Toolkit, turn: Turn, code: string): Promise<number> {
  const times: number[] = [];
  for (let round = 0; round < ROUNDS; round++) times.push(await timed(toolkit, turn, code));
  return median(times);
}

async function indicatorNames(toolkit: Toolkit, turn: Turn): Promise<string[]> {
  const code = 'sum([list(names) for names in ta.Category.values()], [])';
  const { result } = (await toolkit.call('compute', { code }, turn)) as { readonly result: string[] };
  return result.filter((name) => !NOT_MEASURED.has(name));
}

/** Measures every indicator separately, and all together, on 5,000 bars. */
async function everyIndicator(toolkit: Toolkit, turn: Turn): Promise<Figure[]> {
  const names = await indicatorNames(toolkit, turn);
  const all = COPY + names.map((name) => `own.ta.${name}()`).join('\n');
  const first = await timed(toolkit, turn, all);
  const again = await medianOf(toolkit, turn, all);
  const idle = await medianOf(toolkit, turn, `${COPY}for _ in range(${REPEATS}): own.ta`);
  const costs: Figure[] = [];
  for (const name of names) {
    const busy = await medianOf(toolkit, turn, `${COPY}for _ in range(${REPEATS}): own.ta.${name}()`);
    costs.push({ name: `ta.${name}`, value: (busy - idle) / REPEATS, unit: 'ms', detail: true });
  }
  const dearest = costs.toSorted((a, b) => b.value - a.value).slice(0, 5);
  return [
    {
      name: `all ${names.length} indicators once, 5,000 bars, the first time`,
      value: first,
      unit: 'ms',
      reach: '≤ 3,000',
    },
    { name: '… the next times', value: again, unit: 'ms' },
    {
      name: 'an indicator, 5,000 bars, median of them',
      value: median(costs.map(({ value }) => value)),
      unit: 'ms',
      reach: '≤ 1.5',
    },
    ...dearest.map(({ name, value, unit }) => ({ name: `… among the dearest: ${name}`, value, unit })),
    ...costs,
  ];
}

/** Returns the median round trip of the code on each bar from `from` on, in milliseconds. */
async function perBar(sandbox: Sandbox, market: Market, code: string, from: number): Promise<number> {
  const toolkit = createToolkit({ sandbox });
  const times: number[] = [];
  const result = await runBacktest({
    market,
    decider: {
      decide: async (turn) => {
        if (turn.bar >= from) times.push(await timed(toolkit, turn, code));
      },
    },
  });
  if (result.outcome !== 'completed') throw result.error;
  // The first calls transfer the bars, calculate the whole history and compile the code.
  return median(times.slice(100));
}

export const taBenchmarks: Readonly<Record<string, Benchmark>> = {
  async ta() {
    const runtime = await provisionRuntime();
    const sandbox = new Sandbox({ runtime, spares: 0, timeoutMs: 30_000 });
    const toolkit = createToolkit({ sandbox });
    const figures: Figure[] = [];
    await atLastBar(simulateMarket({ seed: 3, bars: BARS, interval: '1h' }), async (turn) => {
      figures.push(...(await everyIndicator(toolkit, turn)));
    });
    await sandbox.close();
    return figures;
  },

  async taPerBar() {
    const runtime = await provisionRuntime();
    const code = 'ta.rsi(df.close, 14)';
    const figures: Figure[] = [];
    let first = 0;
    for (const bars of [1_000, 100_000]) {
      const market = simulateMarket({ seed: 3, bars: bars + 1_100, interval: '1h' });
      const sandbox = new Sandbox({ runtime, spares: 0 });
      const value = await perBar(sandbox, market, code, bars);
      await sandbox.close();
      if (first === 0) first = value;
      figures.push({
        name: `compute ${code} on every bar, p50, from ${bars.toLocaleString('en-US')} bars on`,
        value,
        unit: 'ms',
        ...(bars === 1_000 ? {} : { reach: `≤ 1.3 × the first (${(value / first).toFixed(2)} ×)` }),
      });
    }
    return figures;
  },
};
