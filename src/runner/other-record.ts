import { join } from 'node:path';
import { otherRecording, type Recording, type ResolvedModel, recordingOf } from '../agent/index.ts';
import { readEarlier } from '../journal/index.ts';
import { type RunInputs, readRunInputs, sha256OfFile } from '../runs/index.ts';

/** Another run's record, from which a new run is answered. */
export interface OtherRecord {
  readonly recording: Recording;
  /** Nothing is sent: what is not recorded ends the run. */
  readonly replayOnly: boolean;
  /** The recorded model, for a run that asks nobody. */
  readonly model: ResolvedModel | undefined;
  readonly source: NonNullable<RunInputs['recording']>;
}

/**
 * Opens a run's record, to answer another run from it.
 *
 * @param replayOnly sends nothing: what is not recorded ends the run
 * @throws AppError `not_a_run`
 */
export function openRecord(folder: string, replayOnly: boolean): OtherRecord {
  const inputs = readRunInputs(folder);
  const file = join(folder, 'journal.jsonl');
  const recording = otherRecording(recordingOf(readEarlier(file).events), inputs.sample ?? 1);
  const source = { folder, journalSha256: sha256OfFile(file) };
  // What this run costs is by the prices that it brings itself.
  const model = inputs.model === undefined ? undefined : { ...inputs.model, price: undefined };
  return { recording, replayOnly, model: replayOnly ? model : undefined, source };
}
