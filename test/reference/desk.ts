import { amountFault } from './acceptance.ts';
import { isList, rangeAt } from './fill.ts';
import { exitPrice, isTrail, isWoken, limitOf, type RestingOrder, stopOf, trailFrom } from './order.ts';
import { projectedUnits, prospectFault } from './prospect.ts';
import { larger, Rational, smaller, ZERO } from './rational.ts';
import type { State } from './state.ts';
import type { Ask, Side, Step } from './types.ts';

/** Executes the steps of a test case: submits, cancels and replaces orders. Steps refer to orders by name. */
export class Desk {
  readonly #numbers = new Map<string, number>();

  do(state: State, step: Step): void {
    if ('submit' in step) {
      this.#submit(state, step.submit, step.name);
      return;
    }
    const name = 'cancel' in step ? step.cancel : step.replace;
    const order = state.order(this.#numbers.get(name) ?? -1);
    if ('cancel' in step) {
      if (order !== undefined) state.cancel(order);
    } else if (order === undefined || order.exit !== undefined) state.refuseNew('unknown_order');
    else this.#replace(state, order, step.replace, step.changes);
  }

  /**
   * Replaces an order if the new order can be accepted. The check ignores the old order. Unless `changes`
   * contains an amount, a partly filled order is replaced by its unfilled rest.
   */
  #replace(state: State, order: RestingOrder, name: string, changes: Partial<Ask>): void {
    const left =
      order.ask.action === 'buy' || order.ask.action === 'sell'
        ? order.sized?.minus(order.filled)
        : undefined;
    const { quantity: _, notional: __, equityFraction: ___, ...rest } = order.ask;
    const ask: Ask = {
      ...(left === undefined ? order.ask : { ...rest, quantity: String(left) }),
      ...changes,
    };
    const resting = state.orders;
    state.orders = resting.filter((one) => one !== order);
    const code = faultOf(state, ask, order.symbol);
    state.orders = resting;
    if (code !== undefined) {
      state.refuseNew(code);
      return;
    }
    state.cancel(order);
    this.#submit(state, ask, name);
    const placed = state.orders.at(-1)!;
    if (placed.symbol === order.symbol && placed.ask.action === order.ask.action) placed.entry = order.entry;
  }

  #submit(state: State, ask: Ask, name: string): void {
    const symbol = ask.symbol ?? state.given.symbols[0]!;
    const code = faultOf(state, ask, symbol);
    if (code !== undefined) {
      state.refuseNew(code);
      return;
    }
    const side = sideToCome(state, ask, symbol);
    const order = state.newOrder(ask, symbol);
    this.#numbers.set(name, order.id);
    const close = state.account.mark(symbol);
    if (isTrail(order) && isWoken(order, side, close)) order.level = trailFrom(order, side, close);
    state.orders.push(order);
  }
}

/** Returns the side on which an order will trade after the market orders before it have filled. */
function sideToCome(state: State, { action }: Ask, symbol: string): Side {
  if (action === 'buy' || action === 'sell') return action;
  const units = projectedUnits(symbol, state.orders, state.account, state.given.instrument(symbol));
  return units.sign() < 0 ? 'buy' : 'sell';
}

function faultOf(state: State, ask: Ask, symbol: string): string | undefined {
  const { given, account, bar } = state;
  const { postOnly, timeInForce } = ask;
  if (postOnly === true && (timeInForce === 'IOC' || timeInForce === 'FOK' || ask.type !== 'limit'))
    return 'bad_order';
  if (!given.symbols.includes(symbol)) return 'unknown_symbol';
  if (!account.marks.has(symbol)) return 'no_price';
  if (state.delisted.has(symbol)) return 'delisted';
  const fault = amountFault(ask);
  if (fault !== undefined) return fault;
  const nothing = { filled: ZERO, billed: ZERO, value: ZERO, charged: ZERO };
  const order = { id: 0, entry: 0, ask, symbol, placedBar: bar, bars: 0, ...nothing, triggered: false };
  const prospect = prospectFault(order, state);
  const wrong = prospect ?? exitFault(state, order, false);
  if (wrong !== undefined) return wrong;
  if (order.ask.postOnly === true && takesAtClose(state, order)) return 'post_only';
  return exitFault(state, order, true);
}

/** Returns true if the last close already reaches the limit of a post-only order. */
function takesAtClose(state: State, order: RestingOrder): boolean {
  const side = sideToCome(state, order.ask, order.symbol);
  const limit = limitOf(order, side, state.given.instrument(order.symbol).tick);
  const close = state.account.mark(order.symbol);
  return side === 'buy' ? !close.isAbove(limit) : !close.isBelow(limit);
}

/**
 * Returns `bad_price` if an exit is on the wrong side of its entry. With `ranges`, also if its average true
 * range is not known yet.
 */
function exitFault(state: State, order: RestingOrder, ranges: boolean): string | undefined {
  const { ask, symbol } = order;
  const entry = entryOf(order, state.account.mark(symbol), state.given.instrument(symbol).tick);
  const range = (length: number): Rational | undefined => rangeAt(state, order, length);
  const away = ask.action === 'sell' ? -1 : 1;
  const { takeProfit } = ask;
  const profits = takeProfit === undefined ? [] : isList(takeProfit) ? takeProfit : [takeProfit];
  for (const [exit, direction] of [
    [ask.stopLoss, -away],
    ...profits.map((one) => [one, away] as const),
  ] as const) {
    if (exit === undefined) continue;
    const price = exitPrice(exit, entry, direction, range);
    const isPrice = typeof exit !== 'object' || 'price' in exit;
    if (price === undefined ? ranges : isPrice && price.minus(entry).sign() !== direction) return 'bad_price';
  }
  return undefined;
}

/**
 * Returns the price at which an entry is expected: its limit, stop or trailing stop. The last close for an
 * order without such a price.
 */
function entryOf(order: RestingOrder, close: Rational, tick: Rational | undefined): Rational {
  const { ask } = order;
  const { limitPrice, stopPrice, trailAmount, trailFraction } = ask;
  const side = ask.action === 'sell' ? 'sell' : 'buy';
  if (trailAmount !== undefined || trailFraction !== undefined) {
    const from = isWoken(order, side, close) ? close : Rational.of(ask.activationPrice!);
    return trailFrom({ ask }, side, from);
  }
  if (limitPrice === undefined && stopPrice === undefined) return close;
  if (limitPrice === undefined) return stopOf(order, side, tick);
  if (stopPrice === undefined) return limitOf(order, side, tick);
  const [limit, stop] = [limitOf(order, side, tick), stopOf(order, side, tick)];
  // A stop-limit order enters at its stop if the limit allows this price, otherwise at its limit.
  return side === 'buy' ? smaller(limit, stop) : larger(limit, stop);
}
