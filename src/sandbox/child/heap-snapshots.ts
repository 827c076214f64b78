import type { SessionHeader } from '../protocol.ts';
import type { BarStore, Places } from './bar-store.ts';

/** Parts of Pyodide's Emscripten module that are needed to copy the heap. */
export interface HeapModule {
  readonly HEAPU8: Uint8Array;
  stackSave(): number;
  stackRestore(pointer: number): void;
}

/**
 * Emscripten module with the function that updates the views of its memory, such as `HEAPU8`, after the
 * memory has grown.
 */
export interface GrowingModule extends HeapModule {
  _emscripten_notify_memory_growth(memory: number): void;
}

/**
 * Size in bytes of the pieces in which a heap is compared with its copy. Copying takes longer than comparing,
 * so only pieces that differ are copied.
 */
const CHUNK = 65_536;
const ZEROS = Buffer.alloc(CHUNK);

/** Copy of the complete Python heap, made between two calls. Used to restore the heap. */
export class HeapCopy {
  readonly #module: HeapModule;
  readonly #saved: Uint8Array;
  readonly #stack: number;

  /** @param room copy that is no longer needed. Its memory is reused, because allocating new pages is slow */
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
   * Restores the heap. If the heap has grown since the copy, the added memory is filled with zeros, so that
   * no data of a call remain.
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

/** Saved session: its complete heap, and the location of the bars in this heap. */
interface Aside {
  readonly heap: HeapCopy;
  readonly places: Places;
  readonly session: Session;
}

interface Session {
  readonly id: string;
  readonly lasting: boolean;
  /**
   * Simulated time of the session's calls. A session that is not `lasting` ends with the first call at
   * another simulated time.
   */
  readonly time: number;
}

/**
 * Selects the current Python heap. The clean heap is the initial state of every `compute` call. Each session
 * (a series of calls that share variables) has its own heap.
 *
 * Heaps are swapped completely. Agent code can change Python itself, for example patch a method, set an
 * option or corrupt an object. Such a change does not affect `compute`, other sessions or later bars.
 */
export class HeapSnapshots {
  readonly #module: HeapModule;
  readonly #bars: BarStore;
  #first: HeapCopy;
  /** Bars that the clean heap (`#first`) contains. */
  #firstPlaces: Places;
  readonly #room: number;
  /** Session whose heap is the current one. `undefined` if the clean heap is the current one. */
  #current: Session | undefined;
  /** Saved sessions, oldest first. */
  readonly #aside = new Map<string, Aside>();
  #spare: HeapCopy | undefined;
  /** Heap at the start of the process. Present only if the child supports `reset`. */
  readonly #pristine: HeapCopy | undefined;

  /**
   * Creates the snapshots.
   *
   * @param module module whose heap is in the clean state
   * @param room maximum total size of saved sessions in bytes. The oldest sessions are discarded first
   * @param reusable true if `reset` can be called
   */
  constructor(module: HeapModule, bars: BarStore, room: number, reusable = false) {
    this.#module = module;
    this.#bars = bars;
    this.#room = room;
    this.#first = new HeapCopy(module);
    if (reusable) this.#pristine = this.#first;
    this.#firstPlaces = bars.places();
  }

  /**
   * Makes the heap that a call needs the current one: the clean heap, or the heap of its session. Returns
   * false if this process does not have the session.
   *
   * @param time simulated time of the call. Ends sessions of other times that are not `lasting`
   */
  enter(wanted: SessionHeader | undefined, time: number): boolean {
    this.#endOthers(time);
    if (wanted === undefined) {
      if (this.#current !== undefined) this.#putAside();
      return true;
    }
    if (wanted.begin) {
      if (this.#current !== undefined) this.#putAside();
      this.#aside.delete(wanted.id);
    } else if (this.#current?.id !== wanted.id && !this.#bringBack(wanted.id)) {
      return false;
    }
    this.#current = { id: wanted.id, lasting: wanted.lasting, time };
    return true;
  }

  /**
   * Restores the clean heap after a call that may have changed it. Does nothing if the current heap belongs
   * to a session, which retains its changes.
   */
  clean(): void {
    if (this.#current === undefined) this.#restoreFirst();
  }

  /** Returns true if the heap is larger than the clean heap. A heap cannot shrink. */
  hasGrown(): boolean {
    return this.#module.HEAPU8.length > this.#first.bytes;
  }

  /** Restores the clean heap after a call was ended at an arbitrary point. All sessions are lost. */
  abandon(): void {
    this.#aside.clear();
    this.#restoreFirst();
  }

  /** Restores the state at the start of the process: no session, no bars, the initial heap. */
  reset(): void {
    if (this.#pristine === undefined) throw new Error('this process has no copy of its first state');
    this.#current = undefined;
    this.#aside.clear();
    this.#bars.clear();
    this.#pristine.restore();
    this.#first = this.#pristine;
    this.#firstPlaces = this.#bars.places();
  }

  #endOthers(time: number): void {
    const over = (session: Session): boolean => !session.lasting && session.time !== time;
    for (const [id, { session, heap }] of this.#aside) {
      if (over(session)) this.#giveUp(id, heap);
    }
    if (this.#current !== undefined && over(this.#current)) this.#restoreFirst();
  }

  #bringBack(id: string): boolean {
    const found = this.#aside.get(id);
    if (found === undefined) return false;
    // The session is removed from the saved ones first, because saving the current session may discard the
    // oldest copies.
    this.#aside.delete(id);
    if (this.#current !== undefined) this.#save();
    found.heap.restore();
    this.#bars.restorePlaces(found.places);
    this.#spare = found.heap;
    return true;
  }

  #putAside(): void {
    this.#save();
    this.#restoreFirst();
  }

  #save(): void {
    const session = this.#current!;
    let bytes = this.#module.HEAPU8.length;
    for (const { heap } of this.#aside.values()) bytes += heap.bytes;
    for (const [id, { heap }] of this.#aside) {
      if (bytes <= this.#room) break;
      bytes -= heap.bytes;
      this.#giveUp(id, heap);
    }
    const heap = new HeapCopy(this.#module, this.#spare);
    this.#spare = undefined;
    this.#aside.set(session.id, { heap, places: this.#bars.places(), session });
  }

  #giveUp(id: string, heap: HeapCopy): void {
    this.#aside.delete(id);
    this.#spare = heap;
  }

  #restoreFirst(): void {
    this.#current = undefined;
    this.#first.restore();
    this.#bars.restorePlaces(this.#firstPlaces);
    // At this point, only Sandtable's code has run in this heap. Each time the number of bars has doubled,
    // `flush` reserves memory for bars again. The copy of the clean heap is then replaced, so that the next
    // restore includes this memory. If a call has enlarged the heap, the copy is not replaced. A new copy
    // would contain all added memory, and every restore would compare this memory.
    const isEnlarged = this.hasGrown();
    if (!this.#bars.flush() || isEnlarged) return;
    this.#first = new HeapCopy(this.#module, this.#first === this.#pristine ? undefined : this.#first);
    this.#firstPlaces = this.#bars.places();
  }
}
