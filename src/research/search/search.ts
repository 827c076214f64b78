import type { Point } from '../sweep/space.ts';

/** Result of a point that was tried. */
export interface Told {
  readonly point: Point;
  /** Score; larger is better. `null` if the trial failed, was refused or violates a constraint. */
  readonly score: number | null;
  /** Share of the bars on which it was tried. */
  readonly share: number;
}

/** Point to try. */
export interface Candidate {
  readonly point: Point;
  /** Share of the bars to try it on. 1 means all bars. */
  readonly share: number;
}

/**
 * Chooses points. The choice depends only on earlier results, never on the order of completion. The search
 * decides the size of batches, independently of the number of workers.
 */
export interface Search {
  /**
   * Returns the next batch of points.
   *
   * @param told points of all earlier batches, in order
   * @returns the next batch. Empty if the search is finished
   */
  next(told: readonly Told[]): readonly Candidate[];
}

/** Factor by which each rung reduces the number of points. One point in `ETA` continues. */
const ETA = 3;
/** Smallest share of the bars in a rung. */
const SMALLEST_SHARE = 1 / 27;

/**
 * Successive halving (K. Jamieson and A. Talwalkar, "Non-stochastic Best Arm Identification and
 * Hyperparameter Optimization", 2016). Starts with many points on few bars. The best third continues on three
 * times as many bars, until few points run on all bars.
 *
 * @param first chooses the points of the first rung
 */
export function halvingSearch(first: Search): Search {
  let share = 0;
  let from = 0;
  return {
    next(told) {
      if (share === 0) {
        const points = first.next([]);
        const rungs = Math.min(
          Math.floor(Math.log(points.length) / Math.log(ETA) + 1e-9),
          Math.round(Math.log(1 / SMALLEST_SHARE) / Math.log(ETA)),
        );
        share = 1 / ETA ** Math.max(0, rungs);
        return points.map(({ point }) => ({ point, share }));
      }
      if (share >= 1 - 1e-9) return [];
      const rung = told.slice(from);
      from = told.length;
      share = Math.min(1, share * ETA);
      if (share > 1 - 1e-9) share = 1;
      const kept = rung
        .map(({ point, score }, place) => ({ point, score, place }))
        .filter(({ score }) => score !== null)
        .sort((one, other) => other.score! - one.score! || one.place - other.place)
        .slice(0, Math.max(1, Math.floor(rung.length / ETA)));
      return kept.map(({ point }) => ({ point, share }));
    },
  };
}
