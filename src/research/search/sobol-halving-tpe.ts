import type { Random } from '../../kernel/index.ts';
import { type Point, pointAt, type Space, unitOf } from '../sweep/space.ts';

/** Score of a tried point. A point is one combination of parameter values. */
export interface ScoredPoint {
  readonly point: Point;
  /** Score; larger is better. `null` if the trial failed, was refused or violates a constraint. */
  readonly score: number | null;
  /** Share of the bars on which the point was tried. 1 means all bars. */
  readonly share: number;
}

/** Point that the search wants to try. */
export interface Candidate {
  readonly point: Point;
  /** Share of the bars on which to try the point. 1 means all bars. */
  readonly share: number;
}

/**
 * Search strategy that chooses points in batches. The choice depends on the earlier results but not on their
 * order of completion. The size of a batch does not depend on the number of workers. A search is therefore
 * reproducible.
 */
export interface Search {
  /**
   * Returns the next batch of points.
   *
   * @param results results of all earlier batches, in the order of their points
   * @returns the next batch. Empty if the search is finished
   */
  next(results: readonly ScoredPoint[]): readonly Candidate[];
}

/**
 * Factor by which each rung, or round, of successive halving reduces the number of points. The best 1/`ETA`
 * of the points continue with `ETA` times as many bars.
 */
const ETA = 3;
/**
 * Maximum number of rungs before the last rung, which uses all bars. With three rungs before the last one,
 * the first rung uses 1/`ETA`³ = 1/27 of the bars.
 */
const MOST_RUNGS = 3;

/**
 * Successive halving (K. Jamieson and A. Talwalkar, "Non-stochastic Best Arm Identification and
 * Hyperparameter Optimization", 2016). The search starts with many points on few bars. The best third of the
 * points continues on three times as many bars. The last points run on all bars.
 *
 * @param first chooses the points of the first rung
 */
export function halvingSearch(first: Search): Search {
  /** Number of rungs that follow the current rung. `undefined` before the first rung. */
  let left: number | undefined;
  let from = 0;
  return {
    next(results) {
      if (left === undefined) {
        const points = first.next([]);
        const rungs = Math.floor(Math.log(points.length) / Math.log(ETA) + 1e-9);
        left = Math.max(0, Math.min(rungs, MOST_RUNGS));
        const share = 1 / ETA ** left;
        return points.map(({ point }) => ({ point, share }));
      }
      if (left === 0) return [];
      left -= 1;
      const share = 1 / ETA ** left;
      const rung = results.slice(from);
      from = results.length;
      return rung
        .map(({ point, score }, place) => ({ point, score, place }))
        .filter(({ score }) => score !== null)
        .sort((one, other) => other.score! - one.score! || one.place - other.place)
        .slice(0, Math.max(1, Math.floor(rung.length / ETA)))
        .map(({ point }) => ({ point, share }));
    },
  };
}

/**
 * Sobol's quasi-random sequence in Gray-code order (Antonov and Saleev 1979). The direction numbers are
 * `new-joe-kuo-6` of S. Joe and F. Kuo, "Constructing Sobol sequences with better two-dimensional
 * projections", SIAM J. Sci. Comput. 30 (2008).
 */

/**
 * Parameters of each dimension, beginning with the second dimension: degree s, coefficients a, and the
 * numbers m_1 … m_s. Values from the table `new-joe-kuo-6`.
 */
const DIRECTIONS: readonly (readonly [number, number, readonly number[]])[] = [
  [1, 0, [1]],
  [2, 1, [1, 3]],
  [3, 1, [1, 3, 1]],
  [3, 2, [1, 1, 1]],
  [4, 1, [1, 1, 3, 3]],
  [4, 4, [1, 3, 5, 13]],
  [5, 2, [1, 1, 5, 5, 17]],
  [5, 4, [1, 1, 5, 5, 5]],
  [5, 7, [1, 1, 7, 11, 19]],
  [5, 11, [1, 1, 5, 1, 1]],
  [5, 13, [1, 1, 1, 3, 11]],
  [5, 14, [1, 3, 5, 5, 31]],
  [6, 1, [1, 3, 3, 9, 7, 49]],
  [6, 13, [1, 1, 1, 15, 21, 21]],
  [6, 16, [1, 3, 1, 13, 27, 49]],
  [6, 19, [1, 1, 1, 15, 7, 5]],
  [6, 22, [1, 3, 1, 15, 13, 25]],
  [6, 25, [1, 1, 5, 5, 19, 61]],
  [7, 1, [1, 3, 7, 11, 23, 15, 103]],
  [7, 4, [1, 3, 7, 13, 13, 15, 69]],
];

export const MOST_DIMENSIONS = DIRECTIONS.length + 1;
const BITS = 32;

/**
 * Yields the points of the Sobol sequence, beginning with the origin. Coordinates are at least 0 and below 1.
 *
 * @param dimensions number of coordinates per point, at most `MOST_DIMENSIONS`
 */
export function* sobolPoints(dimensions: number): Generator<number[]> {
  if (dimensions > MOST_DIMENSIONS) throw new RangeError(`at most ${MOST_DIMENSIONS} dimensions`);
  const directions = Array.from({ length: dimensions }, (_, index) => directionNumbers(index));
  const state = new Uint32Array(dimensions);
  for (let index = 0; ; index++) {
    yield Array.from(state, (value) => value / 2 ** BITS);
    // `place` is the position of the lowest zero bit of the index.
    let place = 0;
    while ((index >>> place) & 1) place += 1;
    for (let dimension = 0; dimension < dimensions; dimension++)
      state[dimension] = (state[dimension]! ^ directions[dimension]![place]!) >>> 0;
  }
}

function directionNumbers(dimension: number): Uint32Array {
  const numbers = new Uint32Array(BITS);
  if (dimension === 0) {
    for (let bit = 0; bit < BITS; bit++) numbers[bit] = 2 ** (BITS - 1 - bit);
    return numbers;
  }
  const [degree, coefficients, first] = DIRECTIONS[dimension - 1]!;
  for (let bit = 0; bit < BITS; bit++) {
    if (bit < degree) {
      numbers[bit] = first[bit]! * 2 ** (BITS - 1 - bit);
      continue;
    }
    let value = numbers[bit - degree]! ^ (numbers[bit - degree]! >>> degree);
    for (let term = 1; term < degree; term++)
      if ((coefficients >>> (degree - 1 - term)) & 1) value ^= numbers[bit - term]!;
    numbers[bit] = value >>> 0;
  }
  return numbers;
}

/** Share of the points with a score that count as good. At most `MOST_GOOD` points count as good. */
const GOOD_SHARE = 0.25;
const MOST_GOOD = 25;
const CANDIDATES = 24;
/**
 * Number of points in the first batch (`FIRST`) and in each later batch (`BATCH`). Both are independent of
 * the number of workers, so that results are reproducible.
 */
const BATCH = 8;
const FIRST = 16;
/** Number of draws near good points, per point of a batch. Further draws are uniform. */
const TRIES = 4;

/**
 * Tree-structured Parzen estimator (J. Bergstra, R. Bardenet, Y. Bengio and B. Kégl, "Algorithms for
 * Hyper-Parameter Optimization", 2011). Draws candidates where good points are dense. Selects the candidate
 * with the largest ratio of the density of good points to the density of bad points.
 */
export function tpeSearch(space: Space, trials: number, random: Random): Search {
  const seen = new Set<string>();
  return {
    next(results) {
      const wanted = Math.min(results.length === 0 ? FIRST : BATCH, trials - results.length);
      const batch: Candidate[] = [];
      for (let tries = 0; batch.length < wanted && tries < wanted * 50; tries++) {
        // All points near the good points may have been tried already. After `TRIES` draws per point of the
        // batch, points are drawn uniformly from the whole space.
        const isFree = results.length === 0 || tries >= wanted * TRIES;
        const unit = isFree ? uniform(space, random) : suggested(space, results, random);
        const point = pointAt(space, unit);
        const key = JSON.stringify(point);
        if (seen.has(key)) continue;
        seen.add(key);
        batch.push({ point, share: 1 });
      }
      return batch;
    },
  };
}

function uniform({ dimensions }: Space, random: Random): number[] {
  return dimensions.map(() => random.next());
}

function suggested(space: Space, results: readonly ScoredPoint[], random: Random): number[] {
  const scored = results
    .filter(({ score }) => score !== null)
    .sort((one, other) => other.score! - one.score!);
  const goodCount = Math.min(MOST_GOOD, Math.ceil(GOOD_SHARE * scored.length));
  if (goodCount === 0) return uniform(space, random);
  const good = scored.slice(0, goodCount).map(({ point }) => unitOf(space, point));
  // Points without a score count as bad.
  const bad = [...scored.slice(goodCount), ...results.filter(({ score }) => score === null)].map(
    ({ point }) => unitOf(space, point),
  );
  return space.dimensions.map((_, dimension) => {
    const [above, below] = [densityOf(good, dimension), densityOf(bad, dimension)];
    let [best, bestRatio] = [random.next(), Number.NEGATIVE_INFINITY];
    for (let candidate = 0; candidate < CANDIDATES; candidate++) {
      const at = above.draw(random);
      const ratio = Math.log(above.at(at)) - Math.log(below.at(at));
      if (ratio > bestRatio) [best, bestRatio] = [at, ratio];
    }
    return best;
  });
}

/**
 * Returns the probability density of the points along one dimension, whose coordinates are from 0 to 1. The
 * density is a mixture of one normal distribution around each point and one uniform distribution. All have
 * equal weights.
 */
function densityOf(units: readonly (readonly number[])[], dimension: number) {
  const centres = units.map((unit) => unit[dimension]!);
  const width = Math.max(0.05, 1 / (1 + centres.length));
  return {
    at(value: number): number {
      let sum = 1;
      for (const centre of centres)
        sum += Math.exp(-0.5 * ((value - centre) / width) ** 2) / (width * 2.5066282746310002);
      return sum / (centres.length + 1);
    },
    draw(random: Random): number {
      const chosen = random.integer(0, centres.length);
      if (chosen === centres.length) return random.next();
      for (let tries = 0; tries < 20; tries++) {
        const value = centres[chosen]! + width * random.normal();
        if (value >= 0 && value < 1) return value;
      }
      return random.next();
    },
  };
}
