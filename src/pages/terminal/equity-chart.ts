import { columnsOf, padEnd, padStart, paint, type TextStyle } from '../../kernel/index.ts';
import { grouped } from '../shared/number-formats.ts';

const BLOCKS = ' ▁▂▃▄▅▆▇█';
const ASCII_BLOCKS = ' .:#';
const LEAST_COLUMNS = 8;
/** Text lines of a curve. */
const ROWS = 2;
/** Share of an amount that is only float64 rounding. */
const ROUNDING = 1e-9;

/** A curve of what an account was worth. */
export interface EquityCurve {
  readonly name: string;
  /** A value a bar; NaN where it has none. */
  readonly values: ArrayLike<number>;
}

/**
 * Sparklines of accounts over the same bars, on one scale; the labels are the highest and lowest value of each.
 *
 * @param curves of as many bars each; the first one stands out
 * @param nameWidth columns of a name
 * @returns no line where nothing ever moved, or there is no room for eight columns
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
  // The lowest value keeps one step, so that a column is blank only where there is none.
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

/** One value a column, the last one that falls in it; fewer bars than columns are drawn wider. */
function sampled(values: ArrayLike<number>, columns: number): number[] {
  return Array.from({ length: columns }, (_, column) => {
    const next = Math.ceil(((column + 1) * values.length) / columns);
    return values[Math.min(next, values.length) - 1]!;
  });
}
