import type { Instant } from '../../kernel/index.ts';
import type { Filler } from '../filler.ts';
import type { RestingOrder } from '../order.ts';
import { becomesLimit, trails, waitsForClose } from '../order-kinds.ts';
import { moveTrail, withinLimit } from '../triggers.ts';
import type { PathVenue } from './path-venue.ts';
import { type Point, type Touch, touchAt } from './point.ts';

/** Inputs that the steps of all paths share. */
export interface StepTerms {
  readonly filler: Filler;
  /** True if a limit only fills when the price moves beyond it. */
  readonly through: boolean;
  /** Time of the current finer bar. */
  readonly detailTime: Instant | undefined;
}

interface Touched {
  readonly order: RestingOrder;
  readonly side: 1 | -1;
  readonly touch: Touch;
}

/** True if any order is affected at a point. */
export function anyTouched(venue: PathVenue, point: Point, terms: StepTerms): boolean {
  return oldestTouched(venue, point, terms) !== undefined;
}

/** Applies the effects of a point on all orders, oldest first. */
export function step(venue: PathVenue, point: Point, terms: StepTerms): void {
  venue.within(() => {
    // Each order is tried once per point, because the volume may be used up.
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
    // An order that only waits for volume has already been touched.
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
        venue.cancel(order, 'on_close', 'What could not fill at the close is cancelled.');
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
