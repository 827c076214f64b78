import type { BrokerEvent } from '../broker/index.ts';
import { AppError, type Instant } from '../kernel/index.ts';
import type { AccountEvent } from './events.ts';

/** What happens to an account and its orders without a decision. */
export type MarketEvent = BrokerEvent | AccountEvent;

/** What an `EventsSince` is made of. */
export interface SinceParts {
  readonly bar: number | null;
  readonly time: Instant | null;
  readonly equityBefore: number;
  readonly equity: number;
  readonly events: readonly MarketEvent[];
}

/** Decimal places of a profit: what float64 sums of money add behind them is noise. */
const PLACES = 8;

/** What happened between two decisions, in the order it happened and in the words of the journal. */
export class EventsSince implements SinceParts {
  /** The bar of the last decision; null at the first. */
  readonly bar: number | null;
  /** Its time; null at the first decision. */
  readonly time: Instant | null;
  /** Equity at the last decision and now, in the account's currency. */
  readonly equityBefore: number;
  readonly equity: number;
  /**
   * Fills, closed trades, refusals, cancellations, orders that came by themselves (exits, forced sales), re-based orders,
   * dividends, interest and fees, splits, delistings and halts. What was answered during the decision is not repeated.
   */
  readonly events: readonly MarketEvent[];

  constructor({ bar, time, equityBefore, equity, events }: SinceParts) {
    this.bar = bar;
    this.time = time;
    this.equityBefore = equityBefore;
    this.equity = equity;
    this.events = events;
  }

  /** What the equity has gained since the last decision, in the account's currency; below 0 is a loss. */
  get profit(): number {
    return Number((this.equity - this.equityBefore).toFixed(PLACES)) + 0;
  }

  /** Those of one type, such as `order_filled`. */
  of<Type extends MarketEvent['type']>(type: Type): readonly Extract<MarketEvent, { type: Type }>[] {
    return this.events.filter((event): event is Extract<MarketEvent, { type: Type }> => event.type === type);
  }

  /** Both as one: for whoever was asked at a bar and did not decide there. */
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

/** Whose events are kept. */
interface Asked {
  readonly bar: number;
  readonly time: Instant;
  readonly account: { readonly equityNumber: number };
}

/** Keeps what happens between two decisions, in a run in which somebody listens to events. */
export class SinceLog {
  /** Takes an event and passes it on; undefined where nobody could read it. */
  readonly add: ((event: MarketEvent) => void) | undefined;
  readonly #asked: Asked;
  #events: MarketEvent[] = [];
  #deciding = false;
  #bar: number | null = null;
  #time: Instant | null = null;
  #equityBefore = Number.NaN;
  #equity = Number.NaN;

  /** @param keeps also where there is no listener */
  constructor(asked: Asked, listener: ((event: MarketEvent) => void) | undefined, keeps: boolean) {
    this.#asked = asked;
    if (listener !== undefined || keeps)
      this.add = (event) => {
        // What a decision does itself is answered in it, and is no news to the next.
        if (!this.#deciding && (event.type !== 'order_accepted' || event.role !== undefined))
          this.#events.push(event);
        listener?.(event);
      };
  }

  /** A decision begins: what happens until its end is its own doing. */
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

  /** @throws AppError `events_not_kept` */
  get news(): EventsSince {
    if (this.add === undefined) {
      throw new AppError({
        code: 'events_not_kept',
        message: 'This run keeps no events, for nobody listens to them.',
        hint: 'Give runBacktest an onEvent, or its decider readsEvents: true.',
      });
    }
    return new EventsSince({
      bar: this.#bar,
      time: this.#time,
      equityBefore: this.#equityBefore,
      equity: this.#equity,
      // A copy: whoever has looked keeps it.
      events: [...this.#events],
    });
  }
}
