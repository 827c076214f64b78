import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { skipBecause } from '../../test/missing.ts';
import { type MixedWorld, mixedWorld, otherFuture, seriesOf, WORLD_BARS } from '../../test/mixed-worlds.ts';
import { randomCases, sampled } from '../../test/support/depth.ts';
import { PATIENT_MS } from '../../test/support/patience.ts';
import { fakeSandbox } from '../../test/support/toolkit-world.ts';
import type { OrderRequest } from '../broker/index.ts';
import { type BarContext, type Json, type RunEvent, runBacktest } from '../engine/index.ts';
import { AppError, createRandom, DAY } from '../kernel/index.ts';
import { type Bar, barSeries, createMarket } from '../market/index.ts';
import { type PythonRuntime, provisionRuntime, Sandbox } from '../sandbox/index.ts';
import { createToolkit } from './toolkit.ts';

/** Returns everything that a strategy can read in a turn, as text. */
function sightOf({ bar, time, symbols, windowOf, account, orders }: BarContext): string {
  const windows = symbols.map((symbol) => {
    const window = windowOf(symbol);
    const { time: times, open, high, low, close, volume, length, revealed } = window;
    return [
      length,
      revealed,
      ...[times, open, high, low, close, volume].map((column) => [...column.tail(1e6)]),
    ];
  });
  const { cash, equity, realisedPnl, commissionPaid, cashByKind } = account;
  return JSON.stringify([
    bar,
    time,
    windows,
    { cash, equity, realisedPnl, commissionPaid, cashByKind },
    account.positions(),
    orders.pending(),
  ]);
}

function ordersAt(seed: number, bar: number, symbols: readonly string[]): OrderRequest[] {
  const random = createRandom(seed, `orders ${bar}`);
  return symbols.flatMap((symbol): OrderRequest[] => {
    const dice = random.next();
    const quantity = 1 + random.integer(0, 30);
    if (dice < 0.2) return [{ action: 'buy', symbol, quantity, stopLoss: { fraction: 0.02 } }];
    if (dice < 0.3) return [{ action: 'sell', symbol, quantity, takeProfit: { fraction: 0.02 } }];
    if (dice < 0.4) return [{ action: 'sell', symbol, quantity, type: 'trailing_stop', trailAmount: 2 }];
    if (dice < 0.5) return [{ action: 'buy', symbol, quantity, type: 'market_on_close' }];
    if (dice < 0.6) return [{ action: 'close', symbol }];
    return [];
  });
}

/** Records, bar by bar, what the strategy can read and what happens. */
async function transcript(world: MixedWorld, seed: number, python?: PythonRuntime): Promise<string[]> {
  const market = createMarket(world.symbols.map(seriesOf));
  const sandbox =
    python === undefined ? undefined : new Sandbox({ runtime: python, spares: 0, timeoutMs: PATIENT_MS });
  const sights: string[] = [];
  const events: RunEvent[] = [];
  const toolkit = createToolkit({ sandbox: sandbox ?? fakeSandbox().sandbox });
  const frames = market.symbols.map((symbol) => `df_${symbol.toLowerCase()}`);
  const code = `[str(f.values.tolist()) for f in [df, ${frames.join(', ')}]] + [str(equity), str(cash)]`;
  const calls: [string, Json][] = market.symbols.flatMap((symbol): [string, Json][] => [
    ['market_observe', { symbol }],
    ['market_history', { symbol, bars: 50 }],
  ]);
  const result = await runBacktest({
    market,
    rates: [seriesOf(world.rates)],
    detail: [seriesOf(world.detail)],
    actions: world.actions,
    settings: {
      leverage: 2,
      barTimes: world.barTimes,
      allowNegativeEquity: true,
      instruments: { AAA: { currency: 'EUR' } },
      financing: { creditRate: 0.02, debitRate: 0.05 },
    },
    onEvent: (event) => events.push(event),
    decider: {
      async decide(turn) {
        const answers: Json[] = [];
        for (const [name, given] of calls) answers.push(await toolkit.call(name, given, turn));
        answers.push(await toolkit.call('account_status', {}, turn));
        if (sandbox !== undefined) {
          const answer = await toolkit.call('compute', { code }, turn);
          // If Python failed, both runs would have the same error and the comparison would prove nothing.
          expect(answer).toMatchObject({ result: expect.any(Array) });
          answers.push(answer);
        }
        sights.push(`${sightOf(turn)}\n${JSON.stringify(answers)}\n${JSON.stringify(events)}`);
        return { orders: ordersAt(seed, turn.bar, turn.symbols) };
      },
    },
  });
  await sandbox?.close();
  if (result.error !== undefined) throw result.error;
  return sights;
}

async function seesNoFuture(seed: number, bar: number, python?: PythonRuntime): Promise<void> {
  const world = mixedWorld(seed);
  const sights = await transcript(world, seed, python);
  const other = await transcript(otherFuture(world, world.ends[bar]!), seed, python);
  expect(other.slice(0, bar + 1)).toEqual(sights.slice(0, bar + 1));
  // At the next bar, the two futures differ. This proves that the comparison can fail.
  expect(other.slice(0, bar + 2)).not.toEqual(sights.slice(0, bar + 2));
}

const seeds = fc.integer({ min: 1, max: 1_000_000 });
const bars = fc.integer({ min: 0, max: WORLD_BARS - 2 });

describe('a world with series of several intervals', () => {
  it('lets a decider and its tools read no byte of an interval that has not ended', async () => {
    await fc.assert(
      fc.asyncProperty(seeds, bars, (seed, bar) => seesNoFuture(seed, bar)),
      randomCases(6, 60),
    );
  });
});

const built = existsSync(fileURLToPath(new URL('../../dist/sandbox/child/main.js', import.meta.url)));
const runtime = built ? await provisioned() : undefined;
if (runtime === undefined)
  skipBecause('What Python sees was not tested: it needs npm run build, and Python wheels in reach.');

async function provisioned(): Promise<PythonRuntime | undefined> {
  try {
    return await provisionRuntime();
  } catch (error) {
    if (error instanceof AppError && error.code === 'no_python_wheels') return undefined;
    throw error;
  }
}

describe.skipIf(runtime === undefined)('Python in a world with series of several intervals', () => {
  it.each(
    sampled(
      [
        [11, 3],
        [12, 14],
        [17, 20],
      ],
      3,
      3,
    ),
  )(
    'reads no byte of an interval that has not ended (world %i, bar %i)',
    async (seed, bar) => {
      await seesNoFuture(seed, bar, runtime);
    },
    240_000,
  );

  it('sees a symbol without bars as an empty frame with its columns', async () => {
    const day = (time: number): Bar => ({
      time: time * DAY,
      open: 10,
      high: 11,
      low: 9,
      close: 10,
      volume: 1,
    });
    const market = createMarket([barSeries('AAA', [1, 2, 3].map(day)), barSeries('LATE', [3].map(day))]);
    const own = new Sandbox({ runtime: runtime!, spares: 0, timeoutMs: PATIENT_MS });
    const toolkit = createToolkit({ sandbox: own });
    const code =
      '[len(df_late), list(df_late.columns), str(df_late.date.dtype), str(df_late.close.dtype), float(df_late.close.sum())]';
    const answers: Json[] = [];
    await runBacktest({
      market,
      decider: {
        async decide(turn) {
          answers.push(await toolkit.call('compute', { code }, turn));
        },
      },
    });
    await own.close();
    const columns = ['date', 'open', 'high', 'low', 'close', 'volume'];
    expect(answers).toEqual([
      { result: [0, columns, 'datetime64[ns]', 'float64', 0] },
      { result: [0, columns, 'datetime64[ns]', 'float64', 0] },
      { result: [1, columns, 'datetime64[ns]', 'float64', 10] },
    ]);
  });
});
