import { existsSync } from 'node:fs';
import { basename, join } from 'node:path';
import type { LoadedStrategy } from '../agents/index.ts';
import { asJson, type RunEvent } from '../engine/index.ts';
import { type Journal, openJournal } from '../journal/index.ts';
import type { DataSource } from '../market/index.ts';
import {
  copyNameOf,
  createRunFolder,
  lockRun,
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

/** Folder of a run with its inputs and its journal. */
export interface RunPlace extends RunFolder {
  readonly inputs: RunInputs;
  readonly journal: Journal;
  release(): void;
}

/**
 * Returns the folder and journal of a run. A resumed or replayed run uses the folder and journal of the
 * earlier run. For any other run, both are created.
 */
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

/** Returns the hashes of a strategy's other files: imported code, or files that the strategy reads. */
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

/** Returns all input files of a run: bars, finer bars, corporate actions, features and more. */
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

/**
 * Returns the options that influence the run and are stored in its folder. The output folder has no influence
 * and is omitted. The path of the instruments file is also omitted, because the stored settings contain the
 * content of this file.
 */
function recordedOptions({ out: _, instruments: __, ...options }: RunOptions): RunInputs['flags'] {
  return { ...options, data: [...(options.data ?? [])] };
}

/** Returns parameters as texts in the form of `--param`. */
export function parameterTexts(parameters: Readonly<Record<string, unknown>>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(parameters).map(([name, value]) => [
      name,
      typeof value === 'string' ? value : (JSON.stringify(value) ?? String(value)),
    ]),
  );
}
