import { readFileSync } from 'node:fs';
import { isResult, type RunEvent } from '../engine/index.ts';
import { AppError, fileProblem } from '../kernel/index.ts';

/** The lines of a journal that a process left behind, as far as they are whole. */
export interface EarlierJournal {
  readonly file: string;
  readonly lines: readonly string[];
  readonly events: readonly RunEvent[];
}

/**
 * Reads a journal line by line, to continue it or to hold a new walk against it; a half-written last line is left out.
 *
 * @throws AppError `journal_unreadable`, `journal_damaged` when a whole line is no event, `not_a_journal`
 */
export function readEarlier(file: string): EarlierJournal {
  let text: string;
  try {
    text = readFileSync(file, 'utf8');
  } catch (cause) {
    throw new AppError({
      code: 'journal_unreadable',
      message: `Cannot read the journal ${file}: ${fileProblem(cause)}.`,
      remedy: 'Name a run folder that Sandtable made.',
      cause,
    });
  }
  // A line is whole once its newline is there.
  const lines = text.split('\n').slice(0, -1);
  const events = lines.map((line, index) => eventOf(line, file, index));
  if (events[0]?.type !== 'run_started') {
    throw new AppError({
      code: 'not_a_journal',
      message: `${file} does not begin with a run_started event: the run was killed before it began.`,
      remedy: 'Run the backtest again.',
    });
  }
  return { file, lines, events };
}

function eventOf(line: string, file: string, index: number): RunEvent {
  try {
    const value: unknown = JSON.parse(line);
    if (typeof value === 'object' && value !== null && 'type' in value && typeof value.type === 'string') {
      return value as RunEvent;
    }
  } catch {
    // told below
  }
  throw new AppError({
    code: 'journal_damaged',
    message: `${file}:${index + 1} is not a journal event.`,
    remedy: 'Restore the file from a copy, or run the backtest again.',
  });
}

/**
 * How much of an earlier journal a resumed run keeps: all of it but the words of its ending, where that was no real end.
 *
 * @returns number of lines
 */
export function linesToKeep({ events }: EarlierJournal): number {
  let kept = events.length;
  const last = events.at(-1);
  if (last?.type !== 'run_finished' || isResult(last.outcome)) return kept;
  kept -= 1;
  const ending = events[kept - 1];
  if (ending?.type === 'limit_reached' && ending.scope === 'run') return kept - 1;
  if (ending?.type !== 'model_unavailable' || ending.policy !== 'stop') return kept;
  kept -= 1;
  // The model is asked anew: what failed is not replayed.
  for (let event = events[kept - 1]; isFailureOf(event, ending); event = events[kept - 1]) kept -= 1;
  return kept;
}

function isFailureOf(event: RunEvent | undefined, ending: { bar: number; round: number }): boolean {
  return (
    event?.type === 'model_called' &&
    event.failure !== undefined &&
    event.bar === ending.bar &&
    event.round === ending.round
  );
}
