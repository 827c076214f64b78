import {
  calibrationOf,
  costSensitivity,
  type StudyArm,
  type StudyCell,
  type StudyReport,
} from '../../analysis/index.ts';
import { createRandom } from '../../kernel/index.ts';
import { type Arm, hasSamples } from './arms.ts';
import type { StudyRequest } from './study-file.ts';
import type { CounterfactualCell } from './study-leakage.ts';

type Cells = readonly (readonly StudyCell[])[];

/** Mean over all runs of what each would have come to at other costs. */
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

/** Of those that are defined; null where none is. */
function meanOf(values: readonly (number | null)[]): number | null {
  const known = values.filter((value) => value !== null);
  return known.length === 0 ? null : known.reduce((total, value) => total + value, 0) / known.length;
}

/** What came of the probabilities that an arm's decisions stated; null where none are looked for. */
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

/** What the runs of an arm asked its model, and who answered. */
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

/** An arm on other paths beside its runs on the real one. */
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
    // A world stands where the first sample stands, its seed included: both are held beside the other samples.
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
      // A world without a result counts as having done as well: nobody knows.
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

/** 1 for each decision at a bar of both that ordered the same, 0 for each that did not. */
function alike(one: StudyCell, other: StudyCell): number[] {
  const actions = new Map(other.decisions.map(({ bar, action }) => [bar, action]));
  return one.decisions.flatMap(({ bar, action }) => {
    const beside = actions.get(bar);
    return beside === undefined ? [] : [beside === action ? 1 : 0];
  });
}

/** What is to be known before any figure. */
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
            `${name}: ${failures.length} ${failures.length === 1 ? 'run' : 'runs'} failed and are in no figure: ${failures[0]!.error}`,
          ],
    ),
    ...arms.flatMap(({ name, gaps }) =>
      gaps.length === 0
        ? []
        : [
            `${name}: no run came to a result in ${gaps.join(', ')}. Its figures are of ${windows.length - gaps.length} of ${windows.length} windows, and cannot be held beside those of others; paired differences are over the windows that both have.`,
          ],
    ),
    ...(windows.length === 1
      ? [
          'There is one window: intervals of the table are over samples alone, and say nothing of other periods.',
        ]
      : []),
    ...(asked.length > 0 && samples === 1
      ? [
          'There is one sample of each prompt and agent: how much of a result is the model’s dice cannot be told.',
        ]
      : []),
  ];
}
