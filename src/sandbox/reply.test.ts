import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { readReply, replyHeaderSchema } from './sandbox-call.ts';

const good = { ok: true, result: 1 };
const failed = { ok: false, error: 'E: x', remediation: 'do y', kind: 'E' };

describe('a reply of a child', () => {
  test('is parsed with its allowed fields only', () => {
    const more = { dirty: false, replaced: true, code: 'sandbox_replaced' };
    expect(readReply(JSON.stringify({ ...good, ...more, note: 'n' }))).toEqual({ ...good, note: 'n' });
    expect(readReply(JSON.stringify({ ...failed, ...more, line: 3 }))).toEqual({ ...failed, line: 3 });
  });

  test.each([
    { ...good, ok: 'true' },
    { ...good, stdout: 5 },
    { ...good, note: { toString: 'x' } },
    { ...good, names: ['a', 1] },
    { ...failed, error: null },
    { ...failed, remediation: ['x'] },
    { ...failed, kind: undefined },
    { ...failed, line: '3' },
    { ...failed, line: 1.5 },
    { ...failed, traceback: 1 },
    [good],
    'ok',
    null,
  ])('is refused if a field has another type: %j', (value) => {
    expect(readReply(JSON.stringify(value))).toBeUndefined();
  });

  test('may be any text', () => {
    fc.assert(
      fc.property(fc.oneof(fc.string(), fc.json()), (body) => {
        const reply = readReply(body);
        expect(reply === undefined || typeof reply.ok === 'boolean').toBe(true);
      }),
    );
  });

  test('has a header of a known type', () => {
    expect(replyHeaderSchema.safeParse({ type: 'reply', left: 3 }).success).toBe(false);
    expect(replyHeaderSchema.safeParse({ type: 'ready', bootMs: '1', versions: {} }).success).toBe(false);
    expect(replyHeaderSchema.safeParse({ type: 'reply' }).success).toBe(true);
  });
});
