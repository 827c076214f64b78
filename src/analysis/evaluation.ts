import { FIRST_DECISION, firstBarFrom, isJsonObject, sourceOfBars } from '../engine/index.ts';
import type { RunRecord } from '../journal/index.ts';
import { type Instant, parseInstant } from '../kernel/index.ts';
import { type SessionTerms, sessionSchema } from '../market/index.ts';

/** What a run's settings say of the bars that count. */
export interface EvaluationTerms {
  readonly evaluateFrom?: string | undefined;
  readonly barTimes?: 'start' | 'end' | undefined;
  /** What positions, and the benchmark, are valued at. */
  readonly mark: 'close' | 'open';
  /** Whether orders fill at the close they were decided at. */
  readonly fillsAtClose: boolean;
}

/** Read as far as they go: journals of before have none of them. */
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

/** The sessions that a run's settings give; undefined where days are those of UTC. */
export function sessionOf({ started: { settings } }: RunRecord): SessionTerms | undefined {
  return isJsonObject(settings) ? sessionSchema.safeParse(settings.session).data : undefined;
}

// Figures, benchmark and pages ask, and a million dates take a while.
const found = new WeakMap<RunRecord, number>();

/** Number of the first bar that counts, on the run's clock; 0 where nothing says otherwise. */
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

const known = new WeakMap<RunRecord, RunRecord>();

/**
 * The record with the bars that count alone: figures and benchmark begin there. Nothing was held or ordered to fill before,
 * so the initial cash is the equity it begins with.
 */
export function evaluated(record: RunRecord): RunRecord {
  const done = known.get(record);
  if (done !== undefined) return done;
  const first = firstEvaluatedBar(record);
  const isWhole = (record.bars[0]?.bar ?? first) >= first;
  const bars = isWhole ? record.bars : record.bars.filter(({ bar }) => bar >= first);
  // A record without a bar from there on, such as one that was killed in its history, keeps what it has.
  const cut = bars.length === record.bars.length || bars.length === 0 ? record : { ...record, bars };
  known.set(record, cut);
  return cut;
}
