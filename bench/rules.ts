import {
  type Decider,
  type Market,
  type RunEvent,
  ruleDecider,
  runBacktest,
  simulateMarket,
} from 'sandtable';
import smaCross from '../strategies/sma-cross.ts';
import { type Benchmark, medianTime } from './figure.ts';

const SETTINGS = { cash: '1000000', commissionRate: 0.0002 };
/** With this market, these averages and this first bar, exactly 5% of the bars have trades. */
const MARKET = { seed: 4, bars: 100_000, interval: '1h' } as const;
const AVERAGES = { fast: 11, slow: 22 };
const FIRST_BAR = 253;
const TRADING_BARS = 0.05 * MARKET.bars;
const strategy: typeof smaCross = { ...smaCross, warmUpBars: () => FIRST_BAR };
const cross = (): Decider => ruleDecider(strategy, strategy.parameters.parse(AVERAGES), undefined);

async function walk(market: Market): Promise<number> {
  const { trades } = await runBacktest({ market, decider: cross(), settings: SETTINGS });
  return trades.length;
}

/** Returns the number of bars with a fill. */
async function tradingBars(market: Market): Promise<number> {
  const bars = new Set<number>();
  const onEvent = (event: RunEvent): void => {
    if (event.type === 'order_filled') bars.add(event.bar);
  };
  await runBacktest({ market, decider: cross(), settings: SETTINGS, onEvent });
  return bars.size;
}

/**
 * Minimal implementation for comparison: the same strategy on plain arrays, with float64 amounts and without
 * an account.
 */
function byHand({ series }: Market): number {
  const { open, close } = series[0]!;
  let cash = 1_000_000;
  let units = 0;
  let side = 0;
  let [previousFast, previousSlow] = [Number.NaN, Number.NaN];
  for (let bar = 0; bar < close.length; bar++) {
    if (side !== 0) {
      const price = open[bar]!;
      cash += units * price - Math.abs(units) * price * 0.0002;
      units = (side * Math.floor((cash * 0.9999) / (price * 1.0002))) | 0;
      cash -= units * price + Math.abs(units) * price * 0.0002;
      side = 0;
    }
    if (bar < FIRST_BAR - 1) continue;
    let [fast, slow] = [0, 0];
    for (let back = 0; back < AVERAGES.slow; back++) {
      slow += close[bar - back]!;
      if (back < AVERAGES.fast) fast += close[bar - back]!;
    }
    fast /= AVERAGES.fast;
    slow /= AVERAGES.slow;
    if (previousFast <= previousSlow && fast > slow) side = 1;
    if (previousFast >= previousSlow && fast < slow) side = -1;
    [previousFast, previousSlow] = [fast, slow];
  }
  return cash + units * close.at(-1)!;
}

/** Returns the memory per bar, in bytes, that a run uses at its end in addition to the market. */
async function bytesPerBar(bars: number): Promise<number> {
  const market = simulateMarket({ seed: 1, bars, interval: '1min' });
  const used = (): number => {
    globalThis.gc?.();
    const { heapUsed, arrayBuffers } = process.memoryUsage();
    return heapUsed + arrayBuffers;
  };
  const before = used();
  const result = await runBacktest({ market, decider: { decide: () => undefined }, settings: SETTINGS });
  return result.bars === bars ? (used() - before) / bars : Number.NaN;
}

export const ruleBenchmarks: Readonly<Record<string, Benchmark>> = {
  async rules() {
    const { bars } = MARKET;
    const market = simulateMarket(MARKET);
    const trading = await tradingBars(market);
    if (trading !== TRADING_BARS)
      throw new Error(`${trading} bars trade, not ${TRADING_BARS}: find another first bar`);
    const trades = await walk(market);
    const engine = await medianTime(15, () => walk(market), 5);
    const hand = await medianTime(15, () => byHand(market), 5);
    return [
      {
        name: 'SMA 11/22 cross, 100,000 bars, 5 % of them trading',
        value: bars / (engine / 1000),
        unit: 'bars/s',
        reach: '≥ 4,500,000',
      },
      { name: '… closed trades in it', value: trades, unit: 'trades' },
      {
        name: '… the same by hand: float64 money, no account, no orders',
        value: bars / (hand / 1000),
        unit: 'bars/s',
      },
    ];
  },

  async memory() {
    const figures = [];
    for (const bars of [1_000_000, 10_000_000]) {
      figures.push({
        name: `memory a run adds at ${bars.toLocaleString('en-US')} bars`,
        value: await bytesPerBar(bars),
        unit: 'bytes/bar',
        reach: 'the same at both',
      });
    }
    return figures;
  },
};
