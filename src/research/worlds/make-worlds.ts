import { AppError, createRandom, type Fault } from '../../kernel/index.ts';
import type { CorporateAction, Market } from '../../market/index.ts';
import { actionsOfWorld, commonInstants, type WorldBase, worldBase } from './base.ts';
import { bootstrapped, exchangeable, marketBlockLength, type NoiseSize, noisy, permuted } from './build.ts';
import { type FittedRegimes, fitRegimes, occupancyOf, simulatedRegimes } from './regime.ts';

/**
 * Methods of making worlds (artificial markets). All methods except `noise` destroy the patterns that a
 * strategy may exploit, so their worlds serve as a null hypothesis.
 */
export const WORLD_KINDS = ['permute', 'block-bootstrap', 'regime', 'noise'] as const;
export type WorldKind = (typeof WORLD_KINDS)[number];

/** Request for worlds (artificial markets): kind, seed and parameters of the kind. */
export interface WorldTerms {
  readonly kind: WorldKind;
  readonly seed: number;
  /** Mean length of a block in bars. Default: chosen from the data. */
  readonly blockLength?: number | undefined;
  readonly noise?: NoiseSize | undefined;
}

/** Simulated market with its corporate actions. */
interface MadeWorld {
  readonly market: Market;
  readonly actions: readonly CorporateAction[];
}

/** Facts about a fitted regime. Times are in bars. */
interface RegimeFacts {
  /** Share of the bars that belong to the regime. */
  readonly share: number;
  /** Mean duration of one occurrence of the regime, in bars. */
  readonly bars: number;
  /** Mean logarithmic return per bar and its standard deviation, both averaged over the symbols. */
  readonly mean: number;
  readonly deviation: number;
}

/** Facts about the method of making worlds, shown in the report. */
interface WorldFacts {
  /**
   * Number of bars on the market's clock from the first simulated bar. `made` is the number of bars that the
   * method may change.
   */
  readonly bars: number;
  readonly made: number;
  readonly blockLength?: number;
  readonly regimes?: readonly RegimeFacts[];
  readonly noise?: NoiseSize;
}

export interface WorldMaker {
  readonly facts: WorldFacts;
  /** Warnings about data that limits the method, for example if only few bars can be exchanged. */
  readonly notes: readonly string[];
  /**
   * Makes the world with the number `world`, which starts at 1. The same data, request and number always
   * result in the same world.
   */
  make(world: number): MadeWorld;
}

/** Minimum number of bars that each kind of world needs. */
const FEWEST: Readonly<Record<WorldKind, number>> = {
  permute: 20,
  'block-bootstrap': 30,
  regime: 100,
  noise: 1,
};

/**
 * Minimum share of bars that can be exchanged. Below this share, a note warns that worlds resemble the data
 * closely.
 */
const MOSTLY = 0.5;
const USUAL_NOISE: NoiseSize = { unit: 'basis-points', size: 5 };

/**
 * Prepares the data for making worlds. Creates an object whose `make` returns one world.
 *
 * @param first clock index of the first simulated bar; earlier bars are history and do not change
 * @throws AppError `too_few_bars` if the kind of worlds needs more bars
 */
export function createWorldMaker(
  market: Market,
  terms: WorldTerms,
  first: number,
  actions: readonly CorporateAction[] = [],
): WorldMaker {
  const base = worldBase(market, first, actions);
  const { facts, notes = [], build } = kinds[terms.kind](base, terms);
  const bars = market.clock.length - base.first;
  return {
    facts: { bars, ...facts },
    notes,
    make(world) {
      const made = build(createRandom(terms.seed, `stress/${terms.kind}/${world}`));
      return { market: made, actions: actionsOfWorld(actions, market.series, made.series) };
    },
  };
}

interface Kind {
  readonly facts: Omit<WorldFacts, 'bars'>;
  readonly notes?: readonly string[];
  readonly build: (random: ReturnType<typeof createRandom>) => Market;
}

const kinds: Readonly<Record<WorldKind, (base: WorldBase, terms: WorldTerms) => Kind>> = {
  permute(base) {
    const groups = exchangeable(base);
    const bars = base.market.clock.length - base.first;
    const made = groups.reduce((sum, group) => sum + (group.length > 1 ? group.length : 0), 0);
    checkEnough('permute', made, base);
    const few = made < MOSTLY * bars;
    return {
      facts: { made },
      ...(few
        ? {
            notes: [
              `only ${made} of ${bars} bars can change places, for few have the same symbols: the worlds are much like the data`,
            ],
          }
        : {}),
      build: (random) => permuted(base, groups, random),
    };
  },

  'block-bootstrap'(base, terms) {
    const common = commonInstants(base);
    checkEnough('block-bootstrap', common.length, base);
    const blockLength = terms.blockLength ?? marketBlockLength(base, common);
    return {
      facts: { made: base.market.clock.length - base.first, blockLength },
      notes: commonNotes(base, common),
      build: (random) => bootstrapped(base, common, blockLength, random),
    };
  },

  regime(base) {
    const common = commonInstants(base);
    checkEnough('regime', common.length, base);
    const fitted = fitRegimes(base, common);
    return {
      facts: { made: base.market.clock.length - base.first, regimes: regimeFacts(fitted) },
      notes: commonNotes(base, common),
      build: (random) => simulatedRegimes(base, fitted, random),
    };
  },

  noise(base, { noise = USUAL_NOISE }) {
    const bars = base.market.clock.length - base.first;
    checkEnough('noise', bars, base);
    return {
      facts: { made: bars, noise },
      notes: noiseNotes(base, noise),
      build: (random) => noisy(base, noise, random),
    };
  },
};

function checkEnough(kind: WorldKind, bars: number, { symbols }: WorldBase): void {
  if (bars >= FEWEST[kind]) return;
  const shared = symbols.length > 1 ? ' that all symbols share' : '';
  const fault: Fault = {
    where: '--kind',
    message: `${kind} needs ${FEWEST[kind]} bars${shared} after the history, and there are ${bars}`,
  };
  throw new AppError({
    code: 'too_few_bars',
    message: `No worlds can be made: ${fault.where} ${fault.message}.`,
    hint: `Give more data${symbols.length > 1 ? ', keep fewer symbols with --symbol,' : ''} or choose another --kind.`,
  });
}

/**
 * Returns a note if the requested noise is too small: rounding to the decimal places of the data would remove
 * most of this noise.
 */
function noiseNotes({ symbols, first }: WorldBase, { unit, size }: NoiseSize): string[] {
  return symbols.flatMap(({ series, places, barAt }) => {
    if (places === undefined) return [];
    const bars = barAt.subarray(first).filter((bar) => bar >= 0);
    const moves = Float64Array.from(bars, (bar) =>
      unit === 'basis-points'
        ? (series.close[bar]! * size) / 10_000
        : (series.high[bar]! - series.low[bar]!) * size,
    ).sort();
    const usual = moves[moves.length >> 1] ?? 0;
    if (usual >= 0.5 * 10 ** -places) return [];
    return [
      `the noise of ${series.symbol} is mostly less than half of ${(10 ** -places).toFixed(places)}, which its prices are rounded to: its worlds are much like the data`,
    ];
  });
}

function commonNotes({ market, first }: WorldBase, common: Int32Array): string[] {
  const bars = market.clock.length - first;
  if (common.length >= MOSTLY * bars) return [];
  return [`worlds are drawn from the ${common.length} of ${bars} bars that all symbols share`];
}

function regimeFacts(fitted: FittedRegimes): RegimeFacts[] {
  const { model, transitions } = fitted;
  const occupancy = occupancyOf(fitted);
  const states = model.states.length;
  return model.states.map(({ mean, factor }, state) => {
    const size = mean.length;
    const deviations = mean.map((_, i) => {
      let variance = 0;
      for (let k = 0; k <= i; k++) variance += factor[i * size + k]! ** 2;
      return Math.sqrt(variance);
    });
    const average = (values: Float64Array): number => values.reduce((a, b) => a + b, 0) / size;
    return {
      share: occupancy[state]!,
      bars: 1 / Math.max(1e-9, 1 - transitions[state * states + state]!),
      mean: average(mean),
      deviation: average(deviations),
    };
  });
}
