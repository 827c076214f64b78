import { type RestingOrder, typeOf } from './order.ts';
import type { State } from './state.ts';

/** Cancels orders whose last valid day has passed. */
export function expire(state: State): void {
  const { given, bar } = state;
  const [today, session] = [given.day(bar), given.tradingDay(bar)];
  for (const order of [...state.orders]) {
    const { timeInForce, goodTill } = order.ask;
    const first = firstBarAfter(state, order);
    const isOver =
      (timeInForce === 'GTD' && today > goodTill!) ||
      (timeInForce === 'DAY' && first < bar && session > given.tradingDay(first));
    if (isOver) state.cancel(order);
  }
}

/**
 * Called at the end of a bar. Counts the bar for each order that could have filled in it, and cancels orders
 * that have reached `validBars`.
 */
export function countBars(state: State): void {
  for (const order of [...state.orders]) {
    if (state.given.tradedBar(order.symbol, state.bar) === null || order.placedBar === state.bar) continue;
    order.bars += 1;
    if (order.bars === order.ask.validBars) state.cancel(order);
  }
}

/** Returns the first bar after an order was placed in which the order can fill. */
function firstBarAfter({ given, bar: now }: State, order: RestingOrder): number {
  let bar = order.placedBar + 1;
  const isForOpen = typeOf(order).endsWith('_on_open');
  const canFill = (at: number): boolean =>
    given.tradedBar(order.symbol, at) !== null && (!isForOpen || given.isOpening(at));
  while (bar < now && !canFill(bar)) bar += 1;
  return bar;
}
