import { columnsOf, padEnd, padStart, paint, shorten, type TextStyle, wrap } from '../../kernel/index.ts';
import { shortLabel, VERDICT_WORDS, type VerdictState, verdictText } from '../../results/analysis/index.ts';
import {
  COMPARED_FIGURES,
  type ComparedFigure,
  type ComparedRun,
  type Comparison,
  searchSentences,
} from '../../results/runs/index.ts';
import { differenceText, figureText, ratio, signedPoints } from '../shared/formats.ts';

const NAME_WIDTH = 28;
/**
 * Number of characters of a run's name that are always shown, if each run is a row. An 80-column terminal
 * then also has room for the verdict, return, Sharpe ratio and drawdown.
 */
const ROW_NAME_WIDTH = 24;

/** Maximum number of runs shown as columns. With more runs, each run is a row. */
const MOST_COLUMNS = 4;

/**
 * Formats the comparison for a terminal. Up to four runs are columns with one figure per row. With more runs,
 * each run is a row.
 */
export function comparisonText(comparison: Comparison, style: TextStyle): string {
  const names = comparison.runs.map(({ name }) => shorten(name, NAME_WIDTH, style));
  const warnings = comparison.warnings.flatMap((line) => wrap(`WARNING: ${line}`, style.width, style));
  const isWide = comparison.runs.length > MOST_COLUMNS;
  return [
    ...(warnings.length === 0 ? [] : [warnings.map((line) => paint(line, 'yellow', style)).join('\n')]),
    ...(isWide ? [rowsText(comparison, style)] : columnBlocks(comparison, names, style)),
    ...(isWide ? alarmLines(comparison, style) : [verdictLines(comparison, names, style)]),
    ...textBlock(duplicateSentences(comparison), style),
    ...textBlock(comparedSentences(comparison.runs), style),
    ...overfittingSentences(comparison).map((line) => wrap(line, style.width, style).join('\n')),
    ...sampleLines(comparison, style),
    ...differenceLines(comparison, style),
  ].join('\n\n');
}

const ROW_FIGURES = [
  'totalReturn',
  'sharpe',
  'maxDrawdown',
  'tradeCount',
  'cagr',
  'volatility',
  'turnover',
] as const satisfies readonly ComparedFigure[];

/** Formats each run as a row. Omits figures for which the terminal is too narrow. */
function rowsText({ runs }: Comparison, style: TextStyle): string {
  const head = ['Run', 'Verdict', ...ROW_FIGURES.map((name) => shortLabel(name))];
  const longest = Math.max(ROW_NAME_WIDTH, style.width - 56);
  const rows = runs.map(({ name, summary }) => [
    shorten(name, longest, style),
    VERDICT_WORDS[summary.verdict.state],
    ...ROW_FIGURES.map((figure) => figureText(figure, summary[figure])),
  ]);
  const widths = head.map((text, column) =>
    Math.max(columnsOf(text), ...rows.map((row) => columnsOf(row[column]!))),
  );
  let [shown, used] = [0, -2];
  while (shown < widths.length && used + 2 + widths[shown]! <= style.width) used += 2 + widths[shown++]!;
  const line = (cells: readonly string[]): string =>
    cells
      .slice(0, Math.max(shown, 1))
      .map((cell, column) => (column < 2 ? padEnd(cell, widths[column]!) : padStart(cell, widths[column]!)))
      .join('  ')
      .trimEnd();
  return [paint(line(head), 'bold', style), ...rows.map(line)].join('\n');
}

function columnBlocks(comparison: Comparison, names: readonly string[], style: TextStyle): string[] {
  const labels = ['Verdict', ...COMPARED_FIGURES.map((name) => shortLabel(name))];
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
  return blocks;
}

function textBlock(sentences: readonly string[], style: TextStyle): string[] {
  if (sentences.length === 0) return [];
  return [sentences.flatMap((line) => wrap(line, style.width, style)).join('\n')];
}

function columnOf(run: ComparedRun, name: string): string[] {
  const own = COMPARED_FIGURES.map((figure) => {
    const text = figureText(figure, run.summary[figure]);
    const difference = run.differences[figure];
    return difference === undefined ? text : `${text} (${differenceText(figure, difference)})`;
  });
  return [name, VERDICT_WORDS[run.summary.verdict.state], ...own];
}

/** Returns the reasons for each run's verdict, and the problems that its alarms report. */
function verdictLines(comparison: Comparison, names: readonly string[], style: TextStyle): string {
  return comparison.runs
    .flatMap(({ summary }, index) =>
      wrap(
        [`${names[index]}:`, verdictText(summary.verdict), ...problemsOf(summary)].join(' '),
        style.width,
        style,
      ),
    )
    .join('\n');
}

function problemsOf({ alarms }: ComparedRun['summary']): string[] {
  return alarms.map(({ problem }) => problem);
}

/** Returns the problems that alarms report, one block for each run with alarms. */
function alarmLines({ runs }: Comparison, style: TextStyle): string[] {
  const lines = runs.filter(({ summary }) => summary.alarms.length > 0);
  return textBlock(
    lines.map(({ name, summary }) => [`${name}:`, ...problemsOf(summary)].join(' ')),
    style,
  );
}

/** Verdicts of runs that are not suitable for comparison. */
const UNFIT: ReadonlySet<VerdictState> = new Set(['broke', 'incomplete']);

export function isUnfit({ summary }: ComparedRun): boolean {
  return UNFIT.has(summary.verdict.state);
}

/** Note for three or more runs: some confidence intervals exclude zero by chance. */
export const MANY_INTERVALS =
  'Each interval is of one pair. Of twenty runs that do not differ from the baseline, one is expected to appear different.';

/**
 * Returns one sentence for each run except the baseline. It states whether the confidence interval of the
 * difference in mean return contains zero.
 */
export function intervalSentences(runs: readonly ComparedRun[]): string[] {
  const baseline = runs.find((run) => run.overlap === undefined);
  if (baseline === undefined) return [];
  const base = baseline.name;
  return runs
    .filter((run) => run !== baseline)
    .map((run) => {
      const { name } = run;
      const unfit = [run, baseline].find(isUnfit);
      if (unfit !== undefined)
        return `${name} against ${base}: ${unfit.name} is ${VERDICT_WORDS[unfit.summary.verdict.state].toLowerCase()}, so no difference is stated.`;
      if (run.against === undefined)
        return `${name} against ${base}: too few shared sessions for an interval (${run.sharedSessions}).`;
      const { meanReturn, sharpe, confidence } = run.against;
      if (meanReturn.low === 0 && meanReturn.high === 0)
        return `${name} and ${base} earned the same on each of ${run.sharedSessions} shared sessions.`;
      const verdict =
        meanReturn.low > 0
          ? `${name} earned more than ${base}`
          : meanReturn.high < 0
            ? `${name} earned less than ${base}`
            : `The difference between ${name} and ${base} may be chance`;
      const range = `${signedPoints(meanReturn.low)} to ${signedPoints(meanReturn.high)} a year`;
      const ratios = sharpe === undefined ? '' : `, Sharpe ${ratio(sharpe.low)} to ${ratio(sharpe.high)}`;
      return `${verdict}: ${confidence * 100}% interval of the difference ${range}${ratios}, over ${run.sharedSessions} shared sessions.`;
    });
}

/**
 * Returns sentences for a terminal about how the returns of the runs differ from the baseline. If there are
 * more than `MOST_COLUMNS` runs, only significant differences have a sentence. `MANY_INTERVALS` follows if
 * there are three or more runs.
 */
function comparedSentences(runs: readonly ComparedRun[]): string[] {
  const sentences = runs.length > MOST_COLUMNS ? sureSentences(runs) : intervalSentences(runs);
  return runs.length < 3 ? sentences : [...sentences, MANY_INTERVALS];
}

/**
 * Returns a sentence for each run that differs significantly from the baseline, and one sentence with the
 * number of all other runs.
 */
function sureSentences(runs: readonly ComparedRun[]): string[] {
  const base = runs.find(({ overlap }) => overlap === undefined);
  const isSure = ({ against }: ComparedRun): boolean =>
    against !== undefined && (against.meanReturn.low > 0 || against.meanReturn.high < 0);
  const sure = runs.filter((run) => run === base || isSure(run));
  const rest = runs.length - sure.length;
  return [
    ...intervalSentences(sure),
    ...(rest === 0 || base === undefined
      ? []
      : [
          `Of ${rest} ${rest === 1 ? 'run' : 'runs'} it cannot be said whether ${rest === 1 ? 'it' : 'they'} earned more or less than ${base.name}: the 95% interval of the difference holds zero, or there is none.`,
        ]),
  ];
}

/** Returns one sentence for each run that duplicates another run. */
export function duplicateSentences({ runs, duplicates }: Comparison): string[] {
  return duplicates.map(({ run, of, isSameRun }) =>
    isSameRun
      ? `${runs[run]!.name} is a duplicate of ${runs[of]!.name}: the same strategy, parameters, settings and data, and the same result.`
      : `${runs[run]!.name} came to the same as ${runs[of]!.name}, trade by trade: what differs between them had no effect.`,
  );
}

/**
 * Returns one sentence per parameter search. It states how much of the best result could be luck, given the
 * number of trials.
 */
export function overfittingSentences(comparison: Comparison): string[] {
  const nameOf = new Map(comparison.runs.map(({ runId, name }) => [runId, name]));
  return searchSentences(comparison.searches, (runId) => nameOf.get(runId) ?? runId);
}

function sampleLines({ samples }: Comparison, style: TextStyle): string[] {
  return samples.map(({ strategy, runIds, figures }) => {
    const parts = (['totalReturn', 'sharpe', 'maxDrawdown'] as const).flatMap((name) => {
      const spread = figures[name];
      if (spread === undefined) return [];
      const label = shortLabel(name);
      return [`${label} ${figureText(name, spread.mean)} ± ${figureText(name, spread.deviation)}`];
    });
    return wrap(`${strategy}, ${runIds.length} samples: ${parts.join(', ')}.`, style.width, style).join('\n');
  });
}

function differenceLines({ differences }: Comparison, style: TextStyle): string[] {
  if (differences.length === 0) return [];
  const lines = differences.map(({ name, values }) => {
    return wrap(`  ${name}: ${values.map(valueText).join(' | ')}`, style.width, style).join('\n');
  });
  return [`Different settings and data:\n${lines.join('\n')}`];
}

/** Returns the value of a parameter or setting as text. */
export function valueText(value: Comparison['differences'][number]['values'][number]): string {
  if (value === undefined) return '–';
  if (Array.isArray(value) && value.every((one) => typeof one === 'string')) return value.join(', ');
  return typeof value === 'string' ? value : JSON.stringify(value);
}

type Cell = string | number | null;

/**
 * Returns the comparison as a table of unformatted numbers, with one figure per row and one run per column.
 * Each run except the baseline has a second column with its differences to the baseline.
 */
export function comparisonRows(comparison: Comparison): Cell[][] {
  const names = comparison.runs.map(({ name }) => name);
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
  const names = comparison.runs.map(({ name }) => name);
  const cell = (text: string): string => text.replaceAll('|', '\\|').replaceAll(/[\r\n]+/g, ' ');
  const line = (cells: readonly string[]): string => `| ${cells.map(cell).join(' | ')} |`;
  const rows = COMPARED_FIGURES.map((name) =>
    line([
      shortLabel(name),
      ...comparison.runs.map((run) => columnOf(run, '')[COMPARED_FIGURES.indexOf(name) + 2]!),
    ]),
  );
  const notes = [
    ...comparison.runs.map(({ summary }, index) =>
      [`${names[index]}:`, verdictText(summary.verdict), ...problemsOf(summary)].join(' '),
    ),
    ...comparison.warnings.map((text) => `**Warning:** ${text}`),
    ...duplicateSentences(comparison),
    ...intervalSentences(comparison.runs),
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
