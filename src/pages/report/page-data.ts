import { deflateRawSync } from 'node:zlib';
import type { RunRecord } from '../../journal/index.ts';
import { formatInstant, type Instant, parseInstant } from '../../kernel/index.ts';
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
} from '../../results/analysis/index.ts';
import type { Manifest } from '../../results/runs/index.ts';
import { type Html, scriptJson } from '../shared/html.ts';
import { chartData, shortShare } from './chart-data.ts';
import { packed } from './model/pack.ts';
import type { PageData, Preset, RollingData } from './model/page-data.ts';
import { sessionColumns } from './session-columns.ts';
import { storiesOf } from './stories.ts';
import type { TradesPart } from './trades.ts';

/** Well-known market crises. The dates are the peak and the trough of the US stock market. */
const CRISES: readonly (readonly [name: string, from: string, to: string])[] = [
  ['1987 crash', '1987-10-05', '1987-12-04'],
  ['1998, Russia and LTCM', '1998-07-17', '1998-10-08'],
  ['Dot-com bust', '2000-03-24', '2002-10-09'],
  ['11 September 2001', '2001-09-10', '2001-09-21'],
  ['Financial crisis', '2007-10-09', '2009-03-09'],
  ['Flash crash 2010', '2010-05-05', '2010-07-02'],
  ['Euro crisis 2011', '2011-07-22', '2011-10-03'],
  ['China, August 2015', '2015-08-10', '2015-08-25'],
  ['Volatility shock 2018', '2018-01-26', '2018-02-08'],
  ['Late 2018', '2018-09-20', '2018-12-24'],
  ['COVID crash', '2020-02-19', '2020-03-23'],
  ['Inflation bear market', '2022-01-03', '2022-10-12'],
];

/** Maximum length of a run, in years, for which each calendar year is a named period. */
const MOST_YEARS = 60;

/**
 * Returns the named periods that lie within a run, in seconds since 1970. The end of a period is the first
 * second of its last day.
 */
function presetsOf(
  { times }: EquityColumns,
  { deepestDrawdown, months }: Metrics,
  manifest: Manifest | undefined,
): Preset[] {
  const [first, last] = [times[0], times.at(-1)];
  if (first === undefined || last === undefined) return [];
  const lastDate = formatInstant(last);
  const found: Preset[] = [];
  const add = (group: string, name: string, from: string | undefined, to: string | undefined): void => {
    const [start, end] = [dayOf(from), dayOf(to)];
    if (start !== undefined && end !== undefined) found.push({ group, name, from: start, to: end });
  };
  if (deepestDrawdown !== null)
    add('Of this run', 'Max drawdown', deepestDrawdown.peakDate, deepestDrawdown.troughDate);
  for (const [name, month] of extremeMonths(months))
    add('Of this run', `${name}, ${month}`, `${month}-01`, lastDay(month));
  const outside = manifest?.data.holdout?.from;
  if (outside !== undefined) add('Out of sample', 'Held out', outside, lastDate);
  const cutoff = manifest?.inputs?.flags.modelCutoff;
  if (typeof cutoff === 'string' && cutoff < lastDate)
    add('Out of sample', 'After the model’s training', cutoff, lastDate);
  for (const [name, from, to] of CRISES) {
    const [start, end] = [parseInstant(from) ?? 0, parseInstant(to) ?? 0];
    if (start >= first && end <= last) add('Known crises', name, from, to);
  }
  if (months.length > 1 && months.length <= MOST_YEARS)
    for (const { year } of months) add('Years', String(year), `${year}-01-01`, `${year}-12-31`);
  return found;
}

function dayOf(date: string | undefined): number | undefined {
  const time: Instant | undefined = date === undefined ? undefined : parseInstant(date.slice(0, 10));
  return time === undefined ? undefined : time / 1000;
}

function extremeMonths(years: Metrics['months']): (readonly [name: string, month: string])[] {
  const all = years.flatMap(({ year, months }) =>
    months.flatMap((value, month) =>
      value === null ? [] : [{ value, month: `${year}-${String(month + 1).padStart(2, '0')}` }],
    ),
  );
  if (all.length < 2) return [];
  const sorted = [...all].sort((a, b) => a.value - b.value);
  return [
    ['Best month', sorted.at(-1)!.month],
    ['Worst month', sorted[0]!.month],
  ];
}

function lastDay(month: string): string {
  const [year, number] = month.split('-').map(Number) as [number, number];
  return new Date(Date.UTC(year, number, 0)).toISOString().slice(0, 10);
}

/** Inputs for the data of a page. */
interface PageDataSource {
  readonly record: RunRecord;
  /** `record` without the bars before the evaluation period. Figures are calculated from this record. */
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

/**
 * True if the verdict is based on a comparison, so that the page may colour differences from the benchmark.
 */
export function isJudged({ verdict }: Metrics): boolean {
  return ['better', 'worse', 'indistinguishable'].includes(verdict.state);
}

/**
 * Returns the benchmark's equity for all bars of the run. Before the evaluation period, it is the initial
 * cash.
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
 * Returns the rolling figures. `null` if they are undefined or the run is shorter than their window.
 *
 * @param other benchmark returns of the same sessions; `undefined` without a benchmark
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

/** Compression level of zlib. A higher level would take twice as long and reduce the size by one percent. */
const LEVEL = 5;

/** Returns the data of a page in compressed form: packed, deflated, in base64. */
export function packedData(data: PageData): Html {
  return scriptJson(deflateRawSync(JSON.stringify(packed(data)), { level: LEVEL }).toString('base64'));
}
