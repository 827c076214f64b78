import type { SandboxChild } from './child-process.ts';

/** Maximum number of additional spares after repeated kills. */
const MOST_MORE = 2;
/** Milliseconds after which a kill no longer counts. */
const REMEMBERED = 30_000;
/**
 * Maximum number of parallel starts. A start uses more than one core, and the first ready child matters most.
 */
const AT_ONCE = 2;

/** Spare children that are ready or starting, in addition to the current one. */
export class SpareChildren {
  readonly #wanted: number;
  readonly #start: () => Promise<SandboxChild>;
  readonly #ending: AbortSignal;
  readonly #children: Promise<SandboxChild>[] = [];
  readonly #started = new WeakMap<Promise<SandboxChild>, SandboxChild>();
  #starting = 0;
  #losses: number[] = [];

  /** @param wanted normal number of spares; with 0 there is never a spare */
  constructor(wanted: number, start: () => Promise<SandboxChild>, ending: AbortSignal) {
    this.#wanted = wanted;
    this.#start = start;
    this.#ending = ending;
  }

  /** Returns the spare that was started first. */
  take(): Promise<SandboxChild> | undefined {
    return this.#children.shift();
  }

  /** Returns a ready spare. Undefined if no spare is ready. */
  takeReady(): SandboxChild | undefined {
    const place = this.#children.findIndex((child) => this.#started.get(child)?.alive);
    return place < 0 ? undefined : this.#started.get(this.#children.splice(place, 1)[0]!);
  }

  takeAll(): Promise<SandboxChild>[] {
    return this.#children.splice(0);
  }

  /** Number of spares that are ready, and of those still starting. */
  get state(): { readonly ready: number; readonly starting: number } {
    const ready = this.#children.filter((child) => this.#started.get(child)?.alive).length;
    return { ready, starting: this.#starting };
  }

  /** Records that the current child had to be replaced. After repeated losses, more spares are started. */
  noteLoss(): void {
    this.#losses.push(Date.now());
    this.fill();
  }

  /** Starts missing spares. */
  fill(): void {
    const now = Date.now();
    this.#losses = this.#losses.filter((time) => now - time < REMEMBERED);
    const wanted = this.#wanted === 0 ? 0 : this.#wanted + Math.min(MOST_MORE, this.#losses.length);
    while (!this.#ending.aborted && this.#children.length < wanted && this.#starting < AT_ONCE) this.#add();
  }

  #add(): void {
    this.#starting += 1;
    const spare = this.#start();
    this.#children.push(spare);
    const started = (): void => {
      this.#starting -= 1;
    };
    spare.then(
      (child) => {
        this.#started.set(spare, child);
        started();
        this.fill();
      },
      () => {
        started();
        const place = this.#children.indexOf(spare);
        if (place >= 0) this.#children.splice(place, 1);
      },
    );
  }
}

/** Measures the total time in which at least one wait is in progress. */
export class WaitClock {
  #underWay = 0;
  #since = 0;
  #total = 0;

  /** Milliseconds waited so far, including a wait in progress. */
  get ms(): number {
    return this.#total + (this.#underWay > 0 ? performance.now() - this.#since : 0);
  }

  async during<Value>(waiting: Promise<Value>): Promise<Value> {
    if (this.#underWay === 0) this.#since = performance.now();
    this.#underWay += 1;
    try {
      return await waiting;
    } finally {
      this.#underWay -= 1;
      if (this.#underWay === 0) this.#total += performance.now() - this.#since;
    }
  }
}
