import { join } from 'node:path';
import { z } from 'zod';
import { budgetSchema } from '../../agents/index.ts';
import type { Json } from '../../engine/index.ts';
import { AppError, version } from '../../kernel/index.ts';
import {
  figureEntry,
  type Registered,
  reachesThreshold,
  registeredSchema,
  registrationText,
  STUDY_FIGURES,
  type StudyArm,
} from '../../results/analysis/index.ts';
import { jsonText, readWritten, STUDY_MANIFEST, sha256OfFile, writeWhole } from '../../results/runs/index.ts';
import { canonical, filesOf, hashOf, strategyFiles, withoutPlaces } from '../../runner/index.ts';
import type { Arm, OwnStrategy } from './arms.ts';
import { modelName, type StudyRequest } from './study-file.ts';
import type { StudyGround } from './study-trials.ts';

/** `study-manifest.json`: the request of a study, written before its first run. */
const manifestSchema = z.strictObject({
  schema: z.literal(1),
  type: z.literal('study'),
  studyId: z.string(),
  version: z.string(),
  /** Path of the study file. `sha256` is the hash of the file when the study began. */
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

/**
 * Reads the manifest of a study.
 *
 * @throws AppError `not_a_study`
 */
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

/**
 * Returns the plan of a study: strategies, models, windows, data, settings, baselines and statistics. A
 * registration is a file that fixes this plan and a hypothesis before the study. The plan does not contain
 * paths of files or the budget. Settings of models are hashed, because their headers can contain API keys.
 */
export function studyPlan(
  request: StudyRequest,
  strategies: readonly OwnStrategy[],
  { world, settings: { evaluateFrom: _, ...settings } }: StudyGround,
): Json {
  const { name, samples, windows, masks, tools, baselines, random, costs, calibration, primary } = request;
  const plan = {
    study: name,
    strategies: strategies.map(({ given, loaded }) => ({
      name: given.name ?? loaded.name,
      kind: loaded.kind,
      files: strategyFiles(loaded),
      parameters: given.parameters,
      agent: given.agent === undefined ? null : { ...given.agent },
      model: loaded.model === undefined ? null : { model: loaded.model.model, baseUrl: loaded.model.baseUrl },
    })),
    models: request.models.map((model, place) => ({
      name: modelName(model),
      settings: hashOf(canonical(jsonOf(request.modelSettings[place] ?? null))),
    })),
    ...{ samples, windows, masks, tools, baselines, random, costs, calibration, primary },
    leakage: request.leakage,
    seed: request.seed,
    data: filesOf(world.files, world.detailSources)
      .map(({ sha256 }) => sha256 ?? '')
      .sort(),
    symbols: world.files.market.symbols,
    options: withoutPlaces(request.options),
    settings,
  };
  return jsonOf(plan);
}

/** Removes fields that are `undefined`, because JSON cannot contain them. */
function jsonOf(value: unknown): Json {
  return JSON.parse(JSON.stringify(value)) as Json;
}

/** Describes a registration and lists the arms that reach its threshold. */
export function registrationNote(registration: Registered, arms: readonly StudyArm[]): string {
  const { primaryFigure = '', threshold = '' } = registration.hypothesis;
  const figure = STUDY_FIGURES.find((name) => name === primaryFigure);
  const text = registrationText(registration, 'study');
  if (figure === undefined) return text;
  const values = arms.map(({ name, figures }) => ({ name, mean: figures[figure].mean }));
  const shown = values.map(
    ({ name, mean }) => `${name} ${mean === null ? 'has no value' : Number(mean.toPrecision(6))}`,
  );
  const reached = values.filter(({ mean }) => reachesThreshold(registration, mean) === true);
  const verdict =
    figureEntry(figure)?.better === 0
      ? ''
      : ` The threshold of ${threshold} is reached by ${reached.length === 0 ? 'no arm' : reached.map(({ name }) => name).join(', ')}.`;
  return `${text} Mean ${figureEntry(figure)?.label ?? figure}: ${shown.join('; ')}.${verdict}`;
}
