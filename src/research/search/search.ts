import type { Point } from '../space.ts';

/** What is known of a point that was tried. */
export interface Told {
  readonly point: Point;
  /** Larger is better; null where it has none: it failed, was refused, or does not meet a constraint. */
  readonly score: number | null;
  /** Share of the bars it was tried on. */
  readonly share: number;
}

/** A point to try. */
export interface Candidate {
  readonly point: Point;
  /** Share of the bars to try it on: 1 is all. */
  readonly share: number;
}

/**
 * How points are chosen. What is chosen depends on what was told alone, never on who was quicker: batches are as large as the
 * search makes them, whatever the number of workers.
 */
export interface Search {
  /**
   * @param told all points of the batches before, in their order
   * @returns the next batch; none where the search is over
   */
  next(told: readonly Told[]): readonly Candidate[];
}
