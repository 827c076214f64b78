import { createHash } from 'node:crypto';
import type { Point } from './space.ts';

/** Which bars a trial is run on, by their dates: the same dates are the same bars of the same data. */
export interface Period {
  /** First bar that is shown: what comes before the figures begin is history. */
  readonly from: string;
  /** Last bar. */
  readonly to: string;
  /** Date that the figures begin at; all bars count where it is left out. */
  readonly evaluateFrom?: string | undefined;
  /** Whether positions are closed at the open of the last bar. */
  readonly closeAtEnd?: boolean;
  /** Parameters that take over the account as it is, each for the bars from a date on. */
  readonly later?: readonly LaterParameters[];
}

interface LaterParameters {
  readonly from: string;
  readonly parameters: Point;
}

/** One evaluation of a strategy: all that makes its figures what they are. */
export interface Trial {
  /** SHA-256 of the strategy's bundle, the data, parameters, settings, seed and period: equal trials are one. */
  readonly id: string;
  readonly parameters: Point;
  readonly period: Period;
}

/** What the trials of a sweep have in common. */
export interface TrialGround {
  /** Of the strategy: one file as a bundle, by content. */
  readonly strategy: string;
  /** Of every file the world is made of, by content. */
  readonly data: readonly string[];
  /** Settings and options that shape figures, the seed among the settings. */
  readonly settings: unknown;
}

/** Makes a trial, named by its content. */
export function trialOf(ground: TrialGround, parameters: Point, period: Period): Trial {
  const { strategy, data, settings } = ground;
  const { from, to, evaluateFrom = null, closeAtEnd = false, later } = period;
  const content = sorted({
    strategy,
    data,
    settings,
    parameters,
    period: { from, to, evaluateFrom, closeAtEnd, ...(later === undefined ? {} : { later }) },
  });
  const id = createHash('sha256').update(JSON.stringify(content)).digest('hex').slice(0, 32);
  return { id, parameters, period };
}

/** Objects with their keys in order: equal contents are equal texts. */
function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value)
      .sort(([one], [other]) => (one < other ? -1 : 1))
      .map(([key, own]) => [key, sorted(own)]),
  );
}
