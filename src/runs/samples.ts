import type { MetricsOptions } from '../analysis/index.ts';
import { type RunSummary, summarise } from '../analysis/index.ts';
import type { RunRecord } from '../journal/index.ts';
import { decimalString, recordOf, ZERO } from '../kernel/index.ts';
import { csvText } from './tables.ts';

/** One sample's run, for the comparison of all. */
export interface SampleRun {
  readonly sample: number;
  /** Of the samples' folder. */
  readonly folder: string;
  readonly record: RunRecord;
  /** How its figures are worked out. */
  readonly options?: MetricsOptions;
}

/** Figures of which mean and spread over the samples are shown. */
const COMPARED = ['totalReturn', 'cagr', 'volatility', 'sharpe', 'maxDrawdown', 'tradeCount'] as const;
type Compared = (typeof COMPARED)[number];

interface Spread {
  /** Null where no sample has the figure. */
  readonly mean: number | null;
  /** Standard deviation, ddof 1; null for fewer than two samples. */
  readonly deviation: number | null;
  readonly least: number | null;
  readonly most: number | null;
}

/** What the samples did at the bar of a decision. */
interface BarAgreement {
  readonly bar: number;
  readonly date: string;
  /** Of each sample, in their order: orders placed at this bar, `hold` for none, empty where it did not decide. */
  readonly actions: readonly string[];
  /** What most of them did; the first by alphabet where two are as many. */
  readonly most: string;
  /** Share of the deciding samples that did it. */
  readonly agreement: number;
}

/** `comparison.json`: independent samples of one run beside each other. */
export interface SampleComparison {
  readonly samples: readonly ({
    readonly sample: number;
    readonly folder: string;
    readonly outcome: RunSummary['outcome'];
    readonly finalEquity: string;
    readonly decisions: number;
    /** US dollars; null when not known. */
    readonly cost: string | null;
  } & Readonly<Record<Compared, number | null>>)[];
  readonly spread: Readonly<Record<Compared, Spread>>;
  readonly agreement: {
    /** Mean over bars at which two or more samples decided; null without one. */
    readonly mean: number | null;
    readonly bars: number;
  };
}

/** Puts samples beside each other. */
export function compareSamples(runs: readonly SampleRun[]): {
  readonly comparison: SampleComparison;
  readonly bars: readonly BarAgreement[];
} {
  const samples = runs.map(({ sample, folder, record, options }) => {
    const summary = summarise(record, { ...options, runId: folder });
    const { outcome, finalEquity, model } = summary;
    const figures = recordOf(COMPARED, (name): number | null => summary[name]);
    const cost = model === null ? null : totalCost(record);
    return { sample, folder, outcome, finalEquity, ...figures, decisions: record.decisions.length, cost };
  });
  const spread = recordOf(COMPARED, (name) => spreadOf(samples.map((sample) => sample[name])));
  const bars = agreementByBar(runs.map(({ record }) => record));
  const compared = bars.filter(({ actions }) => actions.filter((action) => action !== '').length > 1);
  const sum = compared.reduce((total, { agreement }) => total + agreement, 0);
  const agreement = { mean: compared.length === 0 ? null : sum / compared.length, bars: compared.length };
  return { comparison: { samples, spread, agreement }, bars };
}

/** `agreement.csv`: a row per bar at which a sample decided. */
export function agreementCsv(bars: readonly BarAgreement[], samples: readonly number[]): string {
  const header = ['bar', 'date', 'most', 'agreement', ...samples.map((sample) => `sample${sample}`)];
  return csvText([
    header,
    ...bars.map(({ bar, date, most, agreement, actions }) => [bar, date, most, agreement, ...actions]),
  ]);
}

function totalCost({ decisions }: RunRecord): string | null {
  let total = ZERO;
  for (const { cost } of decisions) {
    if (cost === null) return null;
    total = total.plus(cost);
  }
  return decimalString(total);
}

function spreadOf(values: readonly (number | null)[]): Spread {
  const known = values.filter((value): value is number => value !== null);
  if (known.length === 0) return { mean: null, deviation: null, least: null, most: null };
  const mean = known.reduce((sum, value) => sum + value, 0) / known.length;
  const squares = known.reduce((sum, value) => sum + (value - mean) ** 2, 0);
  return {
    mean,
    deviation: known.length < 2 ? null : Math.sqrt(squares / (known.length - 1)),
    least: Math.min(...known),
    most: Math.max(...known),
  };
}

function agreementByBar(records: readonly RunRecord[]): BarAgreement[] {
  const decided = records.map(({ decisions }) => new Set(decisions.map(({ bar }) => bar)));
  const placed = records.map(ordersByBar);
  const dates = new Map(records.flatMap(({ bars }) => bars.map(({ bar, date }) => [bar, date] as const)));
  const all = [...new Set(decided.flatMap((bars) => [...bars]))].sort((one, other) => one - other);
  return all.map((bar) => {
    const actions = records.map((_, index) =>
      decided[index]!.has(bar) ? (placed[index]!.get(bar) ?? 'hold') : '',
    );
    const counts = new Map<string, number>();
    for (const action of actions) if (action !== '') counts.set(action, (counts.get(action) ?? 0) + 1);
    const [most, times] = [...counts].sort(
      ([one, first], [other, second]) => second - first || (one < other ? -1 : 1),
    )[0]!;
    const voters = actions.filter((action) => action !== '').length;
    return { bar, date: dates.get(bar) ?? '', actions, most, agreement: times / voters };
  });
}

/** By bar: what somebody ordered, such as `buy SPX`, without quantities. */
function ordersByBar({ orders }: RunRecord): Map<number, string> {
  const byBar = new Map<number, string[]>();
  for (const { bar, action, symbol, role } of orders) {
    if (role !== undefined) continue;
    byBar.set(bar, [...(byBar.get(bar) ?? []), `${action} ${symbol}`]);
  }
  return new Map([...byBar].map(([bar, actions]) => [bar, [...new Set(actions)].sort().join(', ')]));
}

/** The comparison as a table of at most 80 columns. */
export function samplesText({ samples, spread, agreement }: SampleComparison): string {
  const percent = (value: number | null): string => (value === null ? '–' : `${(value * 100).toFixed(2)}%`);
  const plain = (value: number | null, places = 2): string => (value === null ? '–' : value.toFixed(places));
  const row = (cells: readonly string[]): string =>
    cells.map((cell, index) => (index === 0 ? cell.padEnd(10) : cell.padStart(12))).join('');
  const lines = [
    row(['Sample', 'Return', 'Sharpe', 'Drawdown', 'Trades', 'Decisions']),
    ...samples.map((one) =>
      row([
        `${one.sample}${one.outcome === 'completed' ? '' : ` ${one.outcome}`}`,
        percent(one.totalReturn),
        plain(one.sharpe),
        percent(one.maxDrawdown),
        String(one.tradeCount),
        String(one.decisions),
      ]),
    ),
    ...(['mean', 'deviation', 'least', 'most'] as const).map((which) =>
      row([
        which,
        percent(spread.totalReturn[which]),
        plain(spread.sharpe[which]),
        percent(spread.maxDrawdown[which]),
        plain(spread.tradeCount[which], 1),
      ]),
    ),
  ];
  const agreed =
    agreement.mean === null
      ? 'No bar had two decisions to compare.'
      : `Agreement ${percent(agreement.mean)}: mean share of samples that did what most did, over ${agreement.bars} bars.`;
  return [...lines, '', agreed].join('\n');
}
