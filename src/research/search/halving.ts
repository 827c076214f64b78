import type { Search } from './search.ts';

/** Factor by which each rung reduces the number of points. One point in `ETA` continues. */
const ETA = 3;
/** Smallest share of the bars in a rung. */
const SMALLEST_SHARE = 1 / 27;

/**
 * Successive halving (K. Jamieson and A. Talwalkar, "Non-stochastic Best Arm Identification and
 * Hyperparameter Optimization", 2016). Starts with many points on few bars. The best third continues on three
 * times as many bars, until few points run on all bars.
 *
 * @param first chooses the points of the first rung
 */
export function halvingSearch(first: Search): Search {
  let share = 0;
  let from = 0;
  return {
    next(told) {
      if (share === 0) {
        const points = first.next([]);
        const rungs = Math.min(
          Math.floor(Math.log(points.length) / Math.log(ETA) + 1e-9),
          Math.round(Math.log(1 / SMALLEST_SHARE) / Math.log(ETA)),
        );
        share = 1 / ETA ** Math.max(0, rungs);
        return points.map(({ point }) => ({ point, share }));
      }
      if (share >= 1 - 1e-9) return [];
      const rung = told.slice(from);
      from = told.length;
      share = Math.min(1, share * ETA);
      if (share > 1 - 1e-9) share = 1;
      const kept = rung
        .map(({ point, score }, place) => ({ point, score, place }))
        .filter(({ score }) => score !== null)
        .sort((one, other) => other.score! - one.score! || one.place - other.place)
        .slice(0, Math.max(1, Math.floor(rung.length / ETA)));
      return kept.map(({ point }) => ({ point, share }));
    },
  };
}
