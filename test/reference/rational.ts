/** Exact fraction of two big integers. Slow, and rounded only by methods for rounding. */
export class Rational {
  readonly numerator: bigint;
  /** Denominator. Always positive. */
  readonly denominator: bigint;

  constructor(numerator: bigint, denominator = 1n) {
    const sign = denominator < 0n ? -1n : 1n;
    const divisor = greatestCommonDivisor(numerator < 0n ? -numerator : numerator, denominator * sign);
    this.numerator = (numerator * sign) / divisor;
    this.denominator = (denominator * sign) / divisor;
  }

  /** Converts a number, by its shortest decimal form, or a decimal text. */
  static of(value: number | string): Rational {
    const parts = /^\s*([+-]?)(\d*)\.?(\d*)(?:[eE]([+-]?\d+))?\s*$/.exec(String(value));
    if (parts === null || `${parts[2]}${parts[3]}` === '') throw new Error(`not a decimal: ${value}`);
    const [, sign, whole = '', decimals = '', exponent = '0'] = parts;
    const digits = BigInt(`${whole}${decimals}`) * (sign === '-' ? -1n : 1n);
    const power = Number(exponent) - decimals.length;
    return power >= 0
      ? new Rational(digits * 10n ** BigInt(power))
      : new Rational(digits, 10n ** BigInt(-power));
  }

  plus(other: Rational): Rational {
    return new Rational(
      this.numerator * other.denominator + other.numerator * this.denominator,
      this.denominator * other.denominator,
    );
  }

  minus(other: Rational): Rational {
    return this.plus(other.negated());
  }

  times(other: Rational): Rational {
    return new Rational(this.numerator * other.numerator, this.denominator * other.denominator);
  }

  over(other: Rational): Rational {
    return new Rational(this.numerator * other.denominator, this.denominator * other.numerator);
  }

  negated(): Rational {
    return new Rational(-this.numerator, this.denominator);
  }

  abs(): Rational {
    return this.numerator < 0n ? this.negated() : this;
  }

  /** Returns −1, 0 or 1. */
  sign(): number {
    return this.numerator < 0n ? -1 : this.numerator > 0n ? 1 : 0;
  }

  isZero(): boolean {
    return this.numerator === 0n;
  }

  isAbove(other: Rational): boolean {
    return this.minus(other).sign() > 0;
  }

  isBelow(other: Rational): boolean {
    return this.minus(other).sign() < 0;
  }

  equals(other: Rational): boolean {
    return this.minus(other).isZero();
  }

  /** Returns the largest multiple of `step` that is not above this number. */
  downTo(step: Rational): Rational {
    const times = this.over(step);
    const rest = times.numerator % times.denominator;
    const whole = (times.numerator - rest) / times.denominator - (rest < 0n ? 1n : 0n);
    return step.times(new Rational(whole));
  }

  /** Returns the smallest multiple of `step` that is not below this number. */
  upTo(step: Rational): Rational {
    return this.negated().downTo(step).negated();
  }

  toNumber(): number {
    return Number(this.toString());
  }

  /** Returns plain decimal notation, truncated after forty decimal places. */
  toString(): string {
    const places = 40;
    const scaled = (this.abs().numerator * 10n ** BigInt(places)) / this.denominator;
    const digits = String(scaled).padStart(places + 1, '0');
    const decimals = digits.slice(-places).replace(/0+$/, '');
    return `${this.numerator < 0n ? '-' : ''}${digits.slice(0, -places)}${decimals === '' ? '' : `.${decimals}`}`;
  }
}

export const ZERO: Rational = new Rational(0n);
export const ONE: Rational = new Rational(1n);

export const smaller = (left: Rational, right: Rational): Rational => (left.isBelow(right) ? left : right);
export const larger = (left: Rational, right: Rational): Rational => (left.isAbove(right) ? left : right);
export const sum = (values: readonly Rational[]): Rational =>
  values.reduce((total, value) => total.plus(value), ZERO);

function greatestCommonDivisor(left: bigint, right: bigint): bigint {
  while (right !== 0n) [left, right] = [right, left % right];
  return left === 0n ? 1n : left;
}
