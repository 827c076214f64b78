/** The parts of Pyodide's Emscripten module that a heap copy needs. */
export interface HeapModule {
  readonly HEAPU8: Uint8Array;
  stackSave(): number;
  stackRestore(pointer: number): void;
}

/** The module's function that renews the views of its memory, such as `HEAPU8`. */
export interface GrowingModule extends HeapModule {
  _emscripten_notify_memory_growth(memory: number): void;
}

/**
 * Bytes compared at a time. Comparing reads both sides; copying reads one and writes the other, which costs more: only
 * pieces that differ are copied.
 */
const CHUNK = 65_536;
const ZEROS = Buffer.alloc(CHUNK);

/** A copy of the whole Python heap as it is between two calls, to go back to. */
export class HeapCopy {
  readonly #module: HeapModule;
  readonly #saved: Uint8Array;
  readonly #stack: number;

  /** @param room memory of a copy that is no longer needed: new pages cost more than the copying */
  constructor(module: HeapModule, room?: HeapCopy) {
    this.#module = module;
    const heap = module.HEAPU8;
    if (room !== undefined && room.#saved.length === heap.length) {
      this.#saved = room.#saved;
      this.#saved.set(heap);
    } else {
      this.#saved = heap.slice();
    }
    this.#stack = module.stackSave();
  }

  get bytes(): number {
    return this.#saved.length;
  }

  /** Puts everything back; what the heap has grown by since is zeroed, so that nothing of a call can be found there. */
  restore(): void {
    const heap = this.#module.HEAPU8;
    const there = Buffer.from(heap.buffer, heap.byteOffset, heap.length);
    const saved = Buffer.from(this.#saved.buffer, this.#saved.byteOffset, this.#saved.length);
    for (let start = 0; start < saved.length; start += CHUNK) {
      const end = Math.min(start + CHUNK, saved.length);
      if (there.compare(saved, start, end, start, end) !== 0) saved.copy(there, start, start, end);
    }
    for (let start = saved.length; start < there.length; start += CHUNK) {
      const end = Math.min(start + CHUNK, there.length);
      if (there.compare(ZEROS, 0, end - start, start, end) !== 0) there.fill(0, start, end);
    }
    this.#module.stackRestore(this.#stack);
  }
}
