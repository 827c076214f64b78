import {
  closeSync,
  existsSync,
  fsyncSync,
  ftruncateSync,
  openSync,
  readFileSync,
  rmSync,
  writeFileSync,
  writeSync,
} from 'node:fs';
import { join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { z } from 'zod';
import type { LoadedStrategy, ModelSpending } from '../../agents/index.ts';
import { mergeSettings, type RunSettingsInput } from '../../engine/index.ts';
import { AppError, parseJsonInput, unwritable } from '../../kernel/index.ts';
import {
  isLocked,
  jsonText,
  readWritten,
  SWEEP_FILE,
  SWEEP_MANIFEST,
  writeWhole,
} from '../../results/runs/index.ts';
import { mostSpent, NOTHING_SPENT } from '../budget/meter.ts';
import { readClusterOptions } from '../queue/plan.ts';
import type { TrialResult } from './executor.ts';

const JOURNAL = 'trials.jsonl';
const UNWRITABLE = {
  code: 'run_folder_unwritable',
  hint: 'Check the folder, its permissions and the free space. Then continue with sandtable sweep --resume.',
  kind: 'run',
} as const;
const STOP = 'stop';
/** Results are flushed after `FLUSH_AFTER` milliseconds or `FLUSH_COUNT` results, whichever comes first. */
const FLUSH_AFTER = 250;
const FLUSH_COUNT = 64;

const manifestSchema = z.object({
  schema: z.literal(1),
  sweepId: z.string(),
  /** Request of the sweep. A process that resumes the sweep reads the request from this field. */
  request: z.record(z.string(), z.unknown()),
  strategy: z.object({ name: z.string(), file: z.string().nullable(), sha256: z.string() }),
  data: z.array(
    z.object({ file: z.string().nullable(), sha256: z.string().nullable(), symbols: z.array(z.string()) }),
  ),
  /**
   * Date of the first held-out bar, and the warnings about the holdout. Both were determined when the sweep
   * began.
   */
  holdout: z.object({ from: z.string().nullable(), warnings: z.array(z.string()) }),
  versions: z.record(z.string(), z.string()),
  /** Estimated number of trials, for progress display. `null` if the search has no fixed number of trials. */
  expectedTrials: z.number().nullable().optional(),
});

const spentSchema = z.object({
  spent: z.object({ calls: z.number(), tokens: z.number(), usd: z.number() }),
});

export type SweepManifest = z.infer<typeof manifestSchema>;

export function writeSweepManifest(folder: string, manifest: SweepManifest): void {
  writeWhole(join(folder, SWEEP_MANIFEST), jsonText(manifest));
}

/**
 * Reads the manifest of a sweep.
 *
 * @throws AppError `not_a_sweep`
 */
export function readSweepManifest(folder: string): SweepManifest {
  return readWritten(join(folder, SWEEP_MANIFEST), manifestSchema, (problem) => ({
    code: 'not_a_sweep',
    message: `${folder} is not the folder of a sweep: ${SWEEP_MANIFEST}: ${problem}.`,
    hint: 'Pass a folder that sandtable sweep made.',
  }));
}

/**
 * Journal of finished trials in order of completion. Each trial is one line. A killed sweep is resumed from
 * its journal.
 */
export class SweepJournal {
  readonly #descriptor: number;
  readonly #known = new Map<string, TrialResult>();
  #spent = NOTHING_SPENT;
  #lines: string[] = [];
  #end: number;
  #fault: unknown;
  #timer: NodeJS.Timeout | undefined;

  constructor(folder: string) {
    const file = join(folder, JOURNAL);
    try {
      const text = existsSync(file) ? readFileSync(file, 'utf8') : '';
      const whole = text.slice(0, text.lastIndexOf('\n') + 1);
      for (const result of parsed(whole)) this.#known.set(result.id, result);
      this.#spent = spentOf(whole);
      this.#descriptor = openSync(file, existsSync(file) ? 'r+' : 'w');
      // Removes an incomplete last line. The trial of that line runs again.
      ftruncateSync(this.#descriptor, Buffer.byteLength(whole));
      this.#end = Buffer.byteLength(whole);
    } catch (cause) {
      throw unwritable(file, cause, UNWRITABLE);
    }
  }

  get(id: string): TrialResult | undefined {
    return this.#known.get(id);
  }

  /** Returns all results in order of completion. */
  results(): readonly TrialResult[] {
    return [...this.#known.values()];
  }

  /** Total model usage of all trials, including failed trials. */
  get spent(): ModelSpending {
    return this.#spent;
  }

  spend(spent: ModelSpending): void {
    this.#spent = spent;
    this.#write({ spent });
  }

  add(result: TrialResult): void {
    this.#known.set(result.id, result);
    this.#write(result);
  }

  #write(line: unknown): void {
    this.#lines.push(`${JSON.stringify(line)}\n`);
    if (this.#lines.length >= FLUSH_COUNT) this.flush();
    else this.#timer ??= setTimeout(() => this.#flushLater(), FLUSH_AFTER);
    if (this.#fault !== undefined) throw this.#fault;
  }

  #flushLater(): void {
    try {
      this.flush();
    } catch (error) {
      // This function is called by a timer, so a thrown error would have no receiver. The next call of `add`
      // throws the error.
      this.#fault = error;
    }
  }

  /**
   * Writes all waiting results to disk.
   *
   * @throws AppError `run_folder_unwritable`
   */
  flush(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    if (this.#lines.length === 0) return;
    const bytes = Buffer.from(this.#lines.join(''));
    this.#lines = [];
    try {
      let written = 0;
      while (written < bytes.length)
        written += writeSync(this.#descriptor, bytes, written, bytes.length - written, this.#end + written);
      this.#end += written;
      fsyncSync(this.#descriptor);
    } catch (cause) {
      throw unwritable(JOURNAL, cause, UNWRITABLE);
    }
  }

  close(): void {
    this.flush();
    closeSync(this.#descriptor);
  }
}

/** Reads the finished trials of a sweep's folder, also while another process runs the sweep. */
export function readSweepJournal(folder: string): TrialResult[] {
  try {
    return parsed(readFileSync(join(folder, JOURNAL), 'utf8'));
  } catch {
    return [];
  }
}

function parsed(text: string): TrialResult[] {
  return text.split('\n').flatMap((line) => {
    if (line === '') return [];
    try {
      const result = parseJsonInput(line) as TrialResult;
      return typeof result.id === 'string' && typeof result.outcome === 'string' ? [result] : [];
    } catch {
      return [];
    }
  });
}

/** Returns the model usage that was recorded last in a journal. */
function spentOf(text: string): ModelSpending {
  let spent = NOTHING_SPENT;
  for (const line of text.split('\n')) {
    if (!line.startsWith('{"spent":')) continue;
    const read = spentSchema.safeParse(parseJsonInput(line));
    if (read.success) spent = mostSpent(spent, read.data.spent);
  }
  return spent;
}

/**
 * Requests the process that runs a sweep to stop after the current trials. The request is a file in the
 * sweep's folder.
 */
function askToStop(folder: string): void {
  writeFileSync(join(folder, STOP), '');
}

export function isAskedToStop(folder: string): boolean {
  return existsSync(join(folder, STOP));
}

export function forgetStop(folder: string): void {
  rmSync(join(folder, STOP), { force: true });
}

/** Progress of a sweep. */
export interface SweepStatus {
  readonly sweepId: string;
  readonly state: 'finished' | 'running' | 'stopped';
  /** Number of finished trials, including the trials of walk-forward windows. */
  readonly trials: number;
  readonly failed: number;
}

/**
 * Returns the progress of a sweep.
 *
 * @throws AppError `not_a_sweep`
 */
export function sweepStatus(folder: string): SweepStatus {
  const { sweepId } = readSweepManifest(folder);
  const results = readSweepJournal(folder);
  return {
    sweepId,
    state: existsSync(join(folder, SWEEP_FILE)) ? 'finished' : isLocked(folder) ? 'running' : 'stopped',
    trials: new Set(results.map(({ id }) => id)).size,
    failed: results.filter(({ figures }) => figures === null).length,
  };
}

/**
 * Requests a sweep to stop after the current trials. Returns true if a process is running the sweep. If the
 * sweep was killed, removes its remaining tasks from the queue.
 *
 * @throws AppError `not_a_sweep`, `queue_unreachable`
 */
export async function stopSweep(
  folder: string,
  environment: Readonly<Record<string, string | undefined>> = process.env,
): Promise<boolean> {
  const { state } = sweepStatus(folder);
  if (state === 'running') {
    askToStop(folder);
    return true;
  }
  const cluster = readClusterOptions(readSweepManifest(folder).request.cluster);
  if (cluster !== undefined && state === 'stopped') {
    const { clearCluster } = await import('../queue/queue-executor.ts');
    await clearCluster(cluster, environment);
  }
  return false;
}

/**
 * Refuses a strategy whose account settings or costs depend on its parameters. The reason: a walk-forward
 * that carries positions uses one account for all windows, and each window can have other parameters.
 *
 * @param strategies the same strategy, created with different parameters
 * @param asked settings of the request, which override the strategy's settings
 * @throws AppError `bad_walk_forward`
 */
export function refuseChangingAccount(strategies: readonly LoadedStrategy[], asked: RunSettingsInput): void {
  const [first, ...others] = strategies.map(({ settings, costs }) => ({
    ...mergeSettings(settings, asked),
    // `evaluateFrom` is not compared, because the sweep sets this value.
    evaluateFrom: undefined,
    costs,
  }));
  if (first === undefined) return;
  const changing = new Set<string>();
  // Cost functions are compared by identity, so two function objects always count as different.
  for (const other of others)
    for (const name of Object.keys({ ...first, ...other }) as (keyof typeof first)[])
      if (!isDeepStrictEqual(first[name], other[name])) changing.add(name);
  if (changing.size === 0) return;
  const names = [...changing]
    .sort()
    .map((name) => (name === 'costs' ? 'its cost models' : `settings.${name}`));
  throw new AppError({
    code: 'bad_walk_forward',
    message: `--walk-forward with carry: ${strategies[0]!.file} makes ${names.join(', ')} of its parameters, and one account goes through all windows.`,
    hint: 'Remove carry, or use settings and cost models that do not depend on parameters.',
  });
}
