import { type RunSummary, runSummarySchema } from '../../results/analysis/index.ts';

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
 * Names of all scalar figures of a summary, in order. They are the columns of `trials.parquet` after the
 * parameters.
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
