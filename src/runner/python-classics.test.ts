import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { buildIsHere } from '../../test/missing.ts';
import { sampled } from '../../test/support/depth.ts';
import { loadStrategy } from '../agents/index.ts';
import { type RunEvent, runBacktest } from '../engine/index.ts';
import { type Market, simulateMarket } from '../market/index.ts';
import { provisionRuntime, Sandbox } from '../sandbox/index.ts';
import { createToolkit } from '../toolkit/index.ts';

const folder = join(import.meta.dirname, '..', '..', 'strategies');
const daily = simulateMarket({ seed: 5, bars: 500, symbols: ['AAA', 'BBB'] });
const one = simulateMarket({ seed: 7, bars: 700, symbols: ['AAA'], regime: 'trend' });
const minutes = simulateMarket({ seed: 8, bars: 400, symbols: ['AAA'], interval: '30min' });

/** Market of each strategy file. All other strategies trade one symbol with daily bars (`one`). */
const MARKETS: Readonly<Record<string, Market>> = {
  'dual_momentum.py': daily,
  'pairs.py': daily,
  'monthly_rotation.py': daily,
  'opening_range_breakout.py': minutes,
};
const TWINS = [
  ['rsi_reversion.py', 'rsi-reversion.ts', one],
  ['donchian_atr.py', 'bracket-atr.ts', one],
  ['pairs.py', 'pairs.ts', daily],
  ['monthly_rotation.py', 'rotation.ts', daily],
] as const;

async function eventsOf(file: string, market: Market): Promise<{ events: RunEvent[]; equity: number[] }> {
  const strategy = await loadStrategy(join(folder, file));
  const needsTools = strategy.tools.length > 0;
  const sandbox = needsTools
    ? new Sandbox({ runtime: await provisionRuntime(), spares: 0, timeoutMs: 30_000 })
    : undefined;
  const toolkit = sandbox && createToolkit({ sandbox, tools: [...strategy.tools] });
  const events: RunEvent[] = [];
  try {
    const decider = strategy.createDecider(toolkit, market.clock.length, market.symbols, { environment: {} });
    const { error, equity } = await runBacktest({
      market,
      decider,
      settings: { ...strategy.settings, commissionRate: 0.0005 },
      onEvent: (event) => events.push(event),
    });
    if (error !== undefined) throw error;
    return {
      events: events.filter(({ type }) => /^(order|trade)_/.test(type)),
      equity: [...equity],
    };
  } finally {
    await sandbox?.close();
  }
}

describe.skipIf(!buildIsHere())('the classic strategies in Python', () => {
  it.each(sampled(TWINS, 4, 3))(
    '%s produces the orders, fills and equity of %s',
    async (python, typescript, market) => {
      const mine = await eventsOf(join('python', python), market);
      const theirs = await eventsOf(typescript, market);
      expect(mine.events.length).toBeGreaterThan(10);
      expect(mine.events).toEqual(theirs.events);
      expect(mine.equity).toEqual(theirs.equity);
    },
  );

  const twins: readonly string[] = TWINS.map(([python]) => python);
  const others = readdirSync(join(folder, 'python')).filter(
    (file) => file.endsWith('.py') && !twins.includes(file),
  );
  it.each(sampled(others, 6, 1))('%s trades', async (file) => {
    const { events } = await eventsOf(join('python', file), MARKETS[file] ?? one);
    expect(events.some(({ type }) => type === 'order_filled')).toBe(true);
  });
});
