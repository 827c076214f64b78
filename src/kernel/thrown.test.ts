import { describe, expect, it } from 'vitest';
import { describeValue, inspectable, messageOf, thrownText } from './errors.ts';

const hostile = (): unknown => {
  throw new Error('looked at');
};
const revoked = Proxy.revocable({}, {});
revoked.revoke();

describe('a value thrown by a strategy', () => {
  it.each([
    ['a proxy whose traps throw', new Proxy({}, { get: hostile, getPrototypeOf: hostile as never })],
    ['a revoked proxy', revoked.proxy],
    ['an error whose message throws', Object.defineProperty(new Error('x'), 'message', { get: hostile })],
    ['an error whose stack throws', Object.defineProperty(new Error('x'), 'stack', { get: hostile })],
  ])('is converted to text, even %s', (_, thrown) => {
    expect(typeof thrownText(thrown)).toBe('string');
    expect(typeof messageOf(thrown)).toBe('string');
    expect(typeof describeValue(thrown)).toBe('string');
    const seen = inspectable(thrown);
    expect(seen).toBeInstanceOf(Error);
    expect((seen as Error).message).toBe(thrownText(thrown));
  });

  it('is not changed if it can be inspected', () => {
    const error = new TypeError('plain');
    for (const thrown of [error, undefined, 5, { a: 1 }]) expect(inspectable(thrown)).toBe(thrown);
  });
});
