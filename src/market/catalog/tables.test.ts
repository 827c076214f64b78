import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { inOwnFolders, write } from '../../../test/support/data-folder.ts';
import { errorOf } from '../../../test/support/error-of.ts';
import { findTables, isMeant, partOf, readManifest, referenceOf, symbolFolder } from './manifest.ts';

inOwnFolders();

const tables = (text: string) => findTables(referenceOf(text)!);

describe('tables of a catalogue', () => {
  it('are found by name, or by source and name', async () => {
    const gdp = write('cat/source=fred/GDP.parquet', '');
    const cpi = write('cat/source=fred/cpi.csv', '');
    const other = write('cat/source=oecd/gdp.csv.gz', '');
    write('cat/source=oecd/notes.md', '');
    write('cat/source=oecd/.hidden.csv', '');
    write('cat/other/x.csv', '');
    expect(await tables('cat/@cpi')).toEqual([cpi]);
    expect(await tables('cat/@FRED/gdp')).toEqual([gdp]);
    expect(await tables('cat/@*')).toEqual([gdp, cpi, other]);
    expect(await tables('cat/@*/gdp')).toEqual([gdp, other]);
    expect(await tables('cat/@GDP')).toEqual({
      where: 'cat/@GDP',
      message: 'the catalogue in cat has several of them',
      hint: 'choose one: @fred/GDP or @oecd/GDP',
    });
    expect(await tables('cat/@GDQ')).toEqual({
      where: 'cat/@GDQ',
      message: 'the catalogue in cat has no such table',
      hint: 'did you mean @GDP?',
    });
    expect(await tables('cat/@SPREADS')).toMatchObject({ hint: 'it has CPI, GDP' });
  });

  it('that are missing are a fault that lists up to 20 existing tables', async () => {
    expect(await tables('nowhere/@GDP')).toEqual({
      where: 'nowhere/@GDP',
      message: 'the catalogue in nowhere has only bars, no other table',
      hint: `create one with sandtable data download fred, or put files into ${path.join('nowhere', 'source=NAME')}`,
    });
    for (let index = 0; index < 21; index++)
      write(`many/source=x/${String.fromCharCode(65 + index)}ZZZZZZZ.csv`, '');
    const found = await tables('many/@unknown');
    expect(found).toMatchObject({
      hint: expect.stringMatching(/^it has AZZZZZZZ, .*, TZZZZZZZ$/) as unknown,
    });
  });
});

describe('a reference to a catalogue', () => {
  it('has a root, a pattern in capitals, and optionally an interval', () => {
    expect(referenceOf(' @aapl:1H ')).toEqual({
      text: ' @aapl:1H ',
      root: 'data/catalog',
      pattern: 'AAPL',
      interval: '1h',
    });
    expect(referenceOf('/@A')).toEqual({ text: '/@A', root: '/', pattern: 'A' });
    expect(referenceOf('x/y/@A:3mo')).toMatchObject({ root: 'x/y', pattern: 'A', interval: '3mo' });
    expect(['a.csv', '@', 'a@b', '@a@b'].map(referenceOf)).toEqual(new Array(4).fill(undefined));
    expect(referenceOf(write('@here', ''))).toBeUndefined();
  });

  it('matches a symbol exactly, and a star matches any characters', () => {
    const meant = (symbol: string, pattern: string): boolean => isMeant(symbol, referenceOf(`@${pattern}`)!);
    expect([meant('BTC', 'BTC'), meant('BTCX', 'BTC'), meant('XBTC', 'BTC')]).toEqual([true, false, false]);
    expect([meant('BTC', 'B*C'), meant('BC', 'B*C'), meant('ABC', 'B*C'), meant('BCD', 'B*C')]).toEqual([
      true,
      true,
      false,
      false,
    ]);
    expect([meant('A+B(1)', 'A+B(*)'), meant('AAB1', 'A+B*')]).toEqual([true, false]);
  });
});

describe('the files of a catalogue', () => {
  it('have folders by interval and symbol, and one file per year for bars shorter than a day', () => {
    expect(symbolFolder('r', '1h', 'BTC/USDT')).toBe(path.join('r', 'interval=1h', 'symbol=BTC%2FUSDT'));
    expect(['.', '..', 'A*', 'A.B.'].map((symbol) => path.basename(symbolFolder('r', '1d', symbol)))).toEqual(
      ['symbol=%2E', 'symbol=%2E%2E', 'symbol=A%2A', 'symbol=A.B%2E'],
    );
    const time = Date.parse('2019-12-31T23:59Z');
    expect(['23h', '1d', '24h', '1mo', '1min'].map((interval) => partOf(time, interval))).toEqual([
      '2019.parquet',
      'all.parquet',
      'all.parquet',
      'all.parquet',
      '2019.parquet',
    ]);
  });

  it('include a manifest that must be valid', () => {
    expect(readManifest('absent')).toBeUndefined();
    const part = { file: 'all.parquet', sha256: 'x', bars: 1, firstBar: '2020-01-01', lastBar: '2020-01-01' };
    const obtained = { source: 'file', query: {}, time: 't', from: 'a', to: 'b', bars: 0, sha256: 'y' };
    const good = { schema: 1, symbol: 'A', interval: '1d', columns: [], parts: [part], obtained: [obtained] };
    const read = (manifest: unknown) => {
      write('m/manifest.json', typeof manifest === 'string' ? manifest : JSON.stringify(manifest));
      return readManifest('m');
    };
    expect(read(good)).toEqual(good);
    for (const wrong of [
      'no JSON',
      { ...good, schema: 2 },
      { ...good, parts: [{ ...part, bars: 0 }] },
      { ...good, parts: [{ ...part, bars: 1.5 }] },
      { ...good, parts: [{ ...part, file: '../x.parquet' }] },
      { ...good, obtained: [{ ...obtained, bars: -1 }] },
      { ...good, more: 1 },
    ]) {
      const { code, message } = errorOf(() => read(wrong));
      expect([code, message]).toEqual([
        'bad_catalog',
        `The catalogue cannot be used: ${path.join('m', 'manifest.json')} is not the manifest of a catalogue.`,
      ]);
    }
    write('n/manifest.json/x', '');
    expect(errorOf(() => readManifest('n')).message).toContain('manifest.json cannot be read');
  });
});
