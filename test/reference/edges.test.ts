import { describe, expect, it } from 'vitest';
import { firstDifference } from './compare.ts';
import { runReference } from './exchange.ts';
import { runReal } from './real.ts';
import type { Play } from './types.ts';

/** Test cases that a fuzz test found, and similar cases. */
describe('the broker and the reference', () => {
  it('agree that an exit created beyond its limit pays the taker fee, and at its limit the maker fee', async () => {
    const play = (takeProfit: number): Play => ({
      barMinutes: 360,
      candles: {
        AAA: [
          [102, 102, 102, 102, 1000],
          [104.5, 107.5, 103, 104.5, 1000],
        ],
      },
      terms: { cash: '10000', commission: { model: 'maker-taker', maker: 0.001, taker: 0.003 } },
      steps: [
        {
          bar: 0,
          name: 'G',
          submit: {
            action: 'buy',
            type: 'trailing_stop_limit',
            quantity: 1,
            trailFraction: 0.01,
            limitOffset: 0.5,
            takeProfit: [{ price: takeProfit }],
          },
        },
      ],
    });
    for (const [takeProfit, commission] of [
      [103.5, '0.31056'],
      [103.52, '0.10352'],
    ] as const) {
      const [real, reference] = [await runReal(play(takeProfit)), runReference(play(takeProfit))];
      expect(firstDifference(real, reference)).toBeUndefined();
      expect(real.fills[1]).toMatchObject({ price: '103.52', commission });
    }
  });

  it.each([{ notional: 2500.75 }, { equityFraction: 0.5 }, { quantity: 10 }])(
    'agree that a trail at a level of 0 or below claims no buying power: %o',
    async (size) => {
      // The trailing stop of AAA begins at 7 − 7 = 0 or at 7 − 8 = −1. The next bar, from 4 to 12, counts as
      // in reach of the stop.
      for (const trailAmount of [7, 8]) {
        const play: Play = {
          barMinutes: 1440,
          candles: {
            AAA: [
              [5, 12, 4, 7, 1000],
              [5, 12, 4, 4, 1000],
              [4, 12, 4, 7, 1000],
            ],
            BBB: [
              [100, 101, 99, 100, 1000],
              [100, 101, 90, 95, 1000],
              [95, 101, 90, 95, 1000],
            ],
          },
          terms: { cash: '10000' },
          steps: [
            {
              bar: 0,
              name: 'A',
              submit: { symbol: 'AAA', action: 'sell', type: 'trailing_stop', ...size, trailAmount },
            },
            {
              bar: 0,
              name: 'B',
              submit: { symbol: 'BBB', action: 'buy', type: 'limit', quantity: 50, limitPrice: 92 },
            },
          ],
        };
        const [real, reference] = [await runReal(play), runReference(play)];
        expect(firstDifference(real, reference)).toBeUndefined();
        expect(real.fills.some(({ symbol }) => symbol === 'BBB')).toBe(true);
      }
    },
  );
});
