import type { Json } from '../../engine/index.ts';
import {
  figureEntry,
  type Registered,
  reachesThreshold,
  registrationText,
  STUDY_FIGURES,
  type StudyArm,
} from '../../results/analysis/index.ts';
import { canonical, filesOf, hashOf, strategyFiles, withoutPlaces } from '../../runner/index.ts';
import type { OwnStrategy } from './arms.ts';
import { modelName, type StudyRequest } from './study-file.ts';
import type { StudyGround } from './study-trials.ts';

/**
 * Returns what a registration freezes of a study: strategies, models, windows, data, settings, baselines and
 * statistics. Paths of files and the budget are not part of it. Settings of models are hashed, because their
 * headers can contain keys.
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

/** Fields without a value are not part of JSON. */
function jsonOf(value: unknown): Json {
  return JSON.parse(JSON.stringify(value)) as Json;
}

/** Returns a registration in words, with the arms that reach its threshold. */
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
