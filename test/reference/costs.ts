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

/**
 * Commission of one fill.
 *
 * @param tradedBefore notional of every fill of the run before this one, for tiers
 */
export function commissionOf(
  quantity: Rational,
  price: Rational,
  isMaker: boolean,
  tradedBefore: Rational,
  terms: Terms,
): Rational {
  const notional = quantity.times(price);
  const model = terms.commission ?? { model: 'rate', rate: terms.commissionRate ?? 0 };
  if (quantity.isZero()) return ZERO;
  switch (model.model) {
    case 'rate':
      return notional.times(Rational.of(model.rate));
    case 'fixed':
      return Rational.of(model.amount);
    case 'per-share': {
      const plain = larger(Rational.of(model.perShare).times(quantity), Rational.of(model.minimum ?? 0));
      const most = notional.times(model.maximumRate === undefined ? ONE : Rational.of(model.maximumRate));
      return model.maximumRate === undefined ? plain : smaller(plain, most);
    }
    case 'tiered': {
      const reached = model.tiers.filter((tier) => !Rational.of(tier.from).isAbove(tradedBefore));
      return notional.times(Rational.of(reached.at(-1)?.rate ?? 0));
    }
    case 'maker-taker':
      return notional.times(Rational.of(isMaker ? model.maker : model.taker));
  }
}
