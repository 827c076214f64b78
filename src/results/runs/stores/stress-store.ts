import { readdirSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import type { DuckDBConnection } from '@duckdb/node-api';
import { z } from 'zod';
import { exportTable, loadTable, type TableExport } from '../export/stored-table.ts';

export const STRESS_FILE = 'stress.json';
export const STRESS_PAGE = 'stress.html';
export const STRESS_WORLDS = 'worlds.parquet';
/** Name of the table of stress tests in queries. */
export const STRESS_TABLE = 'stress';

const reportSchema = z.object({
  strategy: z.string(),
  kind: z.string(),
  worlds: z.number(),
  verdict: z.object({ state: z.string(), because: z.array(z.string()) }),
});

/** Stress test with a report in a results folder. */
export interface StoredStress {
  readonly stressId: string;
  readonly folder: string;
  /** Fields of the report that lists of tests show. */
  readonly report: z.infer<typeof reportSchema>;
}

/** True if a folder contains a stress test with a report. */
export function isStressFolder(folder: string): boolean {
  return reportIn(folder) !== undefined;
}

/** Lists the stress tests of a results folder that have a readable report, newest first. */
export function listStressTests(folder: string): StoredStress[] {
  return readdirSync(folder)
    .flatMap((name) => {
      const own = join(folder, name);
      const report = reportIn(own);
      return report === undefined ? [] : [{ stressId: basename(own), folder: own, report }];
    })
    .sort((one, other) => (one.stressId < other.stressId ? 1 : -1));
}

function reportIn(folder: string): StoredStress['report'] | undefined {
  try {
    return reportSchema.safeParse(JSON.parse(readFileSync(join(folder, STRESS_FILE), 'utf8'))).data;
  } catch {
    return undefined;
  }
}

/**
 * Fills the table `stress`: one row per world with the `stressId`, the strategy and the kind of its test.
 *
 * @param isNamed true if the query may use the table; otherwise the table is empty
 */
export function loadStressTable(
  connection: DuckDBConnection,
  tests: readonly StoredStress[],
  isNamed: boolean,
): Promise<void> {
  return loadTable(
    connection,
    { name: STRESS_TABLE, ids: ['stressId', 'strategy', 'kind'], empty: 'world BIGINT, outcome VARCHAR' },
    (isNamed ? tests : []).map(({ stressId, folder, report }) => ({
      file: join(folder, STRESS_WORLDS),
      ids: [stressId, report.strategy, report.kind],
    })),
  );
}

/**
 * Exports the worlds of a stress test as one file. Returns its path.
 *
 * @throws AppError `not_a_stress_test` if the table is missing, `export_exists`, `run_folder_unwritable`
 */
export function exportStress(folder: string, where: TableExport): Promise<string> {
  return exportTable(join(folder, STRESS_WORLDS), where, {
    code: 'not_a_stress_test',
    message: `Missing ${STRESS_WORLDS} in ${folder}.`,
    hint: `Create it: npx sandtable stress --resume ${folder}`,
  });
}
