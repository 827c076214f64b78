import { type Contract, inMoney } from '../account/index.ts';
import { EXACT_ONE, EXACT_ZERO, Exact } from '../kernel/index.ts';
import type { CommissionSettings } from './cost-schema.ts';
import type { BrokerSettings } from './settings.ts';

/** What an order has filled and has been charged, in the symbol's money: a model prices orders, not fills. */
export interface FeesSoFar {
  /** Units, as they were traded: a split in between leaves them. */
  readonly quantity: Exact;
  readonly notional: Exact;
  readonly charged: Exact;
  /** Notional traded in the run before the order's first fill, in account currency. */
  readonly tradedBefore: number;
}

/** The order that a fill belongs to, as far as its fee may depend on it. */
export interface ChargedOrder {
  readonly id: number;
  readonly type: string;
  readonly reason: string | undefined;
}

/** What a commission model is given of a fill. */
interface CommissionInput {
  /** The instrument, by its name and what a unit of it stands for. */
  readonly instrument: Contract & { readonly symbol: string };
  readonly quantity: Exact;
  readonly price: Exact;
  /** Whether it rested in the book and was filled at its limit; a taker otherwise. */
  readonly maker: boolean;
  /** Notional traded in the run before this fill. */
  readonly tradedBefore: number;
  /** What its order did before; `tradedBefore` there is that of the order. */
  readonly before: FeesSoFar;
  /** Undefined while an order is only asked for. */
  readonly order: ChargedOrder | undefined;
}

/** A commission model. */
export interface CommissionModel {
  /** What a fill is charged: the fee of what its order has filled with it, less what the order was charged before. */
  commission(fill: CommissionInput): Exact;
  /** Where a fill of a taker is charged a share of its notional and nothing else, that share: lets a size be found at once. */
  takerRate(before: FeesSoFar): Exact | undefined;
}

/** The model a run's settings choose. */
export function commissionModel(settings: BrokerSettings): CommissionModel {
  return commissionOf(settings.commission ?? { model: 'rate', rate: settings.commissionRate });
}

/** A model by its settings. */
export function commissionOf(settings: CommissionSettings): CommissionModel {
  switch (settings.model) {
    case 'rate': {
      const rate = Exact.of(settings.rate);
      const free = rate.isZero();
      return {
        takerRate: () => rate,
        commission: (fill) => (free ? EXACT_ZERO : notionalOf(fill).times(rate)),
      };
    }
    case 'fixed': {
      const amount = Exact.of(settings.amount);
      return { takerRate: () => undefined, commission: ({ before }) => amount.minus(before.charged) };
    }
    case 'per-share': {
      const perShare = Exact.of(settings.perShare);
      const minimum = Exact.of(settings.minimum);
      const most = settings.maximumRate === undefined ? undefined : Exact.of(settings.maximumRate);
      return {
        takerRate: () => undefined,
        commission(fill) {
          const { quantity, before } = fill;
          const fee = Exact.max(before.quantity.plus(quantity).times(perShare), minimum);
          if (most === undefined) return fee.minus(before.charged);
          const notional = before.notional.plus(notionalOf(fill));
          return Exact.min(fee, notional.times(most)).minus(before.charged);
        },
      };
    }
    case 'tiered': {
      const tiers = settings.tiers.map(({ from, rate }) => ({ from, rate: Exact.of(rate) }));
      const rateOf = ({ tradedBefore }: FeesSoFar): Exact =>
        (tiers.findLast(({ from }) => tradedBefore >= from) ?? tiers[0]!).rate;
      return {
        takerRate: rateOf,
        commission: (fill) => notionalOf(fill).times(rateOf(fill.before)),
      };
    }
    case 'maker-taker': {
      const maker = Exact.of(settings.maker);
      const taker = Exact.of(settings.taker);
      return {
        takerRate: () => taker,
        commission: (fill) => notionalOf(fill).times(fill.maker ? maker : taker),
      };
    }
  }
}

function notionalOf({ quantity, price, instrument }: CommissionInput): Exact {
  return inMoney(quantity.times(price), instrument);
}

/** What a unit of notional takes of a budget in margin and commission, times the leverage. */
export function loadOf(rate: Exact, leverage: Exact): Exact {
  return rate.isZero() ? EXACT_ONE : EXACT_ONE.plus(rate.times(leverage));
}
