import { existsSync } from 'node:fs';
import { join, relative, sep } from 'node:path';
import type { RunRecord } from '../../journal/index.ts';
import { decimalString } from '../../kernel/index.ts';
import {
  againstBenchmark,
  alarmsOf,
  benchmarkName,
  computeMetrics,
  deflatedSharpe,
  equityColumns,
  evaluated,
  type Metrics,
  type MetricsOptions,
  reportSettings,
  sessionReturns,
  sessionsOf,
  type TrialCount,
  type VerdictState,
} from '../../results/analysis/index.ts';
import {
  type Manifest,
  type OtherAnswer,
  readOtherAnswer,
  type StoredRun,
  type TestsOfRun,
  type Timing,
  testsOfRun,
  trialsOfRun,
} from '../../results/runs/index.ts';
import { type Notes, notesIn } from '../serve/tags.ts';
import { integer, readableDate, signedPercent } from '../shared/formats.ts';
import { type Html, html } from '../shared/html.ts';
import { type PageLink, pageHead, pageShell } from '../shared/shell.ts';
import { activityTables, benchmarkPart, verdictPart } from './activity.ts';
import { caveatsOf, provenance } from './caveats.ts';
import { eitherAnswer, figureTable, section, warningList } from './figure-table.ts';
import { keyFacts } from './key-facts.ts';
import { equityChart } from './model/equity-chart.ts';
import type { PageData } from './model/page-data.ts';
import { wholeRange } from './model/range.ts';
import { spreadPart } from './model/spread.ts';
import { tilesOf } from './model/tiles.ts';
import { nextCard } from './next-steps.ts';
import { isJudged, packedData, pageDataOf } from './page-data.ts';
import {
  attributionPart,
  attributionTables,
  breakdownTables,
  costsPart,
  rangeStrip,
  spreadOfRun,
  timePart,
} from './performance-parts.ts';
import { overfittingOf, type PageAddress, robustnessPart } from './robustness.ts';
import { summaryLines } from './summary-lines/summary-lines.ts';
import { tradesPart } from './trades.ts';

/** Inputs for a report. */
export interface ReportSource {
  readonly runId: string;
  readonly record: RunRecord;
  /** Manifest of the run. `undefined` if the run was killed before its manifest was written. */
  readonly manifest: Manifest | undefined;
  /** Options for calculating the figures. */
  readonly options?: MetricsOptions;
  /** Metrics of the record, calculated with `options`. If omitted, they are calculated. */
  readonly metrics?: Metrics;
  /**
   * Measured durations of the run, of model requests and of tool calls. `undefined` if they were not
   * recorded.
   */
  readonly timing?: Timing | undefined;
  /**
   * Trials of the search to which the run belongs: runs of the same strategy with different parameters on the
   * same data. `undefined` if the results folder was not read.
   */
  readonly trials?: TrialCount | undefined;
  /** Time at which the trials were counted. `undefined` if they were not counted. */
  readonly readAt?: Date | undefined;
  /**
   * Result of a second run of the same inputs. On ambiguous bars, one run assumes the worst order of prices,
   * the other the best. `undefined` if there is no second run.
   */
  readonly otherAnswer?: OtherAnswer | undefined;
  /**
   * Sweeps and stress tests of the same strategy on the same data. `undefined` if the results folder was not
   * read.
   */
  readonly tests?: TestsOfRun | undefined;
  /** Returns the addresses of the pages of `tests`. `undefined` if the report must not link to them. */
  readonly addressOf?: PageAddress | undefined;
  /** Links in the head of the page. */
  readonly links?: readonly PageLink[];
  /** Address of the run's trace. Omitted without a trace page. */
  readonly trace?: string | undefined;
  /** Tags and notes of the user. */
  readonly notes?: Notes | undefined;
}

/** Content of a report. */
export interface ReportContent {
  readonly title: string;
  readonly body: Html;
  /** First screen: verdict, main figures and equity. */
  readonly first: Html;
  readonly data: PageData;
  readonly verdict: VerdictState;
}

/**
 * Returns the report of a run as a self-contained page that works offline.
 *
 * @throws AppError `journal_damaged` if an amount or a date is not readable, `page_assets_missing`
 */
export function reportPage(source: ReportSource): string {
  const { title, body, data } = reportContent(source);
  return pageShell({ script: 'client.js', style: 'report.css', title, body, data: packedData(data) });
}

/**
 * Returns the content of a run's report.
 *
 * @throws AppError `journal_damaged`
 */
function reportContent(source: ReportSource): ReportContent {
  const { runId, record, manifest, links = [], options = {}, trials, trace } = source;
  // Charts also show the bars before the evaluation period (history). Figures do not include these bars.
  const counted = evaluated(record);
  const columns = equityColumns(counted);
  const metrics = source.metrics ?? computeMetrics(record, options);
  const sessions = sessionsOf(columns);
  const returns = sessionReturns(sessions);
  const benchmark = againstBenchmark(counted, columns, returns, options.benchmark, {
    periodsPerYear: metrics.periodsPerYear,
    riskFree: (options.riskFreeRate ?? 0) / metrics.periodsPerYear,
  });
  const luck = overfittingOf(
    metrics,
    trials,
    trials && deflatedSharpe(returns, trials, metrics.periodsPerYear, options.riskFreeRate),
    source.readAt,
  );
  const unit = sessions.unit === 'bar' ? 'bar' : 'daily';
  const initialCash = decimalString(reportSettings(record).cash);
  const caveats = caveatsOf(record, metrics, manifest);
  const { name } = record.started.strategy;
  const trades = tradesPart(record);
  const data = pageDataOf({
    record,
    counted,
    columns,
    sessions,
    metrics,
    options,
    manifest,
    returns,
    benchmark,
    trades,
    trace,
  });
  const benchmarkRows = metrics.benchmarkTable();
  const spread = spreadOfRun({
    columns,
    metrics,
    returns,
    held: benchmark.equity,
    heldReturns: benchmark.returns,
    unit,
  });
  const hasBars = data.sessions.time.length > 0;

  const shown = hasBars ? wholeRange(data) : undefined;
  const facts = { record, metrics, manifest, trials, dsr: luck.dsr, tests: source.tests, runId };
  const about = { record, counted, metrics, rows: benchmarkRows, spread, data, luck };
  const first = html`<div class="first">${verdictPart(metrics.verdict, alarmsOf(record, manifest?.data?.holdout), record)}
<div id="tiles">${shown && tilesOf(data, shown, benchmarkRows, metrics.commonPeriod === null)}</div>
<div id="equity">${shown && equityChart(data, shown)}</div></div>`;
  const body = html`${head(runId, record, counted, links)}
<main data-verdict="${metrics.verdict.state}">
${first}
${nextCard(facts)}
${notesCard(source.notes)}
${warningList(caveats.flatMap(({ isSevere, text }) => (isSevere ? [text] : [])))}
${rangeStrip(data)}
<div class="overview"><div class="show">${benchmarkPart(benchmarkRows, metrics.benchmarkReturn.reason ?? data.terms.benchmark, isJudged(metrics), benchmarkNotes(metrics))}</div>
<div class="say">${summaryLines(about)}</div></div>
${section('distribution', 'Returns, drawdowns and regimes', html`<div id="spread">${spreadPart(spread)}</div>`)}
${section('breakdown', 'Profit attribution', attributionPart(data), html`<details><summary class="of-whole">To the last decimal, and trades by weekday and holding time</summary>${attributionTables(metrics.attribution)}${breakdownTables(record)}</details>`)}
${section('prices', 'Prices, exposure and rolling figures', timePart(record, metrics))}
${section('costs', 'Costs and capacity', costsPart(counted, metrics.costSteps))}
${section('luck', 'Robustness', robustnessPart(luck, facts, source.addressOf ?? (() => undefined)))}
${section('trades-part', 'Trades', trades.table, html`<div id="story" class="story" role="region" aria-label="The chosen trade" hidden></div>`)}
${section('decisions', 'Orders and decisions', activityTables(record, source.timing))}
${eitherAnswer(record, metrics, source.otherAnswer)}
${keyFacts({ record, metrics, columns, benchmark: benchmark.equity, benchmarkName: benchmarkName(options.benchmark), initialCash, caveats, trace, runId })}
${section('provenance', 'Assumptions and alarms', provenance(record, manifest, caveats))}
${section('figures', 'All figures', figureTable(metrics))}
</main>
<footer class="foot">Charts of time series: <a href="https://www.tradingview.com/">Lightweight Charts™ by TradingView</a>.</footer>`;
  return { title: `${name} · ${runId}`, body, first, data, verdict: metrics.verdict.state };
}

/** Returns the card with the tags and notes of the user. Empty if the user wrote neither. */
function notesCard(notes: Notes | undefined): Html | string {
  if (notes === undefined || (notes.tags.length === 0 && notes.notes === '')) return '';
  const tags = notes.tags.map((tag) => html` <span class="chip quiet"><bdi>${tag}</bdi></span>`);
  return html`<section id="notes" class="next card" aria-labelledby="notes-title"><h2 id="notes-title">Notes</h2><div>${tags}<p dir="auto">${notes.notes}</p></div></section>`;
}

function benchmarkNotes({ commonPeriod: common, underAYear }: Metrics): string[] {
  return [
    ...(common === null
      ? []
      : [
          `The column Strategy is of the whole run. The other columns are of ${common.firstBar} to ${common.lastBar}, which the benchmark covers. The run returned ${signedPercent(common.ownReturn)} there.`,
        ]),
    ...(underAYear ? ['Yearly figures are stretched from less than a year.'] : []),
  ];
}

function head(runId: string, record: RunRecord, counted: RunRecord, links: readonly PageLink[]): Html {
  const { strategy, symbols } = record.started;
  const from = counted === record ? '' : ` · figures from ${readableDate(counted.bars[0]?.date ?? '–')} on`;
  const [first, last] = [record.bars[0]?.date ?? '–', record.bars.at(-1)?.date ?? '–'].map(readableDate);
  const shown =
    symbols.length <= 8
      ? symbols.join(', ')
      : `${symbols.slice(0, 8).join(', ')} and ${symbols.length - 8} more`;
  return pageHead({
    title: strategy.name,
    lines: [`${shown} · ${first} to ${last} · ${integer(record.bars.length)} bars${from}`],
    run: runId,
    links,
  });
}

/** File names of the pages in a run folder, which link to each other. */
export const REPORT_FILE = 'report.html';
export const TRACE_FILE = 'trace.html';

/**
 * Returns the report of a stored run. The report states the number of trials in the search to which the run
 * belongs, counted in the results folder.
 *
 * @param options options for calculating figures; default: the options of the run
 * @throws AppError `journal_damaged`, `page_assets_missing`
 */
export function storedReport(
  run: StoredRun,
  around: Pick<ReportSource, 'links' | 'trace' | 'addressOf'>,
  options: MetricsOptions = run.options,
): string {
  return reportPage(sourceOf(run, around, options));
}

function sourceOf(
  run: StoredRun,
  around: Pick<ReportSource, 'links' | 'trace' | 'addressOf'>,
  options: MetricsOptions,
): ReportSource {
  const { runId, folder, record, manifest, timing, summary } = run;
  return {
    runId,
    record,
    manifest,
    timing,
    options,
    metrics: options === run.options ? run.metrics : computeMetrics(record, options),
    trials: trialsOfRun(folder, manifest, summary),
    tests: testsOfRun(folder, manifest, summary),
    readAt: new Date(),
    otherAnswer: readOtherAnswer(folder),
    notes: notesIn(folder),
    ...around,
  };
}

/**
 * Returns the content of a stored run's report.
 *
 * @param options options for calculating figures; default: the options of the run
 * @throws AppError `journal_damaged`
 */
export function storedContent(run: StoredRun, options: MetricsOptions = run.options): ReportContent {
  return reportContent(sourceOf(run, {}, options));
}

/**
 * Returns the report of a run for storage as a file in the folder `beside`. The report links to the trace if
 * this folder contains a trace page.
 *
 * @param options options for calculating figures; default: the options of the run
 * @throws AppError `journal_damaged`, `page_assets_missing`
 */
export function linkedReport(run: StoredRun, beside: string, options?: MetricsOptions): string {
  const around = existsSync(join(beside, TRACE_FILE))
    ? { links: [{ text: 'Trace', href: TRACE_FILE }], trace: TRACE_FILE }
    : {};
  return storedReport(run, { ...around, addressOf: addressesFrom(beside) }, options);
}

/** Returns a function for the addresses of pages in other folders, relative to `folder`. */
export function addressesFrom(folder: string): PageAddress {
  return (other, page) => encodeURI(relative(folder, join(other, page)).split(sep).join('/'));
}
