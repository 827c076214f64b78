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

/** Bytes compared in one step. Copying costs more than comparing, so only pieces that differ are copied. */
const CHUNK = 65_536;
const ZEROS = Buffer.alloc(CHUNK);

/** Copy of the complete Python heap between two calls, for restoring it. */
export class HeapCopy {
  readonly #module: HeapModule;
  readonly #saved: Uint8Array;
  readonly #stack: number;

  /** @param room unneeded copy whose memory is reused, because allocating new pages is slow */
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

  /**
   * Restores the heap. Memory added since the copy is filled with zeros, so that no data of a call remains.
   */
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
