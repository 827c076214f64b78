import type { SpineRow } from '../../analysis/index.ts';
import {
  asciiText,
  columnsOf,
  type Paint,
  padEnd,
  padStart,
  paint,
  shorten,
  type TextStyle,
} from '../../kernel/index.ts';
import { MISSING } from '../shared/number-formats.ts';
import { spineTexts } from '../shared/spine-format.ts';

const GAP = 2;
const INTERVAL = '95% interval';

/** A column of the table, by row. */
interface Column {
  readonly head: string;
  readonly cells: readonly string[];
  /** Whether its cells are coloured by what the interval supports. */
  readonly isPainted?: boolean;
}

/**
 * The table against the benchmark as lines of at most `width` columns: as the report's first table, by the same formats.
 *
 * A wide terminal has units and a picture of each interval; in a narrow one the columns stand in several blocks. A column
 * without a value is left out.
 *
 * @param isJudged whether differences may be coloured at all
 */
export function spineText(rows: readonly SpineRow[], isJudged: boolean, style: TextStyle): string[] {
  const texts = spineTexts(rows);
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
  // Half an interval would be read as another one.
  const shown = all.filter((column) => column.head !== INTERVAL || widthOf(names, [column]) <= style.width);
  return blocksOf(names, shown, style.width).flatMap((block, place) => [
    ...(place === 0 ? [] : ['']),
    ...linesOf(names, block, paints, style),
  ]);
}

function paintOf({ supports }: SpineRow, isJudged: boolean): Paint | undefined {
  if (!isJudged || supports === null) return undefined;
  return supports === 'better' ? 'green' : 'red';
}

/** Numbers with their points below each other, whatever unit follows them. */
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

/** As many columns beside each other as there is room for. */
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

/** Columns on either side of zero. */
const REACH = 9;

/** The interval around zero, each row by its own largest bound: as the report draws it. */
function whisker({ difference, low, high }: SpineRow): string {
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
