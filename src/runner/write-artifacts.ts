import { join } from 'node:path';
import type { LoadedStrategy } from '../agents/index.ts';
import { type RunRecord, readJournal } from '../journal/index.ts';
import { AppError, version } from '../kernel/index.ts';
import type { DataSource, Market } from '../market/index.ts';
import { addressesFrom, reportPage } from '../pages/index.ts';
import { alarmText, type HeldOut, heldOutAlarms, type RunSummary } from '../results/analysis/index.ts';
import {
  appendLedger,
  dataHashes,
  heldOutSeen,
  isKeptRun,
  ledgerRecordOfRun,
  ledgerStoreOf,
  type Manifest,
  manifestOf,
  projectOf,
  type RunFolder,
  type RunInputs,
  readLedger,
  sha256OfFile,
  type Timing,
  type WrittenRun,
  withHoldout,
  writeRunFiles,
} from '../results/runs/index.ts';
import type { Evaluation } from './evaluation.ts';
import type { ExecutedRun } from './execute-run.ts';
import type { FittedDetail } from './inputs/detail.ts';
import type { WorldFiles } from './inputs/load-world.ts';
import { exportFiles } from './tool-extras.ts';

/** Information about a run that its files contain and its journal does not contain. */
interface KnownOfRun {
  readonly loaded: WorldFiles;
  readonly detail?: FittedDetail | undefined;
  readonly strategy?: {
    readonly file: string;
    readonly sha256: string;
    readonly files?: readonly { readonly file: string; readonly sha256: string }[] | undefined;
  };
  readonly inputs?: RunInputs;
  /** Name of the research project. `undefined` for the default project. */
  readonly project?: string | undefined;
  /** Versions of other software that influenced the results. */
  readonly versions: Readonly<Record<string, string>>;
  /** Returns the number of model exchanges whose replies came from a record. */
  readonly replayedExchanges?: (record: RunRecord) => number;
  readonly modelCutoff?: string | undefined;
  readonly timings: Pick<Timing, 'tools' | 'model' | 'decisions'>;
  /** Called with warnings about the ledger of the results folder. */
  readonly warn: (text: string) => void;
  /** Called before each step, with the number of finished steps and the number of all steps. */
  readonly onStep?: (done: number, total: number) => void;
}

/**
 * Writes the files of a finished run and adds the run to the ledger. The given record has the same content as
 * the journal.
 */
export function writeArtifacts(
  { runId, folder }: RunFolder,
  { result, startedAt, seconds, journalHead, record: recordOf }: ExecutedRun,
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
    journalHead: journalHead(),
    ...(known.inputs === undefined ? {} : { inputs: known.inputs }),
    project: known.project,
  });
  // If a sweep wrote this run folder, the ledger already contains the run as a trial of the sweep.
  const isTrial = isKeptRun(folder);
  const manifest = withHoldout(plain, heldOutOfRun(place, plain, loaded.market, isTrial));
  const written = writeRunFiles(folder, {
    record,
    replayedExchanges: known.replayedExchanges?.(record) ?? 0,
    modelCutoff: known.modelCutoff,
    onStep: known.onStep,
    page: (source) => reportPage({ ...source, readAt: new Date(), addressOf: addressesFrom(folder) }),
    manifest,
    timing: {
      startedAt: startedAt.toISOString(),
      finishedAt: new Date().toISOString(),
      seconds,
      barsPerSecond: result.bars / Math.max(seconds, 1e-9),
      ...known.timings,
    },
  });
  if (!isTrial) appendRunToLedger(place, manifest, written.summary, loaded.market);
  return written;
}

/** Returns the time range of the bars that a run has processed. `undefined` if it has processed no bar. */
function barsOf(
  { clock }: Market,
  { journal }: Manifest,
): { readonly from: number; readonly to: number } | undefined {
  const to = clock[journal.barsWalked - 1];
  return to === undefined ? undefined : { from: clock[0]!, to };
}

/**
 * Location of the ledger, which counts how often runs used the same bars (looks at the data), and the
 * receiver of its warnings.
 */
interface LedgerPlace {
  /** Results folder that contains the ledger. */
  readonly store: string;
  /** Called if the ledger cannot be read or written. This does not affect the result. */
  readonly warn: (text: string) => void;
}

/**
 * Returns the holdout bars that this run has used: bars that a sweep of the same project had reserved.
 * Records the run in the ledger before counting earlier uses. If two runs end at the same time, only one of
 * them therefore counts as the first.
 *
 * @param isTrial true if the ledger already contains the run as a trial of a sweep
 */
export function heldOutOfRun(
  { store, warn }: LedgerPlace,
  manifest: Manifest,
  market: Market,
  isTrial = false,
): HeldOut | undefined {
  const project = projectOf(manifest);
  const { records, notes } = readLedger(store, project);
  for (const note of notes) warn(note);
  const bars = barsOf(market, manifest);
  if (bars === undefined) return undefined;
  const own = { ...project, data: dataHashes(manifest), to: bars.to, id: manifest.runId };
  const seen = heldOutSeen(records, own);
  if (seen === undefined || isTrial) return seen;
  try {
    appendLedger(store, [ledgerRecordOfRun(manifest, undefined, bars)]);
  } catch (error) {
    // The ledger cannot be written. `appendRunToLedger` will fail in the same way and give the warning.
    if (!(error instanceof AppError)) throw error;
    return seen;
  }
  return heldOutSeen(readLedger(store, project).records, own);
}

/** Records a run with its metrics in the ledger of its results folder. */
export function appendRunToLedger(
  { store, warn }: LedgerPlace,
  manifest: Manifest,
  summary: RunSummary,
  market: Market,
): void {
  const bars = barsOf(market, manifest);
  if (bars === undefined) return;
  try {
    appendLedger(store, [ledgerRecordOfRun(manifest, summary, bars)]);
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    warn(unrecordedText(error));
  }
}

/** Inputs of an evaluation in memory (a run without a folder). */
export interface EvaluatedWorld {
  readonly strategy: LoadedStrategy;
  readonly files: WorldFiles;
  readonly detailSources: readonly DataSource[];
  /** Name of the research project. `undefined` for the default project. */
  readonly project: string | undefined;
}

/**
 * Records an evaluation in memory in a ledger. Warns if it has used reserved bars (holdout).
 *
 * @param id id of the evaluation in the ledger
 */
export function recordEvaluation(
  place: LedgerPlace,
  id: string,
  { record, summary }: Evaluation,
  { strategy, files, detailSources, project }: EvaluatedWorld,
): void {
  const manifest = manifestOf(record, {
    runId: id,
    versions: {},
    strategyFile: strategy.file,
    strategySha256: strategy.sha256,
    sources: files.sources,
    actions: files.actionsSource,
    futures: files.futuresSources,
    features: files.featureSources,
    adjustments: [],
    detail: detailSources,
    journalSha256: null,
    project,
  });
  const heldOut = heldOutOfRun(place, manifest, files.market);
  for (const alarm of heldOutAlarms(heldOut)) place.warn(alarmText(alarm));
  appendRunToLedger(place, manifest, summary, files.market);
}

/** Returns the text of the warning that a run could not be recorded in the ledger. */
export function unrecordedText({ message }: AppError): string {
  return `${message} This look at the data is not counted when later results are judged.`;
}
