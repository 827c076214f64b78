import type { HeldOut, RunSummary } from '../analysis/index.ts';
import { AppError } from '../kernel/index.ts';
import type { Market } from '../market/index.ts';
import {
  appendLedger,
  dataHashes,
  heldOutSeen,
  isKeptRun,
  ledgerStoreOf,
  lookOfRun,
  type Manifest,
  type RunFolder,
  readLedger,
} from '../runs/index.ts';

/** The bars that a run processed; undefined where it came to none. */
function barsOf(
  { clock }: Market,
  { journal }: Manifest,
): { readonly from: number; readonly to: number } | undefined {
  const to = clock[journal.barsWalked - 1];
  return to === undefined ? undefined : { from: clock[0]!, to };
}

/**
 * What a run has seen of bars that a sweep set apart, by the ledger of its results folder.
 *
 * @param warn given what of the ledger cannot be read
 */
export function heldOutOfRun(
  { runId, folder }: RunFolder,
  manifest: Manifest,
  market: Market,
  warn: (text: string) => void,
): HeldOut | undefined {
  const { name } = manifest.strategy;
  const { looks, notes } = readLedger(ledgerStoreOf(folder), [name]);
  for (const note of notes) warn(note);
  const bars = barsOf(market, manifest);
  if (bars === undefined) return undefined;
  return heldOutSeen(looks, { strategy: name, data: dataHashes(manifest), to: bars.to, id: runId });
}

/**
 * Writes a run into the ledger of its results folder; one that a sweep kept is in it already, as a trial.
 *
 * @param warn given why it cannot be written: the run has its result all the same
 */
export function recordLook(
  { folder }: RunFolder,
  manifest: Manifest,
  summary: RunSummary,
  market: Market,
  warn: (text: string) => void,
): void {
  const bars = barsOf(market, manifest);
  if (bars === undefined || isKeptRun(folder)) return;
  try {
    appendLedger(ledgerStoreOf(folder), [lookOfRun(manifest, summary, bars)]);
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    warn(unrecordedText(error));
  }
}

/** Said where the ledger cannot be written. */
export function unrecordedText({ message }: AppError): string {
  return `${message} What was tried now is not counted when the next result is judged.`;
}
