import { deflateRawSync } from 'node:zlib';
import { openDoorsOf } from '../../engine/index.ts';
import { AppError, isObject, numberOf, textOf } from '../../kernel/index.ts';
import { dollars } from '../../results/analysis/series/index.ts';
import { packed } from '../report/model/pack.ts';
import { integer } from '../shared/formats.ts';
import { Html, html, scriptJson } from '../shared/html.ts';
import { type PageLink, pageHead, pageShell } from '../shared/shell.ts';
import { type LeanView, maskNotice, maskOf, type StepView, type TraceData } from './step.ts';
import type { StepDraft } from './step-draft.ts';
import { decisionTimes, stepNews, type ToolTimes, toolTimes } from './step-summary.ts';
import type { TraceIndex } from './trace-index.ts';
import { allViews, overviewsOf, symbolsOf } from './trace-reader.ts';

/** Compression level of zlib. A higher level would take twice as long and reduce the size by one percent. */
const LEVEL = 5;
/**
 * Number of characters of JSON after which a part of the page's data ends. To show a bar, the page
 * decompresses only the part that contains it.
 */
const PART_CHARACTERS = 512 * 1024;

/**
 * Returns an element with data that the page's script decompresses when needed. The data are deflated and
 * encoded in base64, so they cannot contain markup.
 */
function blob(id: string, value: unknown): Html {
  return blobOf(id, deflated(JSON.stringify(packed(value))));
}

function blobOf(id: string, base64: string): Html {
  return new Html(`<script type="application/octet-stream" id="${id}">${base64}</script>`);
}

function deflated(text: string): string {
  return deflateRawSync(text, { level: LEVEL }).toString('base64');
}

/** Views of all bars, split into parts. */
interface ViewParts {
  /** First bar of each part, ascending. */
  readonly parts: readonly number[];
  readonly blobs: readonly Html[];
}

/**
 * Returns the views of all bars in parts, so that the page can decompress a single part.
 *
 * @param full called after each part with the total number of compressed characters so far. Throws if the
 *   page becomes too large
 */
async function viewParts(
  index: TraceIndex,
  times: ToolTimes,
  full: (characters: number) => void,
): Promise<ViewParts> {
  const parts: number[] = [];
  const blobs: Html[] = [];
  let [texts, characters, total]: [string[], number, number] = [[], 0, 0];
  let first = 0;
  const close = (): void => {
    if (texts.length === 0) return;
    const content = deflated(`[${texts.join(',')}]`);
    total += content.length;
    full(total);
    parts.push(first);
    blobs.push(blobOf(`part-${blobs.length}`, content));
    [texts, characters] = [[], 0];
  };
  for await (const view of allViews(index, times)) {
    const text = JSON.stringify(lean(view));
    if (texts.length === 0) first = view.bar;
    texts.push(text);
    characters += text.length;
    if (characters >= PART_CHARACTERS) close();
  }
  close();
  return { parts, blobs };
}

function lean(view: StepView): LeanView {
  return { ...view, prices: view.prices.map(({ values }) => values) };
}

/**
 * Maximum number of compressed characters in a page that contains all bars. A browser opens a page of this
 * size within seconds.
 */
const MOST_PAGE_CHARACTERS = 96 * 1024 * 1024;

interface TracePageOptions {
  readonly runId: string;
  readonly links?: readonly PageLink[];
  /** True if the run is active. */
  readonly running?: boolean;
  /** Content of the run's `timing.json`, not validated. */
  readonly timing?: unknown;
  /** Time zone of the displayed times. */
  readonly timezone?: string;
}

/** Returns the trace page of a run of any size. The page requests bars from the server at `api`. */
export function servedTracePage(index: TraceIndex, api: string, options: TracePageOptions): string {
  return tracePage(index, { ...dataOf(index, options), api, parts: [] }, options, []);
}

/**
 * Returns the trace of a run as a page that works offline.
 *
 * @param limit maximum number of compressed characters of all bars
 * @throws AppError `trace_too_large`, `journal_unreadable`
 */
export async function wholeTracePage(
  index: TraceIndex,
  options: TracePageOptions,
  limit = MOST_PAGE_CHARACTERS,
): Promise<string> {
  const { parts, blobs } = await viewParts(index, toolTimes(options.timing), (characters) => {
    if (characters > limit) throw tooLarge(`more than ${Math.floor(limit / 1024 / 1024)} MB`);
  });
  const overviews = await overviewsOf(
    index,
    symbolsOf(index).map((_, number) => number),
  );
  return tracePage(index, { ...dataOf(index, options), api: null, parts }, options, [
    ...overviews.map((overview, symbol) => blob(`overview-${symbol}`, overview)),
    ...blobs,
  ]);
}

function tooLarge(size: string): AppError {
  return new AppError({
    code: 'trace_too_large',
    message: `The trace of this run is too large for one page: ${size}.`,
    hint: 'Use npx sandtable serve FOLDER, with the folder that contains the run. It reads only the bars that you open.',
    kind: 'run',
  });
}

function dataOf(
  index: TraceIndex,
  { runId, running = false, timezone = 'UTC' }: TracePageOptions,
): Omit<TraceData, 'api' | 'parts'> {
  return {
    runId,
    strategyKind: isObject(index.started?.strategy) ? textOf(index.started.strategy.kind) : '',
    symbols: symbolsOf(index),
    tools: [...index.tools].sort(),
    bars: index.bars,
    planned: numberOf(index.started?.bars) ?? index.bars,
    running,
    failedBar: failedStep(index)?.bar ?? null,
    worstBar: running ? null : worstBarOf(index),
    timezone,
    revision: index.revision,
  };
}

/**
 * Returns the bar of the decision that led to the closed trade with the lowest net profit. `null` without a
 * closed trade.
 */
function worstBarOf({ lifecycles }: TraceIndex): number | null {
  const closed = [...lifecycles.trades.values()].filter(({ exitBar }) => exitBar !== undefined);
  const worst = closed.reduce<(typeof closed)[number] | undefined>(
    (least, trade) => (least === undefined || Number(trade.netPnl) < Number(least.netPnl) ? trade : least),
    undefined,
  );
  return worst === undefined ? null : (worst.bars[0] ?? worst.entryBar);
}

/** Returns the step on which the run failed. `undefined` if the run did not fail. */
function failedStep(index: TraceIndex): StepDraft | undefined {
  return index.allSteps.findLast(({ failure }) => failure !== '');
}

function tracePage(
  index: TraceIndex,
  data: TraceData,
  options: TracePageOptions,
  after: readonly Html[],
): string {
  const { runId, links = [] } = options;
  const strategy = isObject(index.started?.strategy) ? textOf(index.started.strategy.name) : '';
  const { steps } = stepNews(index, 0, decisionTimes(options.timing));
  const body = html`${pageHead({
    title: `Trace of ${strategy}`,
    lines: [summaryLine(index, data)],
    run: runId,
    links,
  })}
<main class="trace">
${notices(index, data.running)}
<section id="overview-part" aria-label="Chart"><div class="controls">${symbolChoice(data.symbols)}<span class="note" id="overview-note">Click a bar to see what was decided on it.</span></div><div id="overview" class="chart" role="group" tabindex="0" aria-label="Prices with a lane of decisions; the list below has the same. Arrow keys go from one to the next, plus and minus zoom." aria-describedby="lane-key"></div><ul id="lane-key" class="legend"></ul>${data.api === null ? '' : html`<div class="controls" id="other-part" hidden><label>Compare decisions with <select id="other"><option value="">no other run</option></select></label> <span class="note" id="other-note" role="status"></span></div>`}</section>
<div class="split">
<section id="steps-part" class="card" aria-labelledby="steps-title"><h2 id="steps-title">What happened</h2>
<form class="controls" id="filters" role="search">
<label class="grow">Search <input type="search" id="search" placeholder="words in code, results, reasons"></label>
<label>Show <select id="what"><option value="">all</option><option value="b">bought</option><option value="s">sold</option><option value="r">refused</option><option value="e">errors</option><option value="h">held</option><option value="d">decided, not held</option></select></label>
${data.tools.length === 0 ? '' : html`<label>Tool <select id="tool"><option value="">all</option>${data.tools.map((name) => html`<option value="${name}">${name}</option>`)}</select></label>`}
<label>Trade <input type="number" id="trade" min="1" inputmode="numeric"></label>
</form>
<p class="note"><output id="count">…</output></p>
<ol id="steps" class="steps" aria-label="Bars"></ol>
<div class="controls pager" id="pager" hidden><button type="button" id="earlier">Earlier</button><button type="button" id="later">Later</button></div>
</section>
<section id="step" class="card" aria-label="The chosen bar"><div class="controls step-controls"><button type="button" id="previous" aria-keyshortcuts="ArrowLeft">◀ Previous</button><button type="button" id="next" aria-keyshortcuts="ArrowRight">Next ▶</button><form id="go"><label>Bar <input type="number" id="bar" min="0" inputmode="numeric"></label> <button type="submit">Go</button></form><span class="group"><button type="button" id="play" aria-keyshortcuts="Space">▶ Replay</button> <label>Speed <select id="speed"></select></label> <button type="button" id="next-trade" aria-keyshortcuts="t">Next trade</button> <button type="button" id="replay-end" aria-keyshortcuts="Escape" hidden>Whole run</button></span></div>
<div id="view" aria-live="polite"><p class="note">Choose a bar: in the list, in the chart, or with the arrow keys ← and →.</p></div></section>
</div>
</main>
${blob('steps-data', steps)}`;
  return pageShell({
    title: `Trace · ${strategy} · ${runId}`,
    body,
    data: scriptJson(data),
    script: 'trace.js',
    style: 'trace.css',
    after,
    ...(data.api === null ? {} : { served: true }),
  });
}

function summaryLine(index: TraceIndex, data: TraceData): Html {
  const { totals } = index;
  const model =
    totals.decisions === 0
      ? ''
      : ` · ${counted(totals.decisions, 'decision')} · ${integer(totals.inputTokens)} tokens in, ${integer(totals.outputTokens)} out${totals.cost === null ? '' : ` · ${dollars(totals.cost)}`}`;
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
