import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { decimal, Exact } from '../../kernel/index.ts';
import { pack, unpack } from './codec.ts';

describe('a message between the engine and a sealed strategy', () => {
  it('is equal after packing and unpacking', () => {
    const leaf = fc.oneof(
      fc.double(),
      fc.string(),
      fc.boolean(),
      fc.constant(null),
      fc.constant(undefined),
      fc.integer().map((units) => decimal(units).dividedBy(8)),
      fc.integer().map((units) => Exact.of(decimal(units).dividedBy(8))),
    );
    const { value } = fc.letrec<{ value: unknown }>((tie) => ({
      value: fc.oneof(
        { maxDepth: 4 },
        leaf,
        fc.array(tie('value')),
        fc.dictionary(
          fc.string().filter((key) => !key.startsWith('$') && key !== '__proto__'),
          tie('value'),
        ),
      ),
    }));
    fc.assert(
      fc.property(value, (given) => {
        const back: unknown = unpack(JSON.parse(JSON.stringify(pack(given))));
        expect(JSON.stringify(pack(back))).toBe(JSON.stringify(pack(given)));
      }),
    );
  });

  it('cannot change the prototype of an object', () => {
    const read = unpack(JSON.parse('{"__proto__": {"polluted": 1}, "a": {"__proto__": 5}}')) as Record<
      string,
      unknown
    >;
    expect(Object.getPrototypeOf(read)).toBe(Object.prototype);
    expect('polluted' in read).toBe(false);
  });
});
