import type { Exact } from '../../kernel/index.ts';
import type { Ledger } from '../account/index.ts';
import type { Costs, Figure, OrderCosts } from '../costs/costs.ts';
import type { Instrument } from '../settings/instruments.ts';
import { type BrokerSettings, maintenanceMarginOf } from '../settings/settings.ts';
import { type FillAccount, MarginSum, marginOf } from './fill-account.ts';

interface PowerParts {
  readonly ledger: Ledger;
  readonly costs: Costs;
  readonly instruments: readonly Instrument[];
}

/** Order that needs buying power. */
export type Asker = OrderCosts & { readonly symbol: number; readonly id: number };

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
