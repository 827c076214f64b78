import type { PageData } from '../model/page-data.ts';

/** What was held, by point, as shares of equity. */
export interface Exposures {
  readonly long: readonly (number | null)[];
  /** Negative. */
  readonly short: readonly (number | null)[];
  /** Of one symbol, signed. */
  of(symbol: number): (number | null)[];
  at(symbol: number, point: number): number;
  /** The symbols with the most exposure on average, the most first; those that are left together, last. */
  readonly stack: readonly StackedSymbol[];
}

/** One symbol of the stack; undefined for all that are not named. */
interface StackedSymbol {
  readonly symbol: number | undefined;
  /** By point, signed. */
  readonly values: ArrayLike<number>;
  /** Mean of its size. */
  readonly mean: number;
}

/** Symbols that are told apart. */
const MOST_NAMED = 6;

/**
 * Long and short exposure, and that of each symbol: positions are what the fills and splits add up to, and their weights
 * are brought to the gross exposure that the run wrote down.
 */
export function exposuresOf(data: PageData): Exposures {
  const { times, symbols, exposure } = data;
  const units = new Float64Array(symbols.length);
  const closes = new Float64Array(symbols.length);
  const worth = new Float64Array(symbols.length).fill(1);
  const weights = symbols.map(() => new Float32Array(times.length));
  const [long, short]: [(number | null)[], (number | null)[]] = [[], []];
  let [fill, split] = [0, 0];
  for (let point = 0; point < times.length; point++) {
    for (; split < data.splits.length && data.splits[split]!.point <= point; split++)
      units[data.splits[split]!.symbol] = data.splits[split]!.quantity;
    for (; fill < data.fills.length && data.fills[fill]!.point <= point; fill++) {
      const { symbol, side, quantity, worth: own } = data.fills[fill]!;
      worth[symbol] = own;
      units[symbol]! += side === 'buy' ? quantity : -quantity;
    }
    let gross = 0;
    for (let symbol = 0; symbol < symbols.length; symbol++) {
      closes[symbol] = data.prices[symbol]?.close[point] ?? closes[symbol]!;
      gross += Math.abs(units[symbol]! * closes[symbol]! * worth[symbol]!);
    }
    const whole = exposure[point] ?? null;
    let [up, down] = [0, 0];
    for (let symbol = 0; symbol < symbols.length; symbol++) {
      const share =
        gross === 0 || whole === null
          ? 0
          : ((units[symbol]! * closes[symbol]! * worth[symbol]!) / gross) * whole;
      weights[symbol]![point] = share;
      if (share > 0) up += share;
      else down += share;
    }
    long.push(whole === null ? null : up);
    short.push(whole === null ? null : down);
  }
  return {
    long,
    short,
    of: (symbol) => Array.from(weights[symbol] ?? []),
    at: (symbol, point) => weights[symbol]?.[point] ?? 0,
    stack: stackOf(weights),
  };
}

function stackOf(weights: readonly Float32Array[]): StackedSymbol[] {
  if (weights.length < 2) return [];
  const sorted = weights
    .map((values, symbol) => ({ symbol, values, mean: meanSize(values) }))
    .filter(({ mean }) => mean > 0)
    .sort((a, b) => b.mean - a.mean);
  const [named, others] = [sorted.slice(0, MOST_NAMED), sorted.slice(MOST_NAMED)];
  // Longs and shorts of the others are layers of their own: together they would hide each other.
  return [
    ...named,
    ...(others.length === 0
      ? []
      : [1, -1].map((sign) => {
          const values = Float32Array.from(weights[0]!, (_, point) =>
            others.reduce((sum, own) => sum + sign * Math.max(0, sign * own.values[point]!), 0),
          );
          return { symbol: undefined, values, mean: meanSize(values) };
        })
    ).filter(({ mean }) => mean > 0),
  ];
}

function meanSize(values: Float32Array): number {
  let sum = 0;
  for (const value of values) sum += Math.abs(value);
  return values.length === 0 ? 0 : sum / values.length;
}
