import { Draw } from './draw.ts';
import { randomAsk } from './random-ask.ts';
import { showsInterval, withExtras } from './random-extras.ts';
import type { Ask, Candle, Play, Step, Terms } from './types.ts';

const SYMBOLS = ['AAA', 'BBB', 'CCC'] as const;

/**
 * Returns a random test case. Prices are on a coarse grid, so that equal prices, touched prices and ties are
 * common.
 */
export function randomPlay(seed: number): Play {
  const draw = new Draw(seed);
  const length = draw.whole(4, 14);
  const symbols = SYMBOLS.slice(0, draw.one([1, 1, 1, 2, 2, 3]));
  const grid = draw.one([1, 1, 0.5, 0.25, 0.05]);
  const candles: Record<string, Candle[]> = {};
  for (const symbol of symbols) candles[symbol] = randomWalk(draw, length, grid, symbols.length > 1);
  fillHoles(candles, symbols, length);
  const terms = randomTerms(draw, grid);
  const steps: Step[] = [];
  const count = draw.whole(1, 9);
  for (let index = 0; index < count; index++)
    steps.push(randomStep(draw, index, length, symbols, candles, grid, terms));
  steps.sort((left, right) => left.bar - right.bar);
  const barMinutes = draw.one([1440, 1440, 480, 360]);
  if (terms.instruments?.AAA?.margin === undefined && draw.chance(0.15)) {
    const { instruments } = terms;
    const borrow = [
      { from: `2024-01-0${draw.whole(1, 4)}`, available: draw.chance(0.3) },
      { from: `2024-01-0${draw.whole(5, 9)}`, available: draw.chance(0.6) },
    ];
    return withExtras(
      {
        barMinutes,
        candles,
        terms: { ...terms, instruments: { ...instruments, AAA: { ...instruments?.AAA, borrow } } },
        steps,
      },
      draw,
      grid,
    );
  }
  return withExtras({ barMinutes, candles, terms, steps }, draw, grid);
}

/**
 * Fills gaps in the bars. Every instant needs a bar of at least one symbol. Most bars must be consecutive,
 * because the bar length is inferred from them.
 */
function fillHoles(candles: Record<string, Candle[]>, symbols: readonly string[], length: number): void {
  for (const symbol of symbols) candles[symbol]![length - 1] ??= [100, 101, 99, 100, 50];
  for (let bar = 0; bar < length; bar++) {
    if (symbols.every((symbol) => candles[symbol]![bar] === null))
      candles[symbols[0]!]![bar] = [100, 101, 99, 100, 50];
  }
  for (const symbol of symbols)
    if (!showsInterval(candles[symbol]!))
      candles[symbol] = candles[symbol]!.map((candle) => candle ?? [100, 101, 99, 100, 50]);
}

function randomWalk(draw: Draw, length: number, grid: number, mayMiss: boolean): Candle[] {
  const onGrid = (steps: number): number => Number((Math.max(steps, 4) * grid).toFixed(4));
  const reach = draw.one([1, 3, 6, 10]);
  const jumps = draw.chance(0.15);
  let last = Math.round(draw.one([20, 100, 100]) / grid);
  const lateStart = mayMiss && draw.chance(0.2) ? draw.whole(1, 3) : 0;
  return Array.from({ length }, (_, bar) => {
    const gap = jumps && draw.chance(0.3) ? Math.round(last * draw.one([-0.5, -0.2, 0.2, 0.5])) : 0;
    const open = gap + (draw.chance(0.5) ? last : last + draw.whole(-reach * 2, reach * 2));
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
    ...(draw.chance(0.3) ? { leverage: draw.one([2, 3, 10, 30]) } : {}),
    ...(draw.chance(0.3) ? { maintenanceMargin: draw.one([0.1, 0.25, 0.5, 0.9]) } : {}),
    ...(draw.chance(0.2) ? { allowShort: false } : {}),
    ...(draw.chance(0.2) ? { lot: draw.one([5, 0.5, 10]) } : {}),
    ...(draw.chance(0.3) ? { tick: grid } : {}),
    ...(draw.chance(0.1)
      ? { instruments: { AAA: { lot: 2, minimumNotional: draw.one([0, 150, 500]) } } }
      : draw.chance(0.25)
        ? { instruments: { AAA: randomContract(draw) } }
        : {}),
    ...(draw.chance(0.2) ? { limitNeedsThrough: true } : {}),
    ...(draw.chance(0.3) ? { participation: draw.one([0.1, 0.25, 0.5, 1]) } : {}),
    ...(draw.chance(0.5) ? randomCommission(draw) : {}),
    ...(draw.chance(0.4) ? randomSlippage(draw) : {}),
    ...(draw.chance(0.1) ? { fillOn: 'close' as const } : {}),
    ...(draw.chance(0.1) ? { resolve: 'best' as const } : {}),
    ...(draw.chance(0.1) ? { allowNegativeEquity: true } : {}),
    ...(draw.chance(0.15) ? { risk: randomRisk(draw) } : {}),
  };
}

/**
 * Returns random contract terms: a multiplier, alone or together with a separate leverage or with margins.
 */
function randomContract(draw: Draw): NonNullable<Terms['instruments']>[string] {
  const multiplier = draw.one([1, 2, 5, 0.5, 0.125]);
  if (draw.chance(0.25)) return { multiplier, leverage: draw.one([1, 2, 4, 6]) };
  if (draw.chance(0.4)) return { multiplier };
  const margin = draw.one([10, 25, 50, 120]);
  return {
    multiplier,
    margin,
    ...(draw.chance(0.5) ? { maintenanceMargin: draw.one([0, 5, 9.5, 10]) } : {}),
  };
}

function randomRisk(draw: Draw): NonNullable<Terms['risk']> {
  return {
    ...(draw.chance(0.4) ? { maxPosition: draw.one([0.1, 0.3, 0.8]) } : {}),
    ...(draw.chance(0.3) ? { maxGrossExposure: draw.one([0.3, 0.9, 1.5]) } : {}),
    ...(draw.chance(0.3) ? { maxNetExposure: draw.one([0.2, 0.5]) } : {}),
    ...(draw.chance(0.2) ? { maxOpenPositions: draw.one([1, 2]) } : {}),
    ...(draw.chance(0.2) ? { maxOrderNotional: draw.one([500, 2000]) } : {}),
    ...(draw.chance(0.1) ? { noShort: true } : {}),
    ...(draw.chance(0.3) ? { maxDailyLoss: draw.one([0.003, 0.02]) } : {}),
    ...(draw.chance(0.3) ? { maxDrawdown: draw.one([0.005, 0.05]), flattenOnHalt: draw.chance(0.5) } : {}),
    ...(draw.chance(0.3) ? { cooldownBars: draw.one([1, 3]) } : {}),
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
