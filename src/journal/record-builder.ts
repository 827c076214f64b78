import type { BarEvent, OpenTradeRecord, RunEvent, RunOutcome } from '../engine/index.ts';
import { AppError, decimal, decimalString } from '../kernel/index.ts';
import { unmasker } from '../masking/index.ts';
import { BarLines } from './bar-lines.ts';

/** Note in a record (`RunRecord.damage`) if lines up to the end of the run were omitted. */
export const END_OMITTED = 'The end of the run is missing too.';

/**
 * Collects the events of a run into a record, either from its journal or during the run.
 *
 * Both sources result in the same record. Events of a bar are included once the bar has ended.
 */
export class RecordBuilder {
  readonly #byType = new Map<string, RunEvent[]>();
  readonly #bars: BarEvent[] = [];
  readonly #readsLines: boolean;
  /** Columns of the bars that were read without parsing. While defined, `#bars` is empty. */
  #lines: BarLines | undefined;
  readonly #fileChanges: EventOf<'file_written' | 'file_deleted'>[] = [];
  /** Events since the end of the last bar. */
  #open: RunEvent[] = [];
  /**
   * Fills, payments and other changes of the account in an incomplete last bar, for example a bar whose
   * decision failed. The record omits these events.
   */
  #cut: RunEvent[] = [];
  #started: EventOf<'run_started'> | undefined;
  #realOf: <Event extends object>(event: Event) => Event = (event) => event;
  #last: RunEvent | undefined;

  /** @param readsLines if true, `takeBarLine` may read bars into columns; the record then has `LightBar`s */
  constructor(readsLines = false) {
    this.#readsLines = readsLines;
  }

  /** Number of bars that have ended. */
  get bars(): number {
    return this.#lines?.count ?? this.#bars.length;
  }

  get isEmpty(): boolean {
    return this.#last === undefined;
  }

  /** Adds an event that was read from a journal. */
  take(event: RunEvent): void {
    if (this.#last === undefined && event.type === 'run_started') {
      this.#started = event;
      this.#realOf = unmasker(event);
      if (this.#readsLines && event.mask === undefined) this.#lines = new BarLines(event.symbols);
    } else if (event.type === 'bar') {
      this.#close();
      if (this.#lines?.add(event) !== true) {
        this.#leaveLines();
        this.#bars.push(this.#realOf(event));
      }
    } else this.#open.push(event);
    this.#last = event;
  }

  /**
   * Reads the line of a bar from `start` to `end` of a text without parsing it.
   *
   * @returns false if the caller must parse the line
   */
  takeBarLine(text: string, start: number, end: number): boolean {
    if (this.#lines?.take(text, start, end) !== true) return false;
    this.#close();
    this.#last = BAR_READ;
    return true;
  }

  /**
   * Called for a bar that columns cannot represent. Converts the bars read so far to events. From then on,
   * bars are stored as events.
   */
  #leaveLines(): void {
    for (const bar of this.#lines?.finish() ?? []) this.#bars.push(bar.toJSON());
    this.#lines = undefined;
  }

  /**
   * Adds an event of a running backtest, in the form in which it would be read from the journal. The engine
   * has already checked the event.
   */
  takeLive(event: RunEvent): void {
    // Other events contain objects of strategies, models and tools, which can change later. These events are
    // copied.
    const isFixed = event.type === 'bar' || FIXED.has(event.type);
    this.take(isFixed ? event : (JSON.parse(JSON.stringify(event)) as RunEvent));
  }

  /**
   * Returns the record of all events added so far.
   *
   * @param damage descriptions of omitted lines
   * @param endOmitted true if lines after a damaged line were omitted
   * @throws AppError `not_a_journal` if the first event is not `run_started`
   */
  finish(damage: readonly string[] = [], endOmitted = false): RunRecord {
    const started = this.#started;
    if (started === undefined) {
      throw new AppError({
        code: 'not_a_journal',
        message: 'The journal does not begin with a run_started event.',
        hint: 'Pass the path of a run folder, for example reports/20200101-….',
      });
    }
    const notes = [...damage];
    const whole = this.#last?.type === 'run_finished' ? this.#last : undefined;
    if (whole !== undefined) this.#closeEnd(whole);
    else notes.push(endOmitted ? END_OMITTED : 'The journal has no run_finished event: the run was killed.');
    if (this.#open.length > 0) notes.push(unfinished(this.#open.length));
    const of = <Type extends RunEvent['type']>(type: Type): EventOf<Type>[] =>
      (this.#byType.get(type) ?? []) as EventOf<Type>[];
    const ending = whole && this.#realOf(whole);
    return {
      started: this.#realOf(started),
      bars: this.#lines?.finish() ?? this.#bars,
      orders: of('order_accepted'),
      rejections: of('order_rejected'),
      cancellations: of('order_cancelled'),
      fills: of('order_filled'),
      trades: of('trade_closed'),
      halts: of('risk_halted'),
      cashEntries: of('cash_entry'),
      splits: of('split'),
      adjustments: of('order_adjusted'),
      delistings: of('delisted'),
      features: of('features_known'),
      toolCalls: of('tool_called'),
      models: of('model_configured'),
      notes: of('note'),
      speeches: of('role_spoke'),
      exchanges: of('model_called'),
      decisions: of('decision_made'),
      fileChanges: this.#fileChanges,
      // If the incomplete last bar had fills, the trades that were open at the last complete bar are unknown.
      openTrades: this.#cut.some(({ type }) => type !== 'cash_entry') ? [] : (ending?.openTrades ?? []),
      outcome: ending?.outcome ?? 'interrupted',
      commissionPaid: ending === undefined ? null : this.#commissionUpToLastBar(ending.commissionPaid),
      uncoveredBars: ending?.uncoveredBars ?? 0,
      insolvency: ending?.insolvency,
      error: ending?.error,
      damage: notes,
    };
  }

  /**
   * Adds the events after the last `bar` event to the record. A run that did not complete may have ended
   * within a bar. Fills and payments of such a bar are omitted, because the last equity does not include
   * them.
   */
  #closeEnd({ outcome }: EventOf<'run_finished'>): void {
    if (outcome !== 'completed' && outcome !== 'insolvent') {
      this.#cut.push(...this.#open.filter(({ type }) => MARKET.has(type)));
      this.#open = this.#open.filter(({ type }) => !MARKET.has(type));
    }
    this.#close();
  }

  #commissionUpToLastBar(paid: string): string {
    const fills = this.#cut.filter((event) => event.type === 'order_filled');
    if (fills.length === 0) return paid;
    return decimalString(fills.reduce((sum, { commission }) => sum.minus(commission), decimal(paid)));
  }

  #close(): void {
    if (this.#open.length === 0) return;
    for (const event of this.#open) this.#keep(event);
    this.#open = [];
  }

  #keep(event: RunEvent): void {
    if (event.type === 'file_written' || event.type === 'file_deleted') this.#fileChanges.push(event);
    const known = this.#byType.get(event.type);
    if (known === undefined) this.#byType.set(event.type, [this.#realOf(event)]);
    else known.push(this.#realOf(event));
  }
}

/** Types of events that change positions or cash. */
const MARKET: ReadonlySet<RunEvent['type']> = new Set([
  'order_filled',
  'trade_closed',
  'cash_entry',
  'split',
  'order_adjusted',
  'delisted',
] as const);

/**
 * Types of events that contain only texts and numbers from the engine. Their content never changes, so they
 * need no copy.
 */
const FIXED: ReadonlySet<RunEvent['type']> = new Set([
  'order_accepted',
  'order_rejected',
  'order_cancelled',
  'order_filled',
  'trade_closed',
] as const);

/**
 * Placeholder for `#last` after a bar that was read as a line. Only the type of `#last` matters: it is not
 * `run_finished`.
 */
const BAR_READ = { type: 'decision_missed', bar: 0 } as const;

function unfinished(events: number): string {
  return events === 1
    ? '1 event of an incomplete bar was ignored.'
    : `${events} events of an incomplete bar were ignored.`;
}

export type EventOf<Type extends RunEvent['type']> = Extract<RunEvent, { type: Type }>;

/**
 * Content of a run's journal, with real symbols, dates and prices. If the strategy saw masked values, they
 * are converted.
 */
export interface RunRecord {
  readonly started: EventOf<'run_started'>;
  readonly bars: readonly BarEvent[];
  readonly orders: readonly EventOf<'order_accepted'>[];
  readonly rejections: readonly EventOf<'order_rejected'>[];
  readonly cancellations: readonly EventOf<'order_cancelled'>[];
  readonly fills: readonly EventOf<'order_filled'>[];
  readonly trades: readonly EventOf<'trade_closed'>[];
  readonly halts: readonly EventOf<'risk_halted'>[];
  /** Dividends, interest, borrow fees and funding payments. */
  readonly cashEntries: readonly EventOf<'cash_entry'>[];
  readonly splits: readonly EventOf<'split'>[];
  /** Changes that splits and rolls made to orders that were not filled yet. */
  readonly adjustments: readonly EventOf<'order_adjusted'>[];
  readonly delistings: readonly EventOf<'delisted'>[];
  /**
   * Rows of features, which are time series other than the bars. Each event lists the rows that became
   * visible at its bar.
   */
  readonly features: readonly EventOf<'features_known'>[];
  readonly toolCalls: readonly EventOf<'tool_called'>[];
  /**
   * Constant parts of all model requests, for each role of the strategy. Roles are the parts of a strategy
   * that call a model separately. Empty for a run without a model.
   */
  readonly models: readonly EventOf<'model_configured'>[];
  /** Notes that a strategy recorded in addition to its orders. */
  readonly notes: readonly EventOf<'note'>[];
  readonly speeches: readonly EventOf<'role_spoke'>[];
  readonly exchanges: readonly EventOf<'model_called'>[];
  readonly decisions: readonly EventOf<'decision_made'>[];
  /** Changes of the in-memory files, in order. `rebuildVfs` restores the files from them. */
  readonly fileChanges: readonly EventOf<'file_written' | 'file_deleted'>[];
  readonly openTrades: readonly OpenTradeRecord[];
  /** Outcome of the run. `interrupted` also if the journal does not contain the end of the run. */
  readonly outcome: RunOutcome;
  readonly commissionPaid: string | null;
  /**
   * Number of bars for which finer bars were given but did not reach the bar's high and low. These bars were
   * simulated without the finer bars.
   */
  readonly uncoveredBars: number;
  /**
   * Details of an insolvency, with the equity before all positions were closed. `undefined` if the run was
   * not insolvent.
   */
  readonly insolvency: EventOf<'run_finished'>['insolvency'] | undefined;
  /** Reason why a run failed or was stopped. `undefined` if the journal does not state one. */
  readonly error?: EventOf<'run_finished'>['error'] | undefined;
  /** Notes for the user about omitted lines and events. Empty for a complete journal. */
  readonly damage: readonly string[];
}
