import type { AccountView } from '../broker/account/index.ts';
import type { Json } from '../engine/index.ts';

/** Returns the contracts of symbols that are not shares. Empty if all symbols are shares. */
export function contractsOf(account: AccountView, symbols: readonly string[]): { readonly contracts?: Json } {
  const contracts = symbols.flatMap((symbol) => {
    const { multiplier, margin } = account.position(symbol);
    if (margin === null && multiplier.equals(1)) return [];
    const terms = {
      multiplier: multiplier.toNumber(),
      ...(margin === null ? {} : { margin: margin.toNumber() }),
    };
    return [[symbol, terms] as const];
  });
  return contracts.length === 0 ? {} : { contracts: Object.fromEntries(contracts) };
}
