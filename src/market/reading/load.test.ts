import { createHash } from 'node:crypto';
import { mkdirSync } from 'node:fs';
import { gzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { HEADER, inOwnFolders, load, write } from '../../../test/support/data-folder.ts';
import { rejectionOf } from '../../../test/support/error-of.ts';
import { formatInstant } from '../../kernel/index.ts';
import { openDatabase, sqlText } from './database.ts';
import type { LoadedMarket } from './load.ts';

inOwnFolders();

const datesOf = (loaded: LoadedMarket): string[] => Array.from(loaded.market.clock, formatInstant);

describe('progress of reading', () => {
  it('counts the bytes of all files, also within a file', async () => {
    const rows = Array.from({ length: 20_000 }, (_, row) => {
      const day = new Date(Date.UTC(1950, 0, 1 + row)).toISOString().slice(0, 10);
      return `${day},1.5,2.5,0.5,1.5,100`;
    });
    const large = `${HEADER}\n${rows.join('\n')}\n`;
    const quoted = `${HEADER}\n"2020-01-01",1,2,1,2,100\n`;
    const seen: [number, number][] = [];
    await load([write('a.csv', large), write('b.csv', quoted)], {
      onRead: (done, total) => seen.push([done, total]),
    });
    const total = large.length + quoted.length;
    expect(new Set(seen.map(([, all]) => all))).toEqual(new Set([total]));
    expect(seen.filter(([done]) => done > 0 && done < large.length).length).toBeGreaterThan(0);
    expect(seen.at(-1)).toEqual([total, total]);
  });
});

describe('loadMarket', () => {
  it('reads bars, and records their source for the manifest', async () => {
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

  it('reads folders and globs, each file once, and preserves dots in a symbol', async () => {
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

  it('splits a file by its symbol column and puts all symbols on one clock', async () => {
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

  it('joins a symbol from several files, and refuses an overlap', async () => {
    write('2020.csv', ['symbol,date,o,h,l,c,v', 'A,2020-01-01,2,4,1,3,7']);
    write('2021.csv', ['symbol,date,o,h,l,c,v', 'A,2021-01-01,2,4,1,3,7']);
    expect(datesOf(await load(['2021.csv', '2020.csv']))).toEqual(['2020-01-01', '2021-01-01']);
    write('again.csv', ['symbol,date,o,h,l,c,v', 'A,2021-01-01,2,4,1,3,7']);
    const error = await rejectionOf(load(['2021.csv', 'again.csv']));
    expect(error.code).toBe('duplicate_symbol');
    expect(error.message).toContain('again.csv: contains A for the same period as 2021.csv');
  });

  it('lists the first fifty symbols in the hint', async () => {
    const symbols = Array.from({ length: 60 }, (_, at) => `S${String(at).padStart(2, '0')}`);
    write('x.csv', ['symbol,date,o,h,l,c,v', ...symbols.map((symbol) => `${symbol},2020-01-01,2,4,1,3,7`)]);
    const { hint } = await rejectionOf(load('x.csv', { symbols: ['IBM'] }));
    expect(hint).toBe(`Choose among ${symbols.slice(0, 50).join(', ')}.`);
  });

  it('names a single file by the one requested symbol, and otherwise selects by symbol', async () => {
    write('spx.csv', [HEADER, '2020-01-01,2,4,1,3,7']);
    write('broken.csv', ['nothing']);
    expect((await load('spx.csv', { symbols: ['^GSPC'] })).market.symbols).toEqual(['^GSPC']);
    expect((await load('.', { symbols: ['spx'] })).market.symbols).toEqual(['SPX']);
    const error = await rejectionOf(load(['spx.csv', 'broken.csv'], { symbols: ['SPX', 'MSFT', 'BROKEN2'] }));
    expect([error.code, error.message, error.hint]).toEqual([
      'unknown_symbol',
      'The data do not contain MSFT, BROKEN2.',
      'Choose among BROKEN, SPX.',
    ]);
  });

  it('returns the bars between two dates, inclusive', async () => {
    const times = ['2020-01-01', '2020-01-02', '2020-01-02 12:00', '2020-01-03'];
    write('x.csv', [HEADER, ...times.map((time) => `${time},2,4,1,3,7`)]);
    expect(datesOf(await load('x.csv', { from: '2020-01-02', to: '2020-01-02' }))).toEqual([
      '2020-01-02',
      '2020-01-02T12:00:00',
    ]);
    const error = await rejectionOf(load('x.csv', { from: '2021-01-01' }));
    expect(error.message).toBe('No bars from 2021-01-01: the data are from 2020-01-01 to 2020-01-03.');
    expect((await rejectionOf(load('x.csv', { from: 'soon', to: 'later' }))).message).toContain('2 faults');
    expect((await rejectionOf(load('x.csv', { from: '2020-02-01', to: '2020-01-01' }))).code).toBe(
      'bad_date',
    );
  });
});

describe('adjustments of the data', () => {
  it('include omitted rows without values', async () => {
    write('x.csv', [
      HEADER,
      '2020-01-01,2,4,1,3,7',
      '2020-01-02,,,,,',
      '2020-01-03,null,null,null,null,null',
      '2020-01-04,2,4,1,3,7',
    ]);
    expect((await rejectionOf(load('x.csv'))).message).toContain('10 faults');
    const loaded = await load('x.csv', { allowGaps: true });
    expect(datesOf(loaded)).toEqual(['2020-01-01', '2020-01-04']);
    expect(loaded.adjustments).toEqual(['x.csv: omitted 2 rows without a value (line 3, 4)']);
  });

  it('include an omitted row with one empty cell, while a row with another wrong cell is refused', async () => {
    write('x.csv', [HEADER, '2020-01-01,2,4,1,3,7', '2020-01-02,,4,1,3,7', '2020-01-03,2,4,1,3,7']);
    expect(datesOf(await load('x.csv', { allowGaps: true }))).toEqual(['2020-01-01', '2020-01-03']);
    write('x.csv', [HEADER, '2020-01-01,2,4,1,3,7', '2020-01-02,,x,1,3,7']);
    expect((await rejectionOf(load('x.csv', { allowGaps: true }))).message).toContain('line 3');
  });

  it('include sorted rows, and rows with the same time are refused', async () => {
    write('x.csv', [HEADER, '2020-01-03,2,4,1,3,7', '2020-01-01,2,4,1,3,8', '2020-01-02,2,4,1,3,9']);
    const loaded = await load('x.csv', { sortRows: true });
    expect(Array.from(loaded.market.series[0]!.volume)).toEqual([8, 9, 7]);
    expect(loaded.adjustments).toEqual(["x.csv: X's 3 rows were sorted by time"]);
    write('x.csv', [HEADER, '2020-01-03,2,4,1,3,7', '2020-01-01,2,4,1,3,8', '2020-01-03,2,4,1,3,9']);
    expect((await rejectionOf(load('x.csv', { sortRows: true }))).message).toContain(
      'line 4: 2020-01-03 repeats the time 2020-01-03 of line 2',
    );
  });

  it('include a missing volume that is set to 1', async () => {
    write('x.csv', ['date,o,h,l,c', '2020-01-01,2,4,1,3']);
    const loaded = await load('x.csv', { noVolume: true });
    expect(loaded.market.series[0]!.volume).toEqual(Float64Array.of(1));
    expect(loaded.adjustments).toEqual(['x.csv: no volume column: the volume of every bar is set to 1']);
  });

  it('include symbols outside the date range, and the time column that was read', async () => {
    write('a.csv', [HEADER, '2020-01-01,2,4,1,3,7']);
    write('b.csv', ['unix,timestamp,date,o,h,l,c,v', '1,2021-01-01,x,2,4,1,3,7']);
    expect((await load('.', { from: '2021-01-01' })).adjustments).toEqual([
      'b.csv: time read from column "timestamp", not from "date"',
      'A has no bar from 2021-01-01 and was omitted',
    ]);
  });

  it('are not needed if the order of day and month is given', async () => {
    write('x.csv', [HEADER, '01/02/2020,2,4,1,3,7']);
    expect(datesOf(await load('x.csv', { dateOrder: 'dmy' }))).toEqual(['2020-02-01']);
  });
});
