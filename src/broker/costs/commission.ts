import { EXACT_ONE, EXACT_ZERO, Exact } from '../../kernel/index.ts';
import { type Contract, inMoney } from '../account/index.ts';
import type { BrokerSettings } from '../settings/settings.ts';
import type { CommissionSettings } from './cost-schema.ts';

/**
 * Fills of an order so far and the commission charged, in the symbol's currency. Needed because a commission
 * model prices whole orders.
 */
export interface FeesSoFar {
  /** Units as traded. A later split does not change them. */
  readonly quantity: Exact;
  readonly notional: Exact;
  readonly charged: Exact;
  /** Notional traded in the run before the order's first fill, in account currency. */
  readonly tradedBefore: number;
}

/** Properties of a fill's order that its commission may depend on. */
export interface ChargedOrder {
  readonly id: number;
  readonly type: string;
  readonly reason: string | undefined;
}

/** Inputs of a commission model for one fill. */
interface CommissionInput {
  /** The instrument: symbol and contract. */
  readonly instrument: Contract & { readonly symbol: string };
  readonly quantity: Exact;
  readonly price: Exact;
  /** True if the order rested in the book and was filled at its limit. False for a taker. */
  readonly maker: boolean;
  /** Notional traded in the run before this fill. */
  readonly tradedBefore: number;
  /** Earlier fills of the order. Its `tradedBefore` is the value before the order's first fill. */
  readonly before: FeesSoFar;
  /** `undefined` before an order is accepted. */
  readonly order: ChargedOrder | undefined;
}

/** A commission model. */
export interface CommissionModel {
  /**
   * Returns the commission of a fill: the commission of all fills of its order so far, minus what was already
   * charged.
   */
  commission(fill: CommissionInput): Exact;
  /**
   * Returns the rate if the commission of a taker's fill is only a share of its notional. The size of an
   * order can then be computed directly. Otherwise `undefined`.
   */
  takerRate(before: FeesSoFar): Exact | undefined;
}

/** Returns the commission model that a run's settings select. */
export function commissionModel(settings: BrokerSettings): CommissionModel {
  return commissionOf(settings.commission ?? { model: 'rate', rate: settings.commissionRate });
}

/** Returns a commission model by its settings. */
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

/** Returns the budget in margin and commission that a unit of notional needs, multiplied by the leverage. */
export function loadOf(rate: Exact, leverage: Exact): Exact {
  return rate.isZero() ? EXACT_ONE : EXACT_ONE.plus(rate.times(leverage));
}
