import type { Ledger } from '../account/index.ts';
import { EXACT_ZERO, Exact } from '../kernel/index.ts';
import type { Costs, Figure, OrderCosts } from './costs.ts';
import type { Instrument } from './instruments.ts';

interface PowerParts {
  readonly ledger: Ledger;
  readonly costs: Costs;
  readonly instruments: readonly Instrument[];
  readonly leverage: number;
}

/** The order that asks for buying power. */
export type Asker = OrderCosts & { readonly symbol: number };

/** What the account could still open, with a position of a symbol closed before. */
export class BuyingPower {
  readonly #parts: PowerParts;
  readonly #leverage: Exact;

  constructor(parts: PowerParts) {
    this.#parts = parts;
    this.#leverage = Exact.of(parts.leverage);
  }

  /** The most that buying power lets a fill open once it has closed `closing` units. */
  carried(order: Asker, closing: Exact, price: Exact): Exact {
    const { costs, instruments } = this.#parts;
    const { symbol } = order;
    const equity = this.equityAfterClosing(order, closing, price);
    return costs.affordable(
      this.of(symbol, closing, equity),
      price,
      instruments[symbol]!,
      this.#parts.ledger.rateOf(symbol),
      order,
    );
  }

  /** Equity once `closing` units of the position are gone at `price`: less their commission and slippage. */
  equityAfterClosing(order: Asker, closing: Exact, price: Exact): Figure {
    const { ledger, costs, instruments } = this.#parts;
    const { symbol } = order;
    if (closing.isZero()) return { number: ledger.equityNumber, exact: () => ledger.exactEquity };
    const side = ledger.unitsAt(symbol) > 0 ? EXACT_ZERO.plus(closing) : closing.negated();
    const moved = price.minus(ledger.markOf(symbol)).times(side).times(ledger.rateOf(symbol));
    const fee = costs.commission(closing, price, instruments[symbol]!, false, order);
    const change = moved.minus(fee.times(ledger.rateOf(symbol)));
    return { number: ledger.equityNumber + change.toNumber(), exact: () => ledger.exactEquity.plus(change) };
  }

  /** What is left of `equity` beside the initial margin of all positions, the symbol's own less `closing` units. */
  of(symbol: number, closing: Exact, equity: Figure): Figure {
    const { ledger } = this.#parts;
    if (ledger.grossExposureNumber === 0) return equity;
    const closed = closing.times(ledger.markOf(symbol)).times(ledger.rateOf(symbol));
    const margin = ledger.grossExposure.minus(closed).dividedBy(this.#leverage);
    // Exactly: of two float64 numbers that are nearly equal, the difference would tell little.
    const left = equity.exact().minus(margin);
    return { number: left.toNumber(), exact: () => left };
  }
}
