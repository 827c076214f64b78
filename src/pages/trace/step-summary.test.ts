import { describe, expect, it } from 'vitest';
import type { JournalEvent } from '../../journal/index.ts';
import { OrderLifecycles } from './order-lifecycles.ts';
import type { StepSummary } from './step.ts';
import { countIn, failOn, newStep } from './step-draft.ts';
import { decisionTimes, stepNews, toolTimes } from './step-summary.ts';
import type { TraceIndex } from './trace-index.ts';

const event = (type: string, fields: object = {}): JournalEvent =>
  ({ type, bar: 3, ...fields }) as JournalEvent;
const order = (orderId: number, fields: object = {}) =>
  event('order_accepted', { orderId, symbol: 'A', action: 'buy', quantity: '5', ...fields });
const fill = (orderId: number, fields: object = {}) =>
  event('order_filled', { orderId, symbol: 'A', side: 'buy', quantity: '5', price: '10', ...fields });
const made = (fields: object = {}) => event('decision_made', { outcome: 'answered', text: '', ...fields });

/** Returns the summaries of bars 3 and 4 after these events. `failure`: error message on bar 3. */
function summaries(events: readonly JournalEvent[], symbols = ['A'], failure = ''): StepSummary[] {
  const lifecycles = new OrderLifecycles();
  const steps = new Map([3, 4].map((bar) => [bar, newStep(bar)]));
  for (const one of events) {
    lifecycles.follow(one);
    countIn(steps.get(one.bar!)!, one);
  }
  if (failure !== '') failOn(steps.get(3)!, failure);
  const index = {
    started: { type: 'run_started', symbols },
    lifecycles,
    allSteps: [...steps.values()],
    revision: 1,
  };
  return [...stepNews(index as unknown as TraceIndex).steps];
}
const first = (...events: readonly JournalEvent[]) => {
  const { kind, acts, story } = summaries(events)[0]!;
  return [kind, acts, story];
};

describe('the summary of a step', () => {
  it('contains counts, durations and a text, for bars that changed since a revision', () => {
    const lifecycles = new OrderLifecycles();
    const step = newStep(3);
    for (const name of ['a', 'b']) countIn(step, event('tool_called', { name, result: {} }));
    Object.assign(step, { date: '2024-01-02', unfinished: false, revision: 5, tokens: 9 });
    step.trades.push(1, 2);
    const old = { ...newStep(1), revision: 4 };
    const index = {
      started: undefined,
      lifecycles,
      allSteps: [old, step],
      revision: 6,
    } as unknown as TraceIndex;
    const summary = {
      ...{ bar: 3, time: Date.UTC(2024, 0, 2) / 1000, kind: 'hold', acts: 'h', story: 'held', tools: 'a\nb' },
      ...{
        trades: '1 2',
        calls: 2,
        errors: 0,
        orders: 0,
        fills: 0,
        tokens: 9,
        milliseconds: 1.5,
        failure: '',
      },
      unfinished: false,
    };
    const times = decisionTimes({ decisions: '3:1.5 10:20' });
    expect(stepNews(index, 4, times)).toEqual({ steps: [summary], revision: 6 });
    expect(stepNews(index, 5)).toEqual({ steps: [], revision: 6 });
    expect(stepNews(index, 0).steps.map(({ bar, time, milliseconds }) => [bar, time, milliseconds])).toEqual([
      [1, null, null],
      [3, summary.time, null],
    ]);
  });

  it('describes orders with their fills, reasons and ends', () => {
    expect(first(order(1, { reason: 'cheap' }), fill(1, { bar: 4 }))).toEqual([
      'buy',
      'b',
      'bought 5 at 10 because cheap',
    ]);
    expect(first(order(1, { limitPrice: '9' }))).toEqual([
      'buy',
      'b',
      'ordered to buy 5 at 9 or better, not filled',
    ]);
    const cancelled = event('order_cancelled', { bar: 4, orderId: 1, message: 'expired' });
    expect(first(order(1, { action: 'sell' }), cancelled)).toEqual([
      'sell',
      's',
      'ordered to sell 5, cancelled: expired',
    ]);
    const refused = event('order_rejected', { bar: 4, orderId: 1, message: 'no cash' });
    expect(first(order(1), refused)).toEqual(['refused', 'r', 'refused to buy 5: no cash']);
    expect(first(order(1), fill(1, { bar: 4 }), refused)).toEqual(['buy', 'b', 'bought 5 at 10']);
    const parts = [fill(1, { bar: 4, quantity: '2', price: '9' }), fill(1, { bar: 4, quantity: '3' })];
    expect(first(order(1), ...parts)[2]).toBe('bought 5 in 2 fills from 9');
    const [several] = summaries([order(1), order(2, { symbol: 'B' }), fill(1, { bar: 4 })], ['A', 'B']);
    expect(several!.story).toBe('bought 5 A at 10; ordered to buy 5 B, not filled');
  });

  it('shows the net profit of a closing order in cents, and smaller amounts exactly', () => {
    const sold = (netPnl: string) =>
      first(
        order(1, { action: 'sell' }),
        fill(1, { bar: 4, side: 'sell' }),
        event('trade_closed', { bar: 4, id: 1, symbol: 'A', side: 'long', entryBar: 0, netPnl }),
      )[2];
    expect(sold('12.345')).toBe('sold 5 at 10, net 12.34');
    expect(sold('0.001')).toBe('sold 5 at 10, net 0.001');
    expect(sold('-7')).toBe('sold 5 at 10, net -7');
    expect(sold('0')).toBe('sold 5 at 10, net 0');
  });

  it('describes fills on a bar without a decision, and exits on the bar of their fill', () => {
    const exit = order(2, { bar: 3, role: 'stop-loss', parentId: 1, action: 'sell', reason: 'fell' });
    const events = [order(1), exit, fill(1, { bar: 4 }), fill(2, { bar: 4, side: 'sell' })];
    const [decided, market] = summaries(events);
    expect(decided!.story).toBe('bought 5 at 10');
    expect([market!.kind, market!.acts, market!.story]).toEqual([
      ...['market', 's', 'stop-loss: sold 5 at 10 because fell; filled: bought 5 at 10'],
    ]);
    const split = event('split', { bar: 4, symbol: 'A', ratio: '2' });
    expect(summaries([split])[1]!.story).toBe('A was split, 2 to 1');
    const note = event('note', { bar: 4, text: 'Wait.' });
    expect(summaries([order(1), fill(1, { bar: 4 }), split, note])[1]!.story).toBe('held: Wait.');
  });

  it('quotes the note of a decision if its orders have no reason, and describes at most four orders', () => {
    const note = event('note', { text: 'It fell.' });
    expect(first(order(1), note)[2]).toBe('ordered to buy 5, not filled; “It fell.”');
    expect(first(order(1, { reason: 'cheap' }), note)[2]).toBe('ordered to buy 5 because cheap, not filled');
    const many = [1, 2, 3, 4, 5, 6].map((id) => order(id));
    expect(first(...many)[2]).toMatch(/^(ordered to buy 5, not filled; ){4}2 more orders$/);
    expect(first(...many.slice(0, 4))[2]).not.toContain('more');
  });

  it('describes a decision without orders', () => {
    expect(first(made())).toEqual(['hold', 'h', 'held']);
    expect(first(made({ text: 'Wait.' }))).toEqual(['hold', 'h', 'held: Wait.']);
    const outcome = { outcome: 'rounds_exhausted' };
    expect(first(made(outcome))[2]).toBe('no decision (rounds exhausted)');
    expect(first(made({ ...outcome, text: 'Wait.' }))[2]).toBe('no decision (rounds exhausted): Wait.');
    expect(first(made({ ...outcome, problem: 'p' }))[2]).toBe('no decision (rounds exhausted): p');
    const failed = event('tool_called', { name: 'a', result: { error: 'x' } });
    expect(first(failed)).toEqual(['error', 'e', 'nothing done, a call failed']);
    const rejected = event('order_rejected', { action: 'buy', symbol: 'A', message: 'no' });
    expect(first(rejected)).toEqual(['refused', 'r', 'refused to buy A: no']);
    expect(first(rejected, failed)).toEqual(['refused', 're', 'refused to buy A: no']);
  });

  it('has the kind of most of its orders, or the kind error if the run failed', () => {
    const sides = (...all: readonly string[]) =>
      first(...all.map((action, id) => order(id, { action }))).slice(0, 2);
    expect(sides('buy', 'sell')).toEqual(['buy', 'bs']);
    expect(sides('buy', 'sell', 'sell')).toEqual(['sell', 'bs']);
    const [failed] = summaries([order(1)], ['A'], 'It stopped. '.repeat(20));
    expect([failed!.kind, failed!.acts, failed!.failure.length]).toEqual(['error', 'be', 240]);
    expect(failed!.story).toMatch(/^(It stopped\. )+It stopped\.$/);
    expect(failed!.story.length).toBeLessThanOrEqual(140);
  });
});

describe('the times of a run', () => {
  it('are read from timing.json by tool and by decision', () => {
    const use = { calls: 2, p50Milliseconds: 1, p95Milliseconds: 3 };
    const tools = {
      a: { ...use, more: 1 },
      b: { ...use, calls: 'x' },
      c: 5,
      d: { calls: 1, p50Milliseconds: 1 },
    };
    expect(toolTimes({ tools })).toEqual({ a: use });
    expect([toolTimes(5), toolTimes({}), toolTimes({ tools: 5 })]).toEqual([{}, {}, {}]);
    expect([...decisionTimes({ decisions: '1:20 15:0.25 x:3' })]).toEqual([
      [1, 20],
      [15, 0.25],
    ]);
    expect([...decisionTimes(undefined), ...decisionTimes({ decisions: 5 })]).toEqual([]);
  });
});
