import type { AccountView } from '../account/index.ts';

export interface AccountSnapshot {
  readonly cash: number;
  readonly equity: number;
  readonly positions: Readonly<Record<string, { readonly size: number; readonly avg_price: number }>>;
}

/** Returns the account as agents see it: plain numbers and open positions only. */
export function accountSnapshot(account: AccountView): AccountSnapshot {
  return {
    cash: account.cash.toNumber(),
    equity: account.equity.toNumber(),
    positions: Object.fromEntries(
      account
        .positions()
        .map(({ symbol, quantity, averagePrice }) => [
          symbol,
          { size: quantity.toNumber(), avg_price: averagePrice.toNumber() },
        ]),
    ),
  };
}
