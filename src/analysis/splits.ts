import type { RunRecord } from '../journal/index.ts';

/** How many units one unit held since the close of a bar has become by another bar's open and after. */
export type UnitsBetween = (symbol: string, from: number, to: number) => number;

/** Reads a run's splits: charts and excursions compare prices of before and after them. */
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
