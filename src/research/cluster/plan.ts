import { copyFile, mkdir, mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { z } from 'zod';
import { isModule } from '../../agent/index.ts';
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
import { type ContentHash, type ContentStore, fullStore } from '../store/content-store.ts';
import type { ObjectCache } from '../store/object-cache.ts';
import { sharedFiles } from '../workers/share.ts';
import type { SweepGround } from './ground.ts';

const FORMAT = 1;

const text = z.string();
const series = z.object({
  object: text,
  /** Of each series, what its columns do not tell. */
  intervals: z.array(text.nullable()),
});

/** What all trials of a sweep have in common, with the objects of the store in place of files. */
const planSchema = z.object({
  format: z.literal(FORMAT),
  /** Code, or the bytes of a strategy in JSON or Markdown. */
  strategy: z.object({ file: text, object: text, external: z.array(text).nullable() }),
  parameters: z.record(text, z.unknown()),
  options: runOptionsSchema,
  settings: z.record(text, z.unknown()),
  decisionSeconds: z.number().positive(),
  bars: series,
  rates: series.nullable(),
  detail: text.nullable(),
  benchmark: text.nullable(),
  /** Of the files, all that is no bars. */
  files: z.record(text, z.unknown()),
});

type Plan = z.infer<typeof planSchema>;

/**
 * Puts all that a sweep's trials need into the store.
 *
 * @returns the plan's own object
 * @throws AppError `not_for_a_queue` for what cannot travel, and what the store throws
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
      benchmark: await benchmarkObject(options.benchmark, market.symbols, put),
      files: rest as Record<string, unknown>,
    };
    return await store.put(Buffer.from(JSON.stringify(plan)));
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** @throws AppError `not_for_a_queue` */
function refuseLocal(options: RunOptions): void {
  const local = (['vfs', 'skills', 'allowScripts', 'seal'] as const).filter((name) => options[name]);
  if (local.length === 0) return;
  const flags = local.map((name) => `--${name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`);
  throw cannotTravel(`${flags.join(' and ')} needs files of this machine, which do not travel to workers.`);
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
        `${strategy} cannot be made one script (a top-level await, say), and so cannot travel.`,
      );
    const object = await store.put(Buffer.from(bundle.code));
    return { file: basename(strategy), object, external: [...bundle.external] };
  }
  const bytes = await readFile(strategy).catch((cause: unknown) => {
    throw new AppError({
      code: 'strategy_not_found',
      message: `Cannot read the strategy ${strategy}: ${fileProblem(cause)}.`,
      hint: 'Name a file such as strategies/sma-cross.ts.',
      cause,
    });
  });
  return { file: basename(strategy), object: await store.put(bytes), external: null };
}

async function benchmarkObject(
  name: string | undefined,
  symbols: readonly string[],
  put: (series: readonly BarSeries[], name: string) => Promise<ContentHash>,
): Promise<ContentHash | null> {
  if (name === undefined || symbols.includes(name)) return null;
  const { market } = await loadMarket({ paths: [name], noVolume: true });
  return put(market.series, 'benchmark');
}

/**
 * Fetches what a plan names, and makes of it what the trials' threads are started with.
 *
 * @param folder of this worker's own, for files that are read by their names
 * @throws AppError what the store and the cache throw, `bad_plan` and `not_for_a_queue`
 */
export async function openPlan(hash: ContentHash, cache: ObjectCache, folder: string): Promise<SweepGround> {
  const read = planSchema.safeParse(JSON.parse((await cache.bytes(hash)).toString('utf8')));
  if (!read.success)
    throw new AppError({
      code: 'bad_plan',
      message: `The plan ${hash} was not written by this version of Sandtable.`,
      hint: 'Run one version everywhere.',
      kind: 'run',
    });
  const plan = read.data;
  // A worker never gives its own files or scripts to trials, even if the plan is signed.
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
  { file, object, external }: Plan['strategy'],
  cache: ObjectCache,
  folder: string,
): Promise<Pick<SweepGround, 'strategy' | 'bundle'>> {
  const name = basename(file);
  if (external !== null) {
    const code = (await cache.bytes(object)).toString('utf8');
    return { strategy: name, bundle: { file: name, code, sha256: object, external } };
  }
  // Strategies that are read as they are take their names from their files.
  if (isModule(name)) throw new Error('code travels as a bundle');
  const place = join(folder, name);
  await mkdir(dirname(place), { recursive: true });
  await copyFile(await cache.file(object, '.strategy'), place);
  return { strategy: place, bundle: undefined };
}
