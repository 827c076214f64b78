import { EXACT_ZERO, Exact } from '../kernel/index.ts';
import type { BrokerSettings, CommissionSettings } from './settings.ts';

/** What a commission model is told of a fill. */
interface CommissionInput {
  readonly symbol: string;
  readonly quantity: Exact;
  readonly price: Exact;
  /** Whether it rested in the book and was filled at its limit; a taker otherwise. */
  readonly maker: boolean;
  /** Notional traded in the run before this fill. */
  readonly tradedBefore: number;
}

/** A commission model. */
export interface CommissionModel {
  commission(fill: CommissionInput): Exact;
  /** A rate that no fill's commission exceeds beside fixed parts: lets a quantity be found at once. */
  readonly rate: number | undefined;
}

/** The model a run's settings choose. */
export function commissionModel(settings: BrokerSettings): CommissionModel {
  return modelOf(settings.commission ?? { model: 'rate', rate: settings.commissionRate });
}

function modelOf(settings: CommissionSettings): CommissionModel {
  switch (settings.model) {
    case 'rate': {
      const rate = Exact.of(settings.rate);
      const free = rate.isZero();
      return {
        rate: settings.rate,
        commission: ({ quantity, price }) => (free ? EXACT_ZERO : quantity.times(price).times(rate)),
      };
    }
    case 'fixed': {
      const amount = Exact.of(settings.amount);
      return { rate: undefined, commission: () => amount };
    }
    case 'per-share': {
      const perShare = Exact.of(settings.perShare);
      const minimum = Exact.of(settings.minimum);
      const most = settings.maximumRate === undefined ? undefined : Exact.of(settings.maximumRate);
      return {
        rate: undefined,
        commission({ quantity, price }) {
          const charged = Exact.max(quantity.times(perShare), minimum);
          return most === undefined ? charged : Exact.min(charged, quantity.times(price).times(most));
        },
      };
    }
    case 'tiered': {
      const tiers = settings.tiers.map(({ from, rate }) => ({ from, rate: Exact.of(rate) }));
      return {
        rate: undefined,
        commission({ quantity, price, tradedBefore }) {
          const tier = tiers.findLast(({ from }) => tradedBefore >= from) ?? tiers[0]!;
          return quantity.times(price).times(tier.rate);
        },
      };
    }
    case 'maker-taker': {
      const maker = Exact.of(settings.maker);
      const taker = Exact.of(settings.taker);
      return {
        rate: undefined,
        commission: ({ quantity, price, maker: rested }) =>
          quantity.times(price).times(rested ? maker : taker),
      };
    }
  }
}
