import { open, stat } from 'node:fs/promises';
import {
  anyEvent,
  cutNote,
  damageNote,
  END_OMITTED,
  eventFault,
  hasSoundBar,
  type JournalEvent,
  type JournalLine,
  journalUnreadable,
  LINK_TYPE,
  wholeLines,
} from '../../journal/index.ts';
import { AppError, isObject, numberOf, textOf } from '../../kernel/index.ts';
import { unmasker } from '../../masking/index.ts';
import { stepOf } from './client/comparison.ts';
import { ModelCounter, type ModelTotals } from './model-blocks.ts';
import { OrderLifecycles } from './order-lifecycles.ts';
import { countIn, failOn, newStep, type StepDraft } from './step-draft.ts';

/** Position of a bar's events in the journal, in bytes. */
interface Span {
  readonly start: number;
  readonly end: number;
}

const MOST_DAMAGE_NOTES = 20;
/**
 * Maximum difference between consecutive bar numbers. If the difference is larger, the journal is damaged.
 */
const FURTHEST_LEAP = 1_000_000;
/**
 * Number of bytes that are compared to detect that the journal was replaced. They are the last bytes that
 * were read.
 */
const WITNESS_BYTES = 256;

/**
 * Index of a journal: the position of each bar in the file and a summary of its events. The journal itself is
 * not loaded into memory, so it may have any size.
 */
export class TraceIndex {
  readonly file: string;
  readonly steps: StepDraft[] = [];
  readonly lifecycles = new OrderLifecycles();
  readonly tools = new Set<string>();
  started: JournalEvent | undefined;
  /**
   * Converts an event of a masked run to real names, dates and prices. Returns events of other runs
   * unchanged. The index contains only converted values.
   */
  real: (event: JournalEvent) => JournalEvent = (event) => event;
  finished: JournalEvent | undefined;
  /** Equity at the newest bar, as the decimal text in the journal. */
  equity = '';
  date = '';
  #starts: number[] = [];
  #ends: number[] = [];
  #end = 0;
  #lines = 0;
  #witness = Buffer.alloc(0);
  #damaged = 0;
  #damage: string[] = [];
  #tail = false;
  /**
   * First damaged line. As in all readers of journals, this line and all later lines are ignored. `undefined`
   * if all lines are valid.
   */
  #bad: { readonly number: number; readonly fault: string; readonly start: number } | undefined;
  /** Step of the unfinished bar. The journal does not contain the `bar` event of this bar yet. */
  #open: StepDraft | undefined;
  #revision = 0;
  #openStart = 0;
  readonly #models = new ModelCounter();
  #reading: Promise<unknown> = Promise.resolve();

  private constructor(file: string) {
    this.file = file;
  }

  /**
   * Opens and reads a journal.
   *
   * @throws AppError `journal_unreadable`, `not_a_journal`
   */
  static async open(file: string): Promise<TraceIndex> {
    const index = new TraceIndex(file);
    await index.extend();
    if (index.started === undefined) {
      throw new AppError({
        code: 'not_a_journal',
        message:
          index.#end === 0
            ? 'The journal has no complete line and no run_started event: the run was killed before its start.'
            : 'The journal does not begin with a run_started event.',
        hint: 'Pass a run folder of Sandtable, or run the backtest again.',
      });
    }
    return index;
  }

  /** Number of finished bars. */
  get bars(): number {
    return this.#ends.length;
  }

  /** Number of the unfinished bar. `undefined` if all bars are finished. */
  get openBar(): number | undefined {
    return this.#open?.bar;
  }

  /** Steps of all bars with events. The step of the unfinished bar is last. */
  get allSteps(): readonly StepDraft[] {
    return this.#open === undefined ? this.steps : [...this.steps, this.#open];
  }

  /** Number that increases with each change of a step. */
  get revision(): number {
    return this.#revision;
  }

  get totals(): ModelTotals {
    return this.#models.totals;
  }

  /** Descriptions of unreadable parts of the journal. */
  get damage(): string[] {
    const more = this.#damaged - this.#damage.length;
    const schema = this.started?.schema;
    return [
      ...(schema === undefined || schema === 1
        ? []
        : [
            `The journal is of schema ${textOf(schema)}, and this Sandtable reads schema 1: what is shown may be wrong, and something may be missing.`,
          ]),
      ...this.#damage,
      ...(more > 0 ? [`${more} more lines are damaged and were left out.`] : []),
      ...this.#ending(),
    ];
  }

  /** True if reading ended at a damaged line. */
  get isDamaged(): boolean {
    return this.#bad !== undefined;
  }

  /** Number of bytes from the beginning of the journal that are valid. */
  get end(): number {
    return this.#bad?.start ?? this.#end;
  }

  #ending(): string[] {
    if (this.#bad !== undefined)
      return [damageNote(this.#bad, this.#lines + (this.#tail ? 1 : 0)), END_OMITTED];
    return this.#tail ? [cutNote(this.#lines + 1)] : [];
  }

  /** Returns the position of a bar's events. `undefined` if the journal does not contain the bar. */
  span(bar: number): Span | undefined {
    const [start, end] = [this.#starts[bar], this.#ends[bar]];
    if (start !== undefined && end !== undefined) return { start, end };
    return bar === this.#open?.bar ? { start: this.#openStart, end: this.end } : undefined;
  }

  /**
   * Reads the lines that were added since the last call. Returns false if the journal was replaced and a new
   * index is needed.
   */
  extend(): Promise<boolean> {
    // Each call waits for the previous call. Concurrent calls would read the same lines twice.
    const turn = this.#reading.then(
      () => this.#extend(),
      () => this.#extend(),
    );
    this.#reading = turn;
    return turn;
  }

  async #extend(): Promise<boolean> {
    if (!(await this.#isSame())) return false;
    try {
      await this.#read();
    } catch (cause) {
      throw journalUnreadable(this.file, cause);
    }
    return true;
  }

  async #read(): Promise<void> {
    let last: JournalLine | undefined;
    for await (const lines of wholeLines(this.file, this.#end)) {
      for (const line of lines) {
        this.#lines += 1;
        this.#take(line);
        this.#end = line.end;
      }
      last = lines.at(-1);
    }
    if (last !== undefined) this.#witness = Buffer.from(last.text).subarray(-WITNESS_BYTES);
    this.#tail = (await stat(this.file)).size > this.#end;
  }

  // Returns false if the journal no longer contains the last line that was read. A resumed run truncates its
  // journal, so lines that were read may have been removed.
  async #isSame(): Promise<boolean> {
    if (this.#end === 0) return true;
    const handle = await open(this.file, 'r').catch(() => undefined);
    if (handle === undefined) return false;
    try {
      const there = Buffer.alloc(this.#witness.length);
      const { bytesRead } = await handle.read(there, 0, there.length, this.#end - 1 - there.length);
      return bytesRead === there.length && there.equals(this.#witness);
    } finally {
      await handle.close();
    }
  }

  #take(line: JournalLine): void {
    if (line.text === '' || this.#bad !== undefined) return;
    const loose = anyEvent(line.text);
    if (loose?.type === LINK_TYPE) return;
    const fault = eventFault(loose, this.#ends.length);
    if (loose === undefined || fault !== undefined) {
      this.#bad = { number: this.#lines, fault: fault ?? '', start: line.start };
      return;
    }
    const parsed = hasSoundBar(loose) ? loose : undefined;
    if (parsed?.type === 'run_started' && this.started === undefined) this.real = unmasker(parsed);
    const event = parsed && this.real(parsed);
    const leaps = event?.bar !== undefined && event.bar > this.#ends.length + FURTHEST_LEAP;
    if (event === undefined || leaps) {
      this.#damaged += 1;
      if (this.#damage.length < MOST_DAMAGE_NOTES)
        this.#damage.push(`Line ${this.#lines} is damaged and was left out.`);
      return;
    }
    if (event.type === 'run_started') {
      this.started ??= event;
      this.#openStart = line.end;
    } else if (event.type === 'run_finished') {
      this.#finish(event);
    } else if (event.type === 'bar' && event.bar !== undefined) {
      this.#endBar(event, event.bar, line.end);
    } else {
      this.#happen(event);
    }
  }

  #endBar(event: JournalEvent, bar: number, end: number): void {
    this.#starts.push(this.#openStart);
    this.#ends.push(end);
    this.#openStart = end;
    this.equity = textOf(event.equity);
    this.date = textOf(event.date);
    const step = this.#open;
    this.#open = undefined;
    if (step === undefined) return;
    step.unfinished = step.bar !== bar;
    if (!step.unfinished) step.date = this.date;
    this.#touch(step);
    this.steps.push(step);
  }

  #happen(event: JournalEvent): void {
    const bar = event.bar ?? this.#open?.bar ?? this.#ends.length;
    if (this.#open !== undefined && this.#open.bar !== bar) {
      this.steps.push(this.#open);
      this.#open = undefined;
    }
    this.#open ??= newStep(bar);
    countIn(this.#open, event);
    this.#touch(this.#open);
    if (event.type === 'tool_called') this.tools.add(textOf(event.name));
    if (event.type === 'decision_made') this.#models.add(event);
    const trade = this.lifecycles.follow(event);
    if (trade !== undefined) this.#mark(trade);
    // The step of the bar on which the order was placed describes this event too, so it has also changed.
    const order = this.lifecycles.orders.get(numberOf(event.orderId) ?? -1);
    const placing = order === undefined ? undefined : this.stepAt(order.placedBar);
    if (placing !== undefined) this.#touch(placing);
  }

  #finish(event: JournalEvent): void {
    this.finished = event;
    // A failure after the last bar does not belong to a bar.
    if (
      isObject(event.error) &&
      this.#ends.length < (numberOf(this.started?.bars) ?? Number.POSITIVE_INFINITY)
    ) {
      this.#open ??= newStep(this.#ends.length);
      failOn(this.#open, textOf(event.error.message));
      this.#touch(this.#open);
    }
    const still = Array.isArray(event.openTrades) ? event.openTrades.filter(isObject) : [];
    for (const trade of still) this.#mark(this.lifecycles.trade(trade, undefined));
  }

  #mark({ id, bars }: { readonly id: number; readonly bars: readonly number[] }): void {
    for (const bar of bars) {
      const step = this.stepAt(bar);
      if (step === undefined || step.trades.includes(id)) continue;
      step.trades.push(id);
      this.#touch(step);
    }
  }

  #touch(step: StepDraft): void {
    this.#revision += 1;
    step.revision = this.#revision;
  }

  stepAt(bar: number): StepDraft | undefined {
    return this.#open?.bar === bar ? this.#open : stepOf(this.steps, bar);
  }
}
