import { describe, expect, it } from 'vitest';
import { createRandom, type Random } from '../../kernel/index.ts';
import { pointAt, type Space, unitOf } from '../sweep/space.ts';
import { type ScoredPoint, SEARCHES, type SearchName, searchOver } from './search-over.ts';
import { MOST_DIMENSIONS, sobolPoints, tpeSearch } from './sobol-halving-tpe.ts';

const values = Array.from({ length: 41 }, (_, index) => index - 20);
const space: Space = {
  dimensions: [
    { name: 'x', values, given: 'flag' },
    { name: 'y', values, given: 'flag' },
  ],
};

/** Returns all points that a search tries on a hill whose top is at (7, -3). */
function climb(name: SearchName, trials: number, seed = 1): ScoredPoint[] {
  const search = searchOver(space, name, { trials, seed });
  const results: ScoredPoint[] = [];
  for (let batch = search.next(results); batch.length > 0; batch = search.next(results))
    results.push(
      ...batch.map(({ point, share }) => ({
        point,
        share,
        score: -((Number(point.x) - 7) ** 2) - (Number(point.y) + 3) ** 2,
      })),
    );
  return results;
}

const bestOf = (results: readonly ScoredPoint[]) => Math.max(...results.map(({ score }) => score!));

describe('parameter searches', () => {
  it.each(SEARCHES)(
    '%s tries the same points for the same seed, and no point twice with the same share of bars',
    (name) => {
      const results = climb(name, 60);
      expect(climb(name, 60)).toEqual(results);
      expect(new Set(results.map(({ point, share }) => JSON.stringify([point, share]))).size).toBe(
        results.length,
      );
      if (name !== 'halving') expect(results.length).toBe(60);
    },
  );

  it('tpe finds better points than the same number of random trials', () => {
    let better = 0;
    for (let seed = 1; seed <= 10; seed++)
      if (bestOf(climb('tpe', 80, seed)) >= bestOf(climb('random', 80, seed))) better += 1;
    expect(better).toBeGreaterThanOrEqual(8);
  });

  it('halving continues with the best third on three times the bars, until all are used', () => {
    const results = climb('halving', 81);
    const rungs = [...new Set(results.map(({ share }) => share))];
    expect(rungs.map((share) => results.filter((one) => one.share === share).length)).toEqual([81, 27, 9, 3]);
    expect(rungs).toEqual([1 / 27, 1 / 9, 1 / 3, 1].map((share) => expect.closeTo(share, 12) as number));
    expect(rungs.at(-1)).toBe(1);
    expect(bestOf(results.filter(({ share }) => share === 1))).toBe(bestOf(results));
  });

  it.each([
    [1, [1]],
    [2, [2]],
    [3, [3, 1]],
    [8, [8, 2]],
    [9, [9, 3, 1]],
    [26, [26, 8, 2]],
    [27, [27, 9, 3, 1]],
    [300, [300, 100, 33, 11]],
  ])('halving of %d points has the rungs %j', (count, rungs) => {
    const results = climb('halving', count);
    const shares = rungs.map((_, rung) => 1 / 3 ** (rungs.length - 1 - rung));
    expect(shares.map((share) => results.filter((one) => one.share === share).length)).toEqual(rungs);
    // In successive halving, each round (rung) tries the best points of the previous round, best first.
    for (const [rung, size] of rungs.entries()) {
      if (rung === 0) continue;
      const before = results.filter(({ share }) => share === shares[rung - 1]);
      const best = before.toSorted((one, other) => other.score! - one.score!).slice(0, size);
      expect(results.filter(({ share }) => share === shares[rung]).map(({ point }) => point)).toEqual(
        best.map(({ point }) => point),
      );
    }
  });

  it('halving continues only with points that have a score', () => {
    const search = searchOver(space, 'halving', { trials: 9, seed: 1 });
    const batch = search.next([]);
    const results = batch.map((one, at) => ({ ...one, score: at === 4 ? 5 : null }));
    expect(search.next(results)).toEqual([{ point: batch[4]!.point, share: 1 / 3 }]);
    expect(search.next([...results, { ...batch[4]!, share: 1 / 3, score: null }])).toEqual([]);
  });

  it('tpe chooses the same points as a simple implementation', () => {
    const mixed: Space = {
      dimensions: [space.dimensions[0]!, { name: 'y', low: -20, high: 20, integer: false, given: 'schema' }],
    };
    const scoreOf = (x: number, y: number) => (x % 5 === 0 ? null : -((x - 7) ** 2) - (y + 3) ** 2);
    const random = createRandom(4, 'search');
    const seen = new Set<string>();
    const gauss = (distance: number, width: number) =>
      Math.exp(-((distance / width) ** 2) / 2) / (width * Math.sqrt(2 * Math.PI));
    const suggest = (results: readonly ScoredPoint[]) => {
      const scored = results.filter(({ score }) => score !== null).toSorted((a, b) => b.score! - a.score!);
      const count = Math.min(25, Math.ceil(scored.length / 4));
      const units = (of: readonly ScoredPoint[]) => of.map(({ point }) => unitOf(mixed, point));
      const good = units(scored.slice(0, count));
      const bad = units(results.filter((one) => !scored.slice(0, count).includes(one)));
      return [0, 1].map((dimension) => {
        const density = (of: readonly number[][], at: number) => {
          const width = Math.max(0.05, 1 / (1 + of.length));
          const sum = of.reduce((all, unit) => all + gauss(at - unit[dimension]!, width), 1);
          return sum / (1 + of.length);
        };
        random.next();
        const candidates = Array.from({ length: 24 }, () => {
          const chosen = random.integer(0, good.length);
          if (chosen === good.length) return random.next();
          for (let tries = 0; tries < 20; tries++) {
            const at = good[chosen]![dimension]! + Math.max(0.05, 1 / (1 + good.length)) * random.normal();
            if (at >= 0 && at < 1) return at;
          }
          return random.next();
        });
        const ratios = candidates.map((at) => density(good, at) / density(bad, at));
        return candidates[ratios.indexOf(Math.max(...ratios))]!;
      });
    };
    const search = searchOver(mixed, 'tpe', { trials: 150, seed: 4 });
    const results: ScoredPoint[] = [];
    for (let batch = search.next(results); batch.length > 0; batch = search.next(results)) {
      expect(batch.length).toBe(Math.min(results.length === 0 ? 16 : 8, 150 - results.length));
      for (const { point } of batch) {
        for (;;) {
          const unit = results.length === 0 ? [random.next(), random.next()] : suggest(results);
          const expected = pointAt(mixed, unit);
          if (seen.has(JSON.stringify(expected))) continue;
          seen.add(JSON.stringify(expected));
          expect(point).toEqual(expected);
          break;
        }
      }
      results.push(
        ...batch.map((one) => ({ ...one, score: scoreOf(Number(one.point.x), Number(one.point.y)) })),
      );
    }
    expect(results).toHaveLength(150);
  });

  it('tpe draws uniformly without a score, and ends when all points are tried', () => {
    const small: Space = { dimensions: [{ name: 'x', values: [1, 2, 3, 4, 5, 6], given: 'flag' }] };
    const search = searchOver(small, 'tpe', { trials: 100, seed: 1 });
    const batch = search.next([]);
    expect(new Set(batch.map(({ point }) => point.x)).size).toBe(6);
    expect(search.next(batch.map((one) => ({ ...one, score: null })))).toEqual([]);
    const many = searchOver(space, 'tpe', { trials: 30, seed: 1 });
    const results = many.next([]).map((one) => ({ ...one, score: null }));
    expect(many.next(results)).toHaveLength(8);
  });

  it('tpe draws at most 50 times per missing point of a batch', () => {
    const random = createRandom(1, 'search');
    let draws = 0;
    const counted: Random = Object.assign(Object.create(random) as Random, {
      next: () => {
        draws += 1;
        return random.next();
      },
    });
    const single: Space = { dimensions: [{ name: 'x', values: [1], given: 'flag' }] };
    expect(tpeSearch(single, 3, counted).next([])).toEqual([{ point: { x: 1 }, share: 1 }]);
    expect(draws).toBe(3 * 50);
  });

  it('a grid has all combinations in one batch, or the first if trials are limited', () => {
    const small: Space = {
      dimensions: [
        { name: 'x', values: [1, 2], given: 'flag' },
        { name: 'y', values: [5, 6, 7], given: 'flag' },
      ],
    };
    const points = (trials?: number) => {
      const search = searchOver(small, 'grid', { trials, seed: 0 });
      const batch = search.next([]);
      expect(batch.every(({ share }) => share === 1)).toBe(true);
      expect(search.next([])).toEqual([]);
      return batch.map(({ point }) => `${point.x} ${point.y}`);
    };
    expect(points().sort()).toEqual(['1 5', '1 6', '1 7', '2 5', '2 6', '2 7']);
    expect(points(9)).toEqual(points());
    expect(points(4)).toEqual(points().slice(0, 4));
  });

  it('a search has 100 trials by default, or fewer if there are fewer combinations', () => {
    const wide: Space = { dimensions: [{ name: 'x', low: 0, high: 1, integer: false, given: 'schema' }] };
    const few: Space = { dimensions: [{ name: 'x', values: [1, 2, 3], given: 'flag' }] };
    for (const name of ['random', 'sobol', 'halving'] as const) {
      expect(searchOver(wide, name, { seed: 1 }).next([])).toHaveLength(100);
      expect(searchOver(few, name, { seed: 1 }).next([])).toHaveLength(3);
      expect(searchOver(few, name, { trials: 2, seed: 1 }).next([])).toHaveLength(2);
    }
    const sobol = searchOver(wide, 'sobol', { trials: 4, seed: 1 });
    expect(sobol.next([]).map(({ point, share }) => [point.x, share])).toEqual([
      [0, 1],
      [0.5, 1],
      [0.75, 1],
      [0.25, 1],
    ]);
    expect(sobol.next([])).toEqual([]);
    const random = createRandom(1, 'search');
    const drawn = Array.from({ length: 3 }, () => pointAt(wide, [random.next()]));
    const found = searchOver(wide, 'random', { trials: 3, seed: 1 }).next([]);
    expect(found).toEqual(drawn.map((point) => ({ point, share: 1 })));
  });

  it('sobol supports at most 21 parameters', () => {
    const space = (count: number): Space => ({
      dimensions: Array.from({ length: count }, (_, at) => ({
        name: `p${at}`,
        values: [1, 2],
        given: 'flag',
      })),
    });
    expect(searchOver(space(21), 'sobol', { trials: 5, seed: 1 }).next([])).toHaveLength(5);
    const search = searchOver(space(22), 'sobol', { trials: 5, seed: 1 });
    expect(() => search.next([])).toThrow('at most 21 parameters. The sweep has 22.');
  });

  it('a grid with too many combinations is refused', () => {
    const many = Array.from({ length: 200 }, (_, index) => index);
    const large: Space = {
      dimensions: ['a', 'b', 'c'].map((name) => ({ name, values: many, given: 'flag' })),
    };
    expect(() => searchOver(large, 'grid', { seed: 0 })).toThrow('8000000 combinations');
    expect(() => searchOver(large, 'grid', { trials: 1_000_001, seed: 0 })).toThrow('more than 1000000');
    expect(() => searchOver(large, 'grid', { trials: 1_000_000, seed: 0 })).not.toThrow();
    expect(searchOver(large, 'grid', { trials: 3, seed: 0 }).next([])).toHaveLength(3);
  });
});

describe('the Sobol sequence', () => {
  const first = (dimensions: number, count: number) => {
    const points = sobolPoints(dimensions);
    return Array.from({ length: count }, () => points.next().value as number[]);
  };

  it('equals scipy.stats.qmc.Sobol(3, scramble=False), which uses the same direction numbers', () => {
    expect(first(3, 8)).toEqual([
      [0, 0, 0],
      [0.5, 0.5, 0.5],
      [0.75, 0.25, 0.25],
      [0.25, 0.75, 0.75],
      [0.375, 0.375, 0.625],
      [0.875, 0.875, 0.125],
      [0.625, 0.125, 0.875],
      [0.125, 0.625, 0.375],
    ]);
  });

  it('has the same 38th point in 21 dimensions as scipy 1.10.1', () => {
    expect(first(MOST_DIMENSIONS, 38)[37]).toEqual([
      0.921875, 0.640625, 0.578125, 0.921875, 0.765625, 0.296875, 0.171875, 0.796875, 0.609375, 0.171875,
      0.015625, 0.078125, 0.578125, 0.859375, 0.109375, 0.484375, 0.796875, 0.421875, 0.046875, 0.140625,
      0.953125,
    ]);
  });

  it('puts one of the first 2^n points into each of 2^n equal parts of a dimension', () => {
    const points = first(MOST_DIMENSIONS, 256);
    for (let dimension = 0; dimension < MOST_DIMENSIONS; dimension++)
      expect(new Set(points.map((point) => Math.floor(point[dimension]! * 256))).size).toBe(256);
  });
});
