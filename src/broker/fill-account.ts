import type { Ledger } from '../account/index.ts';
import { EXACT_ZERO, type Exact } from '../kernel/index.ts';
import type { Figure } from './costs.ts';
import { type Exposure, exposureOf } from './risk-caps.ts';

/** The account as a fill is sized and checked by it: the ledger itself, or one symbol's part of it along a path. */
export interface FillAccount {
  /** Signed. */
  quantity(symbol: number): Exact;
  /** The signed quantity as a float64. */
  unitsAt(symbol: number): number;
  /** Units still open of what an order opened. */
  openQuantity(symbol: number, orderId: number): Exact;
  /** What sizes and risk limits are shares of, and Σ |position| × mark whose margin is in use; in account currency. */
  readonly equity: Figure;
  readonly gross: Figure;
  /** Equity that buying power is counted from. */
  readonly powerBase: Figure;
  /** Margin and costs that orders have claimed beside `gross` before this one; in account currency. */
  claimedBefore(orderId: number): Exact;
  /** The positions that risk limits are compared with. */
  exposure(symbol: number): Exposure;
  /** Whether the symbol was closed at a loss earlier on the same path. */
  readonly lost: boolean;
}

/** The ledger as it stands now. */
export class LiveAccount implements FillAccount {
  readonly #ledger: Ledger;
  readonly #symbols: number;
  readonly lost = false;

  constructor(ledger: Ledger, symbols: number) {
    this.#ledger = ledger;
    this.#symbols = symbols;
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

  get gross(): Figure {
    return { number: this.#ledger.grossExposureNumber, exact: () => this.#ledger.grossExposure };
  }

  claimedBefore(): Exact {
    return EXACT_ZERO;
  }

  exposure(symbol: number): Exposure {
    const ledger = this.#ledger;
    return exposureOf(
      symbol,
      this.#symbols,
      (other) => ledger.unitsAt(other),
      (other) => ledger.markOf(other).toNumber() * ledger.rateOf(other).toNumber(),
    );
  }
}

/** Units of a position on the other side, without sign. */
export function closableBy(side: 1 | -1, account: FillAccount, symbol: number): Exact {
  const held = account.unitsAt(symbol);
  return (side > 0 ? held < 0 : held > 0) ? account.quantity(symbol).abs() : EXACT_ZERO;
}
