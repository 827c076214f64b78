import { chmodSync, mkdirSync } from 'node:fs';
import { gzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { HEADER, inOwnFolders, load, write } from '../../test/support/data-folder.ts';
import { rejectionOf } from '../../test/support/error-of.ts';

inOwnFolders();

describe('invalid market data', () => {
  it('are reported with every fault of every file and its line', async () => {
    write('a.csv', [
      HEADER,
      '2020-01-01,2,4,1,3,7',
      '2020-02-30,2,4,1,3,7',
      '2020-01-03,x,4,1,3,7',
      '',
      '2020-01-04,2,4,1,3',
      '2020-01-05,2,2.5,1,3,7',
      '2020-01-06,2,4,2.5,3,7',
      '2020-01-07,2,4,0,3,7',
      '2020-01-08,2,4,1,3,-1',
      '2020-01-08,2,4,1,3,7',
      '2020-01-07,2,4,1,,inf',
      '2020-01-09,2,NaN,1,3,"1,000"',
      'soon,2,4,1,3,1e999',
    ]);
    write('b.csv', ['date,open,high,low', '2020-01-01,1,1,1']);
    const error = await rejectionOf(load(['a.csv', 'b.csv', 'gone.csv']));
    expect(error.code).toBe('bad_data');
    expect(error.message.split('\n')).toEqual([
      'The data cannot be used: 17 faults',
      '  gone.csv: the file or folder does not exist',
      '  a.csv line 3: "2020-02-30" is not a date of the calendar',
      '  a.csv line 4: open "x" is not a number',
      '  a.csv line 6: has 5 cells where the header has 6',
      '  a.csv line 7: high 2.5 is below close 3',
      '  a.csv line 8: low 2.5 is above open 2',
      '  a.csv line 9: low is 0, not above 0',
      '  a.csv line 10: volume is -1, less than 0',
      '  a.csv line 11: 2020-01-08 repeats the time 2020-01-08 of line 10',
      '  a.csv line 12: close is empty',
      '  a.csv line 12: volume "inf" is not a finite number',
      '  a.csv line 12: 2020-01-07 comes after the later 2020-01-08 of line 11',
      '  a.csv line 13: high "NaN" is not a finite number',
      '  a.csv line 13: volume "1,000" has thousands separators; write it without',
      '  a.csv line 14: "soon" is not a date that can be read',
      '  a.csv line 14: volume "1e999" is not a finite number',
      '  b.csv: no columns "close", "volume" among "date", "open", "high", "low"',
    ]);
  });

  it.each([
    ['an empty file', '', 'the file is empty'],
    ['blank lines only', '\n \n\n', 'the file is empty'],
    ['a header only', `${HEADER}\n`, 'no row below the header'],
    ['binary data', Buffer.from([1, 2, 0, 3]), 'the file contains binary data, not text'],
    ['other encodings', Buffer.from([0x64, 0xe9, 0xff, 0x0a]), 'the file is not UTF-8 text'],
    ['UTF-16', Buffer.from(`\ufeff${HEADER}`, 'utf16le'), 'the file is UTF-16 text; save it as UTF-8'],
    [
      'an archive that was cut off',
      gzipSync(`${HEADER}\n2020-01-01,2,4,1,3,7\n`).subarray(0, 40),
      'the gzip archive is damaged or cut off',
    ],
    ['no header', '2020-01-01,2,4,1,3,7\n', 'the first line contains values instead of column names'],
    [
      'a column named twice',
      'date,open,Open,high,low,close,volume\n',
      'two columns are called "open", so open could be either',
    ],
    [
      'newest first',
      `${HEADER}\n2020-01-03,2,4,1,3,7\n2020-01-02,2,4,1,3,7\n2020-01-01,2,4,1,3,7\n`,
      "X's rows run from the newest to the oldest (reverse them, or add --sort)",
    ],
    [
      'ambiguous dates',
      `${HEADER}\n01/02/2020,2,4,1,3,7\n`,
      'can be month/day or day/month (write them as YYYY-MM-DD, or add --date-order mdy or dmy)',
    ],
    [
      'a quote that is not closed',
      `${HEADER}\n2020-01-01,"2,4,1,3,7\n2020-01-02,2,4,1,3,7\n`,
      'x.csv line 2: a cell begins with a quote and does not end with one',
    ],
    [
      'an empty symbol',
      'symbol,date,o,h,l,c,v\n,2020-01-01,2,4,1,3,7\n',
      'x.csv line 2: the symbol is empty',
    ],
    ['no volume', 'date,o,h,l,c\n2020-01-01,2,4,1,3\n', 'no column "volume"'],
  ])('are refused: %s', async (_, content, message) => {
    const error = await rejectionOf(load(write('x.csv', content)));
    expect(error.code).toBe('bad_data');
    expect(error.message).toContain(message);
    expect(error.message.split('\n')[0]).toBe('The data cannot be used: 1 fault');
    expect(error.hint).not.toBe('');
  });

  it('are refused if JSON or Parquet is broken, without an internal message of the reader', async () => {
    expect((await rejectionOf(load(write('x.json', '[{"date":')))).message).toContain(
      'the file cannot be read as JSON',
    );
    expect((await rejectionOf(load(write('x.parquet', 'PAR1 and nothing else')))).message).toContain(
      'the file cannot be read as Parquet',
    );
    expect((await rejectionOf(load(write('e.json', '[]')))).message).toContain(
      'the file contains no records',
    );
  });

  it('are refused if a bar contradicts itself, and accepted if all its prices are equal', async () => {
    expect((await load(write('flat.csv', [HEADER, '2020-01-01,2,2,2,2,0']))).market.clock).toHaveLength(1);
    const error = await rejectionOf(
      load(
        write('x.csv', [
          HEADER,
          '2020-01-01,2,1,3,2,7',
          '2020-01-02,0,0,0,0,7',
          '2020-01-03,2,3,1,4,7',
          '2020-01-04,2,3,1,0.5,7',
          '2020-01-05,-2,3,-3,1,7',
        ]),
      ),
    );
    expect(error.message.split('\n').slice(1)).toEqual([
      '  x.csv line 2: high 1 is below open 2',
      '  x.csv line 2: low 3 is above open 2',
      '  x.csv line 2: high 1 is below low 3',
      ...['open', 'high', 'low', 'close'].map((column) => `  x.csv line 3: ${column} is 0, not above 0`),
      '  x.csv line 4: high 3 is below close 4',
      '  x.csv line 5: low 1 is above close 0.5',
      '  x.csv line 6: open is -2, not above 0',
      '  x.csv line 6: low is -3, not above 0',
    ]);
  });

  it('are refused with all ambiguous columns, in the order of a bar', async () => {
    const error = await rejectionOf(load(write('x.csv', ['date,open,close,high,low,close,Open,volume', ''])));
    expect(error.message.split('\n').slice(1)).toEqual([
      '  x.csv: two columns are called "open", so open could be either',
      '  x.csv: two columns are called "close", so close could be either',
    ]);
  });

  it('are refused with a suggestion if an option does not apply', async () => {
    // First a file whose rows run from the newest to the oldest, then a file with a single row out of order.
    const backward = [HEADER, '2020-01-03,2,4,1,3,7', '2020-01-02,2,4,1,3,7'];
    expect((await rejectionOf(load(write('back.csv', backward)))).message).toContain(
      "BACK's rows run from the newest to the oldest (reverse them, or add --sort)",
    );
    const mixed = [HEADER, '2020-01-01,2,4,1,3,7', '2020-01-03,2,4,1,3,7', '2020-01-02,2,4,1,3,7'];
    expect((await rejectionOf(load(write('mixed.csv', mixed)))).message).toContain(
      'mixed.csv line 4: 2020-01-02 comes after the later 2020-01-03 of line 3',
    );
    expect((await load('mixed.csv', { sortRows: true })).adjustments).toEqual([
      "mixed.csv: MIXED's 3 rows were sorted by time",
    ]);
    const straight = [HEADER, '2020-01-01,2,4,1,3,7', '2020-01-02,2,4,1,3,7'];
    expect((await load(write('straight.csv', straight), { sortRows: true })).adjustments).toEqual([]);
  });

  it.runIf(process.platform === 'linux')(
    'are refused with the message of the operating system if a file cannot be read',
    async () => {
      const error = await rejectionOf(load('/proc/self/mem'));
      expect(error.code).toBe('bad_data');
      expect(error.message).toContain('/proc/self/mem: the file cannot be read (EIO');
    },
  );

  it.runIf(process.getuid !== undefined && process.getuid() !== 0)(
    'are refused with the reason if access is forbidden',
    async () => {
      write('x.csv', [HEADER, '2020-01-01,2,4,1,3,7']);
      chmodSync('x.csv', 0);
      expect((await rejectionOf(load('x.csv'))).message).toContain(
        'x.csv: the file may not be read: permission denied',
      );
    },
  );

  it('compares the rows around a row without a date', async () => {
    write('a.csv', [
      HEADER,
      '2020-01-03,2,4,1,3,7',
      'soon,2,4,1,3,7',
      '2020-01-02,2,4,1,3,7',
      '2020-01-06,2,4,1,3,7',
    ]);
    expect((await rejectionOf(load('a.csv'))).message.split('\n').slice(1)).toEqual([
      '  a.csv line 3: "soon" is not a date that can be read',
      '  a.csv line 4: 2020-01-02 comes after the later 2020-01-03 of line 2',
    ]);
  });

  it('names the symbols whose rows run backwards, in the order of the file', async () => {
    write('all.csv', [
      `symbol,${HEADER}`,
      ...['B', 'A'].flatMap((symbol) => ['03', '02'].map((day) => `${symbol},2020-01-${day},2,4,1,3,7`)),
    ]);
    expect((await rejectionOf(load('all.csv'))).message.split('\n').slice(1)).toEqual(
      ['B', 'A'].map((symbol) => expect.stringContaining(`all.csv: ${symbol}'s rows run from the newest`)),
    );
  });

  it('are refused with every path that does not exist or has no data', async () => {
    mkdirSync('empty');
    const error = await rejectionOf(load(['gone.csv', '*.parquet', 'empty', '']));
    expect(error.code).toBe('data_not_found');
    expect(error.message).toContain('4 faults');
    for (const text of [
      'gone.csv: the file or folder does not',
      '*.parquet: no file matches',
      'empty: the folder contains no data file',
      'an empty path',
    ]) {
      expect(error.message).toContain(text);
    }
    expect((await rejectionOf(load([]))).code).toBe('data_not_found');
  });
});
