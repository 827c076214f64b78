import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';
import { isObject } from '../../../kernel/index.ts';
import type { RunSummary } from '../../analysis/index.ts';
import { ledgerStoreOf } from '../ledger/ledger.ts';
import type { Manifest } from '../manifest.ts';
import { isSweepFolder, readSweepResult, SWEEP_MANIFEST, type SweepResult } from './sweep-result.ts';
import { listStressTests, type StoredStress } from './sweep-store.ts';

/** Finished sweep of a run's strategy on the run's data. */
export interface SweepOfRun {
  readonly sweepId: string;
  readonly folder: string;
  readonly result: SweepResult;
  /**
   * True if the sweep stored the run, or if the parameters of the run are within the values that the sweep
   * tried.
   */
  readonly hasRun: boolean;
}

/** Sweeps and stress tests of a run's strategy, from the run's results folder. */
export interface TestsOfRun {
  /** Sweeps that contain the run, newest first, then other sweeps, newest first. */
  readonly sweeps: readonly SweepOfRun[];
  /** Stress tests whose run on the actual data has the same result as the run, newest first. */
  readonly stress: readonly StoredStress[];
}

/**
 * Returns the sweeps and stress tests that match a run's strategy, data, parameters and result.
 *
 * @param folder folder of the run, in a results folder or in a sweep
 */
export function testsOfRun(folder: string, manifest: Manifest | undefined, summary: RunSummary): TestsOfRun {
  const store = ledgerStoreOf(folder);
  if (manifest === undefined || !existsSync(store)) return { sweeps: [], stress: [] };
  const own = dirname(dirname(resolve(folder)));
  const sweeps = readdirSync(store)
    .toSorted()
    .reverse()
    .map((name) => join(store, name))
    .filter((one) => isSweepFolder(one) && isOfSame(one, manifest))
    .flatMap((one): SweepOfRun[] => {
      const result = finishedSweep(one);
      if (result === undefined) return [];
      const hasRun = resolve(one) === own || triedParameters(result, manifest.strategy.parameters);
      return [{ sweepId: basename(one), folder: one, result, hasRun }];
    });
  return {
    sweeps: sweeps.toSorted((one, other) => Number(other.hasRun) - Number(one.hasRun)),
    stress: listStressTests(store).filter(({ report }) => hasSameResult(report, summary)),
  };
}

function finishedSweep(folder: string): SweepResult | undefined {
  try {
    return readSweepResult(folder);
  } catch {
    return undefined;
  }
}

// True if a sweep has the strategy and the data of a run. Reads only the sweep's manifest, which is much
// smaller than its result.
function isOfSame(sweep: string, { strategy, data }: Manifest): boolean {
  try {
    const manifest: unknown = JSON.parse(readFileSync(join(sweep, SWEEP_MANIFEST), 'utf8'));
    if (!isObject(manifest) || !isObject(manifest.strategy) || !Array.isArray(manifest.data)) return false;
    const hashes = (sources: readonly unknown[]): string =>
      sources
        .map((source) => String(isObject(source) ? source.sha256 : null))
        .sort()
        .join(' ');
    return manifest.strategy.name === strategy.name && hashes(manifest.data) === hashes(data.sources);
  } catch {
    return false;
  }
}

function triedParameters({ space, top }: SweepResult, parameters: unknown): boolean {
  if (!isObject(parameters)) return false;
  const isEqual = (point: Readonly<Record<string, unknown>>): boolean =>
    Object.entries(point).every(([name, value]) => parameters[name] === value);
  if (top.some((trial) => isEqual(trial.parameters))) return true;
  return space.every(({ name, values }) => values?.some((value) => value === parameters[name]) === true);
}

function hasSameResult(report: StoredStress['report'], summary: RunSummary): boolean {
  const { strategy, firstBar, lastBar, figures } = report;
  return (
    strategy === summary.strategy &&
    firstBar === summary.firstBar &&
    lastBar === summary.lastBar &&
    figures.totalReturn?.actual === summary.totalReturn &&
    figures.sharpe?.actual === summary.sharpe
  );
}
