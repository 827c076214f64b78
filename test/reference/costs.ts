import { larger, ONE, Rational, smaller, ZERO } from './rational.ts';
import type { Bar, Terms } from './types.ts';

const TEN_THOUSAND = Rational.of(10_000);

/** A market or stop price after slippage, rounded to the tick against the trader, never outside of the bar. */
export function slipped(
  rulePrice: Rational,
  side: 'buy' | 'sell',
  bar: Bar,
  terms: Terms,
  tick: Rational | undefined,
): Rational {
  const distance = slippageDistance(rulePrice, terms);
  const moved = side === 'buy' ? rulePrice.plus(distance) : rulePrice.minus(distance);
  const rounded = tick === undefined ? moved : side === 'buy' ? moved.upTo(tick) : moved.downTo(tick);
  return side === 'buy'
    ? smaller(rounded, larger(bar.high, rulePrice))
    : larger(rounded, smaller(bar.low, rulePrice));
}

function slippageDistance(price: Rational, terms: Terms): Rational {
  const model = terms.slippage ?? { model: 'bps', bps: terms.slippageBps ?? 0 };
  if (model.model === 'fixed') return Rational.of(model.amount);
  const bps = Rational.of(model.bps).over(TEN_THOUSAND);
  return price.times(model.model === 'spread' ? bps.over(Rational.of(2)) : bps);
}

/** What an order has filled and was charged before a fill. */
export interface SoFar {
  readonly filled: Rational;
  readonly value: Rational;
  readonly charged: Rational;
  /** Notional of the run before its first fill. */
  readonly tradedBefore: Rational;
}

/**
 * Commission of one fill: the fee of what its order has filled with it, less what the order was charged.
 *
 * @param tradedBefore notional of every fill of the run before this one, for tiers
 */
export function commissionOf(
  quantity: Rational,
  price: Rational,
  isMaker: boolean,
  tradedBefore: Rational,
  terms: Terms,
  soFar: SoFar = { filled: ZERO, value: ZERO, charged: ZERO, tradedBefore },
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
      const units = soFar.filled.plus(quantity);
      const plain = larger(Rational.of(model.perShare).times(units), Rational.of(model.minimum ?? 0));
      const most = soFar.value
        .plus(notional)
        .times(model.maximumRate === undefined ? ONE : Rational.of(model.maximumRate));
      return (model.maximumRate === undefined ? plain : smaller(plain, most)).minus(soFar.charged);
    }
    case 'tiered': {
      const reached = model.tiers.filter((tier) => !Rational.of(tier.from).isAbove(soFar.tradedBefore));
      return notional.times(Rational.of(reached.at(-1)?.rate ?? 0));
    }
    case 'maker-taker':
      return notional.times(Rational.of(isMaker ? model.maker : model.taker));
  }
}
