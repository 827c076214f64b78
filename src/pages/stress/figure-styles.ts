import type { StressFigureName } from '../../analysis/index.ts';
import { integer, percent, ratio } from '../shared/formats.ts';

type Kind = 'percent' | 'ratio' | 'count';

const STYLES: Readonly<Record<StressFigureName, readonly [label: string, kind: Kind]>> = {
  sharpe: ['Sharpe', 'ratio'],
  totalReturn: ['Total return', 'percent'],
  cagr: ['CAGR', 'percent'],
  sortino: ['Sortino', 'ratio'],
  calmar: ['Calmar', 'ratio'],
  maxDrawdown: ['Max drawdown', 'percent'],
  drawdownDays: ['Longest drawdown, days', 'count'],
  averageDrawdown: ['Average drawdown', 'percent'],
  ulcerIndex: ['Ulcer index', 'percent'],
  ulcerPerformanceIndex: ['Ulcer performance index', 'ratio'],
  gainToPain: ['Gain to pain', 'ratio'],
  omega: ['Omega', 'ratio'],
  psr: ['PSR', 'percent'],
  valueAtRisk: ['Value at risk', 'percent'],
  conditionalValueAtRisk: ['Conditional VaR', 'percent'],
  volatility: ['Volatility', 'percent'],
  exposure: ['Time in market', 'percent'],
  turnover: ['Turnover', 'ratio'],
  tradeCount: ['Trades', 'count'],
  winRate: ['Win rate', 'percent'],
  profitFactor: ['Profit factor', 'ratio'],
  expectancyRate: ['Expectancy', 'percent'],
  payoffRatio: ['Payoff ratio', 'ratio'],
  sqn: ['SQN', 'ratio'],
  returnBeforeCosts: ['Return before costs', 'percent'],
  benchmarkReturn: ['Benchmark return', 'percent'],
  alpha: ['Alpha a session', 'percent'],
  informationRatio: ['Information ratio', 'ratio'],
};

export function labelOf(name: StressFigureName): string {
  return STYLES[name][0];
}

/** Returns a formatted figure, or a dash if it is undefined. */
export function figureText(name: StressFigureName, value: number | null): string {
  if (value === null) return '–';
  const [, kind] = STYLES[name];
  if (kind === 'percent') return percent(value, name === 'alpha' ? 4 : 2);
  return kind === 'count' ? integer(value) : ratio(value);
}
