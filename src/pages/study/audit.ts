import type { StudyReport } from '../../analysis/index.ts';
import { section } from '../report/sections.ts';
import { type Html, html } from '../shared/html.ts';

const MARKS: Readonly<Record<string, string>> = { passed: '✓', failed: '✕', 'not testable': '–' };

/**
 * Returns the section with the audit: for each arm, the structural tests from the research literature and
 * their results.
 */
export function auditSection({ audit }: StudyReport): Html {
  const sheets = audit.map(({ arm, answers }, place) => {
    const times = (state: string): number => answers.filter((one) => one.state === state).length;
    const title = `${arm}: ${times('passed')} passed, ${times('failed')} failed, ${times('not testable')} not testable`;
    const rows = answers.map(
      ({ test, source, state, figure, why }) =>
        html`<tr data-state="${state}"><th scope="row">${test}<small>${source}</small></th><td class="state">${MARKS[state]} ${state}</td><td>${figure}</td><td>${why}</td></tr>`,
    );
    return html`<details${place === 0 ? html` open` : ''}><summary>${title}</summary><div class="frame" tabindex="0" role="group" aria-label="${`Audit of ${arm}`}"><table class="audit"><thead><tr><th scope="col">Test</th><th scope="col">Answer</th><th scope="col">Figure</th><th scope="col">Why</th></tr></thead><tbody>${rows}</tbody></table></div></details>`;
  });
  return section(
    'audit',
    'Audit sheet',
    ...sheets,
    html`<p class="note">What recent papers ask of a backtest of a language model before its returns are taken for evidence. A test that cannot be made is not passed.</p>`,
  );
}
