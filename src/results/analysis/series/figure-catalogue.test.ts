import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import type { z } from 'zod';
import { metricsPage } from '../../../../docs/generate-metrics.ts';
import { runSummarySchema } from '../summary/summary-schema.ts';
import { FIGURE_ENTRIES, FIGURES, figureEntry } from './figure-catalogue.ts';

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

  it('has no entry for names that every object inherits', () => {
    expect(figureEntry('toString')).toBeUndefined();
  });
});
