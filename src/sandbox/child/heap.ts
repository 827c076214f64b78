/** The parts of Pyodide's Emscripten module that a heap copy needs. */
export interface HeapModule {
  readonly HEAPU8: Uint8Array;
  stackSave(): number;
  stackRestore(pointer: number): void;
}

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
    heap.set(this.#saved);
    if (heap.length > this.#saved.length) heap.fill(0, this.#saved.length);
    this.#module.stackRestore(this.#stack);
  }
}
