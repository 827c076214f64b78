import { existsSync } from 'node:fs';
import { join } from 'node:path';
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
} from '../../results/analysis/index.ts';
import {
  type Manifest,
  type OtherAnswer,
  readOtherAnswer,
  type StoredRun,
  type Timing,
  trialsOfRun,
} from '../../results/runs/index.ts';
import { integer, readableDate, signedPercent } from '../shared/formats.ts';
import { type Html, html } from '../shared/html.ts';
import { type PageLink, pageHead, pageShell } from '../shared/shell.ts';
import { activityTables, spinePart, verdictPart } from './activity.ts';
import { answers } from './answers.ts';
import { attributionPart, attributionTables, breakdownTables } from './attribution.ts';
import { type Caveat, caveatsOf, provenance } from './caveats.ts';
import { eitherAnswer, figureTable, section } from './figure-table.ts';
import { wholeRange } from './model/range.ts';
import { spreadPart } from './model/spread.ts';
import { tilesOf } from './model/tiles.ts';
import { isJudged, packedData, pageDataOf } from './page-data.ts';
import {
  costsPart,
  overfittingOf,
  overfittingTable,
  rangeStrip,
  spreadOfRun,
  timePart,
} from './performance-parts.ts';
import { questions } from './questions/questions.ts';
import { tradesPart } from './trades.ts';

/** Input for a report. */
export interface ReportSource {
  readonly runId: string;
  readonly record: RunRecord;
  /** Undefined if the run was killed before the manifest was written. */
  readonly manifest: Manifest | undefined;
  /** Options for calculating the figures. */
  readonly options?: MetricsOptions;
  /** Metrics of the record with these options, if already calculated. */
  readonly metrics?: Metrics;
  /** Undefined if the run has no timing. */
  readonly timing?: Timing | undefined;
  /** Trials of the run's search. Undefined if its results folder was not read. */
  readonly trials?: TrialCount | undefined;
  /** Time at which the trials were counted. */
  readonly readAt?: Date | undefined;
  /**
   * Result of the same run with the other assumption for ambiguous bars. Undefined if it was not calculated.
   */
  readonly otherAnswer?: OtherAnswer | undefined;
  /** Links to other pages. */
  readonly links?: readonly PageLink[];
  /** Address of the run's trace. Omitted without a trace page. */
  readonly trace?: string | undefined;
}

/**
 * Returns the report of a run as a self-contained page that works offline.
 *
 * @throws AppError `journal_damaged` if an amount or a date is not readable, `page_assets_missing`
 */
export function reportPage(source: ReportSource): string {
  const { runId, record, manifest, links = [], options = {}, trials, trace } = source;
  // Charts include the history before the first evaluated bar. Figures use only evaluated bars.
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
  const spine = metrics.spine();
  const spread = spreadOfRun({
    columns,
    metrics,
    returns,
    held: benchmark.equity,
    heldReturns: benchmark.returns,
    unit,
  });
  const hasBars = data.sessions.time.length > 0;

  const body = html`${head(runId, record, counted, links)}
<main data-verdict="${metrics.verdict.state}">
<div class="overview"><div class="say">${verdictPart(metrics.verdict, alarmsOf(record, manifest?.data?.holdout), record)}
${notices(caveats)}
${questions({ record, counted, metrics, spine, spread, data })}</div>
<div class="show">${spinePart(spine, metrics.benchmarkReturn.reason ?? data.terms.benchmark, isJudged(metrics), spineNotes(metrics))}
<div id="tiles">${hasBars ? tilesOf(data, wholeRange(data)) : ''}</div></div></div>
${answers({ record, metrics, columns, benchmark: benchmark.equity, benchmarkName: benchmarkName(options.benchmark), initialCash, caveats, trace, runId })}
${eitherAnswer(record, metrics, source.otherAnswer)}
${rangeStrip(data)}
${section('prices', 'Through time', timePart(record, data, metrics))}
${section('breakdown', 'Where the profit came from', attributionPart(data), html`<details><summary>To the last decimal, and trades by weekday and holding time</summary>${attributionTables(metrics.attribution)}${breakdownTables(record)}</details>`)}
${section('costs', 'Costs and capacity', costsPart(counted, metrics.costSteps))}
${section('trades-part', 'Trades', trades.table, html`<div id="story" class="story" role="region" aria-label="The chosen trade" hidden></div>`)}
${section('distribution', 'How returns are spread', html`<div id="spread">${spreadPart(spread)}</div>`)}
${section('decisions', 'What the strategy did', activityTables(record, source.timing))}
${section('luck', 'Could it be luck?', overfittingTable(luck))}
${section('provenance', 'Can I believe it?', provenance(record, manifest, caveats))}
${section('figures', 'Every figure and its convention', figureTable(metrics))}
</main>
<footer class="foot">Charts of time series: <a href="https://www.tradingview.com/">Lightweight Charts™ by TradingView</a>.</footer>`;
  return pageShell({
    script: 'client.js',
    style: 'report.css',
    title: `${name} · ${runId}`,
    body,
    data: packedData(data),
  });
}

function spineNotes({ commonPeriod: common, underAYear }: Metrics): string[] {
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

function notices(caveats: readonly Caveat[]): Html {
  const loud = caveats.filter(({ isSevere }) => isSevere);
  return html`${loud.length === 0 ? '' : html`<ul class="notices">${loud.map(({ text }) => html`<li>${text}</li>`)}</ul>`}`;
}

/** File names that the pages of a run use to link to each other. */
export const REPORT_FILE = 'report.html';
export const TRACE_FILE = 'trace.html';

/**
 * Returns the report of a stored run, including the trials in its results folder.
 *
 * @param options options for calculating figures; default: the options of the run
 * @throws AppError `journal_damaged`, `page_assets_missing`
 */
export function storedReport(
  run: StoredRun,
  around: Pick<ReportSource, 'links' | 'trace'>,
  options: MetricsOptions = run.options,
): string {
  const { runId, folder, record, manifest, timing, summary } = run;
  return reportPage({
    runId,
    record,
    manifest,
    timing,
    options,
    metrics: options === run.options ? run.metrics : computeMetrics(record, options),
    trials: trialsOfRun(folder, manifest, summary),
    readAt: new Date(),
    otherAnswer: readOtherAnswer(folder),
    ...around,
  });
}

/**
 * Returns the report of a run for storage as a file in the folder `beside`. Links to the trace if this folder
 * contains one.
 *
 * @param options options for calculating figures; default: the options of the run
 * @throws AppError `journal_damaged`, `page_assets_missing`
 */
export function linkedReport(run: StoredRun, beside: string, options?: MetricsOptions): string {
  const around = existsSync(join(beside, TRACE_FILE))
    ? { links: [{ text: 'Trace', href: TRACE_FILE }], trace: TRACE_FILE }
    : {};
  return storedReport(run, around, options);
}
