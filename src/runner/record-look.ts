import type { LoadedStrategy } from '../agent/index.ts';
import { alarmText, type HeldOut, heldOutAlarms, type RunSummary } from '../analysis/index.ts';
import { AppError } from '../kernel/index.ts';
import type { DataSource, Market } from '../market/index.ts';
import {
  appendLedger,
  dataHashes,
  heldOutSeen,
  lookOfRun,
  type Manifest,
  manifestOf,
  projectOf,
  readLedger,
} from '../runs/index.ts';
import type { Evaluation } from './evaluation.ts';
import type { WorldFiles } from './load-world.ts';

/** Returns the time range of the bars that a run processed. `undefined` if it processed none. */
function barsOf(
  { clock }: Market,
  { journal }: Manifest,
): { readonly from: number; readonly to: number } | undefined {
  const to = clock[journal.barsWalked - 1];
  return to === undefined ? undefined : { from: clock[0]!, to };
}

/** Ledger of a look, and the receiver of its warnings. */
interface LedgerPlace {
  /** Results folder. */
  readonly store: string;
  /** Called if the ledger cannot be read or written. The result is not affected. */
  readonly warn: (text: string) => void;
}

/**
 * Returns the bars seen by a run that a sweep of its project had reserved, from the ledger of its results
 * folder. Such a run is recorded before earlier looks are counted. If two runs end at the same time, exactly
 * one is therefore the first.
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
  const { looks, notes } = readLedger(store, project);
  for (const note of notes) warn(note);
  const bars = barsOf(market, manifest);
  if (bars === undefined) return undefined;
  const own = { ...project, data: dataHashes(manifest), to: bars.to, id: manifest.runId };
  const seen = heldOutSeen(looks, own);
  if (seen === undefined || isTrial) return seen;
  try {
    appendLedger(store, [lookOfRun(manifest, undefined, bars)]);
  } catch (error) {
    // The same warning is given when the figures are written.
    if (!(error instanceof AppError)) throw error;
    return seen;
  }
  return heldOutSeen(readLedger(store, project).looks, own);
}

/** Records a run with its figures in the ledger of its results folder. */
export function recordLook(
  { store, warn }: LedgerPlace,
  manifest: Manifest,
  summary: RunSummary,
  market: Market,
): void {
  const bars = barsOf(market, manifest);
  if (bars === undefined) return;
  try {
    appendLedger(store, [lookOfRun(manifest, summary, bars)]);
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    warn(unrecordedText(error));
  }
}

/** Inputs of an evaluation in memory. */
export interface EvaluatedWorld {
  readonly strategy: LoadedStrategy;
  readonly files: WorldFiles;
  readonly detailSources: readonly DataSource[];
  /** Named research project. Undefined for the default project. */
  readonly project: string | undefined;
}

/**
 * Records an evaluation in memory in a ledger. Returns its looks at reserved bars.
 *
 * @param id id in the ledger
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
  recordLook(place, manifest, summary, files.market);
}

/** Warning for a ledger that cannot be written. */
export function unrecordedText({ message }: AppError): string {
  return `${message} What was tried now is not counted when the next result is judged.`;
}
