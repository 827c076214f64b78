import type { StudyReport } from '../../analysis/index.ts';
import { section, table } from '../report/sections.ts';
import { percent } from '../shared/formats.ts';
import { type Html, html } from '../shared/html.ts';
import { MISSING } from '../shared/number-formats.ts';
import { pText } from './texts.ts';

/**
 * Returns the section that compares the probabilities stated in decisions with the outcomes. Empty if the
 * study does not check calibration.
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
