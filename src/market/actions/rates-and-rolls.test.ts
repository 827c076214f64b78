import { describe, expect, it } from 'vitest';
import {
  actionFaults,
  type CorporateAction,
  isPrice,
  isRate,
  isShareAction,
  orderOfActions,
} from './corporate-action.ts';

const time = Date.parse('2020-01-02T00:00Z');
const funding = (rate: string): CorporateAction => ({ symbol: 'P', time, kind: 'funding', rate });
const roll = (oldPrice: string, newPrice: string): CorporateAction => ({
  symbol: 'F',
  time,
  kind: 'roll',
  oldContract: 'H',
  newContract: 'M',
  oldPrice,
  newPrice,
});

describe('a funding rate', () => {
  it.each(['0', '0.0001', '-0.9999', '+0.5', '.5', '0.', '1e-4', '9.9E-1', '99e-2'])('may be %s', (rate) => {
    expect(isRate(rate)).toBe(true);
    expect(actionFaults([funding(rate)])).toEqual([]);
  });

  it.each(['1', '-1', '1.5', '', '.', 'x', '1e', '0.1%', '1e-100', ' 0.1'])('may not be %j', (rate) => {
    expect(isRate(rate)).toBe(false);
    expect(actionFaults([funding(rate)])).toEqual([
      {
        where: 'P, funding of 2020-01-02',
        message: `rate is "${rate}": give a fraction between -1 and 1, such as 0.0001 for a hundredth of a per cent`,
      },
    ]);
  });
});

describe('a roll', () => {
  it('has two prices above zero', () => {
    expect(['1', '0.001', '4200.25'].map(isPrice)).toEqual([true, true, true]);
    expect(['0', '0.00', '-1', '1e3', '.5', '', undefined].map(isPrice)).toEqual(new Array(7).fill(false));
    expect(actionFaults([roll('10', '11')])).toEqual([]);
    expect(actionFaults([roll('0', '-1')])).toEqual([
      { where: 'F, roll of 2020-01-02', message: 'oldPrice is "0": give a price above 0' },
      { where: 'F, roll of 2020-01-02', message: 'newPrice is "-1": give a price above 0' },
    ]);
  });
});

describe('the actions of one symbol and day', () => {
  it('are sorted in the order roll, split, dividend, funding, delisting', () => {
    const all: CorporateAction[] = [
      { ...roll('1', '2'), symbol: 'A' },
      { symbol: 'A', time, kind: 'split', to: '2', from: '1' },
      { symbol: 'A', time, kind: 'dividend', amount: '1' },
      { ...funding('0.1'), symbol: 'A' },
      { symbol: 'A', time, kind: 'delisting' },
    ];
    expect([...all].reverse().sort(orderOfActions)).toEqual(all);
    expect(all.map((_, index) => Math.sign(orderOfActions(all[index]!, all[2]!)))).toEqual([-1, -1, 0, 1, 1]);
    expect(all.map(isShareAction)).toEqual([false, true, true, false, true]);
  });
});

describe('actions from JavaScript', () => {
  it('may have numbers instead of texts, but not the fields of another kind', () => {
    const given = (fields: Record<string, unknown>) =>
      actionFaults([{ symbol: 'A', time, ...fields } as unknown as CorporateAction]);
    expect(given({ kind: 'split', to: 3, from: 2 })).toEqual([]);
    expect(given({ kind: 'dividend', amount: 0.5 })).toEqual([]);
    expect(given({ kind: 'delisting', price: 0 })).toEqual([]);
    expect(given({ kind: 'dividend', amount: 1, to: 2 }).map(({ message }) => message)).toEqual([
      'ratio is "2:undefined": belongs to another kind of action: remove it',
    ]);
    expect(given({ kind: 'dividend', amount: 1, from: 2 })).toHaveLength(1);
    expect(given({ kind: 'split' }).map(({ message }) => message)).toEqual([
      'ratio is "undefined:undefined": give a ratio such as 3:1',
    ]);
    expect(given({ kind: 'merger' }).map(({ message }) => message)).toEqual([
      'kind is "merger": use dividend, split or delisting',
    ]);
  });
});
