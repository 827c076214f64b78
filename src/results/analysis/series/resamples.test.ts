import { describe, expect, it } from 'vitest';
import { createRandom, type Random } from '../../../kernel/random.ts';
import {
  drawResamples,
  RESAMPLES,
  type Resamples,
  resampledMeans,
  resampledSum,
  runningSums,
  seededDraws,
} from './resamples.ts';

/** Draws the blocks of the stationary bootstrap one by one, as [first session, length]. */
function plainBlocks(sessions: number, blockLength: number, random: Random): (readonly [number, number])[][] {
  return Array.from({ length: RESAMPLES }, () => {
    const blocks: (readonly [number, number])[] = [];
    let drawn = 0;
    while (drawn < sessions) {
      const start = Math.floor(random.next() * sessions);
      // Inverse of the distribution function 1 − (1 − p)^length of the geometric distribution.
      const uniform = random.next();
      const length = Math.floor(Math.log(1 - uniform) / Math.log(1 - 1 / blockLength)) + 1;
      blocks.push([start, Math.min(length, sessions - drawn)]);
      drawn += length;
    }
    return blocks;
  });
}

function blocksOf({ starts, ends, firstBlocks }: Resamples) {
  return Array.from({ length: RESAMPLES }, (_, resample) => {
    const [from, to] = [firstBlocks[resample]!, firstBlocks[resample + 1]!];
    return [...starts.subarray(from, to)].map((start, at) => [start, ends[from + at]! - start] as const);
  });
}

describe('bootstrap resamples', () => {
  it.each([
    [60, 4],
    [7, 2],
    [5, 40],
  ])('of %i sessions have blocks of geometric length with a mean of %i', (sessions, blockLength) => {
    const found = drawResamples(sessions, blockLength, createRandom(2, 'blocks'));
    const expected = plainBlocks(sessions, blockLength, createRandom(2, 'blocks'));
    expect(JSON.stringify(blocksOf(found))).toBe(JSON.stringify(expected));
    expect(found).toMatchObject({ sessions, blockLength });
    expect(found.firstBlocks).toHaveLength(RESAMPLES + 1);
    expect(found.firstBlocks[RESAMPLES]).toBe(found.starts.length);
    expect(found.ends).toHaveLength(found.starts.length);
  });

  it('may consist of blocks of one session each, which is the largest number of blocks', () => {
    // The random numbers alternate between a start and 0, which results in the shortest length.
    let count = 0;
    const random = { ...createRandom(1), next: () => (count++ % 2 === 0 ? (count % 10) / 10 : 0) };
    const found = drawResamples(5, 5, random);
    count = 0;
    expect(blocksOf(found)).toEqual(plainBlocks(5, 5, random));
    expect(found.starts).toHaveLength(5 * RESAMPLES);
    expect([...found.starts.subarray(0, 5)]).toEqual([0, 1, 2, 3, 4]);
    expect([...found.starts.subarray(-5)]).toEqual([0, 1, 2, 3, 4]);
  });

  it('have the right sums and means, even if blocks wrap to the first session', () => {
    const values = Float64Array.of(1, 10, 100, 1000);
    expect([...runningSums(values)]).toEqual([0, 1, 11, 111, 1111, 1112, 1122, 1222, 2222]);
    const found = drawResamples(4, 2, createRandom(5, 'sums'));
    const sums = blocksOf(found).map((blocks) =>
      blocks
        .flatMap(([start, length]) => Array.from({ length }, (_, at) => values[(start + at) % 4]!))
        .reduce((sum, value) => sum + value, 0),
    );
    const running = runningSums(values);
    expect(sums.map((_, resample) => resampledSum(running, found, resample))).toEqual(sums);
    expect([...resampledMeans(values, found)]).toEqual(sums.map((sum) => sum / 4));
  });
});

describe('draws with a fixed seed', () => {
  it('are equal for equal names of the stream, and differ otherwise', () => {
    const [first, same, other] = ['a', 'a', 'b'].map((stream) => seededDraws(stream)(20, 3));
    const plain = drawResamples(20, 3, createRandom(0, 'a'));
    const text = (drawn: Resamples | undefined) => JSON.stringify(blocksOf(drawn!));
    expect(text(first)).toBe(text(plain));
    expect(text(same)).toBe(text(plain));
    expect(text(other)).not.toBe(text(plain));
  });

  it('are cached for the eight most recent requests', () => {
    const draw = seededDraws('cache');
    const drawn = Array.from({ length: 8 }, (_, at) => draw(20, at + 2));
    expect(draw(20, 2)).toBe(drawn[0]);
    const ninth = draw(21, 3);
    // The second set was the least recently used.
    expect(draw(20, 2)).toBe(drawn[0]);
    expect(draw(20, 4)).toBe(drawn[2]);
    expect(draw(21, 3)).toBe(ninth);
    const again = draw(20, 3);
    expect(again === drawn[1]).toBe(false);
    expect(again.starts.join()).toBe(drawn[1]!.starts.join());
  });
});
