import type { RunSummary } from '../../analysis/index.ts';
import {
  cutoffLines,
  decisionLines,
  isFavourable,
  modelLines,
  type VerdictState,
  verdictText,
} from '../../analysis/index.ts';
import { DOORS } from '../../engine/index.ts';
import {
  columnsOf,
  grouped,
  type Paint,
  padEnd,
  padStart,
  paint,
  percentage,
  printable,
  shorten,
  type TextStyle,
  wrap,
} from '../../kernel/index.ts';
import { equityChart } from './equity-chart.ts';

export interface SummaryTextOptions extends TextStyle {
  /** Equity at each bar's close, for the chart. */
  readonly equity: ArrayLike<number>;
  /** What the bars are, such as file names; the symbols where left out. */
  readonly data?: string;
  /** The run's folder. */
  readonly folder?: string;
}

interface Cell {
  readonly label: string;
  readonly value: string;
  readonly paint?: Paint | undefined;
}

const SMALLEST_WIDTH = 30;
const WIDEST_CHART = 100;
/** Of a sentence: longer lines are hard to read. */
const WIDEST_NOTE = 100;
const CHART_ROWS = 5;
const GUTTER = 4;
const HEAD_LABEL = 10;

/** The summary that a run prints at its end: lines of at most `width` columns (at least 30), but for a longer folder; without a final newline. */
export function summaryText(summary: RunSummary, options: SummaryTextOptions): string {
  const style: TextStyle = { ...options, width: Math.max(options.width, SMALLEST_WIDTH) };
  const chart = equityChart(options.equity, CHART_ROWS, {
    ...style,
    width: Math.min(style.width, WIDEST_CHART),
  });
  const sections = [
    judgement(summary, style),
    head(summary, options, style),
    chart.map(({ label, plot }) => `${paint(label, 'dim', style)} ${paint(plot, 'cyan', style)}`.trimEnd()),
    figureTable(summary, style),
    notes(summary, style),
    options.folder === undefined ? [] : folderLines(options.folder, style),
  ];
  return sections
    .filter((lines) => lines.length > 0)
    .map((lines) => lines.join('\n'))
    .join('\n\n');
}

const VERDICT_PAINTS: Readonly<Record<VerdictState, Paint>> = {
  broke: 'red',
  incomplete: 'red',
  no_evidence: 'yellow',
  indistinguishable: 'yellow',
  worse: 'red',
  better: 'green',
};

/** The verdict, and what stands before every figure. */
function judgement({ verdict, alarms }: RunSummary, style: TextStyle): string[] {
  const { width } = style;
  const narrow = { ...style, width: Math.min(width, WIDEST_NOTE + HEAD_LABEL) };
  return [
    ...headLines('Verdict', verdictText(verdict), narrow, VERDICT_PAINTS[verdict.state]),
    ...alarms.flatMap((text) => headLines('Alarm', text, narrow, 'red')),
  ];
}

function head(summary: RunSummary, options: SummaryTextOptions, style: TextStyle): string[] {
  const arrow = style.ascii ? '->' : '→';
  const change = summary.totalReturn === null ? '' : ` (${signed(summary.totalReturn)})`;
  const bars = barCount(summary);
  const from = summary.evaluatedFrom === undefined ? '' : `, figures from ${summary.evaluatedFrom} on`;
  const period =
    summary.firstBar === null
      ? 'no bar was processed'
      : `${summary.firstBar} ${arrow} ${summary.lastBar}, ${bars}${from}`;
  const equity = `${grouped(summary.initialCash, 2)} ${arrow} ${grouped(summary.finalEquity, 2)}`;
  return [
    ...headLines('Strategy', summary.strategy, style, 'bold'),
    ...headLines('Data', shortenedPath(options.data ?? summary.symbols.join(', '), style), style),
    ...headLines('Period', period, style),
    ...headLines('Equity', `${equity}${change}`, style, signPaint(summary.totalReturn, summary)),
    ...[...modelLines(summary.model, summary.returnAfterModel), ...decisionLines(summary.activity)].flatMap(
      ([label, text]) => headLines(label, text, style),
    ),
  ];
}

function shortenedPath(text: string, style: TextStyle): string {
  return shorten(printable(text, style), style.width - HEAD_LABEL, style, 'middle');
}

/** The folder in full: a path with a piece left out cannot be opened. One that does not fit has a line to itself. */
function folderLines(folder: string, style: TextStyle): string[] {
  const path = printable(folder, style);
  if (columnsOf(path) <= style.width - HEAD_LABEL) return headLines('Folder', path, style);
  return [paint('Folder', 'dim', style), path];
}

function headLines(label: string, text: string, style: TextStyle, kind?: Paint): string[] {
  const lines = wrap(printable(text, style), style.width - HEAD_LABEL, style);
  return lines.map(
    (line, index) =>
      paint(padEnd(index === 0 ? label : '', HEAD_LABEL), 'dim', style) + paint(line, kind, style),
  );
}

function figureTable(summary: RunSummary, style: TextStyle): string[] {
  const none = style.ascii ? '-' : '–';
  const ratio = (value: number | null): string => (value === null ? none : grouped(value, 2));
  const share = (value: number | null): string => (value === null ? none : percentage(value));
  const open = summary.openTradeCount ? ` + ${grouped(summary.openTradeCount, 0)} open` : '';
  const left: Cell[] = [
    {
      label: 'Total return',
      value: share(summary.totalReturn),
      paint: signPaint(summary.totalReturn, summary),
    },
    { label: 'CAGR', value: share(summary.cagr), paint: signPaint(summary.cagr, summary) },
    { label: 'Volatility', value: share(summary.volatility) },
    { label: 'Sharpe', value: ratio(summary.sharpe) },
    { label: 'Sortino', value: ratio(summary.sortino) },
    {
      label: 'Max drawdown',
      value: share(summary.maxDrawdown),
      paint: signPaint(summary.maxDrawdown, summary),
    },
    { label: 'Time in market', value: share(summary.exposure) },
    { label: 'PSR', value: share(summary.psr) },
    { label: 'CVaR 95%', value: share(summary.conditionalValueAtRisk) },
  ];
  const right: Cell[] = [
    { label: 'Trades', value: `${grouped(summary.tradeCount, 0)}${open}` },
    { label: 'Win rate', value: share(summary.winRate) },
    { label: 'Profit factor', value: ratio(summary.profitFactor) },
    { label: 'Expectancy', value: summary.expectancy === null ? none : grouped(summary.expectancy, 2) },
    { label: 'Commission', value: grouped(summary.commissionPaid, 2) },
    { label: 'Slippage', value: grouped(summary.slippagePaid, 2) },
    { label: 'Tool calls', value: grouped(summary.toolCalls, 0) },
    {
      label: summary.benchmark === null ? 'Buy and hold' : 'Benchmark',
      value: share(summary.benchmarkReturn),
    },
    { label: 'At equal vol.', value: share(summary.benchmarkAtEqualVolatility) },
  ];
  addCashMoved(left, right, summary);
  const width = Math.max(
    ...[...left, ...right].map((cell) => columnsOf(cell.label) + 2 + columnsOf(cell.value)),
    26,
  );
  if (2 * width + GUTTER > style.width) {
    return [...left, ...right].map((cell) => cellText(cell, Math.min(width, style.width), style));
  }
  return left.map(
    (cell, row) =>
      `${cellText(cell, width, style)}${' '.repeat(GUTTER)}${cellText(right[row]!, width, style)}`,
  );
}

/** Dividends, interest and fees, where there were any; both columns stay of one length. */
function addCashMoved(left: Cell[], right: Cell[], summary: RunSummary): void {
  const moved = [
    ['Dividends', summary.dividends],
    ['Interest', summary.interest],
    ['Margin interest', summary.marginInterest],
    ['Borrow fees', summary.borrowFees],
    ['Funding', summary.funding ?? '0'],
  ].filter(([, amount]) => amount !== '0');
  if (moved.length % 2 === 1) moved.push(['', '']);
  moved.forEach(([label = '', amount = ''], index) => {
    const value = amount === '' ? '' : grouped(amount, 2);
    (index % 2 === 0 ? left : right).push({ label, value });
  });
}

function cellText({ label, value, paint: kind }: Cell, width: number, style: TextStyle): string {
  const shown = shorten(value, width - columnsOf(label) - 1, style);
  return paint(label, 'dim', style) + paint(padStart(shown, width - columnsOf(label)), kind, style);
}

const NOTED: readonly (readonly [keyof RunSummary, string])[] = [
  ['totalReturn', 'total return'],
  ['cagr', 'CAGR'],
  ['volatility', 'volatility'],
  ['sharpe', 'Sharpe'],
  ['psr', 'PSR'],
  ['sortino', 'Sortino'],
  ['maxDrawdown', 'max drawdown'],
  ['benchmarkReturn', 'benchmark'],
  ['exposure', 'time in market'],
  ['winRate', 'win rate'],
  ['profitFactor', 'profit factor'],
  ['expectancy', 'expectancy'],
  ['openTradeCount', 'open trades'],
];

function notes(summary: RunSummary, style: TextStyle): string[] {
  const warnings: string[] = [];
  // The verdict on a part of a run says it already.
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
      `The benchmark covers only ${common.firstBar} to ${common.lastBar}: figures against it are of those ${grouped(common.bars, 0)} bars${common.ownReturn === null ? '' : `, on which the run returned ${signed(common.ownReturn)}`}.`,
    );
  warnings.push(...summary.damage);
  const remarks: string[] = cutoffLines(summary.modelCutoff);
  if (openDoors.length > 0 && isUsual) remarks.push(notSealed);
  if (summary.cagr !== null && summary.underAYear)
    remarks.push('The data cover less than a year: CAGR is stretched to one.');
  if (summary.volatility !== null)
    remarks.push(
      `Annualised with ${grouped(summary.periodsPerYear, 2)} sessions a year (${summary.periodsInWords}).`,
    );
  if (summary.rejectedOrders > 0) {
    remarks.push(
      `${grouped(summary.rejectedOrders, 0)} ${summary.rejectedOrders === 1 ? 'order was' : 'orders were'} rejected.`,
    );
  }
  const { reducedOrders = 0 } = summary;
  if (reducedOrders > 0) {
    remarks.push(
      `${grouped(reducedOrders, 0)} ${reducedOrders === 1 ? 'order was' : 'orders were'} filled with fewer units than the fraction of equity asked for: buying power, commission counted, carried no more.`,
    );
  }
  if (summary.ambiguousBars > 0) remarks.push(ambiguityLine(summary));
  if (summary.uncoveredBars > 0) {
    remarks.push(
      `The finer bars of ${grouped(summary.uncoveredBars, 0)} ${summary.uncoveredBars === 1 ? 'bar' : 'bars'} do not reach its high and low or have no volume: the bar itself counted.`,
    );
  }
  const undefinedNames = new Map<string, string[]>();
  for (const [field, name] of NOTED) {
    const reason = summary.reasons[field];
    if (reason !== undefined) undefinedNames.set(reason, [...(undefinedNames.get(reason) ?? []), name]);
  }
  for (const [reason, names] of undefinedNames) remarks.push(`No ${names.join(', ')}: ${reason}.`);
  const lines = (text: string, kind: Paint): string[] =>
    wrap(printable(text, style), Math.min(style.width, WIDEST_NOTE), style).map((line) =>
      paint(line, kind, style),
    );
  return [
    ...warnings.flatMap((text) => lines(text, 'yellow')),
    ...remarks.flatMap((text) => lines(text, 'dim')),
  ];
}

const OUTCOMES = {
  insolvent: 'ended insolvent',
  interrupted: 'was interrupted',
  failed: 'failed',
  stopped: 'was stopped',
  budget_exhausted: 'used up its budget',
} as const;

function barCount({ bars }: RunSummary): string {
  return `${grouped(bars, 0)} ${bars === 1 ? 'bar' : 'bars'}`;
}

function signed(fraction: number): string {
  return `${fraction > 0 ? '+' : ''}${percentage(fraction)}`;
}

/** Green is kept for runs that are better than their benchmark. */
function signPaint(value: number | null, { verdict }: RunSummary): Paint | undefined {
  if (value === null || value === 0) return undefined;
  return value < 0 ? 'red' : isFavourable(verdict) ? 'green' : undefined;
}

function ambiguityLine({ ambiguousBars, ambiguityDifference }: RunSummary): string {
  const bars = ambiguousBars === 1 ? 'bar allows' : 'bars allow';
  return `${grouped(ambiguousBars, 0)} ${bars} several outcomes; worse and better differ by ${grouped(ambiguityDifference, 2)} together. --resolve both shows the run with either answer, finer bars (--detail) settle them.`;
}
