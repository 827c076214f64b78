import { existsSync, readdirSync } from 'node:fs';
import { basename, join } from 'node:path';
import type { DuckDBConnection } from '@duckdb/node-api';
import { type StudyReport, studyReportSchema } from '../../analysis/index.ts';
import { fillTable, QUERY_TYPES } from '../export/duckdb.ts';
import type { RunTable } from '../export/run-tables.ts';
import { readWritten } from '../files.ts';
import { listRuns } from '../read-run.ts';

export const STUDY_MANIFEST = 'study-manifest.json';
export const STUDY_FILE = 'study.json';
export const STUDY_PAGE = 'study.html';

/** True if a folder contains a study, finished or not. */
export function isStudyFolder(folder: string): boolean {
  return existsSync(join(folder, STUDY_MANIFEST));
}

/** A finished study in a results folder. */
export interface StoredStudy {
  readonly studyId: string;
  readonly folder: string;
  readonly report: StudyReport;
}

/** True if a results folder contains a study, finished or not. */
export function hasStudies(folder: string): boolean {
  return readdirSync(folder).some((name) => isStudyFolder(join(folder, name)));
}

/**
 * Reads the report of a finished study.
 *
 * @throws AppError `not_a_study` for a folder without a finished study
 */
export function readStudy(folder: string): StudyReport {
  const file = join(folder, STUDY_FILE);
  return readWritten(file, studyReportSchema, (problem) => ({
    code: 'not_a_study',
    message: `${folder} does not contain a finished study: ${file}: ${problem}.`,
    hint: `Pass a folder that sandtable study made. Continue an unfinished study: npx sandtable study --resume ${folder}`,
  }));
}

/**
 * Lists the finished studies of a results folder, and the names of unfinished or unreadable studies.
 *
 * @throws Error if the folder cannot be read
 */
export function listStudies(
  folder: string,
  onRead?: (done: number, total: number) => void,
): {
  readonly studies: readonly StoredStudy[];
  readonly unreadable: readonly string[];
} {
  const studies: StoredStudy[] = [];
  const unreadable: string[] = [];
  const names = readdirSync(folder)
    .filter((name) => isStudyFolder(join(folder, name)))
    .sort();
  for (const [place, name] of names.entries()) {
    const own = join(folder, name);
    onRead?.(place, names.length);
    try {
      studies.push({ studyId: basename(own), folder: own, report: readStudy(own) });
    } catch {
      unreadable.push(name);
    }
  }
  return { studies, unreadable };
}

/** Names of the tables of studies in SQL queries. */
export const STUDY_TABLES = ['arms', 'comparisons', 'study_runs'] as const;
type StudyTable = (typeof STUDY_TABLES)[number];
type Row = RunTable['rows'][number];

const texts = (...names: readonly string[]) => names.map((name) => [name, 'text'] as const);
const numbers = (...names: readonly string[]) => names.map((name) => [name, 'number'] as const);

const COLUMNS: Readonly<Record<StudyTable, RunTable['columns']>> = {
  arms: [
    ...texts('studyId', 'study', 'arm', 'kind', 'model', 'tools', 'mask', 'missingWindows'),
    ...numbers('runs', 'totalReturn', 'low', 'high', 'excess', 'excessLow', 'excessHigh', 'sharpe'),
    ...numbers('maxDrawdown', 'tradeCount', 'alpha', 'psr', 'randomPercentile', 'randomP', 'agreement'),
    ...numbers('brier', 'skill', 'requests', 'tokens', 'cost', 'passed', 'failed', 'untestable'),
  ],
  comparisons: [
    ...texts('studyId', 'study', 'a', 'b', 'kind'),
    ...numbers('estimate', 'low', 'high', 'p', 'pHolm', 'sessions', 'pWindows'),
  ],
  study_runs: [
    ...texts('studyId', 'arm', 'window'),
    ['sample', 'integer'],
    ...texts('outcome', 'folder'),
    ...numbers('totalReturn', 'sharpe', 'maxDrawdown', 'tradeCount'),
  ],
};

/**
 * Fills the tables of studies. `arms`: one row per arm (compared strategy) and baseline. `comparisons`: one
 * row per compared pair of arms. `study_runs`: one row per run of an arm.
 *
 * @param isNamed returns true if the query may use a table. Other tables stay empty
 */
export async function loadStudyTables(
  connection: DuckDBConnection,
  folder: string,
  isNamed: (table: string) => boolean,
): Promise<void> {
  const wanted = STUDY_TABLES.filter(isNamed);
  const { studies } = wanted.length === 0 ? { studies: [] } : listStudies(folder);
  const rowsOf = { arms: armRows, comparisons: comparisonRows, study_runs: runRows };
  for (const name of STUDY_TABLES) {
    const rows = wanted.includes(name) ? studies.flatMap(rowsOf[name]) : [];
    await fillTable(connection, { name, columns: COLUMNS[name], rows }, QUERY_TYPES);
  }
}

function armRows({ studyId, report }: StoredStudy): Row[] {
  const { name: study, arms, baselines, audit } = report;
  const all = [
    ...arms,
    ...baselines.map(({ name, figures, excess, beside }) => ({
      ...{ name, figures, excess, beside, kind: 'baseline', model: null, tools: null, mask: 'none' },
      ...{ gaps: [], random: null, agreement: null, calibration: null, usage: null },
    })),
  ];
  return all.map(
    ({ name, kind, model, tools, mask, gaps, figures, excess, beside, random, usage, ...own }) => {
      const answers = audit.find(({ arm }) => arm === name)?.answers;
      const times = (state: string): number | null =>
        answers === undefined ? null : answers.filter((one) => one.state === state).length;
      const { totalReturn, sharpe, maxDrawdown, tradeCount } = figures;
      return [
        ...[studyId, study, name, kind, model, tools, mask, gaps.join(' ')],
        ...[totalReturn.runs, totalReturn.mean, totalReturn.low, totalReturn.high],
        ...[excess?.mean ?? null, excess?.low ?? null, excess?.high ?? null],
        ...[sharpe.mean, maxDrawdown.mean, tradeCount.mean, beside?.alpha ?? null, beside?.psr ?? null],
        ...[random?.percentile ?? null, random?.pHolm ?? null, own.agreement?.aboveFloor ?? null],
        ...[own.calibration?.brier ?? null, own.calibration?.skill ?? null],
        ...[usage?.requests ?? null, usage?.tokens ?? null, usage?.cost ?? null],
        ...[times('passed'), times('failed'), times('not testable')],
      ];
    },
  );
}

function comparisonRows({ studyId, report: { name, comparisons } }: StoredStudy): Row[] {
  return comparisons.map(({ a, b, kind, estimate, low, high, p, pHolm, pWindows, sessions }) => [
    ...[studyId, name, a, b, kind, estimate, low, high, p, pHolm, sessions, pWindows],
  ]);
}

/**
 * Returns one row per run of a study. Each run has a folder `runs/ARM/WINDOW/sample-N`, which all commands
 * for runs accept.
 */
function runRows({ studyId, folder, report: { arms, windows } }: StoredStudy): Row[] {
  return arms.flatMap(({ name }) =>
    windows.flatMap((window) => {
      const own = join(folder, 'runs', studyFolderName(name), studyFolderName(window.name));
      return (existsSync(own) ? listRuns(own) : []).flatMap(({ folder: place, summary }): Row[] => {
        const { outcome = null, totalReturn = null, sharpe = null } = summary ?? {};
        const { maxDrawdown = null, tradeCount = null } = summary ?? {};
        const sample = Number(basename(place).replace(/^sample-/, ''));
        return [
          [studyId, name, window.name, sample, outcome, place, totalReturn, sharpe, maxDrawdown, tradeCount],
        ];
      });
    }),
  );
}

/** Returns the folder name of an arm (compared strategy) or a window (period) of a study. */
export function studyFolderName(name: string): string {
  return name.replaceAll(/[^\w.-]+/g, '-');
}
