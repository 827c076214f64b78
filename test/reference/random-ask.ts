import type { Draw } from './draw.ts';
import type { Ask, Exit, Target, Terms } from './types.ts';

/** Returns a random order, sometimes with an invalid value. */
export function randomAsk(
  draw: Draw,
  symbol: string,
  isNamed: boolean,
  price: (spread: number) => number,
  grid: number,
  terms: Terms,
): Ask {
  const action = draw.one(['buy', 'buy', 'buy', 'sell', 'sell', 'sell', 'close', 'target'] as const);
  const type =
    action === 'close' || action === 'target'
      ? action === 'close'
        ? draw.one([
            'market',
            'market',
            'market_on_open',
            'market_on_close',
            'limit',
            'stop',
            'trailing_stop',
            'limit_on_close',
          ] as const)
        : draw.one(['market', 'market', 'market', 'market_on_open', 'market_on_close'] as const)
      : draw.one([
          'market',
          'market',
          'limit',
          'limit',
          'stop',
          'stop',
          'stop_limit',
          'trailing_stop',
          'market_on_open',
          'market_on_close',
          'market_if_touched',
          'limit_if_touched',
          'trailing_stop_limit',
          'limit_on_open',
          'limit_on_close',
        ] as const);
  const isForOne = type === 'limit_on_open' || type === 'limit_on_close';
  return {
    action,
    ...(isNamed || draw.chance(0.2) ? { symbol: draw.chance(0.01) ? 'ZZZ' : symbol } : {}),
    ...(type === 'market' && draw.chance(0.5) ? {} : { type }),
    ...amountOf(draw, action, terms),
    ...pricesOf(draw, type, price, grid),
    ...(isForOne ? {} : timeOf(draw, type)),
    ...(action !== 'close' && action !== 'target' ? exitsOf(draw, action, price, grid) : {}),
    ...(action !== 'close' && action !== 'target' && draw.chance(0.06) ? { reduceOnly: true } : {}),
    ...(type === 'limit' && draw.chance(0.2) ? { postOnly: true } : {}),
    ...(draw.chance(0.12) ? { group: draw.one(['g', 'h']) } : {}),
    ...(draw.chance(0.1) ? { reason: 'because' } : {}),
  };
}

function amountOf(draw: Draw, action: Ask['action'], terms: Terms): Partial<Ask> {
  const lot = terms.lot ?? 1;
  if (action === 'close') return {};
  if (action === 'target') {
    return draw.one<Partial<Ask>>([
      { targetQuantity: draw.whole(-6, 6) * lot },
      { targetQuantity: draw.whole(0, 6) * lot },
      { targetFraction: draw.one([-0.5, 0, 0.25, 0.5, 0.9, 1]) },
    ]);
  }
  if (action === 'buy' && draw.chance(0.05)) return { quantity: draw.one([-3, 0, 0.3 * lot, 1.7 * lot]) };
  const plain = { quantity: draw.whole(1, draw.one([3, 10, 40])) * lot };
  return draw.one<Partial<Ask>>([
    plain,
    plain,
    plain,
    { notional: draw.one([150, 999, 2500.75]) },
    { equityFraction: draw.one([0.1, 0.5, 0.99, 1, 1]) },
  ]);
}

function pricesOf(
  draw: Draw,
  type: Ask['type'],
  price: (spread: number) => number,
  grid: number,
): Partial<Ask> {
  switch (type) {
    case 'limit':
    case 'limit_on_open':
    case 'limit_on_close':
      return { limitPrice: price(5) };
    case 'stop':
    case 'market_if_touched':
      return { stopPrice: price(5) };
    case 'stop_limit':
    case 'limit_if_touched':
      return { stopPrice: price(4), limitPrice: price(5) };
    case 'trailing_stop':
    case 'trailing_stop_limit':
      return {
        ...(draw.chance(0.5)
          ? { trailAmount: Number((grid * draw.whole(1, 5)).toFixed(6)) }
          : { trailFraction: draw.one([0.01, 0.03, 0.1]) }),
        ...(draw.chance(0.4) ? { activationPrice: price(6) } : {}),
        ...(type === 'trailing_stop_limit'
          ? { limitOffset: Number((grid * draw.one([0, 0.5, 1, 2, 4])).toFixed(6)) }
          : {}),
      };
    default:
      return {};
  }
}

function timeOf(draw: Draw, type: Ask['type']): Partial<Ask> {
  if (draw.chance(0.6)) return {};
  if (draw.chance(0.35)) return { validBars: draw.whole(1, 4) };
  const timeInForce = draw.one([
    'GTC',
    'DAY',
    'GTD',
    ...(type === 'market_on_close' ? [] : ['IOC', 'FOK']),
  ] as const);
  return timeInForce === 'GTD'
    ? { timeInForce, goodTill: `2024-01-${String(draw.whole(4, 14)).padStart(2, '0')}` }
    : ({ timeInForce } as Partial<Ask>);
}

function exitsOf(
  draw: Draw,
  action: 'buy' | 'sell',
  price: (spread: number) => number,
  grid: number,
): Partial<Ask> {
  if (draw.chance(0.6)) return {};
  const exit = (): Exit =>
    draw.one<Exit>([
      { distance: Number((grid * draw.whole(1, 4)).toFixed(6)) },
      { fraction: draw.one([0.01, 0.02, 0.05]) },
      { atr: draw.one([1, 2, 0.5]), length: draw.whole(1, 3) },
      action === 'buy' ? { price: price(6) } : price(6),
    ]);
  const level = (): Exclude<Exit, number | string> => {
    const drawn = exit();
    return typeof drawn === 'object' ? drawn : { price: drawn };
  };
  const stop = (): Exit => {
    const drawn = level();
    return 'price' in drawn || draw.chance(0.6) ? drawn : { ...drawn, trail: true };
  };
  const targets = (): readonly Target[] => {
    const shares = draw.one([[0.5, undefined], [0.25, 0.5], [0.3, 0.3, undefined], [0.5, 0.5], [undefined]]);
    return shares.map((share) => ({ ...level(), ...(share === undefined ? {} : { share }) }));
  };
  return {
    ...(draw.chance(0.75) ? { stopLoss: stop() } : {}),
    ...(draw.chance(0.75) ? { takeProfit: draw.chance(0.35) ? targets() : exit() } : {}),
  };
}
