import { describe, expect, it } from 'vitest';
import { brokerSettingsSchema } from '../../broker/index.ts';
import { DAY, EXACT_ONE, Exact, parseInstant } from '../../kernel/index.ts';
import { cashEntryEvent, contextKnown, financingTerms, publishedEvents } from './data-events.ts';

const day = (text: string): number => parseInstant(text)!;

describe('events of data that became visible', () => {
  it('contain the newest bar of each context series, and the number of new bars', () => {
    const bar = { time: day('2024-01-02'), open: 1, high: 4, low: 0.5, close: 2, volume: 9 };
    expect(contextKnown([{ symbol: 'VIX', count: 3, availableAt: day('2024-01-03'), bar }], 5)).toEqual({
      type: 'context_known',
      bar: 5,
      series: [
        { symbol: 'VIX', bars: 3, date: '2024-01-02', availableAt: '2024-01-03', prices: [1, 4, 0.5, 2, 9] },
      ],
    });
  });

  it('list documents without their texts, and fundamentals, if there are any', () => {
    const document = {
      id: 'd1',
      availableAt: day('2024-01-03'),
      symbols: ['A'],
      source: 'wire',
      kind: 'news',
      title: 'Profit',
      text: 'A long text.',
    };
    const row = {
      symbol: 'A',
      field: 'eps',
      periodEnd: day('2023-12-31'),
      availableAt: day('2024-01-03'),
      value: 1.5,
    };
    const documents = {
      type: 'documents_known',
      bar: 2,
      documents: [
        {
          id: 'd1',
          availableAt: '2024-01-03',
          symbols: ['A'],
          source: 'wire',
          kind: 'news',
          title: 'Profit',
        },
      ],
    };
    const fundamentals = {
      type: 'fundamentals_known',
      bar: 2,
      rows: [{ symbol: 'A', field: 'eps', periodEnd: '2023-12-31', availableAt: '2024-01-03', value: 1.5 }],
    };
    expect(publishedEvents({ documents: [document], fundamentals: [row] }, 2)).toEqual([
      documents,
      fundamentals,
    ]);
    expect(publishedEvents({ documents: [document], fundamentals: [] }, 2)).toEqual([documents]);
    expect(publishedEvents({ documents: [], fundamentals: [row] }, 2)).toEqual([fundamentals]);
    expect(publishedEvents({ documents: [], fundamentals: [] }, 2)).toEqual([]);
  });
});

describe('the financing of a run', () => {
  it('is free by default', () => {
    expect(financingTerms(['A', 'B'], brokerSettingsSchema.parse({}), 'start')).toEqual({
      creditRate: 0,
      debitRate: 0,
      borrowRates: [0, 0],
      borrowRateAt: undefined,
    });
  });

  it('uses the borrow rate of a symbol, even if it is 0, instead of the common rate', () => {
    const settings = brokerSettingsSchema.parse({
      financing: { creditRate: 0.01, debitRate: 0.05, borrowRate: 0.02 },
      instruments: { B: { borrowRate: 0 }, C: { borrowRate: 0.3 }, D: { lot: 5 } },
    });
    expect(financingTerms(['A', 'B', 'C', 'D', 'constructor'], settings, 'start')).toEqual({
      creditRate: 0.01,
      debitRate: 0.05,
      borrowRates: [0.02, 0, 0.3, 0.02, 0.02],
      borrowRateAt: undefined,
    });
  });

  it('uses the borrow rate of each date if an instrument has dates', () => {
    const settings = brokerSettingsSchema.parse({
      instruments: { A: { borrowRate: 0.04, borrow: [{ from: '2024-01-02', rate: 0.5 }] } },
    });
    const { borrowRateAt } = financingTerms(['A'], settings, 'end');
    expect(borrowRateAt!(0, day('2024-01-02'))).toBe(0.04);
    expect(borrowRateAt!(0, day('2024-01-02') + DAY)).toBe(0.5);
    expect(financingTerms(['A'], settings, 'start').borrowRateAt!(0, day('2024-01-02'))).toBe(0.5);
  });

  it('is recorded with its base, rate and days, and with the symbol of a borrow fee', () => {
    const entry = { amount: Exact.of('-0.25'), base: Exact.of('100'), annualRate: 0.05, days: 3 };
    const recorded = { amount: '-0.25', cash: '1', base: '100', annualRate: 0.05, days: 3 };
    expect(
      cashEntryEvent({ kind: 'margin_interest', symbol: undefined, ...entry }, 6, ['A', 'B'], EXACT_ONE),
    ).toEqual({
      type: 'cash_entry',
      bar: 6,
      kind: 'margin_interest',
      ...recorded,
    });
    expect(cashEntryEvent({ kind: 'borrow_fee', symbol: 1, ...entry }, 6, ['A', 'B'], EXACT_ONE)).toEqual({
      type: 'cash_entry',
      bar: 6,
      kind: 'borrow_fee',
      symbol: 'B',
      ...recorded,
    });
  });
});
