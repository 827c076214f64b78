import { openDoorsOf } from '../../engine/index.ts';
import { AppError, isObject, numberOf, textOf } from '../../kernel/index.ts';
import { amount, integer } from '../shared/formats.ts';
import { type Html, html, scriptJson } from '../shared/html.ts';
import { type PageLink, pageHead } from '../shared/page-head.ts';
import { pageShell } from '../shared/shell.ts';
import type { ToolTimes } from './blocks.ts';
import { maskNotice, maskOf } from './masked.ts';
import type { Overview, StepSummary, StepView, TraceData } from './step.ts';
import type { TraceIndex } from './trace-index.ts';
import { overviewOf, stepView, symbolsOf } from './trace-reader.ts';

/** Characters of a page that a browser still opens quickly. */
const MOST_PAGE_CHARACTERS = 24 * 1024 * 1024;
/** A journal this large never makes a page of that size: it is refused before it is read bar by bar. */
const MOST_JOURNAL_BARS = 100_000;

export interface TracePageOptions {
  readonly runId: string;
  readonly links?: readonly PageLink[];
  /** The run is still being written. */
  readonly running?: boolean;
}

/** The trace of a run of any size; its bars are asked of the server at `api`. */
export function servedTracePage(index: TraceIndex, api: string, options: TracePageOptions): string {
  return tracePage(index, { ...dataOf(index, options), api, whole: null }, options);
}

/**
 * The trace of a run as one page that opens offline.
 *
 * @param limit characters that the page may have
 * @throws AppError `trace_too_large`, `journal_unreadable`
 */
export async function wholeTracePage(
  index: TraceIndex,
  times: ToolTimes,
  options: TracePageOptions,
  limit = MOST_PAGE_CHARACTERS,
): Promise<string> {
  if (index.bars > MOST_JOURNAL_BARS) throw tooLarge(`${integer(index.bars)} bars`);
  const views: StepView[] = [];
  let characters = 0;
  const last = Math.max(index.bars - 1, index.openBar ?? -1);
  for (let bar = 0; bar <= last; bar++) {
    const view = await stepView(index, bar, times);
    if (view === undefined) continue;
    characters += JSON.stringify(view).length;
    if (characters > limit) throw tooLarge(`more than ${Math.floor(limit / 1024 / 1024)} MB`);
    views.push(view);
  }
  const overviews: Overview[] = [];
  for (let symbol = 0; symbol < symbolsOf(index).length; symbol++) {
    overviews.push(await overviewOf(index, symbol));
  }
  const whole = { steps: index.allSteps, views, overviews };
  return tracePage(index, { ...dataOf(index, options), api: null, whole }, options);
}

function tooLarge(size: string): AppError {
  return new AppError({
    code: 'trace_too_large',
    message: `The trace of this run is too large for one page: ${size}.`,
    hint: 'Look at it with: npx sandtable serve FOLDER (the folder that holds the run); it reads what is looked at.',
    kind: 'run',
  });
}

function dataOf(
  index: TraceIndex,
  { runId, running = false }: TracePageOptions,
): Omit<TraceData, 'api' | 'whole'> {
  return {
    runId,
    symbols: symbolsOf(index),
    tools: [...index.tools].sort(),
    bars: index.bars,
    planned: numberOf(index.started?.bars) ?? index.bars,
    running,
    failedBar: failedStep(index)?.bar ?? null,
  };
}

/** The step on which the run failed; undefined where it did not. */
function failedStep(index: TraceIndex): StepSummary | undefined {
  return index.allSteps.findLast(({ failure }) => failure !== '');
}

function tracePage(index: TraceIndex, data: TraceData, options: TracePageOptions): string {
  const { runId, links = [] } = options;
  const strategy = isObject(index.started?.strategy) ? textOf(index.started.strategy.name) : '';
  const body = html`${pageHead({
    title: `Trace of ${strategy}`,
    lines: [summaryLine(index, data)],
    run: runId,
    links,
  })}
<main class="trace">
${notices(index, data.running)}
<section id="overview-part" aria-label="Chart"><div class="controls">${symbolChoice(data.symbols)}<span class="note" id="overview-note">Click a bar to see what was decided on it.</span></div><div id="overview" class="chart small" role="group" aria-label="Candles with fills; click a bar to see it"></div></section>
<div class="panes">
<section id="steps-part" aria-labelledby="steps-title"><h2 id="steps-title">Bars on which something happened</h2>
<form class="controls" id="filters" role="search">
<label class="grow">Search <input type="search" id="search" placeholder="words in code, results, reasons"></label>
${data.tools.length === 0 ? '' : html`<label>Tool <select id="tool"><option value="">all</option>${data.tools.map((name) => html`<option value="${name}">${name}</option>`)}</select></label>`}
<label><input type="checkbox" id="errors"> errors only</label>
<label>Trade <input type="number" id="trade" min="1" inputmode="numeric"></label>
</form>
<p class="note"><output id="count">…</output></p>
<ol id="steps" class="steps" aria-label="Bars"></ol>
<div class="controls pager" id="pager" hidden><button type="button" id="earlier">Earlier</button><button type="button" id="later">Later</button></div>
</section>
<section id="step" aria-label="The chosen bar"><div class="controls step-controls"><button type="button" id="previous" aria-keyshortcuts="ArrowLeft">◀ Previous</button><button type="button" id="next" aria-keyshortcuts="ArrowRight">Next ▶</button><form id="go"><label>Bar <input type="number" id="bar" min="0" inputmode="numeric"></label> <button type="submit">Go</button></form></div>
<div id="view" aria-live="polite"><p class="note">Choose a bar: in the list, in the chart, or with the arrow keys ← and →.</p></div></section>
</div>
</main>`;
  return pageShell({
    title: `Trace · ${strategy} · ${runId}`,
    body,
    data: scriptJson(data),
    script: 'trace.js',
    style: 'trace.css',
    ...(data.api === null ? {} : { served: true }),
  });
}

function summaryLine(index: TraceIndex, data: TraceData): Html {
  const { totals } = index;
  const model =
    totals.decisions === 0
      ? ''
      : ` · ${counted(totals.decisions, 'decision')} · ${integer(totals.inputTokens)} tokens in, ${integer(totals.outputTokens)} out${totals.cost === null ? '' : ` · ${amount(totals.cost, 4)} USD`}`;
  const doors = index.started === undefined ? [] : openDoorsOf(index.started);
  const sealed = doors.length === 0 ? '' : ` · not sealed: ${doors.join(', ')}`;
  return html`<span id="processed">${integer(data.bars)} of ${integer(data.planned)} bars</span> · ${counted(index.lifecycles.trades.size, 'trade')}${model}${sealed}`;
}

function counted(count: number, name: string): string {
  return `${integer(count)} ${name}${count === 1 ? '' : 's'}`;
}

function notices(index: TraceIndex, running: boolean): Html {
  const mask = maskOf(index.started);
  const failed = failedStep(index);
  const lines = [
    ...(mask === undefined ? [] : [maskNotice(mask)]),
    ...index.damage,
    ...(index.finished === undefined && !index.isDamaged && !running
      ? ['The journal has no run_finished event: the run was killed. What it wrote down is here.']
      : []),
    ...(failed === undefined ? [] : [`The run failed on bar ${failed.bar}: ${failed.failure}`]),
    ...(failed === undefined && index.openBar !== undefined && !running
      ? [`Bar ${index.openBar} did not end: what is known of it is here, but its account and prices are not.`]
      : []),
  ];
  const shown =
    lines.length === 0 ? '' : html`<ul class="notices">${lines.map((line) => html`<li>${line}</li>`)}</ul>`;
  return html`${shown}${running ? html`<p class="notices live" id="live" role="status">This run is under way.</p>` : ''}`;
}

function symbolChoice(symbols: readonly string[]): Html {
  const options = symbols.map((symbol, number) => html`<option value="${number}">${symbol}</option>`);
  return html`${symbols.length < 2 ? '' : html`<label>Symbol <select id="symbol">${options}</select></label>`}`;
}
