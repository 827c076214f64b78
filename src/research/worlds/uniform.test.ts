import { describe, expect, it } from 'vitest';
import { isDeep, sampled } from '../../../test/support/depth.ts';
import { type Decider, runBacktest } from '../../engine/index.ts';
import { createRandom } from '../../kernel/index.ts';
import { type Market, simulateMarket } from '../../market/index.ts';
import { createWorldMaker, type WorldKind } from './make-worlds.ts';

const SEEDS = 200;
const WORLDS = 19;
// Minimum number of bars of the market, because fitting regimes needs at least 100 bars after the first bar.
const BARS = 101;

/**
 * Strategy that is long if the last five bars rose in total, and short otherwise. If `ahead` is given, the
 * strategy looks ahead and uses the direction of the next bar instead.
 */
const momentum = (ahead: Market | undefined): Decider => ({
  decide({ bar, window, account, orders }) {
    if (bar < 5) return;
    const next = ahead?.series[0];
    const rise =
      next === undefined
        ? window.close.at(-1) - window.close.at(-6)
        : (next.close[bar + 1] ?? 0) - (next.open[bar + 1] ?? 0);
    const wanted = rise > 0 ? 100 : -100;
    const missing = wanted - account.units();
    if (missing > 0) orders.buy(missing);
    if (missing < 0) orders.sell(-missing);
  },
});

async function sharpeOf(market: Market, ahead?: Market): Promise<number> {
  const { equity } = await runBacktest({
    market,
    decider: momentum(ahead),
    settings: { cash: 1_000_000 },
  });
  const changes = [...equity.slice(1)].map((value, bar) => value - equity[bar]!);
  const mean = changes.reduce((a, b) => a + b, 0) / changes.length;
  const variance = changes.reduce((sum, change) => sum + (change - mean) ** 2, 0);
  return variance === 0 ? 0 : mean / Math.sqrt(variance);
}

/**
 * Returns the p-value of the strategy on one random walk. Ties are ranked at random, so that p-values are
 * continuous.
 */
async function pOf(seed: number, kind: WorldKind, peeks: boolean): Promise<number> {
  const market = simulateMarket({ seed, bars: BARS, price: 1000 });
  const maker = createWorldMaker(market, { kind, seed }, 1);
  const actual = await sharpeOf(market, peeks ? market : undefined);
  let [above, equal] = [0, 0];
  for (let world = 1; world <= WORLDS; world++) {
    const sharpe = await sharpeOf(maker.make(world).market);
    if (Math.abs(sharpe - actual) < 1e-12) equal += 1;
    else if (sharpe > actual) above += 1;
  }
  return (above + createRandom(seed, 'ties').next() * (1 + equal)) / (1 + WORLDS);
}

/**
 * Returns the Kolmogorov–Smirnov distance between the distribution of the values and the uniform
 * distribution.
 */
function distanceFromUniform(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  return Math.max(
    ...sorted.map((value, rank) =>
      Math.max((rank + 1) / sorted.length - value, value - rank / sorted.length),
    ),
  );
}

// Critical value of the Kolmogorov–Smirnov distance at a significance level of 1 %, for `SEEDS` uniform
// values.
const CRITICAL = 1.628 / Math.sqrt(SEEDS);

async function ps(kind: WorldKind, peeks = false): Promise<number[]> {
  const found: number[] = [];
  for (let seed = 1; seed <= SEEDS; seed++) found.push(await pOf(seed, kind, peeks));
  return found;
}

describe('a strategy without look-ahead, on random walks,', () => {
  it.runIf(isDeep).each(sampled(['permute', 'block-bootstrap', 'regime'] as const, 3, 4))(
    'has uniform p-values in worlds of the kind %s (Kolmogorov and Smirnov, 200 seeds)',
    async (kind) => {
      const found = await ps(kind);
      expect(distanceFromUniform(found)).toBeLessThan(CRITICAL);
    },
    400_000,
  );

  it('has other p-values with look-ahead', async () => {
    expect(distanceFromUniform(await ps('permute', true))).toBeGreaterThan(3 * CRITICAL);
  }, 400_000);
});
