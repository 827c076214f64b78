import { type Environment, isSharedBudgetStop, loadStrategy } from '../../agents/index.ts';
import { isResult } from '../../engine/index.ts';
import { AppError, type Fault, faultsError, messageOf, parseInstant } from '../../kernel/index.ts';
import { type StudyCell, studyCell } from '../../results/analysis/index.ts';
import { evaluateTrial, openTrialWorld, type RunContext } from '../../runner/index.ts';
import { cutMarket } from '../sweep/evaluate-task.ts';
import type { SweepJournal } from '../sweep/sweep-folder.ts';
import { createWorldMaker } from '../worlds/make-worlds.ts';
import type { Arm } from './arms.ts';
import type { StudyRequest } from './study-file.ts';
import { periodOf, roomOf, type StudyGround, settingsOf } from './study-trials.ts';

/**
 * Result of a memory probe (questions that test what a model remembers of the data), or the reason why a
 * valid probe was not possible.
 */
export interface StudyProbe {
  readonly model: string;
  readonly questions: number;
  readonly probability: number | null;
  readonly smallest: number | null;
  readonly remembers: boolean;
  readonly refused: string | null;
}

/**
 * Tests what each model of a study remembers of the data. Each model is tested once.
 *
 * @throws AppError if a model cannot be called
 */
export async function runProbes(
  request: StudyRequest,
  ground: StudyGround,
  journal: SweepJournal,
  arms: readonly Arm[],
  context: RunContext & { readonly environment: Environment },
  signal: AbortSignal,
): Promise<StudyProbe[]> {
  const questions = request.leakage.probe;
  if (questions === 0) return [];
  const { market } = ground.world.files;
  const last = request.windows
    .map(({ to }) => to)
    .sort()
    .at(-1)!;
  const asked = cutMarket(market, market.clock[0]!, parseInstant(`${last}T23:59:59`)!);
  const probes: StudyProbe[] = [];
  const models = new Map<string, Arm>();
  for (const arm of arms)
    if (arm.kind === 'llm' && !models.has(arm.model ?? '')) models.set(arm.model ?? '', arm);
  for (const [model, arm] of models) {
    const id = `probe/${model}`;
    let known = journal.get(id);
    if (known === undefined) {
      const strategy = await loadStrategy(arm.file ?? '', arm.parameters, {
        environment: context.environment,
      });
      const found = await scored(async () => {
        const { environment, meter } = context;
        return strategy.probe?.(asked, {
          environment,
          ...(meter === undefined ? {} : { meter }),
          signal,
          questions,
          seed: request.seed,
        });
      }, model);
      known = { id, outcome: 'completed', figures: { probe: JSON.stringify(found) }, seconds: 0 };
      journal.add(known);
    }
    probes.push(JSON.parse(String(known.figures?.probe)) as StudyProbe);
  }
  return probes;
}

type Report = {
  readonly questions: number;
  readonly probability: number | null;
  readonly smallest: number | null;
  readonly remembers: boolean;
  readonly hasPower: boolean;
};

async function scored(probe: () => Promise<Report | undefined>, model: string): Promise<StudyProbe> {
  const none = { model, questions: 0, probability: null, smallest: null, remembers: false };
  try {
    const report = await probe();
    if (report === undefined) return { ...none, refused: 'it uses no model' };
    const { questions, probability, smallest, remembers, hasPower } = report;
    return {
      model,
      questions,
      probability,
      smallest,
      remembers,
      refused: hasPower ? null : 'it answered too few questions to be distinguished from chance',
    };
  } catch (error) {
    // With too few bars, or if the probe could not detect memory reliably, the model receives no question.
    // The result of the probe then contains the reason.
    if (!(error instanceof AppError) || !['no_power', 'too_few_bars'].includes(error.code)) throw error;
    return { ...none, refused: error.message.replace(/\.$/, '') };
  }
}

/** Result of an arm in a window of a simulated market. `cell` is `undefined` if the run has no result. */
export interface CounterfactualCell {
  readonly window: string;
  readonly cell: StudyCell | undefined;
}

/**
 * Checks that simulated markets can be made for every window, before any model request is paid.
 *
 * @throws AppError `bad_study` with every window that has too few bars
 */
export function checkWorlds(request: StudyRequest, ground: StudyGround): void {
  const { file, windows, seed, lineOf } = request;
  const { counterfactual } = request.leakage;
  if (counterfactual === undefined) return;
  const { market, actions } = ground.world.files;
  const faults = windows.flatMap((window): Fault[] => {
    const { from, to } = periodOf(ground, window);
    const bars = cutMarket(market, parseInstant(from)!, parseInstant(to)!);
    try {
      createWorldMaker(bars, { kind: counterfactual.kind, seed }, roomOf(ground, window).offset, actions);
      return [];
    } catch (error) {
      if (!(error instanceof AppError) || error.code !== 'too_few_bars') throw error;
      const where = `${file}:${lineOf(['leakage', 'counterfactual'])}`;
      return [{ where, message: `the window ${window.name}: ${error.message}` }];
    }
  });
  if (faults.length === 0) return;
  const hint = 'Use longer windows or another kind of worlds, or remove counterfactual.';
  throw faultsError('bad_study', 'Not all windows have other paths', faults, hint);
}

/**
 * Runs an arm on simulated markets, which have the texts and dates of the actual data but other prices.
 *
 * @returns the results, or the reason why the budget or the model stopped the runs. `undefined` if the user
 *   interrupted the study
 */
export async function runCounterfactuals(
  request: StudyRequest,
  ground: StudyGround,
  journal: SweepJournal,
  arm: Arm,
  context: RunContext,
  signal: AbortSignal,
): Promise<
  | { readonly cells: CounterfactualCell[] }
  | { readonly stopped: string; readonly by: 'budget' | 'model' }
  | undefined
> {
  const { counterfactual } = request.leakage;
  if (counterfactual === undefined) return { cells: [] };
  const world = await openTrialWorld(
    {
      strategy: arm.file ?? '',
      parameters: arm.parameters,
      options: { ...request.options, ...arm.agent, ...(arm.mask === undefined ? {} : { mask: arm.mask }) },
      settings: settingsOf(request),
    },
    { ...context, listen: () => ({ signal, release: () => undefined }) },
  );
  const cells: CounterfactualCell[] = [];
  try {
    for (const window of request.windows) {
      const { from, to } = periodOf(ground, window);
      const market = cutMarket(world.files.market, parseInstant(from)!, parseInstant(to)!);
      const { offset } = roomOf(ground, window);
      const terms = { kind: counterfactual.kind, seed: request.seed };
      const maker = createWorldMaker(market, terms, offset, world.files.actions);
      for (let number = 1; number <= counterfactual.worlds; number++) {
        const id = `world/${arm.name}/${window.name}/${number}`;
        let known = journal.get(id);
        if (known === undefined) {
          if (signal.aborted) return undefined;
          const evaluation = await evaluateTrial(world, {
            ...maker.make(number),
            settings: { evaluateFrom: window.from },
            signal,
          });
          const { outcome, result } = evaluation;
          if (signal.aborted) return undefined;
          // The budget of an agent applies to each world separately. A second run of the world would exhaust
          // this budget again, so the world has no result. Only the shared budget stops all worlds.
          const isShared = arm.agent === undefined || isSharedBudgetStop(result.error);
          if ((outcome === 'budget_exhausted' && isShared) || outcome === 'stopped')
            return {
              stopped: messageOf(result.error ?? outcome),
              by: outcome === 'stopped' ? 'model' : 'budget',
            };
          known = {
            id,
            outcome,
            figures: null,
            seconds: 0,
            ...(isResult(outcome) ? { study: studyCell(evaluation.record, evaluation.scalars) } : {}),
          };
          journal.add(known);
        }
        cells.push({ window: window.name, cell: known.study });
      }
    }
  } finally {
    await world.close();
  }
  return { cells };
}
