import { join } from 'node:path';
import { z } from 'zod';
import { budgetSchema } from '../../agents/index.ts';
import { AppError, version } from '../../kernel/index.ts';
import { type Registered, registeredSchema } from '../../results/analysis/index.ts';
import { jsonText, readWritten, STUDY_MANIFEST, sha256OfFile, writeWhole } from '../../results/runs/index.ts';
import type { Arm } from './arms.ts';
import type { StudyRequest } from './study-file.ts';

/** `study-manifest.json`: the request of a study, written before its first run. */
const manifestSchema = z.strictObject({
  schema: z.literal(1),
  type: z.literal('study'),
  studyId: z.string(),
  version: z.string(),
  /** Path of the study file, and the hash of its content when the study began. */
  file: z.string(),
  sha256: z.string(),
  arms: z.array(z.strictObject({ name: z.string(), sha256: z.string() })),
  data: z.array(z.strictObject({ file: z.string(), sha256: z.string() })),
  budget: budgetSchema.omit({ seconds: true }).optional(),
  registration: registeredSchema.optional(),
  /** Expected number of runs, for progress display. */
  runs: z.number().int().min(0).optional(),
});
export type StudyManifest = z.infer<typeof manifestSchema>;

export function writeStudyManifest(folder: string, manifest: StudyManifest): void {
  writeWhole(join(folder, STUDY_MANIFEST), jsonText(manifest));
}

/** @throws AppError `not_a_study` */
export function readStudyManifest(folder: string): StudyManifest {
  return readWritten(join(folder, STUDY_MANIFEST), manifestSchema, (problem) => ({
    code: 'not_a_study',
    message: `${folder} is not the folder of a study: ${STUDY_MANIFEST}: ${problem}.`,
    hint: 'Pass a folder that sandtable study made.',
  }));
}

export function studyManifestOf(
  studyId: string,
  request: StudyRequest,
  arms: readonly Arm[],
  data: StudyManifest['data'],
  registration?: Registered,
): StudyManifest {
  const { file, budget } = request;
  return {
    schema: 1,
    type: 'study',
    studyId,
    version: version(),
    file,
    sha256: sha256OfFile(file),
    arms: arms.map(({ name, sha256 }) => ({ name, sha256 })),
    data: [...data],
    ...(budget === undefined ? {} : { budget }),
    ...(registration === undefined ? {} : { registration }),
    runs: arms.reduce((sum, { samples }) => sum + samples * request.windows.length, 0),
  };
}

/**
 * Checks that the inputs of a resumed study have not changed.
 *
 * @throws AppError `study_changed` with every difference
 */
export function checkSameStudy(folder: string, before: StudyManifest, now: StudyManifest): void {
  const known = new Map(
    [...before.arms, ...before.data.map(({ file, sha256 }) => ({ name: file, sha256 }))].map((one) => [
      one.name,
      one.sha256,
    ]),
  );
  const changed = [
    ...(before.sha256 === now.sha256 ? [] : [now.file]),
    ...(before.version === now.version ? [] : [`Sandtable (${before.version}, now ${now.version})`]),
    ...[...now.arms, ...now.data.map(({ file, sha256 }) => ({ name: file, sha256 }))]
      .filter(({ name, sha256 }) => known.get(name) !== sha256)
      .map(({ name }) => name),
  ];
  if (changed.length === 0) return;
  throw new AppError({
    code: 'study_changed',
    message: `${folder} cannot continue: ${changed.join(', ')} changed since the start.`,
    hint: 'Restore what changed, or start a new study.',
  });
}
