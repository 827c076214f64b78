import {
  type Decimal,
  decimalString,
  EXACT_ONE,
  EXACT_ZERO,
  Exact,
  type Instant,
  ONE,
} from '../../kernel/index.ts';
import {
  type Contract,
  type ExactFill,
  inMoney,
  type Lot,
  type LotPart,
  PLACES,
  priceOf,
  type SplitRatio,
} from './lot.ts';
import type { Trade } from './trade.ts';

/**
 * Exit of a part of a lot. For a part that is still open: its current valuation. `bar`, `time` and `reason`
 * are then `null`.
 */
interface Exit {
  readonly bar: number | null;
  readonly time: Instant | null;
  readonly price: Exact;
  readonly rate: Exact;
  readonly reason: string | null;
  readonly ambiguous?: boolean | undefined;
}

/**
 * Trade whose exact amounts are converted to `Decimal` objects only when they are read. The bar loop never
 * reads them, which makes runs faster.
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

  /** @param commission sum of entry and exit commission */
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
    // For a margined position, only the profit is converted, at the exchange rate of the exit.
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

  /** Amounts of the trade as texts, formatted without creating `Decimal` objects. */
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
   * True if account and instrument have the same currency, or if the exchange rate was 1 at both entry and
   * exit.
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
interface TradeTexts {
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

/** True if the exchange rate was 1 at entry and at exit, so that it had no effect on the trade's profit. */
export function isAtPar(trade: Trade): boolean {
  return trade instanceof LotTrade
    ? trade.isAtPar
    : trade.entryRate.equals(ONE) && trade.exitRate.equals(ONE);
}

/**
 * Placeholder order number for units that do not fill a whole lot after a split. No order owns these units;
 * they are immediately closed for cash.
 */
export const LEFT_OVER = -1;

/** Open units assigned to the order that opened them. */
export interface Claim {
  readonly orderId: number | undefined;
  /** Quantity without sign. */
  readonly quantity: Exact;
}

/**
 * Assigns whole lots to each order after a split.
 *
 * The units of all orders are placed in a row, oldest order first, and cut at whole lots. Units beyond the
 * last whole lot are assigned to `LEFT_OVER`. Each order may therefore gain or lose less than one lot, and
 * the whole position loses less than one lot.
 *
 * @param claims oldest first, with their quantities after the split
 */
export function wholeLotClaims(claims: readonly Claim[], lot: Exact): Claim[] {
  const result: Claim[] = [];
  let end = EXACT_ZERO;
  let given = EXACT_ZERO;
  for (const { orderId, quantity } of claims) {
    end = end.plus(quantity);
    const whole = end.dividedBy(lot).floor().times(lot);
    if (whole.compare(given) > 0) result.push({ orderId, quantity: whole.minus(given) });
    given = Exact.max(whole, given);
  }
  const left = end.minus(given);
  if (left.isPositive()) result.push({ orderId: LEFT_OVER, quantity: left });
  return result;
}

/**
 * Open units of one symbol and their cost. Closed units are matched first in, first out, or at average cost.
 */
export interface Book {
  readonly symbol: string;
  readonly quantity: Exact;
  /** Signed quantity as a float64. */
  readonly units: number;
  /**
   * Applies a fill. The fill first closes open units of the opposite sign and then opens a position with the
   * remaining units. Returns the closed trades.
   */
  apply(fill: ExactFill, firstTradeId: number): Trade[];
  /** Returns an independent copy. Changes to the copy do not affect this book. */
  copy(): Book;
  /** Returns the open units that an order opened, without sign. */
  openQuantity(orderId: number): Exact;
  /** Returns the orders that opened the open units, with their quantities, oldest first. */
  claims(): readonly Claim[];
  /** Assigns all open units to other orders, oldest first, as if these orders had opened them. */
  assign(claims: readonly Claim[]): void;
  /**
   * Flags the open units that the given orders opened as ambiguous: another possible price path within the
   * bar would have closed these units.
   */
  doubt(orderIds: readonly number[]): void;
  /** Returns the signed cost of the open units before commission, in the instrument's currency. */
  paid(): Exact;
  /** Returns the signed cost of the open units before commission, in the account's currency. */
  costBasis(): Exact;
  /** Returns the average price of the open units in the instrument's currency. */
  averagePrice(): Exact;
  /** Returns the open units as trades valued at `mark`, oldest first. */
  openTrades(mark: Exact, rate: Exact, firstTradeId: number): Trade[];
  /**
   * Applies a split. Quantities change, costs do not.
   *
   * @param lot smallest quantity that can be traded
   * @returns the units beyond the last whole lot, without sign. The book lists them under the order number
   *   `LEFT_OVER`
   */
  split(ratio: SplitRatio, lot: Exact): Exact;
}
