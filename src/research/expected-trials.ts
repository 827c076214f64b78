import type { PreparedSweep } from './prepare-sweep.ts';
import { sizeOf } from './space.ts';
import { trainAndTest } from './walk-forward.ts';

/** Default number of trials of a search other than `grid`. */
const TRIALS = 100;

/**
 * Estimates the number of trials of a sweep, including its walk-forward and its cross-validation. The
 * estimate counts refused combinations. It does not count the rungs of `halving`.
 *
 * @throws AppError `bad_walk_forward` if no window fits
 */
export function expectedTrials(prepared: PreparedSweep): number {
  const { request, space, name, walkForward, crossValidation } = prepared;
  const most = request.trials ?? (name === 'grid' ? Number.POSITIVE_INFINITY : TRIALS);
  const search = Math.min(sizeOf(space), most);
  const once = search * (1 + (crossValidation?.groups ?? 0));
  if (walkForward === undefined) return once;
  const windows = trainAndTest(prepared, walkForward).length;
  return once + search * windows + (walkForward.carry ? 1 : windows);
}
