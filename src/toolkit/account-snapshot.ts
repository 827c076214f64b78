import type { AccountView } from '../broker/account/index.ts';
import { type BarContext, type Json, knownBeside } from '../engine/index.ts';
import type { PublishedTable } from '../sandbox/index.ts';

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

/**
 * Data other than bars and features that Python code may read. Contains only published data of kinds that the
 * run has.
 */
export interface Published {
  /** Part of the request: number of published rows of each table, and the members of the universe. */
  readonly request: {
    readonly published?: Readonly<Record<string, number>>;
    readonly universe?: readonly string[];
  };
  /** Tables for a process that has not received the rows yet. */
  readonly tables: readonly PublishedTable[];
}

/**
 * @param isAsked returns true if the code may call the function with this name; other tables are not sent
 */
export function publishedRequest(turn: BarContext, isAsked: (name: string) => boolean): Published {
  const { fundamentals, universe, documents } = knownBeside(turn);
  const tables: PublishedTable[] = [];
  if (fundamentals !== undefined && isAsked('fundamentals')) {
    const rowAt = (row: number): readonly Json[] => {
      const { symbol, field, periodEnd, availableAt, value } = fundamentals.rowAt(row);
      return [symbol, field, periodEnd, availableAt, value];
    };
    tables.push({ name: 'fundamentals', length: fundamentals.length, rowAt });
  }
  if (documents !== undefined && isAsked('documents')) {
    const rowAt = (row: number): readonly Json[] => {
      const { id, availableAt, symbols, source, kind, title, text } = documents.documentAt(row);
      return [id, availableAt, [...symbols], source, kind, title, text];
    };
    tables.push({ name: 'documents', length: documents.length, rowAt });
  }
  const published = Object.fromEntries(tables.map(({ name, length }) => [name, length]));
  return {
    request: {
      ...(tables.length === 0 ? {} : { published }),
      ...(universe !== undefined && isAsked('universe') ? { universe: [...universe()] } : {}),
    },
    tables,
  };
}
