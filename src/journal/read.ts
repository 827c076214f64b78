import type { RunEvent } from '../engine/index.ts';
import { AppError } from '../kernel/index.ts';
import { unmasker } from '../masking/index.ts';
import { type AnyEvent, eventFault, NO_EVENT } from './event.ts';
import { type BadLine, readEvents } from './read-events.ts';
import type { EventOf, RunRecord } from './record.ts';

export type { EventOf, RunRecord };

/** Gathers events into a record; events of a bar that never ended are left out and said so. */
export function recordOf(
  events: readonly RunEvent[],
  damage: readonly string[] = [],
  endLeftOut = false,
): RunRecord {
  const [started] = events;
  if (started?.type !== 'run_started') {
    throw new AppError({
      code: 'not_a_journal',
      message: 'The journal does not begin with a run_started event.',
      hint: 'Name a run folder that Sandtable made.',
    });
  }
  const finished = events.at(-1);
  const whole = finished?.type === 'run_finished' ? finished : undefined;
  const lastBar = events.findLastIndex((event) => event.type === 'bar');
  const counted = whole === undefined ? events.slice(0, Math.max(lastBar + 1, 1)) : events;
  const notes = [...damage];
  if (whole === undefined)
    notes.push(endLeftOut ? END_LEFT_OUT : 'The journal has no run_finished event: the run was killed.');
  if (counted.length < events.length) notes.push(unfinished(events.length - counted.length));
  const realOf = unmasker(started);
  const byType = new Map<string, RunEvent[]>();
  for (const event of counted) {
    const known = byType.get(event.type);
    if (known === undefined) byType.set(event.type, [realOf(event)]);
    else known.push(realOf(event));
  }
  const of = <Type extends RunEvent['type']>(type: Type): EventOf<Type>[] =>
    (byType.get(type) ?? []) as EventOf<Type>[];
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
    uncoveredBars: ending?.uncoveredBars ?? 0,
    insolvency: ending?.insolvency,
    damage: notes,
  };
}

function unfinished(events: number): string {
  return events === 1
    ? '1 event of an unfinished bar was left out.'
    : `${events} events of an unfinished bar were left out.`;
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
  let bad: BadLine | undefined;
  let bars = 0;
  const take = (found: AnyEvent): string | undefined => {
    const fault = eventFault(found, bars);
    if (fault !== undefined) return fault;
    const event = found as RunEvent;
    if (event.type === 'run_started' && event.schema !== SCHEMA) {
      if (options.salvage !== true) throw otherSchema(file, event.schema);
      damage.push(`${schemaText(event.schema)}: what is shown may be wrong, and something may be missing.`);
    }
    if (event.type === 'bar') bars += 1;
    events.push(event);
    return undefined;
  };
  const refuse = (line: BadLine): boolean => {
    if (line.isCut) {
      damage.push(cutNote(line.number));
      return true;
    }
    if (options.salvage !== true && events.length > 0) {
      throw new AppError({
        code: 'journal_damaged',
        message: `${file}:${line.number} ${line.fault}.`,
        hint: 'Restore the file from a copy, or run the backtest again; sandtable report shows what comes before.',
      });
    }
    bad = line;
    return false;
  };
  const lines = readEvents(file, take, refuse);
  if (events.length === 0) throw noBeginning(lines, bad);
  if (bad !== undefined) damage.push(damageNote(bad, lines));
  return recordOf(events, damage, bad !== undefined);
}

/** Said of a journal whose last line, counted from 1, a kill cut short. */
export function cutNote(line: number): string {
  return `Line ${line} is half-written and was left out.`;
}

/** Said of a damaged journal after `damageNote`. */
export const END_LEFT_OUT = 'How the run ended was left out with them.';

/** Says where a journal's reading ended. @param lines of the whole file */
export function damageNote(bad: Pick<BadLine, 'number' | 'fault'>, lines: number): string {
  const why = bad.fault === NO_EVENT ? '' : `, for it ${bad.fault}`;
  return `Line ${bad.number} is damaged: it and the ${lines - bad.number} after it were left out${why}.`;
}

const SCHEMA = 1;

function schemaText(schema: unknown): string {
  return `The journal is of schema ${JSON.stringify(schema)}, and this Sandtable reads schema ${SCHEMA}`;
}

function otherSchema(file: string, schema: unknown): AppError {
  return new AppError({
    code: 'journal_damaged',
    message: `${schemaText(schema)}: ${file}.`,
    hint: 'Read it with the version that made it; manifest.json names it.',
  });
}

function noBeginning(lines: number, bad: BadLine | undefined): AppError {
  const message =
    lines === 0
      ? 'The journal is empty, without even a run_started event: the run was killed before it began.'
      : `The journal does not begin with a run_started event${bad === undefined ? '' : `: line ${bad.number} ${bad.fault}`}.`;
  return new AppError({
    code: 'not_a_journal',
    message,
    hint: 'Name a run folder that Sandtable made, or run the backtest again.',
  });
}
