import {
  calendarReturns,
  type EquityColumns,
  type Metrics,
  REGIME_CONVENTION,
  regimesOf,
  type Undefined,
  type YearOfReturns,
} from '../../analysis/index.ts';
import { integer, percent, ratio, signedPercent } from '../shared/formats.ts';
import { type Content, type Html, html } from '../shared/html.ts';
import { histogram } from './model/svg/histogram.ts';
import { yearBars } from './model/svg/year-bars.ts';
import { drawdownTable, monthlyTable, table } from './sections.ts';

export interface SpreadSource {
  readonly columns: EquityColumns;
  readonly metrics: Metrics;
  readonly returns: Float64Array | Undefined;
  /** By bar, and by session; undefined where there is none. */
  readonly held: Float64Array | undefined;
  readonly heldReturns: Float64Array | undefined;
  readonly unit: string;
}

/** How returns are spread by session, month and year, beside the benchmark's; streaks, regimes and drawdowns. */
export function spreadPart({ columns, metrics, returns, held, heldReturns, unit }: SpreadSource): Html {
  const heldYears =
    held === undefined || held.some(Number.isNaN) ? [] : calendarReturns({ ...columns, equity: held });
  const years = metrics.months.map(({ year, total }) => ({
    year,
    own: total,
    held: heldYears.find((one) => one.year === year)?.total ?? null,
  }));
  const [months, heldMonths] = [monthsOf(metrics.months), monthsOf(heldYears)];
  const sessions =
    'reason' in returns
      ? html`<p>Not defined: ${returns.reason}.</p>`
      : histogram(returns, heldReturns, unit);
  const byMonth =
    months.length < 6 ? '' : histogram(months, heldMonths.length < 2 ? undefined : heldMonths, 'month');
  return html`<div class="columns">${sessions}${byMonth}${yearBars(years)}</div>
<h3 id="months">Returns by month</h3>${monthlyTable(metrics.months)}
<div class="columns"><div id="drawdowns"><h3>Deepest drawdowns</h3>${drawdownTable(metrics.deepestDrawdowns)}</div><div id="regimes"><h3>By the market’s regime</h3>${regimeTable(returns, heldReturns, metrics.periodsPerYear)}</div><div id="streaks"><h3>Streaks</h3>${streakTable(returns, months, metrics)}</div></div>`;
}

function monthsOf(years: readonly YearOfReturns[]): Float64Array {
  return Float64Array.from(years.flatMap(({ months }) => months.filter((value) => value !== null)));
}

function regimeTable(
  returns: Float64Array | Undefined,
  held: Float64Array | undefined,
  periods: number,
): Html {
  const regimes = regimesOf(returns, held, periods);
  if ('reason' in regimes) return html`<p>Not defined: ${regimes.reason}.</p>`;
  const rows = regimes.map(({ name, sessions, share, own, benchmark, sharpe, worst }): Content[] => [
    name,
    `${integer(sessions)} (${percent(share, 0)})`,
    signedPercent(own, 1),
    signedPercent(benchmark, 1),
    ratio(sharpe),
    percent(worst, 1),
  ]);
  return html`${table('Figures by regime', ['Market', 'Sessions', 'A year', 'Benchmark', 'Sharpe', 'Worst'], rows)}<p class="note">${REGIME_CONVENTION}. A year: mean session return × sessions a year.</p>`;
}

function streakTable(returns: Float64Array | Undefined, months: Float64Array, metrics: Metrics): Html {
  const sessions = 'reason' in returns ? new Float64Array(0) : returns;
  return table(
    'Longest streaks',
    ['One after the other', 'Rising', 'Falling'],
    [
      ['Sessions', integer(longest(sessions, 1)), integer(longest(sessions, -1))],
      ['Months', integer(longest(months, 1)), integer(longest(months, -1))],
      [
        'Closed trades',
        ratio(metrics.longestWinningStreak.value, 0),
        ratio(metrics.longestLosingStreak.value, 0),
      ],
    ],
  );
}

/** Most values of a sign in a row; a 0 ends a streak of either. */
function longest(values: Float64Array, sign: 1 | -1): number {
  let [run, most] = [0, 0];
  for (const value of values) {
    run = value * sign > 0 ? run + 1 : 0;
    most = Math.max(most, run);
  }
  return most;
}
