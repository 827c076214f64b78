import type { Draw } from './draw.ts';
import type { PathCase } from './one-bar.ts';

/**
 * Second check of the worst and best equity of a bar, independent of the search over all price paths. Random
 * curves move through a bar in steps of half a point. Every order is checked at every step. Floating-point
 * numbers are exact here, because all prices are multiples of 0.5.
 */

const STEP = 0.5;
const UNITS = 10;

interface Resting {
  readonly id: number;
  readonly sign: 1 | -1;
  kind: 'market' | 'limit' | 'stop' | 'stop_limit';
  price: number;
  readonly limit: number;
  readonly group: string | undefined;
  readonly exits: readonly { kind: 'limit' | 'stop'; price: number }[];
  /** Id of the entry whose position this exit closes. `undefined` for an entry. */
  readonly parent: number | undefined;
}

/**
 * Returns the prices of a random curve from the open to the close. The curve passes random points, the low
 * and the high.
 */
export function randomCurve({ bar: [open, high, low, close], orders }: PathCase, draw: Draw): number[] {
  const levels = orders.flatMap(({ price, limit, sl, tp }) => [price, limit, sl, tp]);
  const inside = levels.filter((level) => level !== undefined && level >= low && level <= high) as number[];
  const anywhere = (): number =>
    inside.length > 0 && draw.chance(0.6)
      ? draw.one(inside)
      : low + draw.whole(0, (high - low) / STEP) * STEP;
  const waypoints = Array.from({ length: draw.one([0, 0, 1, 2, 3, 5]) }, anywhere);
  for (const extreme of draw.chance(0.5) ? [low, high] : [high, low])
    waypoints.splice(draw.whole(0, waypoints.length), 0, extreme);
  const curve = [open];
  for (const waypoint of [...waypoints, close]) {
    let here = curve.at(-1)!;
    while (here !== waypoint) {
      here += here < waypoint ? STEP : -STEP;
      curve.push(here);
    }
  }
  return curve;
}

/** Returns the equity at the end of a curve, beginning with 100,000 in cash and no position. */
export function equityAlong({ orders }: PathCase, curve: readonly number[]): number {
  let cash = 100_000;
  let position = 0;
  let nextId = orders.length + 1;
  /** Lots, oldest first: id of the order that opened the lot, and signed units. */
  const lots: { parent: number; units: number }[] = [];
  let resting: Resting[] = orders.map((order, index) => ({
    id: index + 1,
    sign: order.side === 'buy' ? 1 : -1,
    kind: order.type,
    price: order.price ?? 0,
    limit: order.limit ?? order.price ?? 0,
    group: order.group,
    exits: [
      ...(order.sl === undefined ? [] : [{ kind: 'stop' as const, price: order.sl }]),
      ...(order.tp === undefined ? [] : [{ kind: 'limit' as const, price: order.tp }]),
    ],
    parent: undefined,
  }));

  const openedBy = (parent: number): number =>
    lots.filter((lot) => lot.parent === parent).reduce((total, { units }) => total + Math.abs(units), 0);

  const trade = (order: Resting, price: number): void => {
    let left = order.parent === undefined ? UNITS : openedBy(order.parent);
    cash -= order.sign * left * price;
    position += order.sign * left;
    while (left > 0 && lots.some(({ units }) => units * order.sign < 0)) {
      const own = lots.findIndex(({ parent }) => parent === order.parent);
      const lot = lots[Math.max(own, 0)]!;
      const part = Math.min(left, Math.abs(lot.units));
      lot.units += order.sign * part;
      left -= part;
      if (lot.units === 0) lots.splice(lots.indexOf(lot), 1);
    }
    if (left > 0) lots.push({ parent: order.id, units: order.sign * left });
    resting = resting.filter(
      (one) => one !== order && (order.group === undefined || one.group !== order.group),
    );
    if (left > 0) {
      for (const exit of order.exits)
        resting.push({
          id: nextId++,
          sign: order.sign === 1 ? -1 : 1,
          ...exit,
          limit: exit.price,
          group: undefined,
          exits: [],
          parent: order.id,
        });
    }
    resting = resting.filter(({ parent }) => parent === undefined || openedBy(parent) > 0);
  };

  const isMet = ({ kind, price, sign }: Resting, here: number): boolean => {
    if (kind === 'market') return true;
    return kind === 'limit' ? (here - price) * sign <= 0 : (here - price) * sign >= 0;
  };

  for (const [step, here] of curve.entries()) {
    // At the open, orders that reduce a position fill before other orders.
    const next = (): Resting | undefined => {
      const met = resting.filter((order) => isMet(order, here));
      return (step === 0 ? met.find(({ sign }) => sign * position < 0) : undefined) ?? met[0];
    };
    for (let order = next(); order !== undefined; order = next()) {
      if (order.kind === 'stop_limit') {
        order.kind = 'limit';
        order.price = order.limit;
      } else trade(order, here);
    }
  }
  return cash + position * curve.at(-1)!;
}
