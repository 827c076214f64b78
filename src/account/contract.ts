import { EXACT_ONE, type Exact } from '../kernel/index.ts';

/** What a unit of a symbol stands for, and whether it is paid for. */
export interface Contract {
  /** Money for one point of price, in the instrument's currency: 50 for a contract on 50 times an index. */
  readonly multiplier: Exact;
  /** A margin is put up instead of the price: until it is closed, a position is worth its open profit. */
  readonly margined: boolean;
  /** That margin of a unit, in the instrument's currency. */
  readonly margin?: Exact;
}

/** A unit at its price, paid for. */
export const SHARE: Contract = { multiplier: EXACT_ONE, margined: false };

/** An amount of price as money in the instrument's currency. */
export function inMoney(amount: Exact, { multiplier }: Pick<Contract, 'multiplier'>): Exact {
  return multiplier === EXACT_ONE ? amount : amount.times(multiplier);
}
