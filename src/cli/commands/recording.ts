import { join } from 'node:path';
import { otherRecording, type Recording, type ResolvedModel, recordingOf } from '../../agent/index.ts';
import { readEarlier } from '../../journal/index.ts';
import { AppError } from '../../kernel/index.ts';
import { type RunInputs, readRunInputs, sha256OfFile } from '../../runs/index.ts';

/** Another run's record, from which a new run is answered. */
export interface OtherRecord {
  readonly recording: Recording;
  /** Nothing is sent: what is not recorded ends the run. */
  readonly replayOnly: boolean;
  /** The recorded model, for a run that asks nobody. */
  readonly model: ResolvedModel | undefined;
  readonly source: NonNullable<RunInputs['recording']>;
}

/** @throws AppError `bad_flags`, `not_a_run` */
export function recordingFor(flags: {
  readonly recording?: string | undefined;
  readonly replayOnly?: boolean | undefined;
}): { readonly record?: OtherRecord } {
  const { recording: folder, replayOnly = false } = flags;
  if (folder === undefined) {
    if (!replayOnly) return {};
    throw new AppError({
      code: 'bad_flags',
      message: 'sandtable run: --replay-only has no record to answer from.',
      remedy: 'Name a run with --recording, or replay one: npx sandtable replay RUN.',
    });
  }
  const inputs = readRunInputs(folder);
  const file = join(folder, 'journal.jsonl');
  const recording = otherRecording(recordingOf(readEarlier(file).events), inputs.sample ?? 1);
  const source = { folder, journalSha256: sha256OfFile(file) };
  return { record: { recording, replayOnly, model: replayOnly ? inputs.model : undefined, source } };
}
