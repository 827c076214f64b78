import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import fc from 'fast-check';
import { afterAll, describe, expect, it } from 'vitest';
import { formatInstant } from '../../kernel/index.ts';
import { type BarSeries, barSeries, mapColumns } from '../bars/bar-columns.ts';
import { loadMarket } from '../reading/load.ts';
import { simulateMarket } from '../simulate/simulate.ts';
import { isMeant, referenceOf, symbolFolder } from './manifest.ts';
import { mergeBars, writeToCatalog } from './write.ts';

const root = mkdtempSync(path.join(os.tmpdir(), 'sandtable-catalog-'));
afterAll(() => rmSync(root, { recursive: true, force: true }));

const cut = (series: BarSeries, from: number, to: number): BarSeries =>
  mapColumns(series, (column) => column.slice(from, to));

const hours = simulateMarket({ seed: 3, bars: 20_000, interval: '1h', start: '2018-06-01' }).series[0]!;

describe('the catalogue', () => {
  it('returns data written in overlapping pieces, to the last bit, for any period', async () => {
    const put = (from: number, to: number) =>
      writeToCatalog(root, { ...cut(hours, from, to), symbol: 'BTC/USDT', interval: '1h' }, []);
    expect(await put(0, 9_000)).toEqual({ added: 9_000, revised: 0 });
    expect(await put(8_000, 20_000)).toEqual({ added: 11_000, revised: 0 });
    expect(await put(8_000, 9_000)).toEqual({ added: 0, revised: 0 });
    const { market, sources } = await loadMarket({ paths: [`${root}/@BTC/USDT`] });
    const [series] = market.series;
    for (const name of ['time', 'open', 'high', 'low', 'close', 'volume'] as const)
      expect(series![name]).toEqual(hours[name]);
    expect(sources.map(({ file }) => path.basename(file))).toEqual([
      '2018.parquet',
      '2019.parquet',
      '2020.parquet',
    ]);
    for (const [from, to] of [
      [0, 0],
      [6_000, 6_300],
      [19_999, 19_999],
    ] as const) {
      const period = {
        from: formatInstant(hours.time[from]!),
        to: `${formatInstant(hours.time[to]!).padEnd(19, 'T00:00:00')}`,
      };
      const some = await loadMarket({ paths: [`${root}/@BTC/USDT`], interval: '1h', ...period });
      expect(some.market.series[0]!.close).toEqual(hours.close.slice(from, to + 1));
      expect(some.sources).toHaveLength(1);
    }
  });

  it('counts revised bars', async () => {
    const piece = { ...cut(hours, 0, 100), symbol: 'FX', interval: '1h' };
    await writeToCatalog(root, piece, []);
    const close = piece.close.slice();
    close[50] = close[50] === piece.low[50] ? piece.high[50]! : piece.low[50]!;
    expect(await writeToCatalog(root, { ...piece, close }, [])).toEqual({ added: 0, revised: 1 });
  });

  it('refuses a part or a manifest that was modified', async () => {
    await writeToCatalog(root, { ...cut(hours, 0, 100), symbol: 'ODD', interval: '1h' }, []);
    const file = path.join(symbolFolder(root, '1h', 'ODD'), '2018.parquet');
    writeFileSync(file, Buffer.concat([readFileSync(file), Buffer.from([0])]));
    await expect(loadMarket({ paths: [`${root}/@ODD`] })).rejects.toMatchObject({ code: 'bad_catalog' });
    writeFileSync(path.join(symbolFolder(root, '1h', 'ODD'), 'manifest.json'), '{"schema": 1}');
    await expect(loadMarket({ paths: [`${root}/@ODD`] })).rejects.toMatchObject({ code: 'bad_catalog' });
  });

  it.each([
    ['@AAPL', { root: 'data/catalog', pattern: 'AAPL' }],
    ['@btc/usdt:usdt', { root: 'data/catalog', pattern: 'BTC/USDT:USDT' }],
    ['@AAPL:5min', { root: 'data/catalog', pattern: 'AAPL', interval: '5min' }],
    ['desk/us/@BRK.*', { root: 'desk/us', pattern: 'BRK.*' }],
  ])('reads %s', (text, reference) => expect(referenceOf(text)).toEqual({ text, ...reference }));

  it('matches any letters with a star, and all other characters literally', () => {
    const meant = (symbol: string, text: string) => isMeant(symbol, referenceOf(text)!);
    expect([meant('BRK.A', '@BRK.*'), meant('BRKXA', '@BRK.*'), meant('ABRK.A', '@BRK.*')]).toEqual([
      true,
      false,
      false,
    ]);
  });

  it('stores every symbol in a separate folder inside the catalogue', () => {
    for (const symbol of ['..', '.', 'A/../B', 'CON*', 'A B', 'É'])
      expect(path.dirname(symbolFolder(root, '1d', symbol))).toBe(path.join(root, 'interval=1d'));
  });
});

describe('mergeBars', () => {
  const bar = (time: number, close: number) => ({ time, open: 1, high: 9, low: 1, close, volume: 1 });
  it('is the union by time, and later data have priority', () => {
    const times = fc.uniqueArray(fc.integer({ min: 0, max: 50 }), { maxLength: 30 });
    fc.assert(
      fc.property(times, times, (one, other) => {
        const series = (of: number[], close: number) =>
          barSeries(
            'A',
            of.sort((a, b) => a - b).map((time) => bar(time, close)),
          );
        const { series: merged, changed } = mergeBars(series(one, 2), series(other, 3));
        const all = [...new Set([...one, ...other])].sort((a, b) => a - b);
        expect([...merged.time]).toEqual(all);
        expect([...merged.close]).toEqual(all.map((time) => (other.includes(time) ? 3 : 2)));
        expect(changed).toBe(one.filter((time) => other.includes(time)).length);
      }),
    );
  });
});
