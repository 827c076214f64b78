import type { BarContext, EventsSince, Json, MarketEvent } from '../../../engine/index.ts';
import { formatInstant } from '../../../kernel/index.ts';
import type { Toolkit } from '../../../toolkit/index.ts';
import { conclusionOf } from '../observation.ts';

/**
 * Maximum number of characters of a role's reason for a trade. The outcome of the trade repeats this reason.
 */
const WORDS = 300;
/**
 * Maximum number of outcomes shown in one decision. The memory that `memory_recall` searches contains all
 * outcomes.
 */
const MOST = 20;

interface Placed {
  readonly role: string;
  readonly date: string;
  readonly text: string;
}

type Closed = Extract<MarketEvent, { type: 'trade_closed' }>;

/**
 * Finds the role that opened each trade. When the trade closes, reports the outcome to this role and stores
 * it in the memory.
 */
export class TradeOutcomes {
  readonly #toolkit: Pick<Toolkit, 'remember'>;
  /** Placed orders by order id. */
  readonly #orders = new Map<number, Placed>();
  /** Orders that opened a trade, by symbol and bar of the entry. */
  readonly #entries = new Map<string, Placed>();
  readonly #waiting = new Map<string, Json[]>();

  constructor(toolkit: Pick<Toolkit, 'remember'>) {
    this.#toolkit = toolkit;
  }

  /** Records which role placed these orders, and the text of that role. */
  placed({ time }: BarContext, role: string, text: string, orders: readonly number[]): void {
    if (orders.length === 0) return;
    const placed = { role, date: formatInstant(time), text: conclusionOf(text, WORDS) };
    for (const order of orders) this.#orders.set(order, placed);
  }

  /** Removes the records of cancelled orders, which cannot open a trade. */
  forget(orders: readonly number[]): void {
    for (const order of orders) this.#orders.delete(order);
  }

  /** Processes the filled orders and closed trades since the last bar. */
  note(turn: BarContext, { events }: EventsSince): void {
    for (const event of events) {
      if (event.type === 'order_filled') this.#filled(event.orderId, event.symbol, event.bar);
      else if (event.type === 'trade_closed') this.#closed(event, turn);
    }
  }

  /**
   * Returns and removes the outcomes of a role's trades that have closed since the last call for this role.
   */
  takeFor(role: string): readonly Json[] {
    const outcomes = this.#waiting.get(role) ?? [];
    this.#waiting.delete(role);
    return outcomes;
  }

  #filled(order: number, symbol: string, bar: number): void {
    const placed = this.#orders.get(order);
    if (placed !== undefined && !this.#entries.has(`${symbol}/${bar}`))
      this.#entries.set(`${symbol}/${bar}`, placed);
  }

  #closed(trade: Closed, turn: BarContext): void {
    const opened = this.#entries.get(`${trade.symbol}/${trade.entryBar}`);
    if (opened === undefined) return;
    const { id, symbol, side, quantity, entryTime, entryPrice, exitTime, exitPrice, netPnl, exitReason } =
      trade;
    const paid = Number(entryPrice) * Number(quantity) * Number(trade.multiplier ?? 1);
    const percent = paid === 0 ? 0 : Number(((Number(netPnl) / paid) * 100).toFixed(2));
    const outcome = {
      trade: id,
      symbol,
      side,
      quantity: Number(quantity),
      entry: `${entryPrice} on ${entryTime}`,
      exit: `${exitPrice} on ${exitTime}`,
      exit_reason: exitReason,
      net_pnl: Number(netPnl),
      percent,
      decided: opened.date,
      you_said_then: opened.text,
    };
    const waiting = [...(this.#waiting.get(opened.role) ?? []), outcome];
    this.#waiting.set(opened.role, waiting.slice(-MOST));
    const gain = Number(netPnl);
    const result = gain > 0 ? 'with a profit' : gain < 0 ? 'with a loss' : 'even';
    const who = opened.role === '' ? 'Decided' : `Decided by ${opened.role}`;
    const size = `${side} ${quantity} ${symbol}`;
    this.#toolkit.remember(
      turn,
      `Trade ${id} closed ${result}: ${size}, in at ${outcome.entry}, out at ${outcome.exit} (${exitReason}), net ${netPnl} (${percent} %). ${who} on ${opened.date}: ${opened.text}`,
    );
  }
}
