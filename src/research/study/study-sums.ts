import { createRandom } from '../../kernel/index.ts';
import {
  calibrationOf,
  cellReturns,
  compareWithHolding,
  costSensitivity,
  type HoldingComparison,
  holmCorrected,
  type StudyArm,
  type StudyCell,
  type StudyReport,
  studyDifference,
} from '../../results/analysis/index.ts';
import { type Arm, hasSamples } from './arms.ts';
import type { StudyRequest } from './study-file.ts';
import type { CounterfactualCell } from './study-leakage.ts';

type Cells = readonly (readonly StudyCell[])[];

/** Recomputes the results of an arm's runs at other levels of trading costs. Returns means over the runs. */
export function costsOf(cells: Cells, holding: Cells, levels: readonly number[]): StudyArm['costs'] {
  const found = cells.flatMap((samples, place) =>
    samples.map((cell) => costSensitivity(cell, levels, holding[place]?.[0])),
  );
  if (found.length === 0) return null;
  const sum = (value: (one: (typeof found)[number]) => number): number =>
    found.reduce((total, one) => total + value(one), 0);
  return {
    levels: levels.map((basisPoints, level) => ({
      basisPoints,
      totalReturn: meanOf(found.map(({ levels: own }) => own[level]!.totalReturn)),
      sharpe: meanOf(found.map(({ levels: own }) => own[level]!.sharpe)),
    })),
    paidBasisPoints: meanOf(found.map(({ paidBasisPoints }) => paidBasisPoints)),
    breakEven: meanOf(found.map(({ breakEven }) => breakEven)),
    breakEvenToHold: meanOf(found.map(({ breakEvenToHold }) => breakEvenToHold)),
    dependent: sum(({ dependent }) => dependent),
    decisions: sum(({ decisions }) => decisions),
  };
}

/** Returns the mean of the defined values. `null` if no value is defined. */
function meanOf(values: readonly (number | null)[]): number | null {
  const known = values.filter((value) => value !== null);
  return known.length === 0 ? null : known.reduce((total, value) => total + value, 0) / known.length;
}

/**
 * Returns the calibration of the probabilities stated by an arm. `null` for a rule-based strategy, and if the
 * study requests no calibration.
 */
export function calibrationOfArm(
  { calibration: terms, windows, seed }: StudyRequest,
  arm: Arm,
  cells: Cells,
): StudyArm['calibration'] {
  if (terms === undefined || !hasSamples(arm)) return null;
  const { field, states, horizon } = terms;
  const forecasts = cells.flatMap((samples, place) =>
    samples.flatMap(({ forecasts: own = [] }) =>
      own.map((one) => ({ ...one, block: `${windows[place]!.name}/${Math.floor(one.at / horizon)}` })),
    ),
  );
  return {
    field,
    states,
    horizon,
    forecasts: forecasts.length,
    unusable: cells.flat().reduce((sum, { unusable = 0 }) => sum + unusable, 0),
    ...calibrationOf(forecasts, createRandom(seed, `study/${arm.name}/calibration`)),
  };
}

/** Returns the total model usage of an arm's runs, and the models that answered. */
export function usageOf(cells: readonly StudyCell[]): StudyArm['usage'] {
  const models = cells.flatMap(({ model }) => (model === null ? [] : [model]));
  if (models.length === 0) return null;
  const served = new Map<string, { model: string; fingerprint: string; runs: number }>();
  for (const one of models)
    for (const server of one.served) {
      const key = JSON.stringify([server.model, server.fingerprint]);
      served.set(key, { ...server, runs: (served.get(key)?.runs ?? 0) + 1 });
    }
  return {
    requests: models.reduce((sum, { requests }) => sum + requests, 0),
    tokens: models.reduce((sum, { tokens }) => sum + tokens, 0),
    cost: models.some(({ cost }) => cost === null)
      ? null
      : models.reduce((sum, { cost }) => sum + (cost ?? 0), 0),
    served: [...served.values()],
  };
}

/** Compares an arm's runs on simulated prices with its runs on the actual prices. */
export function counterfactualOf(
  { leakage, windows }: StudyRequest,
  {
    arm,
    cells,
    counterfactuals,
  }: { readonly arm: Arm; readonly cells: Cells; readonly counterfactuals: readonly CounterfactualCell[] },
): StudyReport['counterfactuals'] {
  const terms = leakage.counterfactual;
  if (terms === undefined || counterfactuals.length === 0) return [];
  const byWindow = windows.map(({ name }) =>
    counterfactuals.filter(({ window }) => window === name).map(({ cell }) => cell),
  );
  const scores = Array.from({ length: terms.worlds }, (_, world) =>
    meanOf(byWindow.map((worlds) => worlds[world]?.figures.totalReturn ?? null)),
  );
  const actual = meanOf(cells.map((samples) => meanOf(samples.map(({ figures }) => figures.totalReturn))));
  const known = scores.filter((score) => score !== null);
  const same: number[] = [];
  const between: number[] = [];
  for (const [place, [first, ...others]] of cells.entries()) {
    if (first === undefined) continue;
    // The first sample and the run on a simulated market have the same seed. Each of the two is therefore
    // compared with the samples after the first one.
    for (const other of others) between.push(...alike(first, other));
    for (const world of byWindow[place]!)
      for (const other of others.length === 0 ? [first] : others)
        if (world !== undefined) same.push(...alike(world, other));
  }
  return [
    {
      arm: arm.name,
      kind: terms.kind,
      worlds: terms.worlds,
      actual,
      mean: meanOf(known),
      // A simulated market without a result counts as at least as good as the actual result. This makes p
      // larger, which is conservative.
      p:
        actual === null
          ? null
          : (1 + scores.filter((score) => score === null || score >= actual - 1e-12).length) /
            (1 + scores.length),
      consistency: meanOf(same),
      agreement: meanOf(between),
    },
  ];
}

/**
 * Compares two runs at the bars where both have a decision: 1 for the same action, 0 for a different action.
 */
function alike(one: StudyCell, other: StudyCell): number[] {
  const actions = new Map(other.decisions.map(({ bar, action }) => [bar, action]));
  return one.decisions.flatMap(({ bar, action }) => {
    const beside = actions.get(bar);
    return beside === undefined ? [] : [beside === action ? 1 : 0];
  });
}

/** Returns warnings that affect how the results of the study should be read. */
export function notesOf({ windows, samples, remainder }: StudyRequest, arms: readonly StudyArm[]): string[] {
  const asked = arms.filter(({ kind }) => kind === 'llm' || kind === 'agent');
  return [
    ...(remainder === undefined
      ? []
      : [
          `No window covers ${remainder.from} to ${remainder.to}: these days are too few for another rolling window.`,
        ]),
    ...arms.flatMap(({ name, usage }) =>
      usage !== null && usage.served.length > 1
        ? [
            `${name}: the model changed within the study. It was answered by ${usage.served.map(({ model, fingerprint, runs }) => `${[model, fingerprint].filter((text) => text !== '').join(' ')} (${runs} ${runs === 1 ? 'run' : 'runs'})`).join(', ')}.`,
          ]
        : [],
    ),
    ...arms.flatMap(({ name, failures }) =>
      failures.length === 0
        ? []
        : [
            `${name}: ${failures.length === 1 ? '1 run failed and is' : `${failures.length} runs failed and are`} in no figure: ${failures[0]!.error}`,
          ],
    ),
    ...arms.flatMap(({ name, gaps }) =>
      gaps.length === 0
        ? []
        : [
            `${name}: no run has a result in ${gaps.join(', ')}. Its figures cover ${windows.length - gaps.length} of ${windows.length} windows and cannot be compared with the figures of other arms. Paired differences cover the windows that both arms have.`,
          ],
    ),
    ...(windows.length === 1
      ? ['There is one window. The intervals of the table cover samples only, not other periods.']
      : []),
    ...(asked.length > 0 && samples === 1
      ? [
          'There is one sample of each prompt and agent. The variation between samples of the model is unknown.',
        ]
      : []),
  ];
}

type Comparison = StudyReport['comparisons'][number];

/**
 * Compares every arm with every baseline and with each arm that differs only in its model, its tools, its
 * mask or its strategy. Also compares the pairs of `primary`. Holm's correction applies to the primary
 * comparisons only.
 *
 * @param primary pairs of names to which the correction applies. Default: each arm with each baseline
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
        // Each pair of arms is compared once. If `primary` contains the pair, the order of the names in
        // `primary` is used.
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

/** Returns the only property in which two arms differ. `undefined` if they do not differ in exactly one. */
function differenceOf(one: Arm, other: Arm): 'mask' | 'tools' | 'model' | 'strategy' | undefined {
  const kinds = (['mask', 'tools', 'model'] as const).filter(
    (kind) => one.chosen[kind] !== other.chosen[kind],
  );
  if (one.strategy === other.strategy) return kinds.length === 1 ? kinds[0] : undefined;
  // A rule-based strategy has no model, tools or mask, and the models of the study do not apply to an agent.
  // Arms of different strategies therefore differ in their strategy only.
  return kinds.length === 0 || !hasSamples(one) || !hasSamples(other) ? 'strategy' : undefined;
}

function returnsOf(cells: Cells): Float64Array[][] {
  return cells.map((samples) => samples.map(cellReturns));
}

/**
 * Joins an arm's returns in all windows into one series and compares it with the returns of buy-and-hold. The
 * returns of a window's samples are averaged per session.
 *
 * @param keep selects sessions by date. Default: all sessions
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
