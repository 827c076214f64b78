import { describe, expect, it } from 'vitest';
import { MASK_VERSION, type MaskTerms } from '../engine/index.ts';
import { barSeries, createMarket, featureTable } from '../market/index.ts';
import {
  CANARY_VALUE,
  canaryFeatures,
  canaryPointInTime,
  canarySeries,
  checkCanary,
  escaped,
  exampleMasker,
  hiddenNames,
  otherNames,
  rowMover,
  stampMover,
  textMasker,
  withCanary,
} from './leaks.ts';
import { maskView } from './mask-view.ts';
import { writeSteps } from './time-map.ts';

const DAY = 86_400_000;
const bars = (days: readonly number[]) =>
  barSeries(
    'AAA',
    days.map((day) => ({ time: day * DAY, open: 1, high: 2, low: 1, close: 2, volume: 5 })),
  );
const market = createMarket([bars([0, 1, 2])]);

describe('canary values', () => {
  it('are three bars a week apart, after the end of both the market and the series', () => {
    const { series, clock, symbols } = withCanary(market);
    expect([clock, symbols]).toEqual([market.clock, ['AAA']]);
    expect([...series[0]!.time]).toEqual([0, 1, 2, 9, 16, 23].map((day) => day * DAY));
    expect([...series[0]!.close]).toEqual([2, 2, 2, ...Array<number>(3).fill(CANARY_VALUE)]);
    expect([...series[0]!.volume]).toEqual([5, 5, 5, ...Array<number>(3).fill(CANARY_VALUE)]);
    const [late, early] = canarySeries([bars([0, 10]), bars([1])], market);
    expect([...late!.time].slice(2)).toEqual([17, 24, 31].map((day) => day * DAY));
    expect([...early!.time].slice(1)).toEqual([9, 16, 23].map((day) => day * DAY));
    const ends = Float64Array.of(1, 2, 3);
    expect(canarySeries([{ ...bars([0, 1, 2]), ends }], market)[0]!.ends).toBe(ends);
  });

  it('are a row of each feature table, a week after the last canary bar', () => {
    const table = featureTable([{ date: '1970-01-01', symbol: 'AAA', x: 1, said: 'a', up: true }]);
    const stamp = { instant: 30 * DAY, wholeDay: false };
    const [made] = canaryFeatures([table], market);
    expect(made).toEqual({
      ...table,
      ...{ dates: [table.dates[0], stamp], known: [undefined, stamp], symbols: ['AAA', ''] },
      columns: [
        { name: 'x', type: 'number', values: [1, CANARY_VALUE] },
        { name: 'said', type: 'text', values: ['a', '91827364509'] },
        { name: 'up', type: 'boolean', values: [true, null] },
      ],
    });
    expect(canaryFeatures([{ ...table, symbols: undefined }], market)[0]!.symbols).toBeUndefined();
  });

  it('are a document and a figure of each symbol, if the data contain documents and figures', () => {
    const none = { documents: [], fundamentals: [] };
    expect(canaryPointInTime(none, market)).toEqual(none);
    const known = { instant: 0, wholeDay: false };
    const document = { id: 'a', known, symbols: [], source: '', kind: '', title: '', text: '', where: '' };
    const figure = { symbol: 'AAA', field: 'eps', periodEnd: 0, known, value: 1 };
    const later = { instant: 30 * DAY, wholeDay: false };
    const text = '91827364509';
    expect(
      canaryPointInTime({ documents: [document], fundamentals: [figure], universe: [] }, market),
    ).toEqual({
      documents: [
        document,
        {
          id: text,
          known: later,
          symbols: ['AAA'],
          source: text,
          kind: text,
          title: text,
          text,
          where: 'the canary',
        },
      ],
      fundamentals: [
        figure,
        { symbol: 'AAA', field: 'eps', periodEnd: 30 * DAY, known: later, value: CANARY_VALUE },
      ],
      universe: [],
    });
  });

  it('are found in a request, in any form', () => {
    for (const text of ['x91827364509y', '91,827,364,509', '91_827_364_509', '9.1827364509E+10'])
      expect(() => checkCanary(text)).toThrow(expect.objectContaining({ code: 'canary_seen', kind: 'run' }));
    for (const text of ['9182736450', '91827.364509', '9.182736450e10', ''])
      expect(() => checkCanary(text)).not.toThrow();
  });
});

const MASK = {
  ...{
    version: MASK_VERSION,
    kinds: ['symbols'],
    secret: 1,
    symbols: { S1: 'AAA', S2: 'BR.K', S3: 'IT', S4: 'S4' },
  },
  account: { name: 'HOME', real: 'CHF' },
  currencies: {
    CURA: { real: 'EUR', rateFactor: '2', symbols: [] },
    USD: { real: 'USD', rateFactor: '1', symbols: [] },
  },
  settings: { instruments: { AAA: { names: ['Apple Inc', 'A'] }, S4: { names: ['Four'] }, IT: {} } },
} as unknown as MaskTerms;

describe('the names that a mask replaces', () => {
  it('are symbols, their data frames and aliases, currencies and exchange rates', () => {
    expect([...hiddenNames(MASK)]).toEqual([
      ['CHF', 'HOME'],
      ['EUR', 'CURA'],
      ['EURCHF', 'CURAHOME'],
      ['CHFEUR', 'HOMECURA'],
      ['USDCHF', 'USDHOME'],
      ['CHFUSD', 'HOMEUSD'],
      ['AAA', 'S1'],
      ['df_aaa', 'df_s1'],
      ['BR.K', 'S2'],
      ['df_br_k', 'df_s2'],
      ['Apple Inc', 'S1'],
      ['A', 'S1'],
    ]);
    expect(otherNames(MASK)).toEqual([
      ['S1', 'Apple Inc'],
      ['S1', 'A'],
    ]);
    const { account: _, currencies: __, ...plain } = MASK;
    expect([...hiddenNames({ ...plain, symbols: { S1: 'USD' } } as MaskTerms).keys()]).toEqual([
      'USD',
      'df_usd',
    ]);
  });

  it('are replaced as whole words, longer names first', () => {
    const mask = textMasker(MASK);
    expect(mask('AAA, EURCHF, BR.K, BRXK, df_aaa, AAAB, _AAA, Apple Inc, IT, A-Z')).toBe(
      'S1, CURAHOME, S2, BRXK, df_s1, AAAB, _AAA, S1, IT, S1-Z',
    );
    expect(mask('on 2020-01-01')).toBe('on 2020-01-01');
    expect(
      textMasker({ ...MASK, symbols: {}, account: undefined, currencies: undefined } as never)('AAA'),
    ).toBe('AAA');
    expect(escaped('a.b*[c]')).toBe('a\\.b\\*\\[c\\]');
  });

  it('are replaced in the examples of tool manuals', () => {
    expect(exampleMasker(MASK)('AAPL and MSFT, not AAPLX')).toBe('S1 and S2, not AAPLX');
    expect(exampleMasker({ ...MASK, symbols: { Q: 'AAA' } })('AAPL and MSFT')).toBe('Q and Q');
    expect(exampleMasker({ ...MASK, symbols: {} })('AAPL and MSFT')).toBe('S1 and S1');
    expect(exampleMasker({ ...MASK, kinds: [] })('AAPL and MSFT')).toBe('AAPL and MSFT');
  });
});

describe('times of masked rows', () => {
  const real = [4, 5, 6].map((day) => day * DAY);
  const shown = [100, 103, 104].map((day) => day * DAY);
  const calendar = { real: writeSteps(real), shown: writeSteps(shown), interval: '1d', barTimes: 'start' };
  const given = {
    market: { clock: Float64Array.from(real), interval: { milliseconds: DAY } },
    settings: { barTimes: 'start' },
  } as const;
  const view = maskView({ ...MASK, calendar } as never);

  it('become visible at the end of the same bar', () => {
    const move = stampMover(given, view);
    expect(move({ instant: 5 * DAY, wholeDay: true })).toEqual({ instant: 104 * DAY, wholeDay: false });
    expect(move({ instant: 5 * DAY, wholeDay: false })).toEqual({ instant: 101 * DAY, wholeDay: false });
    const table = featureTable([
      { date: 5 * DAY, x: 1 },
      { date: 4.5 * DAY, x: 2 },
    ]);
    const moved = rowMover(
      given,
      view,
    )({
      ...table,
      dates: [
        { instant: 5 * DAY, wholeDay: true },
        { instant: 4.5 * DAY, wholeDay: false },
      ],
    });
    expect(moved.dates).toEqual([
      { instant: 103 * DAY, wholeDay: true },
      { instant: 101.5 * DAY, wholeDay: false },
    ]);
    expect(moved.known).toEqual([
      { instant: 104 * DAY, wholeDay: false },
      { instant: 101 * DAY, wholeDay: false },
    ]);
    const late = rowMover(
      given,
      view,
    )({
      ...table,
      lag: { milliseconds: DAY },
      dates: [{ instant: 4 * DAY, wholeDay: true }],
      known: [undefined],
    });
    expect([late.known, 'lag' in late]).toEqual([[{ instant: 104 * DAY, wholeDay: false }], false]);
  });

  it('are unchanged if dates are not masked', () => {
    const stamp = { instant: 1, wholeDay: true };
    const open = maskView(MASK);
    expect(stampMover(given, open)(stamp)).toBe(stamp);
    const table = featureTable([{ date: DAY, x: 1 }]);
    expect(rowMover(given, open)(table)).toBe(table);
  });
});
