import { join } from 'node:path';
import { otherRecording, type Recording, type ResolvedModel, recordingOf } from '../agent/index.ts';
import { readEarlier } from '../journal/index.ts';
import { type RunInputs, readRunInputs, sha256OfFile } from '../runs/index.ts';

/** Record of another run, which provides the answers for a new run. */
export interface OtherRecord {
  readonly recording: Recording;
  /** If true, no request is sent, and an unrecorded request ends the run. */
  readonly replayOnly: boolean;
  /** Recorded model, for a run without model requests. */
  readonly model: ResolvedModel | undefined;
  readonly source: NonNullable<RunInputs['recording']>;
}

/**
 * Opens a run's record to answer another run from it.
 *
 * @param replayOnly sends no requests: an unrecorded request ends the run
 * @throws AppError `not_a_run`
 */
export function openRecord(folder: string, replayOnly: boolean): OtherRecord {
  const inputs = readRunInputs(folder);
  const file = join(folder, 'journal.jsonl');
  const recording = otherRecording(recordingOf(readEarlier(file).events), inputs.sample ?? 1);
  const source = { folder, journalSha256: sha256OfFile(file) };
  // The cost of the new run is computed with the prices of the new strategy.
  const model = inputs.model === undefined ? undefined : { ...inputs.model, price: undefined };
  return { recording, replayOnly, model: replayOnly ? model : undefined, source };
}
