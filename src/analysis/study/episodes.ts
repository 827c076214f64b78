import type { RunRecord } from '../../journal/index.ts';

/** Period with a position in one symbol. Bars are indices within a record. */
export interface Episode {
  readonly symbol: string;
  /** Bar of the opening fill. */
  readonly from: number;
  /** Bar of the closing fill. The number of bars if the position is still open. */
  readonly to: number;
  /** Share of the equity at the entry. Negative for a short position. */
  readonly weight: number;
}

/** Returns one period for each closed and each open trade, with lots matched first in, first out. */
export function episodesOf(record: RunRecord): Episode[] {
  const first = record.bars[0]?.bar ?? 0;
  const count = record.bars.length;
  const place = (bar: number): number => Math.max(0, bar - first);
  const shareAt = (bar: number, money: number): number => {
    const equity = Number(record.bars[Math.min(place(bar), count - 1)]?.equity ?? 0);
    return equity > 0 ? money / equity : 0;
  };
  const episodeOf = (trade: Lot, to: number): Episode => {
    const { symbol, side, quantity, entryPrice, entryBar, entryRate = '1', multiplier = '1' } = trade;
    const money = Number(quantity) * Number(entryPrice) * Number(entryRate) * Number(multiplier);
    const weight = shareAt(entryBar, money);
    return { symbol, from: place(entryBar), to, weight: side === 'long' ? weight : -weight };
  };
  return [
    ...record.trades.map((trade) => episodeOf(trade, place(trade.bar))),
    ...record.openTrades.map((trade) => episodeOf(trade, count)),
  ]
    .filter(({ weight }) => weight !== 0)
    .sort((one, other) => one.from - other.from || one.to - other.to || (one.symbol < other.symbol ? -1 : 1));
}

type Lot = Pick<
  RunRecord['trades'][number],
  'symbol' | 'side' | 'quantity' | 'entryPrice' | 'entryBar' | 'entryRate' | 'multiplier'
>;
