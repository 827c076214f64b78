import { readdirSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { inOwnFolders } from '../../../test/support/data-folder.ts';
import { rejectionOf } from '../../../test/support/error-of.ts';
import { HOUR, hours, START } from '../../../test/support/hourly-bars.ts';
import { DAY, formatInstant } from '../../kernel/index.ts';
import { barSeries } from '../bars/bar-columns.ts';
import { type Database, openDatabase } from '../reading/database.ts';
import { readManifest, referenceOf, symbolFolder } from './manifest.ts';
import { readFromCatalog, readReferences } from './read.ts';
import { type Obtained, writeToCatalog } from './write.ts';

inOwnFolders();

const FOREVER = { from: Number.NEGATIVE_INFINITY, to: Number.POSITIVE_INFINITY };

let database: Database;
beforeAll(async () => {
  database = await openDatabase();
});
afterAll(() => database.close());

const daily = (symbol: string) => ({
  ...barSeries(
    symbol,
    [1, 2].map((day) => ({
      time: START - (START % DAY) + day * DAY,
      open: 2,
      high: 4,
      low: 1,
      close: 3,
      volume: 5,
    })),
  ),
  interval: '1d',
});
const obtained = (source: string): Obtained => ({
  source,
  query: { a: 'b' },
  time: 't',
  from: 'f',
  to: 'u',
  bars: 1,
  sha256: 's',
});
const manifestOf = (symbol: string, interval = '1h') => readManifest(symbolFolder('cat', interval, symbol))!;
const seriesOf = async (symbol: string, range = FOREVER, extra: readonly string[] = []) => {
  const entry = { folder: symbolFolder('cat', '1h', symbol), manifest: manifestOf(symbol) };
  return readFromCatalog(database, entry, range, extra);
};

describe('bars written to a catalogue', () => {
  it('are one file per year, with a manifest of all files and requests', async () => {
    expect(await writeToCatalog('cat', hours('A', 2, 4), [obtained('one')])).toEqual({
      added: 4,
      revised: 0,
    });
    expect(await writeToCatalog('cat', hours('A', 0, 3), [obtained('two')])).toEqual({
      added: 2,
      revised: 0,
    });
    const { parts, ...manifest } = manifestOf('A');
    expect(manifest).toEqual({
      schema: 1,
      symbol: 'A',
      interval: '1h',
      columns: [],
      obtained: [obtained('one'), obtained('two')],
    });
    expect(parts.map(({ file, bars, firstBar, lastBar }) => [file, bars, firstBar, lastBar])).toEqual([
      ['2019.parquet', 4, '2019-12-31T20:00:00', '2019-12-31T23:00:00'],
      ['2020.parquet', 2, '2020-01-01', '2020-01-01T01:00:00'],
    ]);
    expect((await seriesOf('A')).series).toEqual(hours('A', 0, 6));
    expect(readdirSync(symbolFolder('cat', '1h', 'A')).sort()).toEqual([
      '2019.parquet',
      '2020.parquet',
      'manifest.json',
    ]);
  });

  it('replace bars with the same times, and leave unchanged files as they are', async () => {
    await writeToCatalog('cat', hours('A', 0, 6), []);
    const before = manifestOf('A').parts;
    expect(await writeToCatalog('cat', hours('A', 0, 6), [])).toEqual({ added: 0, revised: 0 });
    expect(await writeToCatalog('cat', hours('A', 4, 3, 3.5), [])).toEqual({ added: 1, revised: 2 });
    const after = manifestOf('A').parts;
    expect([after[0], after[1]!.sha256 === before[1]!.sha256]).toEqual([before[0], false]);
    expect([...(await seriesOf('A')).series.close]).toEqual([3, 3, 3, 3, 3.5, 3.5, 3.5]);
  });

  it('have an additional column only if all written bars have the column', async () => {
    await writeToCatalog('cat', hours('A', 0, 2, 3, 0.5), []);
    expect(manifestOf('A').columns).toEqual(['spread']);
    expect((await seriesOf('A', FOREVER, ['spread'])).series).toEqual(hours('A', 0, 2, 3, 0.5));
    expect((await rejectionOf(seriesOf('A', FOREVER, ['spread', 'x', 'y']))).message).toContain(
      'has no column "x", "y"',
    );
    expect(await writeToCatalog('cat', hours('A', 0, 2, 3, 0.7), [])).toEqual({ added: 0, revised: 2 });
    await writeToCatalog('cat', hours('A', 2, 1), []);
    expect([manifestOf('A').columns, (await seriesOf('A')).series.time.length]).toEqual([[], 3]);
  });

  it('are read in a range, and only from the files of this range', async () => {
    await writeToCatalog('cat', hours('A', 0, 8), []);
    const read = async (from: number, to: number) => {
      const { series, sources } = await seriesOf('A', { from: START + from * HOUR, to: START + to * HOUR });
      return [[...series.volume], sources.map(({ bars, firstBar }) => [bars, firstBar])];
    };
    const [first, second] = [
      [4, '2019-12-31T20:00:00'],
      [4, '2020-01-01'],
    ];
    expect(await read(1, 2)).toEqual([[1, 2], [first]]);
    expect(await read(3, 4)).toEqual([
      [3, 4],
      [first, second],
    ]);
    expect(await read(7, 99)).toEqual([[7], [second]]);
    expect(await read(8, 99)).toEqual([[], []]);
    expect(await read(3.2, 3.8)).toEqual([[], []]);
    const { sources } = await seriesOf('A');
    expect(sources[1]).toEqual({
      file: path.join(symbolFolder('cat', '1h', 'A'), '2020.parquet'),
      sha256: manifestOf('A').parts[1]!.sha256,
      symbols: ['A'],
      bars: 4,
      firstBar: '2020-01-01',
      lastBar: formatInstant(START + 7 * HOUR),
    });
  });

  it('are refused if a file is missing or was changed', async () => {
    await writeToCatalog('cat', hours('A', 0, 8), []);
    const file = path.join(symbolFolder('cat', '1h', 'A'), '2020.parquet');
    writeFileSync(file, 'x');
    expect((await rejectionOf(seriesOf('A'))).message).toContain(
      'does not match manifest.json: it was changed or truncated',
    );
    rmSync(file);
    expect((await rejectionOf(seriesOf('A'))).message).toContain(`${file} is missing or cannot be read`);
    expect((await seriesOf('A', { from: START, to: START })).series.time).toHaveLength(1);
  });
});

describe('references to symbols of a catalogue', () => {
  const read = async (names: readonly string[], more: Partial<Parameters<typeof readReferences>[2]> = {}) => {
    const { readings, faults } = await readReferences(
      database,
      names.map((name) => referenceOf(name)!),
      { range: FOREVER, wanted: [], ...more },
    );
    return {
      faults,
      found: readings.map(({ known, series, sources, adjustments }) => [
        known[0],
        series.length,
        sources.length,
        adjustments,
      ]),
    };
  };

  it('are read once each, and a symbol without bars in the period is noted', async () => {
    await writeToCatalog('cat', hours('A', 0, 2), []);
    await writeToCatalog('cat', hours('B', 3, 2), []);
    expect(await read(['cat/@*', 'cat/@A'])).toEqual({
      faults: [],
      found: [
        ['A', 1, 1, []],
        ['B', 1, 2, []],
      ],
    });
    expect(await read(['cat/@*'], { wanted: ['B'] })).toMatchObject({
      found: [
        ['A', 0, 0, []],
        ['B', 1, 2, []],
      ],
    });
    expect(
      (await read(['cat/@*'], { range: { from: START + 2 * HOUR, to: START + 9 * HOUR } })).found,
    ).toEqual([
      ['A', 0, 0, ['A has no bar in the period and was omitted']],
      ['B', 1, 2, []],
    ]);
  });

  it('need an interval if the catalogue has several', async () => {
    await writeToCatalog('cat', hours('A', 0, 2), []);
    await writeToCatalog('cat', daily('A'), []);
    expect((await read(['cat/@A'])).faults).toEqual([
      {
        where: 'cat/@A',
        message: 'the catalogue has bars of 1d and 1h',
        hint: 'choose one: cat/@A:1d or cat/@A:1h',
      },
    ]);
    expect((await read(['cat/@A:1d'])).found).toEqual([['A', 1, 1, []]]);
    expect((await read(['cat/@A'], { interval: '1H' })).found).toEqual([['A', 1, 1, []]]);
    expect((await read(['cat/@A:1d'], { interval: '1h' })).faults).toEqual([]);
    expect((await read(['cat/@A:5min'])).faults).toEqual([
      {
        where: 'cat/@A:5min',
        message: 'the catalogue in cat has no such symbol in bars of 5min',
        hint: 'did you mean @A?',
      },
    ]);
  });

  it('are faults without a catalogue, a symbol or a manifest', async () => {
    expect((await read(['nowhere/@A'])).faults).toEqual([
      {
        where: 'nowhere/@A',
        message: 'no catalogue found in nowhere',
        hint: 'create one with sandtable data download or data convert --out',
      },
    ]);
    await writeToCatalog('cat', hours('SPX', 0, 2), []);
    await writeToCatalog('cat', hours('GOLD', 0, 2), []);
    expect((await read(['cat/@SPY'])).faults[0]).toMatchObject({
      message: 'the catalogue in cat has no such symbol',
      hint: 'did you mean @SPX?',
    });
    expect((await read(['cat/@COFFEES'])).faults[0]).toMatchObject({ hint: 'it has GOLD, SPX' });
    rmSync(path.join(symbolFolder('cat', '1h', 'SPX'), 'manifest.json'));
    expect((await rejectionOf(read(['cat/@SPX']))).message).toContain('symbol=SPX has no manifest.json');
  });
});
