import type { PageData } from '../model/page-data.ts';

/** What was held, by point, as shares of equity. */
export interface Exposures {
  readonly long: readonly (number | null)[];
  /** Negative. */
  readonly short: readonly (number | null)[];
  /** Of one symbol, signed. */
  of(symbol: number): (number | null)[];
}

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
  return { long, short, of: (symbol) => Array.from(weights[symbol] ?? []) };
}
