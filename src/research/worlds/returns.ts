import type { SymbolBase } from './base.ts';

/**
 * Returns logarithmic close-to-close returns, adjusted for splits and dividends, at the given instants of the
 * clock.
 */
export function logReturns({ barAt, gap, close }: SymbolBase, instants: Int32Array): Float64Array {
  return Float64Array.from(instants, (at) => {
    const bar = barAt[at]!;
    return Math.log(gap[bar]! * close[bar]!);
  });
}
