import type { Ledger } from '../../account/index.ts';
import { EXACT_ZERO, type Exact } from '../../kernel/index.ts';
import type { Figure } from '../costs.ts';
import { marginInUse } from '../fill-account.ts';
import type { Instrument } from '../instruments.ts';
import type { MarginSum } from '../margin.ts';
import { type Exposure, exposureOf } from '../risk-caps.ts';

/** What an order in reach of its bar would claim of the buying power, were it filled as the account stood at the snapshot. */
export interface Wanted {
  readonly id: number;
  readonly symbol: number;
  /** Of a group only one fills: its members share the largest of their claims. */
  readonly group: string | undefined;
  /** In account currency; nothing for what only reduces. */
  readonly amount: Exact;
}

/**
 * The buying power inside a bar: the account after the fills at the open, valued at the open.
 *
 * Orders claim it and give nothing back before the next bar. Symbols are decided one after the other; one that is decided
 * has claimed what its booked outcome opened, and for one that is not, older orders of it are allowed for.
 */
export class Snapshot {
  readonly equity: Figure;
  readonly marginInUse: MarginSum;
  readonly #units: Float64Array;
  readonly #ledger: Ledger;
  readonly #wanted: readonly Wanted[];
  readonly #decided = new Set<number>();
  #claimed = EXACT_ZERO;

  /** @param wanted oldest first; needed only where several symbols have orders in reach */
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

  /** What a symbol has claimed in the outcome that was booked for it. */
  decide(symbol: number, claimed: Exact): void {
    this.#decided.add(symbol);
    this.#claimed = this.#claimed.plus(claimed);
    // What exits gave back stays in use until the next bar.
    const units = this.#ledger.unitsAt(symbol);
    if (Math.abs(units) > Math.abs(this.#units[symbol]!)) this.#units[symbol] = units;
  }

  /** What other symbols have claimed, or may claim by orders older than `id`. */
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

  /** The positions of all symbols, that of the symbol itself with the units it has on a path. */
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
