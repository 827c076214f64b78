import { describe, expect, it } from 'vitest';
import { at, MASK, real } from '../../test/support/masked-events.ts';
import { MASK_VERSION } from '../engine/index.ts';
import { checkMaskVersion, maskView, realDate, shownDate, shownDay, viewOf } from './mask-view.ts';

describe('an event of a run with a mask of the first version', () => {
  const first = { symbols: { M: 'AAA' }, days: 10, priceFactor: '4', volumeFactor: '0.5' };
  const start = { type: 'run_started', mask: first, symbols: ['M'], settings: { cash: '2000' } };

  it('has real amounts of money, prices and dates', () => {
    expect(real(start, start)).toEqual({ ...start, settings: { cash: '500' }, symbols: ['AAA'] });
    expect(
      real(
        {
          ...{
            type: 'bar',
            date: '2020-01-11',
            cash: '10',
            equity: '-8',
            ambiguity: { worse: '4', better: '8' },
          },
          prices: [[4, 8, 4, 4, 10]],
        },
        start,
      ),
    ).toEqual({
      ...{
        type: 'bar',
        date: '2020-01-01',
        cash: '2.5',
        equity: '-2',
        ambiguity: { worse: '1', better: '2' },
      },
      prices: [[1, 2, 1, 1, 20]],
    });
    const end = {
      ...{ type: 'run_finished', commissionPaid: '4', insolvency: { equity: '8', bar: 1 } },
      ambiguity: { difference: '12', finalEquity: { worse: '16', better: '20' }, fills: 2 },
    };
    expect(real(end, start)).toEqual({
      ...{ type: 'run_finished', commissionPaid: '1', insolvency: { equity: '2', bar: 1 } },
      ambiguity: { difference: '3', finalEquity: { worse: '4', better: '5' }, fills: 2 },
    });
    const { difference: _, ...plain } = end.ambiguity;
    expect(real({ ...end, ambiguity: plain }, start).ambiguity).toEqual({
      finalEquity: { worse: '4', better: '5' },
      fills: 2,
    });
    expect(
      real({ type: 'order_filled', symbol: 'M', quantity: '3', price: '10', commission: '6' }, start),
    ).toEqual({
      ...{ type: 'order_filled', symbol: 'AAA', quantity: '3', price: '2.5', commission: '1.5' },
    });
  });

  it('is converted with the rate factor of its currency', () => {
    const view = viewOf({ ...first, currencies: { C: { real: 'EUR', rateFactor: '2', symbols: ['M'] } } })!;
    expect([
      view.price('M'),
      view.price('N'),
      view.rate('M'),
      view.rate('N'),
      view.volume('M'),
      view.units('M'),
    ]).toEqual([...['2', '4', '2', '1', '0.5', '1']]);
    expect([view.shown(0), view.real(864_000_000), view.money]).toEqual([864_000_000, 0, '4']);
  });
});

describe('the conversions of a mask', () => {
  const view = maskView(MASK as never);

  it('have factors of 1 for values that are not masked', () => {
    expect([view.price('M'), view.volume('M'), view.units('M'), view.rate('M'), view.money]).toEqual([
      '2',
      '0.5',
      '8',
      '4',
      '1',
    ]);
    expect([view.price('Z'), view.volume('Z'), view.units('Z'), view.rate('Z')]).toEqual([
      '1',
      '1',
      '1',
      '1',
    ]);
    expect([view.names.get('BBB'), view.symbols.N]).toEqual(['M', 'AAA']);
    expect(viewOf(MASK)).toBe(view);
  });

  it('convert dates, and do not change other texts', () => {
    expect(shownDate('2020-01-06T11:00:00', view)).toBe('2100-02-01T10:00:00');
    expect(realDate('2100-02-01T10:00:00', view)).toBe('2020-01-06T11:00:00');
    expect(realDate('2100-02-01T12:00:00', view, 'ends')).toBe('2020-01-06T13:00:00');
    expect([shownDate('soon', view), realDate('soon', view)]).toEqual(['soon', 'soon']);
    const day = at('2020-01-06T00:00:00');
    expect(shownDay(day, view)).toBe(at('2100-01-31T00:00:00'));
    expect(shownDay(at('2020-01-06T10:30:00'), view)).toBe(at('2100-02-01T00:00:00'));
    expect(shownDay(at('2020-01-07T00:00:00'), view)).toBe(at('2100-02-01T00:00:00'));
    expect(shownDay(day, maskView({ ...MASK, calendar: undefined } as never))).toBe(day);
  });

  it('are refused for a replay of a run with another mask version', () => {
    for (const started of [{}, { mask: { version: MASK_VERSION } }])
      expect(() => checkMaskVersion(started, 'f')).not.toThrow();
    expect(() => checkMaskVersion({ mask: {} }, 'f')).toThrow(
      'f was recorded behind a mask of version 1, and',
    );
    expect(() => checkMaskVersion({ mask: { version: 3 } }, 'f')).toThrow(
      expect.objectContaining({ code: 'other_mask' }),
    );
  });
});
