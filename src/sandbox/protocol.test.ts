import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { decodeFrame, encodeFrame, frameBytes, PREFIX_BYTES, type RequestHeader } from './protocol.ts';

const header: fc.Arbitrary<RequestHeader> = fc.record({
  type: fc.constant('call' as const),
  operation: fc.string({ unit: 'grapheme' }),
  feeds: fc.array(fc.record({ symbol: fc.string({ unit: 'grapheme' }), count: fc.nat() })),
  time: fc.integer(),
  clean: fc.boolean(),
  timeoutMs: fc.nat(),
});

/** Returns the prefix of a frame whose parts have the given sizes in bytes. */
function prefix(...sizes: readonly number[]): Buffer {
  const bytes = Buffer.alloc(PREFIX_BYTES);
  sizes.forEach((size, index) => {
    bytes.writeUInt32LE(size, 4 * index);
  });
  return bytes;
}

describe('a frame of the protocol', () => {
  it('is unchanged after encoding and decoding, and states its length', () => {
    const text = fc.oneof(fc.string({ unit: 'binary' }), fc.string({ unit: 'grapheme', maxLength: 500 }));
    fc.assert(
      fc.property(header, text, fc.uint8Array({ maxLength: 200 }), (head, body, binary) => {
        const frame = encodeFrame(head, body, binary);
        expect(frameBytes(frame.subarray(0, PREFIX_BYTES))).toBe(frame.length);
        const decoded = decodeFrame<RequestHeader>(frame);
        expect(decoded.header).toEqual(head);
        // A lone surrogate has no UTF-8 form. It is decoded as the replacement character.
        expect(decoded.body).toBe(Buffer.from(body).toString('utf8'));
        expect(Uint8Array.from(decoded.binary)).toEqual(binary);
      }),
    );
  });

  it('preserves float64 columns bit for bit', () => {
    fc.assert(
      fc.property(fc.float64Array(), (numbers) => {
        const bytes = new Uint8Array(numbers.buffer, numbers.byteOffset, numbers.byteLength);
        const { binary } = decodeFrame(encodeFrame({ type: 'reply' }, 'ü', bytes));
        // The binary part may begin at any byte. `Uint8Array.from` copies it to an aligned position.
        expect(new Float64Array(Uint8Array.from(binary).buffer)).toEqual(numbers);
      }),
    );
  });

  it('may have no body and no binary part', () => {
    const frame = encodeFrame({ type: 'reply' });
    expect(decodeFrame(frame)).toMatchObject({ header: { type: 'reply' }, body: '' });
    expect(decodeFrame(frame).binary).toHaveLength(0);
    expect(frame).toHaveLength(PREFIX_BYTES + '{"type":"reply"}'.length);
  });

  it('is refused if it claims to be larger than the limit, in any part', () => {
    const limit = 512 * 1024 * 1024;
    expect(frameBytes(prefix(limit, limit, limit))).toBe(PREFIX_BYTES + 3 * limit);
    for (const sizes of [
      [limit + 1, 0, 0],
      [0, limit + 1, 0],
      [0, 0, limit + 1],
      [0xffff_ffff, 0xffff_ffff, 0xffff_ffff],
    ]) {
      expect(() => frameBytes(prefix(...sizes))).toThrow('larger than any honest one');
    }
  });
});
