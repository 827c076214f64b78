import { alarmGroupLines } from '../../results/analysis/index.ts';
import type { SweepResult } from '../../results/runs/index.ts';
import { section, table, toned, warningList } from '../report/figure-table.ts';
import { integer, percent, ratio, signedPercent } from '../shared/formats.ts';
import { type Content, type Html, html, readStamp, scriptJson } from '../shared/html.ts';
import { type PageLink, pageHead, pageShell } from '../shared/shell.ts';
import { heatmapFigures, importanceTable } from './heatmaps.ts';
import {
  objectiveFormat,
  parallelFigure,
  parametersText,
  type SweepTrial,
  scatterFigure,
  sliceFigures,
} from './plots.ts';
import { crossValidationSection, walkForwardSection } from './walk-forward.ts';

/** Maximum number of lines in the picture of all trials. A picture with more lines is not readable. */
const MOST_LINES = 1_000;

/**
 * Returns the page of a sweep, which works offline. It begins with the out-of-sample result of the best
 * trial. The comparison with all other trials follows.
 *
 * @param trials all trials of the sweep, in their order
 * @param readAt time at which the trials in the results folder were counted, shown on the page; not shown if
 *   omitted
 * @param runs names of stored run folders, by id of the trial
 */
export function sweepPage(
  result: SweepResult,
  trials: readonly SweepTrial[],
  links: readonly PageLink[] = [],
  readAt?: Date,
  runs: ReadonlyMap<string, string> = new Map(),
): string {
  const { strategy, period, counts, objective, best, walkForward, crossValidation } = result;
  const title = `Sweep of ${strategy.name}`;
  const text = objectiveFormat(objective.text);
  const symbols = result.data.flatMap((one) => one.symbols);
  const lines = [
    `${symbols.slice(0, 8).join(', ')}${symbols.length > 8 ? ` and ${symbols.length - 8} more` : ''}, ${period.evaluatedFrom ?? period.firstBar} to ${period.lastBar}`,
    `${count(counts.trials, 'trial')} by ${result.search.name} search, ${objective.minimise ? 'least' : 'most'} ${objective.text}${objective.constraints.map((one) => `, ${one}`).join('')}`,
  ];
  const body = html`${pageHead({ title, lines, links })}
<main>
${judgement(result)}
${notices(result)}
${best === null ? '' : section('best', 'Best trial', bestTiles(best, text, objective.text))}
${best === null || result.heatmaps.length === 0 ? '' : section('maps', 'Parameter sensitivity', plateauLine(result), html`<div class="columns"><div>${heatmapFigures(result, trials, runs)}</div><div>${importanceTable(result, trials)}</div></div>`)}
${best === null || result.slices.length === 0 ? '' : section('slices', 'Objective by parameter', sliceFigures(result))}
${section('halves', 'First half and second half', scatterFigure(result))}
${walkForward === null ? '' : walkForwardSection(walkForward, objective.text, text)}
${crossValidation === null ? '' : crossValidationSection(crossValidation, text)}
${result.stability.length === 0 ? '' : section('stability', 'Stability of the best trial', stabilityTable(result))}
${section('trials', 'All trials', best === null ? '' : parallelFigure(result, mostTelling(result, trials)), topTable(result, text, runs))}
${section('luck', 'Robustness', beliefTable(result), readAt === undefined ? '' : html`<p class="note">${readStamp(readAt)}</p>`)}
</main>`;
  return pageShell({ title, body, data: scriptJson({}), script: 'sweep.js', style: 'sweep.css' });
}

function judgement({ answer, plateau }: SweepResult): Html {
  const state = answer.holds === null ? 'unknown' : answer.holds ? 'holds' : 'fails';
  const heading = {
    unknown: 'Not known',
    holds: 'It may hold out of sample',
    fails: 'It does not hold out of sample',
  }[state];
  // The heading is equal to the first words of the answer, which are therefore removed.
  const reason = answer.text.replace(`${heading}: `, '');
  return html`<div class="judgement" data-state="${state}"><strong>${heading}</strong><p>${reason.charAt(0).toUpperCase()}${reason.slice(1)}</p>${plateau === null ? '' : html`<p>${plateau.text}</p>`}</div>`;
}

function notices({ warnings, counts, failures, alarms, period }: SweepResult): Html | string {
  const lines = [
    ...warnings,
    ...(period.holdoutFrom === null
      ? []
      : [`The bars from ${period.holdoutFrom} on were withheld from this sweep.`]),
    ...(counts.refused > 0
      ? [`${count(counts.refused, 'combination')} refused by the strategy’s schema, and not run.`]
      : []),
    ...(counts.unrated > 0
      ? [
          `${count(counts.unrated, 'trial')} without an objective: it is not defined there, or a constraint is not met.`,
        ]
      : []),
    ...alarmGroupLines(alarms, counts.trials, 'trial').map((line) => `Alarm: ${line}`),
    ...failures.map(({ message, trials }) => `${count(trials, 'trial')} failed: ${message}`),
  ];
  return warningList(lines);
}

function bestTiles(
  { parameters, objective, summary }: NonNullable<SweepResult['best']>,
  text: (value: number | null) => string,
  name: string,
): Html {
  const held =
    summary.benchmarkReturn === null
      ? ''
      : `${signedPercent(summary.benchmarkReturn)} by ${summary.benchmark ?? 'the benchmark'}, held`;
  const own: [string, Content, string][] = [
    ['Total return', toned(signedPercent(summary.totalReturn), summary.totalReturn), held],
    ['CAGR', signedPercent(summary.cagr), `volatility ${percent(summary.volatility)}`],
    [
      'Max drawdown',
      percent(summary.maxDrawdown),
      `${percent(summary.exposure, 0)} of the time in the market`,
    ],
    ['Sharpe ratio', ratio(summary.sharpe), `Sortino ${ratio(summary.sortino)}`],
    [
      'Closed trades',
      integer(summary.tradeCount),
      `${percent(summary.winRate)} won, profit factor ${ratio(summary.profitFactor)}`,
    ],
  ];
  return html`<p><strong>${parametersText(parameters)}</strong>: ${name} ${text(objective)}. ${summary.verdict.because[0] ?? ''}</p><dl class="tiles">${own.map(([label, value, detail]) => html`<div><dt>${label}</dt><dd>${value}<small>${detail}</small></dd></div>`)}</dl>`;
}

function plateauLine({ plateau }: SweepResult): Html | string {
  return plateau === null
    ? ''
    : html`<p class="plateau" data-state="${plateau.state.replace(' ', '-')}">${plateau.text}</p>`;
}

function stabilityTable({ stability }: SweepResult): Html {
  return table(
    'Stability of the best trial',
    ['From', 'To', 'Sharpe', 'Rank among all'],
    stability.map(({ from, to, sharpe, rank, trials }) => [
      from,
      to === 'end' ? 'the end' : to,
      toned(ratio(sharpe), sharpe),
      rank === null ? '–' : `${integer(Math.round(rank))} of ${integer(trials)}`,
    ]),
  );
}

function topTable(
  { top, objective }: SweepResult,
  text: (value: number | null) => string,
  runs: ReadonlyMap<string, string>,
): Html {
  if (top.length === 0) return html`<p>No trial has an objective.</p>`;
  const names = Object.keys(top[0]!.parameters);
  const isSharpe = objective.text === 'sharpe';
  const rows = top.map((one, place): Content[] => [
    runs.has(one.id)
      ? html`<a data-run="${runs.get(one.id)}" href="runs/${runs.get(one.id)}/report.html">${place + 1}</a>`
      : String(place + 1),
    ...names.map((name) => String(one.parameters[name])),
    ...(isSharpe ? [] : [text(one.objective)]),
    toned(signedPercent(one.totalReturn), one.totalReturn),
    ratio(one.sharpe),
    percent(one.maxDrawdown),
    integer(one.tradeCount),
  ]);
  return table(
    'The ten best',
    ['Rank', ...names, ...(isSharpe ? [] : [objective.text]), 'Return', 'Sharpe', 'Max drawdown', 'Trades'],
    rows,
  );
}

function beliefTable({ deflatedSharpe: deflated, pbo, looks }: SweepResult): Html {
  const because = (value: string, reason: string | undefined): string =>
    reason === undefined ? value : `– (${reason})`;
  const rows: [string, string, string][] = [
    [
      'Deflated Sharpe ratio',
      because(percent(deflated.value), deflated.reason),
      deflated.luckySharpe === null
        ? 'Probability that the best’s Sharpe ratio is above what as many trials show by luck alone.'
        : `Probability that the best’s Sharpe ratio is above what ${integer(deflated.trials)} different trials show by luck alone, ${ratio(deflated.luckySharpe)} a year.`,
    ],
    [
      'Sharpe ratio of the best, 95%',
      deflated.sharpeInterval === null
        ? '–'
        : `${ratio(deflated.sharpeInterval[0])} to ${ratio(deflated.sharpeInterval[1])}`,
      'For returns of this skewness and kurtosis, before its choice is taken account of.',
    ],
    [
      'Probability of overfitting (PBO)',
      because(
        `${percent(pbo.value, 1)}${pbo.interval === null ? '' : `, ${percent(pbo.interval[0], 0)} to ${percent(pbo.interval[1], 0)}`}`,
        pbo.reason,
      ),
      `Share of ${pbo.splits === 0 ? 'the' : integer(pbo.splits)} ways to halve the time, in ${integer(pbo.blocks)} blocks, in which the best of one half was no better than the middle on the other.`,
    ],
    [
      'Looks at these data',
      integer(looks.total),
      `${integer(looks.sweep)} by this sweep, ${integer(looks.before)} before it, by the ledger of this results folder.`,
    ],
  ];
  return table(
    'Robustness',
    ['Figure', 'Value', 'Meaning'],
    rows.map(([name, value, meaning]) => [name, value, html`<span class="wrap">${meaning}</span>`]),
  );
}

/**
 * Selects at most `MOST_LINES` trials. The first half are the best trials. The second half are evenly spaced
 * among all other trials.
 */
function mostTelling({ objective }: SweepResult, trials: readonly SweepTrial[]): readonly SweepTrial[] {
  const rated = trials.filter((one) => one.objective !== null);
  if (rated.length <= MOST_LINES) return rated;
  const sorted = [...rated].sort(
    (one, other) => (objective.minimise ? 1 : -1) * (one.objective! - other.objective!),
  );
  const half = MOST_LINES / 2;
  const rest = sorted.slice(half);
  const step = rest.length / half;
  return [
    ...sorted.slice(0, half),
    ...Array.from({ length: half }, (_, place) => rest[Math.floor(place * step)]!),
  ];
}

function count(value: number, unit: string): string {
  return `${integer(value)} ${unit}${value === 1 ? '' : 's'}`;
}
