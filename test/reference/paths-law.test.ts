import { describe, expect, it } from 'vitest';
import { sampled } from '../support/depth.ts';
import { equityAlong, randomCurve } from './curves.ts';
import { Draw } from './draw.ts';
import { type PathCase, playOfCase, solveCase } from './one-bar.ts';
import { randomCase } from './random-case.ts';
import { runReal } from './real.ts';
import type { FinerCandle } from './types.ts';

/**
 * Returns the worst and best equity at the close of a case's bar according to the broker, from one run with
 * each value of `resolve`.
 */
async function brokerBounds(given: PathCase): Promise<[number, number]> {
  const play = playOfCase(given);
  const answers = await Promise.all(
    (['worst', 'best'] as const).map(async (resolve) => {
      const { equity } = await runReal({ ...play, terms: { ...play.terms, resolve } });
      return Number(equity[1]);
    }),
  );
  return [answers[0]!, answers[1]!];
}

/** Converts a curve to finer bars. Their length is random. */
function finerOf(curve: readonly number[], draw: Draw): FinerCandle[] {
  const finer: FinerCandle[] = [];
  const length = Math.ceil(curve.length / draw.whole(1, 6));
  for (let first = 0; first < curve.length; first += length) {
    // A finer bar begins at the price at which the previous one ended.
    const part = curve.slice(Math.max(first - 1, 0), first + length);
    const [open, close] = [part[0]!, part.at(-1)!];
    finer.push([finer.length, [open, Math.max(...part), Math.min(...part), close, 10]]);
  }
  return finer;
}

/**
 * Returns the seeds that are tried now: every fourth of `count` seeds in `npm test`, and all of them in the
 * deep tests. `first`: the first seed.
 */
const seeds = (count: number, first = 0): number[] =>
  sampled(
    Array.from({ length: count }, (_, place) => first + place),
    4,
  );

describe('the broker on one bar', () => {
  it('returns the worse and the better outcome of a search over all price paths', async () => {
    for (const seed of seeds(1_000)) {
      const given = randomCase(seed);
      const { worse, better } = solveCase(given);
      expect([given, await brokerBounds(given)]).toEqual([given, [Number(worse), Number(better)]]);
    }
  });

  it('has the outcome of every random path between its two outcomes', async () => {
    for (const seed of seeds(250, 5_000)) {
      const given = randomCase(seed);
      const [worse, better] = await brokerBounds(given);
      const draw = new Draw(seed);
      for (let curve = 0; curve < 40; curve++) {
        const equity = equityAlong(given, randomCurve(given, draw));
        const isInside = equity >= worse && equity <= better;
        if (!isInside) expect({ given, equity }).toEqual({ given, equity: `from ${worse} to ${better}` });
      }
    }
  });

  it('has the outcome of finer bars between its two outcomes, and equals the path if they are fine enough', async () => {
    for (const seed of seeds(250, 6_000)) {
      const given = randomCase(seed);
      const [worse, better] = await brokerBounds(given);
      const draw = new Draw(seed);
      const curve = randomCurve(given, draw);
      const detailed = async (finer: readonly FinerCandle[]): Promise<number> => {
        const { equity } = await runReal({ ...playOfCase(given), detail: { AAA: [[], finer] } });
        return Number(equity[1]);
      };
      const equity = await detailed(finerOf(curve, draw));
      expect({ given, inside: equity >= worse && equity <= better }).toEqual({ given, inside: true });
      const steps = curve.map((here, step): FinerCandle => {
        const before = curve[step - 1] ?? here;
        return [step, [before, Math.max(here, before), Math.min(here, before), here, 10]];
      });
      if (steps.length > 1_440) continue;
      expect([given, await detailed(steps)]).toEqual([given, equityAlong(given, curve)]);
    }
  });
});
