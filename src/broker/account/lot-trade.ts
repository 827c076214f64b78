import { type Decimal, decimalString, EXACT_ONE, type Exact, type Instant, ONE } from '../../kernel/index.ts';
import { type Contract, inMoney, type Lot, type LotPart, PLACES, priceOf } from './lot.ts';
import type { Trade } from './trade.ts';

/** Exit of a part of a lot, or its current valuation if still open. */
export interface Exit {
  readonly bar: number | null;
  readonly time: Instant | null;
  readonly price: Exact;
  readonly rate: Exact;
  readonly reason: string | null;
  readonly ambiguous?: boolean | undefined;
}

/**
 * Trade whose figures are converted to decimals on request. The bar loop never requests them.
 *
 * A run stores one object per trade. To save memory, the object copies the numbers of the lot part and does
 * not reference the part itself.
 */
export class LotTrade implements Trade {
  readonly id: number;
  readonly symbol: string;
  readonly side: 'long' | 'short';
  readonly entryBar: number;
  readonly entryTime: Instant;
  readonly exitBar: number | null;
  readonly exitTime: Instant | null;
  readonly exitReason: string | null;
  readonly ambiguous: boolean;
  readonly #quantity: Exact;
  readonly #price: Exact;
  readonly #rate: Exact;
  readonly #contract: Contract;
  readonly #paid: Exact | undefined;
  readonly #worth: Exact | undefined;
  readonly #exitPrice: Exact;
  readonly #exitRate: Exact;
  readonly #commission: Exact;

  /**
   * @param commission of entry and exit
   */
  constructor(
    id: number,
    symbol: string,
    side: 'long' | 'short',
    entry: Pick<Lot, 'bar' | 'time' | 'ambiguous'>,
    part: LotPart,
    commission: Exact,
    exit: Exit,
  ) {
    this.id = id;
    this.symbol = symbol;
    this.side = side;
    this.entryBar = entry.bar;
    this.entryTime = entry.time;
    this.exitBar = exit.bar;
    this.exitTime = exit.time;
    this.exitReason = exit.reason;
    this.ambiguous = entry.ambiguous || exit.ambiguous === true;
    // Of a margined position only the profit is converted, at the rate of the exit.
    const { margined } = part.contract;
    this.#quantity = part.quantity;
    this.#price = part.price;
    this.#rate = margined ? exit.rate : part.rate;
    this.#contract = part.contract;
    this.#paid = part.paid;
    this.#worth = margined ? undefined : part.worth;
    this.#exitPrice = exit.price;
    this.#exitRate = exit.rate;
    this.#commission = commission;
  }

  get quantity(): Decimal {
    return this.#quantity.toDecimal();
  }

  get multiplier(): Decimal {
    return this.#contract.multiplier.toDecimal();
  }

  get entryPrice(): Decimal {
    return this.#paid === undefined
      ? this.#price.toDecimal()
      : priceOf(this.#paid, this.#quantity, this.#contract).toDecimalPlaces(PLACES).toDecimal();
  }

  get entryRate(): Decimal {
    if (this.#worth === undefined) return this.#rate.toDecimal();
    const cost = this.#cost();
    return cost.isZero()
      ? this.#rate.toDecimal()
      : this.#worth.dividedBy(cost).toDecimalPlaces(PLACES).toDecimal();
  }

  get exitRate(): Decimal {
    return this.#exitRate.toDecimal();
  }

  get exitPrice(): Decimal {
    return this.#exitPrice.toDecimal();
  }

  get commission(): Decimal {
    return this.#commission.toDecimal();
  }

  get grossPnl(): Decimal {
    return this.#gross().toDecimal();
  }

  get fxPnl(): Decimal {
    return this.#signed(this.#cost().times(this.#exitRate).minus(this.#costInAccount())).toDecimal();
  }

  get netPnl(): Decimal {
    return this.#gross().minus(this.#commission).toDecimal();
  }

  /** Amounts as texts, formatted without creating decimals. */
  get texts(): TradeTexts {
    const gross = this.#gross();
    return {
      quantity: this.#quantity.toString(),
      entryPrice: this.#paid === undefined ? this.#price.toString() : decimalString(this.entryPrice),
      exitPrice: this.#exitPrice.toString(),
      grossPnl: gross.toString(),
      commission: this.#commission.toString(),
      netPnl: gross.minus(this.#commission).toString(),
    };
  }

  /**
   * True if account and instrument have the same currency, or if the exchange rate was 1 at entry and exit.
   */
  get isAtPar(): boolean {
    if (this.#worth === undefined) return this.#rate.equals(EXACT_ONE) && this.#exitRate.equals(EXACT_ONE);
    return this.entryRate.equals(ONE) && this.exitRate.equals(ONE);
  }

  #gross(): Exact {
    const [quantity, contract] = [this.#quantity, this.#contract];
    const isPlain = this.#paid === undefined && this.#worth === undefined;
    if (isPlain && this.#rate === EXACT_ONE && this.#exitRate === EXACT_ONE)
      return inMoney(this.#signed(this.#exitPrice.minus(this.#price)).times(quantity), contract);
    const got = inMoney(quantity.times(this.#exitPrice), contract).times(this.#exitRate);
    return this.#signed(got.minus(this.#costInAccount()));
  }

  #signed(gainWhenLong: Exact): Exact {
    return this.side === 'short' ? gainWhenLong.negated() : gainWhenLong;
  }

  /** Returns the cost of the units in the instrument's currency, without sign. */
  #cost(): Exact {
    return this.#paid ?? inMoney(this.#quantity.abs().times(this.#price), this.#contract);
  }

  #costInAccount(): Exact {
    return this.#worth ?? this.#cost().times(this.#rate);
  }
}

/** Amounts of a trade in plain decimal notation. */
export interface TradeTexts {
  readonly quantity: string;
  readonly entryPrice: string;
  readonly exitPrice: string;
  readonly grossPnl: string;
  readonly commission: string;
  readonly netPnl: string;
}

/** Returns the amounts of a trade in the format of the journal. */
export function tradeTexts(trade: Trade): TradeTexts {
  if (trade instanceof LotTrade) return trade.texts;
  return {
    quantity: decimalString(trade.quantity),
    entryPrice: decimalString(trade.entryPrice),
    exitPrice: decimalString(trade.exitPrice),
    grossPnl: decimalString(trade.grossPnl),
    commission: decimalString(trade.commission),
    netPnl: decimalString(trade.netPnl),
  };
}

/** True if exchange rates had no effect on the profit of a trade because both rates were 1. */
export function isAtPar(trade: Trade): boolean {
  return trade instanceof LotTrade
    ? trade.isAtPar
    : trade.entryRate.equals(ONE) && trade.exitRate.equals(ONE);
}
