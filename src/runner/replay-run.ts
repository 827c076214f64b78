import { join } from 'node:path';
import { recordingOf } from '../agent/index.ts';
import type { RunOutcome } from '../engine/index.ts';
import { compareJournal, readEarlier } from '../journal/index.ts';
import { AppError } from '../kernel/index.ts';
import { journalHashes, readRunInputs } from '../runs/index.ts';
import type { RunContext } from './context.ts';
import { requestOf } from './resume-run.ts';
import { runRequested } from './run-requested.ts';
import { holdsSamples } from './samples.ts';

/** What a replay found. */
export interface ReplayEnd {
  readonly outcome: RunOutcome;
  /** What ended the replay before its record did; undefined where nothing did. */
  readonly error: unknown;
  /** Whether an event differed from the record: `error` says which. */
  readonly differs: boolean;
  /** Lines of the journal that came out as they are recorded, and all of them. */
  readonly matched: number;
  readonly lines: number;
  /** What the record has where the replay ended early. */
  readonly nextEvent: string | undefined;
  /** Whether the record ends before its run did. */
  readonly recordCut: boolean;
  /** Bars that the record holds whole, of all that the run had before it. */
  readonly recordedBars: number;
  readonly allBars: number;
  /** Exchanges with a model that were answered from the record, and calls of tools that were made again. */
  readonly exchanges: number;
  /** What an agent said that was answered from the record. */
  readonly agentReplies: number;
  readonly toolCalls: number;
  /** SHA-256 of a finished run's journal where `manifest.json` has another one; otherwise `undefined`. */
  readonly changed: { readonly now: string; readonly written: string } | undefined;
}

/**
 * Runs a run again from its records, without a network, and compares it with its journal.
 *
 * @param data where its data are now; where they were when left out
 * @param compared given what was found; the process may end after this
 * @throws AppError `bad_flags`, `not_a_run`, `strategy_changed`, `data_changed`
 */
export async function replayRun(
  folder: string,
  data: readonly string[] | undefined,
  context: RunContext,
  compared: (end: ReplayEnd) => void,
): Promise<void> {
  if (holdsSamples(folder)) {
    throw new AppError({
      code: 'bad_flags',
      message: `${folder} holds samples: each is a run of its own.`,
      hint: `Replay one of them, such as ${join(folder, 'sample-1')}.`,
    });
  }
  const inputs = readRunInputs(folder);
  const earlier = readEarlier(join(folder, 'journal.jsonl'));
  const ended = new AbortController();
  const journal = compareJournal(earlier, () => ended.abort());
  const recording = recordingOf(earlier.events);
  const started = earlier.events.find((event) => event.type === 'run_started');
  const recordCut = !earlier.events.some(({ type }) => type === 'run_finished');
  await runRequested(requestOf(folder, inputs, data, true), context, {
    folder,
    inputs,
    journal,
    recording,
    replayOnly: true,
    signal: ended.signal,
    compared: (outcome, error) =>
      compared({
        outcome,
        error,
        differs: journal.difference !== undefined,
        matched: journal.matched,
        lines: journal.lines,
        nextEvent: earlier.events[journal.matched]?.type,
        recordCut,
        recordedBars: earlier.events.filter(({ type }) => type === 'bar').length,
        allBars: started?.bars ?? 0,
        exchanges: recording.exchanges,
        agentReplies: recording.agentReplies,
        toolCalls: earlier.events.filter(({ type }) => type === 'tool_called').length,
        changed: recordCut ? undefined : changedSince(folder),
      }),
  });
}

/**
 * Compares the journal with its hash in `manifest.json`. Some recorded fields are copied by a replay, for example `served` and
 * the reasoning of a reply: a comparison of lines cannot detect that these were edited.
 */
function changedSince(folder: string): ReplayEnd['changed'] {
  const { now, written } = journalHashes(folder);
  return written === undefined || written === now ? undefined : { now, written };
}
