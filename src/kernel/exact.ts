import { Decimal as DecimalBase } from 'decimal.js';

/**
 * Money arithmetic.
 *
 * ||  Decimal + Decimal, Decimal − Decimal, Decimal × Decimal   exact (80 significant digits are stored,
 * ||                                                            more than any product of two prices needs)
 * ||  Decimal ÷ Decimal                                         rounded half-even at 80 digits
 * ||  number → Decimal                                          by the shortest decimal form of the number
 * ||  Decimal → number                                          nearest double; for statistics only
 */

/** Decimal class of decimal.js with 80 digits, rounded half-even. */
export const Decimal = DecimalBase.clone({
  precision: 80,
  rounding: DecimalBase.ROUND_HALF_EVEN,
  toExpNeg: -1000,
  toExpPos: 1000,
});
/** Exact decimal. Used for money, quantities, and prices that are multiplied into money. */
export type Decimal = DecimalBase;

export const ZERO: Decimal = new Decimal(0);
export const ONE: Decimal = new Decimal(1);

/**
 * Converts a float64 price or a decimal string to a decimal. A float64 is converted by its shortest decimal
 * form.
 */
export function decimal(value: number | string | Decimal): Decimal {
  return new Decimal(value);
}

/** Returns plain decimal notation, without an exponent and without trailing zeros. */
export function decimalString(value: Decimal): string {
  return value.isZero() ? '0' : value.toString();
}

/**
 * Exact decimal arithmetic for the bar loop.
 *
 * An Exact is an integer mantissa over a power of ten, stored in two float64 numbers. This works while the
 * mantissa is a safe integer, which is true for the cash, prices and commissions of ordinary runs. Operations
 * that would leave this range continue in decimal.js, so only quotients are rounded:
 *
 * ||  Exact + Exact, Exact − Exact, Exact × Exact, comparisons   exact
 * ||  Exact ÷ Exact                                              rounded half-even at 80 digits (decimal.js)
 * ||  toNumber                                                   the nearest double
 *
 * This program computes with `Exact`. The amounts in its public interface are decimal.js Decimals or texts.
 */

const POWERS = Array.from({ length: 23 }, (_, power) => Number(`1e${power}`));
const LARGEST_SCALE = POWERS.length - 1;
/**
 * Number of decimal places tried when a float64 price is converted. Prices with more places are parsed from
 * their text.
 */
const QUICK_SCALE = 10;
/** Number of decimal digits up to which different decimals are always different float64 numbers. */
const QUICK_DIGITS = 15;
const LARGEST_QUICK = 10 ** QUICK_DIGITS - 1;
/** Smallest magnitude of a number that JavaScript formats without an exponent. */
const PLAIN_FROM = 1e-6;
const [MINUS, POINT, ZERO_DIGIT, NINE_DIGIT] = [45, 46, 48, 57];

export type Numeric = Exact | Decimal | number | string;

export class Exact {
  /** Value × 10^scale, a safe integer. Meaningless if `big` is set. */
  readonly mantissa: number;
  readonly scale: number;
  /** The value, if it does not fit into the mantissa. Otherwise `undefined`. */
  readonly big: Decimal | undefined;

  private constructor(mantissa: number, scale: number, big?: Decimal) {
    this.mantissa = mantissa;
    this.scale = scale;
    this.big = big;
  }

  /** Converts a decimal, a decimal text, or a float64 (by its shortest decimal form). */
  static of(value: Numeric): Exact {
    if (value instanceof Exact) return value;
    if (typeof value === 'number') return Exact.#ofNumber(value);
    const quick = typeof value === 'string' ? Exact.#ofPlainText(value) : undefined;
    return quick ?? Exact.#ofDecimal(new Decimal(value));
  }

  /**
   * Parses amounts as journals store them: digits with an optional point. Ten times faster than decimal.js.
   * `undefined` for every other text.
   */
  static #ofPlainText(text: string): Exact | undefined {
    const { length } = text;
    const first = text.charCodeAt(0) === MINUS ? 1 : 0;
    const last = text.charCodeAt(length - 1);
    // 16 characters contain at most 15 digits and a point, so the mantissa is a safe integer.
    if (length - first > QUICK_DIGITS + 1 || length === first || last === POINT) return undefined;
    let mantissa = 0;
    let point = -1;
    for (let at = first; at < length; at++) {
      const code = text.charCodeAt(at);
      if (code === POINT && point < 0 && at > first) point = at;
      else if (code >= ZERO_DIGIT && code <= NINE_DIGIT) mantissa = mantissa * 10 + (code - ZERO_DIGIT);
      else return undefined;
    }
    if (point < 0)
      return mantissa > LARGEST_QUICK ? undefined : new Exact(first === 1 ? 0 - mantissa : mantissa, 0);
    // An `Exact` has no trailing zeros in its fraction. A text that ends in 0 is parsed by the general
    // conversion, which removes the zeros.
    if (last === ZERO_DIGIT) return undefined;
    return new Exact(first === 1 ? 0 - mantissa : mantissa, length - 1 - point);
  }

  static #ofNumber(value: number): Exact {
    if (Number.isSafeInteger(value)) return new Exact(value + 0, 0);
    for (let scale = 1; scale <= QUICK_SCALE; scale++) {
      const mantissa = Math.round(value * POWERS[scale]!);
      // Division of safe integers by a power of ten is correctly rounded, so equality proves the decimal
      // form.
      if (mantissa / POWERS[scale]! === value && Number.isSafeInteger(mantissa))
        return new Exact(mantissa, scale);
    }
    return Exact.#ofDecimal(new Decimal(value));
  }

  static #ofDecimal(value: Decimal): Exact {
    const scale = value.decimalPlaces();
    if (scale <= LARGEST_SCALE) {
      const mantissa = value.times(POWERS[scale]!).toNumber();
      if (Number.isSafeInteger(mantissa)) return new Exact(mantissa + 0, scale);
    }
    return new Exact(0, 0, value);
  }

  /** Returns `mantissa` / 10^`scale`. `mantissa` is a safe integer, `scale` is between 0 and 22. */
  static ofScaled(mantissa: number, scale: number): Exact {
    return new Exact(mantissa + 0, scale);
  }

  plus(other: Exact): Exact {
    if (this.big === undefined && other.big === undefined) {
      if (this.scale === other.scale) {
        const sum = this.mantissa + other.mantissa;
        if (Number.isSafeInteger(sum)) return new Exact(sum, this.scale);
      } else {
        const scale = Math.max(this.scale, other.scale);
        const left = this.mantissa * POWERS[scale - this.scale]!;
        const right = other.mantissa * POWERS[scale - other.scale]!;
        const sum = left + right;
        if (Number.isSafeInteger(left) && Number.isSafeInteger(right) && Number.isSafeInteger(sum)) {
          return new Exact(sum, scale);
        }
      }
    }
    return Exact.#ofDecimal(this.toDecimal().plus(other.toDecimal()));
  }

  minus(other: Exact): Exact {
    return this.plus(other.negated());
  }

  times(other: Exact): Exact {
    if (this.big === undefined && other.big === undefined) {
      const product = this.mantissa * other.mantissa;
      const scale = this.scale + other.scale;
      if (Number.isSafeInteger(product) && scale <= LARGEST_SCALE) return new Exact(product + 0, scale);
    }
    return Exact.#ofDecimal(this.toDecimal().times(other.toDecimal()));
  }

  dividedBy(other: Exact): Exact {
    if (this.big === undefined && other.big === undefined && this.mantissa % other.mantissa === 0) {
      const scale = this.scale - other.scale;
      const mantissa = (this.mantissa / other.mantissa) * POWERS[Math.max(0, -scale)]!;
      if (Number.isSafeInteger(mantissa)) return new Exact(mantissa + 0, Math.max(0, scale));
    }
    return Exact.#ofDecimal(this.toDecimal().dividedBy(other.toDecimal()));
  }

  /** Returns the quotient rounded half-even to `places` decimal places. */
  dividedToPlaces(other: Exact, places: number): Exact {
    const shift = places - this.scale + other.scale;
    if (this.big === undefined && other.big === undefined && shift >= 0 && other.mantissa !== 0) {
      const rounded = Number(
        roundedQuotient(BigInt(this.mantissa) * 10n ** BigInt(shift), BigInt(other.mantissa)),
      );
      if (Number.isSafeInteger(rounded)) return Exact.#withoutZeros(rounded, places);
    }
    return this.dividedBy(other).toDecimalPlaces(places);
  }

  static #withoutZeros(mantissa: number, scale: number): Exact {
    if (mantissa === 0) return new Exact(0, 0);
    let [left, places] = [mantissa, scale];
    for (; places > 0 && left % 10 === 0; places--) left /= 10;
    return new Exact(left, places);
  }

  /** Returns the double nearest to the quotient. */
  quotient(other: Exact): number {
    if (this.big === undefined && other.big === undefined) {
      const above = this.mantissa * POWERS[other.scale]!;
      const below = other.mantissa * POWERS[this.scale]!;
      // A quotient of two safe integers is correctly rounded.
      if (Number.isSafeInteger(above) && Number.isSafeInteger(below)) return above / below;
    }
    return this.toDecimal().dividedBy(other.toDecimal()).toNumber();
  }

  negated(): Exact {
    return this.big === undefined
      ? new Exact(0 - this.mantissa, this.scale)
      : new Exact(0, 0, this.big.negated());
  }

  abs(): Exact {
    return this.isNegative() ? this.negated() : this;
  }

  /** Rounds towards minus infinity. */
  floor(): Exact {
    if (this.big !== undefined) return Exact.#ofDecimal(this.big.floor());
    if (this.scale === 0) return this;
    const unit = POWERS[this.scale]!;
    if (!Number.isSafeInteger(unit)) return new Exact(this.mantissa < 0 ? -1 : 0, 0);
    const rest = this.mantissa % unit;
    return new Exact((this.mantissa - rest) / unit - (rest < 0 ? 1 : 0) + 0, 0);
  }

  /** Rounds half-even to `places` decimal places. */
  toDecimalPlaces(places: number): Exact {
    return this.big === undefined && this.scale <= places
      ? this
      : Exact.#ofDecimal(this.toDecimal().toDecimalPlaces(places));
  }

  /** Returns −1, 0 or 1 if this value is less than, equal to or greater than `other`. */
  compare(other: Exact): number {
    if (this.big === undefined && other.big === undefined) {
      if (this.scale === other.scale) return Math.sign(this.mantissa - other.mantissa);
      const scale = Math.max(this.scale, other.scale);
      const left = this.mantissa * POWERS[scale - this.scale]!;
      const right = other.mantissa * POWERS[scale - other.scale]!;
      if (Number.isSafeInteger(left) && Number.isSafeInteger(right)) return Math.sign(left - right);
    }
    return this.toDecimal().comparedTo(other.toDecimal());
  }

  equals(other: Exact): boolean {
    return this.compare(other) === 0;
  }

  isZero(): boolean {
    return this.big === undefined ? this.mantissa === 0 : this.big.isZero();
  }

  isNegative(): boolean {
    return this.big === undefined ? this.mantissa < 0 : this.big.isNegative() && !this.big.isZero();
  }

  /** True if the value is above zero. */
  isPositive(): boolean {
    return this.big === undefined ? this.mantissa > 0 : this.big.isPositive() && !this.big.isZero();
  }

  toNumber(): number {
    return this.big === undefined ? this.mantissa / POWERS[this.scale]! : this.big.toNumber();
  }

  toDecimal(): Decimal {
    // The decimal is parsed from the digits and an exponent, because a float64 quotient would not be exact.
    if (this.big !== undefined) return this.big;
    return this.scale === 0 ? new Decimal(this.mantissa) : new Decimal(`${this.mantissa}e-${this.scale}`);
  }

  /** Returns plain notation without trailing zeros. */
  toString(): string {
    if (this.big !== undefined) return this.big.toString();
    const { mantissa, scale } = this;
    if (scale === 0) return String(mantissa);
    // Different decimals of up to 15 digits are different float64 numbers, so the shortest form of the
    // float64 is the decimal.
    if (mantissa <= LARGEST_QUICK && mantissa >= -LARGEST_QUICK) {
      const value = mantissa / POWERS[scale]!;
      if (value >= PLAIN_FROM || value <= -PLAIN_FROM || value === 0) return String(value);
    }
    return this.toDecimal().toString();
  }

  static min(left: Exact, right: Exact): Exact {
    return left.compare(right) <= 0 ? left : right;
  }

  static max(left: Exact, right: Exact): Exact {
    return left.compare(right) >= 0 ? left : right;
  }
}

/**
 * Sum of an amount and products of quantities and float64 prices. Used on every bar, so no object is created
 * per addition. The sum is exact while `fits` is true. If `fits` is false, the sum must be computed with
 * `Exact`.
 */
export class RunningSum {
  mantissa = 0;
  scale = 0;
  fits = false;

  start({ mantissa, scale, big }: Exact): void {
    this.mantissa = mantissa;
    this.scale = scale;
    this.fits = big === undefined;
  }

  /**
   * Adds `quantity` × `price`. The price counts by its shortest decimal form.
   *
   * @param places number of decimal places of the price to try first
   * @returns the number of decimal places that were sufficient for the price
   */
  addProduct({ mantissa, scale, big }: Exact, price: number, places: number): number {
    let used = places;
    let units = Math.round(price * POWERS[used]!);
    // Different decimals of up to 15 digits are different float64 numbers. A decimal that equals the price as
    // a float64 is therefore its shortest decimal form.
    while (units / POWERS[used]! !== price && used < QUICK_SCALE) {
      used += 1;
      units = Math.round(price * POWERS[used]!);
    }
    const product = mantissa * units;
    const productScale = scale + used;
    const common = Math.max(this.scale, productScale);
    const isExact =
      big === undefined &&
      units / POWERS[used]! === price &&
      units <= LARGEST_QUICK &&
      units >= -LARGEST_QUICK &&
      common <= LARGEST_SCALE;
    if (!isExact) {
      this.fits = false;
      return places;
    }
    const left = this.mantissa * POWERS[common - this.scale]!;
    const right = product * POWERS[common - productScale]!;
    const sum = left + right;
    this.fits &&= Number.isSafeInteger(left) && Number.isSafeInteger(right) && Number.isSafeInteger(sum);
    this.mantissa = sum;
    this.scale = common;
    return used;
  }
}

/** Returns the quotient rounded half-even to an integer. */
function roundedQuotient(above: bigint, below: bigint): bigint {
  const whole = above / below;
  const rest = above % below;
  if (rest === 0n) return whole;
  const [twice, size] = [2n * (rest < 0n ? -rest : rest), below < 0n ? -below : below];
  if (twice < size || (twice === size && whole % 2n === 0n)) return whole;
  return above < 0n === below < 0n ? whole + 1n : whole - 1n;
}

export const EXACT_ZERO = Exact.of(0);
export const EXACT_ONE = Exact.of(1);
