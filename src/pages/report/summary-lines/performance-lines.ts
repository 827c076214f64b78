import type { RunRecord } from '../../../journal/index.ts';
import type {
  AttributionPart,
  BenchmarkRow,
  Metrics,
  VerdictState,
} from '../../../results/analysis/index.ts';
import { comparedOwn } from '../../../results/analysis/series/index.ts';
import { amount, percent, ratio, readableDate, signedPercent, signedPoints } from '../../shared/formats.ts';
import { type Content, type Html, html } from '../../shared/html.ts';
import { type PivotRow, pivotOf } from '../model/attribution.ts';
import type { PageData } from '../model/page-data.ts';
import { tradesIn, wholeRange } from '../model/range.ts';
import { monthsIn, type Spread } from '../model/spread.ts';
import type { Luck } from '../robustness.ts';

/** Inputs for the summary. */
export interface SummaryLineSource {
  readonly record: RunRecord;
  /** `record` without the bars before the evaluation period. */
  readonly counted: RunRecord;
  readonly metrics: Metrics;
  readonly rows: readonly BenchmarkRow[];
  readonly spread: Spread;
  readonly data: PageData;
  readonly luck: Luck;
}

/** Line of the summary: label, short answer and detail. */
export interface SummaryLine {
  readonly label: string;
  /** Id of the section with details, to which the line links. */
  readonly at: string;
  readonly value: Content;
  readonly detail: Content;
  readonly tone?: 'good' | 'bad';
}

const BETTER = {
  broke: 'No: it went broke',
  incomplete: 'Not judged: a part of a run',
  no_evidence: 'No evidence',
  indistinguishable: 'Not distinguishable from chance',
  worse: 'No',
  better: 'Yes',
} as const satisfies Record<VerdictState, string>;

function toneOf({ verdict }: Metrics): Pick<SummaryLine, 'tone'> {
  if (verdict.state === 'better') return { tone: 'good' };
  return verdict.state === 'worse' || verdict.state === 'broke' ? { tone: 'bad' } : {};
}

export function beaten({ rows, metrics }: SummaryLineSource): SummaryLine {
  const row = rows.find(({ name }) => name === 'totalReturn');
  const label = 'Return against the benchmark';
  if (row === undefined || row.own === null || row.benchmark === null)
    return {
      label,
      at: 'spine',
      value: 'Nothing to compare with',
      detail: metrics.benchmarkReturn.reason ?? '',
    };
  // If the benchmark covers only part of the run, it is compared with the run's return over the same bars.
  const { commonPeriod: common } = metrics;
  const own = common === null ? row.own : common.ownReturn;
  const word = own === null ? 'Not known' : own > row.benchmark ? 'Yes' : 'No';
  return {
    label,
    at: 'spine',
    value: `${word}, by return alone`,
    detail: `${signedPercent(own)} against ${signedPercent(row.benchmark)}${covered(metrics)}`,
  };
}

/** Returns a text with the compared period. Empty if the comparison covers the whole run. */
function covered({ commonPeriod: common }: Metrics): string {
  return common === null ? '' : `, ${readableDate(common.firstBar)} to ${readableDate(common.lastBar)}`;
}

export function riskAdjusted({ rows, metrics }: SummaryLineSource): SummaryLine {
  const sharpe = rows.find(({ name }) => name === 'sharpe');
  const own = sharpe === undefined ? null : comparedOwn(sharpe, metrics.commonPeriod === null);
  const { interval } = metrics.verdict;
  const between =
    interval === undefined
      ? ''
      : `; mean return ${signedPoints(interval.low)} to ${signedPoints(interval.high)} annualised`;
  return {
    label: 'Risk-adjusted return',
    at: 'verdict',
    value: BETTER[metrics.verdict.state],
    detail:
      sharpe === undefined || own === null
        ? (metrics.sharpe.reason ?? '')
        : `Sharpe ${ratio(own)} against ${ratio(sharpe.benchmark)}${covered(metrics)}${between}`,
    ...toneOf(metrics),
  };
}

const day = (date: string): Html => html`<span class="date">${readableDate(date)}</span>`;

export function worst({ metrics }: SummaryLineSource): SummaryLine {
  const { deepestDrawdown: deepest } = metrics;
  const label = 'Max drawdown';
  if (deepest === null) return { label, at: 'drawdowns', value: 'It never fell', detail: '' };
  const months = metrics.months.flatMap(({ year, months: own }) =>
    own.flatMap((value, month) =>
      value === null ? [] : [{ value, name: `${year}-${String(month + 1).padStart(2, '0')}` }],
    ),
  );
  const low = months.reduce((least, one) => (one.value < least.value ? one : least), months[0]!);
  const month = months.length < 2 ? '' : html`; month ${percent(low.value, 1)}, ${day(low.name)}`;
  return {
    label,
    at: 'drawdowns',
    value: percent(deepest.depth),
    detail: html`${day(deepest.peakDate)} to ${day(deepest.troughDate)}${month}`,
  };
}

/**
 * Returns the profit of closed trades by side and symbol, as in the linked table. Also states the profit from
 * open positions and cash entries, so that the amounts add up to the total profit.
 */
export function origin({ metrics, data }: SummaryLineSource): SummaryLine {
  const closed = tradesIn(data, wholeRange(data)).filter(({ exitTime }) => exitTime !== null);
  const { byMonth, profit } = metrics.attribution;
  const sides = pivotOf('side', closed, data.symbols);
  const symbols = pivotOf('symbol', closed, data.symbols).sort((a, b) => b.net - a.net);
  const [most, least] = [symbols[0], symbols.at(-1)];
  const named = ({ name, net }: PivotRow): string => `${name} ${amount(net, 0)}`;
  const rest = Number(profit) - sides.reduce((sum, { net }) => sum + net, 0);
  const parts = [
    ...(data.symbols.length > 1 && most !== undefined
      ? [symbols.length === 1 ? named(most) : `most ${named(most)}, least ${named(least!)}`]
      : []),
    [...sides.map(named), ...(Math.abs(rest) >= 0.5 ? [`open and cash ${amount(rest, 0)}`] : [])].join(', '),
    byMonth.some(({ total }) => Number(total) !== 0) && byMonth.length > 1
      ? `equity rose most in ${largest(byMonth)}`
      : '',
  ].filter((part) => part !== '');
  return {
    label: 'Profit by side, symbol and month',
    at: 'breakdown',
    value: amount(profit),
    detail: closed.length === 0 ? parts.join('; ') : `closed trades, net: ${parts.join('; ')}`,
  };
}

function largest(parts: readonly AttributionPart[]): string {
  const first = parts.reduce((best, one) => (Number(one.total) > Number(best.total) ? one : best));
  // With a non-breaking hyphen, a month such as 2020-03 is not split over two lines.
  return `${first.name.replaceAll('-', '\u2011')}: ${amount(first.total, 0)}`;
}

export function rolling({ data: { rolling: found }, metrics }: SummaryLineSource): SummaryLine {
  const shared = { label: 'Rolling figures', at: 'prices' };
  const { reason } = metrics.volatility;
  if (found === null && reason !== undefined) return { ...shared, value: 'Not known', detail: reason };
  if (found === null)
    return { ...shared, value: 'Too short', detail: 'half a year of sessions is what they are over' };
  const span = (values: readonly (number | null)[], write: (value: number) => string): string => {
    const known = values.filter((value) => value !== null);
    if (known.length === 0) return '–';
    return `${write(known.reduce((a, b) => Math.min(a, b)))} to ${write(known.reduce((a, b) => Math.max(a, b)))}`;
  };
  return {
    ...shared,
    value: `Sharpe ${span(found.sharpe, (value) => ratio(value))}`,
    detail: `beta ${span(found.beta, (value) => ratio(value))}, volatility ${span(found.volatility, (value) => percent(value, 1))}`,
  };
}

export function distribution({ metrics, spread }: SummaryLineSource): SummaryLine {
  const { worstDay, bestDay, valueAtRisk } = metrics;
  const shared = { label: 'Distribution of returns', at: 'distribution' };
  if (worstDay.value === null) return { ...shared, value: 'Not known', detail: worstDay.reason ?? '' };
  const months = monthsIn(spread.months);
  const gained = months.filter((value) => value > 0).length;
  const rising = months.length < 2 ? '' : `; ${gained} of ${months.length} months up`;
  return {
    ...shared,
    value: `${percent(worstDay.value)} to ${signedPercent(bestDay.value)}`,
    detail: `a session; 5% below ${percent(valueAtRisk.value)}${rising}`,
  };
}

export function exposure({ metrics }: SummaryLineSource): SummaryLine {
  return {
    label: 'Exposure and turnover',
    at: 'prices',
    value: metrics.meanExposure.value === null ? 'Not known' : percent(metrics.meanExposure.value, 1),
    detail: `${metrics.meanExposure.reason ?? 'on average'}, ${percent(metrics.timeInMarket.value, 0)} of the time; turned over ${ratio(metrics.turnover.value)} × a year`,
  };
}

export function regimes({ spread: { regimes: found } }: SummaryLineSource): SummaryLine {
  const shared = { label: 'Market regimes', at: 'regimes' };
  if ('reason' in found || found.length === 0)
    return { ...shared, value: 'Not known', detail: 'reason' in found ? found.reason : '' };
  const sorted = [...found].sort((a, b) => b.own - a.own);
  const [best, low] = [sorted[0]!, sorted.at(-1)!];
  return {
    ...shared,
    value: `${best.name}: ${signedPercent(best.own, 1)}`,
    detail: `a year; ${low.name}: ${signedPercent(low.own, 1)}`,
  };
}
