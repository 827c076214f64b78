import { describe, expect, it } from 'vitest';
import { inOwnFolders, load, write } from '../../../test/support/data-folder.ts';
import { rejectionOf } from '../../../test/support/error-of.ts';
import { readDatedTable, readDatedTables } from './dated-table.ts';

inOwnFolders();

const at = (text: string): number => Date.parse(`${text}Z`);
type Options = Parameters<typeof load>[1];

/** Writes and loads a file. Returns its bars as rows, by symbol. */
async function barsOf(
  name: string,
  lines: string | readonly string[],
  options: Options = {},
): Promise<Record<string, number[][]>> {
  const { market } = await load(write(name, lines), options);
  return Object.fromEntries(
    market.series.map(({ symbol, time, open, high, low, close, volume }) => [
      symbol,
      Array.from(time, (instant, bar) => [
        instant,
        open[bar]!,
        high[bar]!,
        low[bar]!,
        close[bar]!,
        volume[bar]!,
      ]),
    ]),
  );
}
const faultOf = async (
  name: string,
  lines: string | readonly string[],
  options: Options = {},
): Promise<string[]> => (await rejectionOf(load(write(name, lines), options))).message.split('\n').slice(1);

describe('prices with an adjusted close', () => {
  const HEADER = 'date,open,high,low,close,adj close,volume';
  const options = { columns: 'close="adj close"' };

  it('are multiplied by the adjusted close divided by the close, to twelve digits', async () => {
    expect(
      await barsOf('x.csv', [HEADER, '2020-01-01,2,4,1,3,1.5,7', '2020-01-02,1,3,1,3,1,8'], options),
    ).toEqual({
      X: [
        [at('2020-01-01'), 1, 2, 0.5, 1.5, 7],
        [at('2020-01-02'), 0.333333333333, 1, 0.333333333333, 1, 8],
      ],
    });
  });

  it('need a close above zero in each row with prices', async () => {
    expect(
      await faultOf('x.csv', [HEADER, '2020-01-01,2,4,1,3,1.5,7', '2020-01-02,2,4,1,0,1.5,7'], options),
    ).toEqual(['  x.csv: line 3: the close before adjustment is not a number above 0']);
    expect(await faultOf('x.csv', [HEADER, '2020-01-01,2,4,1,inf,1.5,7'], options)).toHaveLength(1);
    expect(await faultOf('x.csv', [HEADER, '2020-01-01,x,4,1,0,1.5,7'], options)).toEqual([
      '  x.csv line 2: open "x" is not a number',
    ]);
  });
});

describe('a table of text', () => {
  it('may contain a separate time column, quotes and blank lines', async () => {
    const lines = [
      '',
      'date,time,open,high,low,close,volume',
      '',
      '2020-01-01,09:30,"2",4,1,3,7',
      '"2020-01-01", 10:30 ,2,4,1,3,8',
    ];
    expect(await barsOf('x.csv', lines)).toEqual({
      X: [
        [at('2020-01-01T09:30'), 2, 4, 1, 3, 7],
        [at('2020-01-01T10:30'), 2, 4, 1, 3, 8],
      ],
    });
  });

  it('may have several symbols with the same dates', async () => {
    const days = ['2020-01-01', '2020-01-02', '2020-01-03'];
    const symbols = ['a', 'b', 'c', 'd', 'e', 'f'];
    const lines = days.flatMap((date, day) =>
      symbols.map((symbol, index) => `${date},${symbol},2,4,1,3,${10 * day + index}`),
    );
    const found = await barsOf('x.csv', ['date,symbol,open,high,low,close,volume', ...lines]);
    expect(Object.keys(found)).toEqual(['A', 'B', 'C', 'D', 'E', 'F']);
    symbols.forEach((symbol, index) => {
      expect(found[symbol.toUpperCase()]).toEqual(
        days.map((date, day) => [at(date), 2, 4, 1, 3, 10 * day + index]),
      );
    });
  });

  it('may have no header line, with columns by number or by preset', async () => {
    const rows = ['1577836800,2,4,1,3,7,5', '1577923200,2,4,1,3,8,5'];
    const bars = { X: [7, 8].map((volume, day) => [at(`2020-01-0${day + 1}`), 2, 4, 1, 3, volume]) };
    expect(
      await barsOf('x.csv', rows, { columns: 'header=none,date=1,open=2,high=3,low=4,close=5,volume=6' }),
    ).toEqual(bars);
    expect(await barsOf('x.csv', rows, { columns: 'preset=kraken' })).toEqual(bars);
    expect(
      await barsOf('x.csv', ['time,open,high,low,close,volume,trades', ...rows], {
        columns: 'preset=kraken',
      }),
    ).toEqual(bars);
  });

  it('may have the two further header lines of yfinance directly below the first', async () => {
    const lines = [
      'Price,Close,High,Low,Open,Volume',
      'Ticker,SPY,SPY,SPY,SPY,SPY',
      'Date,,,,,',
      '2020-01-01,3,4,1,2,7',
    ];
    expect(await barsOf('x.csv', lines, { columns: 'preset=yfinance' })).toEqual({
      X: [[at('2020-01-01'), 2, 4, 1, 3, 7]],
    });
    expect(
      await barsOf('x.csv', ['Price,Close,High,Low,Open,Volume', '2020-01-01,3,4,1,2,7'], {
        columns: 'preset=yfinance',
      }),
    ).toEqual({
      X: [[at('2020-01-01'), 2, 4, 1, 3, 7]],
    });
    const late = [...lines.slice(0, 1), '2020-01-01,3,4,1,2,7', '2020-01-02,3,4,1,2,7', 'Date,,,,,'];
    expect((await faultOf('x.csv', late, { columns: 'preset=yfinance' }))[0]).toContain(
      'line 4: "Date" is not a date',
    );
  });

  it('is refused if it is blank, has no row, or has an unclosed quote', async () => {
    expect(await faultOf('x.csv', ['', ' '])).toEqual(['  x.csv: the file is empty']);
    expect(await faultOf('x.csv', 'date,open,high,low,close,volume\n')).toEqual([
      '  x.csv: no row below the header',
    ]);
    expect(
      (
        await faultOf('x.csv', [
          'date,open,high,low,close,volume',
          '',
          '2020-01-01,2,4,1,3,"7',
          '2020-01-02,2,4,1,"3,7',
        ])
      )[0],
    ).toBe(
      '  x.csv line 3: a cell begins with a quote and does not end with one (close it on the same line; a cell cannot contain a line break, and a quote within a cell is written twice)',
    );
  });
});

describe('a table of JSON', () => {
  const row = (more: string, volume = 7): string =>
    `{"date":"2020-01-0${volume - 6}","open":2,"high":4,"low":1,"close":3,"volume":${volume}${more}}`;

  it('has rows numbered from 1, and is refused with a duplicate key', async () => {
    expect(await barsOf('x.json', `[${row('')},${row('', 8)}]`)).toEqual({
      X: [7, 8].map((volume) => [at(`2020-01-0${volume - 6}`), 2, 4, 1, 3, volume]),
    });
    expect(await faultOf('x.json', `[${row('')},${row(',"open":5', 8)}]`)).toEqual([
      '  x.json row 2: has a key twice (remove one of them)',
    ]);
    expect(await faultOf('x.ndjson', `${row('').replace('"open":2', '"open":"x"')}\n`)).toEqual([
      '  x.ndjson row 1: open "x" is not a number',
    ]);
    expect(await faultOf('x.json', '[]')).toEqual(['  x.json: the file contains no records']);
    expect((await faultOf('x.json', '[{'))[0]).toContain('x.json: the file cannot be read as JSON');
  });
});

describe('a table with a date column', () => {
  it('is read as a header and rows of texts, with the number of each row', async () => {
    const reading = await readDatedTable(write('x.csv', ['a,b', '', '1, x ', '2']));
    expect(reading).toMatchObject({
      table: {
        header: ['a', 'b'],
        unit: 'line',
        rows: [
          { number: 3, cells: ['1', ' x '] },
          { number: 4, cells: ['2'] },
        ],
      },
    });
    expect(await readDatedTable(write('x.json', '[{"a":1,"b":null}]'))).toMatchObject({
      table: { unit: 'row', header: ['a', 'b'], rows: [{ number: 1, cells: ['1', null] }] },
    });
  });

  it('is a fault if the file is missing, a folder, empty or has an unclosed quote', async () => {
    expect(await readDatedTable('gone.csv')).toEqual({
      fault: { where: 'gone.csv', message: 'the file or folder does not exist' },
    });
    expect(await readDatedTable('.')).toEqual({
      fault: { where: '.', message: 'it is a folder; name one file' },
    });
    expect(await readDatedTable(write('e.csv', ''))).toEqual({
      fault: { where: 'e.csv', message: 'the file is empty' },
    });
    expect(await readDatedTable(write('q.csv', ['a', '"1']))).toMatchObject({
      fault: { where: 'q.csv line 2' },
    });
  });

  it('uses UTC in a catalogue, and the given time zone anywhere else', async () => {
    write('cat/source=fred/gdp.csv', ['date', '2020-01-01']);
    write('f/a.csv', ['date', '2020-01-01']);
    write('f/b.csv', '');
    const { tables, faults } = await readDatedTables(
      ['f', 'cat/@GDP', 'gone.csv', 'cat/@CPI'],
      undefined,
      'Asia/Tokyo',
    );
    expect(tables.map(({ file, timezone, whereOf }) => [file, timezone, whereOf(2)])).toEqual(
      [
        ['cat/source=fred/gdp.csv', undefined, 'cat/source=fred/gdp.csv line 2'],
        ['f/a.csv', 'Asia/Tokyo', 'f/a.csv line 2'],
      ].reverse(),
    );
    expect(faults.map(({ where }) => where)).toEqual(['cat/@CPI', 'gone.csv', 'f/b.csv']);
  });
});
