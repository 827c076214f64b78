import { describe, expect, it } from 'vitest';
import { faultsOf } from '../../test/support/error-of.ts';
import { MASK_VERSION, type MaskKind, type MaskTerms } from '../engine/index.ts';
import { type BarSeries, barSeries, createMarket, type FeatureTable, featureTable } from '../market/index.ts';
import { maskFeatures } from './masked-features.ts';
import { checkMaskedPrompts, fewerFaults, finderOf, priceTest } from './masked-files.ts';

const DAY = 86_400_000;
const FIRST = Date.UTC(2019, 5, 3);
/** Returns twenty daily bars from 2019-06-03. By default the closes are 1234.5, 1235.5, … */
const series = (symbol: string, start = 1234.5): BarSeries =>
  barSeries(
    symbol,
    Array.from({ length: 20 }, (_, bar) => {
      const close = start + bar;
      return {
        time: FIRST + bar * DAY,
        open: close,
        high: close + 1,
        low: close - 1,
        close,
        volume: 54_321 + bar,
      };
    }),
  );
const known = [series('SPX-DAILY'), series('IT'), series('AB-X')];
const maskOf = (kinds: readonly MaskKind[] = ['symbols', 'dates', 'prices'], own: object = {}): MaskTerms =>
  ({
    ...{ version: MASK_VERSION, kinds, secret: 1, symbols: { S1: 'SPX-DAILY', S2: 'IT', S3: 'AB-X' } },
    ...{ settings: { instruments: { 'SPX-DAILY': { names: ['Big Index'] } } }, ...own },
  }) as unknown as MaskTerms;
const leaks = (line: string, mask = maskOf()): string[] => finderOf(known, mask)(line);

describe('a line that an agent reads', () => {
  it.each<[string, string[]]>([
    ['SPX-DAILY and Big Index are replaced', []],
    ['spx-daily', ['the symbol spx-daily']],
    ['trade SPX', ['the symbol SPX']],
    ['SPXX and XSPX and spx_1', ['the symbol spx']],
    ['big index', ['the symbol big index']],
    ['IT', ['the symbol IT']],
    ['it is', []],
    ['IT_1', []],
    ['AB-X', []],
    ['ab-x', ['the symbol ab-x']],
    ['AB', []],
    ['in 2019', ['2019, a year or a date of the data']],
    ['2018 and 2020', []],
    ['on 2019-06-05', ['2019, a year or a date of the data']],
    ['20190605', ['20190605, a year or a date of the data']],
    ['20180605, 20191301, 20190632, 20190600, 20190001', []],
    ['17/12/24', ['the date 17/12/24']],
    ['17.12.2024', ['the date 17.12.2024']],
    ['2024.12.17', ['the date 2024.12.17']],
    ['1.2.3.4', []],
    ['Dec 17', ['the date Dec 17']],
    ['17th of December', ['the date 17th of December']],
    ['you may 10 times march 3', []],
    ['May 10', ['the date May 10']],
    ['support at 1234.5', ['1234.5, a price or volume of the data']],
    ['support at 1,234.5', ['1,234.5, a price or volume of the data']],
    ['54321 or 54_321', ['54321, a price or volume of the data', '54_321, a price or volume of the data']],
    ['1234.6 and 99999', []],
    [String(FIRST), [`${FIRST}, a year or a date of the data`]],
    [String(FIRST / 1000), [`${FIRST / 1000}, a year or a date of the data`]],
    [`${FIRST * 1000} ${FIRST / 1000 - 1}`, [`${FIRST * 1000}, a year or a date of the data`]],
    [String(FIRST + 20 * DAY), [`${FIRST + 20 * DAY}, a year or a date of the data`]],
    [String(FIRST + 20 * DAY + 1), []],
    ['ＳＰＸ', ['the symbol SPX']],
  ])('%j reveals %j', (line, expected) => {
    expect(leaks(line)).toEqual(expected);
  });

  it('may contain ISO dates that the mask rewrites, and anything that it does not hide', () => {
    expect(leaks('on 2019-06-05', maskOf(['dates'], { calendar: {} }))).toEqual([]);
    expect(leaks('SPX in 2019', maskOf(['prices']))).toEqual([]);
    expect(leaks('SPX at 1234.5 in 2019', maskOf(['dates']))).toEqual(['2019, a year or a date of the data']);
    expect(leaks('SPX at 1234.5 on Dec 17', maskOf(['symbols']))).toEqual(['the symbol SPX']);
    expect(leaks('SPX at 1234.5', maskOf(['prices']))).toEqual(['1234.5, a price or volume of the data']);
  });
});

describe('a value of the data', () => {
  it('is recognised from five digits on, or from four if it has a fraction', () => {
    const column = (...values: number[]) => Float64Array.from(values);
    const isPrice = priceTest([
      {
        ...series('A'),
        open: column(12345, 1234, 12.34, 1.23, 0.01234, 123_400),
        extra: { spread: column(0.5678) },
      },
    ]);
    expect([12345, 1234, 12.34, 1.23, 0.01234, 123_400, 0.5678, 12346].map(isPrice)).toEqual([
      ...[true, false, true, false, true, false, true, false],
    ]);
  });
});

describe('faults', () => {
  it('are listed up to fifty, with the number of the others', () => {
    const faults = (count: number) =>
      Array.from({ length: count }, (_, at) => ({ where: `${at}`, message: 'x' }));
    expect(fewerFaults(faults(50))).toEqual(faults(50));
    expect(fewerFaults(faults(53))).toEqual([
      ...faults(50),
      { where: 'the rest', message: '3 more of the kind' },
    ]);
  });

  it('of prompts name their line once, and only parameters in the text are checked', () => {
    const prompt = {
      ...{
        inFile: 'Hold.\n{{parameters.name}} {{ parameters.year }}\nTrade {{SPX}} in 2019.',
        promptLine: 5,
      },
      parameters: { name: 'SPX', year: 2019, hidden: 'SPX' },
      others: [{ where: 'role a', text: 'SPX\n{{SPX}}' }],
    };
    const faultsIn = (prompts: (typeof prompt)[]): string[] =>
      faultsOf(() => checkMaskedPrompts('p.md', prompts, known, maskOf()));
    expect(faultsIn([prompt, prompt])).toEqual([
      'p.md:7: the prompt has 2019, a year or a date of the data',
      'role a: has the symbol SPX',
      'p.md, parameter name: has the symbol SPX',
      'p.md, parameter year: has 2019, a year or a date of the data',
    ]);
    expect(faultsIn([{ ...prompt, inFile: 'Hold.', others: [] }])).toEqual([]);
  });
});

describe('a column of features', () => {
  const market = createMarket([series('AAA', 100), series('BBB', 1000)]);
  const clock = { market, settings: { barTimes: 'start' } } as const;
  const mask = { ...maskOf(['prices']), symbols: { AAA: 'AAA', BBB: 'BBB' } } as MaskTerms;
  const faultOf = (table: FeatureTable, all = market.series): string => {
    try {
      maskFeatures([table], all, clock, mask);
    } catch (error) {
      return (error as Error).message.split('\n')[1]!.replace(/^ *\(features in memory\): /, '');
    }
    return '';
  };
  const rows = (count: number, value: (row: number, close: number) => number | null, symbol?: string) =>
    featureTable(
      Array.from({ length: count }, (_, row) => ({
        date: FIRST + row * DAY,
        ...(symbol === undefined ? {} : { symbol }),
        x: value(row, 100 + row),
      })),
    );
  const NEAR = 'x is close to the prices of the data in nearly all rows';

  it('is refused if 90 % of at least five values are within 20 % of the last close', () => {
    for (const symbol of ['AAA', undefined]) {
      expect(faultOf(rows(5, (_, close) => close * 1.19, symbol))).toBe(NEAR);
      expect(faultOf(rows(4, (_, close) => close * 1.19, symbol))).toBe('');
      expect(faultOf(rows(10, (_, close) => close * 0.81, symbol))).toBe(NEAR);
      expect(faultOf(rows(10, (_, close) => close * 1.21, symbol))).toBe('');
      expect(faultOf(rows(10, (_, close) => close * 0.79, symbol))).toBe('');
      expect(faultOf(rows(10, (row, close) => (row < 9 ? close * 1.1 : 5), symbol))).toBe(NEAR);
      expect(faultOf(rows(10, (row, close) => (row < 8 ? close * 1.1 : 5), symbol))).toBe('');
      expect(faultOf(rows(10, (row, close) => (row < 4 ? close * 1.1 : null), symbol))).toBe('');
    }
    // Values of BBB are compared with prices of BBB. The unknown symbol ZZZ has no prices.
    expect(faultOf(rows(10, (_, close) => close * 1.1, 'BBB'))).toBe('');
    expect(faultOf(rows(10, () => 1010.17, 'BBB'))).toBe(NEAR);
    expect(faultOf(rows(10, (_, close) => close * 1.1, 'ZZZ'))).toBe('');
  });

  it('is compared with the close at or before its date', () => {
    const jump = (day: number): BarSeries => ({
      ...series('AAA', 100),
      close: Float64Array.from({ length: 20 }, (_, bar) => (bar < day ? 10 : 100)),
    });
    const value = rows(10, () => 101.37, 'AAA');
    expect(faultOf(value, [jump(1)])).toBe(NEAR);
    expect(faultOf(value, [jump(2)])).toBe('');
    const early = featureTable(
      Array.from({ length: 9 }, (_, row) => ({ date: FIRST - (row + 1) * DAY, symbol: 'AAA', x: 101.37 })),
    );
    expect(faultOf(early, [jump(0)])).toBe('');
  });

  it('is refused if a tenth of its values are prices or volumes of the data', () => {
    const price = 54_325;
    expect(faultOf(rows(10, (row) => (row === 3 ? price : row / 7), 'AAA'))).toBe(
      'x contains prices or volumes of the data, in 1 rows',
    );
    expect(faultOf(rows(11, (row) => (row === 3 ? price : row / 7), 'AAA'))).toBe('');
    expect(faultOf(rows(20, (row) => (row < 2 ? price + row : row / 7), 'AAA'))).toBe(
      'x contains prices or volumes of the data, in 2 rows',
    );
  });

  it('is omitted instead of refused if it belongs to a file of bars', () => {
    const table = { ...rows(10, (_, close) => close * 1.1, 'AAA'), isOfBars: true };
    const [masked] = maskFeatures([table], market.series, clock, mask);
    expect(masked!.columns).toEqual([]);
    expect(maskFeatures([], market.series, clock, mask)).toEqual([]);
    const plain = rows(10, (row) => row, 'AAA');
    expect(maskFeatures([plain], market.series, clock, mask)).toEqual([plain]);
  });
});
