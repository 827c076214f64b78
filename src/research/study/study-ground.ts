import { firstBarFrom, type RunSettings } from '../../engine/index.ts';
import { formatInstant, parseInstant } from '../../kernel/index.ts';
import { openTrialWorld, type RunContext, type TrialWorld } from '../../runner/index.ts';
import type { Period } from '../trial.ts';
import { baselineParameters } from './baselines.ts';
import type { StudyRequest, StudyWindow } from './study-file.ts';
import { yardstick } from './yardstick.ts';

/** Data and settings of a study. */
export interface StudyGround {
  readonly world: TrialWorld;
  readonly settings: RunSettings;
}

/**
 * Reads the data of a study and prepares its baselines.
 *
 * @throws AppError with every fault of the files
 */
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

/** Returns the period of a window. It includes the whole last day. */
export function periodOf({ world }: StudyGround, { from, to }: StudyWindow): Period {
  return { from: formatInstant(world.files.market.clock[0]!), to: `${to}T23:59:59`, evaluateFrom: from };
}

/**
 * Returns the symbols that can be traded during the whole window, and the index of its first evaluated bar.
 */
export function roomOf({ world, settings }: StudyGround, { from, to }: StudyWindow) {
  const { clock, series } = world.files.market;
  const offset = firstBarFrom(clock, parseInstant(from)!, settings.barTimes);
  const last = clock.findLast((time) => time <= parseInstant(`${to}T23:59:59`)!)!;
  const whole = series.filter(({ time }) => time[0]! <= clock[offset]! && time.at(-1)! >= last);
  const symbols = (whole.length > 0 ? whole : series).map(({ symbol }) => symbol);
  return { symbols, offset };
}
