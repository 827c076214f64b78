import { Exact } from '../../kernel/index.ts';
import type { PriceBar } from '../triggers.ts';
import { greedyWorst } from './greedy.ts';
import { judge, type Resolve, type Verdict } from './outcome.ts';
import type { PathVenue } from './path-venue.ts';
import { searchPaths } from './search.ts';
import { endPath, type StepTerms } from './step.ts';
import { canonicalPaths } from './walk.ts';

/** How far the two equities of a bar bound it: exactly where it is left out. */
export type Bounds = 'canonical' | 'approximate';

export interface Decision extends Verdict {
  readonly bounds: Bounds | undefined;
}

/** What a bar says about a symbol's orders, and which outcome of it counts. */
export function decideBar(start: PathVenue, bar: PriceBar, terms: StepTerms, resolve: Resolve): Decision {
  const close = Exact.of(bar.close);
  if (start.orders.some(({ done, triggered, type }) => type === 'trailing_stop' && !done && !triggered))
    return { ...judge(canonicalPaths(start, bar, terms), close, resolve), bounds: 'canonical' };
  const ends = searchPaths(start, bar, terms);
  if (ends !== undefined) return { ...judge(ends, close, resolve), bounds: undefined };
  const walked = [...canonicalPaths(start, bar, terms), greedyWorst(start, bar, terms)];
  return { ...judge(walked, close, resolve), bounds: 'approximate' };
}

/** What only the close of a bar decides. */
export function decideEnd(start: PathVenue, { close }: PriceBar, terms: StepTerms): Decision {
  endPath(start, close, terms);
  return { ...judge([start], Exact.of(close), 'worst'), bounds: undefined };
}
