import { describe, expect, it } from 'vitest';
import { runRecord } from '../../../../test/support/records.ts';
import { DAY, formatInstant } from '../../../kernel/index.ts';
import { breakdownsOf, sumAt, tradeColumns } from './breakdown.ts';

const HOUR = DAY / 24;
const MONDAY = Date.UTC(2024, 0, 1);

describe('trades by holding time', () => {
  const nameOf = (held: number) => {
    const trade = {
      netPnl: '1',
      entryTime: formatInstant(MONDAY),
      exitTime: formatInstant(MONDAY + held),
    };
    const groups = breakdownsOf(runRecord({ equity: [1, 1], trades: [trade] }))[4]!.groups;
    return groups.map(({ name }) => name);
  };

  it.each([
    [0, 'under a day'],
    [1, '1 day'],
    [2, '2–6 days'],
    [7, '1–4 weeks'],
    [31, '1–3 months'],
    [92, '3–12 months'],
    [366, 'over a year'],
  ])('begin a new range at %i days', (days, from) => {
    expect(nameOf(days * DAY)).toEqual([from]);
    expect(nameOf(days * DAY + HOUR)).toEqual([from]);
    if (days > 0) expect(nameOf(days * DAY - HOUR)).not.toEqual([from]);
  });
});

describe('trades by group', () => {
  const trade = (symbol: string, netPnl: string, day: number, more: object = {}) => ({
    ...{ symbol, netPnl, entryTime: formatInstant(MONDAY + day * DAY) },
    ...{ exitTime: formatInstant(MONDAY + (day + 3) * DAY), ...more },
  });
  const record = runRecord({
    equity: [1, 1],
    trades: [
      trade('B', '1', 0),
      trade('A', '0', 6, { side: 'short', exitReason: 'stop-loss' }),
      trade('B', '-0.5', 1, { exitReason: 'market' }),
      trade('B', '0.5', 6, { exitReason: 'close' }),
    ],
  });
  const group = (name: string, trades: number, winRate: number, netPnl: string, meanNetPnl = netPnl) => ({
    ...{ name, trades, winRate, netPnl, meanNetPnl },
  });

  it('are summed by symbol, side, exit reason, weekday and holding time', () => {
    expect(breakdownsOf(record)).toEqual([
      { title: 'Symbol', groups: [group('A', 1, 0, '0'), group('B', 3, 2 / 3, '1', '0.3333333333')] },
      { title: 'Side', groups: [group('long', 3, 2 / 3, '1', '0.3333333333'), group('short', 1, 0, '0')] },
      {
        title: 'Exit reason',
        groups: [
          group('close', 1, 1, '0.5'),
          group('market', 2, 0.5, '0.5', '0.25'),
          group('stop-loss', 1, 0, '0'),
        ],
      },
      {
        title: 'Entry on a',
        groups: [
          group('Sunday', 2, 0.5, '0.5', '0.25'),
          group('Monday', 1, 1, '1'),
          group('Tuesday', 1, 0, '-0.5'),
        ],
      },
      { title: 'Held for', groups: [group('2–6 days', 4, 0.5, '1', '0.25')] },
    ]);
  });

  it('have empty groups without trades', () => {
    const empty = breakdownsOf(runRecord({ equity: [1] }));
    expect(empty.map(({ groups }) => groups)).toEqual([[], [], [], [], []]);
  });
});

it('the columns of trades have exact amounts, in the account’s currency', () => {
  const { trades } = runRecord({
    equity: [1, 1],
    trades: [
      { netPnl: '0.1', grossPnl: '0.3', commission: '0.2', quantity: '3', entryPrice: '10.5', side: 'short' },
      {
        ...{ netPnl: '0.2', quantity: '2', entryPrice: '100', entryRate: '1.1', multiplier: '50' },
        ...{ entryTime: '2024-01-01T12:00:00', exitTime: '2024-01-03' },
      },
      { netPnl: '-0.7', quantity: '2', entryPrice: '-4' },
    ],
  });
  const { net, gross, commission, notional, entryTime, heldDays } = tradeColumns(trades);
  const texts = (of: typeof net) => of.map(String);
  expect([net, gross, commission, notional].map(texts)).toEqual([
    ['0.1', '0.2', '-0.7'],
    ['0.3', '0.2', '-0.7'],
    ['0.2', '0', '0'],
    ['31.5', '11000', '8'],
  ]);
  expect([...entryTime]).toEqual([MONDAY, MONDAY + DAY / 2, MONDAY]);
  expect([...heldDays]).toEqual([1, 1.5, 1]);
  expect(sumAt(net, [0, 1]).toString()).toBe('0.3');
  expect(sumAt(net, []).toString()).toBe('0');
});
