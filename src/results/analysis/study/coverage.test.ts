import { describe, expect, it } from 'vitest';
import { shareFound } from '../../../../test/intervals/paired.ts';
import { inDepth, sampled } from '../../../../test/support/depth.ts';
import { createRandom, type Random } from '../../../kernel/index.ts';
import { hierarchicalMean } from './hierarchical.ts';

/**
 * Number of simulated studies. The share of 95 % intervals that contain the true mean has a standard error of
 * 1.1 points.
 */
const STUDIES = 400;

/** Populations with mean 0 and standard deviation 1. */
const POPULATIONS = {
  normal: (random: Random) => random.normal(),
  // Log-normal with a skewness of 2.3.
  skewed(random: Random) {
    const variance = 0.36;
    const spread = Math.sqrt((Math.exp(variance) - 1) * Math.exp(variance));
    return (Math.exp(Math.sqrt(variance) * random.normal()) - Math.exp(variance / 2)) / spread;
  },
} as const;

/** Share of simulated studies whose interval contains the true mean, 0. */
function coverage(
  kind: keyof typeof POPULATIONS,
  windows: number,
  samples: number,
  { between }: { readonly between: number } = { between: 1 },
): number {
  const draw = POPULATIONS[kind];
  const random = createRandom(11, `${kind} ${windows} ${samples} ${between}`);
  let held = 0;
  for (let study = 0; study < STUDIES; study++) {
    const { low, high } = hierarchicalMean(
      Array.from({ length: windows }, () => {
        const window = between * draw(random);
        return Array.from({ length: samples }, () => window + draw(random));
      }),
      random,
    );
    if (low! <= 0 && high! >= 0) held += 1;
  }
  return held / STUDIES;
}

describe('95 % intervals of a mean over windows and samples', () => {
  it.each(
    sampled(
      [
        [2, 1],
        [2, 2],
        [3, 2],
        [4, 2],
        [8, 3],
        [30, 1],
      ],
      3,
    ),
  )('contain the mean in at least 92.5 % of studies with %i windows of %i samples', (windows, samples) => {
    const held = coverage('normal', windows, samples);
    expect(held).toBeGreaterThan(0.925);
    // The share of intervals that contain the mean must not be too low. With several samples, the intervals
    // are slightly too long.
    if (samples === 1) expect(held).toBeLessThan(0.975);
  });

  it('contain the mean over the samples of one window', () => {
    for (const samples of [2, 3, 5]) {
      const held = coverage('normal', 1, samples, { between: 0 });
      expect(held).toBeGreaterThan(0.915);
      expect(held).toBeLessThan(0.975);
    }
  });

  it.runIf(inDepth(2))('contain the mean in at least 87 % for skewed returns', () => {
    for (const [windows, samples] of [
      [4, 2],
      [6, 1],
      [12, 1],
    ] as const)
      expect(coverage('skewed', windows, samples)).toBeGreaterThan(0.87);
  });
});

describe.runIf(inDepth(7))('the p-value of a paired difference without an effect', () => {
  it.each([
    { windows: 1, sessions: 20 },
    { windows: 1, sessions: 60 },
    { windows: 4, sessions: 20 },
    { windows: 4, sessions: 60 },
    { windows: 1, sessions: 250 },
    { windows: 1, sessions: 60, samples: 2, drift: 1 },
    { windows: 1, sessions: 60, memory: 0.5 },
    { windows: 4, sessions: 60, memory: 0.2 },
    { windows: 4, sessions: 60, memory: 0.5 },
    { windows: 4, sessions: 60, memory: -0.3 },
    { windows: 6, sessions: 126, memory: 0.5 },
  ])('is below 0.05 in about one of twenty studies of %o', (of) => {
    const share = shareFound(of);
    expect(share).toBeGreaterThan(0.03);
    expect(share).toBeLessThan(0.068);
  });

  it('is not smaller more often for several samples, and not much more often for 20 autocorrelated sessions', () => {
    expect(shareFound({ windows: 1, sessions: 60, samples: 2 })).toBeLessThan(0.06);
    expect(shareFound({ windows: 6, sessions: 20, samples: 2, drift: 1 })).toBeLessThan(0.068);
    expect(shareFound({ windows: 1, sessions: 60, samples: 3, drift: 0.15 })).toBeLessThan(0.068);
    expect(shareFound({ windows: 4, sessions: 60, samples: 2, drift: 0.15 })).toBeLessThan(0.068);
    expect(shareFound({ windows: 1, sessions: 20, memory: 0.5 })).toBeLessThan(0.1);
  });
});
