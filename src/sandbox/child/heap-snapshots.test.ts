import { expect, it } from 'vitest';
import type { BarStore } from './bar-store.ts';
import { HeapSnapshots } from './heap-snapshots.ts';

const BYTES = 65_536;

/** Creates snapshots of a small fake heap. Its first byte represents all data that a session stores. */
function heaps(room: number) {
  const heap = new Uint8Array(BYTES);
  const module = { HEAPU8: heap, stackSave: () => 0, stackRestore: () => undefined };
  const bars = { places: () => ({}), restorePlaces: () => undefined, flush: () => false };
  const snapshots = new HeapSnapshots(module, bars as unknown as BarStore, room);
  const enter = (id: string, begin = false): boolean => snapshots.enter({ id, begin, lasting: true }, 0);
  return { heap, enter };
}

it('gives each session a separate heap', () => {
  const { heap, enter } = heaps(10 * BYTES);
  for (const [place, id] of ['ann', 'bob', 'cat'].entries()) {
    enter(id, true);
    heap[0] = place + 1;
  }
  for (const [place, id] of ['ann', 'bob', 'cat', 'ann'].entries()) {
    expect([enter(id), heap[0]]).toEqual([true, (place % 3) + 1]);
  }
});

it('gives no session the heap of another if there is not enough memory', () => {
  const { heap, enter } = heaps(BYTES);
  enter('ann', true);
  heap[0] = 1;
  enter('bob', true);
  heap[0] = 2;
  // Entering Ann's session also saves Bob's heap. The memory limit allows only one saved heap.
  if (enter('ann')) expect(heap[0]).toBe(1);
  else expect(heap[0]).not.toBe(2);
});
