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
   * True if the sweep stored the run or tried its parameters. `undefined` if the result of the sweep does not
   * show it: the parameters are in the space of the sweep, but the sweep tried only a part of this space.
   */
  readonly hasRun: boolean | undefined;
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
    sweeps: sweeps.toSorted((one, other) => Number(other.hasRun === true) - Number(one.hasRun === true)),
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

// Returns `undefined` if the result does not show that the sweep tried the parameters: it contains the
// parameters of the best ten trials only.
function triedParameters(result: SweepResult, parameters: unknown): boolean | undefined {
  const { space, top, search, counts } = result;
  if (!isObject(parameters)) return false;
  // Without swept parameters, the result does not contain the parameters of the trials.
  if (space.length === 0) return Object.keys(parameters).length === 0 || undefined;
  const isEqual = (point: Readonly<Record<string, unknown>>): boolean =>
    Object.entries(point).every(([name, value]) => parameters[name] === value);
  if (top.some((trial) => isEqual(trial.parameters))) return true;
  if (!space.every((dimension) => isInDimension(dimension, parameters[dimension.name]))) return false;
  const size = space.reduce((product, { values }) => product * (values?.length ?? Infinity), 1);
  const isWhole = search.name === 'grid' && counts.trials + counts.refused >= size;
  return isWhole || undefined;
}

function isInDimension({ values, low, high }: SweepResult['space'][number], value: unknown): boolean {
  if (values !== undefined) return values.some((one) => one === value);
  return typeof value === 'number' && value >= (low ?? -Infinity) && value <= (high ?? Infinity);
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
