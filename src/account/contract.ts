import { EXACT_ONE, type Exact } from '../kernel/index.ts';

/** Contract of a symbol: money value of one unit, and payment in full or by margin. */
export interface Contract {
  /** Money per point of price, in the instrument's currency. 50 for a contract on 50 times an index. */
  readonly multiplier: Exact;
  /** True if a margin is deposited instead of the price. The value of such a position is its open profit. */
  readonly margined: boolean;
  /** Margin per unit, in the instrument's currency. */
  readonly margin?: Exact;
}

/** Contract of a share: multiplier 1, paid in full. */
export const SHARE: Contract = { multiplier: EXACT_ONE, margined: false };

/** Converts an amount in price points to money in the instrument's currency. */
export function inMoney(amount: Exact, { multiplier }: Pick<Contract, 'multiplier'>): Exact {
  return multiplier === EXACT_ONE ? amount : amount.times(multiplier);
}
