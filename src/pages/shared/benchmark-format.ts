import {
  BENCHMARK_ROWS,
  type BenchmarkRow,
  type BenchmarkRowName,
} from '../../results/analysis/series/index.ts';
import { MISSING, percent, ratio, signedPercent, signedPoints, signedRatio } from './number-formats.ts';

/**
 * Formatted row of the comparison table (strategy against benchmark). Pages and the terminal use the same
 * texts.
 */
export interface BenchmarkTexts {
  readonly name: BenchmarkRowName;
  readonly label: string;
  /** Unit of the values. Empty if the values already contain their unit. */
  readonly unit: string;
  readonly own: string;
  readonly benchmark: string;
  readonly scaled: string;
  readonly difference: string;
  /**
   * True if the difference is to the benchmark itself. False if it is to a benchmark that was scaled to the
   * volatility of the strategy.
   */
  readonly isToBenchmark: boolean;
  /** Both bounds of the confidence interval, without a unit. Empty if there is no interval. */
  readonly interval: string;
}

type Write = (value: number | null) => string;

interface Terms {
  readonly label: string;
  readonly unit?: string;
  readonly value: Write;
  readonly difference: Write;
}

const share = (value: Write): Pick<Terms, 'value' | 'difference'> => ({
  value,
  difference: (one) => signedPoints(one),
});
const multiple = {
  value: (one: number | null) => ratio(one),
  difference: (one: number | null) => signedRatio(one),
};

const TERMS: Readonly<Record<BenchmarkRowName, Terms>> = {
  totalReturn: { label: 'Return', ...share(signedPercent) },
  cagr: { label: 'CAGR', unit: 'a year', ...share(signedPercent) },
  volatility: { label: 'Volatility', unit: 'a year', ...share(percent) },
  sharpe: { label: 'Sharpe ratio', ...multiple },
  sortino: { label: 'Sortino ratio', ...multiple },
  maxDrawdown: { label: 'Max drawdown', ...share(percent) },
  conditionalValueAtRisk: { label: 'CVaR, 95%', unit: 'a session', ...share(percent) },
  exposure: { label: 'Mean exposure', ...share((one) => percent(one, 1)) },
  turnover: { label: 'Turnover', unit: '× a year', ...multiple },
};

/** Returns the formatted rows in the order of `BENCHMARK_ROWS`. */
export function benchmarkTexts(
  rows: readonly BenchmarkRow[],
): (BenchmarkTexts & { readonly row: BenchmarkRow })[] {
  return BENCHMARK_ROWS.flatMap((name) => rows.filter((row) => row.name === name)).map((row) => {
    const { label, unit = '', value, difference } = TERMS[row.name];
    const { name, low, high } = row;
    return {
      row,
      name,
      label,
      unit,
      own: value(row.own),
      benchmark: value(row.benchmark),
      scaled: value(row.scaled),
      difference: row.difference === null ? MISSING : difference(row.difference),
      isToBenchmark: row.against === 'benchmark' && row.difference !== null,
      interval:
        low === null || high === null ? '' : `${unitless(difference(low))} to ${unitless(difference(high))}`,
    };
  });
}

function unitless(text: string): string {
  return text.replace(' pp', '');
}
