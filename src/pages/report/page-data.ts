import {
  benchmarkName,
  type EquityColumns,
  equityColumns,
  type Metrics,
  type MetricsOptions,
  returnDates,
  rollingFigures,
  type Sessions,
  type Undefined,
} from '../../analysis/index.ts';
import type { RunRecord } from '../../journal/index.ts';
import type { Manifest } from '../../runs/index.ts';
import { chartData } from './chart-data.ts';
import type { PageData, RollingData } from './model/page-data.ts';
import { presetsOf } from './presets.ts';
import { sessionColumns } from './session-columns.ts';
import { shortShare } from './short-number.ts';
import { storiesOf } from './stories.ts';
import type { TradesPart } from './trades.ts';

/** Input for the data of a page. */
export interface PageDataSource {
  readonly record: RunRecord;
  /** Record restricted to the evaluated bars. */
  readonly counted: RunRecord;
  readonly columns: EquityColumns;
  readonly sessions: Sessions;
  readonly metrics: Metrics;
  readonly options: MetricsOptions;
  readonly manifest: Manifest | undefined;
  readonly returns: Float64Array | Undefined;
  readonly benchmark: {
    readonly equity: Float64Array | undefined;
    readonly returns: Float64Array | undefined;
  };
  readonly trades: TradesPart;
  readonly trace: string | undefined;
}

export function pageDataOf(source: PageDataSource): PageData {
  const { record, counted, columns, sessions, metrics, options, benchmark, trades } = source;
  const whole = equityColumns(record);
  const { periodsPerYear } = metrics;
  const riskFree = (options.riskFreeRate ?? 0) / periodsPerYear;
  const first = record.bars[0]?.bar ?? 0;
  return {
    ...chartData(record, whole, heldOf(record, counted, benchmark.equity)),
    terms: {
      periodsPerYear,
      riskFree,
      acceptable: (options.minimumAcceptableReturn ?? 0) / periodsPerYear,
      initialCash: columns.initialCash.toNumber(),
      startsBefore: columns.startsBefore,
      intraday: sessions.unit !== 'bar',
      barsEnd: columns.barTimes === 'end',
      benchmark: benchmarkName(options.benchmark) ?? 'the same data, bought and held',
      isJudged: isJudged(metrics),
    },
    sessions: sessionColumns(counted, columns, sessions, benchmark.equity),
    rows: trades.rows,
    rowPlaces: trades.places,
    presets: presetsOf(columns, metrics, source.manifest),
    ...storiesOf(record, (bar) => Math.floor((whole.times[bar - first] ?? 0) / 1000)),
    rolling: rollingData(source.returns, benchmark.returns, sessions, periodsPerYear, riskFree),
    trace: source.trace ?? null,
  };
}

/** Returns true if the page may judge differences to the benchmark. */
export function isJudged({ verdict }: Metrics): boolean {
  return ['better', 'worse', 'indistinguishable'].includes(verdict.state);
}

/**
 * Returns the benchmark's equity for all bars of the run. The benchmark is in cash until the first evaluated
 * bar.
 */
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

/**
 * Returns the rolling figures, or `null` if they are undefined.
 *
 * @param other benchmark returns of the same sessions
 */
function rollingData(
  returns: Float64Array | Undefined,
  other: Float64Array | undefined,
  sessions: Sessions,
  periodsPerYear: number,
  riskFree: number,
): RollingData | null {
  if ('reason' in returns) return null;
  const rolling = rollingFigures(returns, other, periodsPerYear, riskFree);
  if (returns.length < rolling.window) return null;
  const plain = (values: Float64Array): (number | null)[] =>
    Array.from(values, (value) => (Number.isFinite(value) ? shortShare(value) : null));
  return {
    times: returnDates(sessions).map((date) =>
      Math.floor(Date.parse(date.length <= 10 ? `${date}T00:00:00Z` : date) / 1000),
    ),
    sharpe: plain(rolling.sharpe),
    volatility: plain(rolling.volatility),
    beta: plain(rolling.beta),
  };
}
