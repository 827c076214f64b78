import type { RunRecord } from '../journal/index.ts';

/**
 * Returns the number of units that one unit at the close of bar `from` has become at the open of bar `to`.
 */
export type UnitsBetween = (symbol: string, from: number, to: number) => number;

/** Reads a run's splits. Charts and excursions compare prices across splits. */
export function unitsBetween({ splits }: Pick<RunRecord, 'splits'>): UnitsBetween {
  const known = splits.map(({ symbol, bar, ratio }) => {
    const [to = 1, from = 1] = ratio.split(':').map(Number);
    return { symbol, bar, units: to / from };
  });
  return (symbol, from, to) =>
    known.reduce(
      (units, split) =>
        split.symbol === symbol && split.bar > from && split.bar <= to ? units * split.units : units,
      1,
    );
}
