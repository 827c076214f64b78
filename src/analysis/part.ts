import type { RunRecord } from '../journal/index.ts';
import type { Instant } from '../kernel/index.ts';
import { equityColumns } from './equity.ts';
import { evaluated, evaluationTerms } from './evaluation.ts';

/**
 * A record with some of its bars, and what was ordered, filled and closed at them; it begins with the equity that the bars
 * before have left.
 *
 * @param from place of the first bar
 * @param to place after the last one
 * @returns undefined for no bar
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
    // What its own fills add up to.
    commissionPaid: bars.length === record.bars.length ? record.commissionPaid : null,
  };
}

/**
 * What a run did between two instants, as a record whose figures begin there.
 *
 * @param from of the first bar
 * @param to after the last one
 * @returns undefined where no bar that counts lies between
 */
export function recordBetween(whole: RunRecord, from: Instant, to: Instant): RunRecord | undefined {
  const record = evaluated(whole);
  const { times } = equityColumns(record);
  const begins = times.findIndex((time) => time >= from);
  const ends = times.findLastIndex((time) => time < to) + 1;
  if (begins < 0 || ends <= begins) return undefined;
  if (begins === 0 && ends === times.length) return whole;
  const part = recordPart(record, begins, ends)!;
  const [first, last] = [part.bars[0]!, part.bars.at(-1)!];
  const within = ({ bar }: { readonly bar: number }): boolean => bar >= first.bar && bar <= last.bar;
  const before = record.bars[begins - 1];
  // Bars named by their ends begin where the one before ends.
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
