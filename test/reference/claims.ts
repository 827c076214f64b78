import { claimAt, sideOf } from './fill.ts';
import {
  isTrail,
  isWoken,
  limitOf,
  type RestingOrder,
  stopOf,
  trailFrom,
  turnsLimit,
  typeOf,
} from './order.ts';
import type { Stage } from './path.ts';
import { Rational, ZERO } from './rational.ts';
import { freePower } from './sizing.ts';
import type { Inside, State, Wanted } from './state.ts';

/**
 * Distributes buying power among orders that may fill inside the bars of one instant. Available is the buying
 * power after the fills at the open. Orders claim it in the order of their ids. Symbols are processed one
 * after another, beginning with the symbol whose oldest order in reach has the smallest id.
 */
export class Claims {
  readonly order: readonly Stage[];
  readonly #power: Rational;
  readonly #equity: Rational;
  readonly #wanted: readonly Wanted[];
  readonly #units = new Map<string, Rational>();
  #claimed = ZERO;
  readonly #decided = new Set<string>();

  constructor(state: State, stages: readonly Stage[]) {
    const { account, given } = state;
    const reach = (stage: Stage): RestingOrder[] =>
      state.orders.filter((one) => isInReach(state, one, stage));
    const oldest = (stage: Stage): number => reach(stage)[0]?.id ?? Number.MAX_SAFE_INTEGER;
    this.order = [...stages].sort((one, other) => oldest(one) - oldest(other));
    this.#power = freePower(account, Rational.of(given.terms.leverage ?? 1));
    this.#equity = account.equity();
    this.#wanted = stages.flatMap((stage) => reach(stage).map((order) => wantedBy(state, order, stage)));
    for (const symbol of given.symbols) this.#units.set(symbol, account.position(symbol));
  }

  begin(state: State, { symbol }: Stage): Inside {
    return {
      power: this.#power,
      equity: this.#equity,
      begun: state.account.equity(),
      claimed: this.#claimed,
      lastClaim: 0,
      others: this.#wanted.filter((one) => one.symbol !== symbol && !this.#decided.has(one.symbol)),
      units: new Map(this.#units),
    };
  }

  /**
   * Records the booked outcome of a symbol. Its claims remain. Its position counts as larger if it has grown,
   * but not as smaller if it has shrunk.
   */
  end({ inside, account }: State, { symbol }: Stage): void {
    this.#decided.add(symbol);
    this.#claimed = inside!.claimed;
    const units = account.position(symbol);
    if (units.abs().isAbove(this.#units.get(symbol)!.abs())) this.#units.set(symbol, units);
  }
}

/**
 * Returns true if a price of an order is inside the bar, so that the order could fill or be triggered there.
 */
export function isInReach(state: State, order: RestingOrder, { symbol, bar, part }: Stage): boolean {
  if (order.symbol !== symbol) return false;
  const type = typeOf(order);
  if (type.endsWith('_on_close')) return part !== 'finer' && state.given.isClosing(state.bar);
  if (part === 'end' || type === 'market' || type.endsWith('_on_open')) return false;
  const side = sideOf(state, order);
  const { tick } = state.given.instrument(symbol);
  const isIn = (price: Rational): boolean => !price.isBelow(bar.low) && !price.isAbove(bar.high);
  if (!isTrail(order) || (order.triggered && turnsLimit(order))) {
    const rounding = side ?? 'buy';
    const { limitPrice, limitOffset, stopPrice } = order.ask;
    const prices = [
      ...(limitPrice === undefined && limitOffset === undefined ? [] : [limitOf(order, rounding, tick)]),
      ...(stopPrice === undefined && order.level === undefined ? [] : [stopOf(order, rounding, tick)]),
    ];
    return prices.some(isIn);
  }
  if (side === undefined) return true;
  if (order.level === undefined) return isWoken(order, side, side === 'buy' ? bar.low : bar.high);
  const furthest = trailFrom(order, side, side === 'buy' ? bar.low : bar.high);
  return side === 'buy'
    ? !bar.high.isBelow(furthest) || !bar.high.isBelow(order.level)
    : !bar.low.isAbove(furthest) || !bar.low.isAbove(order.level);
}

function wantedBy(state: State, order: RestingOrder, { whole }: Stage): Wanted {
  const { id, symbol, ask } = order;
  const { tick } = state.given.instrument(symbol);
  const side = sideOf(state, order, typeOf(order).endsWith('_on_close') ? whole.close : undefined);
  const nothing = { id, symbol, group: ask.group, amount: ZERO };
  if (side === undefined) return nothing;
  const price =
    ask.limitPrice !== undefined || (ask.limitOffset !== undefined && order.level !== undefined)
      ? limitOf(order, side, tick)
      : typeOf(order) === 'market_on_close' || (isTrail(order) && order.level === undefined)
        ? whole.close
        : stopOf(order, side, tick);
  return { ...nothing, amount: claimAt(state, order, side, price) };
}
