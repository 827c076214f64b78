import { describe, expect, it } from 'vitest';
import { EventsSince, type MarketEvent, SinceLog } from './events-since.ts';

const cancelled = (orderId: number): MarketEvent => ({
  type: 'order_cancelled',
  bar: 0,
  orderId,
  symbol: 'A',
  code: 'expired',
  message: '',
});
const accepted = (orderId: number, role?: string): MarketEvent => ({
  type: 'order_accepted',
  bar: 0,
  orderId,
  symbol: 'A',
  action: 'buy',
  orderType: 'market',
  ...(role === undefined ? {} : { role }),
});

describe('the profit between two decisions', () => {
  const profit = (equityBefore: number, equity: number): number =>
    new EventsSince({ bar: 0, time: 0, equityBefore, equity, events: [] }).profit;

  it('is the change of equity without rounding errors', () => {
    expect(profit(100, 90.5)).toBe(-9.5);
    expect(profit(0.3, 0.1 + 0.2)).toBe(0);
    // The difference is negative and rounds to 0, not to -0.
    expect(profit(0.1 + 0.2, 0.3)).toBe(0);
  });

  it('is rounded to eight decimal places', () => {
    expect(profit(0, 0.1234567861)).toBe(0.12345679);
    expect(profit(0, 0.000000014)).toBe(0.00000001);
  });
});

describe('the events between two decisions', () => {
  it('can be selected by type', () => {
    const events = [cancelled(1), accepted(2, 'stop-loss'), cancelled(3)];
    const since = new EventsSince({ bar: 0, time: 0, equityBefore: 0, equity: 0, events });
    expect(since.of('order_cancelled')).toEqual([cancelled(1), cancelled(3)]);
    expect(since.of('split')).toEqual([]);
  });

  it('of two consecutive periods can be joined', () => {
    const period = (id: number) =>
      new EventsSince({ bar: id, time: id, equityBefore: id, equity: 10 * id, events: [cancelled(id)] });
    expect(period(1).and(period(2))).toEqual(
      new EventsSince({ bar: 1, time: 1, equityBefore: 1, equity: 20, events: [cancelled(1), cancelled(2)] }),
    );
  });
});

describe('the log of events since the last decision', () => {
  const logOf = (listener?: (event: MarketEvent) => void, reads = true) => {
    const asked = { bar: 0, time: 50, account: { equityNumber: 100 } };
    return { asked, log: new SinceLog(asked, listener, reads) };
  };

  it('accepts no events if neither a listener nor the decider needs them', () => {
    const { log } = logOf(undefined, false);
    log.start();
    log.end();
    expect(log.add).toBeUndefined();
    expect(() => log.news).toThrow('This run stores no events, because it has no listener.');
  });

  it('passes every event to the listener, and does not store results of the decision', () => {
    const heard: MarketEvent[] = [];
    const { asked, log } = logOf((event) => heard.push(event), false);
    const events = [cancelled(1), accepted(2), accepted(3, 'liquidation')];
    for (const event of events) log.add!(event);
    log.start();
    log.add!(cancelled(4));
    expect(log.news).toEqual(
      new EventsSince({
        bar: null,
        time: null,
        equityBefore: 100,
        equity: 100,
        events: [cancelled(1), accepted(3, 'liquidation')],
      }),
    );
    expect(heard).toEqual([...events, cancelled(4)]);
    log.end();
    Object.assign(asked, { bar: 3, time: 80, account: { equityNumber: 130 } });
    log.add!(cancelled(5));
    log.start();
    expect(log.news).toEqual(
      new EventsSince({ bar: 0, time: 50, equityBefore: 100, equity: 130, events: [cancelled(5)] }),
    );
  });

  it('continues over a bar without a decision, and does not change events that were already read', () => {
    const { asked, log } = logOf();
    log.start();
    log.end();
    Object.assign(asked, { bar: 1, time: 60, account: { equityNumber: 110 } });
    log.add!(cancelled(1));
    // The engine also calls `end` for a bar without a decision.
    log.end();
    Object.assign(asked, { bar: 2, time: 70, account: { equityNumber: 120 } });
    log.add!(cancelled(2));
    log.start();
    const { news } = log;
    const whole = new EventsSince({
      bar: 0,
      time: 50,
      equityBefore: 100,
      equity: 120,
      events: [cancelled(1), cancelled(2)],
    });
    expect(news).toEqual(whole);
    log.end();
    log.add!(cancelled(3));
    expect(news).toEqual(whole);
  });
});
