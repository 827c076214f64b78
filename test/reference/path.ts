import { endWithoutSide, fill, sideOf, sizeNow } from './fill.ts';
import { isTrail, isWoken, limitOf, type RestingOrder, trailFrom, turnsLimit, typeOf } from './order.ts';
import {
  at,
  compare,
  isAtLimit,
  isInside,
  isTriggerReached,
  type Point,
  pointsOf,
  priceAtOpen,
  priceOnTheWay,
} from './prices.ts';
import { larger, Rational, smaller } from './rational.ts';
import type { State } from './state.ts';
import type { Bar, Side } from './types.ts';

/**
 * Bar of a symbol that is processed: a bar of the run, or a finer bar (of a shorter interval) that is part of
 * it.
 */
export interface Stage {
  readonly symbol: string;
  /** Bar along whose price path orders are filled. */
  readonly bar: Bar;
  /**
   * Bar of the run that contains `bar`. Slippage stays inside its range, and `market_on_close` orders fill at
   * its close.
   */
  readonly whole: Bar;
  /**
   * `whole`: a bar of the run without finer bars. `finer`: a finer bar. `end`: the end of a bar with finer
   * bars, at which only orders for the close fill.
   */
  readonly part: 'whole' | 'finer' | 'end';
}

/**
 * Fills the orders of all symbols that are executable at the open. Orders that only reduce a position come
 * first, then all others, each from oldest to newest. A fill may make an older order executable, so this is
 * repeated until nothing changes.
 */
export function fillAtOpen(state: State, stages: readonly Stage[], isFiner = false): void {
  for (let before = -1; happened(state) > before; ) {
    before = happened(state);
    for (const isDue of [isReducing, () => true]) {
      for (const order of inTurn(state)) {
        if (isDueAtOpen(state, order, stages, isFiner) && isDue(state, order, stages))
          atOpen(state, order, stageOf(order, stages));
      }
    }
  }
}

/** Yields orders from oldest to newest, including orders that are created meanwhile. */
function* inTurn(state: State): Generator<RestingOrder> {
  for (let last = 0; ; ) {
    const next = state.orders.find(({ id }) => id > last);
    if (next === undefined) return;
    last = next.id;
    yield next;
  }
}

const stageOf = ({ symbol }: RestingOrder, stages: readonly Stage[]): Stage =>
  stages.find((stage) => stage.symbol === symbol)!;

const isImmediate = ({ ask }: RestingOrder): boolean =>
  ask.type === 'limit_on_open' || ask.timeInForce === 'IOC' || ask.timeInForce === 'FOK';

/** Returns true if the open fills an order, ends it or triggers its stop. */
function isDueAtOpen(state: State, order: RestingOrder, stages: readonly Stage[], isFiner: boolean): boolean {
  const stage = stages.find(({ symbol }) => symbol === order.symbol);
  if (stage === undefined || typeOf(order).endsWith('_on_close')) return false;
  // A market order fills only at the open of a bar of the run, not of a finer bar. Units for which volume is
  // missing wait for the next bar.
  const isForAuction = typeOf(order).endsWith('_on_open');
  if (isFiner && (typeOf(order) === 'market' || isForAuction)) return false;
  if (isForAuction && !state.given.isOpening(state.bar)) return false;
  const side = sideOf(state, order, stage.bar.open);
  // Orders with nothing to trade, and orders that must fill immediately, end at the open of a bar of the run.
  if (side === undefined || isImmediate(order)) return !isFiner;
  const { tick } = state.given.instrument(order.symbol);
  const { open } = stage.bar;
  if (priceAtOpen(order, side, open, tick, state.given.terms) !== undefined) return true;
  if (wouldTake(state, order, side, stage.bar, isFiner)) return true;
  return turnsLimit(order) && !order.triggered && isTriggerReached(order, side, at(open), tick);
}

/** Returns true if a post-only order could fill immediately at its first open. It is then rejected. */
function wouldTake(
  state: State,
  { ask, bars, symbol }: RestingOrder,
  side: Side,
  { open }: Bar,
  isFiner: boolean,
): boolean {
  if (ask.postOnly !== true || isFiner || bars > 0) return false;
  const { tick } = state.given.instrument(symbol);
  const asked = Rational.of(ask.limitPrice!);
  const limit = tick === undefined ? asked : side === 'buy' ? asked.downTo(tick) : asked.upTo(tick);
  return side === 'buy' ? !open.isAbove(limit) : !open.isBelow(limit);
}

/** Returns true if an order would close units and open none. */
function isReducing(state: State, order: RestingOrder, stages: readonly Stage[]): boolean {
  const { bar, whole } = stageOf(order, stages);
  const size = sizeNow(state, order, bar.open, whole);
  return typeof size === 'object' && size.opening.isZero() && !size.closing.isZero();
}

function atOpen(state: State, order: RestingOrder, { bar, whole, part }: Stage): void {
  const side = sideOf(state, order, bar.open);
  if (side === undefined) {
    endWithoutSide(state, order);
    return;
  }
  const { tick } = state.given.instrument(order.symbol);
  if (wouldTake(state, order, side, bar, part !== 'whole')) {
    state.refuse(order, 'post_only');
    return;
  }
  const rule = priceAtOpen(order, side, bar.open, tick, state.given.terms);
  if (rule !== undefined) fill(state, order, side, rule, whole);
  else if (turnsLimit(order) && isTriggerReached(order, side, at(bar.open), tick)) order.triggered = true;
  if (isImmediate(order) && state.orders.includes(order)) state.cancel(order);
}

/** Processes the orders of a symbol at a point of the price path, oldest first. */
export function arrive(state: State, { symbol, whole }: Stage, point: Point): void {
  const done = new Set<number>();
  for (;;) {
    const next = state.orders.find((order) => order.symbol === symbol && !done.has(order.id));
    if (next === undefined) return;
    done.add(next.id);
    const side = sideOf(state, next);
    if (side === undefined) continue;
    const { tick } = state.given.instrument(symbol);
    const rule = priceOnTheWay(next, side, point, tick, state.given.terms);
    if (rule === undefined) continue;
    const before = happened(state);
    if (rule === 'touched') next.triggered = true;
    else fill(state, next, side, rule, whole);
    // A fill may affect an older order, for example because there is now a position to close. All orders are
    // then processed again.
    if (happened(state) > before) done.clear();
  }
}

const happened = ({ fills, refusals, cancels }: State): number =>
  fills.length + refusals.length + cancels.length;

/** Returns the points inside the bar at which one of the current orders could fill or be triggered. */
export function pointsAhead(state: State, { symbol, bar }: Stage): Point[] {
  const { tick } = state.given.instrument(symbol);
  return state.orders
    .filter((order) => order.symbol === symbol)
    .flatMap((order) => {
      const side = sideOf(state, order);
      return side === undefined ? [] : pointsOf(order, side, tick, state.given.terms);
    })
    .filter((point) => isInside(bar, point));
}

/** Moves the levels of trailing stops according to a price. */
function trail(state: State, { symbol }: Stage, { price }: Point): void {
  for (const order of state.orders) {
    if (order.symbol !== symbol || !isTrail(order) || order.triggered) continue;
    const side = sideOf(state, order);
    if (side === undefined || (order.level === undefined && !isWoken(order, side, price))) continue;
    const level = trailFrom(order, side, price);
    const { level: before = level } = order;
    order.level = side === 'sell' ? larger(level, before) : smaller(level, before);
  }
}

/** Fills orders for the close (`market_on_close` and `limit_on_close`) at the end of a price path. */
export function fillOnClose(state: State, { symbol, whole }: Stage): void {
  if (!state.given.isClosing(state.bar)) return;
  for (const { id } of state.orders.filter((one) => one.symbol === symbol)) {
    const order = state.order(id);
    if (order === undefined || !typeOf(order).endsWith('_on_close')) continue;
    const side = sideOf(state, order, whole.close);
    if (side === undefined) {
      endWithoutSide(state, order);
      continue;
    }
    const isLimit = typeOf(order) === 'limit_on_close';
    const { tick } = state.given.instrument(symbol);
    const isMet = isAtLimit(limitOf(order, side, tick), side, at(whole.close), state.given.terms);
    if (!isLimit || isMet) fill(state, order, side, { price: whole.close, isLimit, isMaker: false }, whole);
    if (isLimit && state.orders.includes(order)) state.cancel(order);
  }
}

/**
 * With the setting `fillOn: close`, fills market orders at the close of the bar on which they were placed.
 */
export function fillAtClose(state: State, stages: readonly Stage[]): void {
  const done = new Set<number>();
  for (;;) {
    const due = state.orders.filter(
      (order) =>
        !done.has(order.id) &&
        order.placedBar === state.bar &&
        typeOf(order) === 'market' &&
        order.liquidation === undefined &&
        stages.some(({ symbol }) => symbol === order.symbol),
    );
    const [order] = due;
    if (order === undefined) return;
    done.add(order.id);
    const { whole } = stages.find(({ symbol }) => symbol === order.symbol)!;
    const side = sideOf(state, order, whole.close);
    if (side === undefined) endWithoutSide(state, order);
    else fill(state, order, side, { price: whole.close, isLimit: false, isMaker: false }, whole);
    if (isImmediate(order) && state.orders.includes(order)) state.cancel(order);
  }
}

/** Moves straight to a price, and processes orders at every point on the way. */
export function moveTo(state: State, stage: Stage, from: Point, to: Point): void {
  const direction = Math.sign(compare(to, from));
  let here = from;
  for (;;) {
    trail(state, stage, here);
    arrive(state, stage, here);
    const ahead = [...pointsAhead(state, stage), to]
      .filter((point) => compare(point, here) * direction > 0 && compare(to, point) * direction >= 0)
      .sort((one, other) => compare(one, other) * direction);
    const [next] = ahead;
    if (next === undefined) return;
    here = next;
  }
}
