import type { Json } from './json.ts';

/** What a mask hides; `shape` changes the market itself. */
export const MASK_KINDS = ['symbols', 'dates', 'prices', 'shape'] as const;
export type MaskKind = (typeof MASK_KINDS)[number];

/** How masks are drawn and undone; one that was drawn in another way cannot be drawn again. */
export const MASK_VERSION = 4;

/** What a run under a mask was shown, and how it is undone; part of its journal's first event, and never shown. */
export interface MaskTerms {
  readonly version: typeof MASK_VERSION;
  readonly kinds: readonly MaskKind[];
  /** Masked name to real name. */
  readonly symbols: Readonly<Record<string, string>>;
  /** Seeds the noise in prices and volumes, and the order of blocks. */
  readonly secret: number;
  /** By masked name, what numbers were multiplied by; left out where prices are shown as they are. */
  readonly scales?: Readonly<Record<string, SymbolScale>>;
  /** Left out where dates are shown as they are. */
  readonly calendar?: MaskCalendar;
  /** The account's currency, where its name is hidden. */
  readonly account?: { readonly name: string; readonly real: string };
  /** By masked name, the other currencies; left out where there are none. */
  readonly currencies?: Readonly<Record<string, CurrencyMask>>;
  /** The settings as they really are. */
  readonly settings: Json;
}

/** Factors as decimal strings. */
export interface SymbolScale {
  /** Of its prices. */
  readonly price: string;
  /** Of its volumes: of the same value at the price, times `turnover`. */
  readonly volume: string;
  /** What the value of a bar's volume is multiplied by: participation is divided by it. */
  readonly turnover: string;
}

/** The times of the market's bars, as they are and as they are shown. */
export interface MaskCalendar {
  readonly real: TimeSteps;
  readonly shown: TimeSteps;
  /** How long a bar lasts, such as `1d`; left out where nobody knows. */
  readonly interval?: string;
  /** Of bars shorter than a day: when, of UTC, every session begins and ends, as `09:00-23:00`. */
  readonly hours?: string;
  readonly barTimes: 'start' | 'end';
}

/** Rising instants: the first, and the steps between them in `unit` milliseconds, `3x4` for four steps of three. */
export interface TimeSteps {
  readonly first: number;
  readonly unit: number;
  readonly steps: string;
}

interface CurrencyMask {
  readonly real: string;
  /** What its rate, account currency a unit, was multiplied by. */
  readonly rateFactor: string;
  /** Masked names of the symbols that are priced in it. */
  readonly symbols: readonly string[];
}
