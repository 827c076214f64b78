import { createRandom, recordOf, version } from '../../kernel/index.ts';
import {
  agreementByBar,
  agreementOf,
  auditOf,
  groupAlarms,
  hierarchicalMean,
  holmCorrected,
  type Registered,
  STUDY_FIGURES,
  type StudyArm,
  type StudyCell,
  type StudyFigure,
  type StudyReport,
} from '../../results/analysis/index.ts';
import { type Arm, hasSamples } from './arms.ts';
import { BASELINES, type Baseline, baselineText } from './baselines.ts';
import type { StudyRequest } from './study-file.ts';
import { registrationNote } from './study-folder.ts';
import type { CounterfactualCell, StudyProbe } from './study-leakage.ts';
import { type RandomDraws, rankAmongRandom } from './study-random.ts';
import {
  calibrationOfArm,
  comparisonsOf,
  costsOf,
  counterfactualOf,
  holdingComparisonOf,
  notesOf,
  usageOf,
} from './study-sums.ts';
import type { StudyGround } from './study-trials.ts';

/**
 * Smallest and largest possible value of each bounded metric. Confidence intervals of the metric's mean end
 * at these limits.
 */
const RANGES: { readonly [Name in StudyFigure]?: readonly [least: number, most: number] } = {
  maxDrawdown: [Number.NEGATIVE_INFINITY, 0],
  tradeCount: [0, Number.POSITIVE_INFINITY],
  exposure: [0, Number.POSITIVE_INFINITY],
  turnover: [0, Number.POSITIVE_INFINITY],
};

/** Results of all runs of a study. */
export interface StudyFindings {
  readonly request: StudyRequest;
  readonly ground: StudyGround;
  readonly arms: readonly {
    readonly arm: Arm;
    /**
     * Data of each sample (one of the arm's repeated runs). The first index is the window, the second the
     * sample. `undefined` for a sample without a result.
     */
    readonly cells: readonly (readonly (StudyCell | undefined)[])[];
    readonly failures: StudyArm['failures'];
    readonly random: RandomDraws | undefined;
    readonly counterfactuals: readonly CounterfactualCell[];
  }[];
  readonly baselines: ReadonlyMap<Baseline, readonly (StudyCell | undefined)[]>;
  readonly probes: readonly StudyProbe[];
  readonly registration?: Registered | undefined;
}

/** Data of the samples that have a result, by window. */
type Cells = readonly (readonly StudyCell[])[];

/** Creates the report of a study. */
export function assembleStudy(findings: StudyFindings): StudyReport {
  const { request, ground, baselines, probes, registration } = findings;
  const { seed } = request;
  const holding = windowsOf(baselines.get('buy-and-hold')!);
  const periodsPerYear = holding.flat()[0]?.periodsPerYear ?? 252;
  const known = findings.arms.map((one) => ({
    ...one,
    cells: one.cells.map((samples) => samples.filter((cell): cell is StudyCell => cell !== undefined)),
  }));
  const randoms = holmCorrected(
    known.map(({ cells, random }) =>
      random === undefined ? null : rankAmongRandom(scoreOf(cells), random).p,
    ),
  );
  const arms = known.map((one, place) =>
    armOf(findings, one, holding, periodsPerYear, randoms[place] ?? null),
  );
  const windows = request.windows.map(({ name, from, to, memory }, place) => ({
    name,
    from,
    to,
    sessions: holding[place]?.[0]?.dates.length ?? 0,
    memory: memory ?? null,
  }));
  const comparisons = comparisonsOf(
    known,
    BASELINES.map((name) => ({ name, cells: windowsOf(baselines.get(name)!) })),
    periodsPerYear,
    request.primary,
  );
  const counterfactuals = known.flatMap((one) => counterfactualOf(request, one));
  return {
    schema: 1,
    name: request.name,
    version: version(),
    seed,
    symbols: [...ground.world.files.market.symbols],
    data: ground.world.files.sources.map(({ sha256 }) => sha256 ?? ''),
    settings: termsOf(ground),
    windows,
    periodsPerYear,
    arms,
    baselines: BASELINES.map((name) => {
      const cells = windowsOf(baselines.get(name)!);
      return {
        name,
        text: baselineText(name, request.baselines),
        figures: figuresOf(cells, name, seed),
        excess: excessOf(cells, holding, name, seed),
        beside: holdingComparisonOf(cells, holding, periodsPerYear),
      };
    }),
    comparisons,
    probes: probes.map((one) => ({ ...one })),
    counterfactuals,
    audit: known.map(({ cells }, place) => ({
      arm: arms[place]!.name,
      answers: auditOf({
        arm: arms[place]!,
        windows,
        comparisons,
        probes: [...probes],
        counterfactuals,
        fillsAtClose: ground.settings.fillOn === 'close',
        ...countsOf(cells.flat()),
      }),
    })),
    alarms: groupAlarms(known.flatMap(({ cells }) => cells.flat().map(({ alarms }) => alarms))),
    ...(registration === undefined ? {} : { registration }),
    notes: [
      ...(registration === undefined ? [] : [registrationNote(registration, arms)]),
      ...notesOf(request, arms),
    ],
  };
}

/**
 * Returns the settings without the seed and `evaluateFrom`. The seed is reported separately, and each window
 * defines `evaluateFrom`.
 */
function termsOf({
  settings: { seed: _, evaluateFrom: __, ...terms },
}: StudyGround): Record<string, unknown> {
  return terms;
}

function windowsOf(cells: readonly (StudyCell | undefined)[]): StudyCell[][] {
  return cells.map((cell) => (cell === undefined ? [] : [cell]));
}

function figuresOf(cells: Cells, label: string, seed: number): StudyArm['figures'] {
  return recordOf(STUDY_FIGURES, (name) =>
    hierarchicalMean(
      cells.map((samples) => samples.map(({ figures }) => figures[name])),
      createRandom(seed, `study/${label}/${name}`),
      RANGES[name],
    ),
  );
}

/**
 * Returns the mean excess return over buy-and-hold. The excess return is the difference between the total
 * returns of a sample and of buy-and-hold in the same window.
 */
function excessOf(cells: Cells, holding: Cells, label: string, seed: number): StudyArm['excess'] {
  return hierarchicalMean(
    cells.map((samples, place) => {
      const held = holding[place]?.[0]?.figures.totalReturn ?? null;
      return samples.map(({ figures: { totalReturn } }) =>
        totalReturn === null || held === null ? null : totalReturn - held,
      );
    }),
    createRandom(seed, `study/${label}/excess`),
  );
}

function armOf(
  { request }: StudyFindings,
  one: Omit<StudyFindings['arms'][number], 'cells'> & { readonly cells: Cells },
  holding: Cells,
  periodsPerYear: number,
  pHolm: number | null,
): StudyArm {
  const { arm, cells, failures, random } = one;
  const beside = (keep?: (date: string) => boolean): StudyArm['beside'] =>
    holdingComparisonOf(cells, holding, periodsPerYear, keep);
  const { cutoff } = arm;
  const isPrompt = hasSamples(arm);
  return {
    name: arm.name,
    strategy: arm.strategy,
    kind: arm.kind,
    model: arm.model,
    tools: isPrompt ? arm.chosen.tools : null,
    mask: arm.chosen.mask,
    samples: arm.samples,
    failures: [...failures],
    gaps: request.windows.flatMap(({ name }, place) => (cells[place]!.length === 0 ? [name] : [])),
    figures: figuresOf(cells, arm.name, request.seed),
    excess: excessOf(cells, holding, arm.name, request.seed),
    beside: beside(),
    windows: request.windows.map(({ name }, place) => ({
      name,
      totalReturn: hierarchicalMean(
        [cells[place]!.map(({ figures }) => figures.totalReturn)],
        createRandom(request.seed, `study/${arm.name}/${name}`),
      ),
      beside: holdingComparisonOf([cells[place]!], [holding[place]!], periodsPerYear),
    })),
    agreement: isPrompt
      ? agreementOf(cells.flatMap((samples) => agreementByBar(samples.map(({ decisions }) => decisions))))
      : null,
    calibration: calibrationOfArm(request, arm, cells),
    random: random === undefined || pHolm === null ? null : randomOf(cells, random, pHolm),
    costs: costsOf(cells, holding, request.costs),
    cutoff:
      cutoff === undefined
        ? null
        : {
            date: cutoff,
            before: beside((date) => date.slice(0, 10) <= cutoff),
            after: beside((date) => date.slice(0, 10) > cutoff),
          },
    usage: usageOf(cells.flat()),
  };
}

/**
 * Returns the mean total return: first over the samples of each window, then over the windows. The returns of
 * random agents are averaged in the same way.
 */
function scoreOf(cells: Cells): number {
  const means = cells.flatMap((samples) =>
    samples.length === 0
      ? []
      : [samples.reduce((sum, { figures }) => sum + (figures.totalReturn ?? 0), 0) / samples.length],
  );
  return means.reduce((sum, value) => sum + value, 0) / Math.max(1, means.length);
}

function randomOf(cells: Cells, random: RandomDraws, pHolm: number): NonNullable<StudyArm['random']> {
  const { returns, repeated, tradeCount, exposure, turnover } = random;
  const runs = cells.flat();
  return {
    draws: returns.length,
    mean: returns.reduce((sum, value) => sum + value, 0) / returns.length,
    repeated,
    ...rankAmongRandom(scoreOf(cells), random),
    pHolm,
    tradeCount,
    exposure,
    ownTradeCount: runs.reduce((sum, { episodes }) => sum + episodes.length, 0) / runs.length,
    ownExposure: runs.reduce((sum, { figures }) => sum + (figures.exposure ?? 0), 0) / runs.length,
    turnover,
    ownTurnover: runs.reduce((sum, { figures }) => sum + (figures.turnover ?? 0), 0) / runs.length,
  };
}

function countsOf(cells: readonly StudyCell[]) {
  const sum = (value: (cell: StudyCell) => number): number =>
    cells.reduce((total, cell) => total + value(cell), 0);
  const profits: Record<string, number> = {};
  for (const cell of cells)
    for (const [symbol, profit] of Object.entries(cell.profits))
      profits[symbol] = (profits[symbol] ?? 0) + profit;
  return {
    runs: cells.length,
    orders: sum(({ orders }) => orders),
    refused: sum(({ refused }) => refused),
    fills: sum(({ fills }) => fills),
    ambiguous: sum(({ ambiguous }) => ambiguous),
    toolCalls: sum(({ toolCalls }) => toolCalls),
    toolErrors: sum(({ toolErrors }) => toolErrors),
    profits,
  };
}
