import { beforeAll, describe, expect, it } from 'vitest';
import { type MaskKind, readRunSettings } from '../../src/engine/index.ts';
import { createMarket, type Market } from '../../src/market/index.ts';
import { createMask, maskWorld } from '../../src/masking/index.ts';
import type { Shown } from './attacks.ts';
import { twentyShares } from './candidates.ts';
import { matching, plainDistances, rehearsedDistances, tenFeatures } from './matching.ts';

const HIDDEN: readonly MaskKind[] = ['symbols', 'dates', 'prices'];
/** Number of masked markets with 20 symbols each. */
const MARKETS = 6;
/** Number of masks that the attacker creates to learn how each candidate appears when masked. */
const REHEARSALS = 10;

let market: Market;
let candidates: readonly (readonly number[])[];
beforeAll(async () => {
  market = createMarket(await twentyShares());
  candidates = market.symbols.map((symbol) => tenFeatures(seriesOf(market, symbol)));
});

function seriesOf({ series }: Market, symbol: string): Shown {
  return series.find((one) => one.symbol === symbol)!;
}

/**
 * Returns the features of the masked series in the order of the masked names, and the index of the real
 * candidate for each.
 */
function masked(
  kinds: readonly MaskKind[],
  seed: number,
): { readonly features: number[][]; readonly real: number[] } {
  const terms = createMask(kinds, market, seed);
  const settings = readRunSettings({});
  const { market: shown } = maskWorld({ market, settings, rates: [], actions: [] }, terms);
  return {
    features: shown.series.map(tenFeatures),
    real: shown.symbols.map((name) => market.symbols.indexOf(terms.symbols[name]!)),
  };
}

/** Returns the number of symbols identified correctly, out of 120 in six masked markets of twenty. */
function named(
  kinds: readonly MaskKind[],
  distances: (features: number[][]) => readonly (readonly number[])[],
): number {
  let hits = 0;
  for (let seed = 0; seed < MARKETS; seed++) {
    const { features, real } = masked(kinds, seed);
    const found = matching(distances(features));
    hits += found.filter((candidate, row) => candidate === real[row]).length;
  }
  return hits;
}

/** Returns the features of each candidate under masks that the attacker created with other seeds. */
function rehearsals(kinds: readonly MaskKind[]): number[][][] {
  const byCandidate: number[][][] = market.symbols.map(() => []);
  for (let seed = 1_000; seed < 1_000 + REHEARSALS; seed++) {
    const { features, real } = masked(kinds, seed);
    for (const [row, candidate] of real.entries()) byCandidate[candidate]!.push(features[row]!);
  }
  return byCandidate;
}

describe('an attacker with ten features and the data of all 20 symbols', () => {
  it('identifies nearly all of 120 symbols with masked names, dates and prices', () => {
    const hits = named(HIDDEN, (features) => plainDistances(features, candidates));
    expect(hits).toBeGreaterThanOrEqual(110);
  });

  it('identifies at most 30 of 120 with a changed shape', () => {
    const kinds: readonly MaskKind[] = [...HIDDEN, 'shape'];
    const plain = named(kinds, (features) => plainDistances(features, candidates));
    const known = rehearsals(kinds);
    const rehearsed = named(kinds, (features) => rehearsedDistances(features, known));
    if (process.env.MASK_RATES !== undefined)
      process.stderr.write(`ten features, of 120 | shape | ${plain}, with rehearsals ${rehearsed}\n`);
    expect(plain).toBeLessThanOrEqual(30);
    expect(rehearsed).toBeLessThanOrEqual(30);
  });
});

describe('the assignment', () => {
  it.each([1, 2, 3, 4, 5])('has the smallest total of all permutations, table %d', (seed) => {
    const table = [0, 1, 2, 3, 4].map((row) =>
      [0, 1, 2, 3, 4].map((column) => ((seed * 7919 + row * 104_729 + column * 15_485_863) % 97) ** 2 % 31),
    );
    const total = (order: readonly number[]): number =>
      order.reduce((sum, column, row) => sum + table[row]![column]!, 0);
    const least = Math.min(...orders([0, 1, 2, 3, 4]).map(total));
    expect(total(matching(table))).toBe(least);
  });
});

function orders(items: readonly number[]): number[][] {
  if (items.length < 2) return [[...items]];
  return items.flatMap((first) =>
    orders(items.filter((one) => one !== first)).map((rest) => [first, ...rest]),
  );
}
