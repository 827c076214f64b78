import { describe, expect, it } from 'vitest';
import { Exact } from '../../kernel/index.ts';
import { readExit, readTakeProfit } from './exit-levels.ts';

/** Returns a parsed value as JSON, or the message of its rejection. */
function read(value: object | number | string | undefined): unknown {
  if (value instanceof Exact) return value.toString();
  if (typeof value !== 'object') return value;
  if ('refusal' in value) return (value as { refusal: { message: string } }).refusal.message;
  return JSON.parse(JSON.stringify(value, (_, part: unknown) => (part instanceof Exact ? `${part}` : part)));
}

describe('the level of an exit', () => {
  const stop = (level: unknown, name = 'stopLoss') => read(readExit(level as never, name));

  it('is a price, a distance, a fraction or a multiple of the average true range', () => {
    for (const level of [
      { price: '99.5' },
      { distance: 1e15 },
      { fraction: 0.99, trail: true },
      { distance: 2, trail: false },
      { price: 5, trail: false },
      { atr: 2 },
      { atr: 2, length: 1, trail: true },
      { atr: 2, length: 500 },
    ])
      expect(stop(level), JSON.stringify(level)).toEqual(level);
    expect(stop(95)).toEqual({ price: 95 });
    expect(stop('95.5')).toEqual({ price: '95.5' });
    expect(stop({ fraction: 1.5 }, 'takeProfit')).toEqual({ fraction: 1.5 });
    expect(stop(undefined)).toBeUndefined();
  });

  it.each([
    [0, 'stopLoss is 0, which is not a level above 0.'],
    [null, 'stopLoss is null, which is not a level above 0.'],
    [{}, 'stopLoss has no level.'],
    [{ length: 3 }, 'stopLoss has no level.'],
    [{ pct: 3 }, 'stopLoss has pct. Exactly one known field is allowed.'],
    [{ price: 5, distance: 1 }, 'stopLoss has price, distance. Exactly one known field is allowed.'],
    [{ fraction: 1 }, 'stopLoss has a fraction of 1, which is not a level above 0.'],
    [{ distance: 0 }, 'stopLoss has a distance of 0, which is not a level above 0.'],
    [
      { distance: '1000000000000001' },
      'stopLoss has a distance of "1000000000000001", which is not a level above 0.',
    ],
    [{ atr: '2' }, 'stopLoss has a atr of "2", which is not a level above 0.'],
    [{ distance: 1, trail: 1 }, 'stopLoss has a trail of 1, which is neither true nor false.'],
    [{ price: 5, trail: true }, 'stopLoss at a price cannot trail. Use a distance.'],
    [{ atr: 1, length: 0 }, 'stopLoss has a length of 0. {atr} allows 1 to 500 bars.'],
    [{ atr: 1, length: 501 }, 'stopLoss has a length of 501. {atr} allows 1 to 500 bars.'],
    [{ atr: 1, length: 1.5 }, 'stopLoss has a length of 1.5. {atr} allows 1 to 500 bars.'],
    [{ distance: 1, length: 5 }, 'stopLoss has a length of 5. {atr} allows 1 to 500 bars.'],
  ])('is refused with its fault: %j', (level, fault) => {
    expect(stop(level)).toBe(fault);
  });

  it('of a take profit cannot trail', () => {
    expect(stop({ distance: 1, trail: true }, 'takeProfit')).toBe('takeProfit cannot trail.');
  });
});

describe('several take profits', () => {
  const targets = (...shares: readonly unknown[]) =>
    read(
      readTakeProfit(
        shares.map((share, index) => ({
          price: 100 + index,
          ...(share === undefined ? {} : { share }),
        })) as never,
      ),
    );
  const sum = (total: string) => `The shares of the take profits sum to ${total}.`;

  it('have shares that sum to at most 1, and the last may omit its share', () => {
    expect(targets(0.5, 0.5)).toEqual({
      targets: [
        { price: 100, share: 0.5 },
        { price: 101, share: 0.5 },
      ],
    });
    expect(targets(0.4, undefined)).toHaveProperty('targets');
    expect(targets(undefined)).toHaveProperty('targets');
    expect(targets(1)).toHaveProperty('targets');
    expect(targets(0.2, 0.3)).toHaveProperty('targets');
    expect(targets(...new Array(10).fill(0.1))).toHaveProperty('targets');
    expect(targets(0.6, 0.5)).toBe(sum('1.1'));
    expect(targets(1, undefined)).toBe(sum('1 without the last'));
    expect(targets(0.7, 0.7, undefined)).toBe(sum('1.4 without the last'));
    expect(targets(undefined, 0.5)).toBe(
      'takeProfit[0] has a share of undefined, which is not above 0 and at most 1.',
    );
    expect(targets(0.5, 0)).toBe('takeProfit[1] has a share of 0, which is not above 0 and at most 1.');
    expect(targets(1.01)).toBe('takeProfit[0] has a share of 1.01, which is not above 0 and at most 1.');
    expect(targets()).toBe('takeProfit has 0 targets.');
    expect(targets(...new Array(11).fill(0.05))).toBe('takeProfit has 11 targets.');
  });

  it('need valid levels, even if there is only one', () => {
    expect(read(readTakeProfit([5] as never))).toBe('takeProfit[0] is 5.');
    expect(read(readTakeProfit([null] as never))).toBe('takeProfit[0] is null.');
    expect(read(readTakeProfit([{ price: 1, share: 0.5 }, { price: -1 }]))).toBe(
      'takeProfit[1] has a price of -1, which is not a level above 0.',
    );
    expect(readTakeProfit(110)).toEqual({ takeProfit: { price: 110 }, targets: undefined });
    expect(readTakeProfit(undefined)).toEqual({ takeProfit: undefined, targets: undefined });
    expect(read(readTakeProfit(-1))).toBe('takeProfit is -1, which is not a level above 0.');
  });
});
