import { describe, expect, it } from 'vitest';
import { errorOf } from '../../../test/support/error-of.ts';
import { barSeries, createMarket, type Market } from '../../market/index.ts';
import { parseOrderScript, readOrderScript, scriptOn } from './order-script.ts';

function marketAt(times: readonly string[]): Market {
  const bar = { open: 100, high: 101, low: 99, close: 100, volume: 1 };
  return createMarket([
    barSeries(
      'A',
      times.map((time) => ({ ...bar, time: Date.parse(time) })),
    ),
  ]);
}

const daily = marketAt(['2020-01-30', '2020-01-31', '2020-02-03', '2020-02-04']);
const hours = marketAt(['2020-01-30T14:00Z', '2020-01-30T15:00Z', '2020-01-31T14:00Z', '2020-01-31T15:00Z']);

function barsOf(market: Market, ...dates: readonly string[]): number[] {
  const orders = dates.map((date) => ({ date, side: 'buy', units: 1 }));
  return parseOrderScript(JSON.stringify({ orders }), 'o.json', market.clock).orders.map(({ bar }) => bar);
}

describe('dates in order scripts', () => {
  it('are converted to the bar of the day or time', () => {
    expect(barsOf(daily, '2020-01-30', '2020-02-03', '2020-02-04T00:00:00Z')).toEqual([0, 2, 3]);
    expect(barsOf(hours, '2020-01-30', '2020-01-30T14:00', '2020-01-31T16:00+01:00')).toEqual([1, 0, 3]);
  });

  it('that have no bar are all refused with the nearest dates', () => {
    const { code, message } = errorOf(() =>
      barsOf(daily, '2020-02-01', '2019-01-01', '2021-01-01', '2020-01-31'),
    );
    expect(code).toBe('bad_order_script');
    expect(message).toBe(`o.json: 3 faults
  orders[0].date: the data have no bar on 2020-02-01 (nearest: 2020-01-31, 2020-02-03)
  orders[1].date: the data have no bar on 2019-01-01 (nearest: 2020-01-30)
  orders[2].date: the data have no bar on 2021-01-01 (nearest: 2020-02-04)`);
    expect(errorOf(() => barsOf(hours, '2020-01-30T14:30')).message).toContain(
      'no bar at 2020-01-30T14:30 (nearest: 2020-01-30T14:00:00, 2020-01-30T15:00:00)',
    );
  });

  it('require the bars of a market', () => {
    expect(
      errorOf(() => parseOrderScript('{"orders": [{"date": "2020-01-30", "side": "close"}]}', 'o.json'))
        .message,
    ).toContain('orders[0].date: needs the times of the bars');
  });

  it('determine the order of the lines, also for references to orders', () => {
    const text = JSON.stringify({
      orders: [
        { date: '2020-02-03', action: 'cancel', order: 'dip' },
        { bar: 0, action: 'buy', units: 1, type: 'limit', limit: 90, id: 'dip' },
      ],
    });
    expect(parseOrderScript(text, 'o.json', daily.clock).orders).toHaveLength(2);
    const late = readOrderScript(
      text.replace('2020-02-03', '2020-01-30').replace('"bar":0', '"bar":1'),
      'o.json',
    );
    expect(errorOf(() => scriptOn(late, 'o.json', daily.clock)).message).toContain(
      '"dip" is placed only later',
    );
  });
});
