import type { TradeRow } from './page-data.ts';

/** Statistics of closed trades. */
export interface TradeSums {
  readonly closed: number;
  readonly winRate: number | null;
  readonly profitFactor: number | null;
  readonly best: TradeRow | undefined;
  readonly worst: TradeRow | undefined;
}

export function tradeSums(rows: readonly TradeRow[]): TradeSums {
  let [closed, won, wins, losses] = [0, 0, 0, 0];
  let [best, worst]: [TradeRow | undefined, TradeRow | undefined] = [undefined, undefined];
  for (const row of rows) {
    if (row.exitTime === null) continue;
    closed += 1;
    if (row.net > 0) [won, wins] = [won + 1, wins + row.net];
    else losses -= row.net;
    if (best === undefined || row.net > best.net) best = row;
    if (worst === undefined || row.net < worst.net) worst = row;
  }
  return {
    closed,
    winRate: closed === 0 ? null : won / closed,
    profitFactor: losses > 0 ? wins / losses : null,
    best,
    worst,
  };
}
