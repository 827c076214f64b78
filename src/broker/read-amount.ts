import { decimal, Exact } from '../kernel/index.ts';
import { type Refusal, refusal } from './refusals.ts';
import { type Amount, DECIMAL_TEXT } from './request.ts';

/** Converts an amount to an exact number. `undefined` if it is not a finite number. */
export function readAmount(amount: Amount | undefined): Exact | undefined {
  if (amount === undefined) return undefined;
  if (typeof amount === 'number') return Number.isFinite(amount) ? Exact.of(amount) : undefined;
  // decimal.js also parses hexadecimal and binary texts, which are never intended here.
  if (typeof amount === 'string' && !DECIMAL_TEXT.test(amount)) return undefined;
  try {
    // Only decimal.js recognises NaN, infinities and texts that are not numbers.
    const value = decimal(amount);
    return value.isFinite() ? Exact.of(value) : undefined;
  } catch {
    return undefined;
  }
}

/** Converts a positive price to a float64. `undefined` if rounding would change the price. */
export function priceNumber(price: Exact): number | undefined {
  const value = price.toNumber();
  return Number.isFinite(value) && value > 0 && Exact.of(value).equals(price) ? value : undefined;
}

/** Formats any value for a message. */
export function shown(value: unknown): string {
  if (typeof value === 'string') return value.length <= 60 ? `"${value}"` : `"${value.slice(0, 60)}…"`;
  if (value === null || typeof value !== 'object') return String(value);
  return Array.isArray(value) ? 'a list' : 'an object';
}

/** Returns a rejection in the format of the read functions. */
export function bad(code: Refusal['code'], message: string, remedy: string): { readonly refusal: Refusal } {
  return { refusal: refusal(code, message, remedy) };
}
