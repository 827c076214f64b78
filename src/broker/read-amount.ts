import { decimal, Exact } from '../kernel/index.ts';
import { type Refusal, refusal } from './refusals.ts';
import { type Amount, DECIMAL_TEXT } from './request.ts';

/** An amount as an exact number; undefined where it is none, or not finite. */
export function readAmount(amount: Amount | undefined): Exact | undefined {
  if (amount === undefined) return undefined;
  if (typeof amount === 'number') return Number.isFinite(amount) ? Exact.of(amount) : undefined;
  // decimal.js reads hexadecimal and binary too, which nobody means.
  if (typeof amount === 'string' && !DECIMAL_TEXT.test(amount)) return undefined;
  try {
    // Through a decimal: it alone recognises NaN, infinities and texts that are no number.
    const value = decimal(amount);
    return value.isFinite() ? Exact.of(value) : undefined;
  } catch {
    return undefined;
  }
}

/** A positive price as a float64 whose shortest form it is; undefined where rounding would make it another price. */
export function priceNumber(price: Exact): number | undefined {
  const value = price.toNumber();
  return Number.isFinite(value) && value > 0 && Exact.of(value).equals(price) ? value : undefined;
}

/** A value of any kind as a message can hold it. */
export function shown(value: unknown): string {
  if (typeof value === 'string') return value.length <= 60 ? `"${value}"` : `"${value.slice(0, 60)}…"`;
  if (value === null || typeof value !== 'object') return String(value);
  return Array.isArray(value) ? 'a list' : 'an object';
}

/** A refusal as the readers give it. */
export function bad(code: Refusal['code'], message: string, remedy: string): { readonly refusal: Refusal } {
  return { refusal: refusal(code, message, remedy) };
}
