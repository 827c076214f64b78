import { randomBytes } from 'node:crypto';
import { copyFile, mkdir, mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { z } from 'zod';
import { isModule, isPython, readPythonSources } from '../../agents/index.ts';
import { AppError, fileProblem, messageOf } from '../../kernel/index.ts';
import {
  type BarSeries,
  loadMarket,
  marketOf,
  readBarColumns,
  trusted,
  writeBarColumns,
} from '../../market/index.ts';
import {
  loadDetail,
  type RunOptions,
  runOptionsSchema,
  SILENT,
  type WorldFiles,
} from '../../runner/index.ts';
import { type ContentHash, type ContentStore, fullStore, type ObjectCache } from '../store/content-store.ts';
import { sharedFiles } from '../workers/pool.ts';
import type { WorkerStart } from '../workers/thread-pool.ts';
import { readQueueAddress } from './redis.ts';

/**
 * Options of a sweep on several machines. They must not contain a secret, because the sweep's folder stores
 * them.
 */
export interface ClusterOptions {
  /** Address of Redis: `redis://…` or `rediss://…`, without a password. */
  readonly queue: string;
  /** Store for inputs: a folder that all machines share, or `s3://bucket/prefix`. */
  readonly store: string;
  /** Unique name of the sweep in Redis. */
  readonly sweep: string;
  /** Maximum number of retries of a trial that was lost, or that its machine may have failed. Default: 2. */
  readonly retries?: number | undefined;
  /** Seconds without a renewal of a job's lock after which the worker loses the job. Default: 30. */
  readonly lockSeconds?: number | undefined;
  /** Timeout of one trial in seconds. Default: no limit. */
  readonly trialSeconds?: number | undefined;
  /** Maximum number of trials that all workers together start per minute. Default: no limit. */
  readonly rate?: number | undefined;
}

const remembered = z.object({ queue: z.string(), store: z.string(), sweep: z.string() });

/** Parses the queue options in a sweep's folder. Returns `undefined` if they are missing or invalid. */
export function readClusterOptions(given: unknown): z.infer<typeof remembered> | undefined {
  return remembered.safeParse(given).data;
}

type Environment = Readonly<Record<string, string | undefined>>;

/**
 * Chooses a name for a sweep, and moves the password from the queue address into a copy of the environment.
 * The sweep's folder therefore contains no password.
 *
 * @throws AppError `bad_queue` if the address is invalid
 */
export function clusterAddress(
  given: Omit<ClusterOptions, 'sweep'>,
  environment: Environment,
): {
  readonly cluster: ClusterOptions;
  readonly environment: Environment;
  readonly warnings: readonly string[];
} {
  const { shown, options, warnings } = readQueueAddress(given.queue, environment);
  const { password } = options;
  return {
    cluster: { ...given, queue: shown, sweep: randomBytes(8).toString('hex') },
    environment:
      password === undefined ? environment : { ...environment, SANDTABLE_REDIS_PASSWORD: password },
    warnings,
  };
}

/**
 * Inputs of a thread that runs trials. The thread can be on the coordinator's machine or on a worker's
 * machine.
 */
export interface SweepGround
  extends Pick<WorkerStart, 'strategy' | 'bundle' | 'parameters' | 'options' | 'settings' | 'files'> {
  /** Seconds without a decision after which a trial is aborted. */
  readonly decisionSeconds: number;
}

const FORMAT = 1;

const text = z.string();
/**
 * Matches relative paths of Python files. Does not match paths with `..`, so a path cannot leave its folder.
 */
const PYTHON_FILE = /^(\w+\/)*\w+\.py$/;
const series = z.object({
  object: text,
  /** Bar interval of each series, because the Parquet file does not contain intervals. `null` if unknown. */
  intervals: z.array(text.nullable()),
});

/**
 * Inputs that all trials of a sweep share. Files are stored as objects in the store and referred to by hash.
 */
const planSchema = z.object({
  format: z.literal(FORMAT),
  /**
   * Strategy. `object` is the hash of the bundled code, or of the file of a Python, JSON or Markdown
   * strategy.
   */
  strategy: z.object({
    file: text,
    object: text,
    external: z.array(text).nullable(),
    /**
     * Other Python files that a Python strategy imports. The key is the path relative to the strategy's
     * folder, the value the hash of the file's content in the store.
     */
    beside: z.record(z.string().regex(PYTHON_FILE), text).optional(),
  }),
  parameters: z.record(text, z.unknown()),
  options: runOptionsSchema,
  settings: z.record(text, z.unknown()),
  decisionSeconds: z.number().positive(),
  bars: series,
  rates: series.nullable(),
  detail: text.nullable(),
  benchmark: text.nullable(),
  /** Contents of all input files except bars. */
  files: z.record(text, z.unknown()),
});

type Plan = z.infer<typeof planSchema>;

/**
 * Writes all inputs of a sweep's trials to the store.
 *
 * @returns the hash of the plan
 * @throws AppError `not_for_a_queue` for inputs that cannot be sent to workers, and errors of the store
 */
export async function storePlan(ground: SweepGround, store: ContentStore): Promise<ContentHash> {
  const { options, files } = ground;
  refuseLocal(options);
  const folder = await mkdtemp(join(tmpdir(), 'sandtable-plan-'));
  try {
    const put = async (all: readonly BarSeries[], name: string): Promise<ContentHash> => {
      const file = join(folder, `${name}.parquet`);
      await writeBarColumns(all, file).catch((cause: unknown) => {
        throw fullStore(file, messageOf(cause).replace(/^IO Error: /, ''), cause);
      });
      return store.put(await readFile(file));
    };
    const putSeries = async (all: readonly BarSeries[], name: string): Promise<Plan['bars']> => ({
      object: await put(all, name),
      intervals: all.map(({ interval }) => interval ?? null),
    });
    const { market, rates, ...rest } = files;
    const detail = await loadDetail(options, Promise.resolve(files), SILENT);
    const plan: Plan = {
      format: FORMAT,
      strategy: await putStrategy(ground, store),
      parameters: ground.parameters,
      options,
      settings: ground.settings as Record<string, unknown>,
      decisionSeconds: ground.decisionSeconds,
      bars: await putSeries(market.series, 'bars'),
      rates: rates.length === 0 ? null : await putSeries(rates, 'rates'),
      detail: detail === undefined ? null : await put(detail.series, 'detail'),
      benchmark: await benchmarkObject(options, market.symbols, put),
      files: rest as Record<string, unknown>,
    };
    return await store.put(Buffer.from(JSON.stringify(plan)));
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/**
 * Refuses options that only work on the coordinator's machine.
 *
 * @throws AppError `not_for_a_queue`
 */
function refuseLocal(options: RunOptions): void {
  const local = (['vfs', 'skills', 'allowScripts', 'seal'] as const).filter((name) => options[name]);
  if (local.length === 0) return;
  const flags = local.map((name) => `--${name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`);
  throw cannotTravel(`${flags.join(' and ')} needs files of this machine, which are not sent to workers.`);
}

function cannotTravel(message: string): AppError {
  return new AppError({
    code: 'not_for_a_queue',
    message,
    hint: 'Run the sweep without --queue.',
  });
}

async function putStrategy(
  { strategy, bundle }: SweepGround,
  store: ContentStore,
): Promise<Plan['strategy']> {
  if (bundle !== undefined) {
    if (bundle.code === undefined)
      throw cannotTravel(
        `${strategy} cannot be bundled into one script (for example because of a top-level await), so it cannot be sent to workers.`,
      );
    const object = await store.put(Buffer.from(bundle.code));
    return { file: basename(strategy), object, external: [...bundle.external] };
  }
  const bytes = await readFile(strategy).catch((cause: unknown) => {
    throw new AppError({
      code: 'strategy_not_found',
      message: `Cannot read the strategy ${strategy}: ${fileProblem(cause)}.`,
      hint: 'Pass a strategy file, for example strategies/sma-cross.ts.',
      cause,
    });
  });
  const own = { file: basename(strategy), object: await store.put(bytes), external: null };
  if (!isPython(strategy)) return own;
  const { texts, main } = readPythonSources(strategy, bytes);
  const beside: Record<string, ContentHash> = {};
  for (const [name, content] of Object.entries(texts))
    if (name !== main) beside[name] = await store.put(Buffer.from(content));
  return { ...own, beside };
}

async function benchmarkObject(
  { benchmark: name, maxUnpacked: unpackedLimit }: RunOptions,
  symbols: readonly string[],
  put: (series: readonly BarSeries[], name: string) => Promise<ContentHash>,
): Promise<ContentHash | null> {
  if (name === undefined || symbols.includes(name)) return null;
  const { market } = await loadMarket({ paths: [name], noVolume: true, unpackedLimit });
  return put(market.series, 'benchmark');
}

/**
 * Fetches a plan and its objects. Returns the inputs of the threads that run trials.
 *
 * @param folder temporary folder of this worker, for strategies that are not bundled
 * @throws AppError of the store and the cache, `bad_plan` and `not_for_a_queue`
 */
export async function openPlan(hash: ContentHash, cache: ObjectCache, folder: string): Promise<SweepGround> {
  const read = planSchema.safeParse(JSON.parse((await cache.bytes(hash)).toString('utf8')));
  if (!read.success)
    throw new AppError({
      code: 'bad_plan',
      message: `The plan ${hash} was not written by this version of Sandtable.`,
      hint: 'Use the same version on all machines.',
      kind: 'run',
    });
  const plan = read.data;
  // A worker never passes files or scripts of the worker's machine to a trial, even if the plan requests this
  // with a valid signature.
  refuseLocal(plan.options);
  const file = (object: string): Promise<string> => cache.file(object, '.parquet');
  const open = async ({ object, intervals }: Plan['bars']): Promise<BarSeries[]> =>
    (await readBarColumns(await file(object))).map((one, index) => {
      const interval = intervals[index] ?? null;
      return interval === null ? one : { ...one, interval };
    });
  const { data: _d, fx: _f, actions: _a, rolls: _r, funding: _p, out: _o, ...options } = plan.options;
  const files = {
    ...(plan.files as Partial<WorldFiles>),
    market: trusted(marketOf(await open(plan.bars))),
    rates: plan.rates === null ? [] : await open(plan.rates),
  } as WorldFiles;
  return {
    ...(await openStrategy(plan.strategy, cache, folder)),
    parameters: plan.parameters,
    options: {
      ...options,
      data: [await file(plan.bars.object)],
      ...(plan.detail === null ? {} : { detail: [await file(plan.detail)] }),
      ...(plan.benchmark === null ? {} : { benchmark: await file(plan.benchmark) }),
    },
    settings: plan.settings as SweepGround['settings'],
    decisionSeconds: plan.decisionSeconds,
    files: sharedFiles(files),
  };
}

async function openStrategy(
  { file, object, external, beside = {} }: Plan['strategy'],
  cache: ObjectCache,
  folder: string,
): Promise<Pick<SweepGround, 'strategy' | 'bundle'>> {
  const name = basename(file);
  if (external !== null) {
    const code = (await cache.bytes(object)).toString('utf8');
    return { strategy: name, bundle: { file: name, code, sha256: object, external } };
  }
  // A strategy that is not bundled gets its name and kind from its file name.
  if (isModule(name)) throw new Error('code is sent as a bundle');
  const place = join(folder, name);
  for (const [file, content] of Object.entries({ ...beside, [name]: object })) {
    const copy = join(folder, file);
    await mkdir(dirname(copy), { recursive: true });
    await copyFile(await cache.file(content, '.strategy'), copy);
  }
  return { strategy: place, bundle: undefined };
}
