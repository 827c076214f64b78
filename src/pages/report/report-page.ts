import type { Undefined } from '../../analysis/index.ts';
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
  returnDates,
  rollingFigures,
  rollingWindow,
  type Sessions,
  sessionReturns,
  sessionsOf,
  type TrialCount,
} from '../../analysis/index.ts';
import type { RunRecord } from '../../journal/index.ts';
import { decimalString } from '../../kernel/index.ts';
import type { Manifest, OtherAnswer, Timing } from '../../runs/index.ts';
import { integer } from '../shared/formats.ts';
import { type Html, html, scriptJson } from '../shared/html.ts';
import { type PageLink, pageHead } from '../shared/page-head.ts';
import { pageShell } from '../shared/shell.ts';
import { activityTables } from './activity.ts';
import { answers } from './answers.ts';
import { attributionTables } from './attribution-tables.ts';
import { type Caveat, caveatsOf } from './caveats.ts';
import { chartData } from './chart-data.ts';
import { costTable } from './cost-table.ts';
import { histogram } from './distribution.ts';
import { eitherAnswer } from './either-answer.ts';
import { judgement } from './judgement.ts';
import { overfittingOf, overfittingTable } from './overfitting.ts';
import { provenance } from './provenance.ts';
import { breakdownTables, drawdownTable, figureTable, monthlyTable, section, tiles } from './sections.ts';
import { tradesPart } from './trades.ts';

/** What a report is made from. */
export interface ReportSource {
  readonly runId: string;
  readonly record: RunRecord;
  /** Undefined where the run was killed before it was written. */
  readonly manifest: Manifest | undefined;
  /** How the figures are worked out. */
  readonly options?: MetricsOptions;
  /** The record's own, by these options, where they have been worked out already. */
  readonly metrics?: Metrics;
  /** Undefined where the run has none. */
  readonly timing?: Timing | undefined;
  /** Of the run's search; undefined where its results folder was not looked at. */
  readonly trials?: TrialCount | undefined;
  /** The same run with the other answer to its ambiguous bars; undefined where there is none. */
  readonly otherAnswer?: OtherAnswer | undefined;
  /** To other pages. */
  readonly links?: readonly PageLink[];
  /** Address of the run's trace; left out where there is none beside the page. */
  readonly trace?: string | undefined;
}

/**
 * One run as a page that opens offline: everything is in this one text.
 *
 * @throws AppError `journal_damaged` where an amount or a date cannot be read, `page_assets_missing`
 */
export function reportPage(source: ReportSource): string {
  const { runId, record, manifest, links = [], options = {}, trials, trace } = source;
  // Charts show the history before the first bar that counts, too; figures begin with it.
  const counted = evaluated(record);
  const columns = equityColumns(counted);
  const metrics = source.metrics ?? computeMetrics(record, options);
  const sessions = sessionsOf(columns);
  const returns = sessionReturns(sessions);
  const benchmark = againstBenchmark(counted, columns, returns, options.benchmark, {
    periodsPerYear: metrics.periodsPerYear,
    riskFree: (options.riskFreeRate ?? 0) / metrics.periodsPerYear,
  });
  const benchmarkReturn = metrics.benchmarkReturn.value;
  const luck = overfittingOf(
    metrics,
    trials,
    trials && deflatedSharpe(returns, trials, metrics.periodsPerYear, options.riskFreeRate),
  );
  const unit = sessions.unit === 'bar' ? 'bar' : 'daily';
  const initialCash = decimalString(reportSettings(record).cash);

  const caveats = caveatsOf(record, metrics, manifest);
  const { name } = record.started.strategy;
  const trades = tradesPart(record);

  const body = html`${head(runId, record, counted, links)}
<main data-verdict="${metrics.verdict.state}">
${judgement(metrics.verdict, alarmsOf(record, manifest?.data?.holdout))}
${notices(caveats)}
${tiles(metrics, benchmarkReturn)}
${answers({ record, metrics, columns, benchmark: benchmark.equity, benchmarkName: benchmarkName(options.benchmark), initialCash, caveats, trace, runId })}
${eitherAnswer(record, metrics, source.otherAnswer)}
${section('prices', 'Prices and fills', chartControls(record), html`<div id="price-chart" class="chart" role="group" aria-label="Candles of the chosen symbol with fills, stops and targets"></div><p class="readout" id="readout"></p><div class="chosen" id="chosen" role="status">${record.fills.length === 0 ? 'Nothing was traded.' : 'Click an arrow, or step from fill to fill, to read what was done and why.'}</div><p class="note" id="price-note"></p>`)}
${section('equity', 'Equity and drawdown', html`<div class="controls"><label><input type="checkbox" id="log-scale"> logarithmic</label></div><div id="equity-chart" class="chart" role="group" aria-label="Equity against the benchmark, and drawdown below it"></div><p class="note">Benchmark: ${metrics.benchmarkReturn.reason ?? metrics.benchmarkReturn.convention}.</p>`)}
${section('months', 'Returns by month', monthlyTable(metrics.months))}
${section('distribution', 'How returns are spread', 'reason' in returns ? html`<p>Not defined: ${returns.reason}.</p>` : histogram(returns, unit))}
${section('rolling', 'Half a year at a time', rollingPart(returns, benchmark.returns, metrics.periodsPerYear))}
${section('drawdowns', 'Deepest drawdowns', drawdownTable(metrics.deepestDrawdowns))}
${section('costs', 'What trading cost', costTable(metrics.costSteps))}
${section('trades-part', 'Trades', trades.table)}
${section('breakdown', 'Where the result came from', attributionTables(metrics.attribution), breakdownTables(record))}
${section('decisions', 'What the strategy did', activityTables(record, source.timing))}
${section('luck', 'Could it be luck?', overfittingTable(luck))}
${section('figures', 'Every figure and its convention', figureTable(metrics))}
${section('provenance', 'Can I believe it?', provenance(record, manifest, caveats))}
</main>`;
  return pageShell({
    script: 'client.js',
    title: `${name} · ${runId}`,
    body,
    data: scriptJson({
      ...chartData(record, equityColumns(record), heldOf(record, counted, benchmark.equity)),
      trace: trace ?? null,
      moreTrades: trades.rest,
      rolling: rollingData(
        returns,
        benchmark.returns,
        sessions,
        metrics.periodsPerYear,
        options.riskFreeRate,
      ),
    }),
  });
}

/** Equity by bar of the benchmark over the whole run: it waits in cash until the first bar that counts. */
function heldOf(
  record: RunRecord,
  counted: RunRecord,
  held: Float64Array | undefined,
): Float64Array | undefined {
  if (counted === record || held === undefined) return held;
  const whole = equityColumns(record);
  return Float64Array.from(whole.times, (_, bar) => {
    const at = bar - (whole.times.length - held.length);
    return at < 0 ? whole.initialCash.toNumber() : held[at]!;
  });
}

function head(runId: string, record: RunRecord, counted: RunRecord, links: readonly PageLink[]): Html {
  const { strategy, symbols } = record.started;
  const from = counted === record ? '' : ` · figures from ${counted.bars[0]?.date ?? '–'} on`;
  const [first, last] = [record.bars[0]?.date ?? '–', record.bars.at(-1)?.date ?? '–'];
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

function chartControls(record: RunRecord): Html {
  const { symbols } = record.started;
  const options = symbols.map((symbol, index) => html`<option value="${index}">${symbol}</option>`);
  return html`<div class="controls">${symbols.length < 2 ? '' : html`<label>Symbol <select id="symbol">${options}</select></label>`}<label><input type="checkbox" id="show-levels" checked> stops, targets and limits</label><label><input type="checkbox" id="show-trades" checked> trades</label><span class="group"><button type="button" id="earlier-fill">◀ Fill</button><button type="button" id="later-fill">Fill ▶</button><button type="button" id="show-all">Whole run</button></span></div>`;
}

type Returns = Float64Array | Undefined;

/** @param other the benchmark's returns of the same sessions */
function rollingData(
  returns: Returns,
  other: Float64Array | undefined,
  sessions: Sessions,
  periods: number,
  riskFreeRate = 0,
) {
  if ('reason' in returns) return null;
  const rolling = rollingFigures(returns, other, periods, riskFreeRate / periods);
  const plain = (values: Float64Array): (number | null)[] =>
    Array.from(values, (value) => (Number.isFinite(value) ? Number(value.toPrecision(5)) : null));
  return {
    times: returnDates(sessions).map((date) =>
      Math.floor(Date.parse(date.length <= 10 ? `${date}T00:00:00Z` : date) / 1000),
    ),
    sharpe: plain(rolling.sharpe),
    volatility: plain(rolling.volatility),
    beta: plain(rolling.beta),
  };
}

function rollingPart(returns: Returns, other: Float64Array | undefined, periods: number): Html {
  if ('reason' in returns) return html`<p>Not defined: ${returns.reason}.</p>`;
  const window = rollingWindow(periods);
  if (returns.length < window)
    return html`<p>The run has ${returns.length} session returns; a window has ${window}.</p>`;
  const beta = other === undefined ? '' : ', beta to the benchmark';
  return html`<div id="rolling-chart" class="chart small" role="group" aria-label="Rolling Sharpe ratio, volatility${beta}"></div><p class="note">Over the newest ${window} session returns: Sharpe ratio, volatility a year${beta}.</p>`;
}
