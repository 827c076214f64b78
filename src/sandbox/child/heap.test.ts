import fc from 'fast-check';
import { expect, test } from 'vitest';
import { HeapCopy } from './heap-snapshots.ts';

/** Returns a fake Emscripten module with a filled heap of the given size and a stack pointer. */
function moduleOf(bytes: number): {
  HEAPU8: Uint8Array;
  pointer: number;
  stackSave(): number;
  stackRestore(to: number): void;
} {
  return {
    HEAPU8: new Uint8Array(bytes).map((_, place) => place % 251),
    pointer: 7,
    stackSave() {
      return this.pointer;
    },
    stackRestore(to) {
      this.pointer = to;
    },
  };
}

test('all writes, also into memory that has grown, are undone', () => {
  const size = 65_536 * 2 + 100;
  const writes = fc.array(fc.tuple(fc.nat({ max: size + 70_000 - 1 }), fc.integer({ min: 1, max: 255 })), {
    maxLength: 20,
  });
  fc.assert(
    fc.property(writes, fc.boolean(), (list, grows) => {
      const module = moduleOf(size);
      const first = module.HEAPU8.slice();
      const copy = new HeapCopy(module);
      if (grows) {
        const grown = new Uint8Array(size + 70_000);
        grown.set(module.HEAPU8);
        module.HEAPU8 = grown;
      }
      for (const [place, value] of list) if (place < module.HEAPU8.length) module.HEAPU8[place]! += value;
      module.pointer = 1;
      copy.restore();
      expect(Buffer.compare(module.HEAPU8.subarray(0, size), first)).toBe(0);
      expect(module.HEAPU8.subarray(size).every((byte) => byte === 0)).toBe(true);
      expect(module.pointer).toBe(7);
    }),
    { numRuns: 30 },
  );
});
