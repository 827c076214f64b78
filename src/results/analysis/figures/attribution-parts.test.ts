import { describe, expect, it } from 'vitest';
import { openTrade, runRecord } from '../../../../test/support/records.ts';
import type { RunEvent } from '../../../engine/index.ts';
import { evaluated } from '../summary/evaluation.ts';
import { ACCOUNT, addedUp, attributionOf, attributionSchema, OPEN_AT_THE_BREAK } from './attribution.ts';

const entry = (kind: string, amount: string, quantity?: string, symbol?: string): RunEvent =>
  ({
    ...{ type: 'cash_entry', bar: 1, kind, amount, cash: '0' },
    ...(quantity !== undefined && { quantity }),
    ...(symbol !== undefined && { symbol }),
  }) as RunEvent;
const zero = { closedTrades: 0, closed: '0', open: '0', commission: '0', dividends: '0', financing: '0' };
const part = (name: string, total: string, changes: object = {}) => ({ name, ...zero, ...changes, total });

describe('the parts of the profit', () => {
  it('of payments belong to the side of their position, and otherwise to the account', () => {
    const events = [
      ...[entry('dividend', '1', '5', 'A'), entry('dividend', '-2', '-5', 'A'), entry('dividend', '4')],
      ...[entry('funding', '8', '5', 'A'), entry('funding', '-16', '-5', 'A'), entry('funding', '32')],
      ...[entry('borrow_fee', '-64', '5', 'A'), entry('interest', '128', '5')],
      entry('margin_interest', '-256', '-5'),
    ];
    const record = runRecord({ cash: '1000', equity: ['1000', '835'], symbols: ['A', 'B'], events });
    const { profit, bySide, bySymbol, byReason } = attributionOf(record);
    expect(profit).toBe('-165');
    expect(bySide).toEqual([
      part('long', '9', { dividends: '1', financing: '8' }),
      part('short', '-82', { dividends: '-2', financing: '-80' }),
      part(ACCOUNT, '-92', { dividends: '4', financing: '-96' }),
    ]);
    expect(bySymbol).toEqual([
      part('A', '-73', { dividends: '-1', financing: '-72' }),
      part(ACCOUNT, '-92', { dividends: '4', financing: '-96' }),
    ]);
    expect(byReason).toEqual([
      part('dividends', '3', { dividends: '3' }),
      part('funding', '24', { financing: '24' }),
      part('borrow fees', '-64', { financing: '-64' }),
      part('interest', '128', { financing: '128' }),
      part('margin interest', '-256', { financing: '-256' }),
    ]);
  });

  it('of a killed run contain the rest in one part, with the commission of fills without a trade', () => {
    const fill = (quantity: string, commission: string) => ({ quantity, price: '10', commission });
    const record = runRecord({
      cash: '100',
      equity: ['100', '112'],
      killed: true,
      fills: [fill('1', '0.5'), { ...fill('1', '0.5'), side: 'sell' }, fill('2', '0.25')],
      trades: [{ netPnl: '3', grossPnl: '4', commission: '1', exitReason: 'target' }],
    });
    const closed = { closedTrades: 1, closed: '4', commission: '-1' };
    const rest = part(OPEN_AT_THE_BREAK, '9', { open: '9.25', commission: '-0.25' });
    const { bySymbol, bySide, byReason, byMonth } = attributionOf(record);
    expect(bySymbol).toEqual([part('AAA', '3', closed), rest]);
    expect(bySide).toEqual([part('long', '3', closed), rest]);
    expect(byReason).toEqual([part('target', '3', closed), rest]);
    expect(byMonth).toEqual([part('2024-01', '12', { ...closed, commission: '-1.25', open: '9.25' })]);
  });

  it('show open and closed positions in separate columns', () => {
    const record = runRecord({
      cash: '100',
      equity: ['100', '107'],
      symbols: ['C', 'B', 'A'],
      trades: [
        { symbol: 'B', netPnl: '-1', grossPnl: '0', commission: '1', side: 'short' },
        { symbol: 'A', netPnl: '0' },
      ],
      openTrades: [openTrade({ symbol: 'B', grossPnl: '10', commission: '2', netPnl: '8' })],
      fills: [{ quantity: '1', price: '1', commission: '3' }],
    });
    const { bySymbol, bySide, byReason } = attributionOf(record);
    // C has neither trades nor payments, so it has no part. The trade of A has amounts of 0.
    expect(bySymbol).toEqual([
      part('B', '7', { closedTrades: 1, open: '10', commission: '-3' }),
      part('A', '0', { closedTrades: 1 }),
    ]);
    expect(bySide).toEqual([
      part('long', '8', { closedTrades: 1, open: '10', commission: '-2' }),
      part('short', '-1', { closedTrades: 1, commission: '-1' }),
    ]);
    expect(byReason).toEqual([
      part('market', '-1', { closedTrades: 2, commission: '-1' }),
      part('open at the end', '8', { open: '10', commission: '-2' }),
    ]);
  });

  it('by month include only evaluated bars, and end at the last bar of each month', () => {
    const record = evaluated(
      runRecord({
        cash: '100',
        settings: { evaluateFrom: '2023-12-29' },
        equity: ['100', '103', '108.5', '110', '90'],
        dates: ['2023-12-28', '2023-12-29', '2024-02-01', '2024-02-29', '2024-03-01'],
        fills: [
          { bar: 1, quantity: '1', price: '10', commission: '0.5' },
          { bar: 3, quantity: '1', price: '14', commission: '0.25', side: 'sell' },
        ],
        trades: [{ bar: 3, netPnl: '3.25', grossPnl: '4', commission: '0.75' }],
        events: [
          { ...entry('dividend', '2'), bar: 2 },
          { ...entry('interest', '-1'), bar: 4 },
        ] as RunEvent[],
      }),
    );
    expect(attributionOf(record).byMonth).toEqual([
      part('2023-12', '3', { open: '3.5', commission: '-0.5' }),
      part('2024-02', '7', {
        closedTrades: 1,
        closed: '4',
        open: '1.25',
        commission: '-0.25',
        dividends: '2',
      }),
      part('2024-03', '-20', { open: '-19', financing: '-1' }),
    ]);
  });

  it('are empty without a bar', () => {
    expect(attributionOf(runRecord({ cash: '100', equity: [] }))).toEqual({
      ...{ profit: '0', bySymbol: [], bySide: [], byMonth: [], byReason: [] },
    });
  });
});

describe('many exit reasons', () => {
  const byReason = (amounts: readonly number[]) =>
    attributionOf(
      runRecord({
        cash: '1000',
        equity: [1000 + amounts.reduce((sum, one) => sum + one, 0)],
        trades: amounts.map((netPnl, at) => ({ netPnl: String(netPnl), exitReason: `r${at}` })),
      }),
    ).byReason;
  const upTo = (count: number) => Array.from({ length: count }, (_, at) => at + 1);

  it('are separate up to forty', () => {
    expect(byReason(upTo(40)).map(({ name }) => name)).toEqual(upTo(40).map((one) => `r${one - 1}`));
    // The two smallest of 41 are combined.
    const parts = byReason(upTo(41));
    expect(parts.map(({ name }) => name)).toEqual([
      ...upTo(39).map((one) => `r${one + 1}`),
      '2 other reasons',
    ]);
    expect(parts.at(-1)).toEqual(part('2 other reasons', '3', { closedTrades: 2, closed: '3' }));
  });

  it('are ranked by the size of their profit or loss', () => {
    // The losses of −100 and −99 are larger than all profits. The profits of 1, 2 and 3 are the smallest.
    const parts = byReason([1, -100, 2, -99, 3, ...upTo(37).map((one) => one + 3)]);
    expect(parts.slice(0, 3).map(({ name, total }) => [name, total])).toEqual([
      ['r1', '-100'],
      ['r3', '-99'],
      ['r5', '4'],
    ]);
    expect(parts).toHaveLength(40);
    expect(parts.at(-1)).toEqual(part('3 other reasons', '6', { closedTrades: 3, closed: '6' }));
  });
});

it('parts are added column by column', () => {
  const one = {
    closedTrades: 2,
    closed: '1',
    open: '2',
    commission: '-0.1',
    dividends: '4',
    financing: '-8',
  };
  const other = {
    closedTrades: 1,
    closed: '0.5',
    open: '0',
    commission: '-0.2',
    dividends: '0',
    financing: '16',
  };
  expect(addedUp('both', [part('a', '-1.1', one), part('b', '16.3', other)])).toEqual({
    ...{ name: 'both', closedTrades: 3, closed: '1.5', open: '2', commission: '-0.3', dividends: '4' },
    ...{ financing: '8', total: '15.2' },
  });
  expect(addedUp('none', [])).toEqual(part('none', '0'));
});

it('a stored attribution must have whole counts of at least 0, and amounts as decimal texts', () => {
  const accepts = (changes: object) =>
    attributionSchema.shape.bySymbol.safeParse([part('A', '0', changes)]).success;
  for (const closedTrades of [0, 1, 5]) expect(accepts({ closedTrades })).toBe(true);
  for (const closedTrades of [-1, 0.5]) expect(accepts({ closedTrades })).toBe(false);
  expect([accepts({ open: '-1.5' }), accepts({ open: '1e5' }), accepts({ open: 1 })]).toEqual([
    true,
    false,
    false,
  ]);
});
