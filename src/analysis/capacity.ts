import type { RunRecord } from '../journal/index.ts';
import { reportSettings } from './equity.ts';
import { type Undefined, undefinedBecause } from './figures.ts';
import { type CapacityFound, capacityOfShares } from './series/capacity.ts';

/** Returns how large the account could be, judged by the volume of the bars on which its trades filled. */
export function capacityOf(record: RunRecord): CapacityFound | Undefined {
  if (record.fills.length === 0) return undefinedBecause('nothing was traded');
  const shares = volumeShares(record).map(({ share }) => share);
  if (shares.length === 0) return undefinedBecause('the data have no volume');
  return capacityOfShares(shares, reportSettings(record).cash.toNumber());
}

/** Returns each fill's share of its bar's volume, for bars with a volume. */
export function volumeShares({ fills, bars, started }: RunRecord): { bar: number; share: number }[] {
  const first = bars[0]?.bar ?? 0;
  const places = new Map(started.symbols.map((symbol, place) => [symbol, place]));
  return fills.flatMap(({ bar, symbol, quantity }) => {
    const volume = bars[bar - first]?.prices?.[places.get(symbol) ?? -1]?.[4] ?? 0;
    return volume > 0 ? [{ bar, share: Number(quantity) / volume }] : [];
  });
}
