import { DOORS } from '../../engine/index.ts';
import {
  columnsOf,
  type Paint,
  padEnd,
  padStart,
  paint,
  printable,
  shorten,
  type TextStyle,
  wrap,
} from '../../kernel/index.ts';
import {
  cutoffLines,
  decisionLines,
  modelLines,
  type RunSummary,
  type VerdictState,
  verdictText,
} from '../../results/analysis/index.ts';
import { amount, integer, percent, ratio, signedPercent } from '../shared/formats.ts';
import { benchmarkText } from './benchmark-text.ts';
import { equityChart } from './equity-chart.ts';

export interface SummaryTextOptions extends TextStyle {
  /** Equity at the close of each bar, for the equity chart. */
  readonly equity: ArrayLike<number>;
  /**
   * Equity of the benchmark for the bars of the evaluation period, which are the last bars of `equity`.
   * Omitted without a benchmark.
   */
  readonly benchmarkEquity?: Float64Array | undefined;
  /** Description of the data, for example file names. Default: the symbols. */
  readonly data?: string;
  /** Folder of the run. */
  readonly folder?: string;
}

interface Cell {
  readonly label: string;
  readonly value: string;
}

export const SMALLEST_WIDTH = 30;
export const WIDEST_CHART = 120;
const GUTTER = 4;
const MOST_COLUMNS = 3;
/** Width of the labels at the left, in columns. */
export const HEAD_LABEL = 10;

/**
 * Formats the summary printed at the end of a run, without a final newline. Lines have at most `width`
 * columns (at least 30). Only the folder may be longer.
 */
export function summaryText(summary: RunSummary, options: SummaryTextOptions): string {
  const style: TextStyle = { ...options, width: Math.max(options.width, SMALLEST_WIDTH) };
  const sections = [
    judgement(summary, style),
    head(summary, options, style),
    chart(summary, options, style),
    benchmarkSection(summary, style),
    figureTable(summary, style),
    summaryNotes(summary, style),
    options.folder === undefined ? [] : folderLines(options.folder, style),
  ];
  return sections
    .filter((lines) => lines.length > 0)
    .map((lines) => lines.join('\n'))
    .join('\n\n');
}

export const VERDICT_PAINTS: Readonly<Record<VerdictState, Paint>> = {
  broke: 'red',
  incomplete: 'red',
  no_evidence: 'yellow',
  indistinguishable: 'yellow',
  worse: 'red',
  better: 'green',
};

/** Returns the lines of the verdict and the alarms. */
function judgement({ verdict, alarms }: RunSummary, style: TextStyle): string[] {
  const { width } = style;
  const narrow = { ...style, width: Math.min(width, WIDEST_NOTE + HEAD_LABEL) };
  return [
    ...headLines('Verdict', verdictText(verdict), narrow, VERDICT_PAINTS[verdict.state]),
    ...alarms.flatMap(({ problem, meaning, nextStep }) => [
      ...headLines('Alarm', problem, narrow, 'red'),
      ...headLines('', `${meaning} ${nextStep}`, narrow),
    ]),
  ];
}

function head(summary: RunSummary, options: SummaryTextOptions, style: TextStyle): string[] {
  const arrow = style.ascii ? '->' : '→';
  const change = summary.totalReturn === null ? '' : ` (${signedPercent(summary.totalReturn)})`;
  const bars = barCount(summary);
  const from = summary.evaluatedFrom === undefined ? '' : `, figures from ${summary.evaluatedFrom} on`;
  const period =
    summary.firstBar === null
      ? 'no bar was processed'
      : `${summary.firstBar} ${arrow} ${summary.lastBar}, ${bars}${from}`;
  const equity = `${amount(summary.initialCash)} ${arrow} ${amount(summary.finalEquity)}`;
  return [
    ...headLines('Strategy', summary.strategy, style, 'bold'),
    ...headLines('Data', shortenedPath(options.data ?? summary.symbols.join(', '), style), style),
    ...headLines('Period', period, style),
    ...headLines('Equity', `${equity}${change}`, style),
    ...[...modelLines(summary.model, summary.returnAfterModel), ...decisionLines(summary.activity)].flatMap(
      ([label, text]) => headLines(label, text, style),
    ),
  ];
}

/**
 * Draws the equity of the run and of its benchmark on one scale. Before the evaluation period, the
 * benchmark's equity is the initial cash.
 */
function chart(summary: RunSummary, options: SummaryTextOptions, style: TextStyle): string[] {
  const { equity, benchmarkEquity: held } = options;
  const before = held === undefined ? 0 : equity.length - held.length;
  const benchmark =
    held &&
    Float64Array.from(equity, (_, bar) =>
      bar < before ? Number(summary.initialCash) : (held[bar - before] ?? Number.NaN),
    );
  return equityChart(
    [
      { name: 'Strategy', values: equity },
      ...(benchmark === undefined ? [] : [{ name: 'Benchmark', values: benchmark }]),
    ],
    HEAD_LABEL,
    { ...style, width: Math.min(style.width, WIDEST_CHART) },
  );
}

const JUDGED: ReadonlySet<VerdictState> = new Set(['better', 'worse', 'indistinguishable']);

/** Returns the comparison table and a description of the benchmark. */
function benchmarkSection({ spine: rows = [], benchmark, verdict }: RunSummary, style: TextStyle): string[] {
  if (rows.every(({ own }) => own === null)) return [];
  const table = benchmarkText(rows, JUDGED.has(verdict.state), style);
  if (rows.every(({ difference }) => difference === null)) return table;
  const text = `Benchmark: ${benchmark ?? 'the same data, bought and held'}. Differences are to it at equal volatility (†: as it is).`;
  const width = Math.min(style.width, WIDEST_NOTE);
  return [...table, ...wrap(printable(text, style), width, style).map((line) => paint(line, 'dim', style))];
}

function shortenedPath(text: string, style: TextStyle): string {
  return shorten(printable(text, style), style.width - HEAD_LABEL, style, 'middle');
}

/**
 * Returns the lines with the path of the folder. The path is not shortened, because a shortened path cannot
 * be opened. If it does not fit next to its label, it is on a separate line.
 */
export function folderLines(folder: string, style: TextStyle): string[] {
  const path = printable(folder, style);
  if (columnsOf(path) <= style.width - HEAD_LABEL) return headLines('Folder', path, style);
  return [paint('Folder', 'dim', style), path];
}

export function headLines(label: string, text: string, style: TextStyle, kind?: Paint): string[] {
  const lines = wrap(printable(text, style), style.width - HEAD_LABEL, style);
  return lines.map(
    (line, index) =>
      paint(padEnd(index === 0 ? label : '', HEAD_LABEL), 'dim', style) + paint(line, kind, style),
  );
}

/** Returns the figures that are not in the comparison table. */
function figureTable(summary: RunSummary, style: TextStyle): string[] {
  const open = summary.openTradeCount ? ` + ${integer(summary.openTradeCount)} open` : '';
  const moved = [
    ['Dividends', summary.dividends],
    ['Interest', summary.interest],
    ['Margin interest', summary.marginInterest],
    ['Borrow fees', summary.borrowFees],
    ['Funding', summary.funding ?? '0'],
  ] as const;
  const cells: Cell[] = [
    { label: 'Trades', value: `${integer(summary.tradeCount)}${open}` },
    { label: 'Win rate', value: percent(summary.winRate) },
    { label: 'Profit factor', value: ratio(summary.profitFactor) },
    { label: 'Expectancy', value: amount(summary.expectancy) },
    { label: 'Time in market', value: percent(summary.exposure) },
    { label: 'PSR', value: percent(summary.psr) },
    { label: 'Commission', value: amount(summary.commissionPaid) },
    { label: 'Slippage', value: amount(summary.slippagePaid) },
    { label: 'Tool calls', value: integer(summary.toolCalls) },
    // Dividends, interest and fees are shown only if they are not zero.
    ...moved.filter(([, money]) => money !== '0').map(([label, money]) => ({ label, value: amount(money) })),
  ].map(({ label, value }) => ({ label, value: printable(value, style) }));
  const width = Math.max(...cells.map(({ label, value }) => columnsOf(label) + 2 + columnsOf(value)), 26);
  const room = Math.floor((style.width + GUTTER) / (width + GUTTER));
  const columns = Math.min(Math.max(room, 1), MOST_COLUMNS);
  const rows = Math.ceil(cells.length / columns);
  return Array.from({ length: rows }, (_, row) =>
    cells
      .filter((_, place) => place % rows === row)
      .map((cell) => cellText(cell, Math.min(width, style.width), style))
      .join(' '.repeat(GUTTER)),
  );
}

function cellText({ label, value }: Cell, width: number, style: TextStyle): string {
  const shown = shorten(value, width - columnsOf(label) - 1, style);
  return paint(label, 'dim', style) + padStart(shown, width - columnsOf(label));
}

/** Maximum width of a note, in columns. Longer lines of text are hard to read. */
export const WIDEST_NOTE = 100;

const NOTED: readonly (readonly [keyof RunSummary, string])[] = [
  ['totalReturn', 'total return'],
  ['cagr', 'CAGR'],
  ['volatility', 'volatility'],
  ['sharpe', 'Sharpe'],
  ['psr', 'PSR'],
  ['sortino', 'Sortino'],
  ['maxDrawdown', 'worst drawdown'],
  ['benchmarkReturn', 'benchmark'],
  ['exposure', 'time in market'],
  ['winRate', 'win rate'],
  ['profitFactor', 'profit factor'],
  ['expectancy', 'expectancy'],
  ['openTradeCount', 'open trades'],
];

/** Returns the notes about a summary as lines: warnings first, then remarks. */
function summaryNotes(summary: RunSummary, style: TextStyle): string[] {
  const { warnings, remarks } = noteTexts(summary);
  const lines = (text: string, kind: Paint): string[] =>
    wrap(printable(text, style), Math.min(style.width, WIDEST_NOTE), style).map((line) =>
      paint(line, kind, style),
    );
  return [
    ...warnings.flatMap((text) => lines(text, 'yellow')),
    ...remarks.flatMap((text) => lines(text, 'dim')),
  ];
}

/**
 * Returns the notes about a summary. Warnings affect how the figures should be read. All other notes are
 * remarks.
 */
export function noteTexts(summary: RunSummary): {
  readonly warnings: readonly string[];
  readonly remarks: readonly string[];
} {
  const warnings: string[] = [];
  // The verdict "incomplete" already states that the run stopped early. No warning is needed.
  if (summary.outcome !== 'completed' && summary.verdict.state !== 'incomplete')
    warnings.push(`The run ${OUTCOMES[summary.outcome]} after ${barCount(summary)}.`);
  const { openDoors } = summary;
  const notSealed = `Not sealed: ${openDoors.join(', ')}. Results may depend on what the run does not name.`;
  const isUsual = openDoors.every((door) => door === DOORS.strategyCode);
  if (!isUsual) warnings.push(notSealed);
  if (summary.stamps.length > 0) warnings.push(`Stamped: ${summary.stamps.join(', ')}.`);
  const { commonPeriod: common } = summary;
  if (common !== null)
    warnings.push(
      `The benchmark covers only ${common.firstBar} to ${common.lastBar}. The column Strategy is of the whole run; the comparison is of these ${integer(common.bars)} bars${common.ownReturn === null ? '' : `, on which the run returned ${signedPercent(common.ownReturn)}`}.`,
    );
  warnings.push(...summary.damage);
  const remarks: string[] = cutoffLines(summary.modelCutoff);
  if (openDoors.length > 0 && isUsual) remarks.push(notSealed);
  if (summary.cagr !== null && summary.underAYear)
    remarks.push('The data cover less than a year: CAGR is stretched to one.');
  if (summary.volatility !== null)
    remarks.push(
      `Annualised with ${amount(summary.periodsPerYear)} sessions a year (${summary.periodsInWords}).`,
    );
  if (summary.rejectedOrders > 0) {
    remarks.push(
      `${integer(summary.rejectedOrders)} ${summary.rejectedOrders === 1 ? 'order was' : 'orders were'} rejected.`,
    );
  }
  const { reducedOrders = 0 } = summary;
  if (reducedOrders > 0) {
    remarks.push(
      `${integer(reducedOrders)} ${reducedOrders === 1 ? 'order was' : 'orders were'} filled with fewer units than the fraction of equity asked for: buying power, commission counted, carried no more.`,
    );
  }
  if (summary.ambiguousBars > 0) remarks.push(ambiguityLine(summary));
  if (summary.uncoveredBars > 0) {
    remarks.push(
      `The finer bars of ${integer(summary.uncoveredBars)} ${summary.uncoveredBars === 1 ? 'bar' : 'bars'} do not reach its high and low or have no volume: the bar itself counted.`,
    );
  }
  const undefinedNames = new Map<string, string[]>();
  for (const [field, name] of NOTED) {
    const reason = summary.reasons[field];
    if (reason !== undefined) undefinedNames.set(reason, [...(undefinedNames.get(reason) ?? []), name]);
  }
  for (const [reason, names] of undefinedNames) remarks.push(`No ${names.join(', ')}: ${reason}.`);
  return { warnings, remarks };
}

const OUTCOMES = {
  insolvent: 'ended insolvent',
  interrupted: 'was interrupted',
  failed: 'failed',
  stopped: 'was stopped',
  budget_exhausted: 'used up its budget',
} as const;

export function barCount({ bars }: RunSummary): string {
  return `${integer(bars)} ${bars === 1 ? 'bar' : 'bars'}`;
}

function ambiguityLine({ ambiguousBars, ambiguityDifference }: RunSummary): string {
  const bars = ambiguousBars === 1 ? 'bar allows' : 'bars allow';
  return `${integer(ambiguousBars)} ${bars} several outcomes; worse and better differ by ${amount(ambiguityDifference)} together. --resolve both shows the run with either answer, finer bars (--detail) settle them.`;
}
