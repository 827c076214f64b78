import type { Random } from '../../kernel/index.ts';
import { pointAt, type Space, unitOf } from '../sweep/space.ts';
import type { Candidate, Search, Told } from './search.ts';

/** Share of the scored points that counts as good. */
const GOOD_SHARE = 0.25;
const MOST_GOOD = 25;
const CANDIDATES = 24;
/** Points per batch, independent of the number of workers. */
const BATCH = 8;
const FIRST = 16;
/** Draws per point of a batch before points are drawn uniformly. */
const TRIES = 4;

/**
 * Tree-structured Parzen estimator (J. Bergstra, R. Bardenet, Y. Bengio and B. Kégl, "Algorithms for
 * Hyper-Parameter Optimization", 2011). Draws candidates where good points are dense. Selects the candidate
 * with the largest ratio of the density of good points to the density of bad points.
 */
export function tpeSearch(space: Space, trials: number, random: Random): Search {
  const seen = new Set<string>();
  return {
    next(told) {
      const wanted = Math.min(told.length === 0 ? FIRST : BATCH, trials - told.length);
      const batch: Candidate[] = [];
      for (let tries = 0; batch.length < wanted && tries < wanted * 50; tries++) {
        // If all nearby points have been tried, points are drawn uniformly.
        const isFree = told.length === 0 || tries >= wanted * TRIES;
        const unit = isFree ? uniform(space, random) : suggested(space, told, random);
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

function suggested(space: Space, told: readonly Told[], random: Random): number[] {
  const scored = told.filter(({ score }) => score !== null).sort((one, other) => other.score! - one.score!);
  const goodCount = Math.min(MOST_GOOD, Math.ceil(GOOD_SHARE * scored.length));
  if (goodCount === 0) return uniform(space, random);
  const good = scored.slice(0, goodCount).map(({ point }) => unitOf(space, point));
  // Points without a score count as bad.
  const bad = [...scored.slice(goodCount), ...told.filter(({ score }) => score === null)].map(({ point }) =>
    unitOf(space, point),
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
 * Mixture of normal distributions around the points, cut off at 0 and 1, with a uniform prior that counts as
 * one point.
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
