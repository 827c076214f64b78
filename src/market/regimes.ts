import type { Random } from '../kernel/index.ts';

/** Market conditions during one bar. Drift and volatility are in standard deviations of an ordinary bar. */
export interface Weather {
  drift: number;
  volatility: number;
  /** Share of the logarithmic distance from the starting price by which a bar moves back. */
  pull: number;
}

/** Sets the market conditions of the next bar. The random draws do not depend on the number of bars. */
export type Regime = (random: Random) => (weather: Weather) => void;

const calm = { drift: 0.02, volatility: 1, pull: 0 };

/** Successive periods of random length with constant market conditions. */
function legs(next: (leg: number) => Weather & { readonly bars: number }): (weather: Weather) => void {
  let leg = -1;
  let left = 0;
  let current: Weather = calm;
  return (weather) => {
    if (left === 0) {
      const started = next(++leg);
      current = started;
      left = started.bars;
    }
    left--;
    weather.drift = current.drift;
    weather.volatility = current.volatility;
    weather.pull = current.pull;
  };
}

export const REGIMES = {
  'random-walk': () => (weather) => void Object.assign(weather, { drift: 0, volatility: 1, pull: 0 }),

  // Long rises and shorter falls.
  trend: (random) =>
    legs((leg) =>
      leg % 2 === 0
        ? { bars: random.integer(80, 300), drift: 0.15, volatility: 1, pull: 0 }
        : { bars: random.integer(30, 90), drift: -0.15, volatility: 1, pull: 0 },
    ),

  'mean-reverting': () => (weather) => void Object.assign(weather, { drift: 0, volatility: 1, pull: 0.05 }),

  // Volatility clusters: its logarithm fluctuates around three times the ordinary level.
  volatile: (random) => {
    let excess = 0;
    return (weather) => {
      excess = 0.95 * excess + 0.12 * random.normal();
      weather.drift = 0;
      weather.volatility = 3 * Math.exp(excess);
      weather.pull = 0;
    };
  },

  // Calm rises interrupted by falls of a few weeks. The first fall is early enough for short runs.
  crash: (random) =>
    legs((leg) => {
      if (leg === 0) return { bars: random.integer(20, 60), ...calm, drift: 0.08 };
      if (leg % 3 === 1) return { bars: random.integer(8, 20), drift: -1.8, volatility: 2.5, pull: 0 };
      if (leg % 3 === 2) return { bars: random.integer(40, 120), drift: 0.12, volatility: 1.6, pull: 0 };
      return { bars: random.integer(150, 400), ...calm, drift: 0.08 };
    }),

  'regime-switching': (random) =>
    legs(() => {
      const kinds: readonly Weather[] = [
        { drift: 0.12, volatility: 0.8, pull: 0 },
        { drift: 0, volatility: 0.6, pull: 0.03 },
        { drift: -0.12, volatility: 2, pull: 0 },
      ];
      return { bars: random.integer(30, 150), ...kinds[random.integer(0, kinds.length - 1)]! };
    }),
} as const satisfies Record<string, Regime>;

export type RegimeName = keyof typeof REGIMES;
