import { availableParallelism } from 'node:os';
import { z } from 'zod';
import {
  bundleStrategyFile,
  codeHash,
  isModule,
  type LoadedStrategy,
  type StrategyBundle,
} from '../../agents/index.ts';
import { mergeSettings, type RunSettings, readRunSettings, withWarmUp } from '../../engine/index.ts';
import { AppError, createRandom, formatInstant, parseInstant } from '../../kernel/index.ts';
import type { DataSource } from '../../market/index.ts';
import {
  collectErrors,
  openTrialWorld,
  type TrialWorld,
  toolExtras,
  trialStrategy,
  type WorldFiles,
  warmUpNote,
} from '../../runner/index.ts';
import { type Search, type SearchName, searchOver } from '../search/search-over.ts';
import {
  type CrossValidationTerms,
  type Cuts,
  cutsOf,
  readCrossValidation,
} from '../walk-forward/cross-validate.ts';
import { chooseHoldout, type Holdout, readHoldout, withoutHoldout } from '../walk-forward/holdout.ts';
import { readWalkForward, type WalkForwardTerms } from '../walk-forward/windows.ts';
import type { Period, TrialGround } from './figures.ts';
import { type Objective, readObjective } from './objective.ts';
import {
  combination,
  type ParameterSchema,
  type Point,
  pointAt,
  type Space,
  sizeOf,
  spaceOf,
} from './space.ts';
import { refuseChangingAccount } from './sweep-folder.ts';
import type { SweepContext, SweepRequest } from './sweep-request.ts';

/** Sweep with valid inputs, ready to run trials. */
export interface PreparedSweep {
  readonly request: SweepRequest;
  readonly name: SearchName;
  readonly seed: number;
  readonly objective: Objective;
  readonly walkForward: WalkForwardTerms | undefined;
  readonly crossValidation: CrossValidationTerms | undefined;
  /** Groups of bars for the cross-validation. `undefined` without a cross-validation. */
  readonly cuts: Cuts | undefined;
  readonly space: Space;
  readonly bundle: StrategyBundle | undefined;
  /** Strategy with the parameters in `first`. */
  readonly strategy: LoadedStrategy;
  /** First checked combination of parameters that the strategy accepts. */
  readonly first: Point;
  readonly world: TrialWorld;
  /** Input files without the held-out bars. */
  readonly files: WorldFiles;
  readonly settings: RunSettings;
  readonly holdoutFrom: string | undefined;
  /** Warnings about the holdout, one sentence each. */
  readonly warnings: readonly string[];
  readonly sources: readonly Pick<DataSource, 'file' | 'sha256' | 'symbols'>[];
  readonly ground: TrialGround;
  readonly period: Period;
  readonly jobs: number;
  /** Note about a warm-up that is at least as long as the data. Empty for a shorter warm-up. */
  readonly notes: readonly string[];
  /**
   * Share of the checked combinations that the strategy accepts. In a large space, only a sample of
   * combinations is checked.
   */
  readonly acceptedShare: number;
  /** Returns the distinct reasons why the strategy refused combinations. */
  refusals(): readonly string[];
  /** Returns true if the strategy's schema accepts the combination. */
  accepts(point: Point): Promise<boolean>;
  search(): Search;
}

/**
 * Number of random combinations that are checked in addition to the corners of the space. Used for searches
 * other than `grid` over more than `MOST_CORNERS` combinations.
 */
const PROBES = 256;
const MOST_CORNERS = 1024;

/**
 * Reads and checks all inputs of a sweep.
 *
 * @param begun holdout that was determined when the sweep began. Only for a resumed sweep
 * @throws AppError with every fault of the request. Without such a fault, with every fault of the data
 */
export async function prepareSweep(
  request: SweepRequest,
  context: SweepContext,
  begun?: Holdout,
): Promise<PreparedSweep> {
  const { options, settings: asked, search: name = 'grid' } = request;
  const file = typeof request.strategy === 'string' ? request.strategy : undefined;
  const bundling =
    file !== undefined && isModule(file)
      ? bundleStrategyFile(file)
      : Promise.resolve<StrategyBundle | undefined>(undefined);
  const reading = bundling.then((bundle) => trialStrategy(request, context, bundle));
  const spacing = reading.then(({ schema }) => {
    const schemas = schema === undefined ? schemasOfGiven(request) : schemasOf(schema);
    return spaceOf(request.parameters, schemas, name !== 'grid');
  });
  for (const one of [bundling, reading, spacing]) one.catch(() => undefined);
  const later = async <Value>(read: () => Value): Promise<Value> => read();
  const [bundle, own, space, objective, walkForward, crossValidation, holdout] = await collectErrors(
    bundling,
    reading,
    // If the strategy cannot be read, `reading` and `spacing` fail with the same error. The error is reported
    // by `reading` and ignored here.
    reading.then(
      () => spacing,
      (): Space => ({ dimensions: [] }),
    ),
    later(() =>
      readObjective(request.objective, {
        minimise: request.minimise === true,
        constraints: request.constraints ?? [],
      }),
    ),
    later(() => (request.walkForward === undefined ? undefined : readWalkForward(request.walkForward))),
    later(() =>
      request.crossValidate === undefined ? undefined : readCrossValidation(request.crossValidate),
    ),
    later(() => (request.holdout === undefined ? undefined : readHoldout(request.holdout))),
  );
  const known = new Map<string, boolean>();
  const look = async (point: Point): Promise<LoadedStrategy | undefined> => {
    const key = JSON.stringify(point);
    if (known.get(key) === false) return undefined;
    try {
      const strategy = await own.look(point);
      known.set(key, true);
      return strategy;
    } catch (error) {
      if (!(error instanceof AppError) || error.code !== 'bad_parameters') throw error;
      known.set(key, false);
      refusal ??= error;
      for (const fault of faultLines(error)) refusals.add(fault);
      return undefined;
    }
  };
  let refusal: AppError | undefined;
  const refusals = new Set<string>();
  let [warmUp, isDecision]: [number, boolean] = [0, false];
  let chosen: { readonly point: Point; readonly strategy: LoadedStrategy } | undefined;
  for (const point of probes(space, request, name)) {
    const strategy = await look(point);
    if (strategy === undefined) continue;
    chosen ??= { point, strategy };
    if (walkForward?.carry === true) refuseChangingAccount([chosen.strategy, strategy], asked);
    if (typeof strategy.warmUp === 'number') warmUp = Math.max(warmUp, strategy.warmUp);
    else isDecision ||= strategy.warmUp !== undefined;
  }
  if (chosen === undefined)
    throw new AppError({
      code: 'bad_space',
      message: `The strategy accepts no combination.${refusal === undefined ? '' : ` The first: ${refusal.message}`}`,
      hint: 'Use other values with --param.',
    });
  const accepted = [...known.values()].filter(Boolean).length / known.size;
  const { strategy, point: first } = chosen;
  tellOfSchema(space, (text) => context.observer.warn(text));
  if (request.budget !== undefined && strategy.kind !== 'llm')
    throw new AppError({
      code: 'bad_flags',
      message: `--budget: ${strategy.file} calls no model, so a budget has no effect.`,
      hint: 'Remove --budget. To limit time, use --decision-timeout and --trial-timeout.',
    });
  const { market, bundle: _, ...rest } = { market: request.market, bundle, ...pick(request) };
  const base = {
    ...rest,
    parameters: first,
    ...(market === undefined ? {} : { market }),
    ...(bundle === undefined ? {} : { bundle }),
  };
  const whole = await openTrialWorld(base, context);
  const kept =
    begun ??
    chooseHoldout(whole.files, holdout, {
      store: options.out ?? 'reports',
      project: options.project,
      strategy: strategy.name,
    });
  const { evaluateFrom, barTimes = 'start' } = mergeSettings(strategy.settings, asked);
  const files = withoutHoldout(whole.files, kept, barTimes);
  const world = await openTrialWorld({ ...base, files }, context);
  const given = await world.settingsOf();
  // All trials are evaluated on the same bars, which start after the longest warm-up of any combination.
  const settings = isDecision ? given : withWarmUp({ ...given, evaluateFrom }, warmUp, files.market);
  const { clock } = files.market;
  const sources = [
    ...files.sources,
    ...(files.actionsSource === undefined ? [] : [{ ...files.actionsSource, symbols: [] }]),
    ...whole.detailSources,
    ...[...files.futuresSources, ...files.featureSources, ...files.pointInTime.sources].map((source) => ({
      ...source,
      symbols: [],
    })),
    ...files.contextSources,
    ...givenFiles(options),
  ];
  const period = {
    from: formatInstant(clock[0]!),
    to: formatInstant(clock.at(-1)!),
    ...(settings.evaluateFrom === undefined || isDecision ? {} : { evaluateFrom: settings.evaluateFrom }),
  };
  const cuts =
    crossValidation === undefined ? undefined : cutsOf(crossValidation, judgedTimes({ files, period }));
  const { data: __, out: ___, project: ____, ...shaping } = options;
  return {
    request,
    name,
    seed: settings.seed,
    objective,
    walkForward,
    crossValidation,
    cuts,
    space,
    bundle,
    strategy,
    first,
    world,
    files,
    settings,
    holdoutFrom: kept.from ?? undefined,
    warnings: kept.warnings,
    notes: warmUp < clock.length ? [] : [warmUpNote(warmUp, clock.length)],
    acceptedShare: accepted,
    refusals: () => [...refusals],
    sources,
    ground: {
      strategy: bundle?.sha256 ?? codeHash(strategy),
      data: sources.map(({ sha256 }) => sha256),
      // The settings are normalised as in a run. An omitted option and its explicit default therefore result
      // in the same trial ids.
      settings: {
        asked: readRunSettings(asked),
        options: Object.fromEntries(
          Object.entries(shaping).filter(([name, value]) => !(name === 'volume' && value === true)),
        ),
        seed: settings.seed,
        // The session settings include the days of a calendar file. A change of this file therefore changes
        // the trial ids.
        ...(settings.session === undefined ? {} : { session: settings.session }),
      },
    },
    period,
    jobs: request.jobs ?? availableParallelism(),
    accepts: async (point) => known.get(JSON.stringify(point)) ?? (await look(point)) !== undefined,
    search: () => searchOver(space, name, { trials: request.trials, seed: settings.seed }),
  };
}

/**
 * Returns the faults in the error message of a refused combination. If the message has several lines, the
 * first line is a heading and is omitted.
 */
function faultLines({ message }: AppError): string[] {
  const [first = '', ...faults] = message.split('\n').map((line) => line.trim().replace(/^--param /, ''));
  return faults.length === 0 ? [first] : faults;
}

/**
 * Warns about parameters whose values come from the strategy's schema although the user gave values for other
 * parameters. The user may not expect that these parameters are searched.
 */
function tellOfSchema({ dimensions }: Space, warn: (text: string) => void): void {
  if (!dimensions.some(({ given }) => given === 'flag')) return;
  for (const one of dimensions) {
    if (one.given === 'flag') continue;
    const values =
      'values' in one ? `all ${one.values.length} values` : `values from ${one.low} to ${one.high}`;
    const single = 'values' in one ? one.values[0]! : one.low;
    warn(
      `${one.name} has no --param, so ${values} that the strategy allows are tried. To try one value, write for example --param ${one.name}=${String(single)}.`,
    );
  }
}

/** Returns the times of the bars on which all trials are evaluated. */
export function judgedTimes({ files, period }: Pick<PreparedSweep, 'files' | 'period'>): Float64Array {
  const { clock } = files.market;
  const first = period.evaluateFrom === undefined ? clock[0]! : parseInstant(period.evaluateFrom)!;
  return clock.filter((time) => time >= first);
}

/**
 * Returns the files of `--vfs` as data sources. The hashes of data sources are part of a trial's id, so a
 * change of these files changes all ids.
 */
function givenFiles({
  vfs: folder,
  timezone,
}: Pick<SweepRequest['options'], 'vfs' | 'timezone'>): { file: string; sha256: string; symbols: string[] }[] {
  const { given } = toolExtras(folder === undefined ? {} : { vfs: folder, timezone });
  return folder === undefined || given === undefined
    ? []
    : [{ file: folder, sha256: given.sha256, symbols: [] }];
}

function pick({
  strategy,
  options,
  settings,
}: SweepRequest): Pick<SweepRequest, 'strategy' | 'options' | 'settings'> {
  return { strategy, options, settings };
}

function schemasOf(schema: z.ZodObject): Record<string, ParameterSchema> {
  const { properties = {} } = z.toJSONSchema(schema, { io: 'output', unrepresentable: 'any' });
  return Object.fromEntries(
    Object.keys(schema.shape).map((name) => [name, (properties[name] ?? {}) as ParameterSchema]),
  );
}

/**
 * Returns empty schemas for the given parameters. Used if a strategy does not declare its parameters. Such a
 * strategy checks each combination when it is created.
 */
function schemasOfGiven({ parameters }: SweepRequest): Record<string, ParameterSchema> {
  return Object.fromEntries(Object.keys(parameters).map((name) => [name, {}]));
}

/**
 * Yields sample combinations, from which for example the longest warm-up is determined. For a grid, and for a
 * space of at most `MOST_CORNERS` combinations, these are all combinations. For other spaces, these are
 * corners of the space and `PROBES` random points.
 */
function* probes(space: Space, { trials }: SweepRequest, name: SearchName): Generator<Point> {
  const size = sizeOf(space);
  if (name === 'grid') {
    for (const { point } of searchOver(space, 'grid', { trials, seed: 0 }).next([])) yield point;
    return;
  }
  if (size <= MOST_CORNERS) {
    for (let number = 0; number < size; number++) yield combination(space, number);
    return;
  }
  const { dimensions } = space;
  const corners = Math.min(MOST_CORNERS, 2 ** dimensions.length);
  for (let corner = 0; corner < corners; corner++)
    yield pointAt(
      space,
      dimensions.map((_, place) => ((corner >> place) & 1 ? 1 : 0)),
    );
  const random = createRandom(0, 'probes');
  for (let probe = 0; probe < PROBES; probe++)
    yield pointAt(
      space,
      dimensions.map(() => random.next()),
    );
}
