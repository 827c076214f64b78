import { EXACT_ZERO, Exact } from '../kernel/index.ts';
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
    const lot = own?.lot ?? settings.lot;
    const tick = own?.tick ?? settings.tick;
    return {
      symbol,
      lot: Exact.of(lot),
      lotNumber: lot,
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
    const exact = exactLimit().dividedBy(exactUnitCost().times(instrument.lot)).floor();
    return Exact.max(exact, EXACT_ZERO).times(instrument.lot);
  }
  return instrument.lotNumber === 1 ? Exact.of(floor) : Exact.of(floor).times(instrument.lot);
}
