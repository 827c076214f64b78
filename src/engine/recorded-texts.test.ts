import { describe, expect, it } from 'vitest';
import { withRecordedTexts } from './start.ts';

const refused = { error: 'Order more.', remediation: 'Now.', code: 'below_lot', largest_accepted: 3 };

describe('a value of a recorded run', () => {
  it('uses the recorded text of an error', () => {
    const recorded = { ...refused, error: 'There is too little.' };
    expect(withRecordedTexts(refused, recorded)).toBe(recorded);
    const event = { type: 'order_rejected', bar: 2, code: 'below_lot', message: 'New.', hint: 'Other.' };
    const then = { ...event, message: 'Old.' };
    expect(withRecordedTexts([event], [then])).toEqual([then]);
  });

  it.each([
    ['another code', { ...refused, code: 'market_closed' }],
    ['another number', { ...refused, largest_accepted: 4 }],
    ['another field', { ...refused, note: '' }],
    ['an error with a value in place of a sentence', { ...refused, error: 1 }],
  ])('is not replaced by %s', (_, recorded) => {
    expect(withRecordedTexts(refused, recorded)).toBe(refused);
  });

  it('uses the recorded problem of an end, and nothing else', () => {
    const end = { outcome: 'held', problem: 'New.', message: 'new' };
    const then = { ...end, problem: 'Old.' };
    expect(withRecordedTexts(end, then)).toBe(then);
    expect(withRecordedTexts(end, { ...end, message: 'old' })).toBe(end);
    expect(withRecordedTexts({ problem: 'New.' }, { problem: 'Old.' })).toEqual({ problem: 'New.' });
    expect(withRecordedTexts(refused, { ...refused, problem: 'x' })).toBe(refused);
  });

  it('requires lists of the same length and fields in the same order', () => {
    expect(withRecordedTexts([refused], [{ ...refused, error: 'x' }, refused])).toEqual([refused]);
    const turned = Object.fromEntries(Object.entries(refused).reverse());
    expect(withRecordedTexts(refused, turned)).toBe(refused);
    const coded = { code: 'x', error: 'New.', problem: 'a' };
    expect(withRecordedTexts(coded, { ...coded, problem: 'b' })).toBe(coded);
  });

  it('is not replaced if a text differs that is not an error', () => {
    const now = { message: 'buy', value: 1 };
    expect(withRecordedTexts(now, { message: 'sell', value: 1 })).toBe(now);
    expect(withRecordedTexts(now, undefined)).toBe(now);
  });
});
