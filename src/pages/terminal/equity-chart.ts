import { columnsOf, grouped, padStart, type TextStyle } from '../../kernel/index.ts';

const BLOCKS = ' ▁▂▃▄▅▆▇█';
const ASCII_BLOCKS = ' .:#';

export interface ChartLine {
  /** Right-aligned amount, or blanks of the same width. */
  readonly label: string;
  readonly plot: string;
}

/**
 * A small area chart of a run's equity, top line first; the first and last labels are its highest and lowest value.
 *
 * @param equity a value a bar
 * @param rows text lines, at least 2
 * @returns no line when the equity never moves, or there is no room for eight columns
 */
export function equityChart(equity: ArrayLike<number>, rows: number, style: TextStyle): ChartLine[] {
  let low = Number.POSITIVE_INFINITY;
  let high = Number.NEGATIVE_INFINITY;
  for (let bar = 0; bar < equity.length; bar++) {
    low = Math.min(low, equity[bar]!);
    high = Math.max(high, equity[bar]!);
  }
  if (!(high > low)) return [];
  const places = Math.max(Math.abs(low), Math.abs(high)) >= 10_000 ? 0 : 2;
  const top = grouped(high, places);
  const bottom = grouped(low, places);
  const labelWidth = Math.max(columnsOf(top), columnsOf(bottom));
  const columns = style.width - labelWidth - 1;
  if (columns < 8) return [];

  const blocks = style.ascii ? ASCII_BLOCKS : BLOCKS;
  const steps = blocks.length - 1;
  // The lowest value keeps one step, so that a column is never blank.
  const levels = sampled(equity, columns).map(
    (value) => 1 + Math.round(((value - low) / (high - low)) * (rows * steps - 1)),
  );
  return Array.from({ length: rows }, (_, row) => {
    const floor = (rows - 1 - row) * steps;
    return {
      label: padStart(row === 0 ? top : row === rows - 1 ? bottom : '', labelWidth),
      plot: levels.map((level) => blocks[Math.min(Math.max(level - floor, 0), steps)]).join(''),
    };
  });
}

/** One value a column, the last one that falls in it; fewer bars than columns are drawn wider. */
function sampled(equity: ArrayLike<number>, columns: number): number[] {
  return Array.from({ length: columns }, (_, column) => {
    const next = Math.ceil(((column + 1) * equity.length) / columns);
    return equity[Math.min(next, equity.length) - 1]!;
  });
}
