import { typeOf } from './order.ts';
import type { Ending } from './paths.ts';
import type { Rational } from './rational.ts';
import type { BookedFill } from './state.ts';

/**
 * Outcome of a bar that is booked, with the lowest (`worse`) and highest (`better`) equity over all price
 * paths.
 */
export interface Choice {
  readonly booked: Ending;
  readonly worse: Rational;
  readonly better: Rational;
  /** True if different price paths of the bar give different fills. */
  readonly isAmbiguous: boolean;
  /**
   * Fills of the booked outcome, after the open, that are missing from the outcome of at least one price
   * path.
   */
  readonly ambiguous: ReadonlySet<BookedFill>;
}

/**
 * Selects the outcome that is booked from the outcomes of all price paths.
 *
 * @param already number of the bar's fills at the open, which are equal on all price paths
 * @param resolve `worst` books the outcome with the lowest equity, `best` the one with the highest
 */
export function choose(
  endings: readonly Ending[],
  already: number,
  resolve: 'worst' | 'best' = 'worst',
): Choice {
  const inOrder = [...endings].sort((one, other) => byPreference(one, other, resolve));
  const booked = inOrder[0]!;
  const byEquity = [...endings].sort((one, other) => one.equity.minus(other.equity).sign());
  const sets = endings.map(({ state }) => new Set(state.fills.slice(already).map(sameness)));
  const ambiguous = new Set(
    booked.state.fills.slice(already).filter((fill) => sets.some((set) => !set.has(sameness(fill)))),
  );
  const texts = new Set(sets.map((set) => [...set].sort().join('; ')));
  return {
    booked,
    worse: byEquity[0]!.equity,
    better: byEquity.at(-1)!.equity,
    isAmbiguous: texts.size > 1,
    ambiguous,
  };
}

/** Returns a key of a fill. Two fills count as equal if order, price and quantity are equal. */
const sameness = ({ identity, price, quantity }: BookedFill): string => `${identity} ${quantity} @ ${price}`;

function byPreference(one: Ending, other: Ending, resolve: 'worst' | 'best'): number {
  const poorer = one.equity.minus(other.equity).sign();
  return (
    (resolve === 'worst' ? poorer : -poorer) ||
    one.position.abs().minus(other.position.abs()).sign() ||
    byOrders(one, other) ||
    touchedStops(other) - touchedStops(one)
  );
}

/** Returns the number of resting orders whose stop was triggered but could not fill for lack of volume. */
const touchedStops = ({ state }: Ending): number =>
  state.orders.filter((order) => order.triggered && typeOf(order) !== 'limit').length;

/**
 * Compares outcomes by their fills: first by order ids, then by prices, then by quantities. Smaller values
 * come first.
 */
function byOrders(one: Ending, other: Ending): number {
  const [left, right] = [one.state.fills, other.state.fills];
  return (
    inTurn(left, right, (fill, twin) => fill.order - twin.order) ||
    inTurn(left, right, (fill, twin) => fill.price.minus(twin.price).sign()) ||
    inTurn(left, right, (fill, twin) => fill.quantity.minus(twin.quantity).sign())
  );
}

/** Compares two lists of fills item by item. If all common items are equal, the shorter list comes first. */
function inTurn(
  left: readonly BookedFill[],
  right: readonly BookedFill[],
  compare: (one: BookedFill, other: BookedFill) => number,
): number {
  for (const [index, fill] of left.entries()) {
    const twin = right[index];
    if (twin === undefined) return 1;
    const difference = compare(fill, twin);
    if (difference !== 0) return difference;
  }
  return left.length - right.length;
}
