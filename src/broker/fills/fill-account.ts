import { EXACT_ZERO, type Exact } from '../../kernel/index.ts';
import type { Ledger } from '../account/index.ts';
import type { Figure } from '../costs/costs.ts';
import type { Instrument } from '../settings/instruments.ts';
import { type Exposure, exposureOf } from '../settings/risk-caps.ts';
import { type MarginSum, marginInUse } from './margin.ts';

/**
 * Account for sizing and checking a fill. Either the ledger, or a copy of one symbol's position for
 * evaluating a possible price path.
 */
export interface FillAccount {
  /** Returns the signed units of a position. */
  quantity(symbol: number): Exact;
  /** Signed quantity as a float64. */
  unitsAt(symbol: number): number;
  /** Returns the units that an order opened and that are still open. */
  openQuantity(symbol: number, orderId: number): Exact;
  /** Equity on which order sizes and risk limits are based, in account currency. */
  readonly equity: Figure;
  /** Returns the sum of the initial margins of all open positions. */
  marginInUse(): MarginSum;
  /** Equity from which buying power is computed. Within a bar: the equity after the fills at its open. */
  readonly powerBase: Figure;
  /**
   * Returns the buying power reserved for orders placed before `orderId` that may fill in the same bar:
   * margin and costs, in account currency. The initial margins of open positions are not included.
   */
  claimedBefore(orderId: number): Exact;
  /** Returns the values of all positions, for checking an order of `symbol` against risk limits. */
  exposure(symbol: number): Exposure;
  /**
   * True if a fill earlier in the same bar, on the same possible price path, closed units of the symbol at a
   * loss.
   */
  readonly lost: boolean;
}

/** Account for real fills: the ledger in its current state. */
export class LiveAccount implements FillAccount {
  readonly #ledger: Ledger;
  readonly #instruments: readonly Instrument[];
  readonly #leverage: number;
  readonly lost = false;

  /** @param leverage leverage of the run, for instruments without separate margin terms */
  constructor(ledger: Ledger, instruments: readonly Instrument[], leverage: number) {
    this.#ledger = ledger;
    this.#instruments = instruments;
    this.#leverage = leverage;
  }

  quantity(symbol: number): Exact {
    return this.#ledger.quantity(symbol);
  }

  unitsAt(symbol: number): number {
    return this.#ledger.unitsAt(symbol);
  }

  openQuantity(symbol: number, orderId: number): Exact {
    return this.#ledger.openQuantity(symbol, orderId);
  }

  get equity(): Figure {
    return { number: this.#ledger.equityNumber, exact: () => this.#ledger.exactEquity };
  }

  get powerBase(): Figure {
    return this.equity;
  }

  marginInUse(): MarginSum {
    return marginInUse(this.#ledger, this.#instruments, this.#leverage);
  }

  claimedBefore(): Exact {
    return EXACT_ZERO;
  }

  exposure(symbol: number): Exposure {
    const ledger = this.#ledger;
    return exposureOf(
      symbol,
      this.#instruments.length,
      (other) => ledger.unitsAt(other),
      (other) => ledger.exposureNumberOf(other, 1),
    );
  }
}

/** Returns the units of a position that a fill on the given side would close, without sign. */
export function closableBy(side: 1 | -1, account: FillAccount, symbol: number): Exact {
  const held = account.unitsAt(symbol);
  return (side > 0 ? held < 0 : held > 0) ? account.quantity(symbol).abs() : EXACT_ZERO;
}
