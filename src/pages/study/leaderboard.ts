import type { StudyReport } from '../../analysis/index.ts';
import { paint, type TextStyle, textTable } from '../../kernel/index.ts';
import { csvText, type StoredStudy } from '../../runs/index.ts';
import { section, table } from '../report/sections.ts';
import { percent, ratio, signedPercent } from '../shared/formats.ts';
import { type Html, html, scriptJson } from '../shared/html.ts';
import { MISSING } from '../shared/number-formats.ts';
import { pageHead } from '../shared/page-head.ts';
import { pageShell } from '../shared/shell.ts';
import { pText } from './texts.ts';

/** An arm of a study, among the others of the same data, windows and settings. */
interface LeaderboardRow {
  readonly study: string;
  readonly arm: string;
  readonly model: string | null;
  readonly runs: number;
  readonly totalReturn: number | null;
  readonly low: number | null;
  readonly high: number | null;
  readonly sharpe: number | null;
  /** Return less that of holding; what rows are in the order of. */
  readonly excess: number | null;
  /** After Holm, against holding and among random agents. */
  readonly pHolding: number | null;
  readonly pRandom: number | null;
  readonly agreement: number | null;
  readonly passed: number;
  readonly failed: number;
  readonly untestable: number;
}

/** Arms that can be compared: of the same data, over the same windows, at the same costs. */
interface LeaderboardGroup {
  readonly symbols: readonly string[];
  readonly windows: readonly string[];
  /** Settings in which it differs from other groups of the same data and windows, such as `commission: {…}`. */
  readonly settings: readonly string[];
  readonly rows: readonly LeaderboardRow[];
}

type Terms = StudyReport['settings'];

/** Arms of studies by what they were run on and under; in each group the largest excess over holding first. */
export function leaderboardOf(studies: readonly StoredStudy[]): LeaderboardGroup[] {
  const groups = new Map<
    string,
    { market: string; terms: Terms; symbols: readonly string[]; windows: string[]; rows: LeaderboardRow[] }
  >();
  for (const { studyId, report } of studies) {
    const windows = report.windows.map(({ from, to }) => `${from} to ${to}`);
    const market = JSON.stringify([[...report.data].sort(), windows]);
    const terms = report.settings;
    const key = JSON.stringify([market, terms]);
    const group = groups.get(key) ?? { market, terms, symbols: report.symbols, windows, rows: [] };
    group.rows.push(...rowsOf(studyId, report));
    groups.set(key, group);
  }
  const all = [...groups.values()];
  return all.map(({ market, terms, symbols, windows, rows }) => ({
    symbols,
    windows,
    settings: ownTerms(
      terms,
      all.filter((other) => other.market === market).map((other) => other.terms),
    ),
    rows: rows.sort(
      (one, other) =>
        (other.excess ?? -Infinity) - (one.excess ?? -Infinity) || (one.arm < other.arm ? -1 : 1),
    ),
  }));
}

/** The settings that not all have, as a reader writes them. */
function ownTerms(terms: Terms, all: readonly Terms[]): string[] {
  if (all.length < 2) return [];
  if (terms === undefined) return ['settings not recorded'];
  const known = all.filter((other) => other !== undefined);
  return [...new Set(known.flatMap(Object.keys))]
    .filter((name) => new Set(known.map((other) => JSON.stringify(other[name]))).size > 1)
    .map((name) => `${name}: ${termText(terms[name])}`);
}

function termText(value: unknown): string {
  if (value === undefined) return 'none';
  return JSON.stringify(value)
    .replaceAll('"', '')
    .replaceAll(/[:,]/g, (mark) => `${mark} `);
}

function rowsOf(study: string, { arms, comparisons, audit }: StudyReport): LeaderboardRow[] {
  return arms.map(({ name, model, figures, beside, random, agreement }) => {
    const answers = audit.find(({ arm }) => arm === name)?.answers ?? [];
    const times = (state: string): number => answers.filter((one) => one.state === state).length;
    return {
      study,
      arm: name,
      model,
      runs: figures.totalReturn.runs,
      totalReturn: figures.totalReturn.mean,
      low: figures.totalReturn.low,
      high: figures.totalReturn.high,
      sharpe: figures.sharpe.mean,
      excess: beside?.excess ?? null,
      pHolding: comparisons.find(({ a, b }) => a === name && b === 'buy-and-hold')?.pHolm ?? null,
      pRandom: random?.pHolm ?? null,
      agreement: agreement?.mean ?? null,
      passed: times('passed'),
      failed: times('failed'),
      untestable: times('not testable'),
    };
  });
}

/** `leaderboard.csv`: a row an arm; `group` says which of them can be compared. */
export function leaderboardCsv(groups: readonly LeaderboardGroup[]): string {
  const names = [
    'study',
    'arm',
    'model',
    'runs',
    'totalReturn',
    'low',
    'high',
    'sharpe',
    'excess',
    'pHolding',
    'pRandom',
    'agreement',
    'passed',
    'failed',
    'untestable',
  ] as const;
  return csvText([
    ['group', 'rank', 'symbols', 'windows', 'settings', ...names],
    ...groups.flatMap(({ symbols, windows, settings, rows }, group) =>
      rows.map((row, place) => [
        group + 1,
        place + 1,
        symbols.join(' '),
        windows.join('; '),
        settings.join('; '),
        ...names.map((name) => row[name] ?? ''),
      ]),
    ),
  ]);
}

const NOTE =
  'Ranks are by the return over holding, among studies of the same data, windows and settings (costs, fills, cash) alone. A p above 0.05 says that the rank may be luck; p-values are corrected within each study, not over all of them.';

/** All arms of a folder's studies as one page that opens offline. */
export function leaderboardPage(groups: readonly LeaderboardGroup[]): string {
  const arms = groups.reduce((sum, { rows }) => sum + rows.length, 0);
  const studies = new Set(groups.flatMap(({ rows }) => rows.map(({ study }) => study))).size;
  const body = html`${pageHead({ title: 'Leaderboard', lines: [`${arms} ${arms === 1 ? 'arm' : 'arms'} of ${studies} ${studies === 1 ? 'study' : 'studies'}`] })}
<main>
${groups.map((group, place) => groupSection(group, place))}
<p class="note">${NOTE}</p>
</main>`;
  return pageShell({
    title: 'Leaderboard',
    body,
    data: scriptJson({}),
    script: 'stress.js',
    style: 'study.css',
  });
}

function groupSection({ symbols, windows, settings, rows }: LeaderboardGroup, place: number): Html {
  const shown =
    symbols.length > 6
      ? `${symbols.slice(0, 6).join(', ')} and ${symbols.length - 6} more`
      : symbols.join(', ');
  const head = [
    'Rank and arm',
    'Model',
    'Return',
    'Over holding',
    'Sharpe',
    'p, holding',
    'p, random',
    'Agreement',
    'Audit',
  ];
  const cells = rows.map((row, rank) => [
    html`${rank + 1}. ${row.arm}<small>${row.study}</small>`,
    row.model ?? MISSING,
    row.low === null || row.high === null || row.low === row.high
      ? percent(row.totalReturn)
      : html`${percent(row.totalReturn)}<small>${percent(row.low)} to ${percent(row.high)}</small>`,
    signedPercent(row.excess),
    ratio(row.sharpe),
    pText(row.pHolding),
    pText(row.pRandom),
    percent(row.agreement, 0),
    html`${row.passed} passed<small>${row.failed} failed, ${row.untestable} not testable</small>`,
  ]);
  return section(
    `group-${place + 1}`,
    `${shown}, ${windows.length === 1 ? windows[0]! : `${windows.length} windows from ${windows[0]!.slice(0, 10)} to ${windows.at(-1)!.slice(-10)}`}`,
    html`${settings.length === 0 ? '' : html`<p class="note">${settings.join('; ')}</p>`}${table(`Group ${place + 1}`, head, cells)}`,
  );
}

/** The leaderboard for a terminal. */
export function leaderboardText(groups: readonly LeaderboardGroup[], style: TextStyle): string {
  const parts = groups.map(({ symbols, windows, settings, rows }) => {
    const shown = textTable(
      ['Rank', 'Over holding', 'Return', 'p', 'Audit', 'Arm', 'Study'],
      rows.map((row, rank) => [
        rank + 1,
        signedPercent(row.excess),
        percent(row.totalReturn),
        pText(row.pHolding),
        `${row.passed}/${row.failed}/${row.untestable}`,
        row.arm,
        row.study,
      ]),
      style,
    );
    return `${paint(`${symbols.length} ${symbols.length === 1 ? 'symbol' : 'symbols'}, ${[...windows, ...settings].join('; ')}`, 'bold', style)}\n${shown.slice(0, shown.lastIndexOf('\n'))}`;
  });
  return [...parts, `${NOTE} Audit: passed/failed/not testable.`].join('\n\n');
}
