/** The parts of Pyodide's Emscripten module that a heap copy needs. */
export interface HeapModule {
  readonly HEAPU8: Uint8Array;
  stackSave(): number;
  stackRestore(pointer: number): void;
}

/** A copy of the whole Python heap as it was after start-up, to go back to after a call that may have left traces. */
export class HeapCopy {
  readonly #module: HeapModule;
  readonly #saved: Uint8Array;
  readonly #stack: number;

  constructor(module: HeapModule) {
    this.#module = module;
    this.#saved = module.HEAPU8.slice();
    this.#stack = module.stackSave();
  }

  /** Puts everything back; what the heap has grown by since is zeroed, so that nothing of a call can be found there. */
  restore(): void {
    const heap = this.#module.HEAPU8;
    heap.set(this.#saved);
    if (heap.length > this.#saved.length) heap.fill(0, this.#saved.length);
    this.#module.stackRestore(this.#stack);
  }
}
