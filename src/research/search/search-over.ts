import { AppError, createRandom } from '../../kernel/index.ts';
import { combination, pointAt, type Space, sizeOf } from '../sweep/space.ts';
import {
  type Candidate,
  halvingSearch,
  MOST_DIMENSIONS,
  type ScoredPoint,
  type Search,
  sobolPoints,
  tpeSearch,
} from './sobol-halving-tpe.ts';

export type { ScoredPoint, Search };

export const SEARCHES = ['grid', 'random', 'sobol', 'halving', 'tpe'] as const;
export type SearchName = (typeof SEARCHES)[number];

/** Maximum number of combinations of a grid. A larger grid is an error. */
const MOST_COMBINATIONS = 1_000_000;
const DEFAULT_TRIALS = 100;

/**
 * Creates a search over a parameter space.
 *
 * @param trials maximum number of points (combinations of parameter values). Default: all points of a grid,
 *   100 for other searches
 * @throws AppError `bad_search` if a grid has too many points, or the space too many dimensions for Sobol
 */
export function searchOver(
  space: Space,
  name: SearchName,
  { trials, seed }: { readonly trials?: number | undefined; readonly seed: number },
): Search {
  const size = sizeOf(space);
  if (name === 'grid') return grid(space, size, trials);
  const wanted = Math.min(trials ?? DEFAULT_TRIALS, size);
  const random = createRandom(seed, 'search');
  switch (name) {
    case 'random':
      return once(() =>
        distinct(wanted, () =>
          pointAt(
            space,
            space.dimensions.map(() => random.next()),
          ),
        ),
      );
    case 'sobol':
      return once(() => sobol(space, wanted));
    case 'halving':
      return halvingSearch(
        once(() =>
          distinct(wanted, () =>
            pointAt(
              space,
              space.dimensions.map(() => random.next()),
            ),
          ),
        ),
      );
    case 'tpe':
      return tpeSearch(space, wanted, random);
  }
}

function once(points: () => readonly Candidate[]): Search {
  let done = false;
  return {
    next() {
      if (done) return [];
      done = true;
      return points();
    },
  };
}

function grid(space: Space, size: number, trials = Number.POSITIVE_INFINITY): Search {
  const count = Math.min(size, trials);
  if (count > MOST_COMBINATIONS)
    throw new AppError({
      code: 'bad_search',
      message: `A grid over ${space.dimensions.map(({ name }) => name).join(', ')} has ${size} combinations, more than ${MOST_COMBINATIONS}.`,
      hint: 'Give coarser ranges with --param, fix parameters with --param name=value, or use --search random.',
    });
  return once(() =>
    Array.from({ length: count }, (_, number) => ({ point: combination(space, number), share: 1 })),
  );
}

/** Returns `wanted` different points, or fewer if 100 draws per wanted point do not yield enough. */
function distinct(wanted: number, draw: () => Candidate['point']): Candidate[] {
  const seen = new Set<string>();
  const found: Candidate[] = [];
  for (let tries = 0; found.length < wanted && tries < wanted * 100; tries++) {
    const point = draw();
    const key = JSON.stringify(point);
    if (seen.has(key)) continue;
    seen.add(key);
    found.push({ point, share: 1 });
  }
  return found;
}

function sobol(space: Space, wanted: number): Candidate[] {
  if (space.dimensions.length > MOST_DIMENSIONS)
    throw new AppError({
      code: 'bad_search',
      message: `Sobol's sequence supports at most ${MOST_DIMENSIONS} parameters. The sweep has ${space.dimensions.length}.`,
      hint: 'Fix some of them with --param name=value, or use --search random.',
    });
  const points = sobolPoints(space.dimensions.length);
  return distinct(wanted, () => pointAt(space, points.next().value as number[]));
}
