import { typeOf } from './order.ts';
import type { Ending } from './paths.ts';
import type { Rational } from './rational.ts';
import type { BookedFill } from './state.ts';

/** What is booked of a bar's endings, and how much better it may have been. */
export interface Choice {
  readonly booked: Ending;
  readonly worse: Rational;
  readonly better: Rational;
  /** Whether the paths differ in what they fill. */
  readonly isAmbiguous: boolean;
  /** Of the fills since the open: those that some other ending does not have. */
  readonly ambiguous: ReadonlySet<BookedFill>;
}

/**
 * @param already fills of the bar before the paths part: every ending has them
 * @param resolve which answer is booked
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

/** Two fills are the same when order, price and quantity are. */
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

/** Stops that were touched and found no volume. */
const touchedStops = ({ state }: Ending): number =>
  state.orders.filter((order) => order.triggered && typeOf(order) !== 'limit').length;

/** In the order in which they fill: the smaller order ids, then the lower prices, then the smaller quantities. */
function byOrders(one: Ending, other: Ending): number {
  const [left, right] = [one.state.fills, other.state.fills];
  return (
    inTurn(left, right, (fill, twin) => fill.order - twin.order) ||
    inTurn(left, right, (fill, twin) => fill.price.minus(twin.price).sign()) ||
    inTurn(left, right, (fill, twin) => fill.quantity.minus(twin.quantity).sign())
  );
}

/** An ending without a further fill comes first. */
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
