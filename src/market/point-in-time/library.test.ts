import { describe, expect, it } from 'vitest';
import { Library, pushDocument } from './library.ts';

const documents = [
  { symbols: ['A'], kind: 'news', availableAt: 1_000 },
  { symbols: ['B'], kind: 'news', availableAt: 2_000 },
  { symbols: ['A'], kind: 'filing', availableAt: 3_000 },
  { symbols: ['B'], kind: 'filing', availableAt: 4_000 },
];

function library(): Library {
  const made = new Library();
  for (const [place, document] of documents.entries())
    pushDocument(made, {
      ...document,
      id: `d${place}`,
      title: `Earnings ${place}`,
      text: 'Earnings rose.',
      publishedAt: document.availableAt,
    } as unknown as Parameters<typeof pushDocument>[1]);
  return made;
}

describe.each(['earnings', ''])('a search for "%s"', (query) => {
  it.each([
    [{ symbol: 'A' }, ['d0', 'd2']],
    [{ kind: 'filing' }, ['d2', 'd3']],
    [{ since: 3_000 }, ['d2', 'd3']],
    [{ symbol: 'B', kind: 'news' }, ['d1']],
    [{ symbol: 'A', since: 2_000 }, ['d2']],
    [{ kind: 'news', since: 2_000 }, ['d1']],
    [{}, ['d0', 'd1', 'd2', 'd3']],
  ])('returns only documents that meet %j', (filter, ids) => {
    const { hits, total } = library().search({ query, ...filter });
    expect(hits.map(({ id }) => id).sort()).toEqual(ids);
    expect(total).toBe(ids.length);
  });

  it('returns as many hits as the limit, and counts all', () => {
    const { hits, total } = library().search({ query, limit: 2 });
    expect(hits).toHaveLength(2);
    expect(total).toBe(4);
  });
});

it.each([[Number.NaN], ['soon'], ['2024-02-30']])('a search since %s is refused', (since) => {
  expect(() => library().search({ query: '', since })).toThrow(
    expect.objectContaining({ code: 'bad_query', message: `"${since}" is not a date.` }),
  );
});

it('a search has from 1 to 100 hits', () => {
  for (const limit of [1, 100]) expect(library().search({ limit }).hits).toHaveLength(Math.min(limit, 4));
  for (const limit of [0, 101, 1.5, Number.NaN])
    expect(() => library().search({ limit })).toThrow(
      `The limit ${limit} is not a whole number from 1 to 100.`,
    );
});
