import { describe, expect, it } from 'vitest';
import { decimal, decimalString } from '../../kernel/index.ts';
import { Ledger } from './ledger.ts';
import type { Trade } from './trade.ts';

/** Fill as a table row: bar, signed quantity, price, commission. */
type Row = readonly [bar: number, quantity: string, price: string, commission?: string];

function fill(ledger: Ledger, [bar, quantity, price, commission = '0']: Row, symbol = 0): Trade[] {
  return ledger.book({
    symbol,
    bar,
    time: bar * 1000,
    quantity: decimal(quantity),
    price: decimal(price),
    commission: decimal(commission),
    reason: `bar ${bar}`,
  });
}

/** Trade as a table row: side, quantity, entry, exit, gross, commission, net. */
const row = (trade: Trade): string =>
  [
    trade.side,
    decimalString(trade.quantity),
    `${trade.entryBar}@${decimalString(trade.entryPrice)}`,
    `${trade.exitBar ?? 'open'}@${decimalString(trade.exitPrice)}`,
    decimalString(trade.grossPnl),
    decimalString(trade.commission),
    decimalString(trade.netPnl),
  ].join(' ');

describe('Ledger, compared with hand calculations', () => {
  it('closes lots first in, first out, in parts', () => {
    const ledger = new Ledger(['A'], decimal('1000'));
    expect(fill(ledger, [0, '10', '10', '1'])).toEqual([]);
    expect(fill(ledger, [1, '5', '12', '0.6'])).toEqual([]);
    expect(decimalString(ledger.cash)).toBe('838.4'); // 1000 − 100 − 1 − 60 − 0.6

    // Four units of the first lot: 4/10 of its entry commission and all of the exit commission.
    expect(fill(ledger, [2, '-4', '15', '0.3']).map(row)).toEqual(['long 4 0@10 2@15 20 0.7 19.3']);
    // The remaining six units of the first lot and two of the second. The exit commission of 0.8 is shared 6
    // to 2.
    expect(fill(ledger, [3, '-8', '11', '0.8']).map(row)).toEqual([
      'long 6 0@10 3@11 6 1.2 4.8',
      'long 2 1@12 3@11 -2 0.44 -2.44',
    ]);
    ledger.mark(0, 13);
    expect(ledger.openTrades().map(row)).toEqual(['long 3 1@12 open@13 3 0.36 2.64']);
    expect(decimalString(ledger.cash)).toBe('985.3');
    expect(decimalString(ledger.equity)).toBe('1024.3');
    expect(decimalString(ledger.realisedPnl)).toBe('21.66');
    expect(decimalString(ledger.commissionPaid)).toBe('2.7');
  });

  it('numbers trades in the order they close, open ones after them', () => {
    const ledger = new Ledger(['A', 'B'], decimal('1000'));
    fill(ledger, [0, '2', '10']);
    fill(ledger, [0, '2', '20'], 1);
    fill(ledger, [1, '1', '11']);
    expect(fill(ledger, [2, '-3', '12']).map(({ id }) => id)).toEqual([1, 2]);
    expect(fill(ledger, [3, '-1', '25'], 1).map(({ id }) => id)).toEqual([3]);
    expect(ledger.closedTrades.map(({ symbol }) => symbol)).toEqual(['A', 'A', 'B']);
    expect(ledger.openTrades().map(({ id, symbol }) => [id, symbol])).toEqual([[4, 'B']]);
  });

  it('reverses a long position in one fill: one trade closes, one opens', () => {
    const ledger = new Ledger(['A'], decimal('1000'));
    fill(ledger, [0, '10', '10', '1']);
    // 16 units sold: 10 close, 6 open. Of the commission of 1.6, the exit gets 1 and the new entry 0.6.
    expect(fill(ledger, [1, '-16', '12', '1.6']).map(row)).toEqual(['long 10 0@10 1@12 20 2 18']);
    ledger.mark(0, 11);
    expect(ledger.openTrades().map(row)).toEqual(['short 6 1@12 open@11 6 0.6 5.4']);
    expect(decimalString(ledger.position('A').quantity)).toBe('-6');
    expect(ledger.units('A')).toBe(-6);
    expect(decimalString(ledger.cash)).toBe('1089.4');
    expect(decimalString(ledger.equity)).toBe('1023.4');
  });

  it('gains on a short when the price falls, loses when it rises', () => {
    const ledger = new Ledger(['A'], decimal('500'));
    fill(ledger, [0, '-4', '50', '0.2']);
    expect(decimalString(ledger.cash)).toBe('699.8');
    ledger.mark(0, 60);
    expect(decimalString(ledger.equity)).toBe('459.8');
    expect(decimalString(ledger.position('A').unrealisedPnl)).toBe('-40');
    expect(decimalString(ledger.position('A').marketValue)).toBe('-240');
    expect(fill(ledger, [1, '1', '45', '0.05']).map(row)).toEqual(['short 1 0@50 1@45 5 0.1 4.9']);
    expect(fill(ledger, [2, '3', '55', '0.15']).map(row)).toEqual(['short 3 0@50 2@55 -15 0.3 -15.3']);
    expect(decimalString(ledger.cash)).toBe('489.6');
    expect(decimalString(ledger.equity)).toBe('489.6');
    expect(ledger.positions()).toEqual([]);
  });

  it('averages the entry price of the open quantity, weighted by quantity', () => {
    const ledger = new Ledger(['A', 'B'], decimal('10000'));
    fill(ledger, [0, '10', '10']);
    fill(ledger, [1, '30', '14']);
    const average = (): string => decimalString(ledger.position('A').averagePrice);
    expect(average()).toBe('13');
    fill(ledger, [2, '-5', '20']);
    expect(average()).toBe(
      '13.428571428571428571428571428571428571428571428571428571428571428571428571428571',
    );
    fill(ledger, [3, '-5', '20']);
    expect(average()).toBe('14');
    fill(ledger, [4, '-30', '20']);
    expect(average()).toBe('0');
    expect(ledger.positions()).toEqual([]);
    expect(decimalString(ledger.position('B').quantity)).toBe('0');
  });

  it('distributes a commission that does not divide evenly without losing a cent', () => {
    const ledger = new Ledger(['A'], decimal('1000'));
    fill(ledger, [0, '3', '10', '0.01']);
    const closed = [1, 2, 3].flatMap((bar) => fill(ledger, [bar, '-1', '10', '0']));
    expect(closed.map(({ commission }) => decimalString(commission))).toEqual([
      '0.003333333333',
      '0.003333333334',
      '0.003333333333',
    ]);
    expect(decimalString(ledger.cash)).toBe('999.99');
    expect(decimalString(ledger.realisedPnl)).toBe('-0.01');
  });

  it('computes cash, quantity and equity exactly, unlike float64', () => {
    const ledger = new Ledger(['A'], decimal('0.3'));
    fill(ledger, [0, '0.1', '0.1']);
    fill(ledger, [1, '0.2', '0.1']);
    ledger.mark(0, 0.1);
    expect(decimalString(ledger.position('A').quantity)).toBe('0.3');
    expect(decimalString(ledger.cash)).toBe('0.27');
    expect(decimalString(ledger.equity)).toBe('0.3');
    fill(ledger, [2, '-0.3', '0.1']);
    expect(ledger.units('A')).toBe(0);
    expect(ledger.positions()).toEqual([]);
  });

  it('returns the same realised profit on repeated reads', () => {
    const ledger = new Ledger(['A'], decimal('1000'));
    expect(decimalString(ledger.realisedPnl)).toBe('0');
    fill(ledger, [0, '2', '10']);
    fill(ledger, [1, '-1', '13']);
    expect(decimalString(ledger.realisedPnl)).toBe('3');
    expect(decimalString(ledger.realisedPnl)).toBe('3');
    fill(ledger, [2, '-1', '8']);
    expect(decimalString(ledger.realisedPnl)).toBe('1');
  });

  it('records bars, times and the exit reason of a trade', () => {
    const ledger = new Ledger(['A'], decimal('1000'));
    fill(ledger, [4, '2', '10']);
    const [closed] = fill(ledger, [9, '-2', '13']);
    expect(closed).toMatchObject({
      entryBar: 4,
      entryTime: 4000,
      exitBar: 9,
      exitTime: 9000,
      exitReason: 'bar 9',
    });
    fill(ledger, [10, '2', '10']);
    expect(ledger.openTrades()[0]).toMatchObject({ exitBar: null, exitTime: null, exitReason: null });
  });

  it('reports the known symbols when a symbol is unknown', () => {
    const ledger = new Ledger(['A', 'B'], decimal('1000'));
    for (const ask of [() => ledger.position('C'), () => ledger.units('C')]) {
      expect(ask).toThrow(
        expect.objectContaining({ code: 'unknown_symbol', hint: expect.stringContaining('A, B') }),
      );
    }
    expect(ledger.units()).toBe(ledger.units('A'));
  });
});
