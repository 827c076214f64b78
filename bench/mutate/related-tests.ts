/** Selection of the test files that run for a changed source file. */
import { dirname } from 'node:path';
import quickTests from '../../.config/vitest.quick.config.ts';
import { ImportGraph } from './related.ts';

/**
 * Limits of the test files that run for a mutant, nearest files first. `QUICK_TESTS`: number of files whose
 * tests start no process. `PROCESS_TESTS`: number of other files. These must be in the folder of the changed
 * file, at most `PROCESS_DISTANCE` imports away in its layer (such as `src/broker`), or import it directly.
 */
const QUICK_TESTS = 48;
const PROCESS_TESTS = 16;
const PROCESS_DISTANCE = 3;
/** Number of test files in the first run, and factor by which each further run is larger. */
const FIRST_TESTS = 4;
const MORE_TESTS = 3;

/**
 * Test files that never run for mutants, because each takes minutes: it starts a process for each of many
 * cases.
 */
const SLOW_TESTS: ReadonlySet<string> = new Set([
  'test/pages/every-page.test.ts',
  'src/sandbox/ta-properties.test.ts',
  'src/toolkit/contract.test.ts',
  'src/sandbox/provision/provision.test.ts',
  'test/cluster/cluster.test.ts',
]);

const QUICK: ReadonlySet<string> = new Set(quickTests.test?.include ?? []);

/** Returns true for a test file that starts no process. */
export function startsNoProcess(test: string): boolean {
  return QUICK.has(test);
}

function layerOf(file: string): string {
  return file.split('/').slice(0, 2).join('/');
}

/** Finds the tests of a source file by the imports between all files. */
export class RelatedTests {
  readonly #graph: ImportGraph;
  readonly #namedOnly: boolean;

  /** @param namedOnly selects only the tests named after a file */
  constructor(texts: ReadonlyMap<string, string>, namedOnly: boolean) {
    this.#graph = new ImportGraph(texts);
    this.#namedOnly = namedOnly;
  }

  /** Returns the tests that import a file, nearest first: those named after it, then those in its folder. */
  of(file: string): string[] {
    const stem = file.slice(0, -'.ts'.length);
    const folder = `${dirname(file)}/`;
    const rank = ([name, distance]: readonly [string, number]): number => {
      if (name.startsWith(stem)) return 0;
      // A test that starts the command line is many imports away from the file that it tests. In the folder
      // of the file, it therefore counts as near.
      return name.startsWith(folder) ? Math.min(distance, 1) : distance;
    };
    const distances = this.#graph.importersOf(file);
    const near = [...distances]
      .filter(([name]) => name.endsWith('.test.ts') && !SLOW_TESTS.has(name))
      .sort((one, other) => rank(one) - rank(other))
      .map(([name]) => name);
    if (this.#namedOnly) return near.filter((name) => name.startsWith(stem));
    const counts = { quick: 0, others: 0 };
    return near.filter((name) => {
      if (startsNoProcess(name)) return ++counts.quick <= QUICK_TESTS;
      const most = layerOf(name) === layerOf(file) ? PROCESS_DISTANCE : 1;
      const isNear = name.startsWith(folder) || distances.get(name)! <= most;
      return isNear && ++counts.others <= PROCESS_TESTS;
    });
  }
}

/** Splits tests into runs that become larger. Tests that start processes run separately from the others. */
export function batchesOf(tests: readonly string[]): string[][] {
  const batches: string[][] = [];
  let size = FIRST_TESTS;
  for (const name of tests) {
    const batch = batches.at(-1);
    const isAlike = batch !== undefined && startsNoProcess(batch[0]!) === startsNoProcess(name);
    if (isAlike && batch.length < size) batch.push(name);
    else {
      if (batch !== undefined) size *= MORE_TESTS;
      batches.push([name]);
    }
  }
  return batches;
}
