import { isInReach } from './claims.ts';
import { isTrail, type RestingOrder, typeOf } from './order.ts';
import { arrive, fillOnClose, moveTo, pointsAhead, type Stage } from './path.ts';
import { at, compare, type Point } from './prices.ts';
import type { Rational } from './rational.ts';
import type { State } from './state.ts';

/** Outcome of a bar along one price path. */
export interface Ending {
  readonly state: State;
  /**
   * Cash plus value of this symbol's position at the close. Other positions are omitted, because they are
   * equal on all price paths.
   */
  readonly equity: Rational;
  readonly position: Rational;
}

/**
 * `exact`: all possible price paths of a bar. `canonical`: only the two paths open, high, low, close and
 * open, low, high, close, for a bar with a trailing stop.
 */
type Bounds = 'exact' | 'canonical';

export interface Endings {
  readonly bounds: Bounds;
  readonly all: readonly Ending[];
}

/** Returns all possible outcomes of a bar for the orders of its symbol, from its open to its close. */
export function endingsOf(state: State, stage: Stage): Endings {
  if (stage.part === 'end') return { bounds: 'exact', all: [ending(state.copy(), stage)] };
  const hasTrailing = state.orders.some(
    (order) =>
      order.symbol === stage.symbol &&
      ((isTrail(order) && !order.triggered) || (hasTrailingExit(order) && isInReach(state, order, stage))),
  );
  return hasTrailing
    ? { bounds: 'canonical', all: byTwoPaths(state, stage) }
    : { bounds: 'exact', all: byEveryPath(state, stage) };
}

/** Returns true if a fill of the order inside the bar would create a trailing stop loss. */
function hasTrailingExit(order: RestingOrder): boolean {
  const { stopLoss } = order.ask;
  const trailing = typeof stopLoss === 'object' && !('price' in stopLoss) && stopLoss.trail === true;
  return trailing && !typeOf(order).endsWith('_on_close');
}

function ending(state: State, stage: Stage): Ending {
  const { symbol, bar, whole, part } = stage;
  if (part !== 'finer') fillOnClose(state, stage);
  const { account } = state;
  const position = account.position(symbol);
  const value = account.valueAt(symbol, part === 'finer' ? bar.close : whole.close);
  return { state, position, equity: account.cash.plus(value) };
}

function byTwoPaths(state: State, stage: Stage): Ending[] {
  const [open, high, low, close] = [
    at(stage.bar.open),
    at(stage.bar.high),
    at(stage.bar.low),
    at(stage.bar.close),
  ];
  return [
    [high, low],
    [low, high],
  ].map(([first, second]) => {
    const moved = state.copy();
    moveTo(moved, stage, open, first!);
    moveTo(moved, stage, first!, second!);
    moveTo(moved, stage, second!, close);
    return ending(moved, stage);
  });
}

/**
 * First part of a price path: its last point, true for each extreme of the bar that it has reached, and the
 * resulting state.
 */
interface Curve {
  readonly point: Point;
  readonly touchedHigh: boolean;
  readonly touchedLow: boolean;
  readonly state: State;
}

/**
 * Returns the outcomes of all continuous price paths. Paths differ only in the order of the points at which
 * something can happen. From each point, a path continues to the next point above or below. A path may end at
 * the close after it has reached the high and the low. Of several paths with the same point and the same past
 * events, only one is continued.
 */
function byEveryPath(state: State, stage: Stage): Ending[] {
  const { open, high, low, close } = stage.bar;
  const endings: Ending[] = [];
  const seen = new Set<string>();
  const waiting: Curve[] = [];
  const reach = (before: Curve, point: Point): void => {
    const moved = before.state.copy();
    arrive(moved, stage, point);
    const curve = {
      point,
      touchedHigh: before.touchedHigh || compare(point, at(high)) === 0,
      touchedLow: before.touchedLow || compare(point, at(low)) === 0,
      state: moved,
    };
    const key = keyOf(curve);
    if (seen.has(key)) return;
    seen.add(key);
    waiting.push(curve);
  };
  reach({ point: at(open), touchedHigh: false, touchedLow: false, state }, at(open));
  for (let curve = waiting.pop(); curve !== undefined; curve = waiting.pop()) {
    const { point, touchedHigh, touchedLow } = curve;
    if (touchedHigh && touchedLow && compare(point, at(close)) === 0)
      endings.push(ending(curve.state.copy(), stage));
    const marks = [at(high), at(low), at(close), ...pointsAhead(curve.state, stage)];
    const above = marks.filter((mark) => compare(mark, point) > 0).sort(compare);
    const below = marks.filter((mark) => compare(mark, point) < 0).sort(compare);
    if (above[0] !== undefined) reach(curve, above[0]);
    const next = below.at(-1);
    if (next !== undefined) reach(curve, next);
  }
  return endings;
}

/**
 * Returns a key of the first part of a path. Paths with the same key have the same possible continuations.
 */
function keyOf({ point, touchedHigh, touchedLow, state }: Curve): string {
  const { fills, refusals, cancels, orders } = state;
  return JSON.stringify([
    String(point.price),
    point.beyond,
    touchedHigh,
    touchedLow,
    fills.map(({ order, quantity, price }) => [order, String(quantity), String(price)]),
    refusals,
    cancels,
    orders.map(({ id, triggered }) => [id, triggered]),
  ]);
}
