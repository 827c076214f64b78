import { basename, join, relative } from 'node:path';
import { recordingOf } from '../agents/index.ts';
import { isResult, type RunOutcome } from '../engine/index.ts';
import { compareJournal, readEarlier } from '../journal/index.ts';
import { AppError } from '../kernel/index.ts';
import { linkedReport } from '../pages/index.ts';
import {
  journalHashes,
  readRun,
  readRunInputs,
  writeOtherAnswer,
  writeWhole,
} from '../results/runs/index.ts';
import type { RunContext } from './context.ts';
import type { RunEnd } from './execute-run.ts';
import { requestOf } from './resume-run.ts';
import { type OtherRecord, openRecord, type RunRequest } from './run-request.ts';
import { runRequested } from './run-requested.ts';
import { holdsSamples } from './samples.ts';

/** Result of a replay: the repetition of a run from its record, compared with the record. */
export interface ReplayEnd {
  readonly outcome: RunOutcome;
  /** Error that ended the replay before the end of its record. `undefined` without an error. */
  readonly error: unknown;
  /** True if an event differs from the record. `error` describes the difference. */
  readonly differs: boolean;
  /**
   * Number of lines that are identical in the journals of the replay and of the run. `lines` is the number of
   * all lines.
   */
  readonly matched: number;
  readonly lines: number;
  /** Number of identical events. `matched` is this number plus the number of identical hash-chain lines. */
  readonly events: number;
  /** Type of the next event in the record, if the replay ended early. */
  readonly nextEvent: string | undefined;
  /** True if the record ends before the end of the run, for example after a crash. */
  readonly recordCut: boolean;
  /** Number of complete bars in the record. `allBars` is the number of bars of the whole run. */
  readonly recordedBars: number;
  readonly allBars: number;
  /** Number of model exchanges (request and reply) whose reply came from the record. */
  readonly exchanges: number;
  /**
   * Number of replies of an external agent that came from the record. `toolCalls` is the number of recorded
   * tool calls, which the replay makes again.
   */
  readonly agentReplies: number;
  readonly toolCalls: number;
  /**
   * SHA-256 of a finished run's journal: current value, and value in `manifest.json`. `undefined` if both are
   * equal.
   */
  readonly changed: { readonly now: string; readonly written: string } | undefined;
}

/**
 * Repeats a run from its records without network access, and compares the result with its journal.
 *
 * @param data current paths of the data. Default: the recorded paths
 * @param compared called with the result. The process may end after this call
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
      message: `${folder} contains samples. Each sample is a separate run.`,
      hint: `Replay one of them, for example ${join(folder, 'sample-1')}.`,
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
        events: journal.matched - journal.links,
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
 * Returns both hashes if a journal differs from its hash in `manifest.json`. A replay copies some fields from
 * the record, such as `served` and the reasoning of a reply. Only the hash reveals edits of these fields.
 */
function changedSince(folder: string): ReplayEnd['changed'] {
  const { now, written } = journalHashes(folder);
  return written === undefined || written === now ? undefined : { now, written };
}

/**
 * Results of a run with both settings of `resolve`. The setting applies to ambiguous bars, where the order of
 * prices within the bar is unknown. `worst` uses the less favourable order, `best` the more favourable one.
 */
export interface BothAnswers {
  readonly worst: RunEnd;
  /** `undefined` if the run `worst` has no ambiguous bars or no result. */
  readonly best: RunEnd | undefined;
}

/**
 * Runs a backtest with `resolve: worst`. If bars were ambiguous, runs it again with `resolve: best`. In the
 * second run, recorded replies of the first run replace requests to a model.
 */
export async function runBothAnswers(request: RunRequest, context: RunContext): Promise<BothAnswers> {
  const run = async (resolve: 'worst' | 'best', change: Partial<RunRequest>): Promise<RunEnd> => {
    const settings = { ...request.settings, resolve };
    const end = await runRequested({ ...request, ...change, settings }, context);
    if (end === undefined) throw new Error('a run that is not a replay has files');
    return end;
  };
  const worst = await run('worst', {});
  if (!isResult(worst.outcome) || worst.summary.ambiguousBars === 0) return { worst, best: undefined };
  const best = await run('best', recordOf(worst, request));
  if (isResult(best.outcome)) link(worst, best);
  return { worst, best };
}

/**
 * Returns the record of the first run, which answers model requests of the second run. Empty if the first run
 * used no model.
 */
function recordOf({ folder, summary }: RunEnd, { record }: RunRequest): { readonly record?: OtherRecord } {
  if (summary.activity.decisions === 0 && record === undefined) return {};
  const inputs = readRunInputs(folder);
  return inputs.model === undefined ? {} : { record: openRecord(folder, true) };
}

/**
 * Stores the summary of each run (`resolve: worst` and `resolve: best`) in the folder of the other run, and
 * adds it to the report of that run.
 */
function link(worst: RunEnd, best: RunEnd): void {
  const sides = [
    { own: worst, other: best, resolve: 'best' },
    { own: best, other: worst, resolve: 'worst' },
  ] as const;
  for (const { own, other, resolve } of sides) {
    const folder = relative(own.folder, other.folder) || basename(other.folder);
    writeOtherAnswer(own.folder, { resolve, folder, summary: other.summary });
    writeWhole(
      join(own.folder, 'report.html'),
      linkedReport(readRun(own.folder, { lightBars: true }), own.folder),
    );
  }
}
