import type { RunEvent, RunSettingsInput } from '../../src/engine/index.ts';
import { runBacktest } from '../../src/engine/index.ts';
import { barSeries, createMarket } from '../../src/market/index.ts';
import { commissionOf, fillPrice } from './costs.ts';
import { Draw } from './draw.ts';
import { larger, Rational, ZERO } from './rational.ts';
import type { Side, Terms } from './types.ts';

/**
 * Test case for the size of an order: an order for a fraction of the equity, with prices and lots from tiny
 * to very large.
 */
export interface SizingCase {
  readonly price: number;
  readonly side: Side;
  readonly fraction: number;
  readonly terms: Terms & { readonly lot: number; readonly leverage: number };
}

const power = (draw: Draw, least: number, most: number): number =>
  Number(`${draw.whole(1, 99_999)}e${draw.whole(least, most) - 4}`);

export function randomSizing(seed: number): SizingCase {
  const draw = new Draw(seed);
  const leverage = draw.one([1, 1, 1, 2, 3, 7.5, 100]);
  const lot = draw.chance(0.5) ? Number(`1e${draw.whole(-12, 6)}`) : power(draw, -11, 5);
  const notional = Number(`1e${draw.whole(-1, 4)}`);
  return {
    price: Math.max(power(draw, -8, 8), 1e-8),
    side: draw.one(['buy', 'buy', 'sell']),
    fraction: Math.min(draw.one([1, 1, 0.5, 0.999999, leverage]), leverage),
    terms: {
      cash: String(Rational.of(power(draw, 0, 11))),
      lot,
      leverage,
      maintenanceMargin: 0,
      commission: draw.one<NonNullable<Terms['commission']>>([
        { model: 'rate', rate: 0 },
        { model: 'rate', rate: draw.one([0.001, 0.0000125, 0.3, 0.99]) },
        { model: 'fixed', amount: draw.one([1.5, 1e-9, notional]) },
        { model: 'per-share', perShare: power(draw, -9, 1), minimum: draw.one([0, notional]) },
        { model: 'per-share', perShare: power(draw, -9, 1), minimum: notional, maximumRate: 0.01 },
        {
          model: 'tiered',
          tiers: [
            { from: 0, rate: 0.01 },
            { from: 1500, rate: 0.005 },
          ],
        },
        { model: 'maker-taker', maker: 0.0001, taker: 0.0007 },
      ]),
      ...(draw.chance(0.3) ? { slippageBps: draw.one([1, 33, 500]) } : {}),
    },
  };
}

/**
 * Returns the largest number of lots that satisfies a condition. The condition must be true for all smaller
 * numbers.
 */
function largestCount(most: bigint, satisfies: (count: bigint) => boolean): bigint {
  let [least, beyond] = [0n, most + 1n];
  while (beyond - least > 1n) {
    const middle = (least + beyond) / 2n;
    if (satisfies(middle)) least = middle;
    else beyond = middle;
  }
  return least;
}

const NOTHING = { billed: ZERO, value: ZERO, charged: ZERO };

/**
 * Returns the largest quantity in whole lots that is within the requested fraction of the equity, and whose
 * margin and commission buying power covers.
 */
function largestQuantity({ price, side, fraction, terms }: SizingCase): Rational {
  const [open, cash, lot] = [Rational.of(price), Rational.of(terms.cash), Rational.of(terms.lot)];
  const bar = {
    open,
    high: open.times(Rational.of(2)),
    low: open.over(Rational.of(2)),
    close: open,
    volume: open,
  };
  const rule = { price: open, isLimit: false, isMaker: false };
  const paid = fillPrice(rule, side, bar, terms, undefined);
  const wanted = Rational.of(fraction).times(cash).over(paid).downTo(lot);
  const count = largestCount(larger(wanted, ZERO).over(lot).numerator, (lots) => {
    const quantity = lot.times(new Rational(lots));
    const fee = commissionOf(quantity, paid, false, NOTHING, ZERO, terms);
    return !quantity.times(paid).over(Rational.of(terms.leverage)).plus(fee).isAbove(cash);
  });
  return lot.times(new Rational(count));
}

/**
 * Returns the fault of the size that the broker chose. `undefined` if the size is the largest possible one,
 * or at most one lot smaller.
 */
export async function sizingFault(given: SizingCase): Promise<string | undefined> {
  const { price, side, fraction, terms } = given;
  const day = (bar: number): number => Date.UTC(2024, 0, 1 + bar);
  const bars = [0, 1].map((bar) => ({
    time: day(bar),
    open: price,
    high: price * 2,
    low: price / 2,
    close: price,
    volume: 1,
  }));
  const events: RunEvent[] = [];
  const result = await runBacktest({
    market: createMarket([barSeries('AAA', bars)]),
    decider: {
      decide({ bar, orders }) {
        if (bar === 0) orders.submit({ action: side, equityFraction: fraction });
      },
    },
    settings: terms as RunSettingsInput,
    onEvent: (event) => events.push(event),
  });
  if (result.error !== undefined) return `threw ${String(result.error)}`;
  const largest = largestQuantity(given);
  const filled = events.find((event) => event.type === 'order_filled');
  const refused = events.find((event) => event.type === 'order_rejected');
  const quantity = Rational.of(filled?.quantity ?? 0);
  const report = `${JSON.stringify(given)}: ${filled?.quantity ?? refused?.code ?? 'nothing'}, the largest is ${largest}`;
  if (quantity.isAbove(largest)) return `beyond buying power: ${report}`;
  if (largest.minus(quantity).isAbove(Rational.of(terms.lot))) return `more than a lot short: ${report}`;
  return undefined;
}
