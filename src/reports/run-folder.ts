import { createHash } from 'node:crypto';
import {
  closeSync,
  fsyncSync,
  mkdirSync,
  openSync,
  readSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import type { RunRecord } from '../journal/index.ts';
import { AppError, fileProblem } from '../kernel/index.ts';
import type { Manifest } from './manifest.ts';
import { reportPage } from './page/report-page.ts';
import { type RunSummary, summarise } from './summary.ts';
import { equityCsv, tradesCsv } from './tables.ts';

/** `timing.json`: all that the clock on the wall says of a run. */
export interface Timing {
  /** ISO 8601, UTC. */
  readonly startedAt: string;
  readonly finishedAt: string;
  readonly seconds: number;
  readonly barsPerSecond: number;
  /** By tool name. */
  readonly tools: Readonly<
    Record<
      string,
      { readonly calls: number; readonly p50Milliseconds: number; readonly p95Milliseconds: number }
    >
  >;
  /** Requests to a model that this process made itself; left out when there were none. */
  readonly model?: {
    readonly calls: number;
    readonly p50Milliseconds: number;
    readonly p95Milliseconds: number;
  };
}

export interface RunFolder {
  readonly runId: string;
  readonly folder: string;
}

const COLLISIONS = 10_000;
const NAME_LENGTH = 40;

/**
 * A run's name: date and time (UTC), strategy, six hex digits, as in `20261121-215900-sma-cross-3fa9c1`.
 *
 * @param key what tells this run from others, such as its settings and data hashes; any text
 */
export function runIdFor(strategyName: string, now: Date, key: string): string {
  const [day, time] = now.toISOString().slice(0, 19).replaceAll(/[-:]/g, '').split('T');
  const name = strategyName
    .normalize('NFKD')
    .toLowerCase()
    .replaceAll(/\p{Mark}/gu, '')
    .replaceAll(/[^a-z0-9]+/g, '-')
    .slice(0, NAME_LENGTH)
    .replaceAll(/^-+|-+$/g, '');
  return `${day}-${time}-${name === '' ? 'run' : name}-${createHash('sha256').update(key).digest('hex').slice(0, 6)}`;
}

/**
 * Makes a new folder that no other run has; where the name is taken, `-2`, `-3` … is added to the run's id.
 *
 * @throws AppError `bad_run_id` when it is no plain folder name, `run_folder_unwritable`
 */
export function createRunFolder(outFolder: string, runId: string): RunFolder {
  if (!/^[A-Za-z0-9][\w.-]*$/.test(runId)) {
    throw new AppError({
      code: 'bad_run_id',
      message: `${JSON.stringify(runId)} cannot name a run folder.`,
      remedy: 'Use letters, digits, dots, hyphens and underscores, beginning with a letter or digit.',
    });
  }
  attempt(outFolder, () => mkdirSync(outFolder, { recursive: true }));
  for (let attemptNumber = 1; attemptNumber <= COLLISIONS; attemptNumber++) {
    const name = attemptNumber === 1 ? runId : `${runId}-${attemptNumber}`;
    const folder = join(outFolder, name);
    if (attempt(folder, () => madeFolder(folder))) return { runId: name, folder };
  }
  throw new AppError({
    code: 'run_folder_unwritable',
    message: `${outFolder} holds ${COLLISIONS} runs named ${runId}.`,
    remedy: 'Remove old runs, or choose another folder with --out.',
    kind: 'run',
  });
}

// Not recursive: making a folder that exists must fail, so that two processes never share one.
function madeFolder(folder: string): boolean {
  try {
    mkdirSync(folder);
    return true;
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'EEXIST') return false;
    throw error;
  }
}

/**
 * Writes all of a run's files but its journal, each whole or not at all, `manifest.json` last.
 *
 * @throws AppError `run_folder_unwritable`
 */
export function writeRunFiles(
  folder: string,
  run: {
    readonly manifest: Manifest;
    readonly record: RunRecord;
    readonly timing: Timing;
    readonly replayedExchanges?: number;
    readonly modelCutoff?: string | undefined;
  },
): RunSummary {
  const summary = summarise(run.record, {
    runId: run.manifest.runId,
    replayedExchanges: run.replayedExchanges ?? 0,
    modelCutoff: run.modelCutoff,
  });
  const files: readonly (readonly [string, string])[] = [
    ['equity.csv', equityCsv(run.record)],
    ['trades.csv', tradesCsv(run.record)],
    ['summary.json', jsonText(summary)],
    ['timing.json', jsonText(run.timing)],
    ['report.html', reportPage({ runId: run.manifest.runId, record: run.record, manifest: run.manifest })],
    ['manifest.json', jsonText(run.manifest)],
  ];
  for (const [name, text] of files) writeWhole(join(folder, name), text);
  return summary;
}

/**
 * SHA-256 of a file, in hex, read piece by piece.
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
      remedy: 'Check that the file is there and may be read.',
      kind: 'run',
      cause,
    });
  }
  return hash.digest('hex');
}

export function jsonText(value: unknown): string {
  return `${JSON.stringify(value, null, 2)}\n`;
}

/** Writes a file whole or not at all. @throws AppError `run_folder_unwritable` */
export function writeWhole(file: string, text: string): void {
  const temporary = `${file}.${process.pid}.tmp`;
  attempt(file, () => {
    try {
      const descriptor = openSync(temporary, 'w');
      try {
        writeFileSync(descriptor, text);
        fsyncSync(descriptor);
      } finally {
        closeSync(descriptor);
      }
      renameSync(temporary, file);
    } catch (error) {
      rmSync(temporary, { force: true });
      throw error;
    }
  });
}

function attempt<Result>(path: string, work: () => Result): Result {
  try {
    return work();
  } catch (cause) {
    throw new AppError({
      code: 'run_folder_unwritable',
      message: `Cannot write ${path}: ${fileProblem(cause)}.`,
      remedy: 'Check the folder, its permissions and the free space, or choose another with --out.',
      kind: 'run',
      cause,
    });
  }
}
