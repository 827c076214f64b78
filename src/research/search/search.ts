import type { Point } from '../space.ts';

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
