import type { RunSummary } from '../analysis/index.ts';
import { runSummarySchema } from '../analysis/index.ts';

/** A scalar of a summary: money is a decimal string there and a number here, a date a text. */
type FigureValue = number | string | boolean | null;
export type Figures = Readonly<Record<string, FigureValue>>;

/** Not of a trial, or nothing that can be in a column. */
const LEFT_OUT = new Set([
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

/** Every scalar figure of a summary, in its order: the columns of `trials.parquet` after the parameters. */
export const FIGURE_NAMES: readonly string[] = Object.keys(runSummarySchema.shape).filter(
  (name) => !LEFT_OUT.has(name),
);

/** Those that an objective may be made of. */
export const NUMBER_NAMES: readonly string[] = FIGURE_NAMES.filter((name) => !TEXTS.has(name));

export function figureType(name: string): 'text' | 'boolean' | 'number' {
  return TEXTS.has(name) ? 'text' : BOOLEANS.has(name) ? 'boolean' : 'number';
}

/** The scalar figures of a summary. */
export function figuresOf(summary: Partial<RunSummary>): Figures {
  const given: Readonly<Record<string, unknown>> = summary;
  return Object.fromEntries(FIGURE_NAMES.map((name) => [name, scalar(name, given[name])]));
}

function scalar(name: string, value: unknown): FigureValue {
  if (value === undefined || value === null) return null;
  if (typeof value === 'boolean') return value;
  if (figureType(name) === 'text') return String(value);
  const number = Number(value);
  // What JSON would make of it, so that a trial told by a journal or another machine is the same to the last bit.
  return Number.isFinite(number) ? number + 0 : null;
}
