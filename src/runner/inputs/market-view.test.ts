import { describe, expect, it } from 'vitest';
import { readRunSettings } from '../../engine/index.ts';
import { barSeries, createMarket } from '../../market/index.ts';
import { buildMarketView, maskFilesFor, maskFor, seenWorld, unnamedWarning } from './market-view.ts';

const DAY = 86_400_000;
const bars = (symbol: string) =>
  barSeries(
    symbol,
    Array.from({ length: 30 }, (_, day) => ({
      ...{
        time: Date.UTC(2024, 0, 1) + day * DAY,
        open: 10,
        high: 13,
        low: 9,
        close: 10 + (day % 3),
        volume: 5,
      },
    })),
  );
const market = createMarket(['AAA', 'BBB', 'CCC', 'DDD', 'EEE'].map(bars));
const settings = readRunSettings({});
const files = (own: object = {}) =>
  ({
    ...{ market, rates: [], actions: [], features: [], context: [bars('VIX')] },
    pointInTime: { documents: [], fundamentals: [], sources: [] },
    ...own,
  }) as never;
const strategy = { kind: 'llm', file: 's.md' };

describe('a mask', () => {
  it('is created on request, but not for an order script', () => {
    expect(maskFor(strategy, undefined, files(), settings)).toBeUndefined();
    expect(maskFor(strategy, ['dates'], files(), settings)).toMatchObject({ kinds: ['dates'] });
    expect(() => maskFor({ ...strategy, kind: 'order-script' }, ['dates'], files(), settings)).toThrow(
      expect.objectContaining({ code: 'bad_flags' }),
    );
  });

  it('checks the strategy with all known series', () => {
    const mask = maskFor(strategy, ['symbols'], files(), settings);
    const seen: string[][] = [];
    const checkMask = (known: readonly { symbol: string }[]) =>
      void seen.push(known.map(({ symbol }) => symbol));
    const given = files({ rates: [bars('EURUSD')] });
    const detail = { series: [bars('AAA')] } as never;
    expect(maskFilesFor(mask, given, detail, settings, { checkMask })).toBeTypeOf('function');
    expect(maskFilesFor(mask, given, undefined, settings)).toBeTypeOf('function');
    expect(seen).toEqual([['AAA', 'BBB', 'CCC', 'DDD', 'EEE', 'EURUSD', 'VIX', 'AAA']]);
    expect(maskFilesFor(undefined, given, undefined, settings, { checkMask })).toBeUndefined();
    expect(seen).toHaveLength(1);
  });

  it('warns about names in documents, unless the settings list them', () => {
    const documents = { pointInTime: { documents: [{}] } };
    const warning = (kinds: readonly ('symbols' | 'dates')[], own: object = documents, given = settings) =>
      unnamedWarning(maskFor(strategy, kinds, files(), given), files(own));
    expect(unnamedWarning(undefined, files(documents))).toBeUndefined();
    expect(warning(['dates'])).toBeUndefined();
    expect(warning(['symbols'], {})).toBeUndefined();
    const all = warning(['symbols'])!;
    expect(all).toMatch(/List the names of \S+, \S+, \S+ … in the settings/);
    const named = (...symbols: string[]) =>
      readRunSettings({ instruments: Object.fromEntries(symbols.map((one) => [one, { names: ['Acme'] }])) });
    expect(warning(['symbols'], documents, named('AAA', 'BBB', 'CCC', 'DDD', 'EEE', 'VIX'))).toBeUndefined();
    const left = warning(['symbols'], documents, named('AAA', 'BBB', 'CCC'))!;
    expect(left).toMatch(/List the names of \S+, \S+, \S+ in the settings/);
    expect(left.match(/\b(DDD|EEE|VIX)\b/g)!.length).toBe(4);
    expect(left).not.toMatch(/AAA|BBB|CCC/);
  });
});

describe('the market that a decider sees', () => {
  const view = (kind: string, own: object = {}, mask?: object) =>
    buildMarketView({ strategy: { kind }, loaded: files(own), settings, mask } as never);

  it('is the loaded market for code, and has canary bars for a model and an agent', () => {
    expect(view('rules').market).toBe(market);
    for (const kind of ['llm', 'agent']) {
      const seen = view(kind);
      expect(seen.market.series[0]!.close.length).toBeGreaterThan(30);
      expect(seen.context![0]!.time.length).toBeGreaterThan(30);
      expect(seen.market.clock).toEqual(market.clock);
    }
    const growing = { ...market, growing: true };
    expect(view('llm', { market: growing }).market).toBe(growing);
  });

  it('is masked by the mask of the run', () => {
    const mask = maskFor(strategy, ['symbols'], files(), settings)!;
    const seen = seenWorld(files(), settings, mask);
    expect(seen.market.symbols).not.toContain('AAA');
    expect(view('rules', {}, mask).market.symbols).toEqual(seen.market.symbols);
    expect(seenWorld(files(), settings, undefined, { costs: undefined }).market).toBe(market);
  });
});
