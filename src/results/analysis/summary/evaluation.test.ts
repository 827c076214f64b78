import { describe, expect, it } from 'vitest';
import { runRecord } from '../../../../test/support/records.ts';
import type { Json, RunEvent } from '../../../engine/index.ts';
import { runBacktest } from '../../../engine/index.ts';
import { type RunRecord, recordOf } from '../../../journal/index.ts';
import { simulateMarket } from '../../../market/index.ts';
import {
  ambiguityOf,
  evaluated,
  evaluationTerms,
  firstEvaluatedBar,
  resolveOf,
  sessionOf,
} from './evaluation.ts';

const dates = ['2024-01-01', '2024-01-02', '2024-01-03', '2024-01-04', '2024-01-05'];
const equity = [100, 100, 100, 101, 102];
const decision = (bar: number): RunEvent => ({
  type: 'decision_made',
  bar,
  sample: 1,
  outcome: 'answered',
  rounds: 1,
  toolCalls: 0,
  text: '',
  usage: { input: 0, cached: 0, output: 0, reasoning: 0 },
  cost: null,
});
const run = (settings: Readonly<Record<string, Json>>, decided: readonly number[] = []): RunRecord =>
  runRecord({ equity, dates, settings, events: decided.map(decision) });
const withSettings = (settings: Json): RunRecord => {
  const record = run({});
  return { ...record, started: { ...record.started, settings } };
};

describe('the settings that determine the evaluated bars', () => {
  it('are read from the journal, with defaults for missing and unknown values', () => {
    expect(evaluationTerms(run({}))).toEqual({ mark: 'close', fillsAtClose: false });
    expect(evaluationTerms(withSettings(null))).toEqual({ mark: 'close', fillsAtClose: false });
    expect(evaluationTerms(run({ evaluateFrom: 3, barTimes: 'middle', mark: 1, fillOn: 'open' }))).toEqual({
      mark: 'close',
      fillsAtClose: false,
    });
    for (const barTimes of ['start', 'end'] as const)
      expect(
        evaluationTerms(run({ evaluateFrom: '2024-01-02', barTimes, mark: 'open', fillOn: 'close' })),
      ).toEqual({ evaluateFrom: '2024-01-02', barTimes, mark: 'open', fillsAtClose: true });
  });

  it('include the definition of sessions', () => {
    const session = { hours: '09:30-16:00', timezone: 'America/New_York' };
    expect(sessionOf(run({ session }))).toMatchObject(session);
    for (const record of [run({}), run({ session: { hours: 'noon' } }), withSettings(null)])
      expect(sessionOf(record)).toBeUndefined();
  });

  it('include the assumed outcome of ambiguous bars, by default the worst', () => {
    expect([run({ resolve: 'best' }), run({ resolve: 'worst' }), run({})].map(resolveOf)).toEqual([
      'best',
      'worst',
      'worst',
    ]);
    expect([run({ resolve: 'other' }), withSettings(null)].map(resolveOf)).toEqual(['worst', 'worst']);
  });
});

describe('the first evaluated bar', () => {
  it.each<[string, Readonly<Record<string, Json>>, readonly number[], number]>([
    ['the first bar without a date', {}, [], 0],
    ['the first bar for an unreadable date', { evaluateFrom: 'soon' }, [], 0],
    ['the bar at the date', { evaluateFrom: '2024-01-03' }, [], 2],
    ['the next bar if the date is between two bars', { evaluateFrom: '2024-01-02T12:00' }, [], 2],
    ['the bar after the date for end times', { evaluateFrom: '2024-01-03', barTimes: 'end' }, [], 3],
    ['the bar after the first decision', { evaluateFrom: 'first-decision' }, [2, 4], 3],
    [
      'the bar of the decision for fills at its close',
      { evaluateFrom: 'first-decision', fillOn: 'close' },
      [2],
      2,
    ],
    ['the first bar without a decision', { evaluateFrom: 'first-decision' }, [], 0],
  ])('is %s', (_, settings, decided, expected) => {
    const record = run(settings, decided);
    expect(firstEvaluatedBar(record)).toBe(expected);
    // The second call reads the cached result.
    expect(firstEvaluatedBar(record)).toBe(expected);
    expect(evaluated(record).bars.map(({ bar }) => bar)).toEqual([0, 1, 2, 3, 4].slice(expected));
    expect(evaluated(record)).toBe(evaluated(record));
    expect(evaluated(record) === record).toBe(expected === 0);
  });

  it('is the same in a record that omits earlier bars', () => {
    const record = run({ evaluateFrom: '2024-01-03' });
    const from = (bar: number): RunRecord => ({ ...record, bars: record.bars.slice(bar) });
    expect([1, 2].map((bar) => firstEvaluatedBar(from(bar)))).toEqual([2, 2]);
    expect(evaluated(from(1)).bars.map(({ bar }) => bar)).toEqual([2, 3, 4]);
    const exact = from(2);
    expect(evaluated(exact)).toBe(exact);
    expect(firstEvaluatedBar(from(5))).toBe(0);
  });

  it('does not exclude bars if the run ended before the date', () => {
    const record = run({ evaluateFrom: '2024-02-01' });
    expect(firstEvaluatedBar(record)).toBe(5);
    expect(evaluated(record)).toBe(record);
  });
});

describe('the ambiguity of a run', () => {
  const fill = { quantity: '1', price: '1' };

  it('sums the differences of its bars', () => {
    const record = runRecord({
      equity,
      fills: [
        { ...fill, ambiguous: true, bar: 1, gainIfOther: '100' },
        { ...fill, ambiguous: true, bar: 1 },
        { ...fill, bar: 2 },
      ],
    });
    const bars = record.bars.map((bar, at) =>
      at === 0 || at > 2 ? bar : { ...bar, ambiguity: { worse: '99.5', better: at === 1 ? '100' : '102' } },
    );
    expect(ambiguityOf({ ...record, bars })).toEqual({
      ambiguousBars: 2,
      ambiguousFills: 2,
      ambiguityDifference: '3',
    });
  });

  it('sums the differences of fills in older journals, and counts each bar once', () => {
    const record = runRecord({
      equity,
      fills: [
        { ...fill, ambiguous: true, bar: 1, gainIfOther: '1.5' },
        { ...fill, ambiguous: true, bar: 1, gainIfOther: '0.25' },
        { ...fill, ambiguous: true, bar: 3 },
        { ...fill, bar: 4, gainIfOther: '8' },
      ],
    });
    expect(ambiguityOf(record)).toEqual({
      ambiguousBars: 2,
      ambiguousFills: 3,
      ambiguityDifference: '1.75',
    });
    expect(ambiguityOf(runRecord({ equity }))).toEqual({
      ambiguousBars: 0,
      ambiguousFills: 0,
      ambiguityDifference: '0',
    });
  });

  it('is the same for light bars', async () => {
    const market = simulateMarket({ seed: 3, bars: 120, symbols: ['A'], regime: 'volatile' });
    const found = async (lightBars: boolean, isTight: boolean) => {
      const events: RunEvent[] = [];
      await runBacktest({
        market,
        settings: { cash: '10000' },
        decider: {
          decide: ({ orders, bar, window }) => {
            const close = window.close.last;
            if (bar % 4 === 0)
              orders.buy(1, isTight ? { stopLoss: close * 0.99, takeProfit: close * 1.01 } : {});
          },
        },
        lightBars,
        onEvent: (event) => void events.push(event),
      });
      return ambiguityOf(recordOf(events));
    };
    const plain = await found(false, true);
    expect(plain.ambiguousBars).toBeGreaterThan(2);
    expect(await found(true, true)).toEqual(plain);
    expect(await found(true, false)).toEqual(await found(false, false));
  });
});
