import { describe, expect, it } from 'vitest';
import { type Candle, Exchange, flat } from '../../../test/support/exchange.ts';
import type { BrokerSettings } from '../settings/settings.ts';
import type { OrderRequest } from './request.ts';

/**
 * Places orders at the close of bar 0 and then matches them with one bar. `finer` contains the finer bars
 * within it; `undefined` to match the bar as a whole.
 */
function barOne(
  requests: readonly OrderRequest[],
  bar: Candle,
  finer: readonly Candle[] | undefined,
  settings: Partial<BrokerSettings> = {},
): Exchange {
  const market = new Exchange(
    { A: [...flat(100, 1), bar, ...flat(100, 1)] },
    settings,
    finer === undefined ? undefined : { A: { 1: finer } },
  ).next();
  for (const request of requests) expect(market.broker.submit(request)).toMatchObject({ accepted: true });
  return market.next();
}

const ambiguous = (market: Exchange): boolean[] =>
  market.events.flatMap((event) => (event.type === 'order_filled' ? [event.ambiguous === true] : []));

const bracket: OrderRequest = { action: 'buy', quantity: 10, stopLoss: 95, takeProfit: 110 };
const both: Candle = [100, 112, 94, 101];

describe('a bar that reaches stop loss and take profit', () => {
  it('fills the stop loss and reports the ambiguity, without finer bars', () => {
    const market = barOne([bracket], both, undefined);
    expect(market.fills).toEqual(['1 buy 10 A @ 100', '1 sell 10 A @ 95']);
    expect(ambiguous(market)).toEqual([false, true]);
    const { bars, fills, difference } = market.broker.ambiguity;
    expect([bars, fills, String(difference)]).toEqual([1, 1, '150']);
  });

  it.each<[string, Candle[], string]>([
    [
      'the take profit first',
      [
        [100, 112, 99, 111],
        [111, 111, 94, 101],
      ],
      '1 sell 10 A @ 110',
    ],
    [
      'the stop first',
      [
        [100, 101, 94, 95],
        [95, 112, 95, 101],
      ],
      '1 sell 10 A @ 95',
    ],
    [
      'a gap beyond the stop',
      [
        [100, 101, 99, 100],
        [94, 112, 94, 101],
      ],
      '1 sell 10 A @ 94',
    ],
    [
      'a gap beyond the take profit',
      [
        [100, 101, 99, 100],
        [112, 112, 94, 101],
      ],
      '1 sell 10 A @ 112',
    ],
  ])('is decided by finer bars that show %s', (_, finer, exit) => {
    const market = barOne([bracket], both, finer);
    expect(market.fills).toEqual(['1 buy 10 A @ 100', exit]);
    expect(ambiguous(market)).toEqual([false, false]);
    expect(market.broker.ambiguity.fills).toBe(0);
  });

  it('remains ambiguous and fills the stop loss if one finer bar reaches both', () => {
    const market = barOne([bracket], both, [
      [100, 100, 99, 99],
      [99, 112, 94, 101],
    ]);
    expect(market.fills.at(-1)).toBe('1 sell 10 A @ 95');
    expect(ambiguous(market)).toEqual([false, true]);
  });

  it('records the finer bar that decided', () => {
    const market = barOne([bracket], both, [
      [100, 101, 99, 100],
      [100, 112, 100, 111],
      [111, 111, 94, 101],
    ]);
    const fills = market.events.filter((event) => event.type === 'order_filled');
    expect(fills.map(({ detailTime }) => detailTime)).toEqual([undefined, '1970-01-02T01:00:00']);
  });
});

describe('an entry that fills inside a bar', () => {
  const limit: OrderRequest = {
    action: 'buy',
    quantity: 10,
    type: 'limit',
    limitPrice: 98,
    stopLoss: 95,
    takeProfit: 103,
  };
  const bar: Candle = [100, 104, 97, 101];

  it('has active exits from the next bar on, without finer bars', () => {
    expect(barOne([limit], bar, undefined).fills).toEqual(['1 buy 10 A @ 98']);
  });

  it('has active exits immediately with finer bars', () => {
    const finer: Candle[] = [
      [100, 100, 97, 99],
      [99, 104, 99, 101],
    ];
    expect(barOne([limit], bar, finer).fills).toEqual(['1 buy 10 A @ 98', '1 sell 10 A @ 103']);
  });

  it('is not closed at a high before the entry', () => {
    const finer: Candle[] = [
      [100, 104, 99, 100],
      [100, 101, 97, 101],
    ];
    expect(barOne([limit], bar, finer).fills).toEqual(['1 buy 10 A @ 98']);
  });
});

describe('a stop-limit', () => {
  const order: OrderRequest = {
    action: 'buy',
    quantity: 10,
    type: 'stop_limit',
    stopPrice: 103,
    limitPrice: 101,
  };
  const bar: Candle = [100, 104, 99, 102];

  it('triggers and then fills at its limit in finer bars', () => {
    expect(barOne([order], bar, undefined).fills).toEqual([]);
    expect(
      barOne([order], bar, [
        [100, 104, 100, 103],
        [103, 103, 99, 102],
      ]).fills,
    ).toEqual(['1 buy 10 A @ 101']);
  });

  it('does not fill at a low before its trigger, even if the whole bar has this low', () => {
    const market = barOne([order], bar, [
      [100, 100, 99, 100],
      [100, 103.5, 100, 102],
    ]);
    expect(market.fills).toEqual([]);
  });
});

it('trails a stop from one finer bar to the next', () => {
  const trailing: OrderRequest = { action: 'close', type: 'trailing_stop', trailAmount: 5 };
  const finer: Candle[] = [
    [100, 110, 100, 110],
    [110, 110, 104, 106],
  ];
  const run = (detail?: readonly Candle[]): string[] => {
    const market = new Exchange(
      { A: [...flat(100, 2), [100, 110, 100, 106]] },
      {},
      detail && { A: { 2: detail } },
    ).next();
    market.broker.buy(10);
    market.next();
    market.broker.submit(trailing);
    return market.next().fills;
  };
  // Without finer bars, the bar's price may have risen to 110 and fallen to 105 before its close.
  expect(run()).toEqual(['1 buy 10 A @ 100', '2 sell 10 A @ 105']);
  expect(run(finer)).toEqual(['1 buy 10 A @ 100', '2 sell 10 A @ 105']);
});

describe('finer bars for only a part of a bar', () => {
  it('leave the rest of the bar to the whole bar', () => {
    const market = barOne(
      [{ action: 'buy', quantity: 10, type: 'limit', limitPrice: 96 }],
      [100, 101, 95, 100],
      [[100, 101, 98, 100]],
    );
    expect(market.fills).toEqual(['1 buy 10 A @ 96']);
  });

  it('prevent that the whole bar fills an exit created after a part of it', () => {
    const entry: OrderRequest = {
      action: 'buy',
      quantity: 10,
      type: 'limit',
      limitPrice: 98,
      takeProfit: 103,
    };
    // The high of 104 is not in a finer bar, so it may have occurred before the entry.
    expect(barOne([entry], [100, 104, 97, 101], [[100, 100, 97, 101]]).fills).toEqual(['1 buy 10 A @ 98']);
    expect(barOne([entry], [100, 104, 97, 103], [[100, 100, 97, 99]]).fills).toEqual([
      '1 buy 10 A @ 98',
      '1 sell 10 A @ 103',
    ]);
  });

  it('are ignored if they have no volume', () => {
    const still: Candle[] = [
      [100, 112, 99, 111, 0],
      [111, 111, 94, 101, 0],
    ];
    expect(ambiguous(barOne([bracket], both, still))).toEqual([false, true]);
  });

  it('never fill a market order twice: the remainder waits for the next open', () => {
    const market = barOne(
      [{ action: 'buy', quantity: 30 }],
      [100, 101, 99, 100, 100],
      [
        [100, 101, 99, 100],
        [100, 101, 99, 100],
      ],
      { participation: 0.1 },
    );
    expect(market.fills).toEqual(['1 buy 10 A @ 100']);
    expect(market.next().fills).toEqual(['1 buy 10 A @ 100', '2 buy 20 A @ 100']);
  });
});

it('fills orders of several symbols in one bar in chronological order', () => {
  const bar: Candle = [100, 100, 90, 100];
  const early: Candle[] = [
    [100, 100, 90, 95],
    [95, 100, 95, 100],
  ];
  const late: Candle[] = [
    [100, 100, 95, 95],
    [95, 100, 90, 100],
  ];
  const run = (a: readonly Candle[], b: readonly Candle[]): string[] => {
    const market = new Exchange(
      { A: [...flat(100, 1), bar], B: [...flat(100, 1), bar] },
      {},
      { A: { 1: a }, B: { 1: b } },
    );
    market.next();
    for (const symbol of ['A', 'B']) {
      market.broker.submit({ action: 'buy', symbol, quantity: 70, type: 'limit', limitPrice: 91 });
    }
    return market.next().fills;
  };
  // The cash is sufficient for only one of the two orders. The order whose price was reached first fills.
  expect(run(early, late)).toEqual(['1 buy 70 A @ 91']);
  expect(run(late, early)).toEqual(['1 buy 70 B @ 91']);
});

describe('a group with an order for the close', () => {
  it('cancels it if another order of the group fills in a finer bar', () => {
    const market = barOne(
      [
        { action: 'buy', type: 'market_on_close', quantity: 2, group: 'g' },
        { action: 'sell', type: 'limit', quantity: 1, limitPrice: 110, group: 'g' },
      ],
      both,
      [
        [100, 112, 99, 111],
        [111, 111, 94, 101],
      ],
    );
    expect(market.fills).toEqual(['1 sell 1 A @ 110']);
    expect(market.events).toContainEqual(
      expect.objectContaining({ type: 'order_cancelled', orderId: 1, code: 'one_cancels_other' }),
    );
  });
});

describe('a position without orders', () => {
  it('is valued by its finer bars while orders of another symbol fill', () => {
    const long: Candle[] = [
      [100, 100, 100, 100],
      [80, 80, 80, 80],
    ];
    const flatBars: Candle[] = [
      [100, 100, 100, 100],
      [100, 100, 99, 100],
    ];
    const market = new Exchange(
      { A: [...flat(100, 2), [100, 100, 80, 80]], B: [...flat(100, 2), [100, 100, 99, 100]] },
      { leverage: 2 },
      { A: { 2: long }, B: { 2: flatBars } },
    ).next();
    market.broker.buy(100, { symbol: 'A' });
    market.next();
    // Buying power is 20,000 − 10,000 = 10,000 at the open, enough for 90 units of B. With A at 80, the
    // equity is 8,000, which allows positions of 16,000. A alone is worth 8,000, so 8,000 remain, too little
    // for 90 units at 99.
    market.broker.buy(90, { symbol: 'B', type: 'limit', limitPrice: 99 });
    market.next();
    expect(market.fills).toEqual(['1 buy 100 A @ 100']);
    expect(market.refusals).toHaveLength(1);
  });
});
