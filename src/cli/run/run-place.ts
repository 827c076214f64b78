import { join } from 'node:path';
import type { RunEvent } from '../../engine/index.ts';
import { type Journal, openJournal } from '../../journal/index.ts';
import type { DataSource } from '../../market/index.ts';
import {
  copyNameOf,
  createRunFolder,
  type RunFolder,
  type RunInputs,
  runIdFor,
  writeBenchmark,
  writeRunInputs,
} from '../../runs/index.ts';
import type { WorldFiles } from '../load-world.ts';
import { lockRun } from '../run-lock.ts';
import type { AskedRun, PreparedRun } from './asked-run.ts';

/** Where a run is written. */
export interface RunPlace extends RunFolder {
  readonly inputs: RunInputs;
  readonly journal: Journal;
  release(): void;
}

/** The earlier run's folder and journal, or new ones. */
export function placeOf(run: PreparedRun, startedAt: Date, started: RunEvent): RunPlace {
  const { strategy, settings, loaded, asked, earlier } = run;
  if (earlier !== undefined) {
    const { inputs, folder, journal } = earlier;
    return { runId: inputs.runId, folder, inputs, journal, release: () => undefined };
  }
  const { runId, folder } = newFolder(run, startedAt, started);
  const lock = lockRun(folder);
  const inputs = writeRunInputs(folder, {
    runId,
    strategy: {
      file: asked.file,
      sha256: strategy.sha256,
      copy: copyNameOf(asked.file),
      parameters: { ...asked.parameters },
    },
    flags: withoutOutput(asked.flags),
    files: filesOf(loaded, run.detail?.sources).map(({ file, sha256 }) => ({
      file: file ?? '',
      sha256: sha256 ?? '',
    })),
    settings: settings as unknown as RunInputs['settings'],
    ...(strategy.model === undefined ? {} : { model: strategy.model }),
    ...(asked.sample === undefined ? {} : { sample: asked.sample.number }),
    ...(asked.record === undefined ? {} : { recording: asked.record.source }),
  });
  if (run.benchmark !== undefined && 'series' in run.benchmark)
    writeBenchmark(folder, run.benchmark.series, run.benchmark.sha256);
  const journal = openJournal(join(folder, 'journal.jsonl'));
  return { runId, folder, inputs, journal, release: () => lock.release() };
}

/** Every file that the run's world is made of. */
export function filesOf(
  { sources, actionsSource }: WorldFiles,
  detail: readonly DataSource[] = [],
): { readonly file: string | null; readonly sha256: string | null }[] {
  return [...sources, ...(actionsSource === undefined ? [] : [actionsSource]), ...detail];
}

function newFolder({ strategy, asked }: PreparedRun, startedAt: Date, started: RunEvent) {
  const { sample } = asked;
  if (sample === undefined) {
    const id = runIdFor(strategy.name, startedAt, JSON.stringify(started));
    return createRunFolder(asked.flags.out ?? 'reports', id);
  }
  const name = `sample-${sample.number}`;
  return { ...createRunFolder(sample.folder, name), runId: `${sample.runId}-${name}` };
}

/** Flags that shape the run, without those that say where it goes and what is printed. */
function withoutOutput(given: AskedRun['flags']): RunInputs['flags'] {
  const { out: _, json: __, quiet: ___, samples: ____, concurrency: _____, ...flags } = given;
  return { ...flags, data: flags.data ?? [] } as RunInputs['flags'];
}
