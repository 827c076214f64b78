import type { PreparedSweep } from './prepare-sweep.ts';
import { sizeOf } from './space.ts';
import { trainAndTest } from './walk-forward.ts';

/** What a sweep that is no grid tries where nothing is said. */
const TRIALS = 100;

/**
 * About how many trials a sweep will have run at its end, those of its walk-forward among them: combinations that are
 * refused are counted, rungs of `halving` are not.
 *
 * @throws AppError `bad_walk_forward` where not one window fits
 */
export function expectedTrials(prepared: PreparedSweep): number {
  const { request, space, name, walkForward } = prepared;
  const most = request.trials ?? (name === 'grid' ? Number.POSITIVE_INFINITY : TRIALS);
  const search = Math.min(sizeOf(space), most);
  if (walkForward === undefined) return search;
  const windows = trainAndTest(prepared, walkForward).length;
  return search * (1 + windows) + (walkForward.carry ? 1 : windows);
}
