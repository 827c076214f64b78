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

/** The bars that a run processed; undefined where it came to none. */
function barsOf(
  { clock }: Market,
  { journal }: Manifest,
): { readonly from: number; readonly to: number } | undefined {
  const to = clock[journal.barsWalked - 1];
  return to === undefined ? undefined : { from: clock[0]!, to };
}

/** Where a look belongs, and what is to be said of its ledger. */
interface LedgerPlace {
  /** The results folder. */
  readonly store: string;
  /** Given what cannot be read or written: the result is there all the same. */
  readonly warn: (text: string) => void;
}

/**
 * Returns what a run has seen of bars that a sweep of its project held out, by the ledger of its results folder. Such a run is
 * recorded before earlier looks are counted: of two runs that end together, one is the first.
 *
 * @param isTrial whether the ledger has it already, as a trial of a sweep
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
    // Whoever writes its figures says so.
    if (!(error instanceof AppError)) throw error;
    return seen;
  }
  return heldOutSeen(readLedger(store, project).looks, own);
}

/** Writes a run with its figures into the ledger of its results folder. */
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

/** What an evaluation in memory was made of. */
export interface EvaluatedWorld {
  readonly strategy: LoadedStrategy;
  readonly files: WorldFiles;
  readonly detailSources: readonly DataSource[];
  /** Named research project. Undefined for the default project. */
  readonly project: string | undefined;
}

/**
 * Writes an evaluation in memory into a ledger; says where it has seen bars that a sweep set apart.
 *
 * @param id what the ledger names it by
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

/** Said where the ledger cannot be written. */
export function unrecordedText({ message }: AppError): string {
  return `${message} What was tried now is not counted when the next result is judged.`;
}
