import type { BarFeed } from '../../engine/index.ts';
import type { FeedInput, FeedSource } from '../../market/acquire/index.ts';
import {
  addInterval,
  type BarGroup,
  type GrowingMarket,
  Intake,
  type Interval,
  readFeedDocument,
} from '../../market/index.ts';
import { barEntry, type FeedEntry, FeedLog, type FeedRecord, isoOf, keyOf } from './feed-log.ts';

/**
 * Maximum wait in milliseconds for the missing bars of an incomplete group. A group contains the bars of all
 * symbols at one time.
 */
const PATIENCE = 2_000;
/**
 * Maximum number of ignored bars that are remembered, so that each is recorded only once. Bars are ignored if
 * they are revised or late.
 */
const MOST_REMEMBERED = 10_000;
/**
 * Clock skew is the difference between the server's clock and this machine's clock. Only a change of at least
 * this many milliseconds is recorded.
 */
const SKEW_STEP = 2_000;

export interface ForwardTerms {
  readonly growing: GrowingMarket;
  readonly interval: Interval;
  readonly barTimes: 'start' | 'end';
  /**
   * Clock of the run. With `bars`, each bar arrives and is decided on exactly at its end. With `wall`, the
   * actual time counts.
   */
  readonly clock: 'bars' | 'wall';
  /**
   * Duration after the open of a bar in which an order still counts as placed before the open, in
   * milliseconds.
   */
  readonly grace: number;
  /** Number of new bars after which the feed ends. `undefined` for no limit. */
  readonly bars: number | undefined;
  /** Last permitted time of a new bar. `undefined` for no limit. */
  readonly until: number | undefined;
  /** Value of `--feed`, for the record. */
  readonly name: string;
  readonly record: FeedRecord;
  /** Source of new bars. `undefined` if the run uses only recorded bars. */
  readonly source: FeedSource | undefined;
  /** Returns the current time in milliseconds since 1970. Tests replace this function. */
  readonly now?: () => number;
  readonly patience?: number;
}

/** Passes received bars to a run. Records the times at which bars arrived and decisions were made. */
export class ForwardFeed implements BarFeed {
  readonly #terms: ForwardTerms;
  readonly #now: () => number;
  readonly #history: number;
  readonly #intake: Intake;
  readonly #notApplied: Set<string>;
  readonly #stop = new AbortController();
  /** Aborted when the run ends or the user requests a stop. */
  #signal: AbortSignal = this.#stop.signal;
  #ready: BarGroup[] = [];
  /**
   * `#replayed` is the number of recorded groups of bars that have been appended to the market. `#released`
   * is the number of all groups that are ready to be appended or have been appended.
   */
  #replayed = 0;
  #released: number;
  #log: FeedLog | undefined;
  #flush: () => void = () => undefined;
  #inputs: AsyncIterator<FeedInput> | undefined;
  #problem: unknown;
  #isOver = false;
  #isSettled = false;
  #inputCount = 0;
  #skew = 0;
  #late: (string | null)[] = [];
  #commands = 0;
  #wake: () => void = () => undefined;

  constructor(terms: ForwardTerms) {
    const { growing, interval, barTimes, clock, record } = terms;
    this.#terms = terms;
    this.#now = terms.now ?? Date.now;
    this.#history = growing.market.clock.length;
    this.#released = record.groups.length;
    this.#notApplied = new Set(record.notApplied);
    this.#intake = new Intake({
      market: growing.market,
      barTimes,
      interval,
      patience: clock === 'bars' ? undefined : (terms.patience ?? PATIENCE),
      onNotApplied: ({ time, ...message }) => {
        const entry = { ...message, ...(time === undefined ? {} : { time: isoOf(time) }) };
        const key = keyOf(entry);
        if (this.#notApplied.has(key)) return;
        this.#notApplied.add(key);
        // If there are too many keys, the oldest key is removed. It is the first key of the set.
        if (this.#notApplied.size > MOST_REMEMBERED)
          this.#notApplied.delete(this.#notApplied.values().next().value!);
        this.#write({ ...entry, at: isoOf(this.#now()) } as FeedEntry);
      },
    });
    for (const { time, bars } of record.groups) this.#intake.restore(time, bars);
  }

  /**
   * Checks the source before a run folder exists.
   *
   * @throws AppError `feed_unreadable`
   */
  check(): void {
    this.#terms.source?.check?.();
  }

  /**
   * Opens the record in the run's folder and starts to receive bars.
   *
   * @param flush writes the journal to the disk. Called before each wait for a bar
   * @param signal ends the wait for a bar
   * @param registrationWrittenAt time at which the file of the registration was last written
   */
  open(folder: string, flush: () => void, signal: AbortSignal, registrationWrittenAt?: string): void {
    const { record, source, clock, name, grace, growing, interval } = this.#terms;
    this.#flush = flush;
    if (source === undefined) return;
    this.#log = new FeedLog(folder, record.bytes, clock === 'wall');
    const started = { type: 'started', at: isoOf(this.#now()), feed: name, clock, grace } as const;
    this.#write(registrationWrittenAt === undefined ? started : { ...started, registrationWrittenAt });
    this.#signal = AbortSignal.any([signal, this.#stop.signal]);
    this.#signal.addEventListener('abort', () => this.#wake(), { once: true });
    const inputs = source({
      market: growing.market,
      interval,
      ends: clock === 'bars',
      signal: this.#signal,
    });
    this.#inputs = inputs[Symbol.asyncIterator]();
    if (clock === 'wall') void this.#receiveAll();
  }

  close(): void {
    this.#stop.abort();
    // Ends the source of bars without waiting for its end. An open socket would otherwise keep the process
    // running.
    void this.#inputs?.return?.()?.catch(() => undefined);
    this.#log?.close();
    this.#log = undefined;
  }

  /**
   * Appends all recorded bars in one step before the run starts. Used for a run on recorded bars (option
   * `recorded`).
   */
  appendRecorded(): void {
    while (this.#replayed < this.#terms.record.groups.length) this.#appendRecorded();
  }

  async next(): Promise<boolean> {
    if (this.#replayed < this.#terms.record.groups.length) {
      this.#appendRecorded();
      return true;
    }
    if (this.#inputs === undefined) return false;
    this.#flush();
    while (this.#ready.length === 0) {
      if (this.#problem !== undefined) throw this.#problem;
      if (this.#isComplete() || this.#signal.aborted) return false;
      if (this.#terms.clock === 'bars') await this.#receive();
      else if (!(await this.#changed())) return false;
    }
    const group = this.#ready.shift()!;
    this.#terms.growing.append(group.time, group.bars);
    return true;
  }

  async isDue(bar: number): Promise<boolean> {
    const { clock, record, source } = this.#terms;
    [this.#late, this.#commands] = [[], 0];
    if (record.missed.has(bar)) return false;
    if (clock === 'bars' || source === undefined || record.asked.has(bar)) return true;
    // A new feed may first deliver past bars that follow the history. The first decision waits until these
    // bars have arrived, because only the newest bar gets a decision.
    while (!this.#isSettled && !this.#isOver) if (!(await this.#changed())) break;
    // Several bars may be ready at the same time. All of them are received before the run determines the
    // newest bar.
    for (let inputs = -1; inputs !== this.#inputCount; ) {
      inputs = this.#inputCount;
      await new Promise((resolve) => setImmediate(resolve));
    }
    const isNewest = bar === this.#history + this.#released - 1 && !this.#signal.aborted;
    this.#write({ type: isNewest ? 'asked' : 'missed', bar, at: isoOf(this.#now()) });
    return isNewest;
  }

  decided(bar: number): void {
    const { clock, record } = this.#terms;
    if (clock === 'bars' || record.decided.has(bar)) return;
    const late = this.#late.some((time) => time !== null) ? { late: this.#late } : {};
    this.#write({ type: 'decided', bar, at: isoOf(this.#now()), ...late });
  }

  lateAt(bar: number): number | undefined {
    const { clock, record, barTimes, interval, grace, growing } = this.#terms;
    if (clock === 'bars') return undefined;
    const recorded = record.decided.get(bar);
    if (recorded !== undefined) return recorded[this.#commands++] ?? undefined;
    if (this.#terms.source === undefined) return undefined;
    const time = growing.market.clock[bar]!;
    const nextOpen = barTimes === 'end' ? time : addInterval(time, interval);
    const now = this.#now();
    const isLate = now > nextOpen + grace;
    this.#late.push(isLate ? isoOf(now) : null);
    return isLate ? now : undefined;
  }

  opensAfter(barTime: number, at: number): boolean {
    const { barTimes, interval, grace } = this.#terms;
    const open = barTimes === 'end' ? addInterval(barTime, interval, -1) : barTime;
    return open + grace >= at;
  }

  #appendRecorded(): void {
    const { time, bars } = this.#terms.record.groups[this.#replayed++]!;
    this.#terms.growing.append(time, bars);
  }

  #isComplete(): boolean {
    return this.#isOver || (this.#terms.bars !== undefined && this.#released >= this.#terms.bars);
  }

  /** Receives bars while the run is busy, so that each bar is recorded with its actual arrival time. */
  async #receiveAll(): Promise<void> {
    while (!this.#isComplete() && !this.#signal.aborted) await this.#receive();
    this.#wake();
  }

  async #receive(): Promise<void> {
    try {
      const { done, value } = await this.#inputs!.next();
      this.#inputCount += 1;
      if (done === true) this.#end(this.#signal.aborted ? 'the run was stopped' : 'the feed ended');
      else this.#take(value);
    } catch (error) {
      this.#problem = error;
      this.#isOver = true;
    }
    this.#wake();
  }

  #take(input: FeedInput): void {
    const at = isoOf(this.#now());
    if (input.kind === 'idle') this.#isSettled = true;
    else if (input.kind === 'problem') this.#write({ type: 'problem', at, problem: input.problem });
    else if (input.kind === 'connection')
      this.#write({
        type: input.state,
        at,
        ...(input.problem === undefined ? {} : { problem: input.problem }),
      });
    else {
      const document = readFeedDocument(input.document);
      this.#setSkew(input.serverTime ?? document.serverTime);
      for (const problem of document.faults) this.#write({ type: 'problem', at, problem });
      const now = this.#now();
      const feedTime = this.#terms.clock === 'bars' ? undefined : now + this.#skew;
      for (const message of document.messages) {
        this.#intake.take(message, feedTime, now);
        this.#release(false);
      }
    }
    if (input.kind === 'idle') this.#release(false);
  }

  /**
   * Stores the difference between the server's clock and this machine's clock. The server's clock determines
   * when a bar has ended.
   */
  #setSkew(serverTime: number | undefined): void {
    if (serverTime === undefined || this.#terms.clock === 'bars') return;
    const skew = serverTime - this.#now();
    if (Math.abs(skew - this.#skew) <= SKEW_STEP) return;
    this.#skew = skew;
    this.#write({ type: 'skew', at: isoOf(this.#now()), milliseconds: Math.round(skew) });
  }

  #release(hasEnded: boolean): void {
    const { until, bars } = this.#terms;
    for (;;) {
      if (this.#isOver || (bars !== undefined && this.#released >= bars)) return;
      const group = this.#intake.release(this.#now(), hasEnded);
      if (group === undefined) return;
      if (until !== undefined && group.time > until) {
        this.#end('the date of --until is over');
        return;
      }
      const receivedAt = this.#terms.clock === 'bars' ? this.#endOf(group.time) : group.receivedAt;
      this.#write(barEntry(this.#history + this.#released, { ...group, receivedAt }));
      this.#released += 1;
      this.#ready.push(group);
    }
  }

  #endOf(time: number): number {
    const { barTimes, interval } = this.#terms;
    return barTimes === 'end' ? time : addInterval(time, interval);
  }

  #end(reason: string): void {
    if (this.#isOver) return;
    this.#release(true);
    this.#isOver = true;
    this.#write({ type: 'ended', at: isoOf(this.#now()), reason });
  }

  #write(entry: FeedEntry): void {
    this.#log?.write(entry);
  }

  /**
   * Waits for the next input, or until an incomplete group of bars has waited for `patience` milliseconds.
   * Returns false if the run was stopped.
   */
  async #changed(): Promise<boolean> {
    const patience = this.#intake.waitsFor(this.#now());
    let timer: NodeJS.Timeout | undefined;
    await new Promise<void>((resolve) => {
      this.#wake = resolve;
      if (patience !== undefined) timer = setTimeout(resolve, patience + 1);
      if (this.#isOver || this.#signal.aborted) resolve();
    });
    clearTimeout(timer);
    this.#release(false);
    return !this.#signal.aborted;
  }
}
