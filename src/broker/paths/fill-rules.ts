import type { Instant } from '../../kernel/index.ts';
import type { Filler } from '../matching/filler.ts';
import { moveTrail, withinLimit } from '../matching/triggers.ts';
import { becomesLimit, type RestingOrder, trails, triggerSide, waitsForClose } from '../orders/order.ts';
import type { PathVenue } from './path-venue.ts';

/** Inputs that are the same for all price paths within a bar. */
export interface StepTerms {
  readonly filler: Filler;
  /** True if a limit only fills when the price moves beyond it. */
  readonly through: boolean;
  /** Time of the current finer bar. `undefined` if the whole bar is matched. */
  readonly detailTime: Instant | undefined;
}

interface Touched {
  readonly order: RestingOrder;
  readonly side: 1 | -1;
  readonly touch: Touch;
}

/** True if a path that reaches this point affects any order. */
export function anyTouched(venue: PathVenue, point: Point, terms: StepTerms): boolean {
  return oldestTouched(venue, point, terms) !== undefined;
}

/** Applies the effects that a path has on all orders when it reaches a point, oldest order first. */
export function step(venue: PathVenue, point: Point, terms: StepTerms): void {
  venue.within(() => {
    // Each order is tried only once per point. Otherwise, the loop would never end for an order that cannot
    // fill for lack of volume.
    const tried = new Set<RestingOrder>();
    for (;;) {
      const next = oldestTouched(venue, point, terms, tried);
      if (next === undefined) return;
      const { order, side, touch } = next;
      if (touch.price === undefined) {
        order.triggered = true;
        continue;
      }
      tried.add(order);
      const { maker, slipsToLimit } = touch;
      const { detailTime } = terms;
      terms.filler.fill(
        venue,
        { order, side, price: touch.price },
        {
          maker,
          ...(slipsToLimit ? { slipsToLimit } : {}),
          ...(detailTime === undefined ? {} : { detailTime }),
        },
      );
    }
  });
}

function oldestTouched(
  venue: PathVenue,
  point: Point,
  { filler, through }: StepTerms,
  tried?: ReadonlySet<RestingOrder>,
): Touched | undefined {
  for (const order of venue.orders) {
    if (order.done || tried?.has(order)) continue;
    const side = filler.sideOf(venue, order);
    if (side === 0) continue;
    const touch = touchAt(order, side, point, through);
    // A triggered order whose remaining units only wait for volume is not affected again.
    if (touch !== undefined && !(order.triggered && order.type !== 'limit' && !becomesLimit(order.type)))
      return { order, side, touch };
  }
  return undefined;
}

/** Processes the orders for the close at the end of the path, with the remaining volume. */
export function endPath(venue: PathVenue, close: number, { filler, through }: StepTerms): void {
  venue.within(() => {
    for (const order of [...venue.orders]) {
      if (order.done || !waitsForClose(order.type)) continue;
      const side = filler.sideOf(venue, order, close);
      const isLimited = order.type === 'limit_on_close';
      if (side === 0) filler.withoutSide(venue, order);
      else if (!isLimited || withinLimit(side, close, order.limitPrice, through))
        filler.fill(venue, { order, side, price: close }, { maker: false });
      if (isLimited && !order.done)
        venue.cancel(order, 'on_close', 'The part that could not fill at the close is cancelled.');
    }
  });
}

/** Moves the trailing stops when a path reaches a price. */
export function trailTo(venue: PathVenue, price: number, { filler }: StepTerms): void {
  for (const order of venue.orders) {
    if (order.done || !trails(order.type)) continue;
    const side = filler.sideOf(venue, order);
    if (side !== 0) moveTrail(order, side, price, filler.tickOf(order.symbol));
  }
}

/** Position of a path: at a price (0), or just beyond the price on its way up (1) or down (−1). */
export interface Point {
  readonly price: number;
  readonly past: 1 | 0 | -1;
}

/** Effect of a path on an order at a point. */
interface Touch {
  /**
   * Price of the fill before slippage. `undefined` if the point only triggers the stop of a stop-limit,
   * without a fill.
   */
  readonly price: number | undefined;
  /** True if the order was already resting at this price before the path reached it. */
  readonly maker: boolean;
  /** True for a stop-limit that became marketable at its stop. Its fill has slippage, up to its limit. */
  readonly slipsToLimit: boolean;
}

/**
 * Returns the effect that a path has on an active order when it reaches a point. `undefined` without an
 * effect.
 *
 * @param through true if a limit only fills when the price moves beyond it
 */
function touchAt(order: RestingOrder, side: 1 | -1, point: Point, through: boolean): Touch | undefined {
  const { type, limitPrice, stopPrice } = order;
  if (type === 'limit') return limitTouch(limitPrice, side, point, through);
  if (type === 'stop' || type === 'trailing_stop' || type === 'market_if_touched') {
    if (!(triggerSide(type, side) * comparePoint(point, stopPrice) >= 0)) return undefined;
    return { price: point.price, maker: false, slipsToLimit: false };
  }
  if (!becomesLimit(type)) return undefined;
  if (order.triggered) return limitTouch(limitPrice, side, point, through);
  if (!(triggerSide(type, side) * comparePoint(point, stopPrice) >= 0)) return undefined;
  const touch = limitTouch(limitPrice, side, point, through);
  return touch === undefined
    ? { price: undefined, maker: false, slipsToLimit: false }
    : { ...touch, maker: false, slipsToLimit: true };
}

function limitTouch(limit: number, side: 1 | -1, point: Point, through: boolean): Touch | undefined {
  const beyond = side * comparePoint(point, limit);
  if (through ? beyond >= 0 : beyond > 0) return undefined;
  // An order whose limit was already reached when the order became active fills at the current price.
  return {
    price: side > 0 ? Math.min(limit, point.price) : Math.max(limit, point.price),
    maker: point.price === limit,
    slipsToLimit: false,
  };
}

/** Returns a negative number if a path's point is below `other`, 0 if at `other`, positive if above. */
function comparePoint({ price, past }: Point, other: number): number {
  return price === other ? past : price - other;
}
