import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { isLocked, SWEEP_FILE } from '../runs/index.ts';
import { askToStop, readSweepJournal, readSweepManifest } from './sweep-folder.ts';

/** How far a sweep has come. */
export interface SweepStatus {
  readonly sweepId: string;
  readonly state: 'finished' | 'running' | 'stopped';
  /** Finished, windows of a walk-forward among them. */
  readonly trials: number;
  readonly failed: number;
}

/** @throws AppError `not_a_sweep` */
export function sweepStatus(folder: string): SweepStatus {
  const { sweepId } = readSweepManifest(folder);
  const results = readSweepJournal(folder);
  return {
    sweepId,
    state: existsSync(join(folder, SWEEP_FILE)) ? 'finished' : isLocked(folder) ? 'running' : 'stopped',
    trials: new Set(results.map(({ id }) => id)).size,
    failed: results.filter(({ figures }) => figures === null).length,
  };
}

/**
 * Asks a sweep to stop after the trials under way; whether anybody is at work on it.
 *
 * @throws AppError `not_a_sweep`
 */
export function stopSweep(folder: string): boolean {
  const { state } = sweepStatus(folder);
  if (state !== 'running') return false;
  askToStop(folder);
  return true;
}
