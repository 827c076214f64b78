import type { Ledger } from '../account/index.ts';
import { EXACT_ZERO, type Exact } from '../kernel/index.ts';
import type { Figure } from './costs.ts';
import type { Instrument } from './instruments.ts';
import { MarginSum } from './margin.ts';
import { type Exposure, exposureOf } from './risk-caps.ts';

/** The account as a fill is sized and checked by it: the ledger itself, or one symbol's part of it along a path. */
export interface FillAccount {
  /** Signed. */
  quantity(symbol: number): Exact;
  /** The signed quantity as a float64. */
  unitsAt(symbol: number): number;
  /** Units still open of what an order opened. */
  openQuantity(symbol: number, orderId: number): Exact;
  /** What sizes and risk limits are shares of, in account currency. */
  readonly equity: Figure;
  /** The initial margins in use. */
  marginInUse(): MarginSum;
  /** Equity that buying power is counted from. */
  readonly powerBase: Figure;
  /** Margin and costs that orders have claimed beside what is in use, before this one; in account currency. */
  claimedBefore(orderId: number): Exact;
  /** The positions that risk limits are compared with. */
  exposure(symbol: number): Exposure;
  /** Whether the symbol was closed at a loss earlier on the same path. */
  readonly lost: boolean;
}

/** The ledger as it stands now. */
export class LiveAccount implements FillAccount {
  readonly #ledger: Ledger;
  readonly #instruments: readonly Instrument[];
  readonly #leverage: number;
  readonly lost = false;

  /** @param leverage the run's */
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

/** The initial margins of all positions at their marks. */
export function marginInUse(ledger: Ledger, instruments: readonly Instrument[], leverage: number): MarginSum {
  const sum = new MarginSum(leverage);
  for (let symbol = 0; symbol < instruments.length; symbol++) {
    if (ledger.unitsAt(symbol) === 0) continue;
    sum.add(
      instruments[symbol]!,
      ledger.quantity(symbol).abs(),
      ledger.markOf(symbol),
      ledger.rateOf(symbol),
    );
  }
  return sum;
}

/** Units of a position on the other side, without sign. */
export function closableBy(side: 1 | -1, account: FillAccount, symbol: number): Exact {
  const held = account.unitsAt(symbol);
  return (side > 0 ? held < 0 : held > 0) ? account.quantity(symbol).abs() : EXACT_ZERO;
}
