import { EXACT_ZERO, type Exact } from '../../kernel/index.ts';
import type { Ledger } from '../account/index.ts';
import type { Figure } from '../costs/costs.ts';
import { type MarginSum, marginInUse } from '../fills/margin.ts';
import type { Instrument } from '../settings/instruments.ts';
import { type Exposure, exposureOf } from '../settings/risk-caps.ts';

/**
 * Buying power that an order would need if it filled at the time of the snapshot. Only for orders that the
 * current bar may fill.
 */
export interface Wanted {
  readonly id: number;
  readonly symbol: number;
  /**
   * One-cancels-other group. Only one order of a group can fill, so the group needs the buying power of its
   * largest order.
   */
  readonly group: string | undefined;
  /** Buying power in account currency. Zero for orders that only reduce positions. */
  readonly amount: Exact;
}

/**
 * Computes buying power while orders are matched with the prices between a bar's open and its close. Based on
 * the account after the fills at the open, with positions valued at the open.
 *
 * Exits within the bar do not free buying power before the next bar. Symbols are matched one after the other.
 * A matched symbol uses the buying power of the units that its fills opened. For symbols that are not matched
 * yet, buying power is reserved for orders that are older than the checked order.
 */
export class Snapshot {
  readonly equity: Figure;
  readonly marginInUse: MarginSum;
  readonly #units: Float64Array;
  readonly #ledger: Ledger;
  readonly #wanted: readonly Wanted[];
  readonly #decided = new Set<number>();
  #claimed = EXACT_ZERO;

  /**
   * @param wanted returns the orders that the bar may fill, oldest first. May return an empty list if all
   *   such orders are of one symbol
   */
  constructor(
    ledger: Ledger,
    instruments: readonly Instrument[],
    leverage: number,
    wanted: (equity: Snapshot) => readonly Wanted[],
  ) {
    const equity = ledger.exactEquity;
    this.equity = { number: ledger.equityNumber, exact: () => equity };
    this.marginInUse = marginInUse(ledger, instruments, leverage);
    this.#ledger = ledger;
    this.#units = Float64Array.from(instruments, (_, symbol) => ledger.unitsAt(symbol));
    this.#wanted = wanted(this);
  }

  /** Records the buying power that the fills of a matched symbol use. */
  decide(symbol: number, claimed: Exact): void {
    this.#decided.add(symbol);
    this.#claimed = this.#claimed.plus(claimed);
    // A smaller position does not free buying power before the next bar, so only a larger position is
    // recorded.
    const units = this.#ledger.unitsAt(symbol);
    if (Math.abs(units) > Math.abs(this.#units[symbol]!)) this.#units[symbol] = units;
  }

  /**
   * Returns the buying power that is not available to order `id`: the amount that fills of matched symbols
   * use in this bar, plus the amount reserved for older orders of unmatched symbols.
   */
  claimedByOthers(symbol: number, id: number): Exact {
    let total = this.#claimed;
    let largestOfGroup: Map<string, Exact> | undefined;
    for (const { id: older, symbol: other, group, amount } of this.#wanted) {
      if (older >= id || other === symbol || this.#decided.has(other)) continue;
      if (group === undefined) {
        total = total.plus(amount);
        continue;
      }
      largestOfGroup ??= new Map();
      const before = largestOfGroup.get(group) ?? EXACT_ZERO;
      if (amount.compare(before) <= 0) continue;
      largestOfGroup.set(group, amount);
      total = total.plus(amount).minus(before);
    }
    return total;
  }

  /** Returns the positions of all symbols, with `units` as the position of the given symbol. */
  exposure(symbol: number, units: number): Exposure {
    const ledger = this.#ledger;
    return exposureOf(
      symbol,
      this.#units.length,
      (other) => (other === symbol ? units : this.#units[other]!),
      (other) => ledger.exposureNumberOf(other, 1),
    );
  }
}
