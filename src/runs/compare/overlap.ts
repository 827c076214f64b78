import type { RunRecord } from '../../journal/index.ts';

/** How alike two runs traded. */
export interface TradeOverlap {
  /** Trades of this run that the other entered too: same symbol, side and time. */
  readonly sharedEntries: number;
  /** … over this run's trades; null without trades. */
  readonly share: number | null;
  /** Share of the bar times of both at which both or neither held a position. */
  readonly agreement: number | null;
}

/** Compares a run's trades, open ones included, with another's. */
export function tradeOverlap(own: RunRecord, other: RunRecord): TradeOverlap {
  const entries = entriesOf(own);
  const theirs = new Set(entriesOf(other));
  const shared = entries.filter((entry) => theirs.has(entry)).length;
  const held = new Map(other.bars.map((bar) => [bar.date, bar.exposure !== 0]));
  const common = own.bars.filter((bar) => held.has(bar.date));
  const alike = common.filter((bar) => (bar.exposure !== 0) === held.get(bar.date)).length;
  return {
    sharedEntries: shared,
    share: entries.length === 0 ? null : shared / entries.length,
    agreement: common.length === 0 ? null : alike / common.length,
  };
}

function entriesOf({ trades, openTrades }: RunRecord): string[] {
  return [...trades, ...openTrades].map(({ symbol, side, entryTime }) => `${symbol} ${side} ${entryTime}`);
}
