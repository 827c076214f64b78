import { Draw } from './draw.ts';
import type { Ask, Candle, Exit, Play, Step, Terms } from './types.ts';

const SYMBOLS = ['AAA', 'BBB', 'CCC'] as const;

/** Draws plays: small markets on a coarse grid of prices, so that equal prices, touches and ties are common. */
export function randomPlay(seed: number): Play {
  const draw = new Draw(seed);
  const length = draw.whole(4, 14);
  const symbols = SYMBOLS.slice(0, draw.one([1, 1, 1, 2, 2, 3]));
  const grid = draw.one([1, 1, 0.5, 0.25, 0.05]);
  const candles: Record<string, Candle[]> = {};
  for (const symbol of symbols) candles[symbol] = walk(draw, length, grid, symbols.length > 1);
  fillHoles(candles, symbols, length);
  const terms = randomTerms(draw, grid);
  const steps: Step[] = [];
  const count = draw.whole(1, 9);
  for (let index = 0; index < count; index++)
    steps.push(randomStep(draw, index, length, symbols, candles, grid, terms));
  steps.sort((left, right) => left.bar - right.bar);
  return { barMinutes: draw.one([1440, 1440, 480, 360]), candles, terms, steps };
}

/** No instant without any bar: the clock would not know it. */
function fillHoles(candles: Record<string, Candle[]>, symbols: readonly string[], length: number): void {
  for (const symbol of symbols) candles[symbol]![length - 1] ??= [100, 101, 99, 100, 50];
  for (let bar = 0; bar < length; bar++) {
    if (symbols.every((symbol) => candles[symbol]![bar] === null))
      candles[symbols[0]!]![bar] = [100, 101, 99, 100, 50];
  }
}

function walk(draw: Draw, length: number, grid: number, mayMiss: boolean): Candle[] {
  const onGrid = (steps: number): number => Number((Math.max(steps, 4) * grid).toFixed(4));
  const reach = draw.one([1, 3, 6]);
  let last = Math.round(draw.one([20, 100, 100]) / grid);
  const lateStart = mayMiss && draw.chance(0.2) ? draw.whole(1, 3) : 0;
  return Array.from({ length }, (_, bar) => {
    const open = draw.chance(0.5) ? last : last + draw.whole(-reach * 2, reach * 2);
    const isDoji = draw.chance(0.15);
    const close = isDoji ? open : open + draw.whole(-reach, reach);
    const high = Math.max(open, close) + (isDoji && draw.chance(0.5) ? 0 : draw.whole(0, reach));
    const low = Math.min(open, close) - (isDoji && draw.chance(0.5) ? 0 : draw.whole(0, reach));
    if (bar < lateStart || (mayMiss && draw.chance(0.15))) return null;
    last = close;
    const volume = draw.chance(0.08) ? 0 : draw.one([7, 20, 50, 1000]);
    const [o, h, l, c] = [onGrid(open), onGrid(high), onGrid(low), onGrid(close)];
    return [o, Math.max(o, h, c), Math.min(o, l, c), c, volume];
  });
}

function randomTerms(draw: Draw, grid: number): Terms {
  return {
    cash: draw.one(['10000', '10000', '2500.50', '300', '1000000']),
    ...(draw.chance(0.3) ? { leverage: draw.one([2, 3, 10]) } : {}),
    ...(draw.chance(0.3) ? { maintenanceMargin: draw.one([0.1, 0.25, 0.5, 0.9]) } : {}),
    ...(draw.chance(0.2) ? { allowShort: false } : {}),
    ...(draw.chance(0.2) ? { lot: draw.one([5, 0.5, 10]) } : {}),
    ...(draw.chance(0.3) ? { tick: grid } : {}),
    ...(draw.chance(0.1)
      ? { instruments: { AAA: { lot: 2, minimumNotional: draw.one([0, 150, 500]) } } }
      : {}),
    ...(draw.chance(0.2) ? { limitNeedsThrough: true } : {}),
    ...(draw.chance(0.3) ? { participation: draw.one([0.1, 0.25, 0.5, 1]) } : {}),
    ...(draw.chance(0.5) ? randomCommission(draw) : {}),
    ...(draw.chance(0.4) ? randomSlippage(draw) : {}),
  };
}

function randomCommission(draw: Draw): Partial<Terms> {
  return draw.one<Partial<Terms>>([
    { commissionRate: 0.001 },
    { commissionRate: 0.0123 },
    { commission: { model: 'rate', rate: 0.002 } },
    { commission: { model: 'fixed', amount: 1.5 } },
    { commission: { model: 'per-share', perShare: 0.05, minimum: 1 } },
    { commission: { model: 'per-share', perShare: 0.05, minimum: 4, maximumRate: 0.01 } },
    {
      commission: {
        model: 'tiered',
        tiers: [
          { from: 0, rate: 0.01 },
          { from: 1500, rate: 0.005 },
        ],
      },
    },
    { commission: { model: 'maker-taker', maker: 0.001, taker: 0.003 } },
  ]);
}

function randomSlippage(draw: Draw): Partial<Terms> {
  return draw.one<Partial<Terms>>([
    { slippageBps: 5 },
    { slippageBps: 200 },
    { slippage: { model: 'bps', bps: 33 } },
    { slippage: { model: 'spread', bps: 50 } },
    { slippage: { model: 'fixed', amount: 0.3 } },
    { slippage: { model: 'fixed', amount: 5 } },
  ]);
}

function randomStep(
  draw: Draw,
  index: number,
  length: number,
  symbols: readonly string[],
  candles: Readonly<Record<string, readonly Candle[]>>,
  grid: number,
  terms: Terms,
): Step {
  const bar = draw.whole(0, length - (draw.chance(0.1) ? 1 : 2));
  const name = String.fromCharCode(65 + index);
  const other = String.fromCharCode(65 + draw.whole(0, Math.max(0, index - 1)));
  if (index > 0 && draw.chance(0.08)) return { bar, cancel: other };
  const symbol = draw.one(symbols);
  const near = lastClose(candles[symbol]!, bar) ?? 100;
  const price = (spread: number): number =>
    Number(
      Math.max(grid, near + draw.whole(-spread, spread) * grid * (draw.chance(0.15) ? 0.7 : 1)).toFixed(6),
    );
  if (index > 0 && draw.chance(0.06)) {
    const changes = draw.one<Partial<Ask>>([
      { limitPrice: price(4) },
      { stopPrice: price(4) },
      { quantity: draw.whole(1, 30) },
    ]);
    return { bar, replace: other, changes };
  }
  return { bar, name, submit: randomAsk(draw, symbol, symbols.length > 1, price, grid, terms) };
}

function lastClose(candles: readonly Candle[], bar: number): number | undefined {
  return candles.slice(0, bar + 1).findLast((candle) => candle !== null)?.[3];
}

function randomAsk(
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
        ? draw.one(['market', 'market', 'market_on_close', 'limit', 'stop', 'trailing_stop'] as const)
        : draw.one(['market', 'market', 'market', 'market_on_close'] as const)
      : draw.one([
          'market',
          'market',
          'limit',
          'limit',
          'stop',
          'stop',
          'stop_limit',
          'trailing_stop',
          'market_on_close',
        ] as const);
  return {
    action,
    ...(isNamed || draw.chance(0.2) ? { symbol: draw.chance(0.01) ? 'ZZZ' : symbol } : {}),
    ...(type === 'market' && draw.chance(0.5) ? {} : { type }),
    ...amountOf(draw, action, terms),
    ...pricesOf(draw, type, price, grid),
    ...timeOf(draw, type),
    ...(action !== 'close' && action !== 'target' ? exitsOf(draw, action, price, grid) : {}),
    ...(action !== 'close' && action !== 'target' && draw.chance(0.06) ? { reduceOnly: true } : {}),
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
      return { limitPrice: price(5) };
    case 'stop':
      return { stopPrice: price(5) };
    case 'stop_limit':
      return { stopPrice: price(4), limitPrice: price(5) };
    case 'trailing_stop':
      return draw.chance(0.5)
        ? { trailAmount: Number((grid * draw.whole(1, 5)).toFixed(6)) }
        : { trailFraction: draw.one([0.01, 0.03, 0.1]) };
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
  return {
    ...(draw.chance(0.75) ? { stopLoss: exit() } : {}),
    ...(draw.chance(0.75) ? { takeProfit: exit() } : {}),
  };
}
