import type { StudyCell } from '../../analysis/index.ts';
import { firstBarFrom, type RunSettings } from '../../engine/index.ts';
import { formatInstant, parseInstant } from '../../kernel/index.ts';
import { openTrialWorld, type RunContext, type TrialWorld } from '../../runner/index.ts';
import type { SweepJournal } from '../sweep-folder.ts';
import type { Period } from '../trial.ts';
import { BASELINES, type Baseline, baselineParameters } from './baselines.ts';
import type { StudyRequest, StudyWindow } from './study-file.ts';
import type { StudyTrials } from './study-trials.ts';
import { yardstick } from './yardstick.ts';

/** The data of a study, and its settings. */
export interface StudyGround {
  readonly world: TrialWorld;
  readonly settings: RunSettings;
}

/** Reads the data of a study, with its baselines ready to trade them. @throws AppError with every fault of the files */
export async function openGround(request: StudyRequest, context: RunContext): Promise<StudyGround> {
  const world = await openTrialWorld(
    {
      strategy: yardstick,
      parameters: baselineParameters('buy-and-hold', request.baselines),
      options: request.options,
      settings: settingsOf(request),
    },
    context,
  );
  return { world, settings: await world.settingsOf() };
}

export function settingsOf({
  settings,
  seed,
}: StudyRequest): StudyRequest['settings'] & { readonly seed: number } {
  return { ...settings, seed };
}

/** A window's last day is in it to its end. */
export function periodOf({ world }: StudyGround, { from, to }: StudyWindow): Period {
  return { from: formatInstant(world.files.market.clock[0]!), to: `${to}T23:59:59`, evaluateFrom: from };
}

/** The baselines in every window. */
export async function runBaselines(
  request: StudyRequest,
  ground: StudyGround,
  journal: SweepJournal,
  trials: StudyTrials,
  signal: AbortSignal,
): Promise<Map<Baseline, (StudyCell | undefined)[]>> {
  const idOf = (baseline: Baseline, { name }: StudyWindow): string => `baseline/${baseline}/${name}`;
  const tasks = BASELINES.flatMap((baseline) =>
    request.windows.map((window) => ({
      trial: {
        id: idOf(baseline, window),
        parameters: baselineParameters(baseline, request.baselines),
        period: periodOf(ground, window),
      },
      study: true,
    })),
  );
  const missing = tasks.filter(({ trial }) => journal.get(trial.id) === undefined);
  for await (const result of trials.run(missing, signal)) journal.add(result);
  return new Map(
    BASELINES.map((baseline) => [
      baseline,
      request.windows.map((window) => journal.get(idOf(baseline, window))?.study),
    ]),
  );
}

/** What can be traded all through a window, and the place of its first bar that counts. */
export function roomOf({ world, settings }: StudyGround, { from, to }: StudyWindow) {
  const { clock, series } = world.files.market;
  const offset = firstBarFrom(clock, parseInstant(from)!, settings.barTimes);
  const last = clock.findLast((time) => time <= parseInstant(`${to}T23:59:59`)!)!;
  const whole = series.filter(({ time }) => time[0]! <= clock[offset]! && time.at(-1)! >= last);
  const symbols = (whole.length > 0 ? whole : series).map(({ symbol }) => symbol);
  return { symbols, offset };
}
