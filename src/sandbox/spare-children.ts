import type { SandboxChild } from './child-process.ts';

/** Under kills one after the other so many more children are kept ready. */
const MOST_MORE = 2;
/** How long a kill is remembered, in milliseconds. */
const REMEMBERED = 30_000;
/** Starts at one time: a start keeps more than one core busy, and the first to be ready is what matters. */
const AT_ONCE = 2;

/** Children that are ready, or on their way, behind the one at work. */
export class SpareChildren {
  readonly #wanted: number;
  readonly #start: () => Promise<SandboxChild>;
  readonly #ending: AbortSignal;
  readonly #children: Promise<SandboxChild>[] = [];
  readonly #started = new WeakMap<Promise<SandboxChild>, SandboxChild>();
  #starting = 0;
  #losses: number[] = [];

  /** @param wanted how many there are in quiet times; with 0 there is never one */
  constructor(wanted: number, start: () => Promise<SandboxChild>, ending: AbortSignal) {
    this.#wanted = wanted;
    this.#start = start;
    this.#ending = ending;
  }

  /** The one that was started first. */
  take(): Promise<SandboxChild> | undefined {
    return this.#children.shift();
  }

  /** One that has started already; undefined where none has. */
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

  /** The child at work had to be replaced: where that happens again and again, more are kept ready. */
  noteLoss(): void {
    this.#losses.push(Date.now());
    this.fill();
  }

  /** Starts what is missing. */
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
