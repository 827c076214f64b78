import {
  type Documents,
  type FundamentalBook,
  Library,
  type PointInTimeFeed,
  type ReadFundamentals,
} from '../market/index.ts';

/** Published data of a turn for tools, in addition to the view of deciders. */
export interface KnownBeside {
  /** `undefined` if the run has no such data. */
  readonly documents: Library | undefined;
  readonly fundamentals: FundamentalBook | undefined;
  readonly universe: (() => readonly string[]) | undefined;
}

const NOTHING: KnownBeside = { documents: undefined, fundamentals: undefined, universe: undefined };

// Keyed by the documents of a turn, which are the same object in every view of the turn.
const known = new WeakMap<Documents, KnownBeside>();

/** Returns the published data of a turn other than bars. */
export function knownBeside({ documents }: { readonly documents: Documents }): KnownBeside {
  return known.get(documents) ?? NOTHING;
}

/** Returns the part of a turn with documents, fundamentals and the universe. */
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
