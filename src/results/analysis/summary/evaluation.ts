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

/** Settings of a run that determine its evaluated bars, that is, the bars that its figures include. */
export interface EvaluationTerms {
  readonly evaluateFrom?: string | undefined;
  readonly barTimes?: 'start' | 'end' | undefined;
  /** Price at which positions and the benchmark are valued. */
  readonly mark: 'close' | 'open';
  /** True if orders fill at the close of the bar on which they were decided. */
  readonly fillsAtClose: boolean;
}

/**
 * Reads the settings that determine a run's evaluated bars. Settings that are missing in an older journal
 * have defaults.
 */
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

/** Returns the definition of sessions in a run's settings. `undefined` if sessions are UTC days. */
export function sessionOf({ started: { settings } }: RunRecord): SessionTerms | undefined {
  return isJsonObject(settings) ? sessionSchema.safeParse(settings.session).data : undefined;
}

// Cache of `firstEvaluatedBar` by run, because parsing a million dates is slow.
const found = new WeakMap<RunRecord, number>();

/**
 * Returns the index, within the whole run, of the first bar that the figures include. 0 if the figures
 * include all bars.
 */
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
    source?.times(record.bars[0]!.bar, record.bars.at(-1)!.bar) ??
    record.bars.map(({ date }): Instant => parseInstant(date) ?? Number.NaN);
  return firstBarFrom(times, from, barTimes) + (record.bars[0]?.bar ?? 0);
}

// Cache of `evaluated`. The value is `undefined` if the result is the record itself. A value equal to its key
// would keep the record in memory until the next full garbage collection.
const known = new WeakMap<RunRecord, RunRecord | undefined>();

/**
 * Returns the record with only the bars that the figures include (evaluated bars). Earlier bars have no
 * positions or orders, so the initial cash is the equity before the first evaluated bar.
 */
export function evaluated(record: RunRecord): RunRecord {
  const done = known.get(record);
  if (done !== undefined || known.has(record)) return done ?? record;
  const first = firstEvaluatedBar(record);
  const isWhole = (record.bars[0]?.bar ?? first) >= first;
  const bars = isWhole ? record.bars : record.bars.filter(({ bar }) => bar >= first);
  // A record without evaluated bars is returned unchanged. An example is a run that was killed before the
  // evaluation date.
  const cut = bars.length === record.bars.length || bars.length === 0 ? record : { ...record, bars };
  known.set(record, cut === record ? undefined : cut);
  return cut;
}

/**
 * Ambiguity of a run: bars whose prices allow several outcomes. The difference in equity between the outcomes
 * of a bar is the largest possible effect of the ambiguity on this bar. The sum of all differences is not the
 * largest possible effect on the whole run.
 */
export interface Ambiguity {
  /** Number of bars whose prices allow several outcomes. */
  readonly ambiguousBars: number;
  /** Number of fills that occur in only some outcomes of their bar. */
  readonly ambiguousFills: number;
  /**
   * Sum over all ambiguous bars: equity at the close in the better outcome minus equity in the worse outcome.
   * Decimal string.
   */
  readonly ambiguityDifference: string;
}

export function ambiguityOf({ bars, fills }: Pick<RunRecord, 'bars' | 'fills'>): Ambiguity {
  const ambiguous = fills.filter((fill) => fill.ambiguous === true);
  const differences: Decimal[] = [];
  const isClear = amountsOfBars(bars)?.isDoubtful === false;
  for (const { ambiguity } of isClear ? [] : bars)
    if (ambiguity !== undefined) differences.push(decimal(ambiguity.better).minus(ambiguity.worse));
  // Older journals do not record the difference by bar. It is then computed from the fills.
  const older = differences.length === 0 ? ambiguous : [];
  const all = [...differences, ...older.map(({ gainIfOther }) => decimal(gainIfOther ?? '0'))];
  return {
    ambiguousBars: differences.length + new Set(older.map(({ bar }) => bar)).size,
    ambiguousFills: ambiguous.length,
    ambiguityDifference: decimalString(all.reduce((sum, difference) => sum.plus(difference), ZERO)),
  };
}

const settingsSchema = z.object({ resolve: z.enum(['worst', 'best']).default('worst') });

/** Returns the outcome that a run assumed for its ambiguous bars. */
export function resolveOf({ started }: Pick<RunRecord, 'started'>): 'worst' | 'best' {
  return settingsSchema.safeParse(started.settings).data?.resolve ?? 'worst';
}
