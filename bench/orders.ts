import { type Decider, type Market, ruleDecider, runBacktest, simulateMarket } from 'sandtable';
import rotation from '../strategies/rotation.ts';
import { type Benchmark, medianTime } from './figure.ts';

const ORDERS = 100;

/** Places buy limit orders far below the market at the first close, and does nothing else. */
function restingBook(orders: number): Decider {
  return {
    decide(turn) {
      if (turn.bar !== 0) return;
      for (let index = 0; index < orders; index++)
        turn.orders.buy(1, { type: 'limit', limitPrice: (1 + index / orders).toFixed(2) });
    },
  };
}

async function rest(market: Market, orders: number): Promise<void> {
  const decider = restingBook(orders);
  const { outcome, trades, openTrades } = await runBacktest({ market, decider });
  if (outcome !== 'completed' || trades.length + openTrades.length > 0)
    throw new Error('the resting book was to rest to the end');
}

/** Returns a market of fifty daily symbols over about twenty years. Identical on every machine. */
function portfolioMarket(): Market {
  const symbols = Array.from({ length: 50 }, (_, index) => `SIM-${String(index + 1).padStart(2, '0')}`);
  return simulateMarket({ seed: 5, bars: 20 * 261, symbols, regime: 'regime-switching', correlation: 0.3 });
}

export const orderBenchmarks: Readonly<Record<string, Benchmark>> = {
  async resting() {
    const bars = 100_000;
    const market = simulateMarket({ seed: 7, bars, interval: '1h' });
    const full = await medianTime(7, () => rest(market, ORDERS), 2);
    const empty = await medianTime(7, () => rest(market, 0), 2);
    return [
      {
        name: `a resting book of ${ORDERS} orders, on top of an empty one`,
        value: ((full - empty) * 1000) / bars,
        unit: 'µs a bar',
        reach: '< 2',
      },
      { name: '… the whole of a bar with that book', value: (full * 1000) / bars, unit: 'µs' },
    ];
  },

  async portfolio() {
    const market = portfolioMarket();
    const parameters = rotation.parameters.parse({ hold: 10 });
    let trades = 0;
    const walk = async (): Promise<void> => {
      const result = await runBacktest({
        market,
        decider: ruleDecider(rotation, parameters, undefined),
        settings: { cash: '10000000', commissionRate: 0.0005 },
      });
      if (result.outcome !== 'completed') throw result.error;
      trades = result.trades.length;
    };
    const value = await medianTime(7, walk, 2);
    return [
      {
        name: '50 symbols × 20 years daily, rebalanced monthly',
        value: value / 1000,
        unit: 's',
        reach: '≤ 0.05',
      },
      { name: '… closed trades in it', value: trades, unit: 'trades' },
    ];
  },
};
