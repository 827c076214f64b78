import type { RunRecord } from '../../../journal/index.ts';
import { decimalString, grouped, percentage, recordOf, ZERO } from '../../../kernel/index.ts';
import {
  type Agreement,
  agreementByBar,
  agreementOf,
  type BarAgreement,
  decidedActions,
  type MetricsOptions,
  type RunSummary,
  summarise,
} from '../../analysis/index.ts';
import { csvText } from '../export/run-csv.ts';

/** Run of one sample. A sample is one of several runs with the same inputs. */
export interface SampleRun {
  readonly sample: number;
  /** Folder of the run, relative to the folder of all samples. */
  readonly folder: string;
  readonly record: RunRecord;
  /** Options for computing the figures of the run. */
  readonly options?: MetricsOptions;
}

/** Figures whose mean and spread over the samples are part of the comparison. */
const COMPARED = ['totalReturn', 'cagr', 'volatility', 'sharpe', 'maxDrawdown', 'tradeCount'] as const;
type Compared = (typeof COMPARED)[number];

interface Spread {
  /** Mean over the samples. `null` if the figure is undefined in all samples. */
  readonly mean: number | null;
  /** Sample standard deviation (ddof 1). `null` for fewer than two samples. */
  readonly deviation: number | null;
  readonly least: number | null;
  readonly most: number | null;
}

/** `comparison.json`: comparison of samples, which are independent runs with the same inputs. */
export interface SampleComparison {
  readonly samples: readonly ({
    readonly sample: number;
    readonly folder: string;
    readonly outcome: RunSummary['outcome'];
    readonly finalEquity: string;
    readonly decisions: number;
    /** US dollars. `null` if unknown. */
    readonly cost: string | null;
  } & Readonly<Record<Compared, number | null>>)[];
  readonly spread: Readonly<Record<Compared, Spread>>;
  readonly agreement: Agreement;
}

/** Compares samples, which are runs with the same inputs. Also returns the actions of all samples by bar. */
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
  const bars = agreementByBar(runs.map(({ record }) => decidedActions(record)));
  const agreement = agreementOf(bars);
  return { comparison: { samples, spread, agreement }, bars };
}

/** Returns `agreement.csv`: one row per bar at which at least one sample decided. */
export function agreementCsv(bars: readonly BarAgreement[], samples: readonly number[]): string {
  const header = [
    'bar',
    'date',
    'most',
    'agreement',
    'entropy',
    ...samples.map((sample) => `sample${sample}`),
  ];
  return csvText([
    header,
    ...bars.map(({ bar, date, most, agreement, entropy, actions }) => [
      bar,
      date,
      most,
      agreement,
      entropy,
      ...actions,
    ]),
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

/** Formats the comparison as a table of at most 80 columns. */
export function samplesText({ samples, spread, agreement }: SampleComparison): string {
  const percent = (value: number | null): string => (value === null ? '–' : percentage(value));
  const plain = (value: number | null, places = 2): string => (value === null ? '–' : grouped(value, places));
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
    agreement.aboveFloor === null
      ? 'No bar has two decisions to compare.'
      : `Agreement ${percent(agreement.aboveFloor)} over ${agreement.bars} bars: 0% if all samples ordered differently, 100% if all ordered the same, including sizes and targets; entropy ${plain(agreement.entropy)} of ${plain(agreement.mostEntropy)} bits.`;
  return [...lines, '', agreed].join('\n');
}
