import type { StudyReport } from '../../analysis/index.ts';
import { signedPercent } from '../shared/formats.ts';
import { type Html, html } from '../shared/html.ts';

/** Maximum number of pairs in the picture. The table contains all pairs. */
const MOST = 24;

/**
 * Draws the differences between pairs of arms with their intervals on one axis. The name of a pair is above
 * its line.
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
    return html`<li class="${sure ? 'sure' : 'unsure'}">${`${a} − ${b}`}<svg width="100%" height="14" role="img" aria-label="${text}"><line class="zero" x1="50%" x2="50%" y1="0" y2="14"></line><line x1="${x(low)}" x2="${x(high)}" y1="7" y2="7"></line><circle cx="${x(estimate)}" cy="7" r="4"></circle></svg></li>`;
  });
  const more = all.length > MOST ? ` The first ${MOST} of ${all.length}; the table has all.` : '';
  return html`<figure><ul class="forest">${rows}</ul><p class="axis"><span>${signedPercent(-far, 0)}</span><span>0</span><span>${signedPercent(far, 0)}</span></p><figcaption>Lines are 95% intervals. Filled: beyond luck after Holm’s correction (p below 0.05).${more}</figcaption></figure>`;
}
