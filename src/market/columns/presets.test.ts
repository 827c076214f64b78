import { describe, expect, it } from 'vitest';
import { errorOf } from '../../../test/support/error-of.ts';
import { bareNames, type COLUMN_PRESET_NAMES, mappingToType, readColumns } from './mapping.ts';

const cells = (text: string): string[] => text.split(',');
const presetOf = (name: (typeof COLUMN_PRESET_NAMES)[number]) => readColumns({ preset: name }).preset!;

describe('a mapping of columns', () => {
  it('consists of its text, its column names and its preset', () => {
    expect(readColumns(' Preset = ib , CLOSE="Last, adj" ,open=Open')).toEqual({
      text: 'preset=ib,close="Last, adj",open=Open',
      named: { close: 'Last, adj', open: 'Open' },
      preset: presetOf('ib'),
      isBare: false,
    });
    expect(readColumns('close=Last')).toEqual({
      text: 'close=Last',
      named: { close: 'Last' },
      isBare: false,
    });
    expect(readColumns('header=none,date=1,open=2,high=3,low=4,close=5,volume=none')).toEqual({
      text: 'header=none,date=1,open=2,high=3,low=4,close=5,volume=none',
      named: { date: '1', open: '2', high: '3', low: '4', close: '5', volume: 'none' },
      isBare: true,
    });
  });

  it('quotes only names with special characters', () => {
    expect(readColumns('date="a-b.c_1",open="a b",high="é"').text).toBe('date=a-b.c_1,open="a b",high="é"');
  });

  it('ignores columns that are undefined in code', () => {
    expect(readColumns({ close: 'Last', preset: undefined } as never)).toMatchObject({
      named: { close: 'Last' },
      text: 'close=Last',
    });
  });

  it.each([
    ['preset=yahoo', 'unknown preset "yahoo"; there is yfinance, dukascopy, binance'],
    ['close=A,close=B', 'close is given twice'],
    ['close=A,open=A', '"A" cannot be both close and open'],
    ['header=first', 'header is "first": the only valid value is none'],
    ['xyzzy=A', 'unknown key "xyzzy"; there is preset, header, date, time'],
    ['close= ', 'close does not name a column'],
    ['', 'it does not name a column'],
    ['close=A,"oops', '""oops" is not of the form column=name'],
    [`close=A,${'x'.repeat(50)}`, `"${'x'.repeat(40)}" is not of the form column=name`],
    ['header=none,date=1,open=2', 'header=none needs high, low, close too'],
    [
      'header=none,date=0,open=2,high=3,low=4,close=5',
      'date is "0": without a header a column is named by its number, from 1',
    ],
    ['header=none,date=10000,open=2,high=3,low=4,close=5', 'date is "10000": without a header'],
  ])('%j is refused', (text, fault) => {
    const { code, message } = errorOf(() => readColumns(text));
    expect([code, message.startsWith(`The columns cannot be read: ${fault}`)]).toEqual(['bad_columns', true]);
    expect(message.split('; ').filter((one) => !/^(there is|did you)/.test(one))).toHaveLength(1);
  });

  it('may omit several columns with none', () => {
    expect(readColumns('volume=none,symbol=none').named).toEqual({ volume: 'none', symbol: 'none' });
  });
});

describe('a file without a header line', () => {
  it('has the column names of the preset variant with the same number of cells', () => {
    const seven = 'time,open,high,low,close,volume,trades';
    const eight = 'time,open,high,low,close,vwap,volume,count';
    expect(bareNames(presetOf('kraken'), cells('1,2,3,4,5,6,7'))).toEqual(cells(seven));
    expect(bareNames(presetOf('kraken'), cells('1,2,3,4,5,6,7,8'))).toEqual(cells(eight));
    expect(bareNames(presetOf('kraken'), cells('1,2,3,4,5,6'))).toBeUndefined();
    expect(bareNames(presetOf('binance'), cells('1,2,3,4,5,6,7,8,9,10,11,12'))).toHaveLength(12);
    expect(bareNames(presetOf('ib'), cells('1,2,3,4,5,6,7'))).toBeUndefined();
  });

  it('has a time of day in the second cell only if the preset has a time there', () => {
    const metatrader = cells('date,time,open,high,low,close,tickvol');
    expect(bareNames(presetOf('metatrader'), cells('2020.01.02,9:30,1,2,3,4,5'))).toEqual(metatrader);
    expect(bareNames(presetOf('metatrader'), cells('2020.01.02,1,1,2,3,4,5'))).toBeUndefined();
    expect(bareNames(presetOf('kraken'), cells('2020.01.02,09:30,1,2,3,4,5'))).toBeUndefined();
  });
});

describe('the suggestion for a header without the required columns', () => {
  type Unread = Parameters<typeof mappingToType>[0];
  const suggested = (header: string, missing: string, more: Partial<Unread> = {}): string | undefined =>
    mappingToType({
      missing: cells(missing) as unknown as Unread['missing'],
      header: cells(header),
      names: cells(header.toLowerCase()),
      used: [],
      isBare: false,
      mapping: undefined,
      ...more,
    });

  it('is a preset that names every missing column', () => {
    expect(suggested('Gmt time,Open', 'date')).toBe('use --columns preset=dukascopy');
    expect(suggested('open time,open', 'date')).toBe('use --columns preset=binance');
    expect(suggested('timestamp,1 open,2 high', 'date,open,high')).toBe('use --columns preset=alphavantage');
    expect(suggested('1,2,3,4,5,6,7', 'date', { isBare: true })).toBe('use --columns preset=kraken');
  });

  it('is a list of column numbers for a file without a header', () => {
    const numbers =
      'give the number of each column, from 1: --columns header=none,date=1,open=2,high=3,low=4,close=5,volume=6';
    expect(suggested('1,2,3', 'date', { isBare: true })).toBe(numbers);
    expect(suggested('1,2,3,4,5,6,7', 'date', { isBare: true, mapping: readColumns('close=C') })).toBe(
      numbers,
    );
  });

  it('assigns each missing column to the first unused header with a similar meaning', () => {
    expect(
      suggested('Trading day,First,Max,Min,Last,Qty,Code', 'date,open,high,low,close,volume,symbol'),
    ).toBe(
      'assign the headers to columns: --columns date="Trading day",open=First,high=Max,low=Min,close=Last,volume=Qty,symbol=Code',
    );
    expect(suggested('Last,Settle', 'close', { used: [0] })).toBe(
      'assign the headers to columns: --columns close=Settle',
    );
    expect(suggested('Last price,x', 'close,open')).toBe(
      'assign the headers to columns: --columns close="Last price",open=…',
    );
    // One header is not assigned to two columns.
    expect(suggested('Time stamp open,x', 'date,open')).toBe(
      'assign the headers to columns: --columns date="Time stamp open",open=…',
    );
    expect(suggested('"Settle",\ufeffx', 'close')).toBe(
      'assign the headers to columns: --columns close=Settle',
    );
  });

  it('extends the given mapping', () => {
    expect(suggested('gmt time,Last', 'close', { mapping: readColumns('preset=dukascopy,open=O') })).toBe(
      'assign the headers to columns: --columns preset=dukascopy,open=O,close=Last',
    );
  });

  it('is omitted if every header is already used', () => {
    expect(suggested('a,b', 'close', { used: [0, 1] })).toBeUndefined();
    expect(suggested('a,b', 'close', { used: [1] })).toBe('assign the headers to columns: --columns close=…');
  });
});
