import type { Exact } from '../../kernel/index.ts';
import type { Ledger } from '../account/index.ts';
import type { Costs, Figure, OrderCosts } from '../costs/costs.ts';
import type { Instrument } from '../settings/instruments.ts';
import type { FillAccount } from './fill-account.ts';
import { MarginSum, marginOf } from './margin.ts';

interface PowerParts {
  readonly ledger: Ledger;
  readonly costs: Costs;
  readonly instruments: readonly Instrument[];
}

/** Order for which buying power is computed. */
type Asker = OrderCosts & { readonly symbol: number; readonly id: number };

/** Computes the buying power that an account has after closing a position. */
export class BuyingPower {
  readonly #parts: PowerParts;

  constructor(parts: PowerParts) {
    this.#parts = parts;
  }

  /**
   * Returns the largest quantity that an order can open with the available buying power, after the order has
   * closed `closing` units.
   */
  carried(account: FillAccount, order: Asker, closing: Exact, price: Exact): Exact {
    const { costs, instruments, ledger } = this.#parts;
    const { symbol } = order;
    const power = this.left(account, order, closing, price);
    return costs.affordable(power, price, instruments[symbol]!, ledger.rateOf(symbol), order);
  }

  /** Returns the equity after closing `closing` units at `price` and paying their commission. */
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
   * Returns the equity left for opening units: equity after `closing` units are closed at `price`, minus the
   * initial margins of the remaining positions, minus the buying power reserved for earlier orders.
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
    // Computed exactly, because the difference of two nearly equal float64 numbers is inaccurate.
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
