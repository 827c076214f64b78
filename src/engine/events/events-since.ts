import type { BrokerEvent } from '../../broker/index.ts';
import { AppError, type Instant } from '../../kernel/index.ts';
import type { AccountEvent } from './events.ts';

/** Event of the account, its positions or its orders. */
export type MarketEvent = BrokerEvent | AccountEvent;

/** Data from which an `EventsSince` object is created. */
export interface EventsSinceFields {
  readonly bar: number | null;
  readonly time: Instant | null;
  readonly equityBefore: number;
  readonly equity: number;
  readonly events: readonly MarketEvent[];
}

/** Decimal places to which a profit is rounded. Further digits are rounding errors of float64. */
const PLACES = 8;

/** Events between two decisions, in order and in the format of the journal. */
export class EventsSince implements EventsSinceFields {
  /** Bar of the last decision. `null` at the first decision. */
  readonly bar: number | null;
  /** Time of the last decision. `null` at the first decision. */
  readonly time: Instant | null;
  /** Equity at the last decision (`equityBefore`) and now (`equity`), in the account's currency. */
  readonly equityBefore: number;
  readonly equity: number;
  /**
   * Fills, closed trades, rejections, cancellations, automatic orders (exits, liquidations), adjusted orders,
   * dividends, interest and fees, splits, delistings and halts. Events that the last decision itself caused
   * are not included, because it received their results immediately.
   */
  readonly events: readonly MarketEvent[];

  constructor({ bar, time, equityBefore, equity, events }: EventsSinceFields) {
    this.bar = bar;
    this.time = time;
    this.equityBefore = equityBefore;
    this.equity = equity;
    this.events = events;
  }

  /** Change of the equity since the last decision, in the account's currency. Negative for a loss. */
  get profit(): number {
    return Number((this.equity - this.equityBefore).toFixed(PLACES)) + 0;
  }

  /** Returns the events of one type, such as `order_filled`. */
  of<Type extends MarketEvent['type']>(type: Type): readonly Extract<MarketEvent, { type: Type }>[] {
    return this.events.filter((event): event is Extract<MarketEvent, { type: Type }> => event.type === type);
  }

  /**
   * Returns an object with the events of this period and of the period of `later`, which follows it. Needed
   * for an agent that received the events of the first period but made no decision.
   */
  and(later: EventsSince): EventsSince {
    const { bar, time, equityBefore } = this;
    return new EventsSince({
      bar,
      time,
      equityBefore,
      equity: later.equity,
      events: [...this.events, ...later.events],
    });
  }
}

/** State of the simulation that `SinceLog` reads. */
interface Asked {
  readonly bar: number;
  readonly time: Instant;
  readonly account: { readonly equityNumber: number };
}

/** Collects the events between two decisions, if the decider or a listener uses events. */
export class SinceLog {
  /**
   * Adds an event and passes it to the listener. `undefined` if neither the decider nor a listener uses
   * events, so that no event has to be created.
   */
  readonly add: ((event: MarketEvent) => void) | undefined;
  readonly #asked: Asked;
  #events: MarketEvent[] = [];
  #deciding = false;
  #bar: number | null = null;
  #time: Instant | null = null;
  #equityBefore = Number.NaN;
  #equity = Number.NaN;

  /**
   * @param listener receives all events; `undefined` without a listener
   * @param keeps if true, events are collected for the decider even without a listener
   */
  constructor(asked: Asked, listener: ((event: MarketEvent) => void) | undefined, keeps: boolean) {
    this.#asked = asked;
    if (listener !== undefined || keeps)
      this.add = (event) => {
        // Results of orders that the current decision places are omitted, because it receives them directly.
        if (!this.#deciding && (event.type !== 'order_accepted' || event.role !== undefined))
          this.#events.push(event);
        listener?.(event);
      };
  }

  /**
   * Marks the start of a decision. Events until its end are results of the decision, so they are not reported
   * to the next decision.
   */
  start(): void {
    if (this.add === undefined) return;
    this.#deciding = true;
    this.#equity = this.#asked.account.equityNumber;
    if (this.#bar === null) this.#equityBefore = this.#equity;
  }

  end(): void {
    if (!this.#deciding) return;
    this.#deciding = false;
    this.#bar = this.#asked.bar;
    this.#time = this.#asked.time;
    this.#equityBefore = this.#equity;
    if (this.#events.length > 0) this.#events = [];
  }

  /**
   * Events since the last decision.
   *
   * @throws AppError `events_not_kept`
   */
  get news(): EventsSince {
    if (this.add === undefined) {
      throw new AppError({
        code: 'events_not_kept',
        message: 'This run stores no events, because it has no listener.',
        hint: 'Pass onEvent to runBacktest, or set readsEvents: true on its decider.',
      });
    }
    return new EventsSince({
      bar: this.#bar,
      time: this.#time,
      equityBefore: this.#equityBefore,
      equity: this.#equity,
      // A copy, because the decider may store the object and `#events` changes later.
      events: [...this.#events],
    });
  }
}
