import { EXACT_ZERO, Exact } from '../../kernel/index.ts';
import { inMoney, type Ledger } from '../account/index.ts';
import { type Instrument, notionalOf } from '../settings/instruments.ts';
import { type BrokerSettings, maintenanceMarginOf } from '../settings/settings.ts';

/** Sum of the initial margins of positions, in account currency. */
export class MarginSum {
  readonly #leverage: Exact;
  // Exposure of positions that use the run's leverage. The sum is divided by the leverage only once, when the
  // total is read.
  #gross = EXACT_ZERO;
  #own = EXACT_ZERO;

  /** @param from leverage of the run, or an existing sum to which positions are added */
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
   * @param units without sign; a negative number removes units that were added earlier
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

/** Returns the leverage at a price: the notional that one unit of equity can open. */
export function leverageAt({ margin, leverage, multiplier }: Instrument, price: Exact): Exact {
  return margin === undefined ? leverage : inMoney(price, { multiplier }).dividedBy(margin);
}

/** Returns the sum of the initial margins of all positions at their marks. */
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

/** Compares equity with the maintenance margin of all positions, and selects positions to close. */
export class Maintenance {
  readonly #ledger: Ledger;
  readonly #instruments: readonly Instrument[];
  /** Maintenance margin as a fraction of exposure, for instruments without separate margin terms. */
  readonly #share: number;
  readonly #hasOwn: boolean;
  /** True if any instrument has a maintenance margin. Other runs skip the check. */
  readonly isSet: boolean;

  constructor(ledger: Ledger, instruments: readonly Instrument[], settings: BrokerSettings) {
    this.#ledger = ledger;
    this.#instruments = instruments;
    this.#share = maintenanceMarginOf(settings);
    this.#hasOwn = instruments.some(({ usesRunLeverage }) => !usesRunLeverage);
    this.isSet = this.#share > 0 || this.#hasOwn;
  }

  /**
   * Returns the symbols whose positions must be closed so that equity is sufficient for the remaining
   * positions, largest loser first. Empty if no position must be closed.
   */
  breached(): number[] {
    const ledger = this.#ledger;
    const equity = ledger.equityNumber;
    let gross = this.#hasOwn ? this.#sumOf((symbol) => this.#exposureOf(symbol)) : ledger.grossExposureNumber;
    let own = this.#hasOwn ? this.#sumOf((symbol) => this.#ownOf(symbol)) : 0;
    const carries = (): boolean => equity >= this.#share * gross + own;
    if ((gross === 0 && own === 0) || carries()) return [];
    const losers = ledger
      .positions()
      .sort((a, b) => a.unrealisedPnl.comparedTo(b.unrealisedPnl) || (a.symbol < b.symbol ? -1 : 1));
    const closed: number[] = [];
    for (const { symbol: name, exposure } of losers) {
      if (carries()) break;
      const symbol = this.#instruments.findIndex((instrument) => instrument.symbol === name);
      closed.push(symbol);
      if (this.#instruments[symbol]!.usesRunLeverage) gross -= Math.abs(exposure.toNumber());
      else own -= this.#ownOf(symbol);
    }
    return closed;
  }

  #sumOf(part: (symbol: number) => number): number {
    return this.#instruments.reduce((sum, _, symbol) => sum + part(symbol), 0);
  }

  /** Returns the exposure of a position. 0 if its instrument has separate margin terms. */
  #exposureOf(symbol: number): number {
    const { usesRunLeverage } = this.#instruments[symbol]!;
    const units = Math.abs(this.#ledger.unitsAt(symbol));
    return usesRunLeverage && units !== 0 ? this.#ledger.exposureNumberOf(symbol, units) : 0;
  }

  /**
   * Returns the maintenance margin of a position whose instrument has separate margin terms. 0 for other
   * instruments.
   */
  #ownOf(symbol: number): number {
    const { usesRunLeverage, maintenance } = this.#instruments[symbol]!;
    const units = Math.abs(this.#ledger.unitsAt(symbol));
    if (usesRunLeverage || units === 0) return 0;
    return 'perUnit' in maintenance
      ? units * maintenance.perUnit * this.#ledger.rateOf(symbol).toNumber()
      : maintenance.share * this.#ledger.exposureNumberOf(symbol, units);
  }
}
