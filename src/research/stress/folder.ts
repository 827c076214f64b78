import { appendFileSync, existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { budgetSchema, codeHash } from '../../agents/index.ts';
import type { RunSettingsInput } from '../../engine/index.ts';
import { AppError, type Fault, faultsError, isObject, parseJsonInput, version } from '../../kernel/index.ts';
import { STRESS_FIGURE_NAMES, type StressReport, type WorldRow } from '../../results/analysis/index.ts';
import {
  jsonText,
  readWritten,
  STRESS_FILE,
  STRESS_WORLDS,
  writeParquet,
  writeWhole,
} from '../../results/runs/index.ts';
import { runOptionsSchema } from '../../runner/index.ts';
import { WORLD_KINDS } from '../worlds/make-worlds.ts';
import type { ActualResult, Spent, StressRequest, WorldRunner } from './world-runner.ts';

const FILES = {
  manifest: 'manifest.json',
  actual: 'actual.json',
  journal: 'worlds.jsonl',
  report: STRESS_FILE,
  table: STRESS_WORLDS,
} as const;

const noiseSchema = z.strictObject({ unit: z.enum(['basis-points', 'range']), size: z.number().positive() });

/**
 * `manifest.json` of a stress test: the request. The file is written before the strategy runs on the first
 * world (an artificial market made from the data).
 */
const manifestSchema = z.strictObject({
  schema: z.literal(1),
  type: z.literal('stress'),
  stressId: z.string(),
  version: z.string(),
  /** Path of the strategy's file. `null` for a strategy defined in code. Such a test cannot be resumed. */
  strategy: z.string().nullable(),
  strategySha256: z.string(),
  data: z.array(z.strictObject({ file: z.string(), sha256: z.string() })),
  parameters: z.record(z.string(), z.unknown()),
  options: runOptionsSchema,
  settings: z.record(z.string(), z.unknown()),
  terms: z.strictObject({
    kind: z.enum(WORLD_KINDS),
    blockLength: z.number().optional(),
    noise: noiseSchema.optional(),
  }),
  worlds: z.number().int().min(1),
  shuffleTrades: z.number().int().min(1).optional(),
  budget: budgetSchema.optional(),
});
export type StressManifest = z.infer<typeof manifestSchema>;

export function writeManifest(folder: string, manifest: StressManifest): void {
  writeWhole(join(folder, FILES.manifest), jsonText(manifest));
}

/** Returns true if a folder contains a stress test. */
export function holdsStress(folder: string): boolean {
  return existsSync(join(folder, FILES.journal));
}

/**
 * Reads the manifest of a stress test.
 *
 * @throws AppError `not_a_stress_test` if the manifest is missing or invalid
 */
export function readManifest(folder: string): StressManifest {
  const file = join(folder, FILES.manifest);
  return readWritten(file, manifestSchema, (problem) => ({
    code: 'not_a_stress_test',
    message: `Cannot continue ${folder}: ${file}: ${problem}.`,
    hint: 'Pass a folder that sandtable stress made.',
  }));
}

/**
 * Returns the request of a stress test from its manifest.
 *
 * @throws AppError `not_a_stress_test` for a strategy defined in code
 */
export function requestOf(
  folder: string,
  manifest: StressManifest,
): StressRequest & { readonly strategy: string } {
  const { strategy, parameters, options, settings, terms, worlds, shuffleTrades, budget } = manifest;
  if (strategy === null)
    throw new AppError({
      code: 'not_a_stress_test',
      message: `Cannot continue ${folder}: its strategy or its bars were in memory and are not saved.`,
      hint: 'Start it again from code.',
    });
  return {
    strategy,
    parameters,
    options,
    settings: settings as RunSettingsInput,
    terms,
    worlds,
    ...(shuffleTrades === undefined ? {} : { shuffleTrades }),
    ...(budget === undefined ? {} : { budget }),
  };
}

const spentSchema = z.strictObject({
  calls: z.number(),
  tokens: z.number(),
  usd: z.number(),
  isExhausted: z.boolean(),
});

const figuresSchema = z.record(z.string(), z.number().nullable());

const actualSchema = z.strictObject({
  isInsolvent: z.boolean(),
  figures: figuresSchema,
  run: z.strictObject({
    symbols: z.array(z.string()),
    firstBar: z.string().nullable(),
    lastBar: z.string().nullable(),
    initialCash: z.string(),
  }),
  netPnls: z.array(z.number()),
  spent: spentSchema.optional(),
});

/**
 * Writes the result of the run on the actual data, so that a resumed test does not repeat this run and its
 * model calls.
 */
export function writeActual(folder: string, actual: ActualResult): void {
  writeWhole(join(folder, FILES.actual), jsonText(actual));
}

/**
 * Reads the result of the run on the actual data. `undefined` if the test was killed before this run
 * finished.
 */
export function readActual(folder: string): ActualResult | undefined {
  try {
    const read = actualSchema.parse(parseJsonInput(readFileSync(join(folder, FILES.actual), 'utf8')));
    const { isInsolvent, run, netPnls, spent } = read;
    const figures = read.figures as ActualResult['figures'];
    return { isInsolvent, figures, run, netPnls, ...(spent === undefined ? {} : { spent }) };
  } catch {
    return undefined;
  }
}

const lineSchema = z.looseObject({
  world: z.number().int().min(1),
  outcome: z.enum(['completed', 'insolvent', 'failed']),
  figures: figuresSchema,
  error: z.string().optional(),
  spent: spentSchema.optional(),
});

/**
 * Journal of finished worlds. Each line is one world (an artificial market). An incomplete last line is
 * ignored, so its world runs again.
 */
export class WorldJournal {
  readonly #file: string;
  readonly rows = new Map<number, WorldRow>();
  spent: Spent;

  /**
   * Opens the journal of a stress test, or creates it.
   *
   * @param spent model usage of the run on the actual data
   */
  constructor(folder: string, spent: Spent = { calls: 0, tokens: 0, usd: 0, isExhausted: false }) {
    this.spent = spent;
    this.#file = join(folder, FILES.journal);
    const text = existsSync(this.#file) ? readFileSync(this.#file, 'utf8') : '';
    for (const line of text.split('\n')) this.#read(line);
    // The newline ends an incomplete last line. If the file is missing, it is created, which marks the folder
    // as a stress test.
    if (text === '' || !text.endsWith('\n')) appendFileSync(this.#file, '\n');
  }

  /**
   * Adds the row of a finished world.
   *
   * @param spent total model usage so far. `undefined` for a strategy that does not call a model
   */
  add(row: WorldRow, spent: Spent | undefined): void {
    this.rows.set(row.world, row);
    if (spent !== undefined) this.spent = spent;
    appendFileSync(this.#file, `${JSON.stringify(spent === undefined ? row : { ...row, spent })}\n`);
  }

  /** Records the total model usage so far, after a world that did not finish. */
  addSpent(spent: Spent): void {
    this.spent = spent;
    appendFileSync(this.#file, `${JSON.stringify({ spent })}\n`);
  }

  /** Rows in order of their world numbers. */
  sorted(): WorldRow[] {
    return [...this.rows.values()].sort((one, other) => one.world - other.world);
  }

  #read(line: string): void {
    if (line.trim() === '') return;
    try {
      const read = parseJsonInput(line);
      if (isObject(read) && read.world === undefined) {
        this.spent = spentSchema.parse(read.spent);
        return;
      }
      const { world, outcome, figures, error, spent } = lineSchema.parse(read);
      const row = { world, outcome, figures: figures as WorldRow['figures'] };
      this.rows.set(world, error === undefined ? row : { ...row, error });
      if (spent !== undefined) this.spent = spent;
    } catch {
      // Only the last line can be incomplete, if the test was killed while it wrote the line. The line is
      // ignored.
    }
  }
}

/**
 * Writes `stress.json` and `worlds.parquet`. These files contain no clock times or paths, so that equal tests
 * result in equal bytes.
 */
export async function writeStress(
  folder: string,
  report: StressReport,
  rows: readonly WorldRow[],
): Promise<void> {
  writeWhole(join(folder, FILES.report), jsonText(report));
  await writeParquet(join(folder, FILES.table), {
    columns: [
      ['world', 'integer'],
      ['outcome', 'text'],
      ...STRESS_FIGURE_NAMES.map((name) => [name, 'number'] as const),
      ['error', 'text'],
    ],
    rows: rows.map(({ world, outcome, figures, error }) => [
      world,
      outcome,
      ...STRESS_FIGURE_NAMES.map((name) => figures[name] ?? null),
      error ?? null,
    ]),
  });
}

/**
 * Checks that the strategy, the data and the version of Sandtable have not changed since a resumed stress
 * test was started.
 *
 * @throws AppError that lists every difference
 */
export function checkSame(
  folder: string,
  manifest: StressManifest,
  { strategy, sources }: WorldRunner,
): void {
  const faults: Fault[] = [];
  if (codeHash(strategy) !== manifest.strategySha256)
    faults.push({ where: strategy.file, message: 'is not the strategy of the first worlds' });
  const before = new Map(manifest.data.map(({ file, sha256 }) => [file, sha256]));
  for (const { file, sha256 } of sources)
    if (before.get(file) !== sha256)
      faults.push({ where: file, message: 'does not contain the data of the first worlds' });
  if (version() !== manifest.version)
    faults.push({ where: 'Sandtable', message: `is ${version()} now, and was ${manifest.version}` });
  if (faults.length > 0)
    throw faultsError(
      'data_changed',
      `Cannot continue ${folder}`,
      faults,
      'Restore the inputs, or start a new stress test.',
    );
}

/**
 * Checks the numbers and options of a request.
 *
 * @throws AppError `bad_flags` with every fault
 */
export function checkRequest({ worlds, jobs, shuffleTrades, options, terms }: StressRequest): void {
  const faults: Fault[] = [];
  const whole = (name: string, value: number | undefined): void => {
    if (value !== undefined && !(Number.isInteger(value) && value >= 1))
      faults.push({ where: name, message: `${value} is not a whole number of at least 1` });
  };
  whole('worlds', worlds);
  whole('jobs', jobs);
  whole('shuffleTrades', shuffleTrades);
  if (terms.blockLength !== undefined && terms.kind !== 'block-bootstrap')
    faults.push({
      where: 'block',
      message: `requires the kind block-bootstrap, and the kind is ${terms.kind}`,
    });
  if (terms.noise !== undefined && terms.kind !== 'noise')
    faults.push({ where: 'noise', message: `requires the kind noise, and the kind is ${terms.kind}` });
  if (options.detail !== undefined)
    faults.push({ where: 'detail', message: 'finer bars cannot be used with generated worlds' });
  if (faults.length > 0)
    throw faultsError('bad_flags', 'The stress test', faults, 'See: npx sandtable stress --help');
}

/**
 * Checks that a strategy that calls a model has a budget.
 *
 * @throws AppError `no_budget`
 */
export function checkBudget({ budget = {} }: StressRequest, { strategy }: WorldRunner): void {
  if (strategy.kind !== 'llm' || Object.keys(budget).length > 0) return;
  throw new AppError({
    code: 'no_budget',
    message: `${strategy.file} calls a model on every world, and the stress test has no budget.`,
    hint: 'Set a budget for all worlds together, for example --budget usd=5 or --budget calls=2000.',
  });
}
