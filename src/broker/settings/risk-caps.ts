import { EXACT_ZERO, Exact } from '../../kernel/index.ts';
import type { Refusal } from '../orders/refusals.ts';
import { type Instrument, wholeLots } from './instruments.ts';
import type { RiskSettings } from './settings.ts';

/** Order, or part of an order, that would open or enlarge a position. */
export interface Opening {
  readonly symbol: number;
  readonly side: 1 | -1;
  /** Units that open or enlarge a position, without those that close an opposite position. */
  readonly quantity: Exact;
  /** Units of the opposite position that the order closes first. */
  readonly closing: Exact;
  readonly price: Exact;
}

/** Positions with which a risk limit is compared, in account currency at their marks. */
export interface Exposure {
  /** Signed units of the symbol whose position is to be opened or enlarged. */
  readonly heldUnits: number;
  /** Signed value of `heldUnits`. */
  readonly heldValue: number;
  /** Sum of the absolute values of all positions: Σ |position| × mark. */
  readonly gross: number;
  /** Value of long minus short positions: Σ position × mark. */
  readonly net: number;
  readonly openPositions: number;
}

/** Sums the positions of all symbols, for an order of `symbol`. */
export function exposureOf(
  symbol: number,
  symbols: number,
  unitsOf: (symbol: number) => number,
  valueOfUnit: (symbol: number) => number,
): Exposure {
  let [gross, net, openPositions, heldValue] = [0, 0, 0, 0];
  for (let other = 0; other < symbols; other++) {
    const units = unitsOf(other);
    if (units === 0) continue;
    const value = units * valueOfUnit(other);
    if (other === symbol) heldValue = value;
    gross += Math.abs(value);
    net += value;
    openPositions += 1;
  }
  return { heldUnits: unitsOf(symbol), heldValue, gross, net, openPositions };
}

/** Largest notional that one risk limit allows an order to open. */
export interface Cap {
  readonly code: Refusal['code'];
  readonly limit: string;
  /** Notional that may still be opened, in account currency. Negative if the limit is already exceeded. */
  readonly room: number;
}

/**
 * Returns, for each risk limit, the notional that an order may still open.
 *
 * @param rate value of one point of the symbol's price, in account currency
 */
export function capsOf(
  { maxPosition, maxGrossExposure, maxNetExposure, maxOrderNotional }: RiskSettings,
  { side, closing, price }: Opening,
  { heldUnits, heldValue, gross, net }: Exposure,
  equity: number,
  rate: number,
): Cap[] {
  const unitValue = price.toNumber() * rate;
  const closes = closing.isPositive();
  // Units that the order closes first reduce the exposure by their value at the current mark.
  const closed = closes && heldUnits !== 0 ? heldValue * (closing.toNumber() / Math.abs(heldUnits)) : 0;
  const caps: Cap[] = [];
  if (maxPosition !== undefined) {
    caps.push({
      code: 'risk_max_position',
      limit: `the position limit of ${maxPosition} × equity`,
      room: maxPosition * equity - (closes ? 0 : Math.abs(heldUnits) * unitValue),
    });
  }
  if (maxGrossExposure !== undefined) {
    caps.push({
      code: 'risk_gross_exposure',
      limit: `the gross exposure limit of ${maxGrossExposure} × equity`,
      room: maxGrossExposure * equity - (gross - Math.abs(closed)),
    });
  }
  if (maxNetExposure !== undefined) {
    caps.push({
      code: 'risk_net_exposure',
      limit: `the net exposure limit of ${maxNetExposure} × equity`,
      room: maxNetExposure * equity - side * (net - closed),
    });
  }
  if (maxOrderNotional !== undefined) {
    caps.push({
      code: 'risk_order_notional',
      limit: `the order limit of ${maxOrderNotional}`,
      room: maxOrderNotional - closing.toNumber() * unitValue,
    });
  }
  return caps;
}

/**
 * Tolerance factor for `room`, which is a float64: an order that exceeds `room` only by a rounding error is
 * accepted. Also used for the largest quantity.
 */
export const ROUNDING = 1 + 1e-12;

/**
 * Returns the largest quantity in whole lots whose value is at most `room`.
 *
 * @param rate value of one point of the symbol's price, in account currency
 */
export function largestWithin(room: number, price: Exact, rate: number, instrument: Instrument): Exact {
  if (!(room > 0)) return EXACT_ZERO;
  const limit = Math.min(room * ROUNDING, Number.MAX_VALUE);
  return wholeLots(
    limit,
    price.toNumber() * rate,
    instrument,
    () => Exact.of(limit),
    () => price.times(Exact.of(rate)),
  );
}
