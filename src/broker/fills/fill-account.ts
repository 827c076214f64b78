import { EXACT_ZERO, Exact } from '../../kernel/index.ts';
import { inMoney, type Ledger } from '../account/index.ts';
import type { Figure } from '../costs/costs.ts';
import { type Instrument, notionalOf } from '../settings/instruments.ts';
import { type Exposure, exposureOf } from '../settings/risk-caps.ts';

/** Sum of the initial margins of positions, in account currency. */
export class MarginSum {
  readonly #leverage: Exact;
  // Exposure of positions with the run's leverage. Divided by the leverage only once, as a sum.
  #gross = EXACT_ZERO;
  #own = EXACT_ZERO;

  /**
   * @param from leverage of the run, or a sum to continue
   */
  constructor(from: number | MarginSum) {
    if (typeof from === 'number') {
      this.#leverage = Exact.of(from);
      return;
    }
    this.#leverage = from.#leverage;
    this.#gross = from.#gross;
    this.#own = from.#own;
  }

  /**
   * Adds a position.
   *
   * @param units without sign; a negative number removes units that were added before
   * @param rate units of the account's currency per unit of the instrument's currency
   */
  add(instrument: Instrument, units: Exact, price: Exact, rate: Exact): this {
    if (instrument.usesRunLeverage)
      this.#gross = this.#gross.plus(notionalOf(units, price, instrument).times(rate));
    else this.#own = this.#own.plus(marginOf(instrument, units, price).times(rate));
    return this;
  }

  get isZero(): boolean {
    return this.#gross.isZero() && this.#own.isZero();
  }

  get total(): Exact {
    const carried = this.#gross.dividedBy(this.#leverage);
    return this.#own.isZero() ? carried : carried.plus(this.#own);
  }
}

/** Returns the initial margin of units at a price, in the instrument's currency. */
export function marginOf(instrument: Instrument, units: Exact, price: Exact): Exact {
  const { margin, leverage } = instrument;
  if (margin !== undefined) return units.times(margin);
  return notionalOf(units, price, instrument).dividedBy(leverage);
}

/** Returns the notional of an instrument per unit of equity at a price. */
export function leverageAt({ margin, leverage, multiplier }: Instrument, price: Exact): Exact {
  return margin === undefined ? leverage : inMoney(price, { multiplier }).dividedBy(margin);
}

/** Account for sizing and checking a fill: the ledger, or one symbol's part of the ledger on a trial path. */
export interface FillAccount {
  /** Returns the signed units of a position. */
  quantity(symbol: number): Exact;
  /** Signed quantity as a float64. */
  unitsAt(symbol: number): number;
  /** Returns the units that an order opened and that are still open. */
  openQuantity(symbol: number, orderId: number): Exact;
  /** Equity of which sizes and risk limits are shares, in account currency. */
  readonly equity: Figure;
  /** Initial margins in use. */
  marginInUse(): MarginSum;
  /** Equity for computing buying power. */
  readonly powerBase: Figure;
  /**
   * Returns the margin and costs that earlier orders claim in addition to those in use, in account currency.
   */
  claimedBefore(orderId: number): Exact;
  /** Returns the positions for checking risk limits. */
  exposure(symbol: number): Exposure;
  /** True if the symbol was closed at a loss earlier on the same path. */
  readonly lost: boolean;
}

/** The ledger in its current state. */
export class LiveAccount implements FillAccount {
  readonly #ledger: Ledger;
  readonly #instruments: readonly Instrument[];
  readonly #leverage: number;
  readonly lost = false;

  /**
   * @param leverage leverage of the run
   */
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

/** Returns the initial margins of all positions at their marks. */
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

/** Returns the units of a position that a fill on the given side would close, without sign. */
export function closableBy(side: 1 | -1, account: FillAccount, symbol: number): Exact {
  const held = account.unitsAt(symbol);
  return (side > 0 ? held < 0 : held > 0) ? account.quantity(symbol).abs() : EXACT_ZERO;
}
