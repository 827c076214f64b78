import {
  REGIME_CONVENTION,
  type Regime,
  regimesOf,
  returnsByMonth,
  type Undefined,
  undefinedBecause,
  type YearOfReturns,
} from '../../../results/analysis/series/index.ts';
import { type Content, type Html, html } from '../../shared/html.ts';
import { grouped, percent, ratio, readableDate, signedPercent, tone } from '../../shared/number-formats.ts';
import { table, toned } from './attribution.ts';
import type { PageData } from './page-data.ts';
import {
  dayText,
  depthOf,
  equityBefore,
  heldChanges,
  highOf,
  type Range,
  returnsOf,
  tradesIn,
  wholeRange,
} from './range.ts';
import { histogram, yearBars } from './svg/plot.ts';

/** Drawdown as a row of the table. */
export interface FallRow {
  /** Drawdown as a fraction of the peak, negative. */
  readonly depth: number;
  readonly peakDate: string;
  readonly troughDate: string;
  readonly endDate: string;
  readonly days: number;
  readonly recovered: boolean;
}

const MONTHS = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'];
/**
 * Monthly return, as a fraction, at which a cell has the strongest colour. Larger returns have the same
 * colour.
 */
const FULL_COLOUR = 0.1;

function monthlyTable(years: readonly YearOfReturns[]): Html {
  const cell = (value: number | null): Html => {
    if (value === null) return html`<td></td>`;
    const strength = Math.round(Math.min(Math.abs(value) / FULL_COLOUR, 1) * 10);
    return html`<td class="heat ${tone(value)}" style="--strength:${strength}">${percent(value, 1)}</td>`;
  };
  const rows = years.map(
    ({ year, months, total }) =>
      html`<tr><th scope="row">${String(year)}</th>${months.map(cell)}<td class="total">${toned(percent(total, 1), total)}</td></tr>`,
  );
  return html`<div class="frame" tabindex="0" role="group" aria-label="Returns by month"><table class="months"><caption class="hidden">Returns by month and year</caption><thead><tr><th scope="col">Year</th>${MONTHS.map(
    (name) => html`<th scope="col">${name}</th>`,
  )}<th scope="col">Year</th></tr></thead><tbody>${rows}</tbody></table></div>`;
}

function drawdownTable(deepest: readonly FallRow[]): Html {
  if (deepest.length === 0) return html`<p>Equity never fell below an earlier high.</p>`;
  return table(
    'Deepest drawdowns',
    ['Depth', 'Peak', 'Trough', 'Recovered', 'Days'],
    deepest.map((one) => [
      toned(percent(one.depth), one.depth),
      readableDate(one.peakDate),
      readableDate(one.troughDate),
      one.recovered ? readableDate(one.endDate) : 'not by the end',
      grouped(Math.round(one.days), 0),
    ]),
  );
}

/** Distribution of the returns of a run or a period. */
export interface Spread {
  readonly returns: Float64Array | Undefined;
  /** Returns of the benchmark in the same sessions. `undefined` without a benchmark. */
  readonly heldReturns: Float64Array | undefined;
  readonly months: readonly YearOfReturns[];
  readonly heldMonths: readonly YearOfReturns[];
  readonly falls: readonly FallRow[];
  readonly regimes: readonly Regime[] | Undefined;
  /** Longest streaks of winning and of losing closed trades. `null` without trades. */
  readonly tradeStreaks: readonly [won: number | null, lost: number | null];
  /** Word for the time span of one return: `daily`, or `bar` if every session is one bar. */
  readonly unit: string;
}

/**
 * Returns the section about the distribution of returns. It compares sessions, months and years with the
 * benchmark, and shows streaks, market regimes and drawdowns.
 */
export function spreadPart(spread: Spread): Html {
  const { returns, heldReturns, months: years, heldMonths: heldYears, unit } = spread;
  const pairs = years.map(({ year, total }) => ({
    year,
    own: total,
    held: heldYears.find((one) => one.year === year)?.total ?? null,
  }));
  const [months, heldMonths] = [monthsIn(years), monthsIn(heldYears)];
  const sessions =
    'reason' in returns
      ? html`<p>Not defined: ${returns.reason}.</p>`
      : histogram(returns, heldReturns, unit);
  const byMonth =
    months.length < 6 ? '' : histogram(months, heldMonths.length < 2 ? undefined : heldMonths, 'month');
  return html`<div class="columns">${sessions}${byMonth}${yearBars(pairs)}</div>
<h3 id="months">Returns by month</h3>${monthlyTable(years)}
<div class="columns"><div id="drawdowns"><h3>Deepest drawdowns</h3>${drawdownTable(spread.falls)}</div><div id="regimes"><h3>Market regimes</h3>${regimeTable(spread.regimes)}</div><div id="streaks"><h3>Streaks</h3>${streakTable(returns, months, spread.tradeStreaks)}</div></div>`;
}

/**
 * Calculates the distribution for a range of sessions. Sessions before the range are also used, because they
 * determine the market regime.
 */
export function spreadOfRange(data: PageData, range: Range): Spread {
  const { sessions, terms } = data;
  const whole = wholeRange(data);
  const returns = returnsOf(data, range) ?? undefinedBecause('equity was not positive in this period');
  const held = heldChanges(data, range);
  const monthly = (values: ArrayLike<number>, start: number): YearOfReturns[] =>
    returnsByMonth(
      // A bar that ends exactly at the start of a month belongs to the previous month.
      sessions.time.slice(range.from, range.to + 1).map((time) => time * 1000 - (terms.barsEnd ? 1 : 0)),
      values,
      start,
    );
  const heldEquity = sessions.benchmark?.slice(range.from, range.to + 1) ?? [];
  const heldStart = range.from === 0 ? terms.initialCash : (sessions.benchmark?.[range.from - 1] ?? null);
  const all = returnsOf(data, whole);
  const skipped = terms.startsBefore ? 0 : 1;
  const nets = tradesIn(data, range)
    .filter(({ exitTime }) => exitTime !== null)
    .map(({ net }) => net);
  return {
    returns,
    heldReturns: held?.every((value) => !Number.isNaN(value)) === true ? held : undefined,
    months: monthly(sessions.equity.slice(range.from, range.to + 1), equityBefore(data, range)),
    heldMonths:
      heldStart === null || heldEquity.length === 0 || heldEquity.includes(null)
        ? []
        : monthly(heldEquity as number[], heldStart),
    falls: fallsOf(data, range),
    regimes:
      all === undefined
        ? undefinedBecause('equity was not positive')
        : regimesOf(all, heldChanges(data, whole), terms.periodsPerYear, {
            from: range.from - skipped,
            to: range.to - skipped,
          }),
    tradeStreaks: nets.length === 0 ? [null, null] : [longest(nets, 1), longest(nets, -1)],
    unit: terms.intraday ? 'daily' : 'bar',
  };
}

/** Maximum number of drawdowns in the table of the deepest drawdowns. */
const MOST_FALLS = 10;
const DAY = 86_400;

/**
 * Returns the deepest drawdowns within a range. A drawdown ends in the session in which equity reaches the
 * previous high again, or at the end of the range.
 */
function fallsOf(data: PageData, range: Range): FallRow[] {
  const { time, first } = data.sessions;
  const falls: { depth: number; peak: number; trough: number; end: number; recovered: boolean }[] = [];
  let [peak, at] = [equityBefore(data, range), range.from - 1];
  let open: (typeof falls)[number] | undefined;
  for (let session = range.from; session <= range.to; session++) {
    const high = highOf(data.sessions, session);
    const depth = depthOf(data.sessions, session, peak);
    if (depth < 0) {
      open ??= { depth: 0, peak: at, trough: session, end: session, recovered: false };
      if (depth < open.depth) [open.depth, open.trough] = [depth, session];
      open.end = session;
    }
    if (high < peak) continue;
    [peak, at] = [high, session];
    if (open === undefined) continue;
    falls.push({ ...open, end: session, recovered: true });
    open = undefined;
  }
  if (open !== undefined) falls.push(open);
  const secondsAt = (session: number): number =>
    session < range.from ? (first ?? time)[range.from]! : time[session]!;
  return falls
    .sort((a, b) => a.depth - b.depth)
    .slice(0, MOST_FALLS)
    .map(({ depth, peak: from, trough, end, recovered }) => ({
      depth,
      peakDate: dayText(secondsAt(from)),
      troughDate: dayText(secondsAt(trough)),
      endDate: dayText(secondsAt(end)),
      days: (secondsAt(end) - secondsAt(from)) / DAY,
      recovered,
    }));
}

/** Returns the monthly returns of all years in order. */
export function monthsIn(years: readonly YearOfReturns[]): Float64Array {
  return Float64Array.from(years.flatMap(({ months }) => months.filter((value) => value !== null)));
}

function regimeTable(regimes: readonly Regime[] | Undefined): Html {
  if ('reason' in regimes) return html`<p>Not defined: ${regimes.reason}.</p>`;
  if (regimes.length === 0) return html`<p>Too few sessions have a regime.</p>`;
  const rows = regimes.map(({ name, sessions, share, own, benchmark, sharpe, worst }): Content[] => [
    name,
    `${grouped(sessions, 0)} (${percent(share, 0)})`,
    signedPercent(own, 1),
    signedPercent(benchmark, 1),
    ratio(sharpe),
    percent(worst, 1),
  ]);
  return html`${table('Figures by regime', ['Market', 'Sessions', 'A year', 'Benchmark', 'Sharpe', 'Worst'], rows)}<p class="note">${REGIME_CONVENTION}. A year: mean session return × sessions a year.</p>`;
}

function streakTable(
  returns: Float64Array | Undefined,
  months: Float64Array,
  [won, lost]: Spread['tradeStreaks'],
): Html {
  const sessions = 'reason' in returns ? [] : returns;
  const count = (value: number | null): string => grouped(value, 0);
  return table(
    'Longest streaks',
    ['One after the other', 'Rising', 'Falling'],
    [
      ['Sessions', count(longest(sessions, 1)), count(longest(sessions, -1))],
      ['Months', count(longest(months, 1)), count(longest(months, -1))],
      ['Closed trades', count(won), count(lost)],
    ],
  );
}

/** Returns the length of the longest sequence of values with the given sign. A value of 0 ends a sequence. */
function longest(values: ArrayLike<number>, sign: 1 | -1): number {
  let [run, most] = [0, 0];
  for (let at = 0; at < values.length; at++) {
    run = values[at]! * sign > 0 ? run + 1 : 0;
    most = Math.max(most, run);
  }
  return most;
}
