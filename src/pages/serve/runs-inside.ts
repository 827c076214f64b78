import { readdirSync } from 'node:fs';
import { join, relative } from 'node:path';
import { isObject, numberOf } from '../../kernel/index.ts';
import { integer, percent, ratio } from '../shared/formats.ts';
import { isFile, isFolder } from './real-files.ts';
import type { Inside } from './research-row.ts';
import { jsonIn } from './run-facts.ts';

/** Maximum number of runs listed in the details of a row. */
const MOST_INSIDE = 100;

/** Returns the run folders below a folder, down to `depth` levels. Links are excluded. */
export function runsIn(folder: string, depth = 4): string[] {
  if (depth === 0) return [];
  return readdirSync(folder, { withFileTypes: true })
    .filter((one) => one.isDirectory() && !one.name.startsWith('.'))
    .map(({ name }) => join(folder, name))
    .sort((one, other) => one.localeCompare(other, 'en', { numeric: true }))
    .flatMap((own) =>
      isFile(join(own, 'journal.jsonl')) ? [own] : isFolder(own) ? runsIn(own, depth - 1) : [],
    );
}

/**
 * Returns a details table with the figures of the runs below a folder. Empty if the folder contains no runs.
 */
export function runsInside(folder: string, title: string): Inside[] {
  const runs = runsIn(folder);
  if (runs.length === 0) return [];
  const root = join(folder, '..');
  return [
    {
      title,
      head: ['Run', 'Return', 'Sharpe', 'Worst fall', 'Trades'],
      rows: runs.slice(0, MOST_INSIDE).map((run) => {
        const summary = jsonIn(run, 'summary.json');
        const value = (name: string): number | null =>
          isObject(summary) ? (numberOf(summary[name]) ?? null) : null;
        return {
          cells: [
            relative(folder, run).replace(/^runs\//, ''),
            percent(value('totalReturn')),
            ratio(value('sharpe')),
            percent(value('maxDrawdown')),
            integer(value('tradeCount')),
          ],
          run: relative(root, run),
        };
      }),
      more: Math.max(0, runs.length - MOST_INSIDE),
    },
  ];
}
