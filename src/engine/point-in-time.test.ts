import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { DAY, formatInstant } from '../kernel/index.ts';
import {
  barSeries,
  createMarket,
  type DocumentRow,
  type FundamentalRow,
  type PointInTimeRows,
  pointInTimeData,
} from '../market/index.ts';
import type { BarContext } from './decider.ts';
import type { RunEvent } from './events/events.ts';
import { runBacktest } from './run.ts';

const FIRST = Date.UTC(2024, 0, 1);
const HOUR = 3_600_000;

function bars(symbol: string, count = 10) {
  return barSeries(
    symbol,
    Array.from({ length: count }, (_, bar) => ({
      time: FIRST + bar * DAY,
      open: 100,
      high: 101,
      low: 99,
      close: 100,
      volume: 1000,
    })),
  );
}

const market = createMarket([bars('A'), bars('B')]);

async function walk(rows: PointInTimeRows, decide: (turn: BarContext) => void): Promise<readonly RunEvent[]> {
  const events: RunEvent[] = [];
  const result = await runBacktest({
    market,
    pointInTime: pointInTimeData(rows),
    onEvent: (event) => events.push(event),
    decider: { decide },
  });
  if (result.error !== undefined) throw result.error;
  return events;
}

const QUERIES = ['oil', 'rate cut', 'the oil rate', ''];

/** Returns everything that a decider can learn about documents at a bar, including scores. */
function everythingOf({ documents, symbols }: BarContext): unknown {
  const since = FIRST + 2 * DAY;
  return [
    documents.length,
    documents.tail(Number.POSITIVE_INFINITY),
    QUERIES.map((query) => documents.search({ query, limit: 100 })),
    symbols.map((symbol) => documents.search({ query: 'oil', symbol, since })),
    Array.from({ length: 12 }, (_, number) => documents.read(`d${number}`) ?? null),
  ];
}

describe('the look-ahead test of documents', () => {
  const given = fc.record({
    hour: fc.integer({ min: 0, max: 12 * 24 }),
    words: fc.array(fc.constantFrom('oil', 'rate', 'cut', 'the', 'bank'), { minLength: 1, maxLength: 6 }),
    symbol: fc.constantFrom('A', 'B', undefined),
    tampers: fc.constantFrom('gone', 'other words', 'other symbol'),
  });

  it('a document that is not known yet changes no answer, order or score before it is known', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(given, { minLength: 1, maxLength: 12 }),
        fc.integer({ min: 0, max: 9 }),
        async (all, cut) => {
          const rowsOf = (tampered: boolean): DocumentRow[] =>
            all.flatMap(({ hour, words, symbol, tampers }, number): DocumentRow[] => {
              const known = FIRST + hour * HOUR + 1;
              const row = {
                id: `d${number}`,
                available_at: new Date(known).toISOString(),
                title: words.join(' '),
                text: 'a text',
                ...(symbol === undefined ? {} : { symbol }),
              };
              if (!tampered || known <= FIRST + (cut + 1) * DAY) return [row];
              if (tampers === 'gone') return [];
              if (tampers === 'other words')
                return [{ ...row, title: 'oil oil rate', text: 'cut '.repeat(40) }];
              return [{ ...row, id: `other${number}`, symbol: 'A' }];
            });
          const seen = async (rows: readonly DocumentRow[]): Promise<string> => {
            const looks: unknown[] = [];
            const events = await walk({ documents: rows }, (turn) => {
              if (turn.bar <= cut) looks.push(everythingOf(turn));
            });
            const known = events.filter((event) => event.type === 'documents_known' && event.bar <= cut);
            return JSON.stringify([looks, known]);
          };
          const tampered = rowsOf(true);
          const marker = { id: 'later', available_at: '2030-01-01', text: 'oil rate cut' };
          expect(await seen([...tampered, marker])).toBe(await seen(rowsOf(false)));
        },
      ),
      { numRuns: 60 },
    );
  });

  it('a repeated request returns the same answer as a first request', async () => {
    const documents = Array.from({ length: 30 }, (_, number) => ({
      id: `d${number}`,
      available_at: new Date(FIRST + number * 7 * HOUR).toISOString(),
      title: ['oil', 'rate cut', 'the bank'][number % 3]!,
      text: 'oil '.repeat(number % 5),
    }));
    const [often, once]: [string[], string[]] = [[], []];
    await walk({ documents }, (turn) => void often.push(JSON.stringify(everythingOf(turn))));
    await walk({ documents }, (turn) => {
      if (turn.bar === 9) once.push(JSON.stringify(everythingOf(turn)));
    });
    expect(once[0]).toBe(often[9]);
  });
});

describe('documents', () => {
  const documents: DocumentRow[] = [
    {
      id: 'n1',
      available_at: '2024-01-02 09:30',
      symbols: ['A'],
      kind: 'news',
      title: 'Oil up',
      text: 'Much.',
    },
    {
      id: 'n2',
      available_at: '2024-01-04',
      symbols: ['A', 'B'],
      kind: 'filing',
      title: 'Rates',
      text: 'oil',
    },
    { id: 'n3', available_at: '2030-01-01', title: 'Oil crash', text: 'The future.' },
  ];

  it('are known at the bar that ends at or after their time, with only a date at its end', async () => {
    const counts: number[] = [];
    await walk({ documents }, (turn) => void counts.push(turn.documents.length));
    expect(counts).toEqual([0, 1, 1, 2, 2, 2, 2, 2, 2, 2]);
  });

  it('are searched by words, symbol, kind and date', async () => {
    const found: unknown[] = [];
    await walk({ documents }, ({ bar, documents: library }) => {
      if (bar !== 9) return;
      const ids = (query: Parameters<typeof library.search>[0]) =>
        library.search(query).hits.map(({ id }) => id);
      found.push(
        ids({ query: 'OIL' }),
        ids({ symbol: 'B' }),
        ids({ kind: 'news' }),
        ids({}),
        ids({ since: '2024-01-03' }),
      );
      found.push(
        library.search({ query: 'oil', limit: 1 }).total,
        library.read('n3'),
        library.read('nothing'),
      );
      expect(() => library.search({ since: 'soon' })).toThrow('is not a date');
      expect(() => library.search({ limit: 101 })).toThrow('from 1 to 100');
    });
    expect(found).toEqual([['n2', 'n1'], ['n2'], ['n1'], ['n2', 'n1'], ['n2'], 2, undefined, undefined]);
  });

  it('are recorded when they become known, with that time and without their texts', async () => {
    const events = await walk({ documents }, () => undefined);
    expect(events.filter((event) => event.type === 'documents_known')).toEqual([
      {
        type: 'documents_known',
        bar: 1,
        documents: [
          {
            id: 'n1',
            availableAt: '2024-01-02T09:30:00',
            symbols: ['A'],
            source: '',
            kind: 'news',
            title: 'Oil up',
          },
        ],
      },
      {
        type: 'documents_known',
        bar: 3,
        documents: [
          {
            id: 'n2',
            availableAt: '2024-01-05',
            symbols: ['A', 'B'],
            source: '',
            kind: 'filing',
            title: 'Rates',
          },
        ],
      },
    ]);
  });

  it('with faults are refused and all faults reported', () => {
    const faults = (rows: readonly object[]): string => {
      try {
        pointInTimeData({ documents: rows as DocumentRow[] });
      } catch (error) {
        return (error as Error).message;
      }
      return '';
    };
    const message = faults([
      { id: 'a', available_at: '2024-01-02', title: 'x' },
      { id: 'a', available_at: 'soon', title: 'x' },
      { id: '', available_at: '', title: '' },
    ]);
    expect(message).toContain('row 2: repeats the id a of row 1');
    expect(message).toContain('row 2: available_at "soon" is not a date');
    expect(message).toContain('row 3: the id is empty');
    expect(message).toContain('row 3: the available_at is empty');
    expect(message).toContain('row 3: has neither a title nor a text');
    expect(faults([{ id: 'a', title: 'x' }])).toContain('no column "available_at"');
  });
});

describe('fundamentals', () => {
  const row = (period_end: string, available_at: string, value: number, field = 'eps'): FundamentalRow => ({
    symbol: 'a',
    field,
    period_end,
    available_at,
    value,
  });
  const fundamentals = [
    row('2023-09-30', '2023-11-02', 1),
    row('2023-12-31', '2024-01-03 12:00', 2),
    row('2023-09-30', '2024-01-05 12:00', 1.5),
    row('2023-12-31', '2030-01-01', 9),
    row('2024-03-31', '2030-01-01', 9, 'later'),
  ];

  it('return the newest known vintages, and older ones on request', async () => {
    const seen: unknown[] = [];
    await walk({ fundamentals }, ({ bar, fundamentals: figures }) => {
      if (![0, 2, 4, 9].includes(bar)) return;
      const values = (periods: number, vintages = false) =>
        figures('A', 'eps', periods, { vintages }).map(({ value }) => value);
      seen.push([values(1), values(4), values(4, true), figures('A', 'later'), figures('B', 'eps')]);
    });
    expect(seen).toEqual([
      [[1], [1], [1], [], []],
      [[2], [1, 2], [1, 2], [], []],
      [[2], [1.5, 2], [1, 1.5, 2], [], []],
      [[2], [1.5, 2], [1, 1.5, 2], [], []],
    ]);
  });

  it('never reveal a value, period or field before it is known', async () => {
    const figure = fc.record({
      period: fc.integer({ min: 0, max: 3 }),
      hour: fc.integer({ min: 0, max: 12 * 24 }),
      field: fc.constantFrom('eps', 'revenue'),
      value: fc.integer({ min: -5, max: 5 }),
    });
    await fc.assert(
      fc.asyncProperty(
        fc.array(figure, { minLength: 1, maxLength: 10 }),
        fc.integer({ min: 0, max: 9 }),
        async (all, cut) => {
          const unique = [
            ...new Map(all.map((one) => [`${one.period} ${one.hour} ${one.field}`, one])).values(),
          ];
          const rowsOf = (tampered: boolean): FundamentalRow[] =>
            unique.map(({ period, hour, field, value }) => {
              const known = FIRST + hour * HOUR + 1;
              const isLater = tampered && known > FIRST + (cut + 1) * DAY;
              return {
                symbol: isLater ? 'B' : 'A',
                field: isLater ? `${field}2` : field,
                period_end: FIRST - (4 - period) * 90 * DAY,
                available_at: known,
                value: isLater ? value * 1000 + 7 : value,
              };
            });
          const seen = async (rows: readonly FundamentalRow[]): Promise<string> => {
            const looks: unknown[] = [];
            const events = await walk({ fundamentals: rows }, (turn) => {
              if (turn.bar > cut) return;
              for (const field of ['eps', 'revenue', 'eps2', 'revenue2'])
                for (const symbol of ['A', 'B'])
                  looks.push(
                    turn.fundamentals(symbol, field, 9, { vintages: true }),
                    turn.fundamentals(symbol, field),
                  );
            });
            return JSON.stringify([
              looks,
              events.filter((event) => event.type === 'fundamentals_known' && event.bar <= cut),
            ]);
          };
          expect(await seen(rowsOf(true))).toBe(await seen(rowsOf(false)));
        },
      ),
      { numRuns: 60 },
    );
  });

  it('with faults are refused and all faults reported', () => {
    const rows = [
      row('2023-12-31', '2024-01-31', 1),
      row('2023-12-31', '2024-01-31', 2),
      row('2024-12-31', '2024-01-31', 1),
      row('soon', '2024-01-31', Number.POSITIVE_INFINITY),
    ];
    expect(() => pointInTimeData({ fundamentals: rows })).toThrow(
      /row 2: repeats the period_end and the available_at of row 1[\s\S]*row 3: available_at is before period_end[\s\S]*row 4: value "Infinity" is not a finite number[\s\S]*row 4: period_end "soon" is not a date|row 4: period_end/,
    );
  });
});

describe('a universe', () => {
  const universe = [
    { symbol: 'A', to: '2024-01-04' },
    { symbol: 'B', from: '2024-01-03', to: '2024-01-05' },
    { symbol: 'B', from: '2024-01-08' },
  ];

  it('lists the tradable symbols of each day', async () => {
    const members: string[] = [];
    const events = await walk({ universe }, (turn) => void members.push(turn.universe().join('')));
    expect(members).toEqual(['A', 'A', 'AB', 'AB', 'B', '', '', 'B', 'B', 'B']);
    expect(events.filter((event) => event.type === 'universe_changed').slice(0, 3)).toEqual([
      { type: 'universe_changed', bar: 0, entered: ['A'], left: [] },
      { type: 'universe_changed', bar: 2, entered: ['B'], left: [] },
      { type: 'universe_changed', bar: 4, entered: [], left: ['A'] },
    ]);
  });

  it('rejects opening orders outside it, on submission and at the fill, and allows closing', async () => {
    const codes: string[] = [];
    const events = await walk({ universe }, ({ bar, orders, account }) => {
      const code = (symbol: string, action: 'buy' | 'sell' | 'close', quantity = 5): void => {
        const size = action === 'close' ? {} : { quantity };
        const receipt = orders.submit({ symbol, action, ...size });
        codes.push(`${bar} ${receipt.accepted ? 'accepted' : receipt.refusal.code}`);
      };
      if (bar === 0) code('B', 'buy');
      if (bar === 0) code('A', 'buy');
      // Placed while the symbol is a member, filled when it is no longer a member.
      if (bar === 3) code('A', 'buy');
      if (bar === 5) code('A', 'buy');
      if (bar === 5) code('A', 'sell', 9);
      if (bar === 5) code('A', 'close');
      if (bar === 7) expect(account.units('A')).toBe(0);
    });
    expect(codes).toEqual([
      '0 not_in_universe',
      '0 accepted',
      '3 accepted',
      '5 not_in_universe',
      '5 not_in_universe',
      '5 accepted',
    ]);
    const refused = events.flatMap((event) =>
      event.type === 'order_rejected' ? [`${event.bar} ${event.code}`] : [],
    );
    expect(refused).toContain('4 not_in_universe');
    const fills = events.flatMap((event) =>
      event.type === 'order_filled' ? [`${event.bar} ${event.side} ${event.quantity}`] : [],
    );
    expect(fills).toEqual(['1 buy 5', '6 sell 5']);
  });

  it('is refused if its rows contradict each other', () => {
    expect(() =>
      pointInTimeData({
        universe: [
          { symbol: 'A', from: '2024-01-01', to: '2024-01-31' },
          { symbol: 'A', from: '2024-01-31' },
          { symbol: 'B', from: '2024-02-01', to: '2024-01-01' },
        ],
      }),
    ).toThrow(/row 2: overlaps with row 1[\s\S]*row 3: its to is before its from/);
  });
});

describe('a run without documents, fundamentals and universe', () => {
  it('has no documents and fundamentals, and may trade all symbols', async () => {
    const seen: unknown[] = [];
    await runBacktest({
      market,
      decider: {
        decide(turn) {
          const { documents, fundamentals } = turn;
          seen.push([
            documents.length,
            documents.search({ query: 'x' }).total,
            fundamentals('A', 'eps'),
            turn.universe(),
          ]);
        },
      },
    });
    expect(seen[0]).toEqual([0, 0, [], ['A', 'B']]);
    expect(formatInstant(FIRST)).toBe('2024-01-01');
  });
});
