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

  it('returns at most the requested number of hits, and counts all hits', () => {
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

it('the limit of a search is a whole number from 1 to 100', () => {
  for (const limit of [1, 100]) expect(library().search({ limit }).hits).toHaveLength(Math.min(limit, 4));
  for (const limit of [0, 101, 1.5, Number.NaN])
    expect(() => library().search({ limit })).toThrow(
      `The limit ${limit} is not a whole number from 1 to 100.`,
    );
});

describe('a library', () => {
  const ids = (hits: readonly { readonly id: string }[]): string[] => hits.map(({ id }) => id);

  it('lists the newest documents last in its tail, and first in a search without words', () => {
    const made = library();
    expect(made.length).toBe(4);
    expect([1, 2, 9, 0, -1].map((count) => ids(made.tail(count)))).toEqual([
      ...[['d3'], ['d2', 'd3'], ['d0', 'd1', 'd2', 'd3'], [], []],
    ]);
    expect(ids(made.search().hits)).toEqual(['d3', 'd2', 'd1', 'd0']);
    expect(made.search({ query: ' ', limit: 1 })).toEqual({ total: 4, hits: [made.tail(1)[0]] });
    expect(made.tail(1)[0]).toMatchObject({ id: 'd3', score: 0 });
    expect('text' in made.tail(1)[0]!).toBe(false);
  });

  it('returns a document by its id or its position', () => {
    const made = library();
    expect(made.read('d1')).toMatchObject({ id: 'd1', text: 'Earnings rose.' });
    expect(made.read('d9')).toBeUndefined();
    expect(made.documentAt(2).id).toBe('d2');
  });

  it('returns 20 hits by default, and finds words of titles and texts of documents added later', () => {
    const made = library();
    expect(ids(made.search({ query: 'rose' }).hits)).toEqual(['d3', 'd2', 'd1', 'd0']);
    for (let number = 0; number < 25; number++)
      pushDocument(made, {
        ...{
          id: `x${number}`,
          title: 'New',
          text: '',
          availableAt: 9_000,
          symbols: [],
          source: '',
          kind: '',
        },
      });
    for (const query of ['new', '']) expect(made.search({ query }).hits).toHaveLength(20);
    expect(made.search({ query: 'new' }).total).toBe(25);
    expect(ids(made.search({ query: '2', limit: 5 }).hits)).toEqual(['d2']);
    expect(made.search({ since: '1970-01-01T00:00:09' }).total).toBe(25);
  });
});
