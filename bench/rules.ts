import { type Decider, type Market, ruleDecider, runBacktest, simulateMarket } from 'sandtable';
import smaCross from '../strategies/sma-cross.ts';
import { type Benchmark, medianTime } from './figure.ts';

const SETTINGS = { cash: '1000000', commissionRate: 0.0002 };
const cross = (): Decider => ruleDecider(smaCross, smaCross.parameters.parse({}), undefined);

async function walk(market: Market): Promise<number> {
  const { trades } = await runBacktest({ market, decider: cross(), settings: SETTINGS });
  return trades.length;
}

/** What a quant would write by hand for one quick look: the same cross on plain arrays, float64 money, no account. */
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
    if (bar < 19) continue;
    let [fast, slow] = [0, 0];
    for (let back = 0; back < 20; back++) {
      slow += close[bar - back]!;
      if (back < 10) fast += close[bar - back]!;
    }
    fast /= 10;
    slow /= 20;
    if (previousFast <= previousSlow && fast > slow) side = 1;
    if (previousFast >= previousSlow && fast < slow) side = -1;
    [previousFast, previousSlow] = [fast, slow];
  }
  return cash + units * close.at(-1)!;
}

/** Bytes that a run of this many bars holds at its end beside the market itself, per bar. */
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
    const bars = 100_000;
    const market = simulateMarket({ seed: 7, bars, interval: '1h' });
    const trades = await walk(market);
    const engine = await medianTime(15, () => walk(market), 5);
    const hand = await medianTime(15, () => byHand(market), 5);
    return [
      {
        name: 'SMA 10/20 cross, 100,000 bars',
        value: bars / (engine / 1000),
        unit: 'bars/s',
        reach: '≥ 1,500,000',
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
