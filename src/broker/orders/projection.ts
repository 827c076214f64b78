import { EXACT_ZERO, Exact, type Instant } from '../../kernel/index.ts';
import type { Ledger } from '../account/index.ts';
import type { Figure } from '../costs/costs.ts';
import { MarginSum } from '../fills/margin.ts';
import type { Matcher } from '../matching/matching.ts';
import { type Exposure, exposureOf } from '../settings/risk-caps.ts';
import type { BrokerSettings } from '../settings/settings.ts';
import type { RestingOrder } from './order.ts';

/** Inputs for the validation of an order. The validation does not change them. */
export interface ValidationParts {
  readonly symbols: readonly string[];
  readonly ledger: Ledger;
  readonly settings: BrokerSettings;
  readonly matcher: Matcher;
  /** Last close of each symbol. `NaN` before a symbol's first bar. */
  readonly close: Float64Array;
  /** Returns the instant of the current bar. */
  readonly now: () => Instant;
  /** Resting order that the validated order would replace. */
  readonly replaced?: RestingOrder;
  /** Symbols of series that are visible but cannot be traded. */
  readonly untraded: readonly string[];
  /** Returns why a symbol has left the market. `undefined` if it is still in the market. */
  readonly leftBy: (symbol: number) => 'delisting' | 'expiry' | undefined;
}

/** Returns the signed units of a position after the fills of all accepted market orders. */
export function projectedQuantity(symbol: number, { ledger, matcher, replaced }: ValidationParts): Exact {
  let quantity = ledger.quantity(symbol);
  for (const order of matcher.resting) {
    if (order.symbol !== symbol || order.done || order === replaced || order.type !== 'market') continue;
    const { size } = order;
    if (size.kind === 'position') quantity = EXACT_ZERO;
    else if (size.kind === 'target-units') quantity = size.units;
    else if (size.kind === 'units') {
      const units = size.units.minus(order.filled);
      quantity = order.side > 0 ? quantity.plus(units) : quantity.minus(units);
    } else if (quantity.isZero()) {
      // The number of units is only known at the fill. One lot, with the sign of the order's side, is
      // assumed.
      const { lot } = matcher.instruments[symbol]!;
      quantity = order.action === 'sell' ? lot.negated() : lot;
    }
  }
  return quantity;
}

/** Returns the values, at the last closes, of the positions after the fills of all accepted market orders. */
export function projectedExposure(symbol: number, parts: ValidationParts): Exposure {
  const { symbols, ledger, close } = parts;
  return exposureOf(
    symbol,
    symbols.length,
    (other) => projectedQuantity(other, parts).toNumber(),
    (other) => close[other]! * ledger.pointValueOf(other).toNumber(),
  );
}

/**
 * Returns the largest size of an order that would be accepted at a price: `closable` units, which close an
 * existing position, plus the units that buying power allows to open.
 */
export function largestAffordable(
  symbol: number,
  closable: Exact,
  price: Exact,
  parts: ValidationParts,
): Exact {
  const { ledger, matcher, settings, close } = parts;
  const margin = new MarginSum(settings.leverage);
  for (let other = 0; other < parts.symbols.length; other++) {
    if (other === symbol && !closable.isZero()) continue;
    const projected = projectedQuantity(other, parts);
    if (projected.isZero()) continue;
    margin.add(matcher.instruments[other]!, projected.abs(), Exact.of(close[other]!), ledger.rateOf(other));
  }
  // Without this condition, a minimum or fixed commission would be charged even if no units are closed.
  const closing = closable.isZero()
    ? EXACT_ZERO
    : matcher.costs.commission(closable, price, matcher.instruments[symbol]!);
  const costs = margin.total.plus(closing.times(ledger.rateOf(symbol)));
  // Exact, because the difference of two nearly equal float64 numbers is inaccurate.
  const left = ledger.exactEquity.minus(costs);
  const budget: Figure = {
    number: left.toNumber(),
    exact: () => left,
  };
  const { costs: models, instruments } = matcher;
  return models.affordable(budget, price, instruments[symbol]!, ledger.rateOf(symbol)).plus(closable);
}
