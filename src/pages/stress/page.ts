import {
  definedValues,
  probabilityText,
  STRESS_FIGURE_NAMES,
  STRESS_WORDS,
  type StressFigureName,
  type StressReport,
  shortLabel,
  type WorldRow,
} from '../../results/analysis/index.ts';
import { section, table } from '../report/sections.ts';
import { figureText } from '../shared/figure-format.ts';
import { percent } from '../shared/formats.ts';
import { type Html, html, scriptJson } from '../shared/html.ts';
import { pageHead, pageShell } from '../shared/shell.ts';
import { spread } from './charts.ts';
import { tradeConePictures } from './cones.ts';
import { kindText, madeLines } from './texts.ts';

/** Figures that have a histogram. The table contains all figures. */
const DRAWN: readonly StressFigureName[] = [
  'sharpe',
  'totalReturn',
  'maxDrawdown',
  'sortino',
  'profitFactor',
  'tradeCount',
];

/** Returns the page of a stress test. The page works offline. */
export function stressPage(report: StressReport, rows: readonly WorldRow[]): string {
  const { verdict, shuffledTrades, notes, kind } = report;
  const title = `Stress test of ${report.strategy}`;
  const [answer = '', ...more] = verdict.because;
  const period = report.firstBar === null ? 'no bar' : `${report.firstBar} to ${report.lastBar}`;
  const lines = [
    `${report.symbols.join(', ')}, ${period}`,
    `${count(report.worlds)} ${report.worlds === 1 ? 'world' : 'worlds'} ${kindText(kind)}`,
  ];
  const drawn = DRAWN.map((name) =>
    spread(name, report.figures[name], definedValues(name, rows), kind !== 'noise'),
  );
  const body = html`${pageHead({ title, lines })}
<main>
<div class="judgement" data-state="${verdict.state}"><strong>${STRESS_WORDS[verdict.state]}</strong><p>${answer}</p>${more.map((line) => html`<p>${line}</p>`)}</div>
${warnings(report, notes)}
${section('spread', kind === 'noise' ? 'The band' : 'Could luck have done it?', html`<div class="histograms">${drawn}</div><p class="note">Each bar counts worlds; the line is the run on the data themselves.${kind === 'noise' ? '' : ' Worlds that did at least as well are darker.'} What lies beyond the edges is counted into them.</p>`)}
${shuffledTrades === undefined ? '' : section('trades', 'Luck of the order, luck of the draw', shuffledTrades === null ? html`<p>Fewer than two trades were closed, or they lost all of the initial cash: there is nothing to shuffle.</p>` : html`${tradeConePictures(shuffledTrades)}<p class="note">${count(shuffledTrades.repeats)} orders and draws of ${count(shuffledTrades.trades)} closed trades, each as the share of equity that it added. Dark band: half of them; light band: nine of ten; blue line: the middle; the other line: the actual run.</p>`)}
${section('all-figures', 'All figures', figuresTable(report))}
${section('made', 'How the worlds were made', html`<ul>${madeLines(report).map((line) => html`<li>${line}</li>`)}</ul>`)}
</main>`;
  return pageShell({ title, body, data: scriptJson({}), script: 'stress.js', style: 'stress.css' });
}

function warnings(
  { failures, insolvent, asked, worlds }: StressReport,
  notes: readonly string[],
): Html | string {
  const lines = [
    ...(worlds < asked ? [`${count(worlds)} of ${count(asked)} worlds have been run.`] : []),
    ...(insolvent > 0
      ? [
          `${count(insolvent)} ${insolvent === 1 ? 'world' : 'worlds'} ended insolvent, and did worse than any other.`,
        ]
      : []),
    ...failures.map(({ error, worlds: failed }) => `${count(failed)} failed: ${error}`),
    ...notes,
  ];
  if (lines.length === 0) return '';
  return html`<div class="notices" role="note"><h2>To know</h2><ul>${lines.map((line) => html`<li>${line}</li>`)}</ul></div>`;
}

function figuresTable({ figures, kind }: StressReport): Html {
  const isNull = kind !== 'noise';
  const head = [
    'Figure',
    'Actual',
    ...(isNull ? ['p', '95% interval'] : []),
    '5%',
    '25%',
    'Middle',
    '75%',
    '95%',
  ];
  const rows = STRESS_FIGURE_NAMES.map((name) => {
    const { actual, p, interval, quantiles } = figures[name];
    const text = (value: number | undefined): string => figureText(name, value ?? null);
    const chance = [
      p === undefined || p === null ? '–' : probabilityText(p),
      interval === undefined || interval === null
        ? '–'
        : `${percent(interval.low, 1)} to ${percent(interval.high, 1)}`,
    ];
    return [
      shortLabel(name),
      text(actual ?? undefined),
      ...(isNull ? chance : []),
      text(quantiles?.q05),
      text(quantiles?.q25),
      text(quantiles?.q50),
      text(quantiles?.q75),
      text(quantiles?.q95),
    ];
  });
  const note = isNull
    ? 'p: (1 + worlds that did at least as well) / (1 + worlds). The interval is of the share of such worlds (Wilson, 1927). One figure should be chosen before looking: of many, some are small by chance.'
    : 'Worlds of a little noise keep what edge there is: they give a band, and no p.';
  return html`${table('The run among its worlds', head, rows)}<p class="note">${note}</p>`;
}

function count(value: number): string {
  return value.toLocaleString('en-US');
}
