/**
 * Share of the cases that exhaustive tests run. `npm test` runs a sample of each test's cases. `npm run
 * test:deep` sets `SANDTABLE_DEEP` to `all`, or for example to `2/5` for the second of five parts. All parts
 * together run every case.
 */
export type Depth = 'sample' | 'all' | { readonly part: number; readonly parts: number };

/**
 * Parses `SANDTABLE_DEEP`.
 *
 * @throws Error if the value is neither `all` nor a part such as `2/5`
 */
export function readDepth(text: string | undefined): Depth {
  if (text === undefined || text === '') return 'sample';
  if (text === 'all') return 'all';
  const [, part, parts] = (/^(\d+)\/(\d+)$/.exec(text) ?? []).map(Number);
  if (part === undefined || parts === undefined || part < 1 || part > parts)
    throw new Error(
      `SANDTABLE_DEEP=${text} is invalid. Expected "all" or a part such as "2/5". Unset it to run a sample.`,
    );
  return { part, parts };
}

const DEPTH = readDepth(process.env.SANDTABLE_DEEP);

/** True in `npm run test:deep`. Used for slow tests of which `npm test` runs no case. */
export const isDeep = DEPTH !== 'sample';

/**
 * Selects the cases of an exhaustive test that run now: every `step`-th case as a sample, all cases, or the
 * cases of one part. If no case belongs to the part, returns the first case.
 *
 * @param first index of the first sampled case. It may exceed `step`. Tests with few cases use different
 *   numbers, so that their cases are spread over all parts
 */
export function sampled<T>(cases: readonly T[], step: number, first = 0, depth: Depth = DEPTH): T[] {
  if (depth === 'all') return [...cases];
  if (depth === 'sample') return cases.filter((_, place) => place % step === first % step);
  const ofPart = cases.filter((_, place) => (place + first) % depth.parts === depth.part - 1);
  // Vitest reports an error for a file or suite without tests. A part without its own cases therefore runs
  // the first case.
  return ofPart.length > 0 ? ofPart : cases.slice(0, 1);
}

/**
 * Returns true if a single slow test runs now. It runs in one part of the deep tests, and not in `npm test`.
 *
 * @param place number that determines the part. Slow tests use different numbers, so that they are spread
 *   over the parts
 */
export function inDepth(place: number, depth: Depth = DEPTH): boolean {
  if (depth === 'sample' || depth === 'all') return depth === 'all';
  return place % depth.parts === depth.part - 1;
}

/**
 * Returns the number of random cases of a property test, as an option of fast-check. Each part of the deep
 * tests uses its own seed, so that no two parts try the same cases.
 *
 * @param sample number of cases in `npm test`
 * @param all number of cases in all parts together
 */
export function randomCases(
  sample: number,
  all: number,
  depth: Depth = DEPTH,
): { readonly numRuns: number; readonly seed?: number } {
  if (depth === 'sample') return { numRuns: sample };
  if (depth === 'all') return { numRuns: all };
  const numRuns = Math.max(sample, Math.ceil(all / depth.parts));
  return process.env.SANDTABLE_SEED === 'random' ? { numRuns } : { numRuns, seed: depth.part };
}
