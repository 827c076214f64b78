import { describe, expect, it } from 'vitest';
import { HEADER, inOwnFolders, write } from '../../../test/support/data-folder.ts';
import { readColumns } from '../columns/mapping.ts';
import { readPlainFile } from './find-files.ts';

inOwnFolders();

const ROWS = `${HEADER}\n2020-01-01,1,2,1,2,5\n2020-01-02,1,2,1,2,5\n`;

/** Returns the symbols read without the database, or `undefined` if the file needs the database. */
async function symbolsOf(
  file: string,
  options: Parameters<typeof readPlainFile>[1] = {},
  wanted: readonly string[] = [],
  columns?: string,
): Promise<readonly string[] | undefined> {
  const mapping = columns === undefined ? undefined : readColumns(columns);
  return (await readPlainFile(file, options, wanted, undefined, mapping))?.known;
}

describe('a plain file', () => {
  it('has one symbol: its file name or the given name', async () => {
    const file = write('aapl.csv', ROWS);
    expect(await symbolsOf(file)).toEqual(['AAPL']);
    expect(await symbolsOf(file, {}, ['AAPL', 'MSFT'])).toEqual(['AAPL']);
    const named = await readPlainFile(file, {}, [], 'XYZ', undefined);
    expect(named).toMatchObject({ known: ['XYZ'], sources: [{ symbols: ['XYZ'], bars: 2 }] });
  });

  it('needs the database for another symbol or time zone, a preset or no header', async () => {
    const file = write('aapl.csv', ROWS);
    expect(await symbolsOf(file, {}, ['MSFT'])).toBeUndefined();
    expect(await symbolsOf(file, { timezone: 'America/New_York' })).toBeUndefined();
    expect(await symbolsOf(file, {}, [], 'preset=binance')).toBeUndefined();
    expect(
      await symbolsOf(file, {}, [], 'header=none,date=1,open=2,high=3,low=4,close=5,volume=6'),
    ).toBeUndefined();
    const other = write('b.csv', ROWS.replace('close', 'last'));
    expect(await symbolsOf(other, {}, [], 'close=last')).toEqual(['B']);
  });

  it('needs the database if it is JSON, has a symbol column or has faulty rows', async () => {
    expect(await symbolsOf(write('a.json', ROWS))).toBeUndefined();
    expect(await symbolsOf(write('b.csv', `symbol,${HEADER}\nA,2020-01-01,1,2,1,2,5\n`))).toBeUndefined();
    expect(await symbolsOf(write('c.csv', `${HEADER}\n2020-01-01,1,2,1,x,5\n`))).toBeUndefined();
  });

  it('needs the database if all of its columns are requested', async () => {
    const file = write('aapl.csv', `${HEADER},vix\n2020-01-01,1,2,1,2,5,20\n`);
    expect(await symbolsOf(file)).toEqual(['AAPL']);
    expect(await symbolsOf(file, { keepColumns: true })).toBeUndefined();
  });

  it('needs the database if it has more columns than the limit', async () => {
    const wide = (columns: number): string => {
      const more = Array.from({ length: columns - 6 }, (_, index) => `x${index}`);
      return `${[HEADER, ...more].join()}\n${['2020-01-01,1,2,1,2,5', ...more.map(() => '1')].join()}\n`;
    };
    expect(await symbolsOf(write('a.csv', wide(1_024)))).toEqual(['A']);
    expect(await symbolsOf(write('b.csv', wide(1_025)))).toBeUndefined();
    expect(await symbolsOf(write('c.csv', wide(8)), { unpackedLimit: 2 })).toEqual(['C']);
    expect(await symbolsOf(write('d.csv', wide(9)), { unpackedLimit: 2 })).toBeUndefined();
  });

  it('has the notes and changes of its header, and additional columns that are requested', async () => {
    const text = `${HEADER.replace('close', 'close,Adj Close')},spread\n2020-01-01,1,2,1,2,1.9,5,0.5\n`;
    const found = await readPlainFile(
      write('a.csv', text),
      { extraColumns: ['spread'] },
      [],
      undefined,
      undefined,
    );
    expect(found).toMatchObject({
      file: 'a.csv',
      faults: [],
      adjustments: [],
      notes: [
        'a.csv: close is read from column "close", not from "Adj Close"; for adjusted prices use --columns close="Adj Close"',
      ],
      series: [{ symbol: 'A', volume: Float64Array.of(5), extra: { spread: Float64Array.of(0.5) } }],
    });
    expect(found).not.toHaveProperty('isUnmapped');
    const without = `${HEADER.replace(',volume', '')}\n2020-01-01,1,2,1,2\n`;
    const columns = readColumns('close=Last');
    expect(
      await readPlainFile(write('b.csv', without), { noVolume: true }, [], undefined, columns),
    ).toMatchObject({
      isUnmapped: true,
      adjustments: ['b.csv: no volume column: the volume of every bar is set to 1'],
    });
    expect(await symbolsOf(write('c.csv', without))).toBeUndefined();
    expect(await symbolsOf(write('d.csv', text), {}, [], 'close="Adj Close"')).toBeUndefined();
    const clock = `date,time,open,high,low,close,volume\n2020-01-01,1,1,2,1,2,5\n`;
    expect(await symbolsOf(write('e.csv', clock))).toBeUndefined();
  });

  it('needs the database if it has a bar of a whole day among shorter bars', async () => {
    const hours = [10, 11, 12, 11, 13].map((close, hour) => `2020-01-01T1${hour}:00,10,15,9,${close},7`);
    const file = write('a.csv', [HEADER, '2020-01-01,10,15,9,13,35', ...hours]);
    expect(await symbolsOf(file)).toBeUndefined();
    expect(await symbolsOf(write('b.csv', [HEADER, ...hours]))).toEqual(['B']);
  });
});
