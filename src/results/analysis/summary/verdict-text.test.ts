import { describe, expect, it } from 'vitest';
import { type RecordSketch, runRecord } from '../../../../test/support/records.ts';
import type { RunRecord } from '../../../journal/index.ts';
import { createRandom } from '../../../kernel/index.ts';
import { computeMetrics } from '../figures/metrics.ts';
import { isFavourable, VERDICT_WORDS, type Verdict, type VerdictState, verdictText } from './verdict.ts';

const MANY = Array.from({ length: 30 }, () => ({ netPnl: '1' }));

/** Returns a run of 61 bars that gains `edge` more than its benchmark per session. */
function sketch(edge: number, noise = 0.0001): RecordSketch {
  const random = createRandom(5, 'sentences');
  let [close, worth] = [100, 1000];
  const [closes, equity] = [[close], [worth]];
  for (let session = 1; session <= 60; session++) {
    const change = 0.01 * random.normal();
    close *= 1 + change;
    worth *= 1 + change + edge + noise * random.normal();
    closes.push(close);
    equity.push(worth);
  }
  return {
    cash: '1000',
    equity,
    prices: closes.map((price) => [[price, price, price, price, 1]]),
    trades: MANY,
  };
}

const of = (record: RunRecord): Verdict => computeMetrics(record).verdict;
const verdict = (run: RecordSketch): Verdict => of(runRecord(run));

/** Formats a difference in percentage points with two decimal places and a sign. */
function points(value: number): string {
  const rounded = Math.round(Math.abs(value) * 1e4) / 100;
  return `${rounded === 0 ? '' : value > 0 ? '+' : '−'}${rounded.toFixed(2)}`;
}

describe('the sentences of a verdict', () => {
  it.each([
    ['better', 0.003, 0.0001, 'Better than buying and holding at equal volatility, by'],
    ['worse', -0.003, 0.0001, 'Worse than buying and holding at equal volatility, by'],
    [
      'indistinguishable',
      0,
      0.003,
      'Not distinguishable from buying and holding at equal volatility: the difference is',
    ],
    [
      'indistinguishable',
      0,
      0,
      'Not distinguishable from buying and holding at equal volatility: the difference is',
    ],
  ] as const)('state the interval, sessions and trades: %s (%f, %f)', (state, edge, noise, start) => {
    const found = verdict(sketch(edge, noise));
    const { low, high, ...rest } = found.interval!;
    expect(found).toMatchObject({
      state,
      because: [
        `${start} ${points(low)} to ${points(high)} points annualised (95% interval, 60 sessions, 30 closed trades).`,
      ],
    });
    expect(rest).toMatchObject({ confidence: 0.95, resamples: 1000, sessions: 60 });
    expect(rest.estimate).toBeGreaterThanOrEqual(low);
    expect(rest.estimate).toBeLessThanOrEqual(high);
    if (noise === 0) expect([points(low), points(high)]).toEqual(['0.00', '0.00']);
  });

  it('name a separate benchmark and the days that it covers', () => {
    const run = runRecord(sketch(0.003));
    const times = run.bars.map(({ date }) => Date.parse(date));
    const closes = sketch(0.003).prices!.map(([values]) => values![3]);
    const found = computeMetrics(run, { benchmark: { name: 'INDEX', times, closes } }).verdict;
    expect(found.because).toEqual([
      expect.stringMatching(/^Better than buying and holding INDEX at equal volatility, by \+/),
    ]);
    const part = { name: 'INDEX', times: times.slice(9), closes: closes.slice(9) };
    expect(computeMetrics(run, { benchmark: part }).verdict).toEqual({
      state: 'no_evidence',
      because: [
        'Too few sessions to judge: 51 session returns shared with the benchmark, at least 60 needed.',
      ],
    });
  });

  it('use the singular for one session return', () => {
    const { because } = verdict({ ...sketch(0), equity: [100, 101] });
    expect(because).toEqual(['Too few sessions to judge: 1 session return, at least 60 needed.']);
    expect(verdict({ equity: [100] }).because[1]).toContain('0 session returns, at least');
  });

  it('list all optimistic settings, and the result with them', () => {
    const run = runRecord(sketch(0.003));
    const stamps = ['better answers booked', 'same-bar fills'];
    const stamped = { ...run, started: { ...run.started, stamps } };
    const ambiguous = {
      ...stamped,
      bars: run.bars.map((bar, at) => (at === 9 ? { ...bar, ambiguity: { worse: '1', better: '2' } } : bar)),
    };
    const best =
      'In bars with several possible outcomes the best one was used. For a cautious result, use --resolve worst.';
    const same =
      'Orders were filled at the close of the bar that they were decided on. For a realistic result, fill them at the next open.';
    const terms = expect.stringMatching(/^On these terms: Better than buying and holding/);
    expect(of(ambiguous)).toMatchObject({ state: 'no_evidence', because: [best, same, terms] });
    expect(of(stamped)).toMatchObject({ state: 'no_evidence', because: [same, terms] });
    // Without an ambiguous bar, the choice of the best outcome has no effect.
    const unused = { ...run, started: { ...run.started, stamps: stamps.slice(0, 1) } };
    expect(of(unused)).toMatchObject({ state: 'better', because: [expect.stringMatching(/^Better than/)] });
  });

  it('state when the equity was lost', () => {
    const run = runRecord({ ...sketch(0), outcome: 'insolvent' });
    const insolvent = (bar: number) =>
      of({ ...run, insolvency: { bar, equity: '-1234.5' } as never }).because;
    expect(insolvent(2)).toEqual([
      'Equity fell to −1,234.50 on 2024-01-03: the run ended there, with everything closed.',
    ]);
    expect(insolvent(99)[0]).toContain('on bar 99: the run ended there');
    expect(of(run).because).toEqual(['The run ended insolvent: its equity was gone.']);
    expect(verdict({ equity: [100, 0, 5] })).toEqual({
      state: 'broke',
      because: ['Equity fell to 0.00 on 2024-01-02: everything was lost.'],
    });
  });

  it('state why a run is incomplete, and the number of processed bars', () => {
    const run = runRecord(sketch(0.003));
    const started = { ...run.started, bars: 1500 };
    const rest = 'of 1,500 bars. The figures are of these bars only.';
    expect(of({ ...run, started, damage: ['a line is missing'] }).because).toEqual([
      `The journal is not whole after 61 ${rest}`,
    ]);
    expect(of({ ...run, started, commissionPaid: null, outcome: 'failed' }).because).toEqual([
      `The run was killed after 61 ${rest}`,
    ]);
    const failed = { ...run, started, outcome: 'failed', error: { code: 'look_ahead' } } as RunRecord;
    expect(of(failed).because).toEqual([`The strategy crashed after 61 ${rest}`]);
    expect(of({ ...failed, bars: [] }).because).toEqual([
      'The run was refused for look-ahead: its signals depend on later bars. No bar was traded.',
    ]);
    const other = { ...failed, bars: [], error: { code: 'other' } } as unknown as RunRecord;
    expect(of(other)).toEqual({ state: 'incomplete', because: [`The strategy crashed after 0 ${rest}`] });
  });
});

describe('the text of a verdict', () => {
  it('begins with its name, unless the first sentence does', () => {
    expect(verdictText({ state: 'better', because: ['Better than A.', 'B.'] })).toBe('Better than A. B.');
    expect(verdictText({ state: 'no_evidence', because: ['Too few.'] })).toBe('No evidence. Too few.');
    expect(verdictText({ state: 'broke', because: [] })).toBe('Broke. ');
  });

  it('is favourable only for a better run', () => {
    const states = Object.keys(VERDICT_WORDS) as VerdictState[];
    expect(states.filter((state) => isFavourable({ state }))).toEqual(['better']);
  });
});
