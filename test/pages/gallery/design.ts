import { section, table, toned, warningList } from '../../../src/pages/report/figure-table.ts';
import { equityChart } from '../../../src/pages/report/model/equity-chart.ts';
import type { PageData } from '../../../src/pages/report/model/page-data.ts';
import { html, scriptJson } from '../../../src/pages/shared/html.ts';
import { pageHead, pageShell } from '../../../src/pages/shared/shell.ts';

const STATES = [
  ['better', 'Better'],
  ['indistinguishable', 'Indistinguishable'],
  ['no_evidence', 'No evidence'],
  ['worse', 'Worse'],
] as const;

/** Colours of the token file and what each of them means. */
const COLOURS = [
  ['strategy', 'Strategy'],
  ['benchmark', 'Benchmark'],
  ['good', 'Gain, if the verdict is better'],
  ['bad', 'Loss'],
  ['second', 'Second accent: short exposure'],
  ['notice-line', 'Warning'],
  ['soft', 'Secondary text'],
  ['line', 'Lines'],
] as const;

/** Returns the page that shows every shared component of the pages. It is not part of the package. */
export function designPage(): string {
  const body = html`${pageHead({ title: 'Design', lines: ['Components that all pages share.'] })}
<main>
<div class="first"><div class="judgement" data-state="indistinguishable"><strong>Chip</strong><p>One sentence with the reason of a verdict.</p>${warningList(['A warning is one line, which opens to all of them.', 'The second warning.'])}</div>
<dl class="tiles">${[1, 2, 3, 4, 5, 6, 7, 8].map((place) => html`<div><dt>Tile ${place}</dt><dd>+12.34%<small>detail</small></dd></div>`)}</dl>
<div id="equity">${equityChart(sampleData(), { from: 0, to: 199 })}</div></div>
${section('chips', 'Chips', html`${STATES.map(([state, word]) => html`<div class="first"><div class="judgement" data-state="${state}"><strong>${word}</strong></div></div>`)}`)}
${section(
  'colours',
  'Colours',
  table(
    'Colours',
    ['Token', 'Meaning', 'Colour'],
    COLOURS.map(([name, meaning]) => [
      name,
      html`<span class="wrap">${meaning}</span>`,
      html`<span style="display:inline-block;width:4rem;height:1rem;background:var(--${name})"></span>`,
    ]),
  ),
)}
${section(
  'table',
  'Table',
  table(
    'Example',
    ['Row', 'Gain', 'Loss'],
    [
      ['First', toned('1.00', 1), toned('−1.00', -1)],
      ['Second', toned('2.00', 2), toned('−2.00', -2)],
    ],
  ),
  html`<p class="note">A note below a table.</p>`,
)}
${section('tabs', 'Tabs and buttons', html`<div class="controls tabs" role="group" aria-label="Example"><button type="button" aria-pressed="true">Chosen</button><button type="button" aria-pressed="false">Other</button></div><div class="controls"><button type="button">Button</button><label>Choice <select><option>First</option></select></label></div>`)}
${section('command', 'Command', html`<code class="command">npx sandtable report runs/example</code>`)}
${section('empty', 'Empty state', html`<p class="note">No trade was closed.</p>`)}
</main>`;
  return pageShell({ title: 'Design', body, data: scriptJson({}), script: 'sweep.js', style: 'report.css' });
}

/** Returns two hundred days of a run with ten trades. */
function sampleData(): PageData {
  const count = 200;
  const times = Array.from({ length: count }, (_, day) => 1_577_923_200 + day * 86_400);
  const wave = (height: number, length: number): number[] =>
    times.map((_, day) => 100_000 + day * 120 + height * Math.sin(day / length));
  const fall = (values: readonly number[]): number[] => {
    let peak = 0;
    return values.map((value) => {
      peak = Math.max(peak, value);
      return value / peak - 1;
    });
  };
  const [own, held] = [wave(6_000, 9), wave(9_000, 14)];
  const rows = Array.from({ length: 10 }, (_, trade) => ({
    exitTime: times[trade * 20 + 10]!,
    net: trade % 3 === 1 ? -900 : 1_500,
  }));
  return {
    times,
    equity: { open: [], high: [], low: [], close: own },
    drawdown: fall(own),
    benchmark: held,
    benchmarkDrawdown: fall(held),
    sessions: { time: times, first: null },
    rows,
  } as unknown as PageData;
}
