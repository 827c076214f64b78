import type { MetricsOptions } from '../analysis/index.ts';
import type { RunRecord } from '../journal/index.ts';
import { type DataFrame, dataFrame, type FrameColumn } from '../market/index.ts';
import { type Cell, type ColumnType, runTable } from './export/run-tables.ts';

/** The tables of a run that can be had as frames. */
export const FRAMES = ['trades', 'equity', 'decisions', 'metrics', 'features'] as const;
/** A table of a run that `toFrame` gives. */
export type FrameName = (typeof FRAMES)[number];

/**
 * A table of a run as a danfo.js DataFrame; money is float64 in it.
 *
 * - `trades`: a row a closed trade, then a row a trade still open, without an exit
 * - `equity`: a row a bar
 * - `decisions`: a row a bar: orders accepted, refused, tools called, and how a model came to it
 * - `features`: a row a value that became known, with what it is about and when it was known
 * - `metrics`: a row a figure, with its convention and, where it is not defined, the reason
 */
export function runFrame(
  record: RunRecord,
  name: FrameName,
  options: MetricsOptions = {},
): Promise<DataFrame> {
  const { columns, rows } = runTable(record, name, options);
  return dataFrame(
    Object.fromEntries(
      columns.map(([column, type], index) => [
        column,
        frameColumn(
          rows.map((row) => row[index] ?? null),
          type,
        ),
      ]),
    ),
  );
}

function frameColumn(cells: readonly Cell[], type: ColumnType): FrameColumn {
  if (type === 'text' || type === 'instant') return cells.map((cell) => cell ?? '');
  if (type === 'boolean') return cells;
  return cells.map((cell) => (cell === null ? Number.NaN : Number(cell)));
}
