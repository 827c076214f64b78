import { createHash } from 'node:crypto';
import { type RunSummary, runSummarySchema } from '../../results/analysis/index.ts';
import type { Point } from './space.ts';

/** Scalar of a summary. Money is a decimal string in the summary and a number here. A date is a string. */
type FigureValue = number | string | boolean | null;
export type Figures = Readonly<Record<string, FigureValue>>;

/** Fields of a summary that do not describe a trial or do not fit into a column. */
const OMITTED = new Set([
  'runId',
  'strategy',
  'outcome',
  'verdict',
  'alarms',
  'openDoors',
  'stamps',
  'symbols',
  'periodsInWords',
  'benchmark',
  'commonPeriod',
  'costSteps',
  'attribution',
  'months',
  'activity',
  'model',
  'modelCutoff',
  'damage',
  'reasons',
  'drawdowns',
]);
const TEXTS = new Set([
  'firstBar',
  'lastBar',
  'evaluatedFrom',
  'bestDayDate',
  'worstDayDate',
  'drawdownHalt',
]);
const BOOLEANS = new Set(['sealed', 'underAYear', 'drawdownRecovered']);

/**
 * Names of the figures of a summary that `trials.parquet` has as columns, in the order of the schema. They are
 * its last columns.
 */
export const FIGURE_NAMES: readonly string[] = Object.keys(runSummarySchema.shape).filter(
  (name) => !OMITTED.has(name),
);

/** Names of the figures that an objective can use. */
export const NUMBER_NAMES: readonly string[] = FIGURE_NAMES.filter((name) => !TEXTS.has(name));

export function figureType(name: string): 'text' | 'boolean' | 'number' {
  return TEXTS.has(name) ? 'text' : BOOLEANS.has(name) ? 'boolean' : 'number';
}

/** Returns the scalar figures of a summary. */
export function figuresOf(summary: Partial<RunSummary>): Figures {
  const given: Readonly<Record<string, unknown>> = summary;
  return Object.fromEntries(FIGURE_NAMES.map((name) => [name, scalar(name, given[name])]));
}

function scalar(name: string, value: unknown): FigureValue {
  if (value === undefined || value === null) return null;
  if (typeof value === 'boolean') return value;
  if (figureType(name) === 'text') return String(value);
  const number = Number(value);
  // Normalised like JSON (-0 to 0, NaN to `null`), so that a trial read from a journal or another machine is
  // identical.
  return Number.isFinite(number) ? number + 0 : null;
}

/**
 * Bars on which a trial runs, given by their dates. The same dates mean the same bars if the data is the
 * same.
 */
export interface Period {
  /** First visible bar. Bars before `evaluateFrom` are history. */
  readonly from: string;
  /** Last bar. */
  readonly to: string;
  /** First evaluated date. If omitted, all bars are evaluated. */
  readonly evaluateFrom?: string | undefined;
  /** If true, positions are closed at the open of the last bar. */
  readonly closeAtEnd?: boolean;
  /** Parameters that take over the account later, each from the given date on. */
  readonly later?: readonly LaterParameters[];
}

interface LaterParameters {
  readonly from: string;
  readonly parameters: Point;
}

/** One evaluation of a strategy. Contains everything that determines its figures. */
export interface Trial {
  /**
   * SHA-256 of the strategy's bundle, the data, parameters, settings, seed and period. Equal trials have
   * equal ids.
   */
  readonly id: string;
  readonly parameters: Point;
  readonly period: Period;
}

/** Inputs that all trials of a sweep share. */
export interface TrialGround {
  /** Content hash of the strategy, bundled into one file. */
  readonly strategy: string;
  /** Content hashes of all input files. */
  readonly data: readonly string[];
  /** Settings and options that affect figures. The settings include the seed. */
  readonly settings: unknown;
}

/** Creates a trial. Its id is the hash of its content. */
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

/** Sorts the keys of objects, so that equal contents give equal texts. */
function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value)
      .sort(([one], [other]) => (one < other ? -1 : 1))
      .map(([key, own]) => [key, sorted(own)]),
  );
}
