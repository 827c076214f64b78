import { columnsOf, padEnd, padStart, paint, type TextStyle } from '../../kernel/index.ts';
import { grouped } from '../shared/number-formats.ts';

const BLOCKS = ' ▁▂▃▄▅▆▇█';
const ASCII_BLOCKS = ' .:#';
const LEAST_COLUMNS = 8;
/** Number of text lines for one curve. */
const ROWS = 2;
/**
 * Relative difference up to which two values count as equal, because float64 rounding can cause such a
 * difference.
 */
const ROUNDING = 1e-9;

/** Equity of an account over time. */
export interface EquityCurve {
  readonly name: string;
  /** Equity by bar. `NaN` for bars on which the curve has no value. */
  readonly values: ArrayLike<number>;
}

/**
 * Draws equity curves over the same bars as characters, on one scale. The highest and lowest value of each
 * curve are next to it.
 *
 * @param curves curves of equal length. The first curve is highlighted
 * @param nameWidth width of the names, in columns
 * @returns lines of text. Empty if all values are equal or fewer than eight columns are available
 */
export function equityChart(curves: readonly EquityCurve[], nameWidth: number, style: TextStyle): string[] {
  const ranges = curves.map(({ values }) => rangeOf(values));
  const low = Math.min(...ranges.map(({ low }) => low));
  const high = Math.max(...ranges.map(({ high }) => high));
  if (!(high - low > ROUNDING * Math.max(Math.abs(low), Math.abs(high)))) return [];
  const places = Math.max(Math.abs(low), Math.abs(high)) >= 10_000 ? 0 : 2;
  const labels = ranges.map((range) => {
    const [top, bottom] = [grouped(range.high, places), grouped(range.low, places)];
    return [top, top === bottom ? '' : bottom] as const;
  });
  const labelWidth = Math.max(...labels.flat().map(columnsOf));
  const columns = style.width - nameWidth - labelWidth - 1;
  if (columns < LEAST_COLUMNS) return [];

  const blocks = style.ascii ? ASCII_BLOCKS : BLOCKS;
  const steps = blocks.length - 1;
  // The lowest value has a height of one step, because an empty column means a missing value.
  const level = (value: number): number =>
    Number.isNaN(value) ? 0 : 1 + Math.round(((value - low) / (high - low)) * (ROWS * steps - 1));
  return curves.flatMap(({ name, values }, place) => {
    const levels = sampled(values, columns).map(level);
    return Array.from({ length: ROWS }, (_, row) => {
      const floor = (ROWS - 1 - row) * steps;
      const plot = levels.map((one) => blocks[Math.min(Math.max(one - floor, 0), steps)]).join('');
      const head = padEnd(row === 0 ? name : '', nameWidth) + padStart(labels[place]![row]!, labelWidth);
      return `${paint(head, 'dim', style)} ${paint(plot.trimEnd(), place === 0 ? 'cyan' : 'dim', style)}`.trimEnd();
    });
  });
}

function rangeOf(values: ArrayLike<number>): { readonly low: number; readonly high: number } {
  let low = Number.POSITIVE_INFINITY;
  let high = Number.NEGATIVE_INFINITY;
  for (let bar = 0; bar < values.length; bar++) {
    const value = values[bar]!;
    if (value < low) low = value;
    if (value > high) high = value;
  }
  return { low, high };
}

/**
 * Returns one value per column: the value of the last bar in the column. If there are fewer bars than
 * columns, values are repeated.
 */
function sampled(values: ArrayLike<number>, columns: number): number[] {
  return Array.from({ length: columns }, (_, column) => {
    const next = Math.ceil(((column + 1) * values.length) / columns);
    return values[Math.min(next, values.length) - 1]!;
  });
}
