import { VERDICT_WORDS, type VerdictState, verdictText } from '../../analysis/index.ts';
import { columnsOf, padEnd, padStart, paint, shorten, type TextStyle, wrap } from '../../kernel/index.ts';
import {
  COMPARED_FIGURES,
  type ComparedFigure,
  type ComparedRun,
  type Comparison,
  runNames,
  searchSentences,
} from '../../runs/index.ts';
import { ratio, signedPoints } from '../shared/formats.ts';
import { differenceText, FIGURE_STYLES, figureText } from './figures.ts';

const NAME_WIDTH = 28;

/** The comparison as a table for a terminal: a figure a row, a run a column, in as many blocks as the width needs. */
export function comparisonText(comparison: Comparison, style: TextStyle): string {
  const names = runNames(comparison.runs).map((name) => shorten(name, NAME_WIDTH, style));
  const labels = ['Verdict', ...COMPARED_FIGURES.map((name) => FIGURE_STYLES[name].label)];
  const labelWidth = Math.max(...labels.map(columnsOf));
  const columns = comparison.runs.map((run, index) => columnOf(run, names[index]!));
  const widths = columns.map((column) => Math.max(...column.map(columnsOf)));
  const blocks: string[] = [];
  for (let first = 0; first < columns.length; ) {
    let end = first + 1;
    let used = labelWidth + 2 + widths[first]!;
    while (end < columns.length && used + 2 + widths[end]! <= style.width) used += 2 + widths[end++]!;
    const lines = ['', ...labels].map((label, row) => {
      const cells = columns
        .slice(first, end)
        .map((column, at) => padStart(column[row]!, widths[first + at]!));
      const text = `${padEnd(label, labelWidth)}  ${cells.join('  ')}`;
      return row === 0 ? paint(text, 'bold', style) : text;
    });
    blocks.push(lines.join('\n'));
    first = end;
  }
  const warnings = comparison.warnings.flatMap((line) => wrap(`WARNING: ${line}`, style.width, style));
  return [
    ...(warnings.length === 0 ? [] : [warnings.map((line) => paint(line, 'yellow', style)).join('\n')]),
    ...blocks,
    verdictLines(comparison, names, style),
    ...intervalLines(comparison, style),
    ...overfittingSentences(comparison).map((line) => wrap(line, style.width, style).join('\n')),
    ...sampleLines(comparison, style),
    ...differenceLines(comparison, style),
  ].join('\n\n');
}

function columnOf(run: ComparedRun, name: string): string[] {
  const own = COMPARED_FIGURES.map((figure) => {
    const text = figureText(figure, run.summary[figure]);
    const difference = run.differences[figure];
    return difference === undefined ? text : `${text} (${differenceText(figure, difference)})`;
  });
  return [name, VERDICT_WORDS[run.summary.verdict.state], ...own];
}

/** Why each run has its verdict, and what stands before its figures. */
function verdictLines(comparison: Comparison, names: readonly string[], style: TextStyle): string {
  return comparison.runs
    .flatMap(({ summary }, index) =>
      wrap(
        [`${names[index]}:`, verdictText(summary.verdict), ...summary.alarms].join(' '),
        style.width,
        style,
      ),
    )
    .join('\n');
}

/** Runs that no other is measured by, nor they by others. */
const UNFIT: ReadonlySet<VerdictState> = new Set(['broke', 'incomplete']);

/** What the paired intervals say, a sentence a run. */
export function intervalSentences(
  comparison: Comparison,
  names: readonly string[] = runNames(comparison.runs),
): string[] {
  return comparison.runs.slice(1).map((run, index) => {
    const [name, base] = [names[index + 1]!, names[0]!];
    const unfit = [run, comparison.runs[0]!].findIndex(({ summary }) => UNFIT.has(summary.verdict.state));
    if (unfit >= 0) {
      const { state } = [run, comparison.runs[0]!][unfit]!.summary.verdict;
      return `${name} against ${base}: ${unfit === 0 ? name : base} is ${VERDICT_WORDS[state].toLowerCase()}, so that nothing is said of a difference.`;
    }
    if (run.against === undefined)
      return `${name} against ${base}: they share ${run.sharedSessions} sessions, too few for an interval.`;
    const { meanReturn, sharpe, confidence } = run.against;
    const verdict =
      meanReturn.low > 0
        ? `${name} earned more than ${base}`
        : meanReturn.high < 0
          ? `${name} earned less than ${base}`
          : `Whether ${name} earned more than ${base} may be chance`;
    const range = `${signedPoints(meanReturn.low)} to ${signedPoints(meanReturn.high)} a year`;
    const ratios = sharpe === undefined ? '' : `, Sharpe ${ratio(sharpe.low)} to ${ratio(sharpe.high)}`;
    return `${verdict}: ${confidence * 100}% interval of the difference ${range}${ratios}, over ${run.sharedSessions} shared sessions.`;
  });
}

/** How much of the results could be luck, given all that was tried: a sentence a search. */
export function overfittingSentences(
  comparison: Comparison,
  names: readonly string[] = runNames(comparison.runs),
): string[] {
  const nameOf = new Map(comparison.runs.map(({ runId }, index) => [runId, names[index]!]));
  return searchSentences(comparison.searches, (runId) => nameOf.get(runId) ?? runId);
}

function intervalLines(comparison: Comparison, style: TextStyle): string[] {
  const sentences = intervalSentences(comparison);
  return sentences.length === 0
    ? []
    : [sentences.flatMap((line) => wrap(line, style.width, style)).join('\n')];
}

function sampleLines({ samples }: Comparison, style: TextStyle): string[] {
  return samples.map(({ strategy, runIds, figures }) => {
    const parts = (['totalReturn', 'sharpe', 'maxDrawdown'] as const).flatMap((name) => {
      const spread = figures[name];
      if (spread === undefined) return [];
      const { label } = FIGURE_STYLES[name];
      return [`${label} ${figureText(name, spread.mean)} ± ${figureText(name, spread.deviation)}`];
    });
    return wrap(`${strategy}, ${runIds.length} samples: ${parts.join(', ')}.`, style.width, style).join('\n');
  });
}

function differenceLines({ differences }: Comparison, style: TextStyle): string[] {
  if (differences.length === 0) return [];
  const lines = differences.map(({ name, values }) => {
    const texts = values.map((value) =>
      value === undefined ? '–' : typeof value === 'string' ? value : JSON.stringify(value),
    );
    return wrap(`  ${name}: ${texts.join(' | ')}`, style.width, style).join('\n');
  });
  return [`What was not the same:\n${lines.join('\n')}`];
}

type Cell = string | number | null;

/** A figure a row, a run a column, numbers as they are; the differences follow each run's own figures. */
export function comparisonRows(comparison: Comparison): Cell[][] {
  const names = runNames(comparison.runs);
  const head = [
    'figure',
    ...comparison.runs.flatMap((_, index) =>
      index === 0 ? [names[0]!] : [names[index]!, `${names[index]} − ${names[0]}`],
    ),
  ];
  const row = (name: ComparedFigure): Cell[] => [
    name,
    ...comparison.runs.flatMap((run, index) => {
      const value = run.summary[name] ?? null;
      return index === 0 ? [value] : [value, run.differences[name] ?? null];
    }),
  ];
  const verdicts: Cell[] = [
    'verdict',
    ...comparison.runs.flatMap(({ summary }, index) =>
      index === 0 ? [summary.verdict.state] : [summary.verdict.state, null],
    ),
  ];
  return [head, verdicts, ...COMPARED_FIGURES.map(row)];
}

export function comparisonMarkdown(comparison: Comparison): string {
  const names = runNames(comparison.runs);
  const cell = (text: string): string => text.replaceAll('|', '\\|').replaceAll(/[\r\n]+/g, ' ');
  const line = (cells: readonly string[]): string => `| ${cells.map(cell).join(' | ')} |`;
  const rows = COMPARED_FIGURES.map((name) =>
    line([
      FIGURE_STYLES[name].label,
      ...comparison.runs.map((run) => columnOf(run, '')[COMPARED_FIGURES.indexOf(name) + 2]!),
    ]),
  );
  const notes = [
    ...comparison.runs.map(({ summary }, index) =>
      [`${names[index]}:`, verdictText(summary.verdict), ...summary.alarms].join(' '),
    ),
    ...comparison.warnings.map((text) => `**Warning:** ${text}`),
    ...intervalSentences(comparison),
    ...overfittingSentences(comparison),
  ];
  return [
    line(['Figure', ...names]),
    line(['---', ...names.map(() => '---:')]),
    line(['Verdict', ...comparison.runs.map(({ summary }) => VERDICT_WORDS[summary.verdict.state])]),
    ...rows,
    ...(notes.length === 0 ? [] : ['', ...notes.map((text) => `- ${cell(text)}`)]),
  ].join('\n');
}
