import { dollars, type StudyReport, shortLabel } from '../../results/analysis/index.ts';
import { section, table, warningList } from '../report/figure-table.ts';
import { MISSING, percent, ratio, signedPercent } from '../shared/formats.ts';
import { type Content, type Html, html, scriptJson } from '../shared/html.ts';
import { pageHead, pageShell } from '../shared/shell.ts';
import { auditSection, calibrationSection, forest, leakageSection } from './sections.ts';
import {
  correctedCount,
  directions,
  isMixed,
  MIXED,
  pText,
  studyAlarms,
  studyAnswer,
  studyRows,
} from './texts.ts';

/**
 * Returns the page of a study, which works offline. It begins with the conclusion. The table of arms
 * (compared strategies), pairwise comparisons, leakage, costs and audit follow.
 */
export function studyPage(report: StudyReport): string {
  const { name, symbols, windows, arms } = report;
  const notes = [...studyAlarms(report).map((line) => `Alarm: ${line}`), ...report.notes];
  const title = `Study ${name}`;
  const count = (of: number, one: string): string => `${of} ${one}${of === 1 ? '' : 's'}`;
  const lines = [
    `${symbols.slice(0, 8).join(', ')}${symbols.length > 8 ? ` and ${symbols.length - 8} more` : ''}, ${windows[0]!.from} to ${windows.at(-1)!.to}`,
    `${count(arms.length, 'arm')} in ${count(windows.length, 'window')}, ${count(
      arms.reduce((sum, { figures }) => sum + figures.totalReturn.runs, 0),
      'run',
    )}`,
  ];
  const answer = studyAnswer(report);
  const body = html`${pageHead({ title, lines })}
<main>
<div class="judgement" data-state="${answer.state}"><strong>${answer.head}</strong><p>${answer.text}</p></div>
${warningList(notes)}
${section('table', 'All ways to trade', mainTable(report))}
${section('pairs', 'Paired differences', forest(report.comparisons), pairTable(report))}
${windows.length > 1 ? section('windows', 'Window by window', windowTable(report)) : ''}
${leakageSection(report)}
${calibrationSection(report)}
${section('costs', 'At other costs', costTable(report))}
${auditSection(report)}
${section('made', 'How it was made', madeList(report))}
</main>`;
  return pageShell({ title, body, data: scriptJson({}), script: 'stress.js', style: 'study.css' });
}

/** Returns a cell with the mean of a figure over runs and, below it, the confidence interval of this mean. */
function estimate(
  { mean, low, high }: StudyReport['baselines'][number]['figures']['sharpe'],
  format: (value: number) => string,
): Content {
  if (mean === null) return MISSING;
  if (low === null || high === null || low === high) return format(mean);
  return html`${format(mean)}<small>${`${format(low)} to ${format(high)}`}</small>`;
}

function mainTable(report: StudyReport): Html {
  const head = [
    'Arm',
    'Return',
    'Over holding',
    'Sharpe',
    'PSR',
    'Alpha a year',
    'Drawdown',
    'Trades',
    shortLabel('exposure'),
    'Random agents',
    'Agreement',
  ];
  const all = studyRows(report);
  const rows = all.map(({ shown, figures, excess, beside, random, agreement }) => [
    marked(shown, isMixed(directions(figures, beside))),
    estimate(figures.totalReturn, (value) => percent(value)),
    excess === undefined ? MISSING : estimate(excess, (value) => signedPercent(value)),
    estimate(figures.sharpe, (value) => ratio(value)),
    percent(beside?.psr, 1),
    signedPercent(beside?.alpha, 1),
    estimate(figures.maxDrawdown, (value) => percent(value, 1)),
    estimate(figures.tradeCount, (value) => ratio(value, 1)),
    percent(figures.exposure.mean, 0),
    random === null
      ? MISSING
      : html`above ${percent(random.percentile, 0)}<small>p, Holm ${pText(random.pHolm)}</small>`,
    agreement === null || agreement.aboveFloor === null
      ? MISSING
      : html`${percent(agreement.aboveFloor, 0)}<small>${`${ratio(agreement.entropy)} of ${ratio(agreement.mostEntropy)} bits`}</small>`,
  ]);
  const isNoted = all.some(({ figures, beside }) => isMixed(directions(figures, beside)));
  const mixed = isNoted
    ? html`<p class="note">${MIXED} The Sharpe ratio is the mean of the ratios of single runs, so a short window with a high ratio counts as much as a long one. The return is the mean return of a run. PSR is of all windows joined, so large losses in one window count fully.</p>`
    : '';
  return html`${table('All ways to trade', head, rows)}${mixed}<p class="note">Means over all runs; below them the 95% interval by the hierarchical bootstrap over windows and samples, stretched for their number. The return over holding is a mean over windows too; PSR and alpha are of all windows together. Random agents trade as often, as long and as large as the arm, at other times and in other symbols. Agreement is 0% if all samples ordered something else and 100% if all ordered the same, sizes included. Below it is the entropy of their orders.</p>`;
}

/** Returns a cell. If `isMarked` is true, adds the mark ‡. A note below the table explains the mark. */
function marked(text: string, isMarked: boolean): Content {
  return isMarked ? html`${text} <abbr title="see the note below">‡</abbr>` : text;
}

function pairTable({ comparisons }: StudyReport): Html {
  const byWindow = comparisons.some(({ pWindows }) => pWindows !== null);
  const rows = comparisons.map(({ a, b, kind, estimate: found, low, high, p, pHolm, pWindows }) => [
    `${a} − ${b}`,
    html`<span class="wrap">${kind}</span>`,
    signedPercent(found, 1),
    low === null ? MISSING : `${signedPercent(low, 1)} to ${signedPercent(high, 1)}`,
    pText(p),
    pHolm !== null && pHolm < 0.05 ? html`<strong>${pText(pHolm)}</strong>` : pText(pHolm),
    ...(byWindow ? [pText(pWindows)] : []),
  ]);
  const head = ['A − B', 'Differ in', 'A year', '95% interval', 'p', 'p, Holm'];
  return html`${table('Paired differences', [...head, ...(byWindow ? ['p, windows'] : [])], rows)}<p class="note">Differences of mean session returns, annualised by multiplication. p is two-sided and counts sessions (variance of the stationary bootstrap and of the samples, Student’s t). Holm’s correction covers the ${correctedCount({ comparisons })} primary comparisons.${byWindow ? ' “p, windows” is of a t-test that counts windows.' : ''}</p>`;
}

function windowTable({ windows, arms }: StudyReport): Html {
  let isNoted = false;
  const rows = windows.flatMap((window, place) =>
    arms.map(({ name, windows: own }) => {
      const { totalReturn, beside } = own[place]!;
      const isMarked = isMixed({ totalReturn: totalReturn.mean, psr: beside?.psr });
      isNoted ||= isMarked;
      return [
        marked(`${window.name}: ${name}`, isMarked),
        estimate(totalReturn, (value) => percent(value)),
        percent(beside?.holdReturn),
        signedPercent(beside?.excess),
        signedPercent(beside?.alpha, 1),
        percent(beside?.psr, 1),
      ];
    }),
  );
  const head = ['Window and arm', 'Return', 'Holding', 'Excess', 'Alpha a year', 'PSR'];
  return html`${table('Window by window', head, rows)}${isNoted ? html`<p class="note">${MIXED} PSR uses the mean of session returns, the return compounds them: large swings lower the return alone.</p>` : ''}`;
}

function costTable({ arms }: StudyReport): Html {
  const known = arms.flatMap(({ name, costs }) => (costs === null ? [] : [{ name, costs }]));
  const levels = known[0]?.costs.levels.map(({ basisPoints }) => `${basisPoints} bp`) ?? [];
  const rows = known.map(({ name, costs }) => [
    name,
    costs.paidBasisPoints === null ? MISSING : `${costs.paidBasisPoints.toFixed(1)} bp`,
    ...costs.levels.map(({ totalReturn }) => percent(totalReturn)),
    costs.breakEven === null ? MISSING : `${costs.breakEven.toFixed(0)} bp`,
    costs.breakEvenToHold === null ? MISSING : `${costs.breakEvenToHold.toFixed(0)} bp`,
    costs.decisions === 0 ? MISSING : `${costs.dependent} of ${costs.decisions}`,
  ]);
  const head = ['Arm', 'Paid', ...levels, 'No profit at', 'As holding at', 'Decisions after a cost'];
  return html`${table('At other costs', head, rows)}<p class="note">The recorded fills, charged anew in basis points of the money traded in place of all commission and slippage. That is exact where orders do not depend on costs. Decisions after the first cost were made from an account that other costs would have changed; their orders are held as recorded.</p>`;
}

function madeList({ baselines, arms, windows, seed, version, periodsPerYear }: StudyReport): Html {
  const asked = arms.flatMap(({ name, kind, usage }) => {
    if (usage === null) return [];
    const took = `${usage.tokens.toLocaleString('en-US')} tokens, ${dollars(usage.cost, 'cost not known')}`;
    const times = usage.requests.toLocaleString('en-US');
    return kind === 'agent'
      ? [`${name}: ${times} decisions, ${took}, as the agent says itself`]
      : [
          `${name}: ${times} requests, ${took}; answered by ${usage.served.map(({ model, fingerprint }) => [model, fingerprint].filter((text) => text !== '').join(' ')).join(', ') || 'a server that does not say who'}`,
        ];
  });
  const lines = [
    ...baselines.map(({ name, text }) => `${name}: ${text}`),
    ...asked,
    ...windows.map(
      ({ name, from, to, sessions, memory }) =>
        `Window ${name}: ${from} to ${to}, ${sessions} sessions${memory === null ? '' : `, ${memory}`}`,
    ),
    `${periodsPerYear.toFixed(2)} sessions a year; seed ${seed}; Sandtable ${version}`,
  ];
  return html`<ul>${lines.map((line) => html`<li>${line}</li>`)}</ul>`;
}
