import type { Json } from './json.ts';

/** What a mask hides. */
export const MASK_KINDS = ['symbols', 'dates', 'prices'] as const;
export type MaskKind = (typeof MASK_KINDS)[number];

/** What a run under a mask was shown, and how it is undone; part of its journal's first event. */
export interface MaskTerms {
  readonly kinds: readonly MaskKind[];
  /** Masked name to real name. */
  readonly symbols: Readonly<Record<string, string>>;
  /** Days that were added to every date: whole weeks. */
  readonly days: number;
  /** What every amount of the account's money and every price in it was multiplied by, as a decimal string. */
  readonly priceFactor: string;
  readonly volumeFactor: string;
  /** The account's currency, where its name is hidden. */
  readonly account?: { readonly name: string; readonly real: string };
  /** By masked name, the other currencies; left out where there are none. */
  readonly currencies?: Readonly<Record<string, CurrencyMask>>;
  /** The settings as they really are. Journals of before had none. */
  readonly settings?: Json;
}

interface CurrencyMask {
  readonly real: string;
  /** What its rate, account currency a unit, was multiplied by; its prices by `priceFactor` over this. */
  readonly rateFactor: string;
  /** Masked names of the symbols that are priced in it. */
  readonly symbols: readonly string[];
}
