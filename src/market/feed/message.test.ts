import { describe, expect, it } from 'vitest';
import { barSeries } from '../bars/bar-columns.ts';
import { createMarket } from '../market.ts';
import { growingMarket, readFeedDocument } from './message.ts';

const T = Date.UTC(2024, 0, 2, 14, 30);
const BAR = { time: T, open: 1, high: 3, low: 0.5, close: 2, volume: 10 };
const SHORT = { t: '2024-01-02T14:30:00Z', o: 1, h: 3, l: 0.5, c: 2, v: 10 };
const VALUES = [1, 3, 0.5, 2, 10];
const message = (symbol?: string, final?: boolean, time = T) => ({ symbol, time, values: VALUES, final });
const nested = (depth: number, value: unknown): unknown => (depth === 0 ? value : [nested(depth - 1, value)]);

describe('the bars of a feed document', () => {
  it.each<[string, unknown, unknown[]]>([
    ['a bar', BAR, [message()]],
    ['a bar with a symbol', { ...BAR, symbol: ' es ', final: true }, [message('ES', true)]],
    ['an unfinished bar', { ...BAR, final: false }, [message(undefined, false)]],
    ['texts instead of numbers', { ...BAR, open: '1', high: ' 3 ', time: String(T) }, [message()]],
    ['a date', { ...BAR, time: '2024-01-02T14:30:00.123456789Z' }, [message(undefined, undefined, T + 123)]],
    ['a date without seconds', { ...BAR, time: '2024-01-02T14:30' }, [message()]],
    ['an array', [BAR, { ...BAR, symbol: 'B' }], [message(), message('B')]],
    ['an object with bars', { symbol: 'a', bars: [BAR] }, [message('A')]],
    ['bars by symbol', { bars: { a: [SHORT], B: SHORT } }, [message('A'), message('B')]],
    ['bars of a stream', { stream: 's', data: { ...SHORT, S: 'x' } }, [message('X')]],
    ['a candle as an array', [T, '1', '3', '0.5', '2', '10', 'more', 1], [message()]],
    ['candles as arrays', [[T, 1, 3, 0.5, 2, 10]], [message()]],
    ['a candle of an exchange', { E: 5, s: 'btc', k: { ...SHORT, x: true } }, [message('BTC', true)]],
    ['a candle that has not ended', { s: 'btc', k: { ...SHORT, x: false } }, [message('BTC', false)]],
    ['a message about the connection', { result: null, id: 1 }, []],
    ['no bars', { bars: null, next_page_token: 'x' }, []],
    ['an empty array', [], []],
  ])('are read from %s', (_, document, expected) => {
    const { messages, faults } = readFeedDocument(document);
    expect({ messages, faults }).toEqual({ messages: expected, faults: [] });
  });

  it('have a volume of 1 if none is given', () => {
    const { volume: _, ...bar } = BAR;
    const { v: __, ...short } = SHORT;
    for (const one of [bar, short])
      expect(readFeedDocument(one).messages[0]!.values).toEqual([1, 3, 0.5, 2, 1]);
  });

  it('have the time of the server if the document contains it', () => {
    expect(readFeedDocument({ E: 77, s: 'a', k: { ...SHORT, x: true } }).serverTime).toBe(77);
    expect('serverTime' in readFeedDocument({ E: 'x' })).toBe(false);
    expect('serverTime' in readFeedDocument([BAR])).toBe(false);
  });

  it.each<[unknown, string]>([
    [{ ...BAR, open: 'x' }, 'open is not a number'],
    [{ ...BAR, time: 'soon' }, 'time "soon" is not a date'],
    [{ ...BAR, time: '12345678' }, 'time "12345678" is not a date'],
    ['text', '"text" is not an object'],
    [{ time: T }, 'open'],
    [{ open: 1 }, 'time'],
  ])('are not read from %j', (document, fault) => {
    const { messages, faults } = readFeedDocument(document);
    expect([messages, faults.length]).toEqual([[], 1]);
    expect(faults[0]).toContain(fault);
  });

  it('are searched to a depth of eight, and five faults are described', () => {
    expect(readFeedDocument(nested(8, BAR)).messages).toHaveLength(1);
    expect(readFeedDocument(nested(9, BAR))).toEqual({
      ...{ messages: [], faults: ['nested deeper than 8 levels'] },
    });
    const wrong = (count: number) => readFeedDocument(Array(count).fill({ ...BAR, open: 'x' })).faults;
    expect(wrong(5)).toEqual(Array(5).fill('open is not a number'));
    const more = [
      ...Array<string>(5).fill('open is not a number'),
      'more parts of this document are not bars',
    ];
    expect(wrong(6)).toEqual(more);
    expect(wrong(9)).toEqual(more);
    expect(readFeedDocument({ ...BAR, time: 'z'.repeat(400) }).faults[0]).toHaveLength(200);
  });

  it('are read from an array of values only if it has at least six', () => {
    expect(readFeedDocument([T, 1, 3, 0.5, 2]).faults).toHaveLength(5);
    expect(readFeedDocument([{}, {}, {}, {}, {}, {}])).toEqual({ messages: [], faults: [] });
  });
});

describe('a market that grows', () => {
  const history = (symbol: string, times: readonly number[]) =>
    barSeries(
      symbol,
      times.map((time) => ({ ...BAR, time })),
    );

  it('appends bars in place, for one symbol and for several', () => {
    const single = growingMarket(createMarket([history('A', [1, 2])]));
    const { series, clock } = single.market;
    single.append(3, new Map([['A', [5, 8, 4, 7, 6]]]));
    expect([...clock]).toEqual([1, 2, 3]);
    const own = series[0]!;
    expect([own.time, own.open, own.high, own.low, own.close, own.volume].map((one) => one.at(-1))).toEqual([
      ...[3, 5, 8, 4, 7, 6],
    ]);
    expect([own.open.length, own.open[1], own.high[1]]).toEqual([3, 1, 3]);
    const several = growingMarket(createMarket([history('A', [1, 2]), history('B', [2, 3])]));
    several.append(4, new Map([['B', [5, 8, 4, 7, 6]]]));
    expect([...several.market.clock]).toEqual([1, 2, 3, 4]);
    expect(several.market.series.map(({ time }) => [...time])).toEqual([
      [1, 2],
      [2, 3, 4],
    ]);
    expect(several.market.growing).toBe(true);
  });

  it('does not change the history from which it was made', () => {
    const market = createMarket([history('A', [1, 2])]);
    growingMarket(market).append(3, new Map([['A', [5, 8, 4, 7, 6]]]));
    expect([[...market.clock], [...market.series[0]!.open]]).toEqual([
      [1, 2],
      [1, 1],
    ]);
  });
});
