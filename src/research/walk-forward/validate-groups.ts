import type { BlockSums } from '../../results/analysis/index.ts';
import type { CrossValidationResult } from '../../results/runs/index.ts';
import type { TrialResult, TrialTask } from '../sweep/executor.ts';
import { trialOf } from '../sweep/figures.ts';
import { equalCounts } from '../sweep/maps.ts';
import type { PreparedSweep } from '../sweep/prepare-sweep.ts';
import type { SearchEnd, TrialRunner, Tried } from '../sweep/trial-runner.ts';
import { type Cuts, crossValidate, spansOf } from './cross-validate.ts';
import { type JudgedWindow, judgedWindow } from './windows.ts';

const POSITIONS =
  'Each group is a separate run that starts without positions. A position is closed at the open of the group’s last bar. Both orders pay their costs.';

const HISTORY = 'The strategy sees all earlier bars as history. Only the bars of the group are judged.';

/** Number of ranges that `spansOf` returns for each group. */
const SPANS = 4;

/**
 * Runs each trial of the search again, separately on each group of bars, and cross-validates the results.
 * Only trials with an objective value are used.
 *
 * @returns `undefined` if the sweep was stopped before its end. `null` if no cross-validation was requested,
 *   or if no trial has an objective value and a result in every group
 */
export async function validateGroups(
  prepared: PreparedSweep,
  { tried }: SearchEnd,
  runner: TrialRunner,
): Promise<CrossValidationResult | null | undefined> {
  const { crossValidation, cuts, objective, ground } = prepared;
  if (crossValidation === undefined || cuts === undefined) return null;
  // Only trials that ran on all bars and meet the constraints are used. Constraints apply to the whole period
  // and are not checked in single groups.
  const rated = tried.filter((one) => one.objective !== null && one.share === 1);
  if (rated.length === 0) return null;
  const windows = windowsOf(prepared, cuts);
  const spans = objective.text.trim() === 'sharpe' ? undefined : spansOf(cuts);
  const tasks = rated.flatMap(({ trial }) =>
    windows.map(
      ({ period }, group): TrialTask => ({
        trial: trialOf(ground, trial.parameters, { ...period, closeAtEnd: true }),
        edges: cuts.edges,
        ...(spans === undefined
          ? {}
          : {
              parts: {
                spans: spans.slice(group * SPANS, (group + 1) * SPANS),
                figures: objective.figures,
              },
            }),
      }),
    ),
  );
  const results = await runner.run(tasks);
  if (results === undefined) return undefined;
  const complete = rated.flatMap((one, place) => {
    const own = results.slice(place * windows.length, (place + 1) * windows.length);
    return own.every(({ figures }) => figures !== null) ? [joined(prepared, cuts, one, own)] : [];
  });
  if (complete.length === 0) return null;
  const counted = equalCounts(complete.map(({ blocks }) => blocks));
  const periodsPerYear = Number(rated[0]!.result.figures?.periodsPerYear ?? 252);
  const trials = complete.map((trial, place) => ({ ...trial, blocks: counted[place]! }));
  return {
    ...crossValidate(crossValidation, cuts, trials, periodsPerYear, objective),
    positions: POSITIONS,
    history: HISTORY,
    windows: windows.map(({ shown }) => shown),
  };
}

function windowsOf({ files }: PreparedSweep, { bounds }: Cuts): JudgedWindow[] {
  return bounds.slice(1).map((end, group) => judgedWindow(files.market.clock, bounds[group]!, end));
}

/** Joins the results of one trial from all groups. */
function joined(
  { objective }: PreparedSweep,
  { edges }: Cuts,
  { trial: { id, parameters } }: Tried,
  groups: readonly TrialResult[],
) {
  const empty = (): number[] => Array.from({ length: edges.length + 1 }, () => 0);
  const blocks = { count: empty(), sum: empty(), squares: empty() };
  const add = (own: BlockSums): void => {
    for (const name of ['count', 'sum', 'squares'] as const)
      for (const [block, value] of own[name].entries()) blocks[name][block]! += value;
  };
  for (const { blocks: own } of groups) if (own !== undefined) add(own);
  const parts = groups.flatMap((group) => group.parts ?? []);
  return {
    id,
    parameters,
    blocks,
    ...(parts.length === 0
      ? {}
      : { parts: parts.map((figures) => figures && objective.plainValueOf(figures)) }),
  };
}
