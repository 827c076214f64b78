import { AppError, describeValue } from '../kernel/index.ts';

/**
 * Returns the index of a symbol in the market.
 *
 * @throws AppError `unknown_symbol` if the market does not contain the symbol
 */
export function symbolIndex(given: string, symbols: readonly string[]): number {
  const index = symbols.indexOf(given);
  if (index >= 0) return index;
  throw new AppError({
    code: 'unknown_symbol',
    message:
      typeof given === 'string'
        ? `There is no symbol ${given} in this market.`
        : `account.position and account.units take the name of a symbol, and were given ${describeValue(given)}.`,
    hint: `Use one of: ${symbols.join(', ')}.`,
  });
}
