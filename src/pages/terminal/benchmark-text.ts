import {
  asciiText,
  columnsOf,
  type Paint,
  padEnd,
  padStart,
  paint,
  shorten,
  type TextStyle,
  textTable,
} from '../../kernel/index.ts';
import type { BenchmarkRow, RunSummary } from '../../results/analysis/index.ts';
import { benchmarkTexts } from '../shared/benchmark-format.ts';
import { amount, integer, MISSING, percent, ratio } from '../shared/formats.ts';

const GAP = 2;
const INTERVAL = '95% interval';

/** Column of the table. */
interface Column {
  readonly head: string;
  readonly cells: readonly string[];
  /** If true, cells whose confidence interval excludes zero are coloured as better or worse. */
  readonly isPainted?: boolean;
}

/**
 * Formats the comparison table (strategy against benchmark) as lines of at most `width` columns. The values
 * have the same formats as in the report.
 *
 * A wide terminal also shows units and a picture of each interval. On a narrow terminal, the columns are
 * split into several blocks. Empty columns are omitted.
 *
 * @param isJudged true if differences may be coloured
 */
export function benchmarkText(rows: readonly BenchmarkRow[], isJudged: boolean, style: TextStyle): string[] {
  const texts = benchmarkTexts(rows);
  const plain = (text: string): string => (style.ascii ? asciiText(text) : text);
  const paints = rows.length === 0 ? [] : texts.map(({ row }) => paintOf(row, isJudged));
  const column = (head: string, values: readonly string[], isPainted = false): Column[] =>
    values.every((value) => value === MISSING || value === '')
      ? []
      : [{ head, cells: aligned(values).map(plain), isPainted }];
  const columns = (equal: string): Column[] => [
    ...column(
      'Strategy',
      texts.map(({ own }) => own),
    ),
    ...column(
      'Benchmark',
      texts.map(({ benchmark }) => benchmark),
    ),
    ...column(
      equal,
      texts.map(({ scaled }) => scaled),
    ),
    ...column(
      'Difference',
      texts.map(({ difference }) => difference),
      true,
    ),
    ...column(
      INTERVAL,
      texts.map(({ interval }) => interval),
      true,
    ),
  ];
  const picture = column(
    '',
    texts.map(({ row }) => whisker(row)),
    true,
  );
  const labels = (withUnit: boolean): string[] =>
    texts.map(({ label, unit, isToBenchmark }) =>
      plain(`${label}${withUnit && unit !== '' ? ` ${unit}` : ''}${isToBenchmark ? ' †' : ''}`),
    );
  const wide = columns('At equal volatility');
  const layouts = [
    { labels: labels(true), columns: [...wide, ...picture] },
    { labels: labels(true), columns: wide },
    { labels: labels(true), columns: columns('Equal vol.') },
    { labels: labels(false), columns: columns('Equal vol.') },
  ];
  const fitting = layouts.find((layout) => widthOf(layout.labels, layout.columns) <= style.width);
  const { labels: names, columns: all } = fitting ?? layouts.at(-1)!;
  // A confidence interval that continues on a second line could be misread. If its column does not fit, it is
  // omitted.
  const shown = all.filter((column) => column.head !== INTERVAL || widthOf(names, [column]) <= style.width);
  return blocksOf(names, shown, style.width).flatMap((block, place) => [
    ...(place === 0 ? [] : ['']),
    ...linesOf(names, block, paints, style),
  ]);
}

function paintOf({ supports }: BenchmarkRow, isJudged: boolean): Paint | undefined {
  if (!isJudged || supports === null) return undefined;
  return supports === 'better' ? 'green' : 'red';
}

/** Aligns numbers at their decimal points, even if only some numbers have a unit. */
function aligned(values: readonly string[]): string[] {
  const unit = [' pp', '%'].find((one) => values.some((value) => value.endsWith(one))) ?? '';
  return values.map((value) => (value.endsWith(unit) ? value : value + ' '.repeat(unit.length)));
}

function columnWidth({ head, cells }: Column): number {
  return Math.max(...[head, ...cells].map(columnsOf));
}

function widthOf(labels: readonly string[], columns: readonly Column[]): number {
  return columns.reduce(
    (total, column) => total + GAP + columnWidth(column),
    Math.max(...labels.map(columnsOf)),
  );
}

/** Splits the columns of a table into blocks that are printed below each other. Each block fits the width. */
function blocksOf(labels: readonly string[], columns: readonly Column[], width: number): Column[][] {
  const blocks: Column[][] = [];
  for (const column of columns) {
    const last = blocks.at(-1);
    if (last !== undefined && widthOf(labels, [...last, column]) <= width) last.push(column);
    else blocks.push([column]);
  }
  return blocks;
}

function linesOf(
  labels: readonly string[],
  columns: readonly Column[],
  paints: readonly (Paint | undefined)[],
  style: TextStyle,
): string[] {
  const labelWidth = Math.max(...labels.map(columnsOf));
  const room = style.width - labelWidth - GAP;
  const cell = (column: Column, text: string): string => {
    const width = Math.min(columnWidth(column), room);
    return ' '.repeat(GAP) + padStart(shorten(text.trimEnd() === '' ? '' : text, width, style), width);
  };
  const head = ' '.repeat(labelWidth) + columns.map((column) => cell(column, column.head)).join('');
  return [
    paint(head.trimEnd(), 'dim', style),
    ...labels.map((label, row) => {
      const cells = columns.map((column) => {
        const text = cell(column, column.cells[row]!);
        return paint(text, column.isPainted === true ? paints[row] : undefined, style);
      });
      return (padEnd(label, labelWidth) + cells.join('')).trimEnd();
    }),
  ];
}

/** Number of columns on each side of zero in the picture of a confidence interval. */
const REACH = 9;

/** Draws a confidence interval on a scale centred on zero. Each row has its own scale, as in the report. */
function whisker({ difference, low, high }: BenchmarkRow): string {
  if (difference === null || low === null || high === null) return '';
  const reach = Math.max(Math.abs(low), Math.abs(high), Math.abs(difference)) || 1;
  const place = (value: number): number => REACH + Math.round((value / reach) * REACH);
  const [from, to, at] = [place(low), place(high), place(difference)];
  return Array.from({ length: 2 * REACH + 1 }, (_, column) => {
    if (column === at) return '●';
    if (column === REACH) return '│';
    return column >= from && column <= to ? '─' : ' ';
  }).join('');
}

/**
 * Compares two runs of the same backtest for the terminal. On ambiguous bars, where the order of prices is
 * unknown, `worst` assumes the worst order, `best` the best.
 */
export function sideBySideText(worst: RunSummary, best: RunSummary, style: TextStyle): string {
  const rows: readonly (readonly [name: string, show: (run: RunSummary) => string])[] = [
    ['Final equity', ({ finalEquity }) => amount(finalEquity)],
    ['Return', ({ totalReturn }) => percent(totalReturn)],
    ['Sharpe', ({ sharpe }) => ratio(sharpe)],
    ['Max drawdown', ({ maxDrawdown }) => percent(maxDrawdown)],
    ['Trades', ({ tradeCount }) => integer(tradeCount)],
    ['Ambiguous bars', ({ ambiguousBars }) => integer(ambiguousBars)],
    ['Run', ({ runId }) => runId],
  ];
  return textTable(
    ['Either answer', 'worst', 'best'],
    rows.map(([name, show]) => [name, show(worst), show(best)]),
    style,
  );
}
