import type { Ledger } from '../account/index.ts';
import { EXACT_ZERO, Exact } from '../kernel/index.ts';
import type { BuyingPower } from './buying-power.ts';
import type { Costs, Figure } from './costs.ts';
import type { FillAccount } from './fill-account.ts';
import type { Instrument } from './instruments.ts';
import type { RestingOrder } from './order.ts';
import { belowLot, positionGone, type Refusal, refusal, shortNotAllowed } from './refusals.ts';
import type { BrokerSettings } from './settings.ts';

interface SizerParts {
  readonly symbols: readonly string[];
  readonly ledger: Ledger;
  readonly settings: BrokerSettings;
  readonly costs: Costs;
  readonly instruments: readonly Instrument[];
}

/** Turns an order's size, whatever it was given in, into units at a fill's price. */
export class FillSizer {
  readonly #parts: SizerParts;
  readonly #power: BuyingPower;

  constructor(parts: SizerParts, power: BuyingPower) {
    this.#parts = parts;
    this.#power = power;
  }

  /** Units to trade, positive, or why there are none. */
  unitsOf(
    account: FillAccount,
    order: RestingOrder,
    side: 1 | -1,
    closable: Exact,
    price: Exact,
  ): Exact | Refusal {
    const { size, symbol } = order;
    const { ledger, instruments, symbols } = this.#parts;
    switch (size.kind) {
      case 'units': {
        const rest = size.units.minus(order.filled);
        if (!order.reduceOnly || rest.compare(closable) <= 0) return rest;
        return closable.isZero() ? positionGone(symbols[symbol]!) : closable;
      }
      case 'position':
        return closable.isZero() ? positionGone(symbols[symbol]!) : closable;
      case 'target-units':
        return this.#towards(size.units.minus(account.quantity(symbol)), side, symbol);
      case 'target-fraction': {
        const equity = account.equity.exact();
        const wanted = this.#parts.costs.lotsFor(
          {
            number: equity.toNumber() * Math.abs(size.fraction.toNumber()),
            exact: () => equity.times(size.fraction).abs(),
          },
          ledger.inAccountCurrency(symbol, price),
          instruments[symbol]!,
        );
        const signed = size.fraction.isNegative() ? wanted.negated() : wanted;
        return this.#towards(signed.minus(account.quantity(symbol)), side, symbol);
      }
      default:
        return this.#sizeByMoney(account, order, side, closable, price);
    }
  }

  #towards(difference: Exact, side: 1 | -1, symbol: number): Exact | Refusal {
    const { lot } = this.#parts.instruments[symbol]!;
    // Slippage can put a target on the other side of the position than the mark did: then it is reached.
    const wanted = side > 0 ? difference : difference.negated();
    const lots = Exact.max(wanted, EXACT_ZERO).dividedBy(lot).floor().times(lot);
    return lots.isZero()
      ? refusal('below_lot', 'The position is at its target already.', 'Nothing to do.')
      : lots;
  }

  #sizeByMoney(
    account: FillAccount,
    order: RestingOrder,
    side: 1 | -1,
    closable: Exact,
    price: Exact,
  ): Exact | Refusal {
    const { costs, instruments, ledger } = this.#parts;
    const instrument = instruments[order.symbol]!;
    const unitValue = ledger.inAccountCurrency(order.symbol, price);
    const equity = this.#power.equityAfterClosing(account, order, closable, price);
    const { size } = order;
    if (size.kind === 'notional') {
      const wanted = costs.lotsFor(
        { number: size.notional.toNumber(), exact: () => size.notional },
        unitValue,
        instrument,
      );
      return wanted.isZero() ? belowLot(instrument.lot, price.toString()) : wanted;
    }
    if (size.kind !== 'equity-fraction') return EXACT_ZERO;
    if (side < 0 && !this.shortAllowed)
      return closable.isZero() ? shortNotAllowed(this.#parts.symbols[order.symbol]!, closable) : closable;
    const budget: Figure = {
      number: equity.number * size.fraction.toNumber(),
      exact: () => equity.exact().times(size.fraction),
    };
    const carried = costs.affordable(
      this.#power.left(account, order, closable, price),
      price,
      instrument,
      ledger.rateOf(order.symbol),
      order,
    );
    const opening = Exact.min(costs.lotsFor(budget, unitValue, instrument), carried);
    const total = closable.plus(opening);
    return total.isZero() ? belowLot(instrument.lot, price.toString()) : total;
  }

  get shortAllowed(): boolean {
    const { settings } = this.#parts;
    return settings.allowShort && settings.risk.noShort !== true;
  }
}
