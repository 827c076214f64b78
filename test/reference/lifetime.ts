import type { RestingOrder } from './order.ts';
import type { State } from './state.ts';

/** Takes back orders whose last day has passed. */
export function expire(state: State): void {
  const { given, bar } = state;
  const today = given.day(bar);
  for (const order of [...state.orders]) {
    const { timeInForce, goodTill } = order.ask;
    const first = firstBarAfter(state, order);
    const isOver =
      (timeInForce === 'GTD' && today > goodTill!) ||
      (timeInForce === 'DAY' && first < bar && today > given.day(first));
    if (isOver) state.cancel(order);
  }
}

/** At its end, a bar in which an order could have filled counts. */
export function countBars(state: State): void {
  for (const order of [...state.orders]) {
    if (state.given.tradedBar(order.symbol, state.bar) === null || order.placedBar === state.bar) continue;
    order.bars += 1;
    if (order.bars === order.ask.validBars) state.cancel(order);
  }
}

/** The first bar after its placing in which an order can fill. */
function firstBarAfter({ given, bar: now }: State, order: RestingOrder): number {
  let bar = order.placedBar + 1;
  while (bar < now && given.tradedBar(order.symbol, bar) === null) bar += 1;
  return bar;
}
