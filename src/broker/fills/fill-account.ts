import { EXACT_ZERO, Exact } from '../../kernel/index.ts';
import { inMoney, type Ledger } from '../account/index.ts';
import type { Costs, Figure, OrderCosts } from '../costs/costs.ts';
import { type Instrument, notionalOf } from '../settings/instruments.ts';
import { type Exposure, exposureOf } from '../settings/risk-caps.ts';
import { type BrokerSettings, maintenanceMarginOf } from '../settings/settings.ts';

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
function marginOf(instrument: Instrument, units: Exact, price: Exact): Exact {
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

interface PowerParts {
  readonly ledger: Ledger;
  readonly costs: Costs;
  readonly instruments: readonly Instrument[];
}

/** Order that needs buying power. */
type Asker = OrderCosts & { readonly symbol: number; readonly id: number };

/** Computes what the account can still open after closing a position. */
export class BuyingPower {
  readonly #parts: PowerParts;

  constructor(parts: PowerParts) {
    this.#parts = parts;
  }

  /** Returns the largest quantity that a fill may open after it has closed `closing` units. */
  carried(account: FillAccount, order: Asker, closing: Exact, price: Exact): Exact {
    const { costs, instruments, ledger } = this.#parts;
    const { symbol } = order;
    const power = this.left(account, order, closing, price);
    return costs.affordable(power, price, instruments[symbol]!, ledger.rateOf(symbol), order);
  }

  /** Returns the equity after closing `closing` units at `price`, minus their commission and slippage. */
  equityAfterClosing(
    account: FillAccount,
    order: Asker,
    closing: Exact,
    price: Exact,
    equity: Figure = account.equity,
  ): Figure {
    if (closing.isZero()) return equity;
    const { ledger, costs, instruments } = this.#parts;
    const { symbol } = order;
    const side = account.unitsAt(symbol) > 0 ? closing : closing.negated();
    const moved = price.minus(ledger.markOf(symbol)).times(side).times(ledger.pointValueOf(symbol));
    const fee = costs.commission(closing, price, instruments[symbol]!, false, order);
    const change = moved.minus(fee.times(ledger.rateOf(symbol)));
    return { number: equity.number + change.toNumber(), exact: () => equity.exact().plus(change) };
  }

  /**
   * Returns the equity that remains, after `closing` units are closed at `price`, beyond the initial margin
   * of all positions.
   */
  left(account: FillAccount, order: Asker, closing: Exact, price: Exact): Figure {
    const { symbol, id } = order;
    const equity = this.equityAfterClosing(account, order, closing, price, account.powerBase);
    const claimed = account.claimedBefore(id);
    const inUse = account.marginInUse();
    if (inUse.isZero && claimed.isZero()) return equity;
    const { ledger, instruments } = this.#parts;
    const [mark, rate] = [ledger.markOf(symbol), ledger.rateOf(symbol)];
    const rest = closing.isZero()
      ? inUse
      : new MarginSum(inUse).add(instruments[symbol]!, closing.negated(), mark, rate);
    const margin = rest.total.plus(claimed);
    // Exact, because the difference of two nearly equal float64 numbers is inaccurate.
    const left = equity.exact().minus(margin);
    return { number: left.toNumber(), exact: () => left };
  }

  /**
   * Returns the buying power that opening units needs: initial margin and commission, in account currency.
   */
  claimOf(order: Asker, opening: Exact, price: Exact): Exact {
    const { costs, instruments, ledger } = this.#parts;
    const { symbol } = order;
    const instrument = instruments[symbol]!;
    const margin = marginOf(instrument, opening, price);
    const commission = costs.commission(opening, price, instrument, false, order);
    return margin.plus(commission).times(ledger.rateOf(symbol));
  }
}

/** Checks the maintenance margin and selects positions to close if equity is below it. */
export class Maintenance {
  readonly #ledger: Ledger;
  readonly #instruments: readonly Instrument[];
  /** Maintenance margin by the run's own terms, as a share of exposure. */
  readonly #share: number;
  readonly #hasOwn: boolean;
  /** True if there is any maintenance margin. Runs without one skip the check. */
  readonly isSet: boolean;

  constructor(ledger: Ledger, instruments: readonly Instrument[], settings: BrokerSettings) {
    this.#ledger = ledger;
    this.#instruments = instruments;
    this.#share = maintenanceMarginOf(settings);
    this.#hasOwn = instruments.some(({ usesRunLeverage }) => !usesRunLeverage);
    this.isSet = this.#share > 0 || this.#hasOwn;
  }

  /**
   * Returns the symbols whose positions must be closed so that equity is sufficient for the others, largest
   * loser first. Empty if no position must be closed.
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

  /** Returns the exposure to which the run's own terms apply. */
  #exposureOf(symbol: number): number {
    const { usesRunLeverage } = this.#instruments[symbol]!;
    const units = Math.abs(this.#ledger.unitsAt(symbol));
    return usesRunLeverage && units !== 0 ? this.#ledger.exposureNumberOf(symbol, units) : 0;
  }

  /** Returns the maintenance margin by an instrument's own terms. */
  #ownOf(symbol: number): number {
    const { usesRunLeverage, maintenance } = this.#instruments[symbol]!;
    const units = Math.abs(this.#ledger.unitsAt(symbol));
    if (usesRunLeverage || units === 0) return 0;
    return 'perUnit' in maintenance
      ? units * maintenance.perUnit * this.#ledger.rateOf(symbol).toNumber()
      : maintenance.share * this.#ledger.exposureNumberOf(symbol, units);
  }
}
