import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { hostname } from 'node:os';
import { basename, join, resolve } from 'node:path';
import type { LoadedStrategy } from '../agents/index.ts';
import { asJson, type RunEvent } from '../engine/index.ts';
import { type Journal, openJournal } from '../journal/index.ts';
import { AppError, isProcessAlive, unwritable } from '../kernel/index.ts';
import type { DataSource } from '../market/index.ts';
import {
  copyNameOf,
  createRunFolder,
  type RunFolder,
  type RunInputs,
  runIdFor,
  sha256OfFile,
  siblingPath,
  writeBenchmark,
  writeRunInputs,
  writeWhole,
} from '../results/runs/index.ts';
import type { WorldFiles } from './inputs/load-world.ts';
import type { RunOptions } from './inputs/options.ts';
import type { PreparedRun } from './run-request.ts';

/** Locks owned by this process. Other locks with the id of this process were left by an earlier process. */
const held = new Set<string>();
let releasesAtExit = false;

/**
 * Prevents a second process from writing to the same run. Locks of ended processes are taken over.
 *
 * @throws AppError `run_in_use`, `run_folder_unwritable`
 */
export function lockRun(folder: string): { release(): void } {
  const file = join(folder, 'run.lock');
  // A strategy may change the working directory, on which relative paths depend.
  const place = resolve(file);
  for (let tries = 0; ; tries++) {
    try {
      writeFileSync(file, `${process.pid} ${hostname()}\n`, { flag: 'wx' });
      held.add(place);
      if (!releasesAtExit) {
        releasesAtExit = true;
        process.on('exit', () => {
          for (const lock of held) rmSync(lock, { force: true });
        });
      }
      break;
    } catch (cause) {
      const taken = cause instanceof Error && 'code' in cause && cause.code === 'EEXIST';
      if (!taken) {
        const hint = 'Check the folder, its permissions and the free space.';
        throw unwritable(file, cause, { code: 'run_folder_unwritable', hint, kind: 'run' });
      }
      const owner = ownerOf(file);
      if (tries > 3 || isAlive(owner, file)) throw inUse(folder, owner, file);
      rmSync(file, { force: true });
    }
  }
  return {
    release() {
      if (held.delete(place)) rmSync(place, { force: true });
    },
  };
}

interface Owner {
  readonly pid: number;
  readonly host: string;
}

function ownerOf(file: string): Owner {
  try {
    const [pid = '', host = ''] = readFileSync(file, 'utf8').trim().split(' ');
    return { pid: Number(pid), host };
  } catch {
    return { pid: Number.NaN, host: '' };
  }
}

function isAlive({ pid, host }: Owner, file: string): boolean {
  // Processes of another machine cannot be checked.
  if (host !== '' && host !== hostname()) return true;
  // A process that is killed before it writes the file leaves it empty. Process id 0 would mean the current
  // process group.
  if (!Number.isInteger(pid) || pid <= 0) return false;
  if (pid === process.pid) return held.has(resolve(file));
  return isProcessAlive(pid);
}

/** Returns the id of the process that is writing a run on this machine. `undefined` if no process is. */
export function processOf(folder: string): number | undefined {
  const file = join(folder, 'run.lock');
  const owner = ownerOf(file);
  return owner.host === hostname() && isAlive(owner, file) ? owner.pid : undefined;
}

function inUse(folder: string, { pid, host }: Owner, file: string): AppError {
  return new AppError({
    code: 'run_in_use',
    message: `Process ${pid} on ${host} is writing ${folder}.`,
    hint: `Wait for the process, or end it. If the process no longer exists, delete ${file}.`,
    kind: 'run',
  });
}

/** Location of a run's files. */
export interface RunPlace extends RunFolder {
  readonly inputs: RunInputs;
  readonly journal: Journal;
  release(): void;
}

/** Returns the folder and journal of the earlier run, or creates new ones. */
export function placeOf(run: PreparedRun, startedAt: Date, started: RunEvent): RunPlace {
  const { strategy, settings, loaded, request, earlier } = run;
  if (earlier !== undefined) {
    const { inputs, folder, journal } = earlier;
    return { runId: inputs.runId, folder, inputs, journal, release: () => undefined };
  }
  const { runId, folder } = newFolder(run, startedAt, started);
  const lock = lockRun(folder);
  const { registration } = run;
  if (registration !== undefined) writeWhole(join(folder, 'registration.json'), registration.text);
  const inputs = writeRunInputs(
    folder,
    {
      runId,
      strategy: {
        ...(typeof request.strategy === 'string'
          ? {
              file: request.strategy,
              sha256: strategy.sha256,
              copy: copyNameOf(request.strategy, strategy.beside),
              ...othersOf(request.strategy, strategy),
            }
          : { file: null, sha256: null, copy: null }),
        parameters: parameterTexts(request.parameters),
      },
      flags: recordedOptions(request.options),
      files: filesOf(loaded, run.detail?.sources).map(({ file, sha256 }) => ({
        file: file ?? '',
        sha256: sha256 ?? '',
      })),
      settings: asJson(settings),
      ...(strategy.model === undefined ? {} : { model: strategy.model }),
      ...(request.sample === undefined ? {} : { sample: request.sample.number }),
      ...(request.budget === undefined ? {} : { budget: { ...request.budget } as Record<string, number> }),
      ...(request.record === undefined ? {} : { recording: request.record.source }),
      ...(registration === undefined ? {} : { registration: registration.registered }),
    },
    strategy.beside,
  );
  if (run.benchmark !== undefined && 'series' in run.benchmark)
    writeBenchmark(folder, run.benchmark.series, run.benchmark.sha256);
  const journal = openJournal(join(folder, 'journal.jsonl'));
  return { runId, folder, inputs, journal, release: () => lock.release() };
}

/** Returns the other files of a strategy with their hashes: its code, or the files that it reads. */
function othersOf(
  path: string,
  { files, beside = [] }: LoadedStrategy,
): Pick<RunInputs['strategy'], 'files'> {
  const others =
    files?.filter(({ file }) => file !== basename(path)) ??
    beside
      .filter((file) => existsSync(siblingPath(path, file)))
      .map((file) => ({ file, sha256: sha256OfFile(siblingPath(path, file)) }));
  return others.length === 0 ? {} : { files: [...others] };
}

/** Returns all files of the run's world. */
export function filesOf(
  { sources, actionsSource, futuresSources, featureSources, contextSources, pointInTime }: WorldFiles,
  detail: readonly DataSource[] = [],
): { readonly file: string | null; readonly sha256: string | null }[] {
  return [
    ...sources,
    ...(actionsSource === undefined ? [] : [actionsSource]),
    ...futuresSources,
    ...detail,
    ...featureSources,
    ...contextSources,
    ...pointInTime.sources,
  ];
}

function newFolder({ strategy, request }: PreparedRun, startedAt: Date, started: RunEvent) {
  const { sample } = request;
  if (sample === undefined) {
    const id = runIdFor(strategy.name, startedAt, JSON.stringify(started));
    return createRunFolder(request.options.out ?? 'reports', id);
  }
  const name = `sample-${sample.number}`;
  return { ...createRunFolder(sample.folder, name), runId: `${sample.runId}-${name}` };
}

/** Returns the options that influence the run. The output folder does not. */
function recordedOptions({ out: _, instruments: __, ...options }: RunOptions): RunInputs['flags'] {
  return { ...options, data: [...(options.data ?? [])] };
}

/** Returns parameters in the form of `--param`. */
export function parameterTexts(parameters: Readonly<Record<string, unknown>>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(parameters).map(([name, value]) => [
      name,
      typeof value === 'string' ? value : (JSON.stringify(value) ?? String(value)),
    ]),
  );
}
