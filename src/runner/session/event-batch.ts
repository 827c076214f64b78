import type { BarContext, Json, RunEvent } from '../../engine/index.ts';
import { formatInstant } from '../../kernel/index.ts';

/** Most entries of one list in one answer. */
const MOST = 50;

/** Gathers what the market did between two decisions, for whoever drives the run. */
export class EventBatch {
  #events: RunEvent[] = [];
  #moving = false;

  /** Only what happens while the market moves is news: the rest was the answer to a call. */
  add(event: RunEvent): void {
    if (this.#moving && event.type !== 'bar') this.#events.push(event);
  }

  startMoving(): void {
    this.#events = [];
    this.#moving = true;
  }

  /** The bars at the new turn and all that happened on the way. */
  stopMoving(turn: BarContext, moved: number): Record<string, Json> {
    this.#moving = false;
    const events = this.#events;
    this.#events = [];
    return {
      moved,
      ...barOf(turn),
      ...listOf('fills', events, (event) =>
        event.type !== 'order_filled'
          ? undefined
          : {
              bar: event.bar,
              order_id: event.orderId,
              symbol: event.symbol,
              side: event.side,
              quantity: event.quantity,
              ...(event.requestedQuantity === undefined
                ? {}
                : {
                    requested_quantity: event.requestedQuantity,
                    why_less: 'buying power, commission counted, carried no more',
                  }),
              price: event.price,
              commission: event.commission,
              ...(event.reason === undefined ? {} : { reason: event.reason }),
            },
      ),
      ...listOf('closed_trades', events, (event) =>
        event.type !== 'trade_closed'
          ? undefined
          : {
              bar: event.bar,
              symbol: event.symbol,
              side: event.side,
              quantity: event.quantity,
              entry_price: event.entryPrice,
              exit_price: event.exitPrice,
              net_pnl: event.netPnl,
              exit_reason: event.exitReason,
            },
      ),
      ...listOf('refused', events, (event) =>
        event.type !== 'order_rejected'
          ? undefined
          : { bar: event.bar, order_id: event.orderId, code: event.code, message: event.message },
      ),
      ...listOf('cancelled', events, (event) =>
        event.type !== 'order_cancelled'
          ? undefined
          : { bar: event.bar, order_id: event.orderId, code: event.code, message: event.message },
      ),
      ...listOf('new_orders', events, (event) =>
        event.type !== 'order_accepted'
          ? undefined
          : {
              bar: event.bar,
              order_id: event.orderId,
              symbol: event.symbol,
              role: event.role ?? 'order',
              ...(event.limitPrice === undefined ? {} : { price: event.limitPrice }),
              ...(event.stopPrice === undefined ? {} : { stop_price: event.stopPrice }),
            },
      ),
      cash: turn.account.cash.toNumber(),
      equity: turn.account.equity.toNumber(),
    };
  }
}

/** The current bar of every symbol. */
function barOf(turn: BarContext): Record<string, Json> {
  const bars = turn.symbols.slice(0, MOST).flatMap((symbol): [string, Json][] => {
    const { bar } = turn.windowOf(symbol);
    if (bar === undefined) return [];
    const { time, ...prices } = bar;
    return [[symbol, time === turn.time ? prices : { ...prices, stale: true }]];
  });
  const context = turn.contextSymbols.slice(0, MOST).flatMap((symbol): [string, Json][] => {
    const { bar } = turn.context(symbol);
    if (bar === undefined) return [];
    const { time, ...prices } = bar;
    return [[symbol, { date: formatInstant(time), ...prices }]];
  });
  return {
    bar: turn.bar,
    date: formatInstant(turn.time),
    bars: Object.fromEntries(bars),
    ...(context.length === 0 ? {} : { context: Object.fromEntries(context) }),
  };
}

/** A list of one kind of event; left out where there is none. */
function listOf(
  name: string,
  events: readonly RunEvent[],
  shape: (event: RunEvent) => Json | undefined,
): Record<string, Json> {
  const entries = events.map(shape).filter((entry) => entry !== undefined);
  if (entries.length === 0) return {};
  const leftOut = entries.length - MOST;
  return {
    [name]: entries.slice(0, MOST),
    ...(leftOut > 0 ? { [`${name}_left_out`]: leftOut } : {}),
  };
}
