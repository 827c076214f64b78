import type { RestingOrder } from './order.ts';
import type { RulePrice } from './prices.ts';
import { larger, ONE, Rational, smaller, ZERO } from './rational.ts';
import type { Bar, Side, Terms } from './types.ts';

const TEN_THOUSAND = Rational.of(10_000);

/**
 * Returns the price of a fill: with slippage, rounded to the tick, inside the bar's range and never worse
 * than a limit.
 */
export function fillPrice(
  rule: RulePrice,
  side: Side,
  bar: Bar,
  terms: Terms,
  tick: Rational | undefined,
): Rational {
  const distance = rule.isLimit ? ZERO : slippageDistance(rule.price, terms);
  const slipped = inBar(side === 'buy' ? rule.price.plus(distance) : rule.price.minus(distance), bar);
  const { bound } = rule;
  const price =
    bound === undefined ? slipped : side === 'buy' ? smaller(slipped, bound) : larger(slipped, bound);
  if (tick === undefined) return price;
  const against = side === 'buy' ? price.upTo(tick) : price.downTo(tick);
  if (inBar(against, bar).equals(against)) return against;
  const inside = side === 'buy' ? price.downTo(tick) : price.upTo(tick);
  return inBar(inside, bar).equals(inside) ? inside : price;
}

const inBar = (price: Rational, { low, high }: Bar): Rational => smaller(larger(price, low), high);

function slippageDistance(price: Rational, terms: Terms): Rational {
  const model = terms.slippage ?? { model: 'bps', bps: terms.slippageBps ?? 0 };
  if (model.model === 'fixed') return Rational.of(model.amount);
  const bps = Rational.of(model.bps).over(TEN_THOUSAND);
  return price.times(model.model === 'spread' ? bps.over(Rational.of(2)) : bps);
}

/**
 * State of an order before a fill: units filled, their value, the commission charged, and the notional of the
 * run before the order's first fill.
 */
export type SoFar = Pick<RestingOrder, 'billed' | 'value' | 'charged' | 'tradedBefore'>;

/**
 * Returns the commission of one fill: the fee for all units that the order has filled, including this fill,
 * minus the commission already charged.
 *
 * @param traded notional of all earlier fills of the run. It determines the commission tier at the order's
 *   first fill
 */
export function commissionOf(
  quantity: Rational,
  price: Rational,
  isMaker: boolean,
  soFar: SoFar,
  traded: Rational,
  terms: Terms,
): Rational {
  const notional = quantity.times(price);
  const model = terms.commission ?? { model: 'rate', rate: terms.commissionRate ?? 0 };
  if (quantity.isZero()) return ZERO;
  switch (model.model) {
    case 'rate':
      return notional.times(Rational.of(model.rate));
    case 'fixed':
      return Rational.of(model.amount).minus(soFar.charged);
    case 'per-share': {
      const units = soFar.billed.plus(quantity);
      const plain = larger(Rational.of(model.perShare).times(units), Rational.of(model.minimum ?? 0));
      const most = soFar.value
        .plus(notional)
        .times(model.maximumRate === undefined ? ONE : Rational.of(model.maximumRate));
      return (model.maximumRate === undefined ? plain : smaller(plain, most)).minus(soFar.charged);
    }
    case 'tiered': {
      const before = soFar.tradedBefore ?? traded;
      const reached = model.tiers.filter((tier) => !Rational.of(tier.from).isAbove(before));
      return notional.times(Rational.of(reached.at(-1)?.rate ?? 0));
    }
    case 'maker-taker':
      return notional.times(Rational.of(isMaker ? model.maker : model.taker));
  }
}
