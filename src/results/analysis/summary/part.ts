import type { RunRecord } from '../../../journal/index.ts';
import type { Instant } from '../../../kernel/index.ts';
import { equityColumns } from '../figures/equity.ts';
import { evaluated, evaluationTerms } from './evaluation.ts';

/**
 * Returns a record of some bars of a run, with the orders, fills and closed trades of these bars. The initial
 * cash of the new record is the equity at the end of the previous bar.
 *
 * @param from index of the first bar
 * @param to index after the last bar
 * @returns undefined if the range is empty
 */
export function recordPart(record: RunRecord, from: number, to: number): RunRecord | undefined {
  const bars = record.bars.slice(from, to);
  const [first, last] = [bars[0], bars.at(-1)];
  if (first === undefined || last === undefined) return undefined;
  const within = ({ bar }: { readonly bar: number }): boolean => bar >= first.bar && bar <= last.bar;
  const settings = record.started.settings as object;
  const before = record.bars[from - 1];
  return {
    ...record,
    started: {
      ...record.started,
      settings: { ...settings, ...(before === undefined ? {} : { cash: before.equity }) },
    },
    bars,
    trades: record.trades.filter(within),
    fills: record.fills.filter(within),
    orders: record.orders.filter(within),
    openTrades: to === record.bars.length ? record.openTrades : [],
    // The recorded commission is for the whole run. With `null`, figures use the commission of the part's
    // fills.
    commissionPaid: bars.length === record.bars.length ? record.commissionPaid : null,
  };
}

/**
 * Returns the part of a run between two instants as a separate record, whose figures begin at the first
 * instant.
 *
 * @param from earliest time of a bar
 * @param to end of the part. Bars at or after this time are excluded
 * @returns `undefined` if no evaluated bar is within the range, or if the equity before the range is not
 *   positive, because its returns are then undefined
 */
export function recordBetween(whole: RunRecord, from: Instant, to: Instant): RunRecord | undefined {
  const record = evaluated(whole);
  const { times } = equityColumns(record);
  const begins = times.findIndex((time) => time >= from);
  const ends = times.findLastIndex((time) => time < to) + 1;
  if (begins < 0 || ends <= begins) return undefined;
  if (begins === 0 && ends === times.length) return whole;
  const before = record.bars[begins - 1];
  if (before !== undefined && Number(before.equity) <= 0) return undefined;
  const part = recordPart(record, begins, ends)!;
  const [first, last] = [part.bars[0]!, part.bars.at(-1)!];
  const within = ({ bar }: { readonly bar: number }): boolean => bar >= first.bar && bar <= last.bar;
  // If bar times are end times, the first bar begins at the time of the previous bar.
  const { barTimes } = evaluationTerms(record);
  const start = before === undefined ? undefined : barTimes === 'end' ? before.date : first.date;
  return {
    ...part,
    started: {
      ...part.started,
      settings: {
        ...(part.started.settings as object),
        ...(start === undefined ? {} : { evaluateFrom: start }),
      },
    },
    rejections: record.rejections.filter(within),
    cancellations: record.cancellations.filter(within),
    halts: record.halts.filter(within),
    cashEntries: record.cashEntries.filter(within),
    toolCalls: record.toolCalls.filter(within),
    exchanges: record.exchanges.filter(within),
    decisions: record.decisions.filter(within),
  };
}
