import { createHash } from 'node:crypto';
import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { AppError, formatInstant } from '../kernel/index.ts';
import { openDatabase, sqlText } from './database.ts';
import { type LoadedMarket, type LoadOptions, loadMarket } from './load.ts';

const HEADER = 'date,open,high,low,close,volume';
const root = mkdtempSync(path.join(os.tmpdir(), 'sandtable-load-'));
const before = process.cwd();
let folder = 0;

beforeAll(() => process.chdir(root));
beforeEach(() => {
  mkdirSync(path.join(root, String(++folder)));
  process.chdir(path.join(root, String(folder)));
});
afterAll(() => {
  process.chdir(before);
  rmSync(root, { recursive: true, force: true });
});

function write(name: string, content: string | Buffer | readonly string[]): string {
  mkdirSync(path.dirname(name), { recursive: true });
  writeFileSync(name, Array.isArray(content) ? `${content.join('\n')}\n` : (content as string));
  return name;
}

const load = (paths: string | string[], options: Omit<LoadOptions, 'paths'> = {}): Promise<LoadedMarket> =>
  loadMarket({ paths: typeof paths === 'string' ? [paths] : paths, ...options });

async function errorOf(promise: Promise<unknown>): Promise<AppError> {
  const outcome = await promise.then(
    () => 'it was accepted',
    (error: unknown) => error,
  );
  expect(outcome).toBeInstanceOf(AppError);
  return outcome as AppError;
}

const datesOf = (loaded: LoadedMarket): string[] => Array.from(loaded.market.clock, formatInstant);

describe('what is read', () => {
  it('reads bars, with a source for the manifest', async () => {
    const text = `${HEADER}\n2020-01-01,1.1,2.5,0.3,1.2,100\n2020-01-02,1.2,2.5,0.30000000000000004,0.7,0\n`;
    const { market, sources, adjustments } = await load(write('aapl.csv', text));
    expect(market.symbols).toEqual(['AAPL']);
    expect(market.series[0]).toEqual({
      symbol: 'AAPL',
      time: Float64Array.of(Date.UTC(2020, 0, 1), Date.UTC(2020, 0, 2)),
      open: Float64Array.of(1.1, 1.2),
      high: Float64Array.of(2.5, 2.5),
      low: Float64Array.of(0.3, 0.30000000000000004),
      close: Float64Array.of(1.2, 0.7),
      volume: Float64Array.of(100, 0),
    });
    const sha256 = createHash('sha256').update(text).digest('hex');
    expect(sources).toEqual([
      { file: 'aapl.csv', sha256, symbols: ['AAPL'], bars: 2, firstBar: '2020-01-01', lastBar: '2020-01-02' },
    ]);
    expect(adjustments).toEqual([]);
  });

  it.each([
    [
      'any column order and case, and an adjusted close',
      ['Volume, CLOSE ,Adj Close,low,High,open,Date', '7,3,9,1,4,2,2020-01-01'],
    ],
    ['short names', ['t_stamp,timestamp,o,h,l,c,v', 'x,2020-01-01,2,4,1,3,7']],
    [
      'MetaTrader names',
      ['<DATE>\t<TIME>\t<OPEN>\t<HIGH>\t<LOW>\t<CLOSE>\t<VOL>', '2020.01.01\t00:00\t2\t4\t1\t3\t7'],
    ],
    [
      'open time',
      ['Open time,Open,High,Low,Close,Volume,Close time', '1577836800000,2,4,1,3,7,1577836859999'],
    ],
    ['semicolons', ['date;open;high;low;close;vol', '2020-01-01;2;4;1;3;7']],
    ['quotes', ['"date","open","high","low","close","volume"', '"Jan 1, 2020","2","4"," 1 ","3","7"']],
    ['a byte order mark and blank lines', [`\ufeff${HEADER}`, '', '2020-01-01,2,4,1,3,7', '', '']],
    ['Windows line ends', [`${HEADER}\r`, '2020-01-01,2,4,1,3,7\r']],
  ])('reads %s', async (_, lines) => {
    const { market } = await load(write('x.csv', lines));
    const { open, high, low, close, volume, time } = market.series[0]!;
    expect([time[0], open[0], high[0], low[0], close[0], volume[0]]).toEqual([
      Date.UTC(2020, 0, 1),
      2,
      4,
      1,
      3,
      7,
    ]);
  });

  it('reads gzip, TSV, NDJSON, JSON and Parquet alike', async () => {
    const bars = [
      `${HEADER}`,
      '2020-01-01,1.1,2.5,0.3,1.2,100',
      '2020-01-02,1.2,2.5,0.30000000000000004,0.7,7',
    ];
    const plain = (await load(write('x.csv', bars))).market.series[0]!;
    const records = bars.slice(1).map((line) => {
      const [date, ...values] = line.split(',');
      return `{"date":"${date}",${['open', 'high', 'low', 'close', 'volume'].map((name, index) => `"${name}":${values[index]}`).join(',')}}`;
    });
    write('gz/x.csv.gz', gzipSync(`${bars.join('\n')}\n`));
    write(
      'tsv/x.tsv',
      bars.map((line) => line.replaceAll(',', '\t')),
    );
    write('nd/x.ndjson', records);
    write('json/x.json', `[${records.join(',\n')}]`);
    mkdirSync('parquet');
    const database = await openDatabase();
    await database.run(`COPY (SELECT * FROM read_csv('x.csv')) TO ${sqlText('parquet/x.parquet')}`);
    database.close();
    for (const kind of ['gz', 'tsv', 'nd', 'json', 'parquet']) {
      expect((await load(kind)).market.series[0], kind).toEqual(plain);
    }
  });

  it('reads folders and globs, a file once, and keeps dots in a symbol', async () => {
    const bar = [HEADER, '2020-01-01,2,4,1,3,7'];
    for (const name of ['d/brk.b.csv', 'd/^GSPC.csv', 'd/a[1].csv', 'e/600519.SS.csv']) write(name, bar);
    write('d/README.md', 'not data');
    write('d/.hidden.csv', 'not data');
    expect((await load('d')).market.symbols).toEqual(['A[1]', 'BRK.B', '^GSPC']);
    expect((await load(['*/*.csv', 'e', 'd/a[1].csv'])).market.symbols).toEqual([
      '600519.SS',
      'A[1]',
      'BRK.B',
      '^GSPC',
    ]);
  });

  it('splits a file by its symbol column and puts all on one clock', async () => {
    write('x.csv', [
      'ticker,date,o,h,l,c,v',
      'b,2020-01-01,2,4,1,3,7',
      'a,2020-01-02,2,4,1,3,7',
      'b,2020-01-03,2,4,1,3,7',
      'a,2020-01-03,2,4,1,3,7',
    ]);
    const loaded = await load('x.csv');
    expect(loaded.market.symbols).toEqual(['A', 'B']);
    expect(loaded.market.series.map((series) => series.time.length)).toEqual([2, 2]);
    expect(datesOf(loaded)).toEqual(['2020-01-01', '2020-01-02', '2020-01-03']);
    expect((await load('x.csv', { symbols: ['a'] })).market.symbols).toEqual(['A']);
  });

  it('joins a symbol that lies in several files, and refuses an overlap', async () => {
    write('2020.csv', ['symbol,date,o,h,l,c,v', 'A,2020-01-01,2,4,1,3,7']);
    write('2021.csv', ['symbol,date,o,h,l,c,v', 'A,2021-01-01,2,4,1,3,7']);
    expect(datesOf(await load(['2021.csv', '2020.csv']))).toEqual(['2020-01-01', '2021-01-01']);
    write('again.csv', ['symbol,date,o,h,l,c,v', 'A,2021-01-01,2,4,1,3,7']);
    const error = await errorOf(load(['2021.csv', 'again.csv']));
    expect(error.code).toBe('duplicate_symbol');
    expect(error.message).toContain('again.csv: holds A, and so does 2021.csv');
  });

  it('names the first fifty symbols to choose among', async () => {
    const symbols = Array.from({ length: 60 }, (_, at) => `S${String(at).padStart(2, '0')}`);
    write('x.csv', ['symbol,date,o,h,l,c,v', ...symbols.map((symbol) => `${symbol},2020-01-01,2,4,1,3,7`)]);
    const { hint } = await errorOf(load('x.csv', { symbols: ['IBM'] }));
    expect(hint).toBe(`Choose among ${symbols.slice(0, 50).join(', ')}.`);
  });

  it('names one file by the one symbol asked for, and else chooses', async () => {
    write('spx.csv', [HEADER, '2020-01-01,2,4,1,3,7']);
    write('broken.csv', ['nothing']);
    expect((await load('spx.csv', { symbols: ['^GSPC'] })).market.symbols).toEqual(['^GSPC']);
    expect((await load('.', { symbols: ['spx'] })).market.symbols).toEqual(['SPX']);
    const error = await errorOf(load(['spx.csv', 'broken.csv'], { symbols: ['SPX', 'MSFT', 'BROKEN2'] }));
    expect([error.code, error.message, error.hint]).toEqual([
      'unknown_symbol',
      'The data hold no MSFT, BROKEN2.',
      'Choose among BROKEN, SPX.',
    ]);
  });

  it('keeps the bars from a date to a date, both included', async () => {
    const times = ['2020-01-01', '2020-01-02', '2020-01-02 12:00', '2020-01-03'];
    write('x.csv', [HEADER, ...times.map((time) => `${time},2,4,1,3,7`)]);
    expect(datesOf(await load('x.csv', { from: '2020-01-02', to: '2020-01-02' }))).toEqual([
      '2020-01-02',
      '2020-01-02T12:00:00',
    ]);
    const error = await errorOf(load('x.csv', { from: '2021-01-01' }));
    expect(error.message).toBe(
      'There is no bar from 2021-01-01: the data run from 2020-01-01 to 2020-01-03.',
    );
    expect((await errorOf(load('x.csv', { from: 'soon', to: 'later' }))).message).toContain('2 faults');
    expect((await errorOf(load('x.csv', { from: '2020-02-01', to: '2020-01-01' }))).code).toBe('bad_date');
  });
});

describe('what is refused', () => {
  it('reports every fault of every file at once, with its line', async () => {
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
    const error = await errorOf(load(['a.csv', 'b.csv', 'gone.csv']));
    expect(error.code).toBe('bad_data');
    expect(error.message.split('\n')).toEqual([
      'The data cannot be used: 17 faults',
      '  gone.csv: there is no such file or folder',
      '  a.csv line 3: "2020-02-30" is no date of the calendar',
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
      '  a.csv line 14: "soon" is no date that can be read',
      '  a.csv line 14: volume "1e999" is not a finite number',
      '  b.csv: no columns "close", "volume" among "date", "open", "high", "low"',
    ]);
  });

  it.each([
    ['an empty file', '', 'the file is empty'],
    ['blank lines only', '\n \n\n', 'the file is empty'],
    ['a header only', `${HEADER}\n`, 'there is no row below the header'],
    ['binary data', Buffer.from([1, 2, 0, 3]), 'the file holds binary data, not text'],
    ['other encodings', Buffer.from([0x64, 0xe9, 0xff, 0x0a]), 'the file is not UTF-8 text'],
    ['UTF-16', Buffer.from(`\ufeff${HEADER}`, 'utf16le'), 'the file is UTF-16 text; save it as UTF-8'],
    [
      'an archive that was cut off',
      gzipSync(`${HEADER}\n2020-01-01,2,4,1,3,7\n`).subarray(0, 40),
      'the gzip archive is damaged or cut off',
    ],
    ['no header', '2020-01-01,2,4,1,3,7\n', 'the first line holds values where the column names should be'],
    [
      'a column named twice',
      'date,open,Open,high,low,close,volume\n',
      'two columns are called "open", so open could be either',
    ],
    [
      'newest first',
      `${HEADER}\n2020-01-03,2,4,1,3,7\n2020-01-02,2,4,1,3,7\n2020-01-01,2,4,1,3,7\n`,
      "X's rows run from the newest to the oldest (reverse them, or say --sort)",
    ],
    [
      'ambiguous dates',
      `${HEADER}\n01/02/2020,2,4,1,3,7\n`,
      'can be month/day or day/month (write them as YYYY-MM-DD, or say --date-order mdy or dmy)',
    ],
    [
      'a quote that is not closed',
      `${HEADER}\n2020-01-01,"2,4,1,3,7\n2020-01-02,2,4,1,3,7\n`,
      'x.csv line 2: open ""2" is not a number',
    ],
    [
      'an empty symbol',
      'symbol,date,o,h,l,c,v\n,2020-01-01,2,4,1,3,7\n',
      'x.csv line 2: the symbol is empty',
    ],
    ['no volume', 'date,o,h,l,c\n2020-01-01,2,4,1,3\n', 'no column "volume"'],
  ])('refuses %s', async (_, content, message) => {
    const error = await errorOf(load(write('x.csv', content)));
    expect(error.code).toBe('bad_data');
    expect(error.message).toContain(message);
    expect(error.message.split('\n')[0]).toBe('The data cannot be used: 1 fault');
    expect(error.hint).not.toBe('');
  });

  it('refuses broken JSON and Parquet without a word of the reader inside', async () => {
    expect((await errorOf(load(write('x.json', '[{"date":')))).message).toContain(
      'the file cannot be read as JSON',
    );
    expect((await errorOf(load(write('x.parquet', 'PAR1 and nothing else')))).message).toContain(
      'the file cannot be read as Parquet',
    );
    expect((await errorOf(load(write('e.json', '[]')))).message).toContain('the file holds no records');
  });

  it('checks every bar against itself, and takes one whose prices are all the same', async () => {
    expect((await load(write('flat.csv', [HEADER, '2020-01-01,2,2,2,2,0']))).market.clock).toHaveLength(1);
    const error = await errorOf(
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

  it('names all columns that could be either, in the order of a bar', async () => {
    const error = await errorOf(load(write('x.csv', ['date,open,close,high,low,close,Open,volume', ''])));
    expect(error.message.split('\n').slice(1)).toEqual([
      '  x.csv: two columns are called "open", so open could be either',
      '  x.csv: two columns are called "close", so close could be either',
    ]);
  });

  it('says what an option that relaxes nothing here would need', async () => {
    // Rows from the newest to the oldest, and one that breaks the order alone.
    const backward = [HEADER, '2020-01-03,2,4,1,3,7', '2020-01-02,2,4,1,3,7'];
    expect((await errorOf(load(write('back.csv', backward)))).message).toContain(
      "BACK's rows run from the newest to the oldest (reverse them, or say --sort)",
    );
    const mixed = [HEADER, '2020-01-01,2,4,1,3,7', '2020-01-03,2,4,1,3,7', '2020-01-02,2,4,1,3,7'];
    expect((await errorOf(load(write('mixed.csv', mixed)))).message).toContain(
      'mixed.csv line 4: 2020-01-02 comes after the later 2020-01-03 of line 3',
    );
    expect((await load('mixed.csv', { sortRows: true })).adjustments).toEqual([
      "mixed.csv: MIXED's 3 rows were put in order of time",
    ]);
    const straight = [HEADER, '2020-01-01,2,4,1,3,7', '2020-01-02,2,4,1,3,7'];
    expect((await load(write('straight.csv', straight), { sortRows: true })).adjustments).toEqual([]);
  });

  it.runIf(process.platform === 'linux')(
    'passes on what the system says of a file that cannot be read',
    async () => {
      const error = await errorOf(load('/proc/self/mem'));
      expect(error.code).toBe('bad_data');
      expect(error.message).toContain('/proc/self/mem: the file cannot be read (EIO');
    },
  );

  it.runIf(process.getuid !== undefined && process.getuid() !== 0)(
    'says that a file is forbidden',
    async () => {
      write('x.csv', [HEADER, '2020-01-01,2,4,1,3,7']);
      chmodSync('x.csv', 0);
      expect((await errorOf(load('x.csv'))).message).toContain(
        'x.csv: the file may not be read: permission denied',
      );
    },
  );

  it('names every path that leads nowhere', async () => {
    mkdirSync('empty');
    const error = await errorOf(load(['gone.csv', '*.parquet', 'empty', '']));
    expect(error.code).toBe('data_not_found');
    expect(error.message).toContain('4 faults');
    for (const text of [
      'gone.csv: there is no such',
      '*.parquet: no file matches',
      'empty: the folder holds no data file',
      'an empty path',
    ]) {
      expect(error.message).toContain(text);
    }
    expect((await errorOf(load([]))).code).toBe('data_not_found');
  });
});

describe('what an option relaxes is written down', () => {
  it('leaves out rows without a value', async () => {
    write('x.csv', [
      HEADER,
      '2020-01-01,2,4,1,3,7',
      '2020-01-02,,,,,',
      '2020-01-03,null,null,null,null,null',
      '2020-01-04,2,4,1,3,7',
    ]);
    expect((await errorOf(load('x.csv'))).message).toContain('10 faults');
    const loaded = await load('x.csv', { allowGaps: true });
    expect(datesOf(loaded)).toEqual(['2020-01-01', '2020-01-04']);
    expect(loaded.adjustments).toEqual(['x.csv: left out 2 rows without a value (line 3, 4)']);
  });

  it('puts rows in order, but not when two share a time', async () => {
    write('x.csv', [HEADER, '2020-01-03,2,4,1,3,7', '2020-01-01,2,4,1,3,8', '2020-01-02,2,4,1,3,9']);
    const loaded = await load('x.csv', { sortRows: true });
    expect(Array.from(loaded.market.series[0]!.volume)).toEqual([8, 9, 7]);
    expect(loaded.adjustments).toEqual(["x.csv: X's 3 rows were put in order of time"]);
    write('x.csv', [HEADER, '2020-01-03,2,4,1,3,7', '2020-01-01,2,4,1,3,8', '2020-01-03,2,4,1,3,9']);
    expect((await errorOf(load('x.csv', { sortRows: true }))).message).toContain(
      'line 4: 2020-01-03 repeats the time 2020-01-03 of line 2',
    );
  });

  it('sets the volume to 1 where there is none', async () => {
    write('x.csv', ['date,o,h,l,c', '2020-01-01,2,4,1,3']);
    const loaded = await load('x.csv', { noVolume: true });
    expect(loaded.market.series[0]!.volume).toEqual(Float64Array.of(1));
    expect(loaded.adjustments).toEqual(['x.csv: no volume column: the volume of every bar is set to 1']);
  });

  it('says which symbols a range leaves out, and which of two times was read', async () => {
    write('a.csv', [HEADER, '2020-01-01,2,4,1,3,7']);
    write('b.csv', ['unix,timestamp,date,o,h,l,c,v', '1,2021-01-01,x,2,4,1,3,7']);
    expect((await load('.', { from: '2021-01-01' })).adjustments).toEqual([
      'b.csv: time read from column "timestamp", not from "date"',
      'A has no bar from 2021-01-01 and was left out',
    ]);
  });

  it('reads day and month as told', async () => {
    write('x.csv', [HEADER, '01/02/2020,2,4,1,3,7']);
    expect(datesOf(await load('x.csv', { dateOrder: 'dmy' }))).toEqual(['2020-02-01']);
  });
});
