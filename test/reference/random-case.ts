import { Draw } from './draw.ts';
import type { PathCase } from './one-bar.ts';

type CaseOrder = PathCase['orders'][number];

/**
 * Returns a random bar around 100 and one to four orders, drawn like the cases in `oracles/paths`. Prices of
 * the bar are multiples of 0.5, and prices of orders are whole numbers.
 */
export function randomCase(seed: number): PathCase {
  const draw = new Draw(seed);
  const shape = draw.one(['wide', 'wide', 'wide', 'wide', 'narrow', 'up', 'down', 'flat'] as const);
  const reach = shape === 'narrow' ? 3 : shape === 'flat' ? 1 : 15;
  const up = shape === 'down' ? 0 : draw.whole(0, reach * 2) / 2;
  const down = shape === 'up' ? 0 : draw.whole(0, reach * 2) / 2;
  const [high, low] = [100 + up, 100 - down];
  const close = low + draw.whole(0, (high - low) * 2) / 2;
  const count = draw.one([1, 1, 2, 2, 2, 3, 4]);
  const group = draw.chance(0.5) ? { group: 'g' } : {};
  const orders = Array.from({ length: count }, () => ({
    ...randomOrder(draw),
    ...(count > 1 && draw.chance(0.8) ? group : {}),
  }));
  return { bar: [100, high, low, close], orders };
}

function randomOrder(draw: Draw): CaseOrder {
  const side = draw.one(['buy', 'sell'] as const);
  const type = draw.one(['market', 'limit', 'limit', 'limit', 'stop', 'stop', 'stop', 'stop_limit'] as const);
  const sign = side === 'buy' ? 1 : -1;
  const away = draw.whole(1, 9);
  const price = type === 'market' ? 100 : type === 'limit' ? 100 - sign * away : 100 + sign * away;
  const limit = type === 'stop_limit' ? price + draw.whole(-5, 3) : undefined;
  // Exits are on the correct sides of the order's price. For a stop-limit order, they are beyond both of its
  // prices.
  const [lower, upper] = [Math.min(price, limit ?? price), Math.max(price, limit ?? price)];
  const beyond = (direction: number): number =>
    direction > 0 ? upper + draw.whole(1, 10) : lower - draw.whole(1, 10);
  return {
    side,
    type,
    ...(type === 'market' ? {} : { price }),
    ...(limit === undefined ? {} : { limit }),
    ...(draw.chance(0.6) ? { sl: beyond(-sign) } : {}),
    ...(draw.chance(0.6) ? { tp: beyond(sign) } : {}),
  };
}
