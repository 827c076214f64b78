import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { isLocked, SWEEP_FILE } from '../runs/index.ts';
import { readClusterOptions } from './cluster/options.ts';
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
 * Asks a sweep to stop after the trials under way; whether anybody is at work on it. What one that was killed has left in
 * its queue is taken out.
 *
 * @throws AppError `not_a_sweep`, `queue_unreachable`
 */
export async function stopSweep(
  folder: string,
  environment: Readonly<Record<string, string | undefined>> = process.env,
): Promise<boolean> {
  const { state } = sweepStatus(folder);
  if (state === 'running') {
    askToStop(folder);
    return true;
  }
  const cluster = readClusterOptions(readSweepManifest(folder).request.cluster);
  if (cluster !== undefined && state === 'stopped') {
    const { clearCluster } = await import('./cluster/queue-executor.ts');
    await clearCluster(cluster, environment);
  }
  return false;
}
