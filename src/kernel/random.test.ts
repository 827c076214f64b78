import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createRandom, type Random, shuffled } from './random.ts';

const draw = (random: Random, count: number): number[] => Array.from({ length: count }, () => random.next());

describe('createRandom', () => {
  // A change of these numbers changes every simulated market and every seeded run, so it must be deliberate.
  it('returns these numbers on every machine', () => {
    expect(draw(createRandom(7), 3)).toEqual([0.2250705073835665, 0.9441744555202215, 0.4530581791203544]);
    const normal = createRandom(7);
    expect([normal.normal(), normal.normal(), normal.normal()]).toEqual([
      -0.03375692695116989, 0.34715297853627775, -1.1063018783652045,
    ]);
    const dice = createRandom(7);
    expect(Array.from({ length: 8 }, () => dice.integer(1, 6))).toEqual([2, 6, 3, 6, 3, 2, 5, 4]);
    expect(draw(createRandom(7).fork('a'), 2)).toEqual([0.17106782610638305, 0.27433582786158217]);
  });

  it('repeats its numbers for the same seed and label, and not for another seed', () => {
    fc.assert(
      fc.property(fc.nat(), fc.nat(), fc.string(), (seed, other, label) => {
        expect(draw(createRandom(seed, label), 5)).toEqual(draw(createRandom(seed, label), 5));
        if (other !== seed)
          expect(draw(createRandom(seed, label), 5)).not.toEqual(draw(createRandom(other, label), 5));
      }),
    );
  });

  it('forks a stream that does not depend on earlier draws', () => {
    const fresh = createRandom(11);
    const used = createRandom(11);
    draw(used, 100);
    used.normal();
    expect(draw(used.fork('prices'), 5)).toEqual(draw(fresh.fork('prices'), 5));
    expect(draw(fresh.fork('prices'), 5)).not.toEqual(draw(fresh.fork('volumes'), 5));
    expect(draw(fresh.fork('a').fork('b'), 5)).not.toEqual(draw(fresh.fork('b').fork('a'), 5));
  });

  it('does not change the parent when a fork is used', () => {
    const parent = createRandom(3);
    draw(parent.fork('child'), 10);
    expect(draw(parent, 5)).toEqual(draw(createRandom(3), 5));
  });

  it('returns numbers in [0, 1) with a uniform distribution', () => {
    const values = draw(createRandom(1), 100_000);
    expect(values.every((value) => value >= 0 && value < 1)).toBe(true);
    const counts = new Array<number>(10).fill(0);
    for (const value of values) counts[Math.floor(value * 10)]! += 1;
    for (const count of counts) expect(Math.abs(count - 10_000)).toBeLessThan(400);
  });

  it('returns integers between both ends, inclusive', () => {
    const random = createRandom(5);
    const seen = new Set(Array.from({ length: 500 }, () => random.integer(-2, 3)));
    expect([...seen].sort((a, b) => a - b)).toEqual([-2, -1, 0, 1, 2, 3]);
    expect(random.integer(4, 4)).toBe(4);
  });

  it('returns normal numbers with mean 0 and standard deviation 1', () => {
    const random = createRandom(9);
    const values = Array.from({ length: 100_000 }, () => random.normal());
    const mean = values.reduce((sum, value) => sum + value, 0) / values.length;
    const variance = values.reduce((sum, value) => sum + (value - mean) ** 2, 0) / values.length;
    const beyondTwo = values.filter((value) => Math.abs(value) > 2).length / values.length;
    expect(Math.abs(mean)).toBeLessThan(0.015);
    expect(Math.abs(variance - 1)).toBeLessThan(0.03);
    expect(Math.abs(beyondTwo - 0.0455)).toBeLessThan(0.004);
  });
});

describe('a shuffled list', () => {
  it('contains the same items in a repeatable order, and does not change the original', () => {
    const items = [1, 2, 3, 4, 5, 6];
    const mixed = shuffled(items, createRandom(7));
    expect(items).toEqual([1, 2, 3, 4, 5, 6]);
    expect([...mixed].sort()).toEqual(items);
    expect(shuffled(items, createRandom(7))).toEqual(mixed);
    // If each draw is the smallest index, each item from the last is exchanged with the first.
    const lowest = { ...createRandom(1), integer: (low: number) => low };
    expect(shuffled(['a', 'b', 'c', 'd'], lowest)).toEqual(['b', 'c', 'd', 'a']);
    const drawn: (readonly [number, number])[] = [];
    const highest = {
      ...createRandom(1),
      integer: (low: number, high: number) => {
        drawn.push([low, high]);
        return high;
      },
    };
    expect(shuffled(['a', 'b', 'c'], highest)).toEqual(['a', 'b', 'c']);
    expect(drawn).toEqual([
      [0, 2],
      [0, 1],
    ]);
  });
});
