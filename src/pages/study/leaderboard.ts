import { paint, paragraph, type TextStyle, textTable } from '../../kernel/index.ts';
import type { StudyReport } from '../../results/analysis/index.ts';
import { csvText } from '../../results/runs/index.ts';
import { section, table } from '../report/figure-table.ts';
import { MISSING, percent, ratio, signedPercent } from '../shared/formats.ts';
import { type Content, type Html, html, readStamp, scriptJson } from '../shared/html.ts';
import { pageHead, pageShell } from '../shared/shell.ts';
import type { LeaderboardGroup, LeaderboardRow } from './ranking.ts';
import {
  correctedCount,
  directions,
  isMixed,
  MIXED,
  pText,
  rangeText,
  studyAlarms,
  studyRows,
} from './texts.ts';

/**
 * Returns the content of `leaderboard.csv`, with one row per arm (compared strategy). Only arms with the same
 * `group` are comparable.
 */
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
    'excessLow',
    'excessHigh',
    'pHolding',
    'pRandom',
    'agreement',
    'passed',
    'failed',
    'untestable',
  ] as const;
  return csvText([
    [
      'group',
      'rank',
      'rankLow',
      'rankHigh',
      'symbols',
      'windows',
      'settings',
      ...names,
      'missingWindows',
      'repeats',
    ],
    ...groups.flatMap(({ symbols, windows, settings, rows }, group) =>
      rows.map((row) => [
        group + 1,
        row.rank ?? '',
        row.rankLow ?? '',
        row.rankHigh ?? '',
        symbols.join(' '),
        windows.join('; '),
        settings.join('; '),
        ...names.map((name) => row[name] ?? ''),
        row.gaps.join(' '),
        row.repeats.join(' '),
      ]),
    ),
  ]);
}

const NOTE =
  'Ranks are by the return over holding, window by window and then the mean, as the return is; among studies of the same data, windows and settings (costs, fills, cash) alone. In brackets the ranks that 95% intervals allow: arms whose intervals touch cannot be told apart, and one run alone has none. p-values are corrected within each study, not over all of them.';

/** Note for tables with rows in which mean return and mean Sharpe ratio have different signs. */
const MIXED_MEANS =
  '‡ Return and Sharpe ratio of this row do not point the same way: both are means over windows, and a window with a high ratio may have a small return.';

function rankText({ rank, rankLow, rankHigh }: LeaderboardRow): string {
  if (rank === null) return MISSING;
  return rankLow === rankHigh ? String(rank) : `${rank} (${rankLow}–${rankHigh})`;
}

/** Returns remarks about a row: windows without a result, and names of studies that repeat this study. */
function remarks({ gaps, repeats }: LeaderboardRow): string[] {
  return [
    ...(gaps.length === 0 ? [] : [`no result in ${gaps.join(', ')}: not ranked`]),
    ...(repeats.length === 0 ? [] : [`repeated as ${repeats.join(', ')}`]),
  ];
}

function intervalUnder(
  mean: number | null,
  low: number | null,
  high: number | null,
  format: (value: number | null) => string,
): Content {
  return low === null || high === null || low === high
    ? format(mean)
    : html`${format(mean)}<small>${`${format(low)} to ${format(high)}`}</small>`;
}

/**
 * Returns the page with the arms of all studies in a folder. The page works offline.
 *
 * @param readAt time at which the folder was read, shown on the page; not shown if omitted
 */
export function leaderboardPage(groups: readonly LeaderboardGroup[], readAt?: Date): string {
  const arms = groups.reduce((sum, { rows }) => sum + rows.length, 0);
  const studies = new Set(groups.flatMap(({ rows }) => rows.map(({ study }) => study))).size;
  const body = html`${pageHead({ title: 'Leaderboard', lines: [`${arms} ${arms === 1 ? 'arm' : 'arms'} of ${studies} ${studies === 1 ? 'study' : 'studies'}`] })}
<main>
${groups.map((group, place) => groupSection(group, place))}
<p class="note">${readAt === undefined ? '' : html`${readStamp(readAt)} `}${NOTE}${groups.some(({ rows }) => rows.some(isMixed)) ? ` ${MIXED_MEANS}` : ''}</p>
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
    'Arm',
    'Rank',
    'Over holding',
    'Return',
    'Sharpe',
    'p, holding',
    'p, random',
    'Agreement',
    'Audit',
  ];
  const cells = rows.map((row) => [
    html`${row.arm}${isMixed(row) ? html` <abbr title="see the note below">‡</abbr>` : ''}<small>${[...(row.model === null ? [] : [row.model]), row.study, ...remarks(row)].join('; ')}</small>`,
    rankText(row),
    intervalUnder(row.excess, row.excessLow, row.excessHigh, signedPercent),
    intervalUnder(row.totalReturn, row.low, row.high, percent),
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

/** Returns the leaderboard as text for a terminal. */
export function leaderboardText(groups: readonly LeaderboardGroup[], style: TextStyle): string {
  const parts = groups.map(({ symbols, windows, settings, rows }) => {
    const shown = textTable(
      ['Rank', 'Over holding', 'Return', 'p', 'Audit', 'Arm', 'Study'],
      rows.map((row) => [
        rankText(row),
        signedPercent(row.excess),
        percent(row.totalReturn),
        pText(row.pHolding),
        `${row.passed}/${row.failed}/${row.untestable}`,
        row.arm,
        [row.study, ...remarks(row)].join('; '),
      ]),
      style,
    );
    return `${paint(paragraph([`${symbols.length} ${symbols.length === 1 ? 'symbol' : 'symbols'}, ${[...windows, ...settings].join('; ')}`], style), 'bold', style)}\n${shown}`;
  });
  return [...parts, paragraph([`${NOTE} Audit: passed/failed/not testable.`], style)].join('\n\n');
}

/**
 * Returns the content of `study.md`: the tables of a study in Markdown for a paper. pandoc can convert them
 * to LaTeX.
 */
export function studyMarkdown(report: StudyReport): string {
  const { windows, arms, comparisons, audit, seed, version } = report;
  const notes = [...studyAlarms(report).map((line) => `Alarm: ${line}`), ...report.notes];
  const table = (head: readonly string[], rows: readonly (readonly string[])[]): string =>
    [head, head.map((_, place) => (place === 0 ? ':--' : '--:')), ...rows]
      .map((row) => `| ${row.map((cell) => cell.replaceAll('|', '\\|')).join(' | ')} |`)
      .join('\n');
  const interval = (
    { mean, low, high }: StudyReport['baselines'][number]['figures']['sharpe'],
    format: (value: number) => string,
  ): string =>
    mean === null
      ? MISSING
      : low === null || high === null
        ? format(mean)
        : `${format(mean)} [${format(low)}, ${format(high)}]`;
  const byWindow = comparisons.some(({ pWindows }) => pWindows !== null);
  const tests = audit[0]?.answers.map(({ test }) => test) ?? [];
  return `${[
    `# ${report.name}`,
    `${report.symbols.length} ${report.symbols.length === 1 ? 'symbol' : 'symbols'}; ${windows.map(({ name, from, to, sessions }) => `${name === from ? '' : `${name}: `}${from} to ${to} (${sessions} sessions)`).join('; ')}. Seed ${seed}, Sandtable ${version}.`,
    ...(notes.length === 0 ? [] : [notes.map((note) => `- ${note}`).join('\n')]),
    table(
      [
        '',
        'Return',
        'Sharpe',
        'Max. drawdown',
        'Over holding',
        'Alpha a year',
        'PSR',
        'Random agents',
        'Agreement',
      ],
      studyRows(report).map(({ shown, figures, excess, beside, random, agreement }) => [
        isMixed(directions(figures, beside)) ? `${shown} ‡` : shown,
        interval(figures.totalReturn, (value) => percent(value)),
        interval(figures.sharpe, (value) => ratio(value)),
        interval(figures.maxDrawdown, (value) => percent(value)),
        excess === undefined ? MISSING : interval(excess, (value) => signedPercent(value)),
        signedPercent(beside?.alpha, 1),
        percent(beside?.psr),
        random === null ? MISSING : `above ${percent(random.percentile, 0)} (p = ${pText(random.pHolm)})`,
        percent(agreement?.aboveFloor ?? null, 0),
      ]),
    ),
    ...(studyRows(report).some(({ figures, beside }) => isMixed(directions(figures, beside)))
      ? [`${MIXED} Return and Sharpe ratio are means over runs; PSR is of all windows joined.`]
      : []),
    `Means over ${arms.map(({ name, figures }) => `${figures.totalReturn.runs} runs of ${name}`).join(', ')}; 95% intervals by the hierarchical bootstrap over windows and samples, stretched for their number by Student’s t.`,
    table(
      ['A − B', 'A year', '95%', 'p', 'p (Holm)', ...(byWindow ? ['p (windows)'] : [])],
      comparisons.map(({ a, b, estimate, low, high, p, pHolm, pWindows }) => [
        `${a} − ${b}`,
        signedPercent(estimate),
        rangeText({ low, high }),
        pText(p),
        pText(pHolm),
        ...(byWindow ? [pText(pWindows)] : []),
      ]),
    ),
    `Paired differences of mean session returns, annualised; variance of the stationary bootstrap of sessions and of the samples, Student’s t, p (Holm) corrected for ${correctedCount({ comparisons })} primary comparisons.`,
    table(
      ['Test', ...audit.map(({ arm }) => arm)],
      tests.map((test, place) => [test, ...audit.map(({ answers }) => answers[place]!.state)]),
    ),
  ].join('\n\n')}\n`;
}
