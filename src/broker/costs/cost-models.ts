import { EXACT_ONE, EXACT_ZERO, Exact, type Instant, parseInstant } from '../../kernel/index.ts';
import { type Contract, inMoney } from '../account/index.ts';
import type { BrokerSettings, InstrumentSettings } from '../settings/settings.ts';
import type { CommissionSettings, SlippageSettings } from './cost-schema.ts';

/**
 * Totals of an order's fills so far, in the symbol's currency except for `tradedBefore`. Needed because a
 * commission, for example a minimum, applies to all fills of an order together.
 */
export interface FeesSoFar {
  /** Filled units, counted at the time of each fill. A later split does not change this number. */
  readonly quantity: Exact;
  readonly notional: Exact;
  readonly charged: Exact;
  /** Notional of all orders traded in the run before this order's first fill, in account currency. */
  readonly tradedBefore: number;
}

/** Properties of a fill's order that its commission may depend on. */
export interface ChargedOrder {
  readonly id: number;
  readonly type: string;
  readonly reason: string | undefined;
}

/** Inputs of a commission model for one fill. */
interface CommissionInput {
  /** Symbol of the instrument and its contract terms. */
  readonly instrument: Contract & { readonly symbol: string };
  readonly quantity: Exact;
  readonly price: Exact;
  /** True if the order rested in the book and filled at its limit (a maker). False for a taker. */
  readonly maker: boolean;
  /**
   * Notional of all orders traded in the run before this fill, in account currency. A custom model may use
   * it; tiered commission uses `before.tradedBefore`.
   */
  readonly tradedBefore: number;
  /**
   * Totals of the order's earlier fills. `before.tradedBefore` is the notional traded in the run before the
   * order's first fill.
   */
  readonly before: FeesSoFar;
  /** Order of the fill. `undefined` if commission is estimated before an order is accepted. */
  readonly order: ChargedOrder | undefined;
}

/** Computes the commission of fills. */
export interface CommissionModel {
  /**
   * Returns the commission of a fill: the commission of the order's fills up to and including this one, minus
   * the commission already charged for its earlier fills.
   */
  commission(fill: CommissionInput): Exact;
  /**
   * Returns the rate if the commission of a taker's fill is a fixed fraction of its notional, otherwise
   * `undefined`. With a rate, the affordable size of an order is computed without a search.
   */
  takerRate(before: FeesSoFar): Exact | undefined;
}

/** Returns the commission model that a run's settings select. */
export function commissionModel(settings: BrokerSettings): CommissionModel {
  return commissionOf(settings.commission ?? { model: 'rate', rate: settings.commissionRate });
}

/** Returns the commission model for the given commission settings. */
export function commissionOf(settings: CommissionSettings): CommissionModel {
  switch (settings.model) {
    case 'rate': {
      const rate = Exact.of(settings.rate);
      const free = rate.isZero();
      return {
        takerRate: () => rate,
        commission: (fill) => (free ? EXACT_ZERO : notionalOf(fill).times(rate)),
      };
    }
    case 'fixed': {
      const amount = Exact.of(settings.amount);
      return { takerRate: () => undefined, commission: ({ before }) => amount.minus(before.charged) };
    }
    case 'per-share': {
      const perShare = Exact.of(settings.perShare);
      const minimum = Exact.of(settings.minimum);
      const most = settings.maximumRate === undefined ? undefined : Exact.of(settings.maximumRate);
      return {
        takerRate: () => undefined,
        commission(fill) {
          const { quantity, before } = fill;
          const fee = Exact.max(before.quantity.plus(quantity).times(perShare), minimum);
          if (most === undefined) return fee.minus(before.charged);
          const notional = before.notional.plus(notionalOf(fill));
          return Exact.min(fee, notional.times(most)).minus(before.charged);
        },
      };
    }
    case 'tiered': {
      const tiers = settings.tiers.map(({ from, rate }) => ({ from, rate: Exact.of(rate) }));
      const rateOf = ({ tradedBefore }: FeesSoFar): Exact =>
        (tiers.findLast(({ from }) => tradedBefore >= from) ?? tiers[0]!).rate;
      return {
        takerRate: rateOf,
        commission: (fill) => notionalOf(fill).times(rateOf(fill.before)),
      };
    }
    case 'maker-taker': {
      const maker = Exact.of(settings.maker);
      const taker = Exact.of(settings.taker);
      return {
        takerRate: () => taker,
        commission: (fill) => notionalOf(fill).times(fill.maker ? maker : taker),
      };
    }
  }
}

function notionalOf({ quantity, price, instrument }: CommissionInput): Exact {
  return inMoney(quantity.times(price), instrument);
}

/**
 * Returns leverage × (initial margin + commission) per unit of notional. The initial margin is 1 / leverage,
 * so the result is 1 + rate × leverage.
 */
export function loadOf(rate: Exact, leverage: Exact): Exact {
  return rate.isZero() ? EXACT_ONE : EXACT_ONE.plus(rate.times(leverage));
}

/** Inputs of a slippage model for one fill. */
interface SlippageInput {
  readonly symbol: string;
  readonly buys: boolean;
  /** Price by the fill rules, before slippage. */
  readonly price: Exact;
  readonly quantity: Exact;
  /** Volume of the bar, in units. */
  readonly volume: number;
  /** Quoted spread of the bar, in money per unit. `NaN` if the data has no spread column. */
  readonly spread: number;
}

/**
 * Slippage model. `distance` returns the price move against the trader, in money per unit. It is never
 * negative.
 */
export interface SlippageModel {
  /** True if the model ever moves a price. If false, the run skips all work for slippage. */
  readonly slips: boolean;
  distance(fill: SlippageInput): Exact;
}

const BASIS_POINT = Exact.of('0.0001');
const HALF = Exact.of('0.5');
const HALF_BASIS_POINT = Exact.of('0.00005');

/** Returns the slippage model that a run's settings select. */
export function slippageModel(settings: BrokerSettings): SlippageModel {
  const slippage = settings.slippage ?? { model: 'bps', bps: settings.slippageBps };
  const model = modelOf(slippage);
  if (slippage.model !== 'fixed' && slippage.model !== 'volume-impact') return model;
  const scales = scalesOf(settings);
  if (scales.size === 0) return model;
  const own = new Map(
    [...scales].map(([symbol, scale]) => [symbol, modelOf(scaledSlippage(slippage, scale))]),
  );
  return { ...model, distance: (fill) => (own.get(fill.symbol) ?? model).distance(fill) };
}

function modelOf(settings: SlippageSettings): SlippageModel {
  switch (settings.model) {
    case 'bps':
      return byFraction(Exact.of(settings.bps).times(BASIS_POINT));
    case 'spread':
      if (settings.bps !== undefined) return byFraction(Exact.of(settings.bps).times(HALF_BASIS_POINT));
      return { slips: true, distance: ({ spread }) => Exact.of(spread).times(HALF) };
    case 'fixed': {
      const amount = Exact.of(settings.amount);
      return { slips: !amount.isZero(), distance: () => amount };
    }
    case 'volume-impact': {
      const coefficient = Exact.of(settings.coefficient);
      return {
        slips: settings.coefficient > 0,
        // A bar without volume fills no orders, so the divisor is not zero. The fraction of the volume is
        // rounded to 12 decimal places.
        distance: ({ price, quantity, volume }) =>
          price.times(coefficient).times(quantity.dividedBy(Exact.of(volume)).toDecimalPlaces(12)),
      };
    }
  }
}

function byFraction(fraction: Exact): SlippageModel {
  return { slips: !fraction.isZero(), distance: ({ price }) => price.times(fraction) };
}

type Scale = NonNullable<InstrumentSettings['scale']>;

/**
 * Returns, by symbol, the factors by which the run has multiplied prices and traded value to disguise the
 * data from a model (masking). Empty without masking.
 */
function scalesOf({ instruments }: BrokerSettings): Map<string, Scale> {
  return new Map(
    Object.entries(instruments).flatMap(([symbol, { scale }]) =>
      scale === undefined ? [] : [[symbol, scale]],
    ),
  );
}

/**
 * Converts slippage settings for a symbol whose prices and traded value were multiplied to disguise the data
 * (masking). The slippage then has the same effect as on the original data.
 */
function scaledSlippage(slippage: SlippageSettings, { price, turnover }: Scale): SlippageSettings {
  if (slippage.model === 'fixed') return { ...slippage, amount: digits(slippage.amount * price) };
  if (slippage.model === 'volume-impact')
    return { ...slippage, coefficient: digits(slippage.coefficient * turnover) };
  return slippage;
}

/** Rounds the product of two short decimals to 12 significant digits, which removes float64 errors. */
function digits(value: number): number {
  return Number(value.toPrecision(12));
}

interface Row {
  readonly from: Instant;
  readonly rate: number | undefined;
  readonly available: boolean;
}

/**
 * Availability and fee of shares for short selling by date. Each row of a symbol applies until its next row.
 */
export class BorrowDates {
  readonly #rows: readonly (readonly Row[] | undefined)[];
  readonly #rates: readonly number[];
  readonly #endsBars: boolean;
  #now: Instant = Number.NEGATIVE_INFINITY;

  private constructor(
    rows: readonly (readonly Row[] | undefined)[],
    rates: readonly number[],
    ends: boolean,
  ) {
    this.#rows = rows;
    this.#rates = rates;
    this.#endsBars = ends;
  }

  /** Returns the borrow dates of a run's symbols. `undefined` if no instrument has borrow dates. */
  static of(
    symbols: readonly string[],
    { instruments, financing }: BrokerSettings,
    barTimes: 'start' | 'end' | undefined,
  ): BorrowDates | undefined {
    const terms = symbols.map((symbol) =>
      Object.hasOwn(instruments, symbol) ? instruments[symbol] : undefined,
    );
    if (terms.every((own) => own?.borrow === undefined)) return undefined;
    const rows = terms.map((own) =>
      own?.borrow?.map(({ from, rate, available = true }) => ({
        from: parseInstant(from)!,
        rate,
        available,
      })),
    );
    const rates = terms.map((own) => own?.borrowRate ?? financing.borrowRate ?? 0);
    return new BorrowDates(rows, rates, barTimes === 'end');
  }

  /** Sets the current bar. */
  startBar(time: Instant): void {
    this.#now = time;
  }

  /** True if a symbol can be sold short in the current bar. */
  isAvailable(symbol: number): boolean {
    return this.#rowAt(symbol, this.#now)?.available ?? true;
  }

  /** Returns the annual fee, as a fraction of its value, on a short position open at the end of a bar. */
  rateAt(symbol: number, time: Instant): number {
    return this.#rowAt(symbol, time)?.rate ?? this.#rates[symbol]!;
  }

  #rowAt(symbol: number, time: Instant): Row | undefined {
    // A bar that ends at midnight belongs to the date that ends then.
    const now = this.#endsBars ? time - 1 : time;
    return this.#rows[symbol]?.findLast(({ from }) => from <= now);
  }
}
