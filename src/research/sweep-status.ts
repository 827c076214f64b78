import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { isLocked, SWEEP_FILE } from '../runs/index.ts';
import { readClusterOptions } from './cluster/options.ts';
import { askToStop, readSweepJournal, readSweepManifest } from './sweep-folder.ts';

/** Progress of a sweep. */
export interface SweepStatus {
  readonly sweepId: string;
  readonly state: 'finished' | 'running' | 'stopped';
  /** Number of finished trials, including those of walk-forward windows. */
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
 * Requests a sweep to stop after the current trials. Returns true if a process is running the sweep. If the
 * sweep was killed, removes its remaining tasks from the queue.
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
