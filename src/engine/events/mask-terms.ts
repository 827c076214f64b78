import type { Json } from '../settings/settings.ts';

/**
 * Kinds of information that a mask hides from a decider. `shape` rearranges the returns of the prices, so
 * that a known price history cannot be recognised.
 */
export const MASK_KINDS = ['symbols', 'dates', 'prices', 'shape'] as const;
export type MaskKind = (typeof MASK_KINDS)[number];

/**
 * Version of the algorithm that creates and undoes masks. A mask of another version cannot be created again.
 */
export const MASK_VERSION = 4;

/**
 * Data of a mask, which replaces real names, dates and prices that a decider sees by masked ones: the masked
 * values, and the data for undoing the mask. Stored in the journal's first event, and never visible to a
 * decider.
 */
export interface MaskTerms {
  readonly version: typeof MASK_VERSION;
  readonly kinds: readonly MaskKind[];
  /** Real name by masked name. */
  readonly symbols: Readonly<Record<string, string>>;
  /**
   * Seed of the random noise in prices and volumes, and of the order of the blocks in which returns are
   * rearranged.
   */
  readonly secret: number;
  /** Factors of each symbol's prices and volumes, by masked name. Omitted if prices are not masked. */
  readonly scales?: Readonly<Record<string, SymbolScale>>;
  /** Real and masked times. Omitted if dates are not masked. */
  readonly calendar?: MaskCalendar;
  /** Masked and real name of the account's currency. Omitted if the name is not masked. */
  readonly account?: { readonly name: string; readonly real: string };
  /** Currencies other than the account's, by masked name. Omitted without such currencies. */
  readonly currencies?: Readonly<Record<string, CurrencyMask>>;
  /** Settings of the run before the mask replaced names, dates and amounts in them. */
  readonly settings: Json;
}

/** Factors by which a mask multiplies the data of a symbol, as decimal strings. */
export interface SymbolScale {
  /** Factor of prices. */
  readonly price: string;
  /** Factor of volumes. Chosen so that the traded value (price × volume) changes by the factor `turnover`. */
  readonly volume: string;
  /**
   * Factor by which the traded value of a bar (price × volume) changes. Shares of a bar's volume, such as
   * participation, are divided by this factor.
   */
  readonly turnover: string;
}

/** Real and masked times of the market's bars. */
export interface MaskCalendar {
  readonly real: TimeSteps;
  readonly shown: TimeSteps;
  /** Length of a bar, such as `1d`. Omitted if unknown. */
  readonly interval?: string;
  /** For bars shorter than a day: start and end of every session in UTC, as `09:00-23:00`. */
  readonly hours?: string;
  readonly barTimes: 'start' | 'end';
}

/**
 * Rising instants: the first one, and the steps in multiples of `unit` milliseconds. `3x4` means four steps
 * of three units.
 */
export interface TimeSteps {
  readonly first: number;
  readonly unit: number;
  readonly steps: string;
}

interface CurrencyMask {
  readonly real: string;
  /** Factor of the currency's exchange rate, in account currency per unit. */
  readonly rateFactor: string;
  /** Masked names of the symbols whose prices are in this currency. */
  readonly symbols: readonly string[];
}
