import { paint, paragraph, shorten, type TextStyle, textTable } from '../../kernel/index.ts';
import { alarmGroupLines, type StudyReport } from '../../results/analysis/index.ts';
import { csvText } from '../../results/runs/index.ts';
import { MISSING, percent, ratio } from '../shared/formats.ts';

/** Significance level for corrected p-values. */
const LEVEL = 0.05;
/**
 * Minimum width of a terminal, in columns, for a single table of arms. On a narrower terminal, there are two
 * tables.
 */
const ONE_TABLE = 110;
/** Maximum width of a name in a terminal, in columns. */
const WIDEST_NAME = 30;

/** Returns an interval of percentages: `[−1.2, 3.4]`. */
export function rangeText({
  low,
  high,
}: {
  readonly low: number | null;
  readonly high: number | null;
}): string {
  if (low === null || high === null) return MISSING;
  const one = (value: number): string => percent(value, 1).replace('%', '');
  return `[${one(low)}, ${one(high)}]`;
}

export function pText(p: number | null): string {
  return p === null ? MISSING : p < 0.001 ? '<0.001' : p.toFixed(3);
}

const share = (value: number | null | undefined): string =>
  value === null || value === undefined ? MISSING : percent(value);

/**
 * Figures that usually have the same sign. `psr` is the probability that the true Sharpe ratio is positive.
 */
interface Directions {
  readonly totalReturn: number | null;
  readonly sharpe?: number | null;
  readonly psr?: number | null | undefined;
}

/** First sentence of the note for rows whose figures have different signs. */
export const MIXED = '‡ Return, Sharpe ratio and PSR of this row do not point the same way.';

/**
 * True if return, Sharpe ratio and PSR of a row have different signs. PSR is a probability. It counts as
 * positive above 0.5 and as negative below 0.5.
 */
export function isMixed({ totalReturn, sharpe = null, psr = null }: Directions): boolean {
  const signs = [totalReturn, sharpe, psr === null ? null : psr - 0.5].flatMap((value) =>
    value === null || value === 0 ? [] : [Math.sign(value)],
  );
  return new Set(signs).size > 1;
}

/** Returns the figures of a row whose signs `isMixed` compares. */
export function directions(
  { totalReturn, sharpe }: ReturnType<typeof studyRows>[number]['figures'],
  beside: ReturnType<typeof studyRows>[number]['beside'],
): Directions {
  return { totalReturn: totalReturn.mean, sharpe: sharpe.mean, psr: beside?.psr };
}

/** Returns the number of comparisons to which Holm's correction applies. */
export function correctedCount({ comparisons }: Pick<StudyReport, 'comparisons'>): number {
  return comparisons.filter(({ pHolm }) => pHolm !== null).length;
}

/** Returns one line for each kind of alarm, with the number of runs that have this alarm. */
export function studyAlarms({ alarms = [], arms }: StudyReport, shown = alarms): string[] {
  const runs = arms.reduce((sum, { figures }) => sum + figures.totalReturn.runs, 0);
  return alarmGroupLines(shown, runs, 'run');
}

/**
 * Returns the rows of a study's table: one per arm (compared strategy), then one per baseline such as
 * buy-and-hold.
 */
export function studyRows({ arms, baselines, comparisons }: StudyReport) {
  const rows = [
    ...arms.map(({ name, figures, excess, beside, random, agreement, gaps, windows }) => ({
      name,
      figures,
      excess,
      beside,
      random,
      agreement,
      gaps,
      shown:
        gaps.length === 0 ? name : `${name} (${windows.length - gaps.length} of ${windows.length} windows)`,
    })),
    ...baselines.map(({ name, figures, excess, beside }) => ({
      name,
      figures,
      excess,
      beside,
      random: null,
      agreement: null,
      gaps: [],
      shown: name,
    })),
  ];
  return rows.map((row) => ({
    ...row,
    against: comparisons.find(({ a, b }) => a === row.name && b === 'buy-and-hold'),
  }));
}

/**
 * Returns the conclusion of a study: the arms (compared strategies) that are significantly better than
 * buy-and-hold and random agents.
 */
export function studyAnswer({ arms, comparisons }: StudyReport): {
  readonly state: 'better' | 'unknown';
  readonly head: string;
  readonly text: string;
} {
  const held = arms.map(({ name, random, gaps }) => ({
    name,
    random,
    gaps,
    pair: comparisons.find(({ a, b }) => a === name && b === 'buy-and-hold'),
  }));
  const beyond = held.filter(
    ({ pair, random, gaps }) =>
      // An arm without a result in a window is excluded, because it may have lost money in this window.
      gaps.length === 0 &&
      (pair?.estimate ?? 0) > 0 &&
      (pair?.pHolm ?? 1) < LEVEL &&
      (random === null || random.pHolm < LEVEL),
  );
  const least = Math.min(...held.map(({ pair }) => pair?.pHolm ?? 1));
  if (beyond.length > 0)
    return {
      state: 'better',
      head: `${beyond.length} of ${arms.length} ${arms.length === 1 ? 'is' : 'are'} ahead beyond luck`,
      text: `Ahead of buying and holding, and of random agents where there were some, after the correction for ${correctedCount({ comparisons })} comparisons: ${beyond.map(({ name }) => name).join(', ')}.`,
    };
  return {
    state: 'unknown',
    head: 'None is ahead beyond luck',
    text: `Of ${arms.length} ${arms.length === 1 ? 'way' : 'ways'} to trade, none is ahead of buying and holding and of random agents after the correction for ${correctedCount({ comparisons })} comparisons; the smallest p against holding is ${pText(least)}.`,
  };
}

/**
 * Returns one table of the arms if the terminal is wide enough. Otherwise, a second table contains the
 * comparison with random agents and the agreement between samples.
 */
function armsTables(
  report: StudyReport,
  plain: (head: readonly string[], rows: readonly (readonly string[])[]) => string,
  style: TextStyle,
): string {
  const rows = studyRows(report).map(({ name, figures, random, agreement, gaps }) => ({
    name: `${shorten(name, WIDEST_NAME, style)}${gaps.length === 0 ? '' : '*'}`,
    figures: [
      share(figures.totalReturn.mean),
      rangeText(figures.totalReturn),
      ratio(figures.sharpe.mean),
      share(figures.maxDrawdown.mean),
      ratio(figures.tradeCount.mean, 1),
    ],
    beside: [
      random === null ? MISSING : percent(random.percentile, 0),
      percent(agreement?.aboveFloor ?? null, 0),
    ],
  }));
  const heads = ['Return', '[95%]', 'Sharpe', 'Drawdown', 'Trades'];
  const besides = ['Random', 'Agree'];
  if (style.width >= ONE_TABLE)
    return plain(
      ['', ...heads, ...besides],
      rows.map(({ name, figures, beside }) => [name, ...figures, ...beside]),
    );
  const compared = rows.filter(({ beside }) => beside.some((text) => text !== MISSING));
  const first = plain(
    ['', ...heads],
    rows.map(({ name, figures }) => [name, ...figures]),
  );
  if (compared.length === 0) return first;
  return `${first}\n\n${plain(
    ['', ...besides],
    compared.map(({ name, beside }) => [name, ...beside]),
  )}`;
}

/** Returns the result of a study as text for a terminal. */
export function studyText(report: StudyReport, folder: string, style: TextStyle): string {
  const { windows, arms, comparisons, probes, counterfactuals, notes } = report;
  const plain = (head: readonly string[], rows: readonly (readonly string[])[]): string =>
    textTable(head, rows, style);
  const main = armsTables(report, plain, style);
  const pairs = plain(
    ['p', 'Holm', 'a year', '[95%]', 'A − B'],
    comparisons.map(({ a, b, estimate, low, high, p, pHolm }) => [
      pText(p),
      pText(pHolm),
      share(estimate),
      rangeText({ low, high }),
      `${a} − ${b}`,
    ]),
  );
  const audits = report.audit.map(({ arm, answers }) => {
    const states = answers.map(({ state }) => state);
    const times = (state: string): number => states.filter((one) => one === state).length;
    const failed = answers.filter(({ state }) => state === 'failed').map(({ test }) => test);
    return `${arm}: ${times('passed')} passed, ${times('failed')} failed, ${times('not testable')} not testable${failed.length === 0 ? '' : `; failed: ${failed.join(', ')}`}`;
  });
  return [
    paint(
      paragraph(
        [
          `Study ${report.name}: ${arms.length} ${arms.length === 1 ? 'arm' : 'arms'} in ${windows.length} ${windows.length === 1 ? 'window' : 'windows'}, ${windows[0]!.from} to ${windows.at(-1)!.to}`,
        ],
        style,
      ),
      'bold',
      style,
    ),
    paragraph(
      [studyAnswer(report).text, ...studyAlarms(report).map((line) => `Alarm: ${line}`), ...notes],
      style,
    ),
    '',
    main,
    ...(arms.some(({ gaps }) => gaps.length > 0) ? ['* of fewer windows than the others: see above'] : []),
    '',
    paragraph(
      [
        `Paired differences of mean session returns, annualised; p corrected for ${correctedCount({ comparisons })} primary comparisons (Holm)`,
      ],
      style,
    ),
    pairs,
    '',
    paragraph(
      [
        ...probes.map(({ model, questions, probability, smallest, remembers, refused }) =>
          refused !== null
            ? `Probe of ${model}: ${refused}`
            : `Probe of ${model}: ${remembers ? 'it remembers' : 'no sign of memory'}, p = ${pText(probability)} of ${questions} questions (${pText(smallest)} at the least)`,
        ),
        ...counterfactuals.map(
          ({ arm, worlds, consistency, agreement, p }) =>
            `Other paths of ${arm}: ${share(consistency)} of decisions the same in ${worlds} worlds, ${share(agreement)} between samples; p = ${pText(p)}`,
        ),
        'Audit',
        ...audits.map((line) => `  ${line}`),
      ],
      style,
    ),
    '',
    `Folder    ${folder}`,
  ].join('\n');
}

/** Returns `study.csv` (one row per arm and per baseline) and `comparisons.csv` (one row per pair). */
export function studyCsv(report: StudyReport): { readonly table: string; readonly comparisons: string } {
  const names = ['totalReturn', 'sharpe', 'maxDrawdown', 'tradeCount', 'exposure', 'turnover'] as const;
  const head = [
    'name',
    ...names.flatMap((name) => [name, `${name}Low`, `${name}High`]),
    ...[
      'runs',
      'excess',
      'excessLow',
      'excessHigh',
      'excessCompounded',
      'alpha',
      'beta',
      'psr',
      'randomPercentile',
      'randomP',
      'agreement',
      'entropy',
    ],
    'missingWindows',
  ];
  const rows = studyRows(report).map(({ name, figures, excess, beside, random, agreement, gaps }) => [
    name,
    ...names.flatMap((one) => [figures[one].mean, figures[one].low, figures[one].high]),
    figures.totalReturn.runs,
    excess?.mean ?? null,
    excess?.low ?? null,
    excess?.high ?? null,
    beside?.excess ?? null,
    beside?.alpha ?? null,
    beside?.beta ?? null,
    beside?.psr ?? null,
    random?.percentile ?? null,
    random?.pHolm ?? null,
    agreement?.aboveFloor ?? null,
    agreement?.entropy ?? null,
    gaps.join(' '),
  ]);
  const pairs = report.comparisons.map(
    ({ a, b, kind, estimate, low, high, p, pHolm, pWindows, sessions }) => [
      ...[a, b, kind, estimate, low, high, p, pHolm, sessions, pWindows],
    ],
  );
  return {
    table: csvText([head, ...rows.map(filled)]),
    comparisons: csvText([
      ['a', 'b', 'kind', 'difference', 'low', 'high', 'p', 'pHolm', 'sessions', 'pWindows'],
      ...pairs.map(filled),
    ]),
  };
}

/** Replaces `null` (an undefined figure) by an empty cell. */
function filled(row: readonly (string | number | null)[]): (string | number)[] {
  return row.map((value) => value ?? '');
}
