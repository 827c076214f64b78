import type { SessionHeader } from '../protocol.ts';
import type { BarStore, Places } from './bar-store.ts';
import { HeapCopy, type HeapModule } from './heap.ts';

/** A session that was put aside: its whole heap, and where that heap holds the bars. */
interface Aside {
  readonly heap: HeapCopy;
  readonly places: Places;
  readonly session: Session;
}

interface Session {
  readonly id: string;
  readonly lasting: boolean;
  /** Of the calls made in it; one that does not last is over at any other time. */
  readonly time: number;
}

/**
 * Which Python heap is in place: the clean one that every `compute` starts from, or that of a session.
 *
 * A call of one never sees the other: the heaps are swapped whole, so nothing that agent code does to Python itself
 * (a patched method, an option, a corrupted object) goes from a session to `compute`, to another session or to a later
 * bar.
 */
export class HeapSnapshots {
  readonly #module: HeapModule;
  readonly #bars: BarStore;
  #first: HeapCopy;
  /** What of the bars the first heap holds. */
  #firstPlaces: Places;
  readonly #room: number;
  /** Undefined while the clean heap is in place. */
  #current: Session | undefined;
  /** In the order they were put aside. */
  readonly #aside = new Map<string, Aside>();
  #spare: HeapCopy | undefined;
  /** As the process began; only of one that may be asked to go back to it. */
  readonly #pristine: HeapCopy | undefined;

  /**
   * @param module with the heap as every call must find it
   * @param room bytes that sessions put aside may take together; the oldest are given up for the newest
   * @param reusable whether `reset` may be called
   */
  constructor(module: HeapModule, bars: BarStore, room: number, reusable = false) {
    this.#module = module;
    this.#bars = bars;
    this.#room = room;
    this.#first = new HeapCopy(module);
    if (reusable) this.#pristine = this.#first;
    this.#firstPlaces = bars.places();
  }

  /** Puts the heap in place that a call needs; false when that is a session this process does not hold. */
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

  /** After a call on the clean heap that may have left traces; in a session they are what it is for. */
  clean(): void {
    if (this.#current === undefined) this.#restoreFirst();
  }

  /** True if the heap is larger than the clean one; it cannot shrink. */
  hasGrown(): boolean {
    return this.#module.HEAPU8.length > this.#first.bytes;
  }

  /** Restores the clean heap after a call that was ended halfway. All sessions are lost. */
  abandon(): void {
    this.#aside.clear();
    this.#restoreFirst();
  }

  /** Goes back to how the process began: no session, no bars, the very first heap. */
  reset(): void {
    if (this.#pristine === undefined) throw new Error('this process keeps no copy of its first state');
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
    // Removed first: saving the current session gives up the oldest copies for their memory, and must not take this one.
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
    // Only our own code has run in this heap. Where it had to reserve memory for bars, which it does each time their
    // number has doubled, the copy is made anew: the next restore finds them there.
    // Not where a call has made the heap grow: the copy would hold, and every restore compare, all it has grown by.
    if (!this.#bars.flush() || this.#module.HEAPU8.length !== this.#first.bytes) return;
    this.#first = new HeapCopy(this.#module, this.#first === this.#pristine ? undefined : this.#first);
    this.#firstPlaces = this.#bars.places();
  }
}
