import { describe, expect, it } from 'vitest';
import {
  actionFaults,
  type CorporateAction,
  contradictions,
  orderOfActions,
  rowFaults,
  rowSchema,
} from './corporate-action.ts';

const at = (date: string): number => Date.parse(`${date}T00:00:00Z`);
const dividend = (symbol: string, date: string, amount = '1'): CorporateAction => ({
  symbol,
  time: at(date),
  kind: 'dividend',
  amount,
});
const split = (symbol: string, date: string, to = '2', from = '1'): CorporateAction => ({
  symbol,
  time: at(date),
  kind: 'split',
  to,
  from,
});
const delisting = (symbol: string, date: string): CorporateAction => ({
  symbol,
  time: at(date),
  kind: 'delisting',
});
const cells = (given: Readonly<Record<string, string>>) => ({ amount: '', ratio: '', price: '', ...given });

describe('a corporate action', () => {
  it('is applied by date, then symbol; on one day a split, then a dividend, then a delisting', () => {
    const wanted = [
      delisting('Z', '2020-01-01'),
      split('A', '2020-01-02'),
      dividend('A', '2020-01-02'),
      delisting('A', '2020-01-02'),
      split('B', '2020-01-02'),
      dividend('B', '2020-01-02'),
      split('A', '2020-01-03'),
    ];
    expect([...wanted].reverse().sort(orderOfActions)).toEqual(wanted);
    // The result does not depend on the order of the arguments.
    for (const [index, first] of wanted.entries())
      for (const second of wanted.slice(index + 1)) {
        expect(orderOfActions(first, second)).toBeLessThan(0);
        expect(orderOfActions(second, first)).toBeGreaterThan(0);
      }
    expect(orderOfActions(split('A', '2020-01-02'), split('A', '2020-01-02', '3'))).toBe(0);
  });

  it.each(['3:1', '3/1', '3', '0.1', '1:10', ' 3 : 2 ', '1.5:1', '123456789.123456789:1'])(
    'may be a split of %s',
    (ratio) => {
      expect(rowFaults(cells({ kind: 'split', ratio }))).toEqual([]);
    },
  );

  it.each([
    ['', 'ratio is empty: give a ratio such as 3:1'],
    ['0:1', 'ratio is "0:1": give a ratio such as 3:1'],
    ['1:0', 'ratio is "1:0": give a ratio such as 3:1'],
    ['-2:1', 'ratio is "-2:1": give a ratio such as 3:1'],
    ['3:2:1', 'ratio is "3:2:1": give a ratio such as 3:1'],
    ['1234567890:1', 'ratio is "1234567890:1": give a ratio such as 3:1'],
    ['1', 'ratio is "1": it changes nothing'],
    ['2:2.0', 'ratio is "2:2.0": it changes nothing'],
  ])('may not be a split of "%s"', (ratio, fault) => {
    expect(rowFaults(cells({ kind: 'split', ratio }))[0]).toBe(fault);
  });

  it('may be a dividend above zero, or a delisting at zero or a positive price', () => {
    expect(rowFaults(cells({ kind: 'dividend', amount: '0.000000000001' }))).toEqual([]);
    expect(rowFaults(cells({ kind: 'dividend', amount: '0.00' }))).toEqual([
      'amount is "0.00": give an amount above 0',
    ]);
    for (const price of ['', '0', '0.00', '12.5'])
      expect(rowFaults(cells({ kind: 'delisting', price }))).toEqual([]);
    expect(rowFaults(cells({ kind: 'delisting', price: '-1' }))).toEqual([
      'price is "-1": give a price of at least 0',
    ]);
    expect(rowSchema.safeParse(cells({ kind: 'delisting', price: '1e3' })).success).toBe(false);
  });

  it('is refused with fields of another kind, and all faults are reported together', () => {
    expect(rowFaults(cells({ kind: 'dividend', amount: '-1', ratio: '2:1', price: '3' }))).toEqual([
      'amount is "-1": give an amount above 0',
      'ratio is "2:1": belongs to another kind of action: remove it',
      'price is "3": belongs to another kind of action: remove it',
    ]);
    expect(rowFaults(cells({ kind: '' }))).toEqual(['kind is empty: use dividend, split or delisting']);
  });
});

describe('corporate actions in code', () => {
  it('are checked by the rules of a file in any order, and each fault has its place', () => {
    expect(actionFaults([dividend('B', '2020-01-02'), split('A', '2020-01-02')])).toEqual([]);
    expect(actionFaults([dividend('B', '2020-01-02', '0'), split('A', '2020-01-03', '0')])).toEqual([
      { where: 'B, dividend of 2020-01-02', message: 'amount is "0": give an amount above 0' },
      { where: 'A, split of 2020-01-03', message: 'ratio is "0:1": give a ratio such as 3:1' },
    ]);
    expect(actionFaults([{ ...split('A', '2020-01-02'), time: Number.NaN }])).toEqual([
      { where: 'A, split', message: 'time is NaN, which is not an instant' },
    ]);
    const halfSplit = { symbol: 'A', time: at('2020-01-02'), kind: 'split', to: '3' } as CorporateAction;
    expect(actionFaults([halfSplit])[0]!.message).toBe('ratio is "3:undefined": give a ratio such as 3:1');
  });

  it('may not follow the delisting of their symbol, in any order of the list', () => {
    const faults = actionFaults([
      split('A', '2020-03-01'),
      delisting('A', '2020-02-01'),
      dividend('A', '2020-02-01'),
      split('B', '2020-03-01'),
    ]);
    expect(faults).toEqual([
      {
        where: 'A, split of 2020-03-01',
        message: 'A was already delisted by A, delisting of 2020-02-01',
      },
    ]);
  });

  it('may not be duplicates; different dividends on one day are allowed', () => {
    const placed = (...actions: CorporateAction[]) =>
      contradictions(actions.map((action, index) => ({ where: `line ${index + 2}`, action }))).map(
        ({ where, message }) => `${where}: ${message}`,
      );
    expect(placed(dividend('A', '2020-01-02'), dividend('A', '2020-01-02', '2'))).toEqual([]);
    expect(placed(dividend('A', '2020-01-02'), dividend('A', '2020-01-03'))).toEqual([]);
    expect(placed(dividend('A', '2020-01-02'), dividend('B', '2020-01-02'))).toEqual([]);
    expect(placed(dividend('A', '2020-01-02'), dividend('A', '2020-01-02'))).toEqual([
      'line 3: repeats the dividend of A of line 2',
    ]);
    expect(placed(split('A', '2020-01-02'), split('A', '2020-01-02', '3'), split('A', '2020-01-02'))).toEqual(
      ['line 3: repeats the split of A of line 2', 'line 4: repeats the split of A of line 3'],
    );
    expect(placed(delisting('A', '2020-01-02'), delisting('A', '2020-01-02'))).toEqual([
      'line 3: A was already delisted by line 2',
      'line 3: repeats the delisting of A of line 2',
    ]);
  });
});
