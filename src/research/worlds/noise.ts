import type { Random } from '../../kernel/index.ts';
import { type Market, mapColumns, marketOf } from '../../market/index.ts';
import { rounded, type SymbolBase, type WorldBase } from './base.ts';

/**
 * Returns the market with independent normal noise on open, high, low and close of each bar. High and low are
 * then the highest and the lowest of the four prices.
 */
export function noisy(base: WorldBase, noise: NoiseSize, random: Random): Market {
  return marketOf(
    base.symbols.map((symbol) => noisySeries(base, symbol, noise, random.fork(symbol.series.symbol))),
  );
}

function noisySeries(
  base: WorldBase,
  { series, barAt, places }: SymbolBase,
  noise: NoiseSize,
  random: Random,
) {
  const made = mapColumns(series, (column) => column.slice());
  const bars = barAt.subarray(base.first).filter((bar) => bar >= 0);
  for (const bar of bars) {
    const range = series.high[bar]! - series.low[bar]!;
    const moved = (price: number): number => {
      const step = random.normal() * noise.size;
      if (noise.unit === 'basis-points') return price * Math.exp(step / 10_000);
      // A price stays above a hundredth of its original value.
      return Math.max(price + step * range, price / 100);
    };
    const four = [series.open, series.high, series.low, series.close].map((column) => moved(column[bar]!));
    made.open[bar] = rounded(four[0]!, places);
    made.close[bar] = rounded(four[3]!, places);
    made.high[bar] = rounded(Math.max(...four), places);
    made.low[bar] = rounded(Math.min(...four), places);
  }
  return made;
}

/** Standard deviation of the noise on prices. */
export type NoiseSize =
  | { readonly unit: 'basis-points'; readonly size: number }
  /** Share of the bar's range (high minus low): 0.1 is a tenth. */
  | { readonly unit: 'range'; readonly size: number };

/**
 * Parses a noise size. `5bp` is five basis points of each price, `10%` a tenth of each bar's range. Returns
 * undefined for any other text.
 */
export function readNoise(text: string): NoiseSize | undefined {
  const [, number = '', unit] = /^\s*(\d+\.?\d*|\.\d+)\s*(bps?|%)\s*$/i.exec(text) ?? [];
  const size = Number(number);
  if (!(size > 0)) return undefined;
  if (unit === '%') return size <= 1000 ? { unit: 'range', size: size / 100 } : undefined;
  return size <= 10_000 ? { unit: 'basis-points', size } : undefined;
}
