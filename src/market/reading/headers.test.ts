import { describe, expect, it } from 'vitest';
import { readColumns } from '../columns/mapping.ts';
import { type ColumnPlan, isBareLine, readHeader } from './headers.ts';

const read = (header: string, mapping?: string, noVolume = false, extra: readonly string[] = []) =>
  readHeader(header.split(','), noVolume, extra, mapping === undefined ? undefined : readColumns(mapping));

describe('the columns of a header', () => {
  const usual = { time: 0, prices: [1, 2, 3, 4], volume: 5, extra: [] };
  const unusual = (mapping: string) => `columns read as set with --columns ${mapping}`;
  const noVolume = 'no volume column: the volume of every bar is set to 1';

  it.each<[string, string | undefined, ColumnPlan, readonly string[]]>([
    ['Date,Open,High,Low,Close,Volume', undefined, usual, []],
    ['day,o,h,l,c,v', undefined, usual, []],
    [
      '<VOL>,CLOSE, Low ,High.Price,open_price,"OpenTime"',
      undefined,
      { time: 5, prices: [4, 3, 2, 1], volume: 0, extra: [] },
      [],
    ],
    [
      'ticker,date,o,h,l,c,v',
      undefined,
      { time: 1, prices: [2, 3, 4, 5], volume: 6, symbol: 0, extra: [] },
      [],
    ],
    ['date,time,o,h,l,c,v', undefined, { time: 0, clock: 1, prices: [2, 3, 4, 5], volume: 6, extra: [] }, []],
    [
      'Date,datetime,o,h,l,c,v,day',
      undefined,
      { time: 1, prices: [2, 3, 4, 5], volume: 6, extra: [] },
      ['time read from column "datetime", not from "date", "day"'],
    ],
    [
      'date,time,o,h,l,c,v',
      'time=none',
      { time: 0, prices: [2, 3, 4, 5], volume: 6, extra: [] },
      ['time read from column "date", not from "time"', unusual('time=none')],
    ],
    [
      'Date,date,o,h,l,c,v',
      'date=date',
      { time: 1, prices: [2, 3, 4, 5], volume: 6, extra: [] },
      [unusual('date=date')],
    ],
    [
      'day,Clock,o,h,l,c,v',
      'time=Clock',
      { time: 0, clock: 1, prices: [2, 3, 4, 5], volume: 6, extra: [] },
      [unusual('time=Clock')],
    ],
    [
      'date,o,h,l,c,v',
      'volume=none',
      { time: 0, prices: [1, 2, 3, 4], extra: [] },
      [noVolume, unusual('volume=none')],
    ],
    ['Gmt time,o,h,l,c,v', 'preset=dukascopy', usual, [unusual('preset=dukascopy')]],
    // A mapping is ignored if every header that it names is missing in the file.
    ['date,o,h,l,c,v', 'close=Last,open=First', usual, []],
  ])('are found: %s with %s', (header, mapping, plan, adjustments) => {
    const found = read(header, mapping);
    expect(found).toMatchObject({ faults: [], notes: [], adjustments });
    expect(found.plan).toEqual(plan);
    expect(found.isUnmapped).toBe(mapping?.startsWith('close=') === true);
  });

  it('may lack a volume if the user has declared it', () => {
    expect(read('date,o,h,l,c', undefined, true)).toMatchObject({
      plan: { time: 0, prices: [1, 2, 3, 4], extra: [] },
      adjustments: [noVolume],
    });
    expect(read('date,o,h,l,c,v', undefined, true)).toMatchObject({ plan: usual, adjustments: [] });
  });

  it('include requested columns', () => {
    const { plan, faults } = read('date,o,h,l,c,v,My_Spread', undefined, false, ['my spread']);
    expect([plan?.extra, faults]).toEqual([[{ name: 'my spread', position: 6 }], []]);
    const fault = (header: string) => read(header, undefined, false, ['spread']).faults;
    expect(fault('date,o,h,l,c,v,spred')).toEqual([
      'no column "spread", which the settings require; did you mean "spred"?',
    ]);
    expect(fault('date,o,h,l,c,v')).toEqual(['no column "spread", which the settings require']);
    expect(fault('date,o,h,l,c,v,spread,spread')).toEqual(['two columns are called "spread"']);
    expect(fault('spread,spread,o,h,l,c,v')).toHaveLength(2);
    expect(read('spread,date,o,h,l,c,v', undefined, false, ['spread']).plan?.extra[0]?.position).toBe(0);
  });
});

describe('an adjusted close', () => {
  it('is noted if the close is not adjusted', () => {
    expect(read('date,o,h,l,Adj Close,Close,v')).toMatchObject({
      plan: { prices: [1, 2, 3, 5] },
      adjustments: [],
      notes: [
        'close is read from column "Close", not from "Adj Close"; for adjusted prices use --columns close="Adj Close"',
      ],
    });
    expect(read('date,o,h,l,Adj Close,Close,v').plan).not.toHaveProperty('unadjusted');
  });

  it('scales the other prices if it is the close', () => {
    const mapping = 'close="Adj Close"';
    expect(read('date,o,h,l,Close,Adj Close,v', mapping)).toMatchObject({
      plan: { prices: [1, 2, 3, 5], unadjusted: 4 },
      adjustments: [
        `columns read as set with --columns ${mapping}`,
        'prices are adjusted: close is read from "Adj Close", and open, high and low are multiplied by "Adj Close" / "Close"',
      ],
      notes: [],
    });
    expect(read('Close,Adj Close,date,o,h,l,v', mapping).plan).toMatchObject({
      prices: [3, 4, 5, 1],
      unadjusted: 0,
    });
    const first = read('Adj Close,Close,date,o,h,l,v', mapping);
    expect(first.plan).toMatchObject({ prices: [3, 4, 5, 0], unadjusted: 1 });
    expect(first.adjustments).toHaveLength(2);
    expect(read('Adj Close,Close,date,o,h,l,v').notes).toHaveLength(1);
    const alone = read('date,o,h,l,Adj Close,v', mapping);
    expect(alone).toMatchObject({
      adjustments: [`columns read as set with --columns ${mapping}`],
      notes: [],
    });
    expect(alone.plan).not.toHaveProperty('unadjusted');
  });
});

describe('a header that cannot be used', () => {
  it.each([
    ['date,o,h,l', 'no columns "close", "volume" among "date", "o", "h", "l"'],
    [
      'date,o,h,l,c',
      'no column "volume" among "date", "o", "h", "l", "c"; if the data have no volume, add --no-volume (every bar then has volume 1)',
    ],
    [
      'date,o,h,l,zzz,v',
      'no column "close" among "date", "o", "h", "l", "zzz", "v"; assign the headers to columns: --columns close=…',
    ],
    [
      'My date,first,max,min,last,qty',
      'no columns "date", "open", "high", "low", "close", "volume" among "My date", "first", "max", "min", "last", "qty"; assign the headers to columns: --columns date="My date",open=first,high=max,low=min,close=last,volume=qty',
    ],
    [
      'Gmt time,Open,High,Low,Close,Volume',
      'no column "date" among "Gmt time", "Open", "High", "Low", "Close", "Volume"; use --columns preset=dukascopy',
    ],
    ['date,date,o,h,l,c,v', 'two columns are called "date", so time could be either'],
    ['date,o,o,h,l,c,v', 'two columns are called "o", so open could be either'],
  ])('is refused with a suggestion: %s', (header, fault) => {
    expect(read(header)).toMatchObject({ faults: [fault] });
    expect(read(header).plan).toBeUndefined();
  });

  it('is refused if it has values instead of names, with a suggested mapping', () => {
    const faults = (header: string) => read(header).faults.join();
    const values = 'the first line contains values instead of column names; ';
    expect(faults('2020-01-01,1,2,3,4,5')).toContain(`${values}give the number of each column, from 1`);
    expect(faults('2020.01.01,00:00,1,2,3,4,5')).toContain(`${values}use --columns preset=metatrader`);
    expect(faults('1577836800,1,2,3,4,5,6')).toContain('preset=kraken');
    expect(faults('1577836800000,1,2,3,4,5,6,7,8,9,10,11')).toContain('preset=binance');
    expect([['1', '2020-01-01T00:00Z'], ['x'], []].map(isBareLine)).toEqual([true, false, false]);
  });

  it('is reported with at most twenty names of forty characters', () => {
    const header = Array.from({ length: 21 }, (_, at) => `x${at}`.padEnd(41, 'y'));
    const [fault] = readHeader(header, false).faults;
    expect(fault).toContain(`"${'x19'.padEnd(40, 'y')}"`);
    expect(fault).not.toContain('x20');
  });

  it('is refused if a mapped column is missing', () => {
    expect(read('date,o,h,l,c,v', 'close=Last,open=o').faults).toEqual([
      'no column "Last", which --columns assigns to close',
    ]);
    expect(read('date,o,h,l,c,v', 'date=Day,open=o').faults).toEqual([
      'no column "Day", which --columns assigns to date',
    ]);
    expect(read('date,o,h,l,last,v', 'volume=v').faults).toEqual([
      'no column "close" among "date", "o", "h", "l", "last", "v"; assign the headers to columns: --columns volume=v,close=last',
    ]);
  });

  it('is refused if several columns fit, unless a mapping chooses one', () => {
    expect(read('date,Open,open,h,l,c,v', 'open=open').plan?.prices).toEqual([2, 3, 4, 5]);
    expect(read('date,o,h,l,c,v,V').faults).toEqual([
      'two columns are called "v", so volume could be either',
    ]);
    expect(read('ticker,Ticker,date,o,h,l,c,v').faults).toEqual([
      'two columns are called "ticker", so symbol could be either',
    ]);
    expect(read('date,o,h,l,c,v,date,h').faults).toEqual([
      'two columns are called "date", so time could be either',
      'two columns are called "h", so high could be either',
    ]);
  });

  it('is refused if a mapping omits a required column, but the symbol may be omitted', () => {
    expect(read('date,o,h,l,c,v', 'close=none').faults[0]).toContain('no column "close" among');
    expect(read('date,o,h,l,c,v', 'symbol=none').plan).toEqual({
      time: 0,
      prices: [1, 2, 3, 4],
      volume: 5,
      extra: [],
    });
    expect(read('symbol,date,o,h,l,c,v', 'symbol=none').plan).not.toHaveProperty('symbol');
  });
});
