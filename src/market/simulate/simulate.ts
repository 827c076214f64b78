import { z } from 'zod';
import {
  AppError,
  createRandom,
  DAY,
  faultsError,
  type Instant,
  issueText,
  parseInstant,
  type Random,
  valueAt,
} from '../../kernel/index.ts';
import type { BarSeries } from '../bars/bar-columns.ts';
import { type Market, marketOf } from '../market.ts';

/**
 * Market conditions during one bar. Drift and volatility are multiples of the standard deviation of an
 * ordinary bar's log return (the option `volatility`).
 */
export interface Weather {
  drift: number;
  volatility: number;
  /**
   * Mean reversion: each bar moves back by this fraction of the logarithmic distance between the current
   * price and the starting price.
   */
  pull: number;
}

/**
 * Kind of simulated market. Creates a function that is called before each bar and writes the bar's market
 * conditions into its argument. The random numbers do not depend on the total number of bars.
 */
type Regime = (random: Random) => (weather: Weather) => void;

const calm = { drift: 0.02, volatility: 1, pull: 0 };

/**
 * Returns a function for successive periods with constant market conditions. `next` returns the conditions of
 * a period and its number of bars.
 */
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

  // Long rises alternate with shorter falls.
  trend: (random) =>
    legs((leg) =>
      leg % 2 === 0
        ? { bars: random.integer(80, 300), drift: 0.15, volatility: 1, pull: 0 }
        : { bars: random.integer(30, 90), drift: -0.15, volatility: 1, pull: 0 },
    ),

  'mean-reverting': () => (weather) => void Object.assign(weather, { drift: 0, volatility: 1, pull: 0.05 }),

  // Volatility fluctuates around three times the ordinary level. Its logarithm changes slowly, so bars of
  // high volatility occur in clusters.
  volatile: (random) => {
    let excess = 0;
    return (weather) => {
      excess = 0.95 * excess + 0.12 * random.normal();
      weather.drift = 0;
      weather.volatility = 3 * Math.exp(excess);
      weather.pull = 0;
    };
  },

  // Calm rises are interrupted by falls of a few weeks. The first fall comes early, so that short runs
  // contain it.
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

const INTERVALS = {
  '1min': 60_000,
  '5min': 300_000,
  '15min': 900_000,
  '30min': 1_800_000,
  '1h': 3_600_000,
  '4h': 14_400_000,
  '1d': DAY,
};
const LAST_INSTANT = Date.UTC(9999, 11, 31);
// Natural logarithm of the maximum factor between the price and the starting price, in both directions. At
// the limit, the direction of a step is reversed.
const LARGEST_MOVE = Math.log(50);

const SimulationSchema = z.strictObject({
  /** Any integer. The same seed gives the same bars. */
  seed: z.number().int(),
  bars: z.number().int().min(1).max(20_000_000),
  regime: z.enum(Object.keys(REGIMES) as [RegimeName, ...RegimeName[]]).default('random-walk'),
  /** Symbols. The bars of a symbol depend on the seed and the symbol's name, not on the other symbols. */
  symbols: z.array(z.string().trim().min(1)).min(1).default(['SIM']),
  /** Correlation between the returns of any two symbols. */
  correlation: z.number().min(0).max(1).default(0.5),
  /** Time of the first bar. Daily bars that would start on a weekend start on Monday. */
  start: z.string().default('2000-01-03'),
  /** Length of a bar. Daily bars exist on weekdays only. Shorter bars cover every hour of every day. */
  interval: z
    .enum(Object.keys(INTERVALS) as [keyof typeof INTERVALS, ...(keyof typeof INTERVALS)[]])
    .default('1d'),
  /** Starting price of every symbol. */
  price: z.number().min(1).max(1_000_000).default(100),
  /**
   * Standard deviation of an ordinary bar's logarithmic return. Default: 0.012 per day, scaled for shorter
   * bars.
   */
  volatility: z.number().positive().max(0.2).optional(),
});

export type SimulationOptions = z.input<typeof SimulationSchema>;

/**
 * Creates a market of valid bars: positive prices with two decimals, integer volumes, and no missing bars
 * except daily bars on weekends.
 *
 * With the same seed, the first n bars do not depend on the total number of bars or on the machine.
 *
 * @throws AppError `bad_simulation` with every invalid option
 */
export function simulateMarket(options: SimulationOptions): Market {
  const parsed = SimulationSchema.safeParse(options);
  if (!parsed.success) {
    const faults = parsed.error.issues.map((issue) => ({
      where: issue.path.join('.') || 'options',
      message: issueText(issue, valueAt(options, issue.path)),
    }));
    throw faultsError(
      'bad_simulation',
      'The simulation cannot be made',
      faults,
      'Give at least seed and bars; see `sandtable data simulate --help`.',
    );
  }
  const { seed, bars, regime, symbols, correlation, interval, price } = parsed.data;
  const time = clockOf(parsed.data.start, bars, interval);
  const sigma = parsed.data.volatility ?? 0.012 * Math.sqrt(INTERVALS[interval] / DAY);
  const series = [...new Set(symbols)].map((symbol) => {
    // All symbols share the random streams `regime` and `market`. These streams are generated again for each
    // symbol, so that their numbers do not have to be stored.
    return simulateSeries(symbol, time, {
      weather: REGIMES[regime](createRandom(seed, 'regime')),
      shared: createRandom(seed, 'market'),
      own: createRandom(seed, `symbol/${symbol}`),
      correlation,
      sigma,
      price,
    });
  });
  return marketOf(series);
}

interface Sources {
  readonly weather: (weather: Weather) => void;
  readonly shared: Random;
  readonly own: Random;
  readonly correlation: number;
  readonly sigma: number;
  readonly price: number;
}

function simulateSeries(symbol: string, time: Float64Array, sources: Sources): BarSeries {
  const { shared, own, sigma } = sources;
  const together = Math.sqrt(sources.correlation);
  const alone = Math.sqrt(1 - sources.correlation);
  const column = (): Float64Array => new Float64Array(time.length);
  const [open, high, low, close, volume] = [column(), column(), column(), column(), column()];
  const weather: Weather = { drift: 0, volatility: 1, pull: 0 };
  let level = 0;
  for (let bar = 0; bar < time.length; bar++) {
    sources.weather(weather);
    const spread = sigma * weather.volatility;
    // 10 % of the variance occurs between the close and the next open, the other 90 % inside the bar.
    const gap = spread * 0.316 * (together * shared.normal() + alone * own.normal());
    const shock = spread * 0.949 * (together * shared.normal() + alone * own.normal());
    const opening = bounded(level, gap);
    const closing = bounded(opening, shock + weather.drift * sigma - weather.pull * level);
    const above = spread * 0.6 * own.next();
    const below = spread * 0.6 * own.next();
    open[bar] = cents(sources.price * Math.exp(opening));
    close[bar] = cents(sources.price * Math.exp(closing));
    high[bar] = cents(sources.price * Math.exp(Math.max(opening, closing) + above));
    low[bar] = cents(sources.price * Math.exp(Math.min(opening, closing) - below));
    const activity = 1 + Math.abs(closing - opening) / sigma;
    volume[bar] = Math.round(1_000_000 * activity * Math.exp(0.3 * own.normal()));
    level = closing;
  }
  return { symbol, time, open, high, low, close, volume };
}

function bounded(level: number, step: number): number {
  const moved = level + step;
  if (moved <= LARGEST_MOVE && moved >= -LARGEST_MOVE) return moved;
  return Math.min(LARGEST_MOVE, Math.max(-LARGEST_MOVE, level - step));
}

// Rounds to cents. Rounding preserves order, so high remains the highest and low the lowest price.
function cents(price: number): number {
  return Math.max(0.01, Math.round(price * 100) / 100);
}

function clockOf(start: string, bars: number, interval: keyof typeof INTERVALS): Float64Array {
  const first = parseInstant(start);
  if (first === undefined) {
    throw new AppError({
      code: 'bad_simulation',
      message: `start: "${start}" is not a date.`,
      hint: 'Write it as 2020-01-15.',
    });
  }
  const time = new Float64Array(bars);
  let now: Instant = interval === '1d' ? weekdayFrom(first) : first;
  for (let bar = 0; bar < bars; bar++) {
    time[bar] = now;
    now = interval === '1d' ? weekdayFrom(now + DAY) : now + INTERVALS[interval];
  }
  if (time[bars - 1]! <= LAST_INSTANT) return time;
  throw new AppError({
    code: 'bad_simulation',
    message: `${bars} bars of ${interval} from ${start} run past the year 9999.`,
    hint: 'Use fewer bars or a shorter interval.',
  });
}

function weekdayFrom(instant: Instant): Instant {
  const day = new Date(instant).getUTCDay();
  return instant + (day === 6 ? 2 * DAY : day === 0 ? DAY : 0);
}
