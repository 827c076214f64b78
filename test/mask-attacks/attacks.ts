import type { BarSeries } from '../../src/market/index.ts';

/** Input of an attack: the bars shown to a model, without a symbol. */
export type Shown = Pick<BarSeries, 'time' | 'open' | 'high' | 'low' | 'close' | 'volume'>;

/**
 * Result of an attack: the presumed symbol of a shown series, and the index of its first bar in the
 * candidate's data.
 */
export interface Guess {
  readonly symbol: string;
  readonly from: number;
}

const FACTORS = 2_000;
const CENT = 0.01;

/**
 * Attack on rounded prices with the greatest common divisor. Searches for the factor for which all shown
 * prices are nearest to whole cents, with a periodogram. The attacker knows the approximate factor and
 * chooses among 2,001 values.
 *
 * @returns the best factor
 */
export function commonDivisor(values: readonly number[], factor: number, step = CENT): number {
  const largest = Math.max(...values);
  // A quarter of a cent at the largest price, so that the true factor cannot lie unnoticed between two tested
  // factors.
  const apart = Math.max((0.25 * step * factor) / largest, 1e-9);
  let best = { factor: Number.NaN, power: 0 };
  for (let index = -FACTORS / 2; index <= FACTORS / 2; index++) {
    const one = factor * (1 + index * apart);
    let [cosine, sine] = [0, 0];
    for (const value of values) {
      const turn = (2 * Math.PI * value) / (one * step);
      cosine += Math.cos(turn);
      sine += Math.sin(turn);
    }
    const power = (cosine ** 2 + sine ** 2) / values.length;
    if (power > best.power) best = { factor: one, power };
  }
  return best.factor;
}

/**
 * Attack on two series shown together. Returns the pair of candidates and the day with the most similar price
 * ratios.
 */
export function ratios(
  [one, other]: readonly [Shown, Shown],
  candidates: readonly BarSeries[],
): readonly [Guess, Guess] | undefined {
  const asked = [0, 1, 2].map((bar) => Math.log(one.close[bar]! / other.close[bar]!));
  let best: { apart: number; pair: readonly [Guess, Guess] } | undefined;
  for (const first of candidates) {
    for (const second of candidates) {
      if (first === second) continue;
      const count = Math.min(first.close.length, second.close.length) - 2;
      for (let from = 0; from < count; from++) {
        if (first.time[from] !== second.time[from]) break;
        let apart = 0;
        for (let bar = 0; bar < 3; bar++)
          apart += Math.abs(asked[bar]! - Math.log(first.close[from + bar]! / second.close[from + bar]!));
        if (best === undefined || apart < best.apart)
          best = {
            apart,
            pair: [
              { symbol: first.symbol, from },
              { symbol: second.symbol, from },
            ],
          };
      }
    }
  }
  return best?.pair;
}

/** Returns the candidate with the most matching digit sequences in a window of the same length. */
export function digits(shown: Shown, candidates: readonly BarSeries[]): Guess | undefined {
  const digitsOf = (value: number): string =>
    String(value)
      .replace('.', '')
      .replace(/^0+|0+$/g, '');
  const seen = new Set(Array.from(shown.close, digitsOf).filter((text) => text.length >= 4));
  return bestOf(candidates, shown.close.length, (series) => {
    const hits = Array.from(series.close, (value) => (seen.has(digitsOf(value)) ? 1 : 0));
    return slidingSum(hits, shown.close.length);
  });
}

/**
 * Attack on the calendar. Returns the day with the same pattern of weekends and holidays, based on the days
 * between bars.
 */
export function holidays(shown: Shown, candidates: readonly BarSeries[]): Guess | undefined {
  const steps = stepsOf(shown.time);
  // Weekends alone give the same pattern every week, so only a unique match counts as found.
  const found = new Map<number, Guess>();
  for (const { symbol, time } of candidates) {
    const own = stepsOf(time);
    for (let from = 0; from + steps.length <= own.length; from++)
      if (steps.every((step, index) => own[from + index] === step)) found.set(time[from]!, { symbol, from });
  }
  return found.size === 1 ? [...found.values()][0] : undefined;
}

function stepsOf(time: Float64Array): number[] {
  return Array.from({ length: time.length - 1 }, (_, bar) =>
    Math.round((time[bar + 1]! - time[bar]!) / 86_400_000),
  );
}

/**
 * Returns the window of a candidate with the highest correlation of its changes between bars to the shown
 * changes.
 */
export function changes(
  column: 'close' | 'volume',
  shown: Shown,
  candidates: readonly BarSeries[],
): (Guess & { readonly correlation: number }) | undefined {
  const asked = standard(changesOf(shown[column]));
  let best: (Guess & { correlation: number }) | undefined;
  for (const series of candidates) {
    const own = changesOf(series[column]);
    for (let from = 0; from + asked.length <= own.length; from++) {
      let [sum, squares, product] = [0, 0, 0];
      for (let bar = 0; bar < asked.length; bar++) {
        const value = own[from + bar]!;
        sum += value;
        squares += value * value;
        product += value * asked[bar]!;
      }
      const deviation = Math.sqrt(Math.max(squares - (sum * sum) / asked.length, 1e-12));
      const correlation = product / deviation;
      if (best === undefined || correlation > best.correlation)
        best = { symbol: series.symbol, from, correlation };
    }
  }
  return best;
}

/**
 * Attack on histories with shuffled bars. Matches each three consecutive bars separately and returns the
 * candidate with the most matches.
 */
export function pieces(shown: Shown, candidates: readonly BarSeries[]): string | undefined {
  const own = featuresOf(shown);
  const all = candidates.map((series) => ({ symbol: series.symbol, features: featuresOf(series) }));
  const votes = new Map<string, number>();
  for (let at = 0; at + 3 <= own.length; at += 3) {
    let best = { symbol: '', apart: Number.POSITIVE_INFINITY };
    for (const { symbol, features } of all) {
      for (let from = 0; from + 3 <= features.length; from++) {
        let apart = 0;
        for (let bar = 0; bar < 3 && apart < best.apart; bar++)
          for (let part = 0; part < 4; part++)
            apart += (own[at + bar]![part]! - features[from + bar]![part]!) ** 2;
        if (apart < best.apart) best = { symbol, apart };
      }
    }
    votes.set(best.symbol, (votes.get(best.symbol) ?? 0) + 1);
  }
  return [...votes].sort((a, b) => b[1] - a[1])[0]?.[0];
}

/** Returns the candidate with the most similar volatility and bar range. */
export function moments(shown: Shown, candidates: readonly BarSeries[]): string | undefined {
  const of = (series: Shown): number[] => {
    const features = featuresOf(series);
    return [0, 1, 2, 3].map((part) =>
      Math.log(Math.sqrt(features.reduce((sum, one) => sum + one[part]! ** 2, 0) / features.length)),
    );
  };
  const asked = of(shown);
  const apart = (series: BarSeries): number =>
    of(series).reduce((sum, value, part) => sum + (value - asked[part]!) ** 2, 0);
  return [...candidates]
    .map((series) => [apart(series), series.symbol] as const)
    .sort((a, b) => a[0] - b[0])[0]?.[1];
}

/**
 * Returns features of each bar except the first, as fractions: return, gap at the open, and distances of high
 * and low.
 */
function featuresOf({ open, high, low, close }: Shown): number[][] {
  return Array.from({ length: close.length - 1 }, (_, index) => {
    const [bar, before] = [index + 1, close[index]!];
    return [
      close[bar]! / before - 1,
      open[bar]! / before - 1,
      high[bar]! / close[bar]! - 1,
      low[bar]! / close[bar]! - 1,
    ];
  });
}

function changesOf(column: Float64Array): Float64Array {
  return Float64Array.from({ length: column.length - 1 }, (_, bar) =>
    Math.log(Math.max(column[bar + 1]!, 1e-9) / Math.max(column[bar]!, 1e-9)),
  );
}

function standard(values: Float64Array): Float64Array {
  const mean = values.reduce((sum, value) => sum + value, 0) / values.length;
  const size = Math.sqrt(values.reduce((sum, value) => sum + (value - mean) ** 2, 0));
  return values.map((value) => (value - mean) / size);
}

function slidingSum(values: readonly number[], length: number): number[] {
  const sums: number[] = [];
  let sum = 0;
  for (let end = 0; end < values.length; end++) {
    sum += values[end]! - (values[end - length] ?? 0);
    if (end >= length - 1) sums.push(sum);
  }
  return sums;
}

function bestOf(
  candidates: readonly BarSeries[],
  length: number,
  scoresOf: (series: BarSeries) => readonly number[],
): Guess | undefined {
  let best: (Guess & { score: number }) | undefined;
  for (const series of candidates) {
    if (series.close.length < length) continue;
    for (const [from, score] of scoresOf(series).entries())
      if (best === undefined || score > best.score) best = { symbol: series.symbol, from, score };
  }
  return best;
}
