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

/** One symbol's bar, or a finer one in its place. */
export interface Stage {
  readonly symbol: string;
  /** What is walked. */
  readonly bar: Bar;
  /** The bar of the run, whose range slippage ends at, and at whose close `market_on_close` fills. */
  readonly whole: Bar;
  /** A finer bar leaves what is for the close to the end of the whole. */
  readonly part: 'whole' | 'finer' | 'end';
}

/**
 * Fills what is executable at the open, across symbols: first what only reduces a position, then the rest, in each the
 * oldest first. A fill may make an older order executable: so again, until nothing more happens.
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

/** Orders from the oldest to the youngest, those among them that are created on the way. */
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

/** Whether the open does anything to an order: fills it, ends it, or touches its stop. */
function isDueAtOpen(state: State, order: RestingOrder, stages: readonly Stage[], isFiner: boolean): boolean {
  const stage = stages.find(({ symbol }) => symbol === order.symbol);
  if (stage === undefined || typeOf(order).endsWith('_on_close')) return false;
  // A market order is for the open of the bar; what volume leaves of it waits for the next one.
  const isForAuction = typeOf(order).endsWith('_on_open');
  if (isFiner && (typeOf(order) === 'market' || isForAuction)) return false;
  if (isForAuction && !state.given.isOpening(state.bar)) return false;
  const side = sideOf(state, order, stage.bar.open);
  // What has nothing to close or to reach ends at the open of the bar itself.
  if (side === undefined || isImmediate(order)) return !isFiner;
  const { tick } = state.given.instrument(order.symbol);
  const { open } = stage.bar;
  if (priceAtOpen(order, side, open, tick, state.given.terms) !== undefined) return true;
  if (wouldTake(state, order, side, stage.bar, isFiner)) return true;
  return turnsLimit(order) && !order.triggered && isTriggerReached(order, side, at(open), tick);
}

/** Whether a post-only order meets its price at the first open it is shown to. */
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

/** Whether an order would close and not open. */
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

/** Does what the orders of a symbol do where the path is now, the oldest first. */
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
    // What it did may concern an older order: a position to close that was not there before.
    if (happened(state) > before) done.clear();
  }
}

const happened = ({ fills, refusals, cancels }: State): number =>
  fills.length + refusals.length + cancels.length;

/** Points inside the bar where something can happen to the orders as they are. */
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

/** Moves the levels of trailing stops after a price. */
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

/** What is for the close, at the end of a path. */
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

/** With `fillOn: close`: market orders that were just placed fill at the close they were decided on. */
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

/** Walks straight to a price, doing what comes on the way. */
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
