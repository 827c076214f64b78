import { z } from 'zod';
import { amountsOfBars } from '../../../engine/index.ts';
import type { RunRecord } from '../../../journal/index.ts';
import { AppError, type Decimal, decimal, parseInstant } from '../../../kernel/index.ts';
import type { SessionTerms } from '../../../market/index.ts';
import { evaluationTerms, firstEvaluatedBar, sessionOf } from '../summary/evaluation.ts';

/** Equity of a run in columns, one element per bar. */
export interface EquityColumns {
  /** Initial cash. Total return and CAGR start from this amount. It is also the first peak for drawdowns. */
  readonly initialCash: Decimal;
  /**
   * True if the equity before the fills of the first bar is known to be the initial cash. In this case, the
   * first session has a return.
   */
  readonly startsBefore: boolean;
  /**
   * Meaning of bar times: start or end of the bar. With `end`, a bar at midnight belongs to the previous day.
   */
  readonly barTimes?: 'start' | 'end' | undefined;
  /** Sessions of the bars. Default: UTC days. */
  readonly session?: SessionTerms | undefined;
  /** Bar times in milliseconds since 1970. */
  readonly times: Float64Array;
  /** Equity at each bar's close, as float64. */
  readonly equity: Float64Array;
}

const settingsSchema = z.object({
  cash: z.string().regex(/^\d+(\.\d+)?$/),
  seed: z.number().int().optional(),
});

/**
 * Returns the initial cash and the seed from the settings of a run.
 *
 * @throws AppError `journal_damaged` if the journal does not contain a positive initial cash
 */
export function reportSettings(record: RunRecord): ReportSettings {
  const known = settingsRead.get(record.started);
  if (known !== undefined) return known;
  const found = readSettings(record);
  settingsRead.set(record.started, found);
  return found;
}

interface ReportSettings {
  readonly cash: Decimal;
  readonly seed: number | null;
}

const settingsRead = new WeakMap<RunRecord['started'], ReportSettings>();

function readSettings(record: RunRecord): ReportSettings {
  const settings = settingsSchema.safeParse(record.started.settings);
  const cash = settings.success ? decimal(settings.data.cash) : undefined;
  if (settings.success && cash?.isPositive() && !cash.isZero())
    return { cash, seed: settings.data.seed ?? null };
  throw damaged('Its run_started event names no positive settings.cash.');
}

/**
 * Reads a run's bars into columns.
 *
 * @throws AppError `journal_damaged` if a date or an amount cannot be read
 */
export function equityColumns(record: RunRecord): EquityColumns {
  const known = read.get(record);
  if (known !== undefined) return known;
  const columns = columnsOf(record);
  read.set(record, columns);
  return columns;
}

/** Cache by run, because every figure and chart uses the columns. A record never changes. */
const read = new WeakMap<RunRecord, EquityColumns>();

function columnsOf(record: RunRecord): EquityColumns {
  const { bars } = record;
  const amounts = amountsOfBars(bars);
  if (amounts !== undefined) {
    const [first, last] = [bars[0]!.bar, bars.at(-1)!.bar];
    const times = amounts.source.times(first, last);
    return { ...termsOf(record), times, equity: amounts.equityNumbers(first, last) };
  }
  const equity = new Float64Array(bars.length);
  const times = new Float64Array(bars.length);
  for (let index = 0; index < bars.length; index++) {
    const bar = bars[index]!;
    const time = parseInstant(bar.date);
    const value = Number(bar.equity);
    if (time === undefined)
      throw damaged(`The date of bar ${bar.bar}, ${JSON.stringify(bar.date)}, is not a date.`);
    if (!Number.isFinite(value) || bar.equity === '') {
      throw damaged(`The equity of bar ${bar.bar}, ${JSON.stringify(bar.equity)}, is not an amount.`);
    }
    times[index] = time;
    equity[index] = value;
  }
  return { ...termsOf(record), times, equity };
}

function termsOf(
  record: RunRecord,
): Pick<EquityColumns, 'initialCash' | 'startsBefore' | 'barTimes' | 'session'> {
  const { evaluateFrom, barTimes } = evaluationTerms(record);
  const session = sessionOf(record);
  return {
    initialCash: reportSettings(record).cash,
    startsBefore: evaluateFrom !== undefined && record.bars[0]?.bar === firstEvaluatedBar(record),
    barTimes,
    ...(session === undefined ? {} : { session }),
  };
}

function damaged(what: string): AppError {
  return new AppError({
    code: 'journal_damaged',
    message: `The journal cannot be reported on. ${what}`,
    hint: 'Restore the file from a copy, or run the backtest again.',
  });
}
