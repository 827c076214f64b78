import type { MetricsOptions } from '../analysis/index.ts';
import type { RunRecord } from '../journal/index.ts';
import { type DataFrame, dataFrame, type FrameColumn } from '../market/index.ts';
import { type Cell, type ColumnType, runTable } from './export/run-tables.ts';

/** Tables of a run that are available as frames. */
export const FRAMES = ['trades', 'equity', 'decisions', 'metrics', 'features'] as const;
/** Name of a table that `toFrame` returns. */
export type FrameName = (typeof FRAMES)[number];

/**
 * Returns a table of a run as a danfo.js DataFrame. Money is float64.
 *
 * - `trades`: one row per closed trade, then one row per open trade, without an exit
 * - `equity`: one row per bar
 * - `decisions`: one row per bar: accepted and rejected orders, tool calls, and the work of the model
 * - `features`: one row per feature value, with its subject and the time at which it became visible
 * - `metrics`: one row per figure, with its convention and, if it is undefined, the reason
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
