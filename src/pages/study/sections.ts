import type { StudyReport } from '../../results/analysis/index.ts';
import { section, table } from '../report/figure-table.ts';
import { MISSING, percent, ratio, signedPercent } from '../shared/formats.ts';
import { type Html, html } from '../shared/html.ts';
import { isMixed, MIXED, pText } from './texts.ts';

/**
 * Returns the section about leakage: a model may know the tested period from its training. Empty for a study
 * without a model or agent.
 */
export function leakageSection(report: StudyReport): Html | string {
  const { arms, probes, counterfactuals, comparisons } = report;
  if (arms.every(({ model, kind }) => model === null && kind !== 'agent')) return '';
  const masks = comparisons.filter(({ kind }) => kind === 'mask');
  const parts = [
    ...(probes.length === 0 ? [] : [probeTable(probes)]),
    ...(arms.some(({ cutoff }) => cutoff !== null) ? [cutoffTable(report)] : []),
    ...(masks.length === 0
      ? []
      : [
          html`<h3>Masked against unmasked</h3>${table(
            'Masked against unmasked',
            ['A − B', 'A year', '95% interval', 'p, Holm'],
            masks.map(({ a, b, estimate, low, high, pHolm }) => [
              `${a} − ${b}`,
              signedPercent(estimate, 1),
              low === null ? MISSING : `${signedPercent(low, 1)} to ${signedPercent(high, 1)}`,
              pText(pHolm),
            ]),
          )}`,
        ]),
    ...(counterfactuals.length === 0 ? [] : [counterfactualTable(counterfactuals)]),
  ];
  if (parts.length > 0) return section('leakage', 'What the model may have known', ...parts);
  return section(
    'leakage',
    'What the model may have known',
    html`<p>Nothing was tested: see leakage, masks and cutoff in docs/study.md.</p>`,
  );
}

function probeTable(probes: StudyReport['probes']): Html {
  const rows = probes.map(({ model, questions, probability, smallest, remembers, refused }) => [
    model,
    refused === null ? String(questions) : MISSING,
    pText(probability),
    pText(smallest),
    html`<span class="wrap">${refused ?? (remembers ? 'it remembers these data' : 'no sign of memory')}</span>`,
  ]);
  return html`<h3>Asked without data</h3>${table('Asked without data', ['Model', 'Questions', 'p', 'Smallest p', 'Answer'], rows)}`;
}

function cutoffTable({ arms }: StudyReport): Html {
  let isNoted = false;
  const rows = arms.flatMap(({ name, cutoff }) =>
    cutoff === null
      ? []
      : (['before', 'after'] as const).map((part) => {
          const beside = cutoff[part];
          const isMarked = isMixed({
            totalReturn: beside?.totalReturn ?? null,
            sharpe: beside?.sharpe ?? null,
            psr: beside?.psr,
          });
          isNoted ||= isMarked;
          return [
            `${name}, ${part === 'before' ? 'up to' : 'after'} ${cutoff.date}${isMarked ? ' ‡' : ''}`,
            beside === null ? '0' : String(beside.sessions),
            percent(beside?.totalReturn),
            percent(beside?.holdReturn),
            signedPercent(beside?.alpha, 1),
            ratio(beside?.sharpe),
            percent(beside?.psr, 1),
          ];
        }),
  );
  return html`<h3>Before and after the cutoff</h3>${table('Before and after the cutoff', ['Arm and part', 'Sessions', 'Return', 'Holding', 'Alpha a year', 'Sharpe', 'PSR'], rows)}${isNoted ? html`<p class="note">${MIXED} Sharpe ratio and PSR use the mean of session returns, the return compounds them.</p>` : ''}`;
}

function counterfactualTable(counterfactuals: StudyReport['counterfactuals']): Html {
  const rows = counterfactuals.map(({ arm, worlds, actual, mean, p, consistency, agreement }) => [
    arm,
    String(worlds),
    percent(actual),
    percent(mean),
    pText(p),
    percent(consistency, 0),
    percent(agreement, 0),
  ]);
  return html`<h3>The same texts, another path of prices</h3>${table('The same texts, another path of prices', ['Arm', 'Worlds', 'Actual', 'Worlds’ mean', 'p', 'Same decisions', 'Between samples'], rows)}<p class="note">A model that decides alike whatever path it is shown recalls rather than reads. p is the share of worlds that did at least as well, the actual path counted.</p>`;
}

/** Maximum number of pairs in the picture of differences. The table contains all pairs. */
const MOST = 24;

/**
 * Draws the differences between pairs of arms (compared strategies) with their confidence intervals. All
 * intervals are on one axis. The name of each pair is above its interval.
 */
export function forest(comparisons: StudyReport['comparisons']): Html {
  const all = comparisons.flatMap((one) =>
    one.estimate === null || one.low === null || one.high === null
      ? []
      : [{ ...one, estimate: one.estimate, low: one.low, high: one.high }],
  );
  if (all.length === 0) return html`<p>There are too few sessions to compare anything.</p>`;
  const known = all.slice(0, MOST);
  const far = Math.max(...known.flatMap(({ low, high }) => [Math.abs(low), Math.abs(high)]), 1e-6) * 1.04;
  const x = (value: number): string => `${(((value + far) / (2 * far)) * 100).toFixed(2)}%`;
  const rows = known.map(({ a, b, estimate, low, high, pHolm }) => {
    const sure = pHolm !== null && pHolm < 0.05;
    const text = `${signedPercent(estimate, 1)} a year, ${signedPercent(low, 1)} to ${signedPercent(high, 1)}`;
    return html`<li class="${sure ? 'sure' : 'unsure'}">${`${a} − ${b}`}<svg width="100%" height="14" role="img" aria-label="${text}"><line class="zero" x1="50%" x2="50%" y1="0" y2="14"></line><line class="own" x1="${x(low)}" x2="${x(high)}" y1="7" y2="7"></line><circle class="own" cx="${x(estimate)}" cy="7" r="4"></circle></svg></li>`;
  });
  const more = all.length > MOST ? ` The first ${MOST} of ${all.length}; the table has all.` : '';
  return html`<figure><ul class="forest">${rows}</ul><p class="ends"><span>${signedPercent(-far, 0)}</span><span>0</span><span>${signedPercent(far, 0)}</span></p><figcaption>Lines are 95% intervals. Filled: beyond luck after Holm’s correction (p below 0.05).${more}</figcaption></figure>`;
}

const MARKS: Readonly<Record<string, string>> = { passed: '✓', failed: '✕', 'not testable': '–' };

/**
 * Returns the section with the audit. For each arm, it lists structural tests from the research literature
 * and their results.
 */
export function auditSection({ audit }: StudyReport): Html {
  const sheets = audit.map(({ arm, answers }, place) => {
    const times = (state: string): number => answers.filter((one) => one.state === state).length;
    const title = `${arm}: ${times('passed')} passed, ${times('failed')} failed, ${times('not testable')} not testable`;
    const rows = answers.map(
      ({ test, source, state, figure, why }) =>
        html`<tr data-state="${state}"><th scope="row">${test}<small>${source}</small></th><td class="text state">${MARKS[state]} ${state}</td><td class="text">${figure}</td><td class="text">${why}</td></tr>`,
    );
    return html`<details${place === 0 ? html` open` : ''}><summary>${title}</summary><div class="frame" tabindex="0" role="group" aria-label="${`Audit of ${arm}`}"><table class="audit"><thead><tr><th scope="col">Test</th><th scope="col" class="text">Answer</th><th scope="col" class="text">Figure</th><th scope="col" class="text">Why</th></tr></thead><tbody>${rows}</tbody></table></div></details>`;
  });
  return section(
    'audit',
    'Audit sheet',
    ...sheets,
    html`<p class="note">What recent papers ask of a backtest of a language model before its returns are taken for evidence. A test that cannot be made is not passed.</p>`,
  );
}

/**
 * Returns the section about calibration. It compares probabilities that were stated in decisions with the
 * outcomes. Empty if the study does not check calibration.
 */
export function calibrationSection({ arms }: StudyReport): Html | string {
  const known = arms.flatMap(({ name, calibration }) =>
    calibration === null ? [] : [{ name, ...calibration }],
  );
  if (known.length === 0) return '';
  const { field, states, horizon } = known[0]!;
  const scores = known.map(({ name, forecasts, blocks, unusable, baseRate, ...one }) => [
    name,
    html`${forecasts}<small>in ${blocks} stretches${unusable === 0 ? '' : `, ${unusable} without`}</small>`,
    percent(baseRate, 0),
    one.brier === null ? MISSING : one.brier.toFixed(3),
    one.reference === null ? MISSING : one.reference.toFixed(3),
    one.skillLow === null || one.skillHigh === null
      ? percent(one.skill, 1)
      : html`${percent(one.skill, 1)}<small>${`${percent(one.skillLow, 1)} to ${percent(one.skillHigh, 1)}`}</small>`,
    pText(one.p),
  ]);
  const bins = known.flatMap(({ name, bins: own }) =>
    own.map(({ from, to, forecasts, stated, observed, low, high }) => [
      `${name}, ${percent(from, 0)} to ${percent(to, 0)}`,
      String(forecasts),
      percent(stated, 0),
      html`${percent(observed, 0)}<small>${`${percent(low, 0)} to ${percent(high, 0)}`}</small>`,
    ]),
  );
  const what = states === 'up' ? 'that the close is higher' : 'that the close is where the orders went';
  return section(
    'calibration',
    'Stated and observed',
    table('Scores', ['Arm', 'Forecasts', 'Came true', 'Brier', 'Base rate', 'Skill', 'p'], scores),
    bins.length === 0
      ? ''
      : html`<h3>Reliability</h3>${table('Reliability', ['Arm and range', 'Forecasts', 'Stated', 'Came true'], bins)}`,
    html`<p class="note">${field} states the probability ${what} ${horizon} ${horizon === 1 ? 'bar' : 'bars'} later. Brier is the mean squared error, beside that of always stating the base rate; skill is above 0 where what is stated says more. p: stated and observed differ as much by luck.</p>`,
  );
}
