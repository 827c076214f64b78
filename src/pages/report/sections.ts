import type { Drawdown, Figure, Metrics, YearOfReturns } from '../../analysis/index.ts';
import { breakdownsOf } from '../../analysis/index.ts';
import type { RunRecord } from '../../journal/index.ts';
import { decimal, decimalString } from '../../kernel/index.ts';
import { amount, integer, percent, ratio, signedPercent, tone } from '../shared/formats.ts';
import { type Content, type Html, html } from '../shared/html.ts';

/** A titled part of the page; `id` is what links lead to. */
export function section(id: string, title: string, ...content: Content[]): Html {
  return html`<section id="${id}" aria-labelledby="${id}-title"><h2 id="${id}-title">${title}</h2>${content}</section>`;
}

/** A table in a frame of its own that scrolls sideways on a phone. */
export function table(caption: string, head: readonly string[], rows: readonly (readonly Content[])[]): Html {
  const cells = (row: readonly Content[]): Html[] =>
    row.map((cell, index) => (index === 0 ? html`<th scope="row">${cell}</th>` : html`<td>${cell}</td>`));
  return html`<div class="frame" tabindex="0" role="group" aria-label="${caption}"><table><caption class="hidden">${caption}</caption><thead><tr>${head.map(
    (name) => html`<th scope="col">${name}</th>`,
  )}</tr></thead><tbody>${rows.map((row) => html`<tr>${cells(row)}</tr>`)}</tbody></table></div>`;
}

export function toned(text: string, value: number | string | null): Html {
  return html`<span class="${tone(value)}">${text}</span>`;
}

interface Tile {
  readonly label: string;
  readonly value: Content;
  readonly detail?: Content;
}

/** The figures that answer the first questions. */
export function tiles(metrics: Metrics, benchmarkReturn: number | null): Html {
  const { totalReturn, cagr, maxDrawdown, sharpe, winRate, profitFactor } = metrics;
  const shown: Tile[] = [
    {
      label: 'Return after costs',
      value: toned(signedPercent(totalReturn.value), totalReturn.value),
      detail: `${signedPercent(benchmarkReturn)} by buying and holding${metrics.commonPeriod === null ? '' : ', of a part'}`,
    },
    {
      label: 'A year (CAGR)',
      value: signedPercent(cagr.value),
      detail: metrics.underAYear ? 'under a year of data' : undefined,
    },
    {
      label: 'Worst fall',
      value: toned(percent(maxDrawdown.value), maxDrawdown.value),
      detail: fallDetail(metrics.deepestDrawdown),
    },
    {
      label: 'Sharpe ratio',
      value: ratio(sharpe.value),
      detail: `volatility ${percent(metrics.volatility.value)}, ${amount(metrics.periodsPerYear)} sessions a year`,
    },
    {
      label: 'Closed trades',
      value: integer(metrics.tradeCount.value),
      detail: `${percent(winRate.value)} won, profit factor ${ratio(profitFactor.value)}`,
    },
    {
      label: 'Costs paid',
      value: amount(decimalString(decimal(metrics.commission.value ?? 0).plus(metrics.slippage.value ?? 0))),
      detail: `${signedPercent(metrics.returnBeforeCosts.value)} before them`,
    },
  ];
  return html`<dl class="tiles">${shown.map(
    ({ label, value, detail }) => html`<div><dt>${label}</dt><dd>${value}<small>${detail}</small></dd></div>`,
  )}</dl>`;
}

function fallDetail(fall: Drawdown | null): Content {
  if (fall === null) return 'it never fell';
  const date = (day: string): Html => html`<span class="date">${day}</span>`;
  const end: Content = fall.recovered ? html`recovered ${date(fall.endDate)}` : 'not recovered';
  return html`${date(fall.peakDate)} to ${date(fall.troughDate)}, ${end}`;
}

const MONTHS = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'];
/** Return at which a month's colour is fullest. */
const FULL_COLOUR = 0.1;

export function monthlyTable(years: readonly YearOfReturns[]): Html {
  const cell = (value: number | null): Html => {
    if (value === null) return html`<td></td>`;
    const strength = Math.round(Math.min(Math.abs(value) / FULL_COLOUR, 1) * 10);
    return html`<td class="heat ${tone(value)}" data-strength="${strength}">${percent(value, 1)}</td>`;
  };
  const rows = years.map(
    ({ year, months, total }) =>
      html`<tr><th scope="row">${String(year)}</th>${months.map(cell)}<td class="total">${toned(percent(total, 1), total)}</td></tr>`,
  );
  return html`<div class="frame" tabindex="0" role="group" aria-label="Returns by month"><table class="months"><caption class="hidden">Returns by month and year</caption><thead><tr><th scope="col">Year</th>${MONTHS.map(
    (name) => html`<th scope="col">${name}</th>`,
  )}<th scope="col">Year</th></tr></thead><tbody>${rows}</tbody></table></div>`;
}

export function drawdownTable(deepest: readonly Drawdown[]): Html {
  if (deepest.length === 0) return html`<p>Equity never fell below an earlier high.</p>`;
  return table(
    'Deepest drawdowns',
    ['Depth', 'Peak', 'Trough', 'Recovered', 'Days'],
    deepest.map((one) => [
      toned(percent(one.depth), one.depth),
      one.peakDate,
      one.troughDate,
      one.recovered ? one.endDate : html`<span class="wrap">not by the end</span>`,
      integer(Math.round(one.days)),
    ]),
  );
}

export function breakdownTables(record: RunRecord): Html {
  const tables = breakdownsOf(record).map(({ title, groups }) =>
    table(
      `Trades by ${title.toLowerCase()}`,
      [title, 'Trades', 'Won', 'Net P&L', 'Mean'],
      groups.map((group) => [
        group.name,
        integer(group.trades),
        percent(group.winRate, 1),
        toned(amount(group.netPnl), group.netPnl),
        toned(amount(group.meanNetPnl), group.meanNetPnl),
      ]),
    ),
  );
  return html`<div class="columns">${tables}</div>`;
}

/** What a figure is called in the list of all figures, and how its value is written. */
const FIGURES: readonly (readonly [keyof Metrics, string, (value: never) => string])[] = [
  ['finalEquity', 'Final equity', amount],
  ['totalReturn', 'Total return', signedPercent],
  ['cagr', 'CAGR', signedPercent],
  ['volatility', 'Volatility', percent],
  ['sharpe', 'Sharpe ratio', ratio],
  ['psr', 'Probabilistic Sharpe ratio', percent],
  ['sortino', 'Sortino ratio', ratio],
  ['maxDrawdown', 'Maximum drawdown', percent],
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
  ['meanExposure', 'Mean exposure', percent],
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

/** Figures of one day, and where its date is. */
const DATES: Readonly<Partial<Record<keyof Metrics, keyof Metrics>>> = {
  bestDay: 'bestDayDate',
  worstDay: 'worstDayDate',
};

/** Every figure with its convention, or why it is not defined. */
export function figureTable(metrics: Metrics): Html {
  return table(
    'All figures',
    ['Figure', 'Value', 'Convention'],
    FIGURES.map(([key, name, write]) => {
      const { value, reason, convention } = metrics[key] as Figure<unknown>;
      const date = DATES[key] === undefined ? '' : ` on ${String(metrics[DATES[key]])}`;
      return [
        name,
        value === null ? '–' : write(value as never),
        html`<span class="note">${value === null ? `not defined: ${reason ?? ''}` : convention + date}</span>`,
      ];
    }),
  );
}
