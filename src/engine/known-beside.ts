import {
  type Documents,
  type FundamentalBook,
  Library,
  type PointInTimeFeed,
  type ReadFundamentals,
} from '../market/index.ts';

/** What tools look up in a turn, beside what every decider sees of it. */
export interface KnownBeside {
  /** Undefined where the run was given none. */
  readonly documents: Library | undefined;
  readonly fundamentals: FundamentalBook | undefined;
  readonly universe: (() => readonly string[]) | undefined;
}

const NOTHING: KnownBeside = { documents: undefined, fundamentals: undefined, universe: undefined };

// By the documents that a turn shows, which are the same object in every view of it.
const known = new WeakMap<Documents, KnownBeside>();

/** What a turn was given beside its bars, as far as it is known. */
export function knownBeside({ documents }: { readonly documents: Documents }): KnownBeside {
  return known.get(documents) ?? NOTHING;
}

/** The part of a turn that shows documents, fundamentals and the universe. */
export function besideView(
  feed: PointInTimeFeed | undefined,
  symbols: readonly string[],
): {
  readonly documents: Documents;
  readonly fundamentals: ReadFundamentals;
  readonly universe: () => readonly string[];
} {
  if (feed === undefined)
    return { documents: new Library(), fundamentals: () => [], universe: () => symbols };
  const { documents, fundamentals, given } = feed;
  const universe = (): readonly string[] => feed.universe();
  known.set(documents, {
    documents: given.documents ? documents : undefined,
    fundamentals: given.fundamentals ? fundamentals : undefined,
    universe: given.universe ? universe : undefined,
  });
  return { documents, fundamentals: fundamentals.read, universe };
}
