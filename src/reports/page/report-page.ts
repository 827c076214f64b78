import type { RunRecord } from '../../journal/index.ts';
import { decimalString } from '../../kernel/index.ts';
import { BENCHMARK_CONVENTION, buyAndHold, regression } from '../analysis/benchmark.ts';
import { calendarReturns } from '../analysis/calendar-returns.ts';
import { rollingFigures, rollingWindow } from '../analysis/rolling.ts';
import { cashMoved } from '../costs.ts';
import { drawdownCurve, drawdownsOf } from '../drawdown.ts';
import { type EquityColumns, equityColumns, reportSettings } from '../equity.ts';
import { figure, type Undefined } from '../figures.ts';
import type { Manifest } from '../manifest.ts';
import { computeMetrics } from '../metrics.ts';
import { sessionReturns } from '../returns.ts';
import { type Sessions, sessionsOf } from '../sessions.ts';
import { answers } from './answers.ts';
import { chartData } from './chart-data.ts';
import { histogram } from './distribution.ts';
import { integer, ratio, signedPercent } from './formats.ts';
import { type Html, html, scriptJson } from './html.ts';
import { type PageLink, pageHead } from './page-head.ts';
import { provenance } from './provenance.ts';
import { type Reservation, reservationsOf } from './reservations.ts';
import {
  breakdownTables,
  costTable,
  decisionTables,
  drawdownTable,
  figureTable,
  monthlyTable,
  type NamedFigure,
  section,
  tiles,
} from './sections.ts';
import { pageShell } from './shell.ts';
import { tradesTable } from './trades.ts';

/** What a report is made from. */
export interface ReportSource {
  readonly runId: string;
  readonly record: RunRecord;
  /** Undefined where the run was killed before it was written. */
  readonly manifest: Manifest | undefined;
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
export function reportPage({ runId, record, manifest, links = [], trace }: ReportSource): string {
  const columns = equityColumns(record);
  const metrics = computeMetrics(record);
  const found = buyAndHold(record, columns);
  const benchmark = found instanceof Float64Array ? found : undefined;
  const benchmarkReturn =
    benchmark === undefined ? null : benchmark.at(-1)! / columns.initialCash.toNumber() - 1;
  const sessions = sessionsOf(columns);
  const returns = sessionReturns(sessions);
  const other = benchmarkReturns(benchmark, columns);
  const unit = sessions.unit === 'bar' ? 'bar' : 'daily';
  const initialCash = decimalString(reportSettings(record).cash);
  const curve = drawdownCurve(columns);
  const reservations = reservationsOf(record, metrics, manifest, metrics.finalEquity.value ?? initialCash);
  const { name } = record.started.strategy;

  const body = html`${head(runId, record, links)}
<main>
${notices(reservations)}
${tiles(metrics, benchmarkReturn)}
${answers({ record, metrics, columns, benchmark, initialCash, reservations, trace, runId })}
${section('prices', 'Prices and fills', chartControls(record), html`<div id="price-chart" class="chart" role="group" aria-label="Candles of the chosen symbol with fills, stops and targets"></div><p class="readout" id="readout"></p><div class="chosen" id="chosen" role="status">${record.fills.length === 0 ? 'Nothing was traded.' : 'Click an arrow, or step from fill to fill, to read what was done and why.'}</div><p class="note" id="price-note"></p>`)}
${section('equity', 'Equity and drawdown', html`<div class="controls"><label><input type="checkbox" id="log-scale"> logarithmic</label></div><div id="equity-chart" class="chart" role="group" aria-label="Equity against the benchmark, and drawdown below it"></div><p class="note">Benchmark: ${BENCHMARK_CONVENTION}.</p>`)}
${section('months', 'Returns by month', monthlyTable(calendarReturns(columns)))}
${section('distribution', 'How returns are spread', 'reason' in returns ? html`<p>Not defined: ${returns.reason}.</p>` : histogram(returns, unit))}
${section('rolling', 'Half a year at a time', rollingPart(returns, other, metrics.periodsPerYear))}
${section('drawdowns', 'Deepest drawdowns', drawdownTable(drawdownsOf(columns, curve)))}
${section('costs', 'What trading cost', costTable(metrics, initialCash, cashMoved(record)))}
${section('trades-part', 'Trades', tradesTable(record))}
${section('breakdown', 'Where the result came from', breakdownTables(record))}
${section('decisions', 'What the strategy did', decisionTables(record))}
${section('figures', 'Every figure and its convention', figureTable(metrics, benchmarkFigures(returns, other, benchmarkReturn)))}
${section('provenance', 'Can I believe it?', provenance(record, manifest, reservations))}
</main>`;
  return pageShell({
    script: 'client.js',
    title: `${name} · ${runId}`,
    body,
    data: scriptJson({
      ...chartData(record, columns, benchmark),
      trace: trace ?? null,
      rolling: rollingData(returns, other, sessions, metrics.periodsPerYear),
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

function notices(reservations: readonly Reservation[]): Html {
  const loud = reservations.filter(({ isLoud }) => isLoud);
  return html`${loud.length === 0 ? '' : html`<ul class="notices">${loud.map(({ text }) => html`<li>${text}</li>`)}</ul>`}`;
}

function chartControls(record: RunRecord): Html {
  const { symbols } = record.started;
  const options = symbols.map((symbol, index) => html`<option value="${index}">${symbol}</option>`);
  return html`<div class="controls">${symbols.length < 2 ? '' : html`<label>Symbol <select id="symbol">${options}</select></label>`}<label><input type="checkbox" id="show-levels" checked> stops, targets and limits</label><label><input type="checkbox" id="show-trades" checked> trades</label><span class="group"><button type="button" id="earlier-fill">◀ Fill</button><button type="button" id="later-fill">Fill ▶</button><button type="button" id="show-all">Whole run</button></span></div>`;
}

type Returns = Float64Array | Undefined;

function benchmarkReturns(
  benchmark: Float64Array | undefined,
  columns: EquityColumns,
): Float64Array | undefined {
  if (benchmark === undefined) return undefined;
  const returns = sessionReturns(sessionsOf({ ...columns, equity: benchmark }));
  return 'reason' in returns ? undefined : returns;
}

/** @param other the benchmark's returns of the same sessions */
function rollingData(returns: Returns, other: Float64Array | undefined, sessions: Sessions, periods: number) {
  if ('reason' in returns) return null;
  const rolling = rollingFigures(returns, other, periods);
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

function benchmarkFigures(
  returns: Returns,
  other: Float64Array | undefined,
  benchmarkReturn: number | null,
): NamedFigure[] {
  const missing: Undefined = { reason: 'reason' in returns ? returns.reason : 'there is no benchmark' };
  const fit = 'reason' in returns || other === undefined ? missing : regression(returns, other);
  const least = 'session returns on the benchmark’s, ordinary least squares';
  const own = (
    name: string,
    key: 'alpha' | 'beta' | 'correlation',
    write: (value: number) => string,
  ): NamedFigure => {
    const shown = figure(`${least}${key === 'alpha' ? ', a session' : ''}`, 'reason' in fit ? fit : fit[key]);
    return { name, figure: shown, text: shown.value === null ? '–' : write(shown.value) };
  };
  const total = figure(BENCHMARK_CONVENTION, benchmarkReturn ?? missing);
  return [
    { name: 'Benchmark return', figure: total, text: signedPercent(total.value) },
    own('Alpha', 'alpha', (value) => signedPercent(value, 4)),
    own('Beta', 'beta', ratio),
    own('Correlation', 'correlation', ratio),
  ];
}
