import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { openTrade, runRecord } from '../../../../test/support/records.ts';
import type { RunRecord } from '../../../journal/index.ts';
import { computeMetrics } from '../figures/metrics.ts';
import { evaluationTerms } from './evaluation.ts';
import { recordBetween, recordPart } from './part.ts';

const DAY = 86_400_000;
const START = Date.UTC(2020, 0, 1);
const dateOf = (bar: number): string => new Date(START + bar * DAY).toISOString().slice(0, 10);

describe('a part of a record', () => {
  it('begins with the equity of the previous bar, so that returns of parts compound to the whole', () => {
    fc.assert(
      fc.property(
        fc.array(fc.integer({ min: 500, max: 1500 }), { minLength: 4, maxLength: 40 }),
        fc.integer({ min: 1, max: 38 }),
        (equity, at) => {
          const record = runRecord({
            equity: [1000, ...equity],
            dates: [1000, ...equity].map((_, bar) => dateOf(bar)),
            cash: '1000',
          });
          const cut = START + Math.min(at, equity.length) * DAY;
          const parts = [recordBetween(record, START, cut), recordBetween(record, cut, START + 99 * DAY)];
          const growth = parts.map((part) => 1 + (computeMetrics(part!).totalReturn.value ?? 0));
          const whole = 1 + computeMetrics(record).totalReturn.value!;
          expect(growth[0]! * growth[1]!).toBeCloseTo(whole, 9);
          expect(parts[0]!.bars.length + parts[1]!.bars.length).toBe(equity.length + 1);
        },
      ),
    );
  });

  it.each([
    ['start', 2, '2020-01-03'],
    // If bar times are end times, a bar begins at the time of the previous bar.
    ['end', 2, '2020-01-02'],
    ['start', 0, undefined],
    ['end', 0, undefined],
  ] as const)(
    'of bars stamped with their %s is evaluated from the start of its first bar',
    (barTimes, first, expected) => {
      const equity = [100, 101, 102, 103, 104];
      const dates = equity.map((_, bar) => dateOf(bar));
      const record = runRecord({ equity, dates, cash: '100', settings: { barTimes } });
      const part = recordBetween(record, START + first * DAY, START + 4 * DAY)!;
      expect(evaluationTerms(part).evaluateFrom).toBe(expected);
      expect(part.bars.map(({ date }) => date)).toEqual(dates.slice(first, 4));
    },
  );

  it('is undefined after a bar without positive equity, and defined up to this bar', () => {
    const equity = [100, 50, 0, 40, 80];
    const record = runRecord({ equity, dates: equity.map((_, bar) => dateOf(bar)), cash: '100' });
    expect(recordBetween(record, START + 3 * DAY, START + 5 * DAY)).toBeUndefined();
    expect(recordBetween(record, START + 2 * DAY, START + 5 * DAY)!.bars).toHaveLength(3);
  });

  it('is undefined without bars, and the record itself with all bars', () => {
    const record = runRecord({ equity: [100, 101, 102], dates: [0, 1, 2].map(dateOf), cash: '100' });
    expect(recordBetween(record, START + 5 * DAY, START + 9 * DAY)).toBeUndefined();
    expect(recordBetween(record, START + DAY, START + DAY)).toBeUndefined();
    expect(recordBetween(record, START, START + 3 * DAY)).toBe(record);
  });
});

describe('the events of a part', () => {
  const bars = [0, 1, 2, 3, 4];
  const settings = { evaluateFrom: dateOf(1), note: 'kept' };
  const of = (list: readonly { readonly bar: number }[]): number[] => list.map(({ bar }) => bar);
  const made = runRecord({
    cash: '100',
    equity: [100, 101, 102, 103, 104],
    dates: bars.map(dateOf),
    fills: bars.map((bar) => ({ bar, quantity: '1', price: '10', commission: '1' })),
    trades: bars.map((bar) => ({ bar, netPnl: '1' })),
    openTrades: [openTrade()],
  });
  const events = bars.map((bar) => ({ bar }));
  const lists = [
    ...(['orders', 'rejections', 'cancellations', 'halts', 'cashEntries', 'toolCalls'] as const),
    ...(['exchanges', 'decisions', 'fills', 'trades'] as const),
  ];
  const record = {
    ...made,
    ...Object.fromEntries(lists.slice(0, -2).map((name) => [name, events])),
  } as RunRecord;

  it('are those of its bars, from the first to the last', () => {
    const part = recordBetween(record, START + DAY, START + 4 * DAY)!;
    for (const name of lists) expect(of(part[name]), name).toEqual([1, 2, 3]);
    expect(of(part.bars)).toEqual([1, 2, 3]);
    expect(part).toMatchObject({ openTrades: [], commissionPaid: null, outcome: 'completed' });
    expect(part.started).toEqual({
      ...record.started,
      settings: { cash: '100', seed: 7, evaluateFrom: dateOf(1) },
    });
  });

  it('include the open trades if the part ends with the run', () => {
    const part = recordBetween(record, START + 2 * DAY, START + 5 * DAY)!;
    expect(part.openTrades).toEqual(record.openTrades);
    expect(part.commissionPaid).toBeNull();
    expect((part.started.settings as { cash: string }).cash).toBe('101');
    expect(recordPart(record, 0, 5)).toMatchObject({ commissionPaid: '5', bars: record.bars });
    expect(recordPart(record, 0, 5)!.started).toEqual(record.started);
    expect(recordPart(record, 0, 4)).toMatchObject({ commissionPaid: null, openTrades: [] });
    expect(recordPart(record, 3, 3)).toBeUndefined();
  });

  it('are those of the evaluated bars', () => {
    const evaluatedFrom = { ...made.started, settings: { cash: '100', seed: 7, ...settings } };
    const whole = { ...record, started: evaluatedFrom } as RunRecord;
    expect(recordBetween(whole, START + DAY, START + 5 * DAY)).toBe(whole);
    expect(recordBetween(whole, START, START + DAY)).toBeUndefined();
    const part = recordBetween(whole, START, START + 3 * DAY)!;
    expect(of(part.bars)).toEqual([1, 2]);
    expect(of(part.cancellations)).toEqual([1, 2]);
    expect(part.started.settings).toEqual(evaluatedFrom.settings);
  });

  it('are undefined between two bars', () => {
    expect(recordBetween(record, START + DAY + 1, START + 2 * DAY)).toBeUndefined();
    expect(of(recordBetween(record, START + DAY, START + DAY + 1)!.bars)).toEqual([1]);
  });
});
