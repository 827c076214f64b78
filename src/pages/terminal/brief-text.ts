import {
  columnsOf,
  padEnd,
  padStart,
  paint,
  printable,
  shorten,
  type TextStyle,
} from '../../kernel/index.ts';
import { modelLines, type RunSummary, verdictText } from '../../results/analysis/index.ts';
import { amount, integer, percent, ratio, signedPercent } from '../shared/formats.ts';
import { equityChart } from './equity-chart.ts';
import {
  barCount,
  folderLines,
  HEAD_LABEL,
  headLines,
  noteTexts,
  SMALLEST_WIDTH,
  type SummaryTextOptions,
  VERDICT_PAINTS,
  WIDEST_CHART,
  WIDEST_NOTE,
} from './summary-text.ts';

/** Maximum number of lines of the short summary. */
export const MOST_LINES = 24;

export interface BriefTextOptions extends SummaryTextOptions {
  readonly folder: string;
  /** Complete command lines to try next. They are not wrapped, so that they can be copied. */
  readonly next: readonly string[];
  /** Text without a final full stop that states where all other figures are. */
  readonly more: string;
}

/**
 * Formats the short summary at the end of a run: verdict, alarms, equity, six figures, commands to try next,
 * and the folder. If the terminal has at least 60 columns, the summary has at most `MOST_LINES` lines. Alarms
 * and warnings are shortened to fit. If some are omitted, their number is stated.
 */
export function briefText(summary: RunSummary, options: BriefTextOptions): string {
  const style: TextStyle = { ...options, width: Math.max(options.width, SMALLEST_WIDTH) };
  const { warnings, remarks } = noteTexts(summary);
  const outcome = [
    ...about(summary, options, style),
    ...equityChart([{ name: 'Equity', values: options.equity }], HEAD_LABEL, {
      ...style,
      width: Math.min(style.width, WIDEST_CHART),
    }),
    ...figures(summary, style),
    ...modelLines(summary.model, summary.returnAfterModel)
      .filter(([label]) => SHOWN_OF_MODELS.includes(label))
      .map(([label, text]) => oneLine(label, text, style)),
  ];
  const notes = remarks.length === 0 ? '' : ` (${remarks.length} ${remarks.length === 1 ? 'note' : 'notes'})`;
  const next = options.next.map((command) => printable(command, style));
  const following = [
    ...next.map(
      (command, place) => paint(padEnd(place === 0 ? 'Next' : '', HEAD_LABEL), 'dim', style) + command,
    ),
    ...headLines('', `${options.more}${notes}.`, style),
    ...folderLines(options.folder, style),
  ];
  // A terminal wraps long commands and paths. The additional lines are counted here.
  const wrapped = [...next.map((command) => HEAD_LABEL + columnsOf(command)), columnsOf(options.folder)]
    .map((columns) => Math.max(Math.ceil(columns / style.width) - 1, 0))
    .reduce((total, rows) => total + rows, 0);
  const room = MOST_LINES - outcome.length - following.length - wrapped - 2;
  return [judgement(summary, warnings, room, style), outcome, following]
    .map((lines) => lines.join('\n'))
    .join('\n\n');
}

const SHOWN_OF_MODELS: readonly string[] = ['Model', 'Cost', 'Warning'];

/**
 * Returns the verdict, the alarms and the warnings in at most `room` lines. Shortens and omits texts only as
 * far as necessary.
 */
function judgement(
  { verdict, alarms }: RunSummary,
  warnings: readonly string[],
  room: number,
  style: TextStyle,
): string[] {
  const narrow = { ...style, width: Math.min(style.width, WIDEST_NOTE + HEAD_LABEL) };
  const reason = headLines('Verdict', verdictText(verdict), narrow, VERDICT_PAINTS[verdict.state]);
  const shown = (text: (alarm: RunSummary['alarms'][number]) => string): string[] => [
    ...reason,
    ...alarms.flatMap((alarm) => headLines('Alarm', text(alarm), narrow, 'red')),
    ...warnings.flatMap((text) => headLines('Warning', text, narrow, 'yellow')),
  ];
  const complete = [
    shown(({ problem, nextStep }) => `${problem} ${nextStep}`),
    shown(({ problem }) => problem),
  ].find((lines) => lines.length <= room);
  if (complete !== undefined) return complete;
  const short = [
    ...alarms.map(({ problem }) => oneLine('Alarm', problem, narrow, 'red')),
    ...warnings.map((text) => oneLine('Warning', text, narrow, 'yellow')),
  ];
  const left = Math.max(room - Math.min(reason.length, LONGEST_REASON), 1);
  const kept = short.length <= left ? short : short.slice(0, left - 1);
  const hidden = short.length - kept.length;
  const first = reason.slice(0, Math.max(room - kept.length - (hidden > 0 ? 1 : 0), 1));
  return [
    ...first,
    ...kept,
    ...(hidden > 0 ? headLines('', `… and ${hidden} more alarms and warnings`, narrow, 'red') : []),
  ];
}

/** Maximum number of lines of the verdict, if not all alarms and warnings fit. */
const LONGEST_REASON = 4;

function about(summary: RunSummary, { data }: SummaryTextOptions, style: TextStyle): string[] {
  const { firstBar, lastBar, evaluatedFrom } = summary;
  const from = evaluatedFrom === undefined ? '' : `, figures from ${evaluatedFrom} on`;
  const period =
    firstBar === null
      ? 'no bar was processed'
      : `${firstBar} ${style.ascii ? '->' : '→'} ${lastBar}, ${barCount(summary)}${from}`;
  return [
    oneLine('Run', `${summary.strategy} on ${data ?? summary.symbols.join(', ')}`, style, 'bold'),
    oneLine('Period', period, style),
  ];
}

/** Formats six figures in as many columns as fit the width. */
function figures(summary: RunSummary, style: TextStyle): string[] {
  const open = summary.openTradeCount ? ` + ${integer(summary.openTradeCount)} open` : '';
  const cells = [
    ['Final equity', amount(summary.finalEquity)],
    ['Return', summary.totalReturn === null ? percent(null) : signedPercent(summary.totalReturn)],
    ['Benchmark', summary.benchmarkReturn === null ? percent(null) : signedPercent(summary.benchmarkReturn)],
    ['Sharpe ratio', ratio(summary.sharpe)],
    ['Max drawdown', percent(summary.maxDrawdown)],
    ['Trades', `${integer(summary.tradeCount)}${open}`],
  ].map(([label = '', value = '']) => [label, printable(value, style)] as const);
  const width = Math.max(...cells.map(([label, value]) => columnsOf(label) + 2 + columnsOf(value)));
  const columns = [3, 2, 1].find((count) => count * (width + GAP) - GAP <= style.width) ?? 1;
  return Array.from({ length: cells.length / columns }, (_, row) =>
    cells
      .slice(row * columns, (row + 1) * columns)
      .map(([label, value]) => paint(label, 'dim', style) + padStart(value, width - columnsOf(label)))
      .join(' '.repeat(GAP)),
  );
}

const GAP = 3;

function oneLine(label: string, text: string, style: TextStyle, kind?: Parameters<typeof paint>[1]): string {
  const shown = shorten(printable(text, style), style.width - HEAD_LABEL, style);
  return paint(padEnd(label, HEAD_LABEL), 'dim', style) + paint(shown, kind, style);
}
