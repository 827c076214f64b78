import type { RunRecord } from '../../journal/index.ts';
import { decimalString } from '../../kernel/index.ts';
import { ambiguityOf } from '../ambiguity.ts';
import { againstBenchmark } from '../analysis/against-benchmark.ts';
import { calendarReturns } from '../analysis/calendar-returns.ts';
import { rollingFigures, rollingWindow } from '../analysis/rolling.ts';
import { drawdownCurve, drawdownsOf } from '../drawdown.ts';
import { equityColumns, reportSettings } from '../equity.ts';
import type { Undefined } from '../figures.ts';
import type { Manifest } from '../manifest.ts';
import { computeMetrics, type Metrics, type MetricsOptions } from '../metrics.ts';
import { deflatedSharpe, type TrialCount } from '../overfit/deflate.ts';
import { sessionReturns } from '../returns.ts';
import { type Sessions, sessionsOf } from '../sessions.ts';
import type { Timing } from '../timing.ts';
import { activityTables } from './activity.ts';
import { chartData } from './chart-data.ts';
import { costTable } from './cost-table.ts';
import { histogram } from './distribution.ts';
import { amount, integer, percent, signedPercent } from './formats.ts';
import { type Html, html, scriptJson } from './html.ts';
import { luckOf, luckTable } from './luck.ts';
import { type PageLink, pageHead } from './page-head.ts';
import { provenance } from './provenance.ts';
import { breakdownTables, drawdownTable, figureTable, monthlyTable, section, tiles } from './sections.ts';
import { pageShell } from './shell.ts';
import { tradesTable } from './trades.ts';

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
  /** To other pages of a server. */
  readonly links?: readonly PageLink[];
}

/**
 * One run as a page that opens offline: everything is in this one text.
 *
 * @throws AppError `journal_damaged` where an amount or a date cannot be read, `page_assets_missing`
 */
export function reportPage(source: ReportSource): string {
  const { runId, record, manifest, links = [], options = {}, trials } = source;
  const columns = equityColumns(record);
  const metrics = source.metrics ?? computeMetrics(record, options);
  const sessions = sessionsOf(columns);
  const returns = sessionReturns(sessions);
  const benchmark = againstBenchmark(record, columns, returns, options.benchmark);
  const benchmarkReturn = metrics.benchmarkReturn.value;
  const luck = luckOf(
    metrics,
    trials,
    trials && deflatedSharpe(returns, trials, metrics.periodsPerYear, options.riskFreeRate),
  );
  const unit = sessions.unit === 'bar' ? 'bar' : 'daily';
  const initialCash = decimalString(reportSettings(record).cash);
  const curve = drawdownCurve(columns);
  const { name } = record.started.strategy;

  const body = html`${head(runId, record, links)}
<main>
<p class="verdict">${verdict(metrics, benchmarkReturn, initialCash)}</p>
${notices(record, metrics.finalEquity.value ?? initialCash)}
${tiles(metrics, benchmarkReturn)}
${section('prices', 'Prices and fills', chartControls(record), html`<div id="price-chart" class="chart" role="group" aria-label="Candles of the chosen symbol with fills, stops and targets"></div><p class="note" id="price-note"></p>`)}
${section('equity', 'Equity and drawdown', html`<div id="equity-chart" class="chart" role="group" aria-label="Equity against the benchmark, and drawdown below it"></div><p class="note">Benchmark: ${metrics.benchmarkReturn.reason ?? metrics.benchmarkReturn.convention}.</p>`)}
${section('months', 'Returns by month', monthlyTable(calendarReturns(columns)))}
${section('distribution', 'How returns are spread', 'reason' in returns ? html`<p>Not defined: ${returns.reason}.</p>` : histogram(returns, unit))}
${section('rolling', 'Half a year at a time', rollingPart(returns, benchmark.returns, metrics.periodsPerYear))}
${section('drawdowns', 'Deepest drawdowns', drawdownTable(drawdownsOf(columns, curve)))}
${section('costs', 'What trading cost', costTable(metrics.costSteps))}
${section('trades-part', 'Trades', tradesTable(record))}
${section('breakdown', 'Where the result came from', breakdownTables(record))}
${section('decisions', 'What the strategy did', activityTables(record, source.timing))}
${section('luck', 'Could it be luck?', luckTable(luck))}
${section('figures', 'Every figure and its convention', figureTable(metrics))}
${section('provenance', 'Can I believe it?', provenance(record, manifest))}
</main>`;
  return pageShell({
    script: 'client.js',
    title: `${name} · ${runId}`,
    body,
    data: scriptJson({
      ...chartData(record, columns, benchmark.equity),
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

function head(runId: string, record: RunRecord, links: readonly PageLink[]): Html {
  const { strategy, symbols } = record.started;
  const [first, last] = [record.bars[0]?.date ?? '–', record.bars.at(-1)?.date ?? '–'];
  const shown =
    symbols.length <= 8
      ? symbols.join(', ')
      : `${symbols.slice(0, 8).join(', ')} and ${symbols.length - 8} more`;
  return pageHead({
    title: strategy.name,
    lines: [`${shown} · ${first} to ${last} · ${integer(record.bars.length)} bars`],
    run: runId,
    links,
  });
}

function verdict(metrics: Metrics, benchmarkReturn: number | null, initialCash: string): string {
  const { totalReturn, deepestDrawdown } = metrics;
  if (totalReturn.value === null) return `No result: ${totalReturn.reason ?? ''}.`;
  const made = totalReturn.value >= 0 ? 'made' : 'lost';
  const against =
    benchmarkReturn === null
      ? ''
      : ` Buying and holding would have returned ${signedPercent(benchmarkReturn)}.`;
  const fall =
    deepestDrawdown === null
      ? ' It never fell below an earlier high.'
      : ` At worst it was ${percent(Math.abs(deepestDrawdown.depth))} below its high.`;
  return `It ${made} ${percent(Math.abs(totalReturn.value))} of ${Number(initialCash).toLocaleString('en-US')} after all costs.${against}${fall}`;
}

function notices(record: RunRecord, finalEquity: string): Html {
  const { ambiguousFills, finalEquityIfBetter } = ambiguityOf(record, finalEquity);
  const { stamps = [], sealed } = record.started;
  const halt = record.halts.find(({ code }) => code === 'risk_drawdown');
  const lines = [
    record.outcome === 'completed'
      ? undefined
      : `This run did not complete: it ${record.outcome === 'failed' ? 'failed' : 'was interrupted'}. The figures are of the bars that were walked.`,
    sealed ? undefined : 'This run is not sealed: its results may depend on the world outside.',
    stamps.length === 0 ? undefined : `Stamped: ${stamps.join(', ')}.`,
    ambiguousFills === 0
      ? undefined
      : `${ambiguousFills} of ${record.fills.length} fills are ambiguous: their bars leave two answers open, and the worse was taken. With the better ones the final equity would be ${amount(finalEquityIfBetter)} and not ${amount(finalEquity)}, all else equal.`,
    halt === undefined
      ? undefined
      : `The drawdown limit was reached on ${record.bars.find(({ bar }) => bar === halt.bar)?.date ?? `bar ${halt.bar}`}: nothing was opened after it.`,
    ...record.damage,
  ].filter((line) => line !== undefined);
  return html`${lines.length === 0 ? '' : html`<ul class="notices">${lines.map((line) => html`<li>${line}</li>`)}</ul>`}`;
}

function chartControls(record: RunRecord): Html {
  const { symbols } = record.started;
  const options = symbols.map((symbol, index) => html`<option value="${index}">${symbol}</option>`);
  return html`<div class="controls">${symbols.length < 2 ? '' : html`<label>Symbol <select id="symbol">${options}</select></label>`}<label><input type="checkbox" id="show-levels" checked> stops, targets and limits</label><label><input type="checkbox" id="show-trades" checked> trades</label><button type="button" id="show-all">Whole run</button></div>`;
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
    times: sessions.dates
      .slice(1)
      .map((date) => Math.floor(Date.parse(date.length <= 10 ? `${date}T00:00:00Z` : date) / 1000)),
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
