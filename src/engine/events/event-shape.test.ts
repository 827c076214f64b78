import { describe, expect, it } from 'vitest';
import { shapeFault } from './recorded-event.ts';

type Event = Record<string, unknown> & { type: string };
const bar = (over: Record<string, unknown> = {}): Event => ({
  type: 'bar',
  bar: 3,
  date: '2024-01-05',
  cash: '100',
  equity: '-20.5',
  ...over,
});
const started = (over: Record<string, unknown> = {}): Event => ({
  type: 'run_started',
  strategy: { name: 'x', kind: 'rules' },
  settings: { cash: '1000' },
  symbols: ['A'],
  ...over,
});
const filled: Event = {
  type: 'order_filled',
  bar: 0,
  orderId: 1,
  symbol: 'A',
  side: 'buy',
  quantity: '1',
  price: '2',
  priceBeforeSlippage: '2',
  commission: '0',
};
const trade: Record<string, unknown> = {
  id: 1,
  symbol: 'A',
  side: 'long',
  quantity: '1',
  entryBar: 0,
  entryTime: '2024-01-01',
  entryPrice: '10',
  grossPnl: '-1',
  commission: '0',
  netPnl: '-1',
};
const closed: Event = {
  type: 'trade_closed',
  bar: 2,
  ...trade,
  exitTime: '2024-01-03',
  exitPrice: '9',
  exitReason: 'stop',
};
const finished = (openTrades: unknown): Event => ({
  type: 'run_finished',
  outcome: 'completed',
  commissionPaid: '0',
  openTrades,
});

describe('an event that metrics depend on', () => {
  it.each([
    bar(),
    bar({ prices: [null, [1, 2, 1, 2, 0]] }),
    bar({ date: '2024-01-05T14:30:00' }),
    started(),
    filled,
    closed,
    finished([]),
    finished([{ ...trade, lastPrice: '9' }]),
    { type: 'written_by_a_later_version' },
  ])('is accepted: %j', (event) => {
    expect(shapeFault(event)).toBeUndefined();
  });

  it.each([
    ['a bar without a date', bar({ date: undefined }), 'has no date'],
    ['a date that is none', bar({ date: '2024-13-05' }), 'has the invalid date "2024-13-05"'],
    ['a date that is a number', bar({ date: 20240105 }), 'has the invalid date 20240105'],
    ['a negative bar', bar({ bar: -1 }), 'has the invalid bar -1'],
    ['half a bar', bar({ bar: 1.5 }), 'has the invalid bar 1.5'],
    ['a bar in quotes', bar({ bar: '3' }), 'has the invalid bar "3"'],
    ['cash that is a number', bar({ cash: 100 }), 'has the invalid cash 100'],
    ['cash with an exponent', bar({ cash: '1e3' }), 'has the invalid cash "1e3"'],
    ['equity that is a word', bar({ equity: 'NaN' }), 'has the invalid equity "NaN"'],
    ['four prices', bar({ prices: [[1, 2, 3, 4]] }), 'has the invalid prices [[1,2,3,4]]'],
    ['a price in quotes', bar({ prices: [[1, 2, 3, '4', 5]] }), 'has the invalid prices [[1,2,3,"4",5]]'],
    ['prices of no list', bar({ prices: { A: 1 } }), 'has the invalid prices {"A":1}'],
    ['a run without symbols', started({ symbols: undefined }), 'has no symbols'],
    ['a symbol that is a number', started({ symbols: ['A', 7] }), 'has the invalid symbols ["A",7]'],
    ['a strategy without a name', started({ strategy: { kind: 'rules' } }), 'has no name'],
    ['a strategy without a kind', started({ strategy: { name: 'x' } }), 'has no kind'],
    ['a strategy in a word', started({ strategy: 'x' }), 'has the invalid strategy "x"'],
    ['a list of settings', started({ settings: ['cash'] }), 'has the invalid settings ["cash"]'],
    // Returns are relative to the initial cash.
    ['no cash to begin with', started({ settings: { cash: '0' } }), 'has the invalid cash "0"'],
    ['debts to begin with', started({ settings: { cash: '-5' } }), 'has the invalid cash "-5"'],
    ['cash that is no amount', started({ settings: { cash: '0x10' } }), 'has the invalid cash "0x10"'],
    ['cash that is a number', started({ settings: { cash: 1000 } }), 'has the invalid cash 1000'],
    ['a fill without a commission', { ...filled, commission: undefined }, 'has no commission'],
    ['a trade without an exit', { ...closed, exitPrice: null }, 'has the invalid exitPrice null'],
    ['an open trade in a word', finished(['A']), 'has the invalid open trade "A"'],
    ['an open trade without a last price', finished([trade]), 'has an open trade that has no lastPrice'],
    ['no list of open trades', finished({}), 'has the invalid openTrades {}'],
  ])('is refused: %s', (_, event, fault) => {
    expect(shapeFault(event)).toBe(fault);
  });

  it('is reported with the first forty characters of a long value', () => {
    const exactly = 'x'.repeat(38);
    expect(shapeFault(bar({ cash: exactly }))).toBe(`has the invalid cash "${exactly}"`);
    expect(shapeFault(bar({ cash: `${exactly}y` }))).toBe(`has the invalid cash "${exactly}y…`);
  });
});
