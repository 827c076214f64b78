import {
  cellReturns,
  compareWithHolding,
  type HoldingComparison,
  holmCorrected,
  type StudyCell,
  type StudyReport,
  studyDifference,
} from '../../results/analysis/index.ts';
import { type Arm, hasSamples } from './arms.ts';

type Cells = readonly (readonly StudyCell[])[];
type Comparison = StudyReport['comparisons'][number];

/**
 * Compares every arm with every baseline and with each arm that differs in one choice. Adds the pairs of
 * `primary`. Holm's correction covers the primary comparisons only.
 *
 * @param primary pairs of names; each arm with each baseline if omitted
 */
export function comparisonsOf(
  arms: readonly { readonly arm: Arm; readonly cells: Cells }[],
  baselines: readonly { readonly name: string; readonly cells: Cells }[],
  periodsPerYear: number,
  primary?: readonly (readonly [a: string, b: string])[],
): Comparison[] {
  const isNamed = (a: string, b: string): boolean =>
    primary?.some(([one, other]) => one === a && other === b) === true;
  const pairs = [
    ...arms.flatMap(({ arm, cells }) =>
      baselines.map((other) => ({
        a: arm.name,
        b: other.name,
        kind: 'baseline' as const,
        cells,
        others: other.cells,
      })),
    ),
    ...arms.flatMap(({ arm, cells }, place) =>
      arms.flatMap((other, at) => {
        const named = isNamed(arm.name, other.arm.name);
        // Each pair once, in the order that `primary` gives.
        if (at === place || (!named && (at < place || isNamed(other.arm.name, arm.name)))) return [];
        const kind = differenceOf(arm, other.arm) ?? (named ? ('several' as const) : undefined);
        return kind === undefined
          ? []
          : [{ a: arm.name, b: other.arm.name, kind, cells, others: other.cells }];
      }),
    ),
  ];
  const found = pairs.map(({ a, b, kind, cells, others }) => {
    const difference = studyDifference(returnsOf(cells), returnsOf(others), periodsPerYear);
    const {
      estimate = null,
      low = null,
      high = null,
      p = null,
      pWindows = null,
      sessions = 0,
    } = difference ?? {};
    const isPrimary = primary === undefined ? kind === 'baseline' : isNamed(a, b);
    return { a, b, kind, estimate, low, high, p, pWindows, primary: isPrimary, sessions };
  });
  const corrected = holmCorrected(found.map(({ p, primary: isPrimary }) => (isPrimary ? p : null)));
  return found.map((one, place) => ({ ...one, pHolm: corrected[place] ?? null }));
}

/** Returns the choice in which two arms differ. Undefined if they differ in several choices. */
function differenceOf(one: Arm, other: Arm): 'mask' | 'tools' | 'model' | 'strategy' | undefined {
  const kinds = (['mask', 'tools', 'model'] as const).filter(
    (kind) => one.chosen[kind] !== other.chosen[kind],
  );
  if (one.strategy === other.strategy) return kinds.length === 1 ? kinds[0] : undefined;
  // A rule-based strategy has no model, tools or mask. An agent has no model of the study.
  return kinds.length === 0 || !hasSamples(one) || !hasSamples(other) ? 'strategy' : undefined;
}

function returnsOf(cells: Cells): Float64Array[][] {
  return cells.map((samples) => samples.map(cellReturns));
}

/**
 * Joins all windows to one series, compared with buy-and-hold. The samples of each window are averaged per
 * session.
 *
 * @param keep selects sessions by date; all of them if omitted
 */
export function holdingComparisonOf(
  cells: Cells,
  holding: Cells,
  periodsPerYear: number,
  keep: (date: string) => boolean = () => true,
): HoldingComparison | null {
  const own: number[] = [];
  const held: number[] = [];
  for (const [place, samples] of cells.entries()) {
    const hold = holding[place]?.[0];
    const same = samples.filter(({ dates }) => dates.length === hold?.dates.length);
    if (hold === undefined || same.length === 0) continue;
    const all = same.map(cellReturns);
    const benchmark = cellReturns(hold);
    for (const [session, date] of hold.dates.entries()) {
      if (!keep(date)) continue;
      own.push(all.reduce((sum, returns) => sum + returns[session]!, 0) / all.length);
      held.push(benchmark[session]!);
    }
  }
  return compareWithHolding(Float64Array.from(own), Float64Array.from(held), periodsPerYear);
}
