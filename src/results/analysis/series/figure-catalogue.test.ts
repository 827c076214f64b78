import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import type { z } from 'zod';
import { metricsPage } from '../../../../docs/generate-metrics.ts';
import { runSummarySchema } from '../summary/summary-schema.ts';
import { directionOf, FIGURE_ENTRIES, FIGURES, figureEntry, shortLabel } from './figure-catalogue.ts';

/** Numbers of a summary that are counts of records, rates of the options or cash, and not figures of performance. */
const NOT_FIGURES = [
  'liquidations',
  'bars',
  'initialCash',
  'ambiguousBars',
  'ambiguousFills',
  'ambiguityDifference',
  'uncoveredBars',
  'reducedOrders',
  'periodsPerYear',
  'riskFreeRate',
  'minimumAcceptableReturn',
  'dividends',
  'interest',
  'marginInterest',
  'borrowFees',
  'funding',
  'toolCalls',
  'rejectedOrders',
  'dailyLossStops',
];

const accepts = (name: string, value: unknown): boolean =>
  (runSummarySchema.shape as Record<string, z.ZodType>)[name]?.safeParse(value).success ?? false;

describe('the figure catalogue', () => {
  it('contains every number of a summary except counts, rates and cash', () => {
    const numbers = Object.entries(runSummarySchema.shape)
      .filter(([, schema]) => schema.safeParse(1).success || schema.safeParse('1.5').success)
      .filter(([, schema]) => !schema.safeParse('a text').success)
      .map(([name]) => name);
    expect(numbers.filter((name) => !NOT_FIGURES.includes(name)).sort()).toEqual(Object.keys(FIGURES).sort());
  });

  it.each(FIGURE_ENTRIES)(
    '%s is an amount of money exactly if the summary stores a decimal string',
    (name, { unit }) => {
      expect(accepts(name, '1.5')).toBe(unit === 'money');
      expect(accepts(name, 1)).toBe(unit !== 'money');
    },
  );

  it('matches the definition of each figure in docs/metrics.md', () => {
    const page = readFileSync(new URL('../../../../docs/metrics.md', import.meta.url), 'utf8');
    // To update the table, run: npm run docs:metrics
    expect(metricsPage(page)).toBe(page);
    for (const [name, { label }] of FIGURE_ENTRIES) expect(page).toContain(`| \`${name}\` | ${label} | `);
  });

  it('has different labels for different figures', () => {
    const labels = FIGURE_ENTRIES.map(([, { label }]) => label);
    expect(new Set(labels).size).toBe(labels.length);
  });

  const having = (is: (entry: (typeof FIGURE_ENTRIES)[number][1]) => boolean) =>
    FIGURE_ENTRIES.filter(([, entry]) => is(entry)).map(([name]) => name);

  it('calls falls, losses, costs and their durations better if they are lower', () => {
    // Depths of drawdowns and losses are negative, so a higher value is better.
    expect(having(({ better }) => better === -1)).toEqual([
      ...['drawdownDays', 'drawdownCount', 'averageDrawdownDays', 'ulcerIndex', 'longestLosingStreak'],
      ...['commissionPaid', 'slippagePaid', 'downCapture'],
    ]);
  });

  it('calls no amount of trading, risk or benchmark better', () => {
    expect(having(({ better }) => better === 0)).toEqual([
      ...['volatility', 'kurtosis', 'exposure', 'meanExposure', 'turnover'],
      ...['tradeCount', 'openTradeCount', 'breakevens', 'kelly'],
      ...['averageHoldingDays', 'medianHoldingDays', 'longestHoldingDays'],
      ...[
        'benchmarkReturn',
        'beta',
        'correlation',
        'trackingError',
        'benchmarkScale',
        'benchmarkAtEqualVolatility',
      ],
    ]);
    expect(having(({ better }) => Math.abs(better) > 1)).toEqual([]);
  });

  it('shows returns with their sign', () => {
    const returns = having(({ label }) =>
      /return|CAGR|Best day|Worst day|^Alpha|equal volatility/i.test(label),
    );
    expect(having(({ signed }) => signed === true)).toEqual(returns);
    expect(having(({ signed }) => signed === false)).toEqual([]);
  });

  it('shows days and mean exposure with one decimal place, and alpha with four', () => {
    const places = FIGURE_ENTRIES.flatMap(([name, entry]) =>
      entry.places === undefined ? [] : [[name, entry.places]],
    );
    expect(Object.fromEntries(places)).toEqual({
      ...{ averageDrawdownDays: 1, meanExposure: 1, alpha: 4 },
      ...{ averageHoldingDays: 1, medianHoldingDays: 1, longestHoldingDays: 1 },
    });
  });

  it('marks the figures that a summary always has', () => {
    const always = ['finalEquity', 'tradeCount', 'breakevens', 'commissionPaid', 'slippagePaid'];
    expect(having(({ always: is }) => is === true)).toEqual(always);
    for (const [name] of FIGURE_ENTRIES) expect(accepts(name, null), name).toBe(!always.includes(name));
    expect([directionOf('beta'), directionOf('ulcerIndex'), shortLabel('omega'), shortLabel('beta')]).toEqual(
      [...[0, -1, 'Omega', 'Beta']],
    );
  });

  it('has no entry for names that every object inherits', () => {
    expect(figureEntry('toString')).toBeUndefined();
  });
});
