import { describe, expect, it } from 'vitest';
import { HEADER, inOwnFolders, write } from '../../../test/support/data-folder.ts';
import { readColumns } from '../columns/mapping.ts';
import { readPlainFile } from './find-files.ts';

inOwnFolders();

const ROWS = `${HEADER}\n2020-01-01,1,2,1,2,5\n2020-01-02,1,2,1,2,5\n`;

/** Returns the symbols read without the database, or `undefined` if the file needs it. */
async function symbolsOf(
  file: string,
  options: Parameters<typeof readPlainFile>[1] = {},
  wanted: readonly string[] = [],
  columns?: string,
): Promise<readonly string[] | undefined> {
  const mapping = columns === undefined ? undefined : readColumns(columns);
  return (await readPlainFile(file, options, wanted, undefined, mapping))?.known;
}

describe('a file read without the database', () => {
  it('has one symbol: its name or the given one', async () => {
    const file = write('aapl.csv', ROWS);
    expect(await symbolsOf(file)).toEqual(['AAPL']);
    expect(await symbolsOf(file, {}, ['AAPL', 'MSFT'])).toEqual(['AAPL']);
    const named = await readPlainFile(file, {}, [], 'XYZ', undefined);
    expect(named).toMatchObject({ known: ['XYZ'], sources: [{ symbols: ['XYZ'], bars: 2 }] });
  });

  it('is not used for another symbol or time zone, with a preset, or without a header', async () => {
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

  it('is not used for JSON, a symbol column, or faulty rows', async () => {
    expect(await symbolsOf(write('a.json', ROWS))).toBeUndefined();
    expect(await symbolsOf(write('b.csv', `symbol,${HEADER}\nA,2020-01-01,1,2,1,2,5\n`))).toBeUndefined();
    expect(await symbolsOf(write('c.csv', `${HEADER}\n2020-01-01,1,2,1,x,5\n`))).toBeUndefined();
  });

  it('contains only its bars, unless further columns are requested', async () => {
    const file = write('aapl.csv', `${HEADER},vix\n2020-01-01,1,2,1,2,5,20\n`);
    expect(await symbolsOf(file)).toEqual(['AAPL']);
    expect(await symbolsOf(file, { keepColumns: true })).toBeUndefined();
  });
});
