/** Significant digits of masked prices and masked volumes. */
export const PRICE_DIGITS = 5;
export const VOLUME_DIGITS = 3;
/** Common price steps and volume lots, coarsest first. */
const TICKS = [
  1, 0.5, 0.25, 0.2, 0.125, 0.1, 0.0625, 0.05, 0.03125, 0.025, 0.01, 0.005, 0.001, 1e-4, 1e-5, 1e-6,
];
const LOTS = [1000, 100, 10, 1];
/** Share of the values that must lie on a grid for the grid to be recognised. */
const ENOUGH = 0.5;
/** Largest number of values examined to recognise the grid. */
const LOOKED_AT = 20_000;

/** Rounding of one symbol's prices or volumes. */
export interface Rounding {
  readonly factor: number;
  /** Step of the real values. 0 if no step was recognised. */
  readonly grid: number;
  readonly digits: number;
  /** Exponent of the power of ten of which masked values are multiples. Omitted for no such limit. */
  readonly least?: number | undefined;
  readonly seed: number;
}

/** Returns the step of the values. 0 if no step is recognised. */
export function gridOf(columns: readonly Float64Array[], kind: 'prices' | 'volumes'): number {
  const every = Math.max(1, Math.ceil(columns.reduce((sum, { length }) => sum + length, 0) / LOOKED_AT));
  const values = columns.flatMap((column) => [
    ...column.filter((value, at) => at % every === 0 && value !== 0),
  ]);
  if (values.length === 0) return 0;
  const isOn = (grid: number) => (value: number) => {
    const steps = value / grid;
    return Math.abs(steps - Math.round(steps)) <= 1e-9 * Math.max(1, Math.abs(steps));
  };
  const grids = kind === 'prices' ? TICKS : LOTS;
  return grids.find((grid) => values.filter(isOn(grid)).length >= ENOUGH * values.length) ?? 0;
}

/**
 * Masks one value: adds noise of at most half a grid step, multiplies by the factor, and rounds to
 * significant digits. The noise depends only on the value, so equal values stay equal and the order of values
 * is preserved.
 */
export function shownAs(value: number, { factor, grid, digits, least, seed }: Rounding): number {
  if (!Number.isFinite(value) || value === 0) return value;
  const size = Math.abs(grid === 0 ? value : withNoise(Math.abs(value), grid, seed)) * factor;
  const stepped =
    least === undefined ? size : Number(`${Math.max(1, Math.round(size * Number(`1e${-least}`)))}e${least}`);
  return Math.sign(value) * Number(stepped.toPrecision(digits));
}

function withNoise(value: number, grid: number, seed: number): number {
  const steps = value / grid;
  const nearest = Math.round(steps);
  if (Math.abs(steps - nearest) <= 1e-9 * Math.max(1, steps))
    return grid * (nearest + noiseOf(nearest, seed));
  const below = Math.floor(steps);
  const [low, high] = [below + noiseOf(below, seed), below + 1 + noiseOf(below + 1, seed)];
  return grid * (low + (high - low) * (steps - below));
}

/**
 * Adds noise of at most the fraction `part`. The noise depends only on the amount, so equal amounts stay
 * equal.
 */
export function moved(value: number, part: number, seed: number): number {
  return value * (1 + 2 * part * noiseOf(Math.round(value * 1e6), seed));
}

/** Returns noise from −0.5 up to 0.5. 0 for step 0. */
function noiseOf(step: number, seed: number): number {
  if (step === 0) return 0;
  let hash = Math.imul(seed ^ (step >>> 0) ^ Math.imul(Math.floor(step / 2 ** 32), 0x9e3779b1), 0x85ebca6b);
  hash = Math.imul(hash ^ (hash >>> 15), 0xc2b2ae35);
  hash = Math.imul(hash ^ (hash >>> 13), 0x27d4eb2f);
  return ((hash ^ (hash >>> 16)) >>> 0) / 2 ** 32 - 0.5;
}
