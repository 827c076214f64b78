/**
 * Simple reference account for tests of the ledger, with which it shares no code. Uses exact fractions and
 * lists. Stores only what cannot be calculated again.
 */

/** Rational number in lowest terms. The denominator `bottom` is always positive. */
export class Fraction {
  readonly top: bigint;
  readonly bottom: bigint;

  constructor(top: bigint, bottom = 1n) {
    let [a, b] = [top < 0n ? -top : top, bottom < 0n ? -bottom : bottom];
    while (b !== 0n) [a, b] = [b, a % b];
    const sign = bottom < 0n ? -1n : 1n;
    this.top = (sign * top) / (a === 0n ? 1n : a);
    this.bottom = (sign * bottom) / (a === 0n ? 1n : a);
  }

  /** Parses a number in plain decimal notation. */
  static of(text: string): Fraction {
    const [whole = '0', decimals = ''] = text.split('.');
    return new Fraction(BigInt(whole + decimals), 10n ** BigInt(decimals.length));
  }

  plus(other: Fraction): Fraction {
    return new Fraction(this.top * other.bottom + other.top * this.bottom, this.bottom * other.bottom);
  }

  minus(other: Fraction): Fraction {
    return this.plus(new Fraction(-other.top, other.bottom));
  }

  times(other: Fraction): Fraction {
    return new Fraction(this.top * other.top, this.bottom * other.bottom);
  }

  over(other: Fraction): Fraction {
    return new Fraction(this.top * other.bottom, this.bottom * other.top);
  }

  negated(): Fraction {
    return new Fraction(-this.top, this.bottom);
  }

  abs(): Fraction {
    return this.top < 0n ? this.negated() : this;
  }

  sign(): number {
    return this.top === 0n ? 0 : this.top < 0n ? -1 : 1;
  }

  less(other: Fraction): boolean {
    return this.minus(other).sign() < 0;
  }

  floor(): Fraction {
    const quotient = this.top / this.bottom;
    return new Fraction(this.top < 0n && quotient * this.bottom !== this.top ? quotient - 1n : quotient);
  }

  /** Rounds to a number of decimal places. A tie is rounded to the even digit. */
  rounded(places: number): Fraction {
    const unit = new Fraction(10n ** BigInt(places));
    const scaled = this.times(unit);
    const down = scaled.floor();
    const twice = scaled.minus(down).times(new Fraction(2n)).minus(new Fraction(1n)).sign();
    const up = twice > 0 || (twice === 0 && down.top % 2n !== 0n);
    return (up ? down.plus(new Fraction(1n)) : down).over(unit);
  }

  toNumber(): number {
    return Number((this.top * 10n ** 15n) / this.bottom) / 1e15;
  }
}

const ZERO = new Fraction(0n);
const least = (a: Fraction, b: Fraction): Fraction => (a.less(b) ? a : b);

interface Parcel {
  order: number;
  /** Always positive, also for short positions. */
  units: Fraction;
  /** Cost per unit in the account's currency. For a position on margin, in the currency of the instrument. */
  cost: Fraction;
}

class Holding {
  parcels: Parcel[] = [];
  side = 0;
  mark = ZERO;
  rate = new Fraction(1n);
  /** Value of a price change of 1 for one unit, in the instrument's currency. */
  readonly point: Fraction;
  readonly margined: boolean;

  constructor({ point, margined }: NaiveContract) {
    this.point = point;
    this.margined = margined;
  }

  /**
   * Returns the cost of one unit at a price. For a position on margin, in the instrument's currency,
   * otherwise in the account's currency.
   */
  costOf(price: Fraction): Fraction {
    const money = price.times(this.point);
    return this.margined ? money : money.times(this.rate);
  }

  /** Returns the gain of units at a price, in the account's currency. `cost`: cost per unit. */
  gain(units: Fraction, cost: Fraction, price: Fraction): Fraction {
    const gain = this.costOf(price).minus(cost).times(units);
    const signed = this.side < 0 ? gain.negated() : gain;
    return this.margined ? signed.times(this.rate) : signed;
  }

  get unrealised(): Fraction {
    return this.parcels.reduce((sum, { units, cost }) => sum.plus(this.gain(units, cost, this.mark)), ZERO);
  }

  get units(): Fraction {
    const sum = this.parcels.reduce((total, { units }) => total.plus(units), ZERO);
    return this.side < 0 ? sum.negated() : sum;
  }

  get value(): Fraction {
    return this.margined ? this.unrealised : this.units.times(this.costOf(this.mark));
  }
}

export interface NaiveFill {
  readonly order: number;
  readonly closes: number | undefined;
  /** Positive for a purchase, negative for a sale. */
  readonly units: Fraction;
  readonly price: Fraction;
  readonly commission: Fraction;
}

export interface NaiveContract {
  readonly point: Fraction;
  readonly margined: boolean;
}

const SHARE: NaiveContract = { point: new Fraction(1n), margined: false };

export class NaiveAccount {
  readonly holdings: readonly Holding[];
  readonly #average: boolean;
  cash: Fraction;
  /** Realised gain of all closed units, before commission. */
  realised = ZERO;
  #carried: { readonly free: Fraction; readonly shorts: readonly Fraction[] } | undefined;

  constructor(count: number, cash: Fraction, average: boolean, contracts: readonly NaiveContract[] = []) {
    this.holdings = Array.from({ length: count }, (_, index) => new Holding(contracts[index] ?? SHARE));
    this.cash = cash;
    this.#average = average;
  }

  get equity(): Fraction {
    return this.holdings.reduce((sum, holding) => sum.plus(holding.value), this.cash);
  }

  unrealised(index: number): Fraction {
    return this.holdings[index]!.unrealised;
  }

  open(index: number, order: number): Fraction {
    const own = this.holdings[index]!.parcels.filter((parcel) => parcel.order === order);
    return own.reduce((sum, { units }) => sum.plus(units), ZERO);
  }

  fill(index: number, { order, closes, units, price, commission }: NaiveFill): void {
    const holding = this.holdings[index]!;
    this.cash = this.cash.minus(commission.times(holding.rate));
    if (!holding.margined) this.cash = this.cash.minus(units.times(holding.costOf(price)));
    let left = units.abs();
    if (holding.side !== 0 && holding.side !== units.sign()) left = this.#close(holding, left, price, closes);
    if (left.sign() === 0) return;
    holding.side = units.sign();
    holding.parcels.push({ order, units: left, cost: holding.costOf(price) });
    this.#pool(holding);
  }

  #close(holding: Holding, wanted: Fraction, price: Fraction, closes: number | undefined): Fraction {
    let left = wanted;
    while (left.sign() > 0 && holding.parcels.length > 0) {
      const own = holding.parcels.findIndex(({ order }) => order === closes);
      const parcel = holding.parcels[Math.max(own, 0)]!;
      const taken = least(parcel.units, left);
      this.#realise(holding, holding.gain(taken, parcel.cost, price));
      parcel.units = parcel.units.minus(taken);
      left = left.minus(taken);
      holding.parcels = holding.parcels.filter((one) => one.units.sign() > 0);
    }
    if (holding.parcels.length === 0) holding.side = 0;
    return left;
  }

  #realise({ margined }: Holding, gain: Fraction): void {
    this.realised = this.realised.plus(gain);
    if (margined) this.cash = this.cash.plus(gain);
  }

  /** With average cost, all parcels of a position have the same cost per unit. */
  #pool(holding: Holding): void {
    if (!this.#average) return;
    const total = holding.parcels.reduce((sum, { units, cost }) => sum.plus(units.times(cost)), ZERO);
    const cost = total.over(holding.units.abs());
    for (const parcel of holding.parcels) parcel.cost = cost;
  }

  /**
   * Splits a position: each unit becomes `ratio` units. Whole lots are assigned to the parcels in order, and
   * the rest is sold at `price`.
   */
  split(index: number, ratio: Fraction, lot: Fraction, price: Fraction): void {
    const holding = this.holdings[index]!;
    if (holding.side === 0) return;
    const old = holding.parcels.map((parcel) => ({
      ...parcel,
      units: parcel.units.times(ratio),
      cost: parcel.cost.over(ratio),
    }));
    let end = ZERO;
    const owners = old.map(({ order, units }) => {
      end = end.plus(units);
      return { order, until: end.over(lot).floor().times(lot) };
    });
    const whole = owners.at(-1)!.until;
    const rest = end.rounded(12).minus(whole);
    let at = ZERO;
    const parcels: Parcel[] = [];
    for (const { units, cost } of old) {
      const stop = at.plus(units);
      while (at.less(stop)) {
        const owner = owners.find(({ until }) => at.less(until));
        const next = owner === undefined ? stop : least(stop, owner.until);
        if (owner === undefined) {
          this.#realise(holding, holding.gain(next.minus(at), cost, price));
        } else parcels.push({ order: owner.order, units: next.minus(at), cost });
        at = next;
      }
    }
    const paid = holding.margined ? ZERO : rest.times(holding.costOf(price));
    this.cash = holding.side < 0 ? this.cash.minus(paid) : this.cash.plus(paid);
    holding.parcels = parcels;
    if (parcels.length === 0) holding.side = 0;
  }

  dividend(index: number, perUnit: Fraction): Fraction {
    const holding = this.holdings[index]!;
    const amount = holding.units.times(perUnit).times(holding.point).times(holding.rate);
    this.cash = this.cash.plus(amount);
    return amount;
  }

  /**
   * Charges interest and borrow fees for a number of days on the balances of the previous close. Returns the
   * sum, negative for a charge.
   */
  close(days: Fraction, credit: Fraction, debit: Fraction, borrow: readonly Fraction[]): Fraction {
    let sum = ZERO;
    if (this.#carried !== undefined) {
      const { free, shorts } = this.#carried;
      const years = days.over(new Fraction(365n));
      const rate = free.sign() > 0 ? credit : debit;
      sum = free.times(rate).times(years).rounded(8);
      shorts.forEach((value, index) => {
        sum = sum.minus(value.times(borrow[index]!).times(years).rounded(8));
      });
    }
    this.cash = this.cash.plus(sum);
    const shorts = this.holdings.map(({ side, value, margined }) =>
      side < 0 && !margined ? value.negated() : ZERO,
    );
    // Gains of positions on margin count as cash.
    const made = this.holdings.reduce(
      (sum, { value, margined }) => (margined ? sum.plus(value) : sum),
      this.cash,
    );
    this.#carried = { free: shorts.reduce((free, value) => free.minus(value), made), shorts };
    return sum;
  }
}
