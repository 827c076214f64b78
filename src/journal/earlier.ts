import { isResult, type RunEvent } from '../engine/index.ts';
import { AppError, isObject } from '../kernel/index.ts';
import { checkMaskVersion } from '../masking/index.ts';
import { anyEvent, eventsTogether, NO_EVENT } from './event.ts';
import { linePieces } from './lines.ts';

/** Whole lines of the journal of an ended process. */
export interface EarlierJournal {
  readonly file: string;
  readonly lines: readonly string[];
  readonly events: readonly RunEvent[];
}

/**
 * Reads a journal line by line, for continuing it or for comparing a repeated run with it. Ignores a
 * half-written last line.
 *
 * @throws AppError `journal_unreadable`, `journal_damaged` if a whole line is not an event, `not_a_journal`,
 *   `other_mask`
 */
export function readEarlier(file: string): EarlierJournal {
  const lines: string[] = [];
  const events: RunEvent[] = [];
  for (const { text, isCut } of linePieces(file)) {
    if (isCut) break;
    const found = text.split('\n');
    const parsed =
      eventsTogether(text) ?? found.map((line, at) => anyEvent(line) ?? damaged(file, lines.length + at + 1));
    for (const [at, event] of parsed.entries()) {
      lines.push(found[at]!);
      // The cast is safe: only the version that wrote a journal continues it, and lines are compared.
      events.push(event as RunEvent);
    }
  }
  if (events[0]?.type !== 'run_started') {
    throw new AppError({
      code: 'not_a_journal',
      message: `${file} does not begin with a run_started event: the run was killed before it began.`,
      hint: 'Run the backtest again.',
    });
  }
  checkMaskVersion(events[0], file);
  return { file, lines, events };
}

/** @throws AppError `journal_damaged` */
function damaged(file: string, line: number): never {
  throw new AppError({
    code: 'journal_damaged',
    message: `${file}:${line} ${NO_EVENT}.`,
    hint: 'Restore the file from a copy, or run the backtest again.',
  });
}

/**
 * Returns how many lines of an earlier journal a resumed run retains: all lines except those about a
 * premature end.
 *
 * @returns number of lines
 */
export function linesToKeep({ events }: EarlierJournal): number {
  let kept = events.length;
  const last = events.at(-1);
  if (last?.type === 'run_finished' && isResult(last.outcome)) return kept;
  if (last?.type === 'run_finished') kept -= 1;
  const asked = cutDecision(events, kept);
  if (asked !== undefined) return asked;
  if (last?.type !== 'run_finished') return kept;
  const ending = events[kept - 1];
  if (ending?.type === 'limit_reached' && ending.scope === 'run') return kept - 1;
  if (ending?.type !== 'model_unavailable' || ending.policy !== 'stop') return kept;
  kept -= 1;
  // The request to the model is repeated, so its recorded failure is removed.
  for (let event = events[kept - 1]; isFailureOf(event, ending); event = events[kept - 1]) kept -= 1;
  return kept;
}

function isFailureOf(
  event: RunEvent | undefined,
  ending: { readonly bar: number; readonly step?: number; readonly round: number },
): boolean {
  return (
    event?.type === 'model_called' &&
    event.failure !== undefined &&
    event.bar === ending.bar &&
    event.step === ending.step &&
    event.round === ending.round
  );
}

/**
 * Returns the line after which a bar begins whose agent decision is incomplete. The agent must repeat such a
 * decision from its beginning, because a restarted agent does not know its earlier messages.
 *
 * @returns `undefined` if the last decision is complete
 */
function cutDecision(events: readonly RunEvent[], kept: number): number | undefined {
  let isCut: boolean | undefined;
  for (let at = kept - 1; at >= 0; at--) {
    const event = events[at]!;
    if (event.type === 'bar' || event.type === 'run_started') return isCut === true ? at + 1 : undefined;
    if (event.type === 'agent_replied') isCut ??= !isObject(event.message) || event.message.type !== 'done';
    if (event.type === 'agent_asked') isCut ??= true;
  }
  return undefined;
}
