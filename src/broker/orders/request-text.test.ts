import { describe, expect, it } from 'vitest';
import { commissionText, numberOrText, pairsOf } from './model-text.ts';
import { orderRequestSchema, recordedReason } from './request.ts';

describe('an order request', () => {
  it('has a reason of at most 500 characters in the journal', () => {
    const whole = 'x'.repeat(500);
    expect([recordedReason(whole), recordedReason(undefined)]).toEqual([whole, undefined]);
    const note = '… (cut from 501 characters)';
    expect(recordedReason(`${whole}y`)).toBe(`${'x'.repeat(500 - note.length)}${note}`);
    // The cut never splits a character that consists of two UTF-16 code units.
    const pairs = recordedReason(`${'x'.repeat(500 - note.length - 1)}😀${'y'.repeat(30)}`)!;
    expect(pairs.startsWith(`${'x'.repeat(500 - note.length - 1)}…`)).toBe(true);
  });

  it('is refused in JSON if a text, length or number of targets exceeds its limit', () => {
    const accepts = (more: object): boolean =>
      orderRequestSchema.safeParse({ action: 'buy', quantity: 1, ...more }).success;
    expect([accepts({ reason: 'x'.repeat(500) }), accepts({ reason: 'x'.repeat(501) })]).toEqual([
      true,
      false,
    ]);
    expect([accepts({ group: 'g' }), accepts({ group: '' }), accepts({ group: 'g'.repeat(101) })]).toEqual([
      true,
      false,
      false,
    ]);
    expect([
      accepts({ group: 'g'.repeat(100) }),
      accepts({ validBars: 1 }),
      accepts({ validBars: 0 }),
    ]).toEqual([true, true, false]);
    const stop = (stopLoss: unknown): boolean => accepts({ stopLoss });
    expect([stop({ atr: 1, length: 1 }), stop({ atr: 1, length: 500 }), stop({ atr: 0.1 })]).toEqual([
      true,
      true,
      true,
    ]);
    expect([stop({ atr: 1, length: 0 }), stop({ atr: 1, length: 501 }), stop({ atr: 0 })]).toEqual([
      false,
      false,
      false,
    ]);
    const target = { price: 5, share: 0.1 };
    expect([1, 10, 11, 0].map((count) => accepts({ takeProfit: new Array(count).fill(target) }))).toEqual([
      true,
      true,
      false,
      false,
    ]);
    const atr = (length: number): boolean => accepts({ takeProfit: [{ atr: 1, length, share: 0.5 }] });
    expect([atr(0), atr(1), atr(500), atr(501)]).toEqual([false, true, true, false]);
  });
});

describe('a cost model as text', () => {
  const commission = (text: string): unknown => {
    const parsed = commissionText.safeParse(text);
    return parsed.success ? parsed.data : parsed.error.issues[0]!.message;
  };

  it('is the name of a model and its values', () => {
    expect(commission('fixed:amount=2.5')).toEqual({ model: 'fixed', amount: 2.5 });
    expect(commission('per-share: perShare = 0.005 ,minimum=1')).toEqual({
      model: 'per-share',
      perShare: 0.005,
      minimum: 1,
    });
    expect(commission('tiered:0=0.001,1e6=0.0005')).toEqual({
      model: 'tiered',
      tiers: [
        { from: 0, rate: 0.001 },
        { from: 1_000_000, rate: 0.0005 },
      ],
    });
  });

  it('is refused with a message that names the fault', () => {
    const models = 'Expected rate, fixed, per-share, tiered, maker-taker';
    expect(commission('fixd:amount=1')).toBe(`invalid model "fixd". ${models}; did you mean fixed?`);
    expect(commission('zzzzzzzzzz')).toBe(`invalid model "zzzzzzzzzz". ${models}`);
    expect(commission('fixed:amount')).toBe(
      '"amount" is not key=value. Expected a form such as fixed:key=value',
    );
    expect(commission('fixed:amount=')).toBe(
      '"amount=" is not key=value. Expected a form such as fixed:key=value',
    );
    expect(commission('fixed:amount=x')).toMatch(/^fixed: amount /);
    expect(commission('fixed')).toMatch(/^fixed: amount /);
    expect(commission('tiered:0=0.001,x=1')).toMatch(/^tiered: /);
  });

  it('may contain = and : in values, and retains all digits of a lot', () => {
    expect(pairsOf('')).toEqual({});
    expect(pairsOf('a=1, b=x=y,c=2:3')).toEqual({ a: 1, b: 'x=y', c: '2:3' });
    expect(pairsOf('a=1,=2')).toBe('=2');
    expect(pairsOf('lot=0.1000000000000000055,tick=0.1000000000000000055')).toEqual({
      lot: '0.1000000000000000055',
      tick: 0.1,
    });
    expect([numberOrText('0.5'), numberOrText('1e-8')]).toEqual([0.5, 1e-8]);
    expect(numberOrText('0.1000000000000000055')).toBe('0.1000000000000000055');
  });
});
