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
