import { EXACT_ZERO, Exact } from '../kernel/index.ts';
import { type Instrument, wholeLots } from './instruments.ts';
import type { Refusal } from './refusals.ts';
import type { RiskSettings } from './settings.ts';

/** An order, or the part of one, that would open or enlarge a position. */
export interface Opening {
  readonly symbol: number;
  readonly side: 1 | -1;
  /** Units beyond what closes an opposite position. */
  readonly quantity: Exact;
  /** Units of the opposite position that the order closes first. */
  readonly closing: Exact;
  readonly price: Exact;
}

/** The positions an opening is compared with, in account currency at their marks. */
export interface Exposure {
  /** Units of the opening's own symbol, signed. */
  readonly heldUnits: number;
  /** Their value, signed. */
  readonly heldValue: number;
  /** Σ |position| × mark. */
  readonly gross: number;
  /** Σ position × mark. */
  readonly net: number;
  readonly openPositions: number;
}

/** Adds up the positions of all symbols. */
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

/** One limit's answer to an opening. */
export interface Cap {
  readonly code: Refusal['code'];
  readonly limit: string;
  /** Notional that may still be opened, in account currency; negative when the limit is passed already. */
  readonly room: number;
}

/**
 * What each limit leaves for an opening.
 *
 * @param rate account currency for a point of the symbol's price
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
  // What the order closes first leaves the exposure at its mark.
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

/** Room is a float64: an order that misses it by rounding alone still fits. The same for the check and the largest. */
export const ROUNDING = 1 + 1e-12;

/** The largest quantity in whole lots whose value stays within a cap's room. */
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
