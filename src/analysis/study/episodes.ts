import type { RunRecord } from '../../journal/index.ts';

/** A time with a position in one symbol, by places among the bars of a record. */
export interface Episode {
  readonly symbol: string;
  /** Bar of the first fill. */
  readonly from: number;
  /** Bar of the last one; the number of bars where it is still open. */
  readonly to: number;
  /** Share of the equity that it had when it was largest, at entry prices; below 0 for a short one. */
  readonly weight: number;
}

interface Lot {
  readonly symbol: string;
  readonly side: 'long' | 'short';
  readonly from: number;
  readonly to: number;
  readonly money: number;
}

/** The times in the market: lots of one symbol and side that overlap, or follow each other at once, are one. */
export function episodesOf(record: RunRecord): Episode[] {
  const first = record.bars[0]?.bar ?? 0;
  const count = record.bars.length;
  const place = (bar: number): number => Math.max(0, bar - first);
  const lots: Lot[] = [
    ...record.trades.map((trade) => ({ ...lotOf(trade), from: place(trade.entryBar), to: place(trade.bar) })),
    ...record.openTrades.map((trade) => ({ ...lotOf(trade), from: place(trade.entryBar), to: count })),
  ];
  const groups = new Map<string, Lot[]>();
  for (const lot of lots) {
    const key = `${lot.symbol} ${lot.side}`;
    groups.set(key, [...(groups.get(key) ?? []), lot]);
  }
  const equityAt = (at: number): number => Number(record.bars[Math.min(at, count - 1)]?.equity ?? 0);
  const found = [...groups.values()].flatMap((own) => joined(own, equityAt));
  return found.sort(
    (one, other) => one.from - other.from || one.to - other.to || (one.symbol < other.symbol ? -1 : 1),
  );
}

function lotOf(
  trade: Pick<
    RunRecord['trades'][number],
    'symbol' | 'side' | 'quantity' | 'entryPrice' | 'entryRate' | 'multiplier'
  >,
): Pick<Lot, 'symbol' | 'side' | 'money'> {
  const { symbol, side, quantity, entryPrice, entryRate = '1', multiplier = '1' } = trade;
  return {
    symbol,
    side,
    money: Number(quantity) * Number(entryPrice) * Number(entryRate) * Number(multiplier),
  };
}

function joined(lots: readonly Lot[], equityAt: (place: number) => number): Episode[] {
  const sorted = [...lots].sort((one, other) => one.from - other.from || one.to - other.to);
  const parts: Lot[][] = [];
  let end = Number.NEGATIVE_INFINITY;
  for (const lot of sorted) {
    if (lot.from <= end) parts.at(-1)!.push(lot);
    else parts.push([lot]);
    end = Math.max(end, lot.to);
  }
  return parts.map((part) => {
    const [{ symbol, side, from }] = part as [Lot, ...Lot[]];
    const to = Math.max(...part.map((lot) => lot.to));
    const shares = part.map(({ from: at }) => {
      const open = part.filter((lot) => lot.from <= at && at < Math.max(lot.to, lot.from + 1));
      const equity = equityAt(at);
      return equity > 0 ? open.reduce((sum, lot) => sum + lot.money, 0) / equity : 0;
    });
    const weight = Math.max(...shares);
    return { symbol, from, to, weight: side === 'long' ? weight : -weight };
  });
}
