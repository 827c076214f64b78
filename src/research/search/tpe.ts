import type { Random } from '../../kernel/index.ts';
import { pointAt, type Space, unitOf } from '../space.ts';
import type { Candidate, Search, Told } from './search.ts';

/** Of the best that were told, so large a share counts as good. */
const GOOD_SHARE = 0.25;
const MOST_GOOD = 25;
const CANDIDATES = 24;
/** Points chosen before the next are told: the same whatever the number of workers. */
const BATCH = 8;
const FIRST = 16;
/** Draws for each point of a batch, before others than the likely ones are taken. */
const TRIES = 4;

/**
 * Tree-structured Parzen estimator (J. Bergstra, R. Bardenet, Y. Bengio and B. Kégl, "Algorithms for Hyper-Parameter
 * Optimization", 2011): of candidates drawn where the good points are dense, the one with the largest ratio of the density
 * of good points to that of the others.
 */
export function tpeSearch(space: Space, trials: number, random: Random): Search {
  const seen = new Set<string>();
  return {
    next(told) {
      const wanted = Math.min(told.length === 0 ? FIRST : BATCH, trials - told.length);
      const batch: Candidate[] = [];
      for (let tries = 0; batch.length < wanted && tries < wanted * 50; tries++) {
        // Where all that is near has been tried, others are.
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
  // Those without a score are as bad as any.
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

/** A mixture of normals around the points, cut off at 0 and 1, and a uniform prior as one point more. */
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
