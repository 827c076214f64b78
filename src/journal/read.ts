import { readFileSync } from 'node:fs';
import type { RunEvent } from '../engine/index.ts';
import { AppError, fileProblem } from '../kernel/index.ts';
import type { EventOf, RunRecord } from './record.ts';
import { unmasker } from './unmask.ts';

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
  const realOf = unmasker(started);
  const of = <Type extends RunEvent['type']>(type: Type): EventOf<Type>[] =>
    counted.filter((event): event is EventOf<Type> => event.type === type).map((event) => realOf(event));
  const ending = whole && realOf(whole);
  return {
    started: realOf(started),
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
    openTrades: ending?.openTrades ?? [],
    outcome: ending?.outcome ?? 'interrupted',
    commissionPaid: ending?.commissionPaid ?? null,
    damage: notes,
  };
}

/**
 * Reads a journal back; a half-written last line is left out and said so.
 *
 * @param options.salvage reads up to the first damaged line, and says so, instead of refusing the journal
 * @throws AppError `journal_unreadable`, `not_a_journal`, `journal_damaged` when a line before the last is no event
 */
export function readJournal(file: string, options: { readonly salvage?: boolean } = {}): RunRecord {
  const lines = readText(file).split('\n');
  const damage: string[] = [];
  const events: RunEvent[] = [];
  for (const [index, line] of lines.entries()) {
    if (line === '') continue;
    const event = parseEvent(line);
    if (event !== undefined) {
      events.push(event);
    } else if (index === lines.length - 1) {
      damage.push(`Line ${index + 1} is half-written and was left out.`);
    } else if (options.salvage === true) {
      damage.push(
        `Line ${index + 1} is damaged: it and the ${lines.length - index - 1} after it were left out.`,
      );
      break;
    } else {
      throw new AppError({
        code: 'journal_damaged',
        message: `${file}:${index + 1} is not a journal event.`,
        remedy: 'Restore the file from a copy, or run the backtest again.',
      });
    }
  }
  return recordOf(events, damage);
}

function readText(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch (cause) {
    throw new AppError({
      code: 'journal_unreadable',
      message: `Cannot read the journal ${file}: ${fileProblem(cause)}.`,
      remedy: 'Name a run folder that Sandtable made.',
      cause,
    });
  }
}

function parseEvent(line: string): RunEvent | undefined {
  try {
    const value: unknown = JSON.parse(line);
    const isEvent =
      typeof value === 'object' && value !== null && 'type' in value && typeof value.type === 'string';
    return isEvent ? (value as RunEvent) : undefined;
  } catch {
    return undefined;
  }
}
