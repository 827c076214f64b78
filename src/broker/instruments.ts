import { EXACT_ONE, EXACT_ZERO, Exact } from '../kernel/index.ts';
import type { BrokerSettings } from './settings.ts';

/** The steps a symbol is traded in, as exact numbers. */
export interface Instrument {
  readonly symbol: string;
  readonly lot: Exact;
  readonly lotNumber: number;
  /** Undefined where any price will do. */
  readonly tick: Exact | undefined;
  readonly minimumNotional: Exact;
}

/** Every symbol's instrument, in the market's order. */
export function instrumentsOf(symbols: readonly string[], settings: BrokerSettings): Instrument[] {
  return symbols.map((symbol) => {
    const own = Object.hasOwn(settings.instruments, symbol) ? settings.instruments[symbol] : undefined;
    const lot = Exact.of(own?.lot ?? settings.lot);
    const tick = own?.tick ?? settings.tick;
    return {
      symbol,
      lot,
      lotNumber: lot.toNumber(),
      tick: tick === undefined ? undefined : Exact.of(tick),
      minimumNotional: own?.minimumNotional === undefined ? EXACT_ZERO : Exact.of(own.minimumNotional),
    };
  });
}

/** Rounds to the tick: up or down as asked. */
export function toTick(price: Exact, tick: Exact | undefined, up: boolean): Exact {
  if (tick === undefined) return price;
  const steps = price.dividedBy(tick);
  const down = steps.floor();
  const rounded = down.times(tick);
  return up && rounded.compare(price) < 0 ? rounded.plus(tick) : rounded;
}

/**
 * Rounds to the tick against the trader, but never past a bar's low or high: then it is the nearest tick inside of it. A
 * price without one inside stays as it is; such data are refused before a run.
 */
export function tickInside(price: Exact, tick: Exact, buys: boolean, low: Exact, high: Exact): Exact {
  const against = toTick(price, tick, buys);
  if (against.compare(high) <= 0 && against.compare(low) >= 0) return against;
  const inside = toTick(price, tick, !buys);
  return inside.compare(low) >= 0 && inside.compare(high) <= 0 ? inside : price;
}

/** Whether a quantity is nothing, or enough for the instrument's minimum notional. */
export function carriesMinimum(quantity: Exact, price: Exact, { minimumNotional }: Instrument): boolean {
  return minimumNotional.isZero() || quantity.times(price).compare(minimumNotional) >= 0;
}

/** Relative distance from a whole number of lots below which the exact quotient decides; float64 errs by far less. */
const NEAR_WHOLE = 1e-9;

/**
 * The largest whole number of lots, in units, whose cost stays within a limit.
 *
 * The exact numbers are asked for only where the float64 quotient lies so near a whole number that rounding could decide.
 */
export function wholeLots(
  limit: number,
  unitCost: number,
  instrument: Instrument,
  exactLimit: () => Exact,
  exactUnitCost: () => Exact,
): Exact {
  const lots = limit / (unitCost * instrument.lotNumber);
  if (!(lots > 0)) return EXACT_ZERO;
  const floor = Math.floor(lots);
  const near = Math.abs(lots - Math.round(lots)) <= NEAR_WHOLE * Math.max(1, lots);
  if (near || !Number.isSafeInteger(floor)) {
    return exactLots(exactLimit(), exactUnitCost().times(instrument.lot)).times(instrument.lot);
  }
  return instrument.lotNumber === 1 ? Exact.of(floor) : Exact.of(floor).times(instrument.lot);
}

/** The quotient is rounded at 80 digits: where that crosses a whole number, the product decides. */
function exactLots(limit: Exact, lotCost: Exact): Exact {
  const lots = limit.dividedBy(lotCost).floor();
  if (!lots.isPositive()) return EXACT_ZERO;
  return lots.times(lotCost).compare(limit) <= 0 ? lots : lots.minus(EXACT_ONE);
}
