import type { StudyReport } from '../../analysis/index.ts';
import { section, table } from '../report/sections.ts';
import { percent, ratio, signedPercent } from '../shared/formats.ts';
import { type Html, html } from '../shared/html.ts';
import { MISSING } from '../shared/number-formats.ts';
import { pText } from './texts.ts';

/**
 * Returns the section about look-ahead through the training data of models. Empty for a study without a model
 * or agent.
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
  const rows = arms.flatMap(({ name, cutoff }) =>
    cutoff === null
      ? []
      : (['before', 'after'] as const).map((part) => {
          const beside = cutoff[part];
          return [
            `${name}, ${part === 'before' ? 'up to' : 'after'} ${cutoff.date}`,
            beside === null ? '0' : String(beside.sessions),
            percent(beside?.totalReturn),
            percent(beside?.holdReturn),
            signedPercent(beside?.alpha, 1),
            ratio(beside?.sharpe),
            percent(beside?.psr, 1),
          ];
        }),
  );
  return html`<h3>Before and after the cutoff</h3>${table('Before and after the cutoff', ['Arm and part', 'Sessions', 'Return', 'Holding', 'Alpha a year', 'Sharpe', 'PSR'], rows)}`;
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
