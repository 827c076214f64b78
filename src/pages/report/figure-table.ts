import type { Figure, Metrics } from '../../analysis/index.ts';
import { amount, integer, percent, ratio, readableDate, signedPercent } from '../shared/formats.ts';
import { type Html, html } from '../shared/html.ts';
import { table } from './sections.ts';

/** Names and formats of the figures in the complete list. */
const FIGURES: readonly (readonly [keyof Metrics, string, (value: never) => string])[] = [
  ['finalEquity', 'Final equity', amount],
  ['totalReturn', 'Total return', signedPercent],
  ['cagr', 'CAGR', signedPercent],
  ['volatility', 'Volatility', percent],
  ['sharpe', 'Sharpe ratio', ratio],
  ['psr', 'Probabilistic Sharpe ratio', percent],
  ['sortino', 'Sortino ratio', ratio],
  ['maxDrawdown', 'Worst drawdown', percent],
  ['drawdownDuration', 'Longest drawdown, days', integer],
  ['drawdownCount', 'Drawdowns', integer],
  ['averageDrawdown', 'Average drawdown', percent],
  ['averageDrawdownDays', 'Average drawdown, days', (value) => amount(value, 1)],
  ['calmar', 'Calmar ratio', ratio],
  ['ulcerIndex', 'Ulcer index', percent],
  ['ulcerPerformanceIndex', 'Ulcer performance index', ratio],
  ['recoveryFactor', 'Recovery factor', ratio],
  ['gainToPain', 'Gain to pain', ratio],
  ['valueAtRisk', 'Value at risk, 95%', percent],
  ['conditionalValueAtRisk', 'Conditional value at risk, 95%', percent],
  ['omega', 'Omega ratio', ratio],
  ['tailRatio', 'Tail ratio', ratio],
  ['skewness', 'Skewness', ratio],
  ['kurtosis', 'Kurtosis', ratio],
  ['bestDay', 'Best day', signedPercent],
  ['worstDay', 'Worst day', signedPercent],
  ['timeInMarket', 'Time in the market', percent],
  ['meanExposure', 'Mean exposure', (value) => percent(value, 1)],
  ['turnover', 'Turnover', ratio],
  ['tradeCount', 'Closed trades', integer],
  ['openTradeCount', 'Open trades', integer],
  ['winRate', 'Win rate', percent],
  ['breakevens', 'Breakevens', integer],
  ['profitFactor', 'Profit factor', ratio],
  ['expectancy', 'Expectancy', amount],
  ['expectancyRate', 'Expectancy, of entry', percent],
  ['sqn', 'SQN', ratio],
  ['kelly', 'Kelly fraction', percent],
  ['bestTrade', 'Best trade', tradeAmount],
  ['worstTrade', 'Worst trade', tradeAmount],
  ['averageWin', 'Average win', amount],
  ['averageLoss', 'Average loss', amount],
  ['averageWinRate', 'Average win, of entry', percent],
  ['averageLossRate', 'Average loss, of entry', percent],
  ['payoffRatio', 'Payoff ratio', ratio],
  ['longestWinningStreak', 'Longest winning streak', integer],
  ['longestLosingStreak', 'Longest losing streak', integer],
  ['averageHoldingDays', 'Average holding time, days', (value) => amount(value, 1)],
  ['medianHoldingDays', 'Median holding time, days', (value) => amount(value, 1)],
  ['longestHoldingDays', 'Longest holding time, days', (value) => amount(value, 1)],
  ['commission', 'Commission', amount],
  ['slippage', 'Slippage', amount],
  ['returnBeforeCommission', 'Return before commission', signedPercent],
  ['returnBeforeCosts', 'Return before costs', signedPercent],
  ['returnAfterModel', 'Return after model tokens', signedPercent],
  ['benchmarkReturn', 'Benchmark return', signedPercent],
  ['alpha', 'Alpha', (value) => signedPercent(value, 4)],
  ['beta', 'Beta', ratio],
  ['correlation', 'Correlation', ratio],
  ['trackingError', 'Tracking error', percent],
  ['informationRatio', 'Information ratio', ratio],
  ['upCapture', 'Up capture', percent],
  ['downCapture', 'Down capture', percent],
  ['treynor', 'Treynor ratio', ratio],
  ['benchmarkScale', 'Benchmark scaled by', ratio],
  ['benchmarkAtEqualVolatility', 'Benchmark at equal volatility', signedPercent],
] as const;

function tradeAmount({ netPnl, id }: { readonly netPnl: string; readonly id: number }): string {
  return `${amount(netPnl)} (trade ${id})`;
}

/** Figures of a single day, with the field that contains its date. */
const DATES: Readonly<Partial<Record<keyof Metrics, keyof Metrics>>> = {
  bestDay: 'bestDayDate',
  worstDay: 'worstDayDate',
};

/** Returns a table of all figures, each with its convention or the reason why it is undefined. */
export function figureTable(metrics: Metrics): Html {
  return table(
    'All figures',
    ['Figure', 'Value', 'Convention'],
    FIGURES.map(([key, name, write]) => {
      const { value, reason, convention } = metrics[key] as Figure<unknown>;
      const date = DATES[key] === undefined ? '' : ` on ${readableDate(String(metrics[DATES[key]]))}`;
      return [
        name,
        value === null ? '–' : write(value as never),
        html`<span class="note">${value === null ? `not defined: ${reason ?? ''}` : convention + date}</span>`,
      ];
    }),
  );
}
