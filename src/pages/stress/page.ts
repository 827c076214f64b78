import { paint, paragraph, type TextStyle, textTable } from '../../kernel/index.ts';
import {
  type Cone,
  definedValues,
  probabilityText,
  STRESS_FIGURE_NAMES,
  STRESS_WORDS,
  type StressFigureName,
  type StressReport,
  shortLabel,
  type TradeCones,
  type WorldRow,
} from '../../results/analysis/index.ts';
import { section, table, warningList } from '../report/figure-table.ts';
import { figureText, percent, signedPercent } from '../shared/formats.ts';
import { type Html, html, scriptJson } from '../shared/html.ts';
import { pageHead, pageShell } from '../shared/shell.ts';
import { spread } from './charts.ts';

const WIDTH = 480;
const HEIGHT = 220;
const FOOT = 22;
const HEAD = 8;

/**
 * Draws four Monte Carlo cones. A cone shows the quantiles of curves that are simulated from the closed
 * trades of the run. There are cones of equity and of drawdown, each for shuffled trades (random order) and
 * for resampled trades (drawn with replacement).
 */
function tradeConePictures(cones: TradeCones): Html {
  const { actual, shuffled, resampled, trades } = cones;
  const equity = { own: actual.equity, text: (value: number) => signedPercent(value - 1, 0) };
  const drawdown = { own: actual.drawdown, text: (value: number) => percent(value, 0) };
  return html`<div class="columns broad">${[
    picture(
      'Equity, trades resampled with replacement',
      resampled.equity,
      cones.points,
      equity,
      `At the end, nine draws of ten gave ${signedPercent(resampled.totalReturn.q05)} to ${signedPercent(resampled.totalReturn.q95)}; ${percent(resampled.losing, 0)} lost money.`,
    ),
    picture(
      'Max drawdown, trades resampled with replacement',
      resampled.drawdown,
      cones.points,
      drawdown,
      `One draw in twenty fell by ${percent(-resampled.maxDrawdown.q05)} or more.`,
    ),
    picture(
      'Equity, trades in random order',
      shuffled.equity,
      cones.points,
      equity,
      `Every order of the ${trades} trades ends at ${signedPercent(actual.totalReturn)}.`,
    ),
    picture(
      'Max drawdown, trades in random order',
      shuffled.drawdown,
      cones.points,
      drawdown,
      `The actual order fell by ${percent(-actual.maxDrawdown)} at the trades' ends; ${percent(shuffled.asDeep, 0)} of orders fell as deep, and one in twenty by ${percent(-shuffled.maxDrawdown.q05)} or more.`,
    ),
  ]}</div>`;
}

function picture(
  title: string,
  cone: Cone,
  points: readonly number[],
  actual: { readonly own: readonly number[]; readonly text: (value: number) => string },
  caption: string,
): Html {
  const all = [...cone.q05, ...cone.q95, ...actual.own];
  const [low, high] = [Math.min(...all), Math.max(...all)];
  const reach = high - low || 1;
  const last = points.at(-1) || 1;
  const x = (index: number): string => ((points[index]! / last) * WIDTH).toFixed(1);
  const y = (value: number): string =>
    (HEAD + (1 - (value - low) / reach) * (HEIGHT - FOOT - HEAD)).toFixed(1);
  const path = (values: readonly number[]): string =>
    values.map((value, index) => `${x(index)},${y(value)}`).join(' ');
  const band = (below: readonly number[], above: readonly number[]): string =>
    `${path(above)} ${below
      .map((value, index) => `${x(index)},${y(value)}`)
      .reverse()
      .join(' ')}`;
  return html`<figure><h3>${title}</h3><svg viewBox="0 0 ${WIDTH} ${HEIGHT}" role="img" aria-label="${`${title}. ${caption}`}"><polygon class="wide" points="${band(cone.q05, cone.q95)}"></polygon><polygon class="narrow" points="${band(cone.q25, cone.q75)}"></polygon><polyline class="own" points="${path(cone.q50)}"></polyline><polyline class="actual" points="${path(actual.own)}"></polyline><line class="axis" x1="0" x2="${WIDTH}" y1="${HEIGHT - FOOT}" y2="${HEIGHT - FOOT}"></line><text x="2" y="${HEAD + 12}">${actual.text(high)}</text><text x="2" y="${HEIGHT - FOOT - 4}">${actual.text(low)}</text><text x="${WIDTH}" y="${HEIGHT - 6}" text-anchor="end">${`trade ${last}`}</text></svg><figcaption>${caption}</figcaption></figure>`;
}

const KINDS: Readonly<Record<string, string>> = {
  permute: 'of the same bars in another order',
  'block-bootstrap': 'of resampled blocks of its bars',
  regime: 'simulated in regimes fitted to the data',
  noise: 'with prices moved a little',
};

function kindText(kind: string): string {
  return KINDS[kind] ?? kind;
}

/** Returns sentences that describe how the worlds (randomised markets) were generated. */
function madeLines({ kind, made, seed, symbols }: StressReport): string[] {
  const bars = made.bars.toLocaleString('en-US');
  const together = symbols.length > 1 ? ', of all symbols together' : '';
  const lines = {
    permute: [
      `Whole bars change places${together}: what each did relative to the close before it, and its volume.`,
      `${made.made.toLocaleString('en-US')} of ${bars} bars can change places.`,
    ],
    'block-bootstrap': [
      `Blocks of bars are drawn with replacement${together}, ${(made.blockLength ?? 0).toFixed(1)} bars long on average (Politis and Romano, 1994).`,
    ],
    regime: (made.regimes ?? []).map(
      ({ share, bars: stay, mean, deviation }, index) =>
        `Regime ${index + 1}: ${percent(share, 0)} of ${bars} bars, ${stay > made.bars ? 'never left once entered' : `stays of ${stay.toFixed(0)} bars`}, mean return ${percent(mean, 3)} and standard deviation ${percent(deviation, 2)} a bar.`,
    ),
    noise: [
      made.noise?.unit === 'range'
        ? `Each price is moved by normal noise with a standard deviation of ${percent(made.noise.size, 0)} of its bar's range.`
        : `Each price is moved by normal noise with a standard deviation of ${made.noise?.size ?? 0} basis points.`,
    ],
  };
  const own = kind in lines ? lines[kind as keyof typeof lines] : [];
  const end =
    kind === 'noise'
      ? []
      : ['Dates, history before the first figure and the last price of each symbol stay as they are.'];
  return [...own, ...end, `Seed ${seed}.`];
}

const SHOWN: readonly StressFigureName[] = [
  'sharpe',
  'totalReturn',
  'maxDrawdown',
  'sortino',
  'profitFactor',
  'winRate',
  'tradeCount',
];

/** Returns the result of a stress test as text for a terminal. */
export function stressText(report: StressReport, folder: string, style: TextStyle): string {
  const { verdict, figures, kind } = report;
  const isNull = kind !== 'noise';
  const rows = SHOWN.map((name) => {
    const { actual, p, quantiles } = figures[name];
    const text = (value: number | undefined | null): string => figureText(name, value ?? null);
    return [
      shortLabel(name),
      text(actual),
      ...(isNull ? [p === undefined || p === null ? '–' : probabilityText(p)] : []),
      text(quantiles?.q05),
      text(quantiles?.q50),
      text(quantiles?.q95),
    ];
  });
  const head = ['', 'Actual', ...(isNull ? ['p'] : []), '5%', 'Middle', '95%'];
  const table = textTable(head, rows, style);
  const { shuffledTrades: cones } = report;
  return [
    paint(paragraph([`${STRESS_WORDS[verdict.state]}. ${verdict.because[0] ?? ''}`], style), 'bold', style),
    ...(verdict.because.length < 2 ? [] : [paragraph(verdict.because.slice(1), style)]),
    '',
    paragraph(
      [
        `${report.worlds.toLocaleString('en-US')} worlds ${kindText(kind)}${report.insolvent > 0 ? `, ${report.insolvent} of them insolvent` : ''}${report.failed > 0 ? `, ${report.failed} failed` : ''}`,
      ],
      style,
    ),
    table,
    ...(cones === undefined || cones === null
      ? []
      : [
          '',
          paragraph(
            [
              `Resampled trades: ${percent(cones.resampled.totalReturn.q05)} to ${percent(cones.resampled.totalReturn.q95)} in nine draws of ten, one in twenty fell by ${percent(-cones.resampled.maxDrawdown.q05)} or more.`,
            ],
            style,
          ),
        ]),
    ...(report.notes.length === 0 ? [] : ['', paragraph(report.notes, style)]),
    '',
    `Folder    ${folder}`,
  ].join('\n');
}

/** Figures for which the page draws a histogram. The table contains all figures. */
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
${section('spread', kind === 'noise' ? 'The band' : 'Actual result and worlds without an edge', html`<div class="columns">${drawn}</div><p class="note">Each bar counts worlds; the line is the run on the actual data.${kind === 'noise' ? '' : ' Worlds that did at least as well have the stronger colour.'} Values beyond the edges are counted in the outermost bars.</p>`)}
${shuffledTrades === undefined ? '' : section('trades', 'Shuffled and resampled trades', shuffledTrades === null ? html`<p>Fewer than two trades were closed, or they lost all of the initial cash: there is nothing to shuffle.</p>` : html`${tradeConePictures(shuffledTrades)}<p class="note">${count(shuffledTrades.repeats)} orders and draws of ${count(shuffledTrades.trades)} closed trades, each as the share of equity that it added. Inner band: half of them. Outer band: nine of ten. Line inside the inner band: the median. Other line: the actual run.</p>`)}
${section('all-figures', 'All figures', figuresTable(report))}
${section('made', 'How the worlds were made', html`<ul>${madeLines(report).map((line) => html`<li>${line}</li>`)}</ul>`)}
</main>`;
  return pageShell({ title, body, data: scriptJson({}), script: 'stress.js' });
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
  return warningList(lines);
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
