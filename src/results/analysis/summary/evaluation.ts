import { z } from 'zod';
import {
  amountsOfBars,
  FIRST_DECISION,
  firstBarFrom,
  isJsonObject,
  sourceOfBars,
} from '../../../engine/index.ts';
import type { RunRecord } from '../../../journal/index.ts';
import {
  type Decimal,
  decimal,
  decimalString,
  type Instant,
  parseInstant,
  ZERO,
} from '../../../kernel/index.ts';
import { type SessionTerms, sessionSchema } from '../../../market/index.ts';

/** Settings of a run that determine its evaluated bars. */
export interface EvaluationTerms {
  readonly evaluateFrom?: string | undefined;
  readonly barTimes?: 'start' | 'end' | undefined;
  /** Price at which positions and the benchmark are valued. */
  readonly mark: 'close' | 'open';
  /** True if orders fill at the close of the bar on which they were decided. */
  readonly fillsAtClose: boolean;
}

/** Reads the settings that are present. Older journals lack them. */
export function evaluationTerms(record: RunRecord): EvaluationTerms {
  const { settings } = record.started;
  const { evaluateFrom, barTimes, mark, fillOn } = isJsonObject(settings) ? settings : {};
  return {
    ...(typeof evaluateFrom === 'string' ? { evaluateFrom } : {}),
    ...(barTimes === 'start' || barTimes === 'end' ? { barTimes } : {}),
    mark: mark === 'open' ? 'open' : 'close',
    fillsAtClose: fillOn === 'close',
  };
}

/** Returns the sessions in a run's settings. `undefined` if sessions are UTC days. */
export function sessionOf({ started: { settings } }: RunRecord): SessionTerms | undefined {
  return isJsonObject(settings) ? sessionSchema.safeParse(settings.session).data : undefined;
}

// Figures, benchmark and pages use the result, and parsing a million dates is slow.
const found = new WeakMap<RunRecord, number>();

/** Number of the first evaluated bar on the run's clock. Default: 0. */
export function firstEvaluatedBar(record: RunRecord): number {
  const before = found.get(record);
  if (before !== undefined) return before;
  const first = findFirst(record);
  found.set(record, first);
  return first;
}

function findFirst(record: RunRecord): number {
  const { evaluateFrom, barTimes, fillsAtClose } = evaluationTerms(record);
  if (evaluateFrom === undefined) return 0;
  if (evaluateFrom === FIRST_DECISION) {
    const decided = record.decisions[0]?.bar;
    if (decided === undefined) return 0;
    return fillsAtClose ? decided : decided + 1;
  }
  const from = parseInstant(evaluateFrom);
  if (from === undefined) return 0;
  const source = sourceOfBars(record.bars);
  const times =
    source?.part(record.bars[0]!.bar, record.bars.at(-1)!.bar).times ??
    record.bars.map(({ date }): Instant => parseInstant(date) ?? Number.NaN);
  return firstBarFrom(times, from, barTimes) + (record.bars[0]?.bar ?? 0);
}

// `undefined` for a record that is evaluated as a whole. An entry whose value is its own key would keep the
// record in memory until the next full garbage collection.
const known = new WeakMap<RunRecord, RunRecord | undefined>();

/**
 * Returns the record with evaluated bars only. Figures and benchmark begin there. Earlier bars have no
 * positions or orders, so the initial cash is the initial equity.
 */
export function evaluated(record: RunRecord): RunRecord {
  const done = known.get(record);
  if (done !== undefined || known.has(record)) return done ?? record;
  const first = firstEvaluatedBar(record);
  const isWhole = (record.bars[0]?.bar ?? first) >= first;
  const bars = isWhole ? record.bars : record.bars.filter(({ bar }) => bar >= first);
  // A record without evaluated bars is returned unchanged, for example that of a run killed before the
  // evaluation date.
  const cut = bars.length === record.bars.length || bars.length === 0 ? record : { ...record, bars };
  known.set(record, cut === record ? undefined : cut);
  return cut;
}

/**
 * Ambiguity of a run: bars whose prices allow several outcomes. Each difference bounds its own bar. The sum
 * of the differences does not bound the run.
 */
export interface Ambiguity {
  /** Bars that allow several outcomes. */
  readonly ambiguousBars: number;
  /** Number of fills that occur in only some outcomes of their bar. */
  readonly ambiguousFills: number;
  /** Sum over these bars of the better equity at the close minus the worse one. */
  readonly ambiguityDifference: string;
}

export function ambiguityOf({ bars, fills }: Pick<RunRecord, 'bars' | 'fills'>): Ambiguity {
  const ambiguous = fills.filter((fill) => fill.ambiguous === true);
  const differences: Decimal[] = [];
  const isClear = amountsOfBars(bars)?.isDoubtful === false;
  for (const { ambiguity } of isClear ? [] : bars)
    if (ambiguity !== undefined) differences.push(decimal(ambiguity.better).minus(ambiguity.worse));
  // Older journals record the difference only with the fills.
  const older = differences.length === 0 ? ambiguous : [];
  const all = [...differences, ...older.map(({ gainIfOther }) => decimal(gainIfOther ?? '0'))];
  return {
    ambiguousBars: differences.length + new Set(older.map(({ bar }) => bar)).size,
    ambiguousFills: ambiguous.length,
    ambiguityDifference: decimalString(all.reduce((sum, difference) => sum.plus(difference), ZERO)),
  };
}

const settingsSchema = z.object({ resolve: z.enum(['worst', 'best']).default('worst') });

/** Returns the outcome that a run booked for its ambiguous bars. */
export function resolveOf({ started }: Pick<RunRecord, 'started'>): 'worst' | 'best' {
  return settingsSchema.safeParse(started.settings).data?.resolve ?? 'worst';
}
