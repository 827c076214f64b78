import { join } from 'node:path';
import { type RunRecord, readJournal } from '../journal/index.ts';
import { version } from '../kernel/index.ts';
import { reportPage } from '../pages/index.ts';
import {
  isKeptRun,
  ledgerStoreOf,
  manifestOf,
  type RunFolder,
  type RunInputs,
  sha256OfFile,
  type Timing,
  type WrittenRun,
  withHoldout,
  writeRunFiles,
} from '../runs/index.ts';
import type { FittedDetail } from './detail.ts';
import type { ExecutedRun } from './execute-run.ts';
import type { WorldFiles } from './load-world.ts';
import { heldOutOfRun, recordLook } from './record-look.ts';
import { exportFiles } from './tool-extras.ts';

/** Facts about a run that its journal does not contain. */
interface KnownOfRun {
  readonly loaded: WorldFiles;
  readonly detail?: FittedDetail | undefined;
  readonly strategy?: {
    readonly file: string;
    readonly sha256: string;
    readonly files?: readonly { readonly file: string; readonly sha256: string }[] | undefined;
  };
  readonly inputs?: RunInputs;
  /** Named research project. Undefined for the default project. */
  readonly project?: string | undefined;
  /** Versions of other software that influenced the results. */
  readonly versions: Readonly<Record<string, string>>;
  /** Returns the number of model exchanges that came from a record. */
  readonly replayedExchanges?: (record: RunRecord) => number;
  readonly modelCutoff?: string | undefined;
  readonly timings: Pick<Timing, 'tools' | 'model' | 'decisions'>;
  /** Called with problems of the ledger of the results folder. */
  readonly warn: (text: string) => void;
}

/** Writes a finished run's files from its record, which equals its journal. Adds the run to the ledger. */
export function writeArtifacts(
  { runId, folder }: RunFolder,
  { result, startedAt, seconds, record: recordOf }: ExecutedRun,
  known: KnownOfRun,
): WrittenRun {
  const { loaded, detail, strategy, warn } = known;
  const file = join(folder, 'journal.jsonl');
  const place = { store: ledgerStoreOf(folder), warn };
  const record = recordOf() ?? readJournal(file);
  exportFiles(record.fileChanges, folder);
  const plain = manifestOf(record, {
    runId,
    versions: { sandtable: version(), node: process.versions.node, ...known.versions },
    strategyFile: strategy?.file ?? null,
    strategySha256: strategy?.sha256 ?? null,
    ...(strategy?.files === undefined ? {} : { strategyFiles: strategy.files }),
    sources: loaded.sources,
    actions: loaded.actionsSource,
    futures: loaded.futuresSources,
    features: loaded.featureSources,
    context: loaded.contextSources,
    pointInTime: loaded.pointInTime.sources,
    adjustments: [...loaded.adjustments, ...(detail?.adjustments ?? [])],
    detail: detail?.sources ?? [],
    journalSha256: sha256OfFile(file),
    ...(known.inputs === undefined ? {} : { inputs: known.inputs }),
    project: known.project,
  });
  // A run that a sweep has stored is already in the ledger as a trial.
  const isTrial = isKeptRun(folder);
  const manifest = withHoldout(plain, heldOutOfRun(place, plain, loaded.market, isTrial));
  const written = writeRunFiles(folder, {
    record,
    replayedExchanges: known.replayedExchanges?.(record) ?? 0,
    modelCutoff: known.modelCutoff,
    page: (source) => reportPage({ ...source, readAt: new Date() }),
    manifest,
    timing: {
      startedAt: startedAt.toISOString(),
      finishedAt: new Date().toISOString(),
      seconds,
      barsPerSecond: result.bars / Math.max(seconds, 1e-9),
      ...known.timings,
    },
  });
  if (!isTrial) recordLook(place, manifest, written.summary, loaded.market);
  return written;
}
