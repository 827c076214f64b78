import type { RunRecord } from '../../journal/index.ts';

/** Similarity of the trades of two runs. */
export interface TradeOverlap {
  /** Number of trades that both runs entered with the same symbol, side and time. */
  readonly sharedEntries: number;
  /** `sharedEntries` divided by the number of this run's trades. `null` without trades. */
  readonly share: number | null;
  /**
   * Share of common bar times at which both runs had positions in the same symbols on the same sides, or no
   * positions.
   */
  readonly sameSide: number | null;
  /**
   * Sum of the smaller exposure of both runs at bars with the same positions, divided by the sum of the
   * larger exposure at all common bars. 1 for the same sides and sizes throughout. `null` if neither run had
   * a position or equity was not above zero.
   */
  readonly sameSize: number | null;
}

type Held = RunRecord['trades'][number] | RunRecord['openTrades'][number];

/** Compares the trades of two runs, open trades included. */
export function tradeOverlap(own: RunRecord, other: RunRecord): TradeOverlap {
  const entries = tradesOf(own).map(entryOf);
  const theirs = new Set(tradesOf(other).map(entryOf));
  const shared = entries.filter((entry) => theirs.has(entry)).length;
  const [mine, others] = [positionsOf(own), positionsOf(other)];
  let [common, alike, both, larger] = [0, 0, 0, 0];
  for (const [date, one] of mine) {
    const two = others.get(date);
    if (two === undefined) continue;
    const isAlike = one.held === two.held;
    common += 1;
    alike += Number(isAlike);
    const sizes = [Math.abs(one.exposure), Math.abs(two.exposure)];
    if (isAlike) both += Math.min(...sizes);
    larger += Math.max(...sizes);
  }
  return {
    sharedEntries: shared,
    share: entries.length === 0 ? null : shared / entries.length,
    sameSide: common === 0 ? null : alike / common,
    sameSize: larger > 0 ? both / larger : null,
  };
}

function tradesOf({ trades, openTrades }: RunRecord): Held[] {
  return [...trades, ...openTrades];
}

function entryOf({ symbol, side, entryTime }: Held): string {
  return `${symbol} ${side} ${entryTime}`;
}

/** Positions by bar time: symbols with their side at the close, and exposure as a share of equity. */
type Positions = ReadonlyMap<string, { readonly held: string; readonly exposure: number }>;

/** Cache. A run is compared with many others. */
const known = new WeakMap<RunRecord, Positions>();

function positionsOf(record: RunRecord): Positions {
  const positions = known.get(record) ?? readPositions(record);
  known.set(record, positions);
  return positions;
}

function readPositions(record: RunRecord): Positions {
  const trades = tradesOf(record).sort((one, other) => (one.entryTime < other.entryTime ? -1 : 1));
  const open = new Set<Held>();
  let [next, held] = [0, ''];
  return new Map(
    record.bars.map(({ date, exposure }) => {
      let isChanged = false;
      for (; next < trades.length && trades[next]!.entryTime <= date; next++) {
        open.add(trades[next]!);
        isChanged = true;
      }
      for (const trade of open) {
        if (!('exitTime' in trade) || trade.exitTime > date) continue;
        open.delete(trade);
        isChanged = true;
      }
      if (isChanged)
        held = [...new Set([...open].map(({ symbol, side }) => `${symbol} ${side}`))].sort().join();
      return [date, { held, exposure: exposure ?? Number.NaN }];
    }),
  );
}
