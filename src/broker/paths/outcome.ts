import type { Exact } from '../../kernel/index.ts';
import { type Action, fillName, type PathVenue } from './path-venue.ts';

/** Outcome to book for a bar with several possible outcomes: the worst or the best one for the account. */
export type Resolve = 'worst' | 'best';

/** Result of evaluating a bar for a symbol's orders. */
export interface Verdict {
  /** Outcome whose fills and other actions are booked on the real account. */
  readonly booked: PathVenue;
  /**
   * Difference in equity at the close between the best and the worst outcome, in account currency. Never
   * negative.
   */
  readonly difference: Exact;
  /** True if different price paths within the bar lead to different fills. */
  readonly ambiguous: boolean;
  /** Names (see `fillName`) of the booked fills that do not occur in every possible outcome. */
  readonly doubtful: ReadonlySet<string>;
  /**
   * Ids of orders whose units are open in the booked outcome, but were closed at least in part in another
   * possible outcome.
   */
  readonly closedElsewhere: readonly number[];
}

type Filled = Action & { readonly kind: 'fill' };

interface End {
  readonly venue: PathVenue;
  readonly gain: Exact;
  readonly fills: ReadonlySet<string>;
}

/**
 * Ranks the results of all price paths by the account's gain at the bar's close, and selects the result to
 * book. See docs/fill-rules.md.
 */
export function judge(ends: readonly PathVenue[], close: Exact, resolve: Resolve): Verdict {
  const outcomes = ends.map((venue): End => ({ venue, gain: venue.gainAt(close), fills: fillsOf(venue) }));
  const ranked = outcomes.sort((a, b) => a.gain.compare(b.gain) || compareTies(a.venue, b.venue));
  const worst = ranked[0]!;
  const highest = ranked.at(-1)!;
  const best = ranked.find(({ gain }) => gain.equals(highest.gain))!;
  const booked = resolve === 'worst' ? worst : best;
  const others = ranked.filter((outcome) => outcome !== booked);
  const doubtful = [...booked.fills].filter((name) => !others.every(({ fills }) => fills.has(name)));
  return {
    booked: booked.venue,
    difference: best.gain.minus(worst.gain),
    ambiguous: doubtful.length > 0 || others.some(({ fills }) => fills.size !== booked.fills.size),
    doubtful: new Set(doubtful),
    closedElsewhere: closedElsewhere(booked, others),
  };
}

/**
 * Sorts outcomes with equal equity. Criteria: smaller position at the close, then the comparison of fills,
 * then more triggered stops that did not fill for lack of volume.
 */
function compareTies(a: PathVenue, b: PathVenue): number {
  return (
    a.quantity().abs().compare(b.quantity().abs()) || compareFills(a, b) || touchedStops(b) - touchedStops(a)
  );
}

/**
 * Counts stops that were triggered but still rest. Outcomes with the same fills can differ only in this
 * number.
 */
function touchedStops({ orders }: PathVenue): number {
  return orders.filter(({ done, triggered }) => triggered && !done).length;
}

/**
 * Compares the fills of two paths in the sequence in which they occur: first by order id, then by price, then
 * by quantity. Smaller values come first.
 */
export function compareFills(a: PathVenue, b: PathVenue): number {
  const [ours, theirs] = [filled(a.actions), filled(b.actions)];
  return (
    compareInTurn(ours, theirs, (one, other) => one.id - other.id) ||
    compareInTurn(ours, theirs, (one, other) => one.fill.price.compare(other.fill.price)) ||
    compareInTurn(ours, theirs, (one, other) => one.fill.quantity.compare(other.fill.quantity))
  );
}

function compareInTurn(
  a: readonly Filled[],
  b: readonly Filled[],
  compare: (one: Filled, other: Filled) => number,
): number {
  for (let index = 0; index < Math.min(a.length, b.length); index++) {
    const difference = compare(a[index]!, b[index]!);
    if (difference !== 0) return difference;
  }
  return a.length - b.length;
}

function fillsOf({ actions }: PathVenue): Set<string> {
  return new Set(filled(actions).map(fillName));
}

function filled(actions: readonly Action[]): Filled[] {
  return actions.filter((action) => action.kind === 'fill');
}

function closedElsewhere({ venue, fills }: End, others: readonly End[]): number[] {
  const units = venue.unitsAt();
  if (units === 0) return [];
  const openers = new Set<number>();
  for (const { id, parentId } of venue.orders) openers.add(parentId ?? id);
  return [...openers].filter((id) => {
    const open = venue.openQuantity(0, id);
    if (open.isZero()) return false;
    // If the other outcome never opened the units, only the opening fill is uncertain, not the closing. The
    // order is then excluded.
    return others.some(
      (other) => other.venue.openQuantity(0, id).compare(open) < 0 && sharesOpening(id, fills, other.fills),
    );
  });
}

function sharesOpening(id: number, fills: ReadonlySet<string>, others: ReadonlySet<string>): boolean {
  return [...fills].filter((name) => name.startsWith(`${id}@`)).every((name) => others.has(name));
}
