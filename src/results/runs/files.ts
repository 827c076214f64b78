import { createHash } from 'node:crypto';
import { closeSync, fsyncSync, openSync, readFileSync, readSync, rmSync, writeFileSync } from 'node:fs';
import { z } from 'zod';
import { AppError, fileProblem, parseJsonInput, renameDurably, unwritable } from '../../kernel/index.ts';

/**
 * Returns the SHA-256 of a file in hex. Reads the file in chunks.
 *
 * @throws AppError `file_unreadable`
 */
export function sha256OfFile(file: string): string {
  const hash = createHash('sha256');
  const piece = Buffer.allocUnsafe(1 << 20);
  try {
    const descriptor = openSync(file, 'r');
    try {
      for (let read = readSync(descriptor, piece); read > 0; read = readSync(descriptor, piece)) {
        hash.update(piece.subarray(0, read));
      }
    } finally {
      closeSync(descriptor);
    }
  } catch (cause) {
    throw new AppError({
      code: 'file_unreadable',
      message: `Cannot read ${file}: ${fileProblem(cause)}.`,
      hint: 'Check that the file exists and is readable.',
      kind: 'run',
      cause,
    });
  }
  return hash.digest('hex');
}

export function jsonText(value: unknown): string {
  return `${JSON.stringify(value, null, 2)}\n`;
}

/** Returns the value of a JSON file. `undefined` if the file cannot be read or is not JSON. */
export function readJson(file: string): unknown {
  try {
    return parseJsonInput(readFileSync(file, 'utf8'));
  } catch {
    return undefined;
  }
}

/**
 * Writes a file atomically: after a crash or a power cut, the file has either its old or its new content.
 *
 * @param pieces the text, or its parts in order
 * @throws AppError `run_folder_unwritable`
 */
export function writeWhole(file: string, pieces: string | Iterable<string>): void {
  const temporary = `${file}.${process.pid}.tmp`;
  attempt(file, () => {
    try {
      const descriptor = openSync(temporary, 'w');
      try {
        for (const piece of typeof pieces === 'string' ? [pieces] : pieces) writeFileSync(descriptor, piece);
        fsyncSync(descriptor);
      } finally {
        closeSync(descriptor);
      }
      renameDurably(temporary, file);
    } catch (error) {
      rmSync(temporary, { force: true });
      throw error;
    }
  });
}

/**
 * Reads a JSON file written by Sandtable.
 *
 * @param refused returns the options of the error for a problem. The problem is a clause such as "it is not
 *   JSON"
 * @throws AppError with the options that `refused` returns
 */
export function readWritten<Value>(
  file: string,
  schema: z.ZodType<Value>,
  refused: (problem: string) => ConstructorParameters<typeof AppError>[0],
): Value {
  let problem: string;
  try {
    const read = schema.safeParse(parseJsonInput(readFileSync(file, 'utf8')));
    if (read.success) return read.data;
    problem = `this version of Sandtable writes it differently (${read.error.issues[0]?.path.join('.')})`;
  } catch (cause) {
    if (!(cause instanceof SyntaxError)) throw new AppError({ ...refused(fileProblem(cause)), cause });
    problem = 'it is not JSON';
  }
  throw new AppError(refused(problem));
}

/**
 * Runs `work`, which accesses the file system, and returns its result. Converts its errors, for example of a
 * full disk or a missing permission.
 *
 * @throws AppError `run_folder_unwritable` with `path` in its message
 */
export function attempt<Result>(path: string, work: () => Result): Result {
  try {
    return work();
  } catch (cause) {
    const hint = 'Check the folder, its permissions and the free space, or choose another with --out.';
    throw unwritable(path, cause, { code: 'run_folder_unwritable', hint, kind: 'run' });
  }
}

const useSchema = z.strictObject({
  calls: z.number(),
  p50Milliseconds: z.number(),
  p95Milliseconds: z.number(),
});

/** `timing.json`: all wall-clock times of a run. */
export const timingSchema = z.strictObject({
  /** ISO 8601, UTC. */
  startedAt: z.string(),
  finishedAt: z.string(),
  seconds: z.number(),
  barsPerSecond: z.number(),
  /** Number of calls, median duration and 95th percentile of durations, by tool name. */
  tools: z.record(z.string(), useSchema),
  /**
   * Number and durations of model requests. Recorded replies of a resumed or replayed run are not included.
   * Omitted without requests.
   */
  model: useSchema.optional(),
  /**
   * Duration of tools and model requests per decision, as space-separated `bar:milliseconds`. Omitted without
   * requests.
   */
  decisions: z.string().optional(),
});

export type Timing = Readonly<z.infer<typeof timingSchema>>;
