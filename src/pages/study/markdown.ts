import type { StudyReport } from '../../results/analysis/index.ts';
import { percent, ratio, signedPercent } from '../shared/formats.ts';
import { MISSING } from '../shared/number-formats.ts';
import { correctedCount, pText, rangeText, studyAlarms, studyRows } from './texts.ts';

/**
 * Returns the content of `study.md`: the tables of a study in Markdown for use in a paper. pandoc converts
 * them to LaTeX.
 */
export function studyMarkdown(report: StudyReport): string {
  const { windows, arms, comparisons, audit, seed, version } = report;
  const notes = [...studyAlarms(report).map((line) => `Alarm: ${line}`), ...report.notes];
  const table = (head: readonly string[], rows: readonly (readonly string[])[]): string =>
    [head, head.map((_, place) => (place === 0 ? ':--' : '--:')), ...rows]
      .map((row) => `| ${row.map((cell) => cell.replaceAll('|', '\\|')).join(' | ')} |`)
      .join('\n');
  const interval = (
    { mean, low, high }: StudyReport['baselines'][number]['figures']['sharpe'],
    format: (value: number) => string,
  ): string =>
    mean === null
      ? MISSING
      : low === null || high === null
        ? format(mean)
        : `${format(mean)} [${format(low)}, ${format(high)}]`;
  const byWindow = comparisons.some(({ pWindows }) => pWindows !== null);
  const tests = audit[0]?.answers.map(({ test }) => test) ?? [];
  return `${[
    `# ${report.name}`,
    `${report.symbols.length} ${report.symbols.length === 1 ? 'symbol' : 'symbols'}; ${windows.map(({ name, from, to, sessions }) => `${name === from ? '' : `${name}: `}${from} to ${to} (${sessions} sessions)`).join('; ')}. Seed ${seed}, Sandtable ${version}.`,
    ...(notes.length === 0 ? [] : [notes.map((note) => `- ${note}`).join('\n')]),
    table(
      [
        '',
        'Return',
        'Sharpe',
        'Max. drawdown',
        'Over holding',
        'Alpha a year',
        'PSR',
        'Random agents',
        'Agreement',
      ],
      studyRows(report).map(({ shown, figures, excess, beside, random, agreement }) => [
        shown,
        interval(figures.totalReturn, (value) => percent(value)),
        interval(figures.sharpe, (value) => ratio(value)),
        interval(figures.maxDrawdown, (value) => percent(value)),
        excess === undefined ? MISSING : interval(excess, (value) => signedPercent(value)),
        signedPercent(beside?.alpha, 1),
        percent(beside?.psr),
        random === null ? MISSING : `above ${percent(random.percentile, 0)} (p = ${pText(random.pHolm)})`,
        percent(agreement?.aboveFloor ?? null, 0),
      ]),
    ),
    `Means over ${arms.map(({ name, figures }) => `${figures.totalReturn.runs} runs of ${name}`).join(', ')}; 95% intervals by the hierarchical bootstrap over windows and samples, stretched for their number by Student’s t.`,
    table(
      ['A − B', 'A year', '95%', 'p', 'p (Holm)', ...(byWindow ? ['p (windows)'] : [])],
      comparisons.map(({ a, b, estimate, low, high, p, pHolm, pWindows }) => [
        `${a} − ${b}`,
        signedPercent(estimate),
        rangeText({ low, high }),
        pText(p),
        pText(pHolm),
        ...(byWindow ? [pText(pWindows)] : []),
      ]),
    ),
    `Paired differences of mean session returns, annualised; variance of the stationary bootstrap of sessions and of the samples, Student’s t, p (Holm) corrected for ${correctedCount({ comparisons })} primary comparisons.`,
    table(
      ['Test', ...audit.map(({ arm }) => arm)],
      tests.map((test, place) => [test, ...audit.map(({ answers }) => answers[place]!.state)]),
    ),
  ].join('\n\n')}\n`;
}
