import { describe, expect, it } from 'vitest';
import type { JournalEvent } from '../../journal/index.ts';
import { countIn, errorOf, failOn, newStep, sensibleCut } from './step-draft.ts';

const event = (type: string, fields: object = {}): JournalEvent =>
  ({ type, bar: 3, ...fields }) as JournalEvent;

/** Returns the fields of a step that the events changed. */
function changed(...events: readonly JournalEvent[]): object {
  const [step, before] = [newStep(3), newStep(3) as object];
  for (const one of events) countIn(step, one);
  return Object.fromEntries(
    Object.entries(step).filter(
      ([name, value]) => JSON.stringify(value) !== JSON.stringify(Reflect.get(before, name)),
    ),
  );
}

describe('the summary of a bar', () => {
  it('is empty before the first event', () => {
    expect(newStep(3)).toEqual({
      ...{
        bar: 3,
        date: '',
        tools: [],
        calls: 0,
        errors: 0,
        orders: 0,
        fills: 0,
        trades: [],
        decided: false,
      },
      ...{
        outcome: '',
        problem: '',
        words: '',
        placed: [],
        filled: [],
        refusals: [],
        market: [],
        tokens: null,
      },
      ...{ failure: '', unfinished: true, revision: 0 },
    });
  });

  it('counts tool calls and their errors', () => {
    const call = (name: string, result: unknown) => event('tool_called', { name, result });
    expect(changed(call('a', {}), call('b', { error: 'x' }), call('a', 5))).toEqual({
      ...{ tools: ['a', 'b'], calls: 3, errors: 1, decided: true },
    });
    expect([errorOf({ error: 'x' }), errorOf({ error: '' }), errorOf({}), errorOf('error')]).toEqual([
      ...['x', 'error', undefined, undefined],
    ]);
  });

  it('counts orders, fills and rejections', () => {
    expect(changed(event('order_accepted', { orderId: 5 }))).toEqual({
      orders: 1,
      placed: [5],
      decided: true,
    });
    expect(changed(event('order_accepted', { orderId: 5, role: 'stop-loss' }))).toEqual({ orders: 1 });
    expect(changed(event('order_accepted'))).toEqual({ orders: 1, placed: [-1], decided: true });
    const fill = (orderId?: number) => event('order_filled', { orderId });
    expect(changed(fill(5), fill(6), fill(5), fill())).toEqual({ fills: 4, filled: [5, 6, -1] });
    const rejected = { action: 'buy', symbol: 'A', message: 'no cash' };
    expect(changed(event('order_rejected', rejected))).toEqual({
      ...{ errors: 1, decided: true, refusals: ['refused to buy A: no cash'] },
    });
    expect(changed(event('order_rejected', { ...rejected, orderId: 5 }))).toEqual({
      ...{ errors: 1, market: ['refused to buy A: no cash'] },
    });
    const four = Array.from({ length: 4 }, (_, at) =>
      event('order_rejected', { ...rejected, symbol: `S${at}` }),
    );
    expect(changed(...four)).toMatchObject({
      errors: 4,
      refusals: [0, 1, 2].map((at) => `refused to buy S${at}: no cash`),
    });
  });

  it('has the last text and the outcome of a decision', () => {
    expect(changed(event('note', { text: ' a  b ' }))).toEqual({ decided: true, words: 'a b' });
    expect(changed(event('limit_reached'))).toEqual({ decided: true });
    expect(changed(event('model_unavailable'))).toEqual({ decided: true, errors: 1 });
    for (const type of ['model_called', 'agent_asked', 'agent_replied']) {
      expect(changed(event(type))).toEqual({ decided: true });
      expect(changed(event(type, { failure: {} }))).toEqual({ decided: true, errors: 1 });
    }
    const spoke = event('role_spoke', { text: 'Up.', outcome: 'answered', usage: { input: 5 } });
    expect(changed(spoke)).toEqual({ decided: true, words: 'Up.' });
    const made = (fields: object) =>
      event('decision_made', { text: '', outcome: 'held', problem: 'p', ...fields });
    expect(changed(spoke, made({ usage: { input: 5, output: 2 } }))).toEqual({
      ...{ decided: true, words: 'Up.', outcome: 'held', problem: 'p', tokens: 7 },
    });
    expect(changed(made({ usage: { input: 5 } }), made({ usage: { output: 2 } }))).toMatchObject({
      tokens: 7,
    });
    expect(changed(made({ usage: null }))).not.toHaveProperty('tokens');
  });

  it.each<[string, object, string]>([
    ['order_cancelled', { orderId: 4, message: 'expired' }, 'order 4 cancelled: expired'],
    ['cash_entry', { kind: 'borrow_fee', amount: '-2', symbol: 'A' }, 'borrow fee of -2 for A'],
    ['cash_entry', { kind: 'interest', amount: '1' }, 'interest of 1'],
    ['split', { symbol: 'A', ratio: '2' }, 'A was split, 2 to 1'],
    ['delisted', { symbol: 'A' }, 'A was delisted'],
    ['rolled', { symbol: 'A' }, 'A was rolled'],
    ['risk_halted', { code: 'max_drawdown' }, 'a limit on losses was reached: max drawdown'],
    ['documents_known', {}, 'documents became known'],
    ['fundamentals_known', {}, 'fundamentals became known'],
    ['features_known', {}, 'features became known'],
    ['context_known', {}, 'context became known'],
  ])('describes the market event %s', (type, fields, words) => {
    expect(changed(event(type, fields))).toEqual({ market: [words] });
  });

  it('ignores other events, and records the failure of a run', () => {
    expect(changed(event('bar'), event('universe_changed'))).toEqual({});
    const step = newStep(3);
    failOn(step, 'Stopped.');
    expect([step.failure, step.errors]).toEqual(['Stopped.', 1]);
  });
});

describe('a shortened text', () => {
  it('ends after the last sentence that fits, if the sentence is long enough', () => {
    const first = `${'a'.repeat(24)}.`;
    expect(sensibleCut(`${first} more words`, 30)).toBe(first);
    expect(sensibleCut(`${first.slice(1)} more words and more`, 30)).toBe(`${first.slice(1)} more…`);
    expect(sensibleCut(`${'a'.repeat(29)}. more`, 30)).toBe(`${'a'.repeat(29)}.`);
    expect(sensibleCut(`${'a'.repeat(30)}. more`, 30)).toBe(`${'a'.repeat(29)}…`);
    expect(sensibleCut('x'.repeat(30), 30)).toBe('x'.repeat(30));
  });

  it('ends after a word if a space is in its second half', () => {
    expect(sensibleCut(`${'a'.repeat(16)} ${'b'.repeat(20)}`, 30)).toBe(`${'a'.repeat(16)}…`);
    expect(sensibleCut(`${'a'.repeat(15)} ${'b'.repeat(20)}`, 30)).toBe(
      `${'a'.repeat(15)} ${'b'.repeat(13)}…`,
    );
    expect(sensibleCut(`${'a'.repeat(20)}, ${'b'.repeat(20)}`, 30)).toBe(`${'a'.repeat(20)}…`);
    expect(sensibleCut(`${'a'.repeat(28)}🙂${'b'.repeat(20)}`, 30)).toBe(`${'a'.repeat(28)}…`);
    expect(sensibleCut(`${'a'.repeat(29)} b`, 30)).toBe(`${'a'.repeat(29)}…`);
  });

  it('is taken from the first 240 characters if the limit is 30', () => {
    expect(sensibleCut(`${' '.repeat(240)}words`, 30)).toBe('');
    expect(sensibleCut(`${' '.repeat(239)}words`, 30)).toBe('w');
  });
});
