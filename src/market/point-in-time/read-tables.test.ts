import { describe, expect, it } from 'vitest';
import { faultsOf } from '../../../test/support/error-of.ts';
import { pointInTimeData, together } from './load.ts';
import type { DocumentRow, FundamentalRow, UniverseRow } from './read-tables.ts';

const DAY = 86_400_000;
const at = (text: string): number => Date.parse(`${text}Z`);

describe('documents', () => {
  const load = (...documents: object[]) =>
    pointInTimeData({ documents: documents as unknown as DocumentRow[] });
  const row = { id: 'n1', available_at: '2024-02-01T12:30', title: 'Orders' };

  it('are read with their symbols, publisher and kind on one line', () => {
    const full = {
      ...{
        id: ' n1 ',
        available_at: '2024-02-01',
        symbol: 'aapl',
        symbols: ['msft', 'AAPL'],
        source: 'The\nWire',
      },
      ...{ kind: ' news ', title: 'A\u2028 b\u0007', text: 'one\ntwo' },
    };
    const { documents, sources } = load(full, { ...row, id: 'n2' });
    expect(documents).toEqual([
      {
        ...{ id: 'n1', known: expect.objectContaining({ instant: at('2024-02-01T00:00'), wholeDay: true }) },
        ...{
          symbols: ['AAPL', 'MSFT'],
          source: 'The Wire',
          kind: 'news',
          title: 'A  b',
          text: 'one\ntwo',
          where: 'row 1',
        },
      },
      {
        ...{ id: 'n2', known: expect.objectContaining({ instant: at('2024-02-01T12:30'), wholeDay: false }) },
        ...{ symbols: [], source: '', kind: '', title: 'Orders', text: '', where: 'row 2' },
      },
    ]);
    expect(sources).toEqual([
      {
        ...{ file: '(documents in memory)', kind: 'documents', rows: 2 },
        sha256: expect.stringMatching(/^[0-9a-f]{64}$/),
      },
    ]);
  });

  it.each([
    ['["A", "b"]', ['A', 'B']],
    ["['A';'B']", ['A', 'B']],
    ['a|b; c,,null', ['A', 'B', 'C']],
    [' ', []],
  ])('list the symbols of the text %j', (symbols, expected) => {
    expect(load({ ...row, symbols }).documents[0]!.symbols).toEqual(expected);
  });

  it('need an id, a publication time, and a title or a text', () => {
    expect(
      faultsOf(() => load({ ...row, id: '' }, { ...row, id: 'a\nb' }, { ...row, id: 'c', title: ' ' })),
    ).toEqual([
      ...['row 1: the id is empty', 'row 2: the id has line breaks or control characters'],
      'row 3: has neither a title nor a text',
    ]);
    expect(faultsOf(() => load({ ...row, title: null, text: ' x ' }))).toEqual([]);
    expect(faultsOf(() => load({ ...row, available_at: 'soon' }))).toEqual([
      expect.stringMatching(/^row 1: available_at/),
    ]);
    expect(faultsOf(() => load({ id: 'a', available_at: '2024-01-01' }))).toEqual([
      '(documents in memory): no column "title" or "text"',
      'row 1: has neither a title nor a text',
    ]);
    expect(faultsOf(() => load({ title: 'a' }))).toHaveLength(1);
    expect(faultsOf(() => load(row, { ...row, id: 'n2' }, row))).toEqual([
      'row 3: repeats the id n1 of row 1 (a correction needs a different id)',
    ]);
  });

  it.each([
    ['id', 200, 'id has more than 200 characters'],
    ['title', 1000, 'title has more than 1,000 characters'],
    ['source', 200, 'source has more than 200 characters'],
    ['kind', 200, 'kind has more than 200 characters'],
    ['symbol', 200, 'symbol has more than 200 characters'],
  ])('limit the length of the %s to %d characters', (name, most, fault) => {
    expect(faultsOf(() => load({ ...row, [name]: 'x'.repeat(most) }))).toEqual([]);
    expect(faultsOf(() => load({ ...row, [name]: 'x'.repeat(most + 1) }))).toEqual([`row 1: the ${fault}`]);
  });

  it('are about at most 1,000 symbols', () => {
    const symbols = (count: number) => Array.from({ length: count }, (_, number) => `S${number}`);
    expect(load({ ...row, symbols: symbols(1000) }).documents[0]!.symbols).toHaveLength(1000);
    expect(faultsOf(() => load({ ...row, symbols: symbols(1001) }))).toEqual([
      'row 1: the list of symbols has more than 1,000 symbols',
    ]);
  });
});

describe('fundamentals', () => {
  const load = (...rows: object[]) => pointInTimeData({ fundamentals: rows as unknown as FundamentalRow[] });
  const row = {
    symbol: 'aapl',
    field: 'revenue',
    period_end: '2023-12-30',
    available_at: '2024-02-01T21:30',
    value: 5,
  };

  it('are read as numbers with their period and publication time', () => {
    const { fundamentals } = load(row, { ...row, value: '-1.5e3', period_end: at('2023-09-30T00:00') });
    const known = expect.objectContaining({ instant: at('2024-02-01T21:30') }) as unknown;
    expect(fundamentals).toEqual([
      { symbol: 'AAPL', field: 'revenue', periodEnd: at('2023-12-30T00:00'), known, value: 5 },
      { symbol: 'AAPL', field: 'revenue', periodEnd: at('2023-09-30T00:00'), known, value: -1500 },
    ]);
  });

  it('are refused with every fault, by row', () => {
    const bad = [
      { ...row, symbol: '', field: ' ' },
      { ...row, value: null, period_end: '2023-01-01' },
      { ...row, value: 'x'.repeat(50), period_end: '2023-01-02' },
      { ...row, value: '1e999', period_end: '2023-01-03' },
      { ...row, period_end: '2024-02-02' },
      row,
      row,
    ];
    expect(faultsOf(() => load(...bad))).toEqual([
      ...['row 1: the symbol is empty', 'row 1: the field is empty', 'row 2: the value is empty'],
      `row 3: value "${'x'.repeat(40)}" is not a finite number`,
      'row 4: value "1e999" is not a finite number',
      'row 5: available_at is before period_end: nobody knew it before the period was over',
      'row 7: repeats the period_end and the available_at of row 6 (a restatement needs its own, different available_at)',
    ]);
  });

  it('may be published on the last day of their period, and restated later', () => {
    const same = { ...row, period_end: '2024-02-01', available_at: '2024-02-01' };
    expect(load(same, { ...same, available_at: '2024-02-02' }).fundamentals).toHaveLength(2);
    expect(faultsOf(() => load({ ...row, period_end: 'x' }, { ...row, available_at: '' }))).toHaveLength(2);
  });
});

describe('a universe', () => {
  const load = (...rows: object[]) =>
    pointInTimeData({ universe: rows as unknown as UniverseRow[] }).universe;

  it('contains periods of symbols, whose last day is included', () => {
    expect(
      load(
        { symbol: 'leh', from: '2000-01-03', to: '2008-09-15' },
        { symbol: 'A', from: null, to: '2008-09-15T15:00' },
        { symbol: 'B', from: at('2001-01-01T00:00') },
        { symbol: 'C', from: '2001-01-01', to: '2001-01-01' },
      ),
    ).toEqual([
      { symbol: 'LEH', from: at('2000-01-03T00:00'), until: at('2008-09-16T00:00') },
      { symbol: 'A', from: null, until: at('2008-09-15T15:00') },
      { symbol: 'B', from: at('2001-01-01T00:00'), until: null },
      { symbol: 'C', from: at('2001-01-01T00:00'), until: at('2001-01-01T00:00') + DAY },
    ]);
    expect(pointInTimeData({ universe: [] }).universe).toEqual([]);
    expect('universe' in pointInTimeData({ documents: [], fundamentals: [] })).toBe(false);
    expect(pointInTimeData({ documents: [] }).sources).toEqual([]);
  });

  it('is refused with every fault, by row', () => {
    const bad = [
      { symbol: '', from: '2001-01-01', to: '2001-02-01' },
      { symbol: 'A', from: '2001-01-02', to: '2001-01-01' },
      { symbol: 'A', from: '2001-01-02T10:00', to: '2001-01-02T10:00' },
      { symbol: 'B', from: 'soon', to: '2001-01-01' },
      { symbol: 'B', from: '2001-01-01', to: 'later' },
    ];
    const faults = faultsOf(() => load(...bad));
    expect(faults.slice(0, 3)).toEqual([
      ...[
        'row 1: the symbol is empty',
        'row 2: its to is before its from',
        'row 3: its to is before its from',
      ],
    ]);
    expect(faults.slice(3).map((line) => line.slice(0, 11))).toEqual(['row 4: from', 'row 5: to "']);
  });

  it.each<[boolean, (string | null)[], (string | null)[]]>([
    [true, [null, null], ['2001-01-01', '2001-01-02']],
    [true, ['2001-01-01', '2001-01-05'], ['2001-01-05', null]],
    [true, ['2001-01-05', null], [null, '2001-01-05']],
    [true, ['2001-01-02', '2001-01-03'], ['2001-01-01', '2001-01-09']],
    [false, ['2001-01-01', '2001-01-04'], ['2001-01-05', null]],
    [false, ['2001-01-05', null], [null, '2001-01-04']],
  ])('has overlapping periods of one symbol (%s): %j and %j', (overlaps, one, other) => {
    const rows = [one, other].map(([from, to]) => ({ symbol: 'A', from, to }));
    expect(faultsOf(() => load(...rows))).toEqual(overlaps ? ['row 2: overlaps with row 1'] : []);
    expect(faultsOf(() => load(rows[0]!, { ...rows[1], symbol: 'B' }))).toEqual([]);
  });
});

describe('several data sets', () => {
  it('are combined, and have a universe only if a part has one', () => {
    const documents = pointInTimeData({ documents: [{ id: 'a', available_at: '2024-01-01', title: 't' }] });
    const universe = pointInTimeData({ universe: [{ symbol: 'A' }] });
    const all = together([documents, universe, universe, {}]);
    expect([all.documents.length, all.fundamentals.length, all.universe?.length, all.sources.length]).toEqual(
      [...[1, 0, 2, 3]],
    );
    expect('universe' in together([documents])).toBe(false);
  });

  it('from code may have numbers as symbols and times, but no infinite times or missing values', () => {
    const fundamental = {
      symbol: 'A',
      field: 'x',
      period_end: Infinity,
      available_at: '2024-01-01',
      value: Number.NaN,
    };
    expect(faultsOf(() => pointInTimeData({ fundamentals: [fundamental] }))).toEqual([
      expect.stringContaining('period_end "Infinity"'),
      'row 1: the value is empty',
    ]);
    const member = { symbol: 7, from: 1, to: 86_400_001 } as unknown as UniverseRow;
    expect(pointInTimeData({ universe: [member] }).universe).toEqual([
      { symbol: '7', from: 1, until: 86_400_001 },
    ]);
  });
});
