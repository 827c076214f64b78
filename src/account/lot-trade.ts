import { type Decimal, decimalString, EXACT_ONE, type Exact, type Instant, ONE } from '../kernel/index.ts';
import { inMoney } from './contract.ts';
import { type Lot, type LotPart, PLACES, paidFor, priceOf } from './lot.ts';
import type { Trade } from './trade.ts';

/** How a part of a lot ended, or where it stands. */
export interface Exit {
  readonly bar: number | null;
  readonly time: Instant | null;
  readonly price: Exact;
  readonly rate: Exact;
  readonly reason: string | null;
  readonly ambiguous?: boolean | undefined;
}

/** A trade whose figures become decimals when they are asked for: the bar loop never asks. */
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
  readonly #part: LotPart;
  readonly #exitPrice: Exact;
  readonly #exitRate: Exact;
  readonly #commission: Exact;

  /** @param commission of entry and exit */
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
    // Of a margined position the profit alone is converted, at the rate of its exit.
    this.#part = part.contract.margined ? { ...part, rate: exit.rate, worth: undefined } : part;
    this.#exitPrice = exit.price;
    this.#exitRate = exit.rate;
    this.#commission = commission;
  }

  get quantity(): Decimal {
    return this.#part.quantity.toDecimal();
  }

  get multiplier(): Decimal {
    return this.#part.contract.multiplier.toDecimal();
  }

  get entryPrice(): Decimal {
    const { paid, price, quantity, contract } = this.#part;
    return paid === undefined
      ? price.toDecimal()
      : priceOf(paid, quantity, contract).toDecimalPlaces(PLACES).toDecimal();
  }

  get entryRate(): Decimal {
    const { worth, rate } = this.#part;
    if (worth === undefined) return rate.toDecimal();
    const paid = this.#paid();
    return paid.isZero() ? rate.toDecimal() : worth.dividedBy(paid).toDecimalPlaces(PLACES).toDecimal();
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
    return this.#signed(this.#paid().times(this.#exitRate).minus(this.#worth())).toDecimal();
  }

  get netPnl(): Decimal {
    return this.#gross().minus(this.#commission).toDecimal();
  }

  /** The amounts as texts, without a decimal between. */
  get texts(): TradeTexts {
    const gross = this.#gross();
    const { paid, price, quantity } = this.#part;
    return {
      quantity: quantity.toString(),
      entryPrice: paid === undefined ? price.toString() : decimalString(this.entryPrice),
      exitPrice: this.#exitPrice.toString(),
      grossPnl: gross.toString(),
      commission: this.#commission.toString(),
      netPnl: gross.minus(this.#commission).toString(),
    };
  }

  /** Whether the account's currency is the instrument's, or was worth as much at both ends. */
  get isAtPar(): boolean {
    const { worth, rate } = this.#part;
    if (worth === undefined) return rate.equals(EXACT_ONE) && this.#exitRate.equals(EXACT_ONE);
    return this.entryRate.equals(ONE) && this.exitRate.equals(ONE);
  }

  #gross(): Exact {
    const { quantity, price, paid, worth, rate, contract } = this.#part;
    if (paid === undefined && worth === undefined && rate === EXACT_ONE && this.#exitRate === EXACT_ONE)
      return inMoney(this.#signed(this.#exitPrice.minus(price)).times(quantity), contract);
    const got = inMoney(quantity.times(this.#exitPrice), contract).times(this.#exitRate);
    return this.#signed(got.minus(this.#worth()));
  }

  #signed(gainWhenLong: Exact): Exact {
    return this.side === 'short' ? gainWhenLong.negated() : gainWhenLong;
  }

  #paid(): Exact {
    return paidFor(this.#part);
  }

  #worth(): Exact {
    return this.#part.worth ?? this.#paid().times(this.#part.rate);
  }
}

/** A trade's amounts in plain decimal notation. */
export interface TradeTexts {
  readonly quantity: string;
  readonly entryPrice: string;
  readonly exitPrice: string;
  readonly grossPnl: string;
  readonly commission: string;
  readonly netPnl: string;
}

/** The amounts of a trade as the journal has them. */
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

/** Whether exchange rates made nothing of a trade's profit, for there were none. */
export function isAtPar(trade: Trade): boolean {
  return trade instanceof LotTrade
    ? trade.isAtPar
    : trade.entryRate.equals(ONE) && trade.exitRate.equals(ONE);
}
