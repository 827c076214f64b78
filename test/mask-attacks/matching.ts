import type { Shown } from './attacks.ts';

/** Table of values with one row per symbol and one column per feature. */
type Table = readonly (readonly number[])[];

/**
 * Returns ten features of a series that are independent of its price level and of the order of its blocks.
 *
 * The features are volatility, range, opening gap, upper and lower shadow (logarithms of root mean squares),
 * kurtosis and skew. The others are mean return in standard deviations, spread of log volume, and correlation
 * of log volume with absolute return.
 */
export function tenFeatures({ open, high, low, close, volume }: Shown): number[] {
  const bars = Array.from({ length: close.length - 1 }, (_, index) => index + 1);
  const logs = (value: (bar: number) => number): number[] => bars.map((bar) => Math.log(value(bar)));
  const returns = logs((bar) => close[bar]! / close[bar - 1]!);
  const volumes = logs((bar) => Math.max(volume[bar]!, 1));
  const size = (values: readonly number[]): number => 0.5 * Math.log(mean(values.map((one) => one ** 2)));
  const standard = standardised(returns);
  return [
    Math.log(deviation(returns)),
    size(logs((bar) => high[bar]! / low[bar]!)),
    size(logs((bar) => open[bar]! / close[bar - 1]!)),
    size(logs((bar) => high[bar]! / Math.max(open[bar]!, close[bar]!))),
    size(logs((bar) => Math.min(open[bar]!, close[bar]!) / low[bar]!)),
    Math.log(mean(standard.map((value) => value ** 4))),
    mean(standard.map((value) => value ** 3)),
    mean(returns) / deviation(returns),
    Math.log(deviation(volumes)),
    mean(standardised(volumes).map((value, at) => value * standardised(returns.map(Math.abs))[at]!)),
  ];
}

/**
 * Returns the distance of each shown series to each candidate. Each feature is divided by its standard
 * deviation over the candidates.
 */
export function plainDistances(shown: Table, candidates: Table): number[][] {
  const spreads = candidates[0]!.map((_, feature) => deviation(candidates.map((row) => row[feature]!)));
  return shown.map((own) =>
    candidates.map((other) =>
      own.reduce((sum, value, feature) => sum + ((value - other[feature]!) / spreads[feature]!) ** 2, 0),
    ),
  );
}

/**
 * Returns the distances for an attacker who has the program. Shown features are compared with the features of
 * each candidate under masks that the attacker created.
 *
 * @param rehearsed features of each candidate under each of these masks
 */
export function rehearsedDistances(shown: Table, rehearsed: readonly Table[]): number[][] {
  const columns = (table: Table): number[][] =>
    table[0]!.map((_, feature) => table.map((row) => row[feature]!));
  const centres = rehearsed.map((table) => columns(table).map(mean));
  // All candidates share one standard deviation per feature. Few masks per candidate would give an uncertain
  // estimate.
  const spreads = centres[0]!.map((_, feature) =>
    Math.sqrt(mean(rehearsed.map((table) => deviation(columns(table)[feature]!) ** 2))),
  );
  return shown.map((own) =>
    centres.map((centre) =>
      own.reduce((sum, value, feature) => sum + ((value - centre[feature]!) / spreads[feature]!) ** 2, 0),
    ),
  );
}

/**
 * Returns the one-to-one matching with the least total distance.
 *
 * Source: H. W. Kuhn, "The Hungarian Method for the Assignment Problem", Naval Research Logistics Quarterly 2
 * (1955), in the form with potentials of J. Munkres (1957).
 *
 * @param distances square table
 * @returns the column matched to each row
 */
export function matching(distances: Table): number[] {
  const count = distances.length;
  const rows = new Array<number>(count + 1).fill(0);
  const columns = new Array<number>(count + 1).fill(0);
  /** Matched row of each column. 0 means no row. */
  const rowOf = new Array<number>(count + 1).fill(0);
  for (let row = 1; row <= count; row++) {
    const least = new Array<number>(count + 1).fill(Number.POSITIVE_INFINITY);
    const from = new Array<number>(count + 1).fill(0);
    const isUsed = new Array<boolean>(count + 1).fill(false);
    rowOf[0] = row;
    let column = 0;
    while (rowOf[column] !== 0) {
      isUsed[column] = true;
      const own = rowOf[column]!;
      let [step, next] = [Number.POSITIVE_INFINITY, 0];
      for (let other = 1; other <= count; other++) {
        if (isUsed[other]) continue;
        const reduced = distances[own - 1]![other - 1]! - rows[own]! - columns[other]!;
        if (reduced < least[other]!) [least[other], from[other]] = [reduced, column];
        if (least[other]! < step) [step, next] = [least[other]!, other];
      }
      for (let other = 0; other <= count; other++) {
        if (!isUsed[other]) {
          least[other]! -= step;
          continue;
        }
        rows[rowOf[other]!]! += step;
        columns[other]! -= step;
      }
      column = next;
    }
    for (; column !== 0; column = from[column]!) rowOf[column] = rowOf[from[column]!]!;
  }
  const found = new Array<number>(count).fill(0);
  for (const [column, row] of rowOf.entries()) if (column > 0) found[row - 1] = column - 1;
  return found;
}

function standardised(values: readonly number[]): number[] {
  const [centre, spread] = [mean(values), deviation(values)];
  return values.map((value) => (value - centre) / spread);
}

function mean(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length;
}

function deviation(values: readonly number[]): number {
  const centre = mean(values);
  return Math.sqrt(mean(values.map((value) => (value - centre) ** 2)));
}
