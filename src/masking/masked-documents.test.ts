import { describe, expect, it } from 'vitest';
import { faultsOf } from '../../test/support/error-of.ts';
import { MASK_VERSION, type MaskKind, readRunSettings } from '../engine/index.ts';
import { barSeries, type CorporateAction, createMarket, type PointInTimeData } from '../market/index.ts';
import { maskView } from './mask-view.ts';
import { maskWorld } from './mask-world.ts';
import { writeSteps } from './time-map.ts';

const DAY = 86_400_000;
const START = Date.UTC(2020, 0, 6);
const SHOWN = Date.UTC(2101, 0, 3);
const day = (number: number): number => START + number * DAY;
const shown = (number: number): number => SHOWN + number * DAY;
const bars = (symbol: string, step = DAY) =>
  barSeries(
    symbol,
    [0, 1, 2, 3].map((at) => ({
      ...{ time: START + at * step, open: 7, high: 8, low: 6, close: 7, volume: 3 },
    })),
  );

/** World of the symbols AAA and BBB, whose masked days are two days apart. */
function worldOf(
  pointInTime: Partial<PointInTimeData>,
  kinds: readonly MaskKind[] = ['symbols', 'dates'],
  step = DAY,
) {
  const market = createMarket([bars('AAA', step), bars('BBB', step)]);
  const mask = {
    ...{ version: MASK_VERSION, kinds, secret: 3, settings: {} },
    symbols: kinds.includes('symbols') ? { S1: 'BBB', S2: 'AAA' } : { AAA: 'AAA', BBB: 'BBB' },
    ...(kinds.includes('dates')
      ? {
          calendar: {
            real: writeSteps(market.clock),
            shown: writeSteps(market.clock.map((_, bar) => SHOWN + 2 * bar * step)),
            ...{ interval: step === DAY ? '1d' : '1h', barTimes: 'start' },
          },
        }
      : {}),
  } as never;
  const given = {
    ...{ market, settings: readRunSettings({}), rates: [], actions: [] as CorporateAction[] },
    pointInTime: { documents: [], fundamentals: [], ...pointInTime },
  };
  return { given, mask, world: () => maskWorld(given, mask).pointInTime! };
}
const document = (own: object = {}) => ({
  ...{
    id: 'n1',
    known: { instant: day(1), wholeDay: true },
    symbols: ['AAA', 'ZZZ'],
    source: 'Wire',
    kind: 'news',
  },
  ...{ title: 'AAA rises', text: 'BBB falls on 2020-01-07', where: 'row 1', ...own },
});

describe('masked documents', () => {
  it('have masked names, dates and times, and no symbols without data', () => {
    const [masked] = worldOf({ documents: [document()] }).world().documents;
    expect(masked).toEqual({
      ...document({ title: 'S2 rises', text: 'S1 falls on 2101-01-05', symbols: ['S2'] }),
      known: { instant: shown(3), wholeDay: false },
    });
    const [open] = worldOf({ documents: [document()] }, ['dates']).world().documents;
    expect([open!.symbols, open!.title]).toEqual([['AAA', 'ZZZ'], 'AAA rises']);
    const [named] = worldOf({ documents: [document()] }, ['symbols']).world().documents;
    expect([named!.known, named!.text]).toEqual([
      { instant: day(1), wholeDay: true },
      'S1 falls on 2020-01-07',
    ]);
  });

  it('are refused if they still contain a symbol or a year, with the part and line of each fault', () => {
    const bad = document({ id: 'aaa', source: 'bbb', kind: 'aaa', title: 'bbb', text: 'fine\nin 2020\nbbb' });
    expect(faultsOf(worldOf({ documents: [bad] }).world)).toEqual([
      ...[
        'row 1, id: has the symbol aaa',
        'row 1, source: has the symbol bbb',
        'row 1, kind: has the symbol aaa',
      ],
      ...['row 1, title: has the symbol bbb', 'row 1, text line 2: has 2020, a year or a date of the data'],
      'row 1, text line 3: has the symbol bbb',
    ]);
  });

  it('must have different ids after masking', () => {
    const documents = [
      document({ id: 'x AAA' }),
      document({ id: 'x S2', where: 'row 2' }),
      document({ id: 'y', where: 'row 3' }),
    ];
    expect(faultsOf(worldOf({ documents }).world)).toEqual([
      'row 2: its id becomes x S2, as that of row 1 does',
    ]);
  });
});

describe('masked fundamentals and universes', () => {
  const figure = (own: object = {}) => ({
    ...{
      symbol: 'AAA',
      field: 'eps',
      periodEnd: day(0),
      known: { instant: day(2), wholeDay: false },
      value: 5,
      ...own,
    },
  });

  it('have masked symbols and times, and are omitted for symbols without data', () => {
    const { fundamentals } = worldOf({ fundamentals: [figure(), figure({ symbol: 'ZZZ' })] }).world();
    expect(fundamentals).toEqual([
      figure({ symbol: 'S2', periodEnd: shown(0), known: { instant: shown(3), wholeDay: false } }),
    ]);
    const view = maskView(worldOf({}).mask);
    expect(view.shown(day(2), 'ends')).toBe(shown(3));
  });

  it('are refused if the name of a field has a symbol', () => {
    const fundamentals = [figure({ field: 'aaa sales' }), figure({ field: 'aaa sales', value: 2 })];
    expect(faultsOf(worldOf({ fundamentals }).world)).toEqual(['the field aaa sales: has the symbol aaa']);
  });

  it('have periods that begin and end at the same bars', () => {
    const universe = [
      { symbol: 'AAA', from: null, until: day(2) },
      { symbol: 'BBB', from: day(1), until: null },
      { symbol: 'ZZZ', from: null, until: null },
    ];
    expect(worldOf({ universe }).world().universe).toEqual([
      { symbol: 'S2', from: null, until: shown(4) },
      { symbol: 'S1', from: shown(2), until: null },
    ]);
    expect(worldOf({ universe }, ['symbols']).world().universe![0]).toEqual({
      symbol: 'S2',
      from: null,
      until: day(2),
    });
    const HOUR = DAY / 24;
    const hourly = worldOf(
      { universe: [{ symbol: 'AAA', from: START + HOUR, until: null }] },
      ['symbols', 'dates'],
      HOUR,
    );
    expect(hourly.world().universe![0]!.from).toBe(SHOWN + 2 * HOUR);
    expect('universe' in worldOf({}).world()).toBe(false);
  });
});

describe('masked actions', () => {
  const actions = [
    { symbol: 'AAA', time: day(1), kind: 'split', to: '4', from: '1' },
    { symbol: 'BBB', time: day(1), kind: 'dividend', amount: '0.5' },
    {
      symbol: 'AAA',
      time: day(2),
      kind: 'roll',
      oldContract: 'A1',
      newContract: 'A2',
      oldPrice: '7',
      newPrice: '7',
    },
    {
      symbol: 'AAA',
      time: day(0),
      kind: 'roll',
      oldContract: 'A0',
      newContract: 'A1',
      oldPrice: '7',
      newPrice: '7',
    },
    {
      symbol: 'AAA',
      time: day(9),
      kind: 'roll',
      oldContract: 'A2',
      newContract: 'A3',
      oldPrice: '7',
      newPrice: '7',
    },
    { symbol: 'BBB', time: day(1) + DAY / 2, kind: 'funding', rate: '0.01' },
    { symbol: 'BBB', time: day(3), kind: 'delisting', price: '6' },
    { symbol: 'AAA', time: day(3), kind: 'delisting' },
    { symbol: 'ZZZ', time: day(1), kind: 'dividend', amount: '0.5' },
  ] as CorporateAction[];

  it('happen at the same bars, and those without effect or data are omitted', () => {
    const { given, mask } = worldOf({});
    const masked = maskWorld({ ...given, actions }, mask);
    expect(masked.actions).toEqual([
      { symbol: 'S2', time: shown(2), kind: 'split', to: '4', from: '1' },
      { symbol: 'S1', time: shown(2), kind: 'dividend', amount: '0.5' },
      {
        ...{ symbol: 'S2', time: shown(4), kind: 'roll', oldContract: 'S2 before', newContract: 'S2 after' },
        ...{ oldPrice: '7', newPrice: '7' },
      },
      { symbol: 'S1', time: shown(2) + DAY / 2, kind: 'funding', rate: '0.01' },
      { symbol: 'S1', time: shown(6), kind: 'delisting', price: '6' },
      { symbol: 'S2', time: shown(6), kind: 'delisting' },
    ]);
    expect(masked.interestClock).toEqual(given.market.clock);
    expect(masked.market.symbols).toEqual(['S1', 'S2']);
  });

  it('have the names of their contracts if neither symbols nor dates are masked', () => {
    const { given, mask } = worldOf({}, ['prices']);
    const masked = maskWorld({ ...given, actions: actions.slice(2, 3) }, mask);
    expect(masked.actions).toEqual(actions.slice(2, 3));
    expect('interestClock' in masked).toBe(false);
  });
});
