import { EXACT_ONE, EXACT_ZERO, Exact } from '../../kernel/index.ts';
import { type Contract, inMoney } from '../account/index.ts';
import { type CommissionModel, commissionOf } from '../costs/cost-models.ts';
import {
  type BrokerSettings,
  type InstrumentSettings,
  maintenanceMarginOf,
  multiplierOf,
} from './settings.ts';

/** Trading terms of a symbol, as exact numbers. */
export interface Instrument extends Contract {
  readonly symbol: string;
  readonly lot: Exact;
  readonly lotNumber: number;
  /** Smallest price step. `undefined` if any price is allowed. */
  readonly tick: Exact | undefined;
  readonly minimumNotional: Exact;
  /** Commission model of the symbol, instead of the run's model. */
  readonly commission: CommissionModel | undefined;
  /**
   * Maximum notional per unit of equity. 1 if the instrument has a fixed margin per unit, which replaces
   * leverage.
   */
  readonly leverage: Exact;
  readonly leverageNumber: number;
  /**
   * True if the run's leverage applies: the instrument has neither a separate leverage nor a margin per unit.
   */
  readonly usesRunLeverage: boolean;
  /**
   * Maintenance margin: money per unit, or a share of the exposure. Positions are liquidated if equity is
   * below the total.
   */
  readonly maintenance: { readonly perUnit: number } | { readonly share: number };
  /**
   * Factor by which the traded value was multiplied to disguise the data from a model (masking). `undefined`
   * without masking.
   */
  readonly turnover?: Exact | undefined;
}

/** Returns the terms in a run's settings that apply only to this symbol. */
export function ownTerms(symbol: string, { instruments }: BrokerSettings): InstrumentSettings | undefined {
  return Object.hasOwn(instruments, symbol) ? instruments[symbol] : undefined;
}

/** Returns the contracts of the symbols. `undefined` if all symbols are shares that are paid in full. */
export function contractsOf(symbols: readonly string[], settings: BrokerSettings): Contract[] | undefined {
  const contracts = symbols.map((symbol) => contractOf(ownTerms(symbol, settings)));
  return contracts.some(({ multiplier, margined }) => margined || multiplier !== EXACT_ONE)
    ? contracts
    : undefined;
}

function contractOf(own: InstrumentSettings | undefined): Contract {
  return {
    multiplier: own === undefined ? EXACT_ONE : (multiplierOf(own) ?? EXACT_ONE),
    margined: own?.margin !== undefined,
    ...(own?.margin === undefined ? {} : { margin: Exact.of(own.margin) }),
  };
}

/** Returns the trading terms of every symbol, in the market's order. */
export function instrumentsOf(symbols: readonly string[], settings: BrokerSettings): Instrument[] {
  return symbols.map((symbol) => {
    const own = ownTerms(symbol, settings);
    const lot = Exact.of(own?.lot ?? settings.lot);
    const tick = own?.tick ?? settings.tick;
    const { margin, commission } = own ?? {};
    const leverage = margin === undefined ? (own?.leverage ?? settings.leverage) : 1;
    return {
      symbol,
      ...contractOf(own),
      commission: commission === undefined ? undefined : commissionOf(commission),
      leverage: leverage === 1 ? EXACT_ONE : Exact.of(leverage),
      leverageNumber: leverage,
      usesRunLeverage: margin === undefined && own?.leverage === undefined,
      maintenance:
        margin === undefined
          ? {
              share: maintenanceMarginOf(
                own?.leverage === undefined ? settings : { leverage, maintenanceMargin: null },
              ),
            }
          : { perUnit: own?.maintenanceMargin ?? margin / 2 },
      lot,
      lotNumber: lot.toNumber(),
      tick: tick === undefined ? undefined : Exact.of(tick),
      minimumNotional: own?.minimumNotional === undefined ? EXACT_ZERO : Exact.of(own.minimumNotional),
      ...(own?.scale === undefined ? {} : { turnover: Exact.of(own.scale.turnover) }),
    };
  });
}

/** Returns quantity × price as money, in the instrument's currency. */
export function notionalOf(quantity: Exact, price: Exact, contract: Pick<Contract, 'multiplier'>): Exact {
  return inMoney(quantity.times(price), contract);
}

/** True if a quantity reaches the instrument's minimum notional, or if the instrument has no minimum. */
export function carriesMinimum(quantity: Exact, price: Exact, instrument: Instrument): boolean {
  const { minimumNotional } = instrument;
  return minimumNotional.isZero() || notionalOf(quantity, price, instrument).compare(minimumNotional) >= 0;
}

/**
 * If the float64 number of lots is nearer to a whole number than this relative distance, the number is
 * computed exactly. The rounding errors of float64 are far smaller than this distance.
 */
const NEAR_WHOLE = 1e-9;

/**
 * Returns the largest whole number of lots, in units, whose cost is within a limit.
 *
 * Exact numbers are only computed if the float64 quotient is so close to a whole number that rounding could
 * matter.
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

/**
 * Returns the largest whole number of lots. The quotient is rounded to 80 digits, so it may be one lot too
 * large. Multiplying it by the cost of a lot detects this.
 */
function exactLots(limit: Exact, lotCost: Exact): Exact {
  const lots = limit.dividedBy(lotCost).floor();
  if (!lots.isPositive()) return EXACT_ZERO;
  return lots.times(lotCost).compare(limit) <= 0 ? lots : lots.minus(EXACT_ONE);
}
