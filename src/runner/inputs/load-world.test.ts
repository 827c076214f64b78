import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { readRunSettings } from '../../engine/index.ts';
import { barSeries, createMarket, type Market } from '../../market/index.ts';
import { sourceOfMarket, sourceOfSeries } from './load-bars.ts';
import { fitWorld, loadWorldFiles } from './load-world.ts';

const root = mkdtempSync(join(tmpdir(), 'sandtable-world-'));
afterAll(() => rmSync(root, { recursive: true }));
let names = 0;
const written = (text: string): string => {
  const file = join(root, `${++names}.csv`);
  writeFileSync(file, text);
  return file;
};
const VALUES = { open: 10, high: 11, low: 9, close: 10, volume: 5 };
const series = (symbol: string, days: readonly string[]) =>
  barSeries(
    symbol,
    days.map((day) => ({ time: Date.parse(day), ...VALUES })),
  );
const daysOf = (from: number, to: number): string[] =>
  Array.from({ length: to - from + 1 }, (_, at) => `2024-01-${String(from + at).padStart(2, '0')}`);
const market = createMarket([series('AAA', daysOf(1, 10)), series('BBB', daysOf(1, 10))]);

async function load(options: object = {}, given: object = {}, asked: object = {}, strategy: object = asked) {
  const [notes, warnings]: [string[], string[]] = [[], []];
  const observer = { note: (text: string) => notes.push(text), warn: (text: string) => warnings.push(text) };
  const files = await loadWorldFiles(options, Promise.resolve(strategy), asked, observer as never, {
    market,
    ...given,
  });
  expect([files.notes, files.warnings]).toEqual([notes, warnings]);
  return files;
}

describe('the files of a run', () => {
  it('are empty except for the bars without options', async () => {
    expect(await load()).toEqual({
      ...{ market, rates: [], omitted: [], sources: [sourceOfMarket(market)], adjustments: [], notes: [] },
      ...{ warnings: [], actions: [], actionsSource: undefined, futuresSources: [], features: [] },
      ...{ featureSources: [], context: [], contextSources: [], instruments: undefined, session: undefined },
      pointInTime: expect.objectContaining({ documents: [], fundamentals: [] }) as object,
    });
  });

  it('include context in memory with its source', async () => {
    const vix = series('VIX', daysOf(1, 3));
    expect(await load({}, { context: [vix] })).toMatchObject({
      ...{ context: [{ symbol: 'VIX' }], contextSources: [sourceOfSeries(vix)] },
    });
  });

  it('include corporate actions in the order of their dates, with a warning for other symbols', async () => {
    const actions = written(
      'date,symbol,kind,amount,ratio\n2024-01-05,AAA,dividend,1,\n2024-01-03,BBB,split,,2\n2024-01-04,ZZZ,dividend,1,\n',
    );
    const files = await load({ actions });
    expect(files.actions.map(({ symbol, kind }) => [symbol, kind])).toEqual([
      ['BBB', 'split'],
      ['ZZZ', 'dividend'],
      ['AAA', 'dividend'],
    ]);
    expect(files.actionsSource).toMatchObject({ file: actions });
    expect(files.warnings).toEqual([`${actions}: ignored 1 row of ZZZ, not in the data`]);
    expect(files.adjustments).toEqual(files.warnings);
  });

  it('must include corporate actions if prices are to be adjusted', async () => {
    await expect(load({}, {}, { adjust: 'splits' })).rejects.toMatchObject({ code: 'bad_settings' });
    await expect(load({}, {}, {}, { adjust: 'splits' })).rejects.toMatchObject({ code: 'bad_settings' });
  });

  it('include the instruments that are in the data', async () => {
    const instruments = written('symbol,multiplier\nAAA,5\nQQQ,7\n');
    const files = await load({ instruments });
    expect(files.instruments).toEqual({ AAA: { multiplier: 5 } });
    expect(files.warnings).toEqual([`${instruments}: ignored QQQ, not in the data`]);
  });

  it('include features with their source', async () => {
    const features = written('date,mood\n2024-01-01,1\n');
    const files = await load({ features: [features] });
    expect(files.features.map(({ columns }) => columns.map(({ name }) => name))).toEqual([['mood']]);
    expect(files.featureSources).toMatchObject([{ features: ['mood'], rows: 1 }]);
  });

  it('are refused with the faults of every file', async () => {
    const missing = { actions: join(root, 'no.csv'), instruments: join(root, 'none.csv') };
    await expect(load(missing)).rejects.toThrow(/no\.csv[\s\S]*none\.csv/);
  });
});

describe('a calendar', () => {
  const observed = (given: Market) => load({ calendar: 'XNYS' }, { market: given });
  /** Sessions of the New York Stock Exchange from 2 to 31 January 2024. The 15th is a holiday. */
  const sessions = daysOf(2, 31).filter(
    (day) => ![0, 6].includes(new Date(day).getUTCDay()) && day !== '2024-01-15',
  );

  it('reports sessions without a bar and bars on closed days, at most five by name', async () => {
    expect((await observed(createMarket([series('AAA', sessions)]))).notes).toEqual([]);
    const without = (count: number) => sessions.filter((_, at) => at === 0 || at > count);
    const missing = async (count: number) =>
      (await observed(createMarket([series('AAA', without(count))]))).notes;
    const dates = (count: number) => sessions.slice(1, count + 1);
    expect(await missing(5)).toEqual([`AAA: sessions of XNYS without a bar: 5 (${dates(5).join(', ')})`]);
    expect(await missing(6)).toEqual([`AAA: sessions of XNYS without a bar: 6 (${dates(5).join(', ')}, …)`]);
    const closed = createMarket([series('AAA', [...sessions, '2024-01-15'].sort())]);
    expect((await observed(closed)).notes).toEqual([
      'AAA: days with bars though XNYS was closed: 1 (2024-01-15)',
    ]);
  });

  it('is refused if more bars are on closed days than on sessions', async () => {
    const weekends = daysOf(1, 31).filter((day) => [0, 6].includes(new Date(day).getUTCDay()));
    await expect(observed(createMarket([series('AAA', weekends)]))).rejects.toMatchObject({
      code: 'bad_calendar',
      message: `AAA has bars on ${weekends.length} days on which XNYS is closed, and on 0 of its sessions.`,
    });
  });

  it('does not replace the session in the settings of a resumed run', async () => {
    const { session } = await load({ session: '09:30-16:00', timezone: 'America/New_York' });
    expect(session).toBeDefined();
    const again = await load({ session: '10:00-12:00' }, {}, { session });
    expect(again.session).toEqual(session);
  });
});

describe('the settings of a run', () => {
  const world = (own: object = {}) => load().then((files) => ({ ...files, ...own }));

  it('contain instruments of the file, which settings of the request override', async () => {
    const files = await world({ instruments: { AAA: { multiplier: 5, tick: 0.5 } }, omitted: ['OLD'] });
    const given = readRunSettings({
      instruments: { AAA: { multiplier: 2 }, BBB: { tick: 1 }, OLD: { tick: 1 } },
    });
    expect(fitWorld(files, given, {}).settings.instruments).toMatchObject({
      AAA: { multiplier: 5, tick: 0.5 },
      BBB: { tick: 1 },
    });
    expect(fitWorld(files, given, {}).settings.instruments).not.toHaveProperty('OLD');
    const asked = { instruments: { AAA: { multiplier: 3 } } };
    expect(fitWorld(files, given, asked).settings.instruments.AAA).toMatchObject({
      multiplier: 3,
      tick: 0.5,
    });
    const plain = await world();
    expect(
      fitWorld(plain, readRunSettings({ instruments: { AAA: { tick: 1 } } })).settings.instruments,
    ).toEqual(readRunSettings({ instruments: { AAA: { tick: 1 } } }).instruments);
  });

  it('contain the session of the options, unless the settings have one', async () => {
    const { session } = await load({ session: '09:30-16:00', timezone: 'America/New_York' });
    const other = (await load({ session: '10:00-12:00' })).session;
    const files = await world({ session });
    expect(fitWorld(files, readRunSettings({})).settings.session).toEqual(session);
    expect(fitWorld(files, readRunSettings({ session: other } as never)).settings.session).toEqual(other);
    expect(fitWorld(await world(), readRunSettings({})).settings).not.toHaveProperty('session');
  });
});
