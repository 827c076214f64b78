import {
  type ComparedRun,
  type Comparison,
  comparedWith,
  type StoredRun,
  sameBars,
} from '../../results/runs/index.ts';
import { section, warningList } from '../report/figure-table.ts';
import { type Content, type Html, html, scriptJson } from '../shared/html.ts';
import { type PageLink, pageHead, pageShell } from '../shared/shell.ts';
import {
  bundle,
  type ComparisonCurve,
  comparisonCurves,
  returnByDrawdown,
  shapes,
  smallMultiples,
} from './pictures.ts';
import { differences, figures, key, luck, overlap, runsTable, samples, sentences } from './sections.ts';
import { duplicateSentences } from './texts.ts';

/**
 * Maximum number of runs whose curves are in one chart. `MOST_MULTIPLES` is the maximum number of runs that
 * have a separate picture each.
 */
const MOST_OVERLAID = 4;
const MOST_MULTIPLES = 12;

/**
 * Maximum number of runs for which the user can select the baseline. With more runs, the first run is the
 * baseline.
 */
const MOST_BASELINES = MOST_MULTIPLES;

type Layout = 'overlay' | 'multiples' | 'many';

function layoutOf(runs: number): Layout {
  return runs <= MOST_OVERLAID ? 'overlay' : runs <= MOST_MULTIPLES ? 'multiples' : 'many';
}

export interface ComparisonData {
  /** Curves for the shared chart. Empty if there are too many runs for one chart. */
  readonly curves: readonly ComparisonCurve[];
}

/**
 * Returns the page that compares runs. The page works offline. Two to four runs share one chart. Five to
 * twelve runs have a picture each. With more runs, the page has a table and one picture with all curves.
 *
 * @param comparison comparison of the stored runs; its first run is the initial baseline
 * @param readAt time at which the results folders were read, shown on the page; not shown if omitted
 */
export function comparisonPage(
  comparison: Comparison,
  stored: readonly StoredRun[],
  links: readonly PageLink[] = [],
  readAt?: Date,
): string {
  const count = stored.length;
  const layout = layoutOf(count);
  const curves = comparisonCurves(
    stored,
    comparison.runs.map(({ name }) => name),
  );
  const notes = duplicateSentences(comparison);
  const body = html`${pageHead({ title: `${count} runs compared`, lines: [subject(stored)], links })}
<main>
${warningList([...comparison.warnings, ...notes])}
${count > MOST_BASELINES ? '' : baselineChoice(comparison.runs)}
${layout === 'overlay' ? '' : shapes(curves)}
${layout === 'overlay' ? section('equity', 'Equity', html`<div id="equity-chart" class="chart" role="group" tabindex="0" aria-label="Return of each run since its first bar; the arrow keys read it"></div><p class="readout" id="equity-said" role="status">Point at the chart, or read it with the arrow keys.</p><p class="note">Return on the initial cash, in per cent. Below: the drawdown of each run.</p>`, key(stored, comparison.runs, nameWith(links.length > 0))) : ''}
${sidesOf(comparison, stored).map(({ runs, baseline }) => html`<div data-baseline="${baseline}"${baseline === 0 ? '' : html` hidden`}>${layout === 'overlay' ? '' : overview(comparison, runs, baseline, curves, links.length > 0)}${layout === 'many' ? '' : part('intervals', baseline, 'Differences in return', sentences(runs))}</div>`)}
${layout === 'overlay' ? sidesOf(comparison, stored).map(({ runs, baseline }) => html`<div data-baseline="${baseline}"${baseline === 0 ? '' : html` hidden`}>${part('side-by-side', baseline, 'Figures', figures(runs, baseline, sameBars(stored)))}</div>`) : ''}
${comparison.searches.length === 0 ? '' : section('luck', 'Trials and overfitting', luck(comparison, readAt))}
${sidesOf(comparison, stored).map(({ runs, baseline }) => html`<div data-baseline="${baseline}"${baseline === 0 ? '' : html` hidden`}>${part('overlap', baseline, 'Similarity of trades', overlap(runs, baseline))}</div>`)}
${comparison.samples.length === 0 ? '' : section('samples', 'Samples of the same thing', samples(comparison))}
${layout === 'many' ? '' : section('not-the-same', 'Different settings and data', differences(comparison))}
</main>`;
  const data: ComparisonData = { curves: layout === 'overlay' ? curves : [] };
  return pageShell({
    title: `${count} runs compared`,
    body,
    data: scriptJson(data),
    script: 'compare.js',
    style: 'compare.css',
  });
}

interface Side {
  readonly baseline: number;
  readonly runs: readonly ComparedRun[];
}

const sides = new WeakMap<Comparison, readonly Side[]>();

/**
 * Returns, for each run that the user can select as the baseline, all runs compared with this baseline. With
 * more than `MOST_BASELINES` runs, only the first run is a baseline.
 */
function sidesOf(comparison: Comparison, stored: readonly StoredRun[]): readonly Side[] {
  const known = sides.get(comparison);
  if (known !== undefined) return known;
  const others = stored.length > MOST_BASELINES ? [] : stored.slice(1);
  const made = [
    { baseline: 0, runs: comparison.runs },
    ...others.map((_, place) => ({ baseline: place + 1, runs: comparedWith(place + 1, stored) })),
  ];
  sides.set(comparison, made);
  return made;
}

/**
 * Returns a section that exists once for each baseline. Its id ends with the number of the baseline. For the
 * first baseline, the number is omitted.
 */
function part(id: string, baseline: number, title: string, content: Html): Html {
  return section(baseline === 0 ? id : `${id}-${baseline}`, title, content);
}

function overview(
  comparison: Comparison,
  runs: readonly ComparedRun[],
  baseline: number,
  curves: readonly ComparisonCurve[],
  served: boolean,
): Html {
  const list = part('runs', baseline, 'Runs', runsTable(comparison, runs, nameWith(served)));
  if (layoutOf(runs.length) === 'multiples')
    return html`${part('equity', baseline, 'Equity', smallMultiples(runs, curves, baseline))}${list}`;
  return html`<div class="columns pair">${part('equity', baseline, 'Equity', bundle(runs, curves, baseline))}${part('scatter', baseline, 'Return and drawdown', returnByDrawdown(runs, baseline))}</div><p id="front" class="readout" role="status">Point at a run, or choose one in the table, to bring it to the front.</p>${list}`;
}

function nameWith(served: boolean): (run: ComparedRun) => Content {
  return ({ name, runId }) =>
    served
      ? html`<a href="/runs/${encodeURIComponent(runId)}/report" title="${runId}">${name}</a>`
      : html`<span title="${runId}">${name}</span>`;
}

function baselineChoice(runs: readonly ComparedRun[]): Html {
  return html`<div class="controls"><label>Compare with <select id="baseline">${runs.map(({ name }, place) => html`<option value="${place}">${name}</option>`)}</select></label></div>`;
}

/** Maximum number of strategies named in the head of the page. */
const MOST_NAMED = 3;

/**
 * Returns the second line of the page: the strategies of the runs, and the symbols if all runs have the same.
 */
function subject(stored: readonly StoredRun[]): string {
  const shared = (texts: readonly string[]): string | undefined =>
    new Set(texts).size === 1 ? texts[0] : undefined;
  const strategies = [...new Set(stored.map(({ summary }) => summary.strategy))];
  const strategy =
    strategies.length <= MOST_NAMED ? strategies.join(' and ') : `${strategies.length} strategies`;
  const symbols = shared(stored.map(({ summary }) => summary.symbols.join(', ')));
  return `${strategy}${symbols === undefined ? '' : ` on ${symbols}`}`;
}
