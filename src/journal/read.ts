import type { RunEvent } from '../engine/index.ts';
import { AppError } from '../kernel/index.ts';
import { readEvents } from './read-lines.ts';
import type { EventOf, RunRecord } from './record.ts';
import { unmasked } from './unmask.ts';

export type { EventOf, RunRecord };

/** Gathers events into a record; events of a bar that never ended are left out and said so. */
export function recordOf(events: readonly RunEvent[], damage: readonly string[] = []): RunRecord {
  const [started] = events;
  if (started?.type !== 'run_started') {
    throw new AppError({
      code: 'not_a_journal',
      message: 'The journal does not begin with a run_started event.',
      remedy: 'Name a run folder that Sandtable made.',
    });
  }
  const finished = events.at(-1);
  const whole = finished?.type === 'run_finished' ? finished : undefined;
  const lastBar = events.findLastIndex((event) => event.type === 'bar');
  const counted = whole === undefined ? events.slice(0, Math.max(lastBar + 1, 1)) : events;
  const notes = [...damage];
  if (whole === undefined) notes.push('The journal has no run_finished event: the run was killed.');
  if (counted.length < events.length)
    notes.push(`${events.length - counted.length} events of an unfinished bar were left out.`);
  const byType = new Map<string, RunEvent[]>();
  for (const event of counted) {
    const known = byType.get(event.type);
    if (known === undefined) byType.set(event.type, [event]);
    else known.push(event);
  }
  const of = <Type extends RunEvent['type']>(type: Type): EventOf<Type>[] =>
    (byType.get(type) ?? []) as EventOf<Type>[];
  return unmasked({
    started,
    bars: of('bar'),
    orders: of('order_accepted'),
    rejections: of('order_rejected'),
    cancellations: of('order_cancelled'),
    fills: of('order_filled'),
    trades: of('trade_closed'),
    halts: of('risk_halted'),
    cashEntries: of('cash_entry'),
    splits: of('split'),
    adjustments: of('order_adjusted'),
    delistings: of('delisted'),
    toolCalls: of('tool_called'),
    model: of('model_configured')[0],
    exchanges: of('model_called'),
    decisions: of('decision_made'),
    fileChanges: counted.filter((event) => event.type === 'file_written' || event.type === 'file_deleted'),
    openTrades: whole?.openTrades ?? [],
    outcome: whole?.outcome ?? 'interrupted',
    commissionPaid: whole?.commissionPaid ?? null,
    damage: notes,
  });
}

/**
 * Reads a journal back; a half-written last line is left out and said so.
 *
 * @param options.salvage reads up to the first damaged line, and says so, instead of refusing the journal
 * @throws AppError `journal_unreadable`, `not_a_journal`, `journal_damaged` when a line before the last is no event
 */
export function readJournal(file: string, options: { readonly salvage?: boolean } = {}): RunRecord {
  const damage: string[] = [];
  const events: RunEvent[] = [];
  let firstBad: number | undefined;
  const lines = readEvents(
    file,
    (event) => events.push(event),
    ({ number, isCut }) => {
      if (isCut) {
        damage.push(`Line ${number} is half-written and was left out.`);
        return true;
      }
      if (options.salvage !== true) {
        throw new AppError({
          code: 'journal_damaged',
          message: `${file}:${number} is not a journal event.`,
          remedy: 'Restore the file from a copy, or run the backtest again.',
        });
      }
      firstBad = number;
      return false;
    },
  );
  if (firstBad !== undefined)
    damage.push(`Line ${firstBad} is damaged: it and the ${lines - firstBad} after it were left out.`);
  return recordOf(events, damage);
}
