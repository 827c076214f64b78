import { firstBarFrom, MASK_VERSION, type MaskTerms } from '../engine/index.ts';
import {
  AppError,
  DAY,
  decimal,
  decimalString,
  formatInstant,
  type Instant,
  parseInstant,
} from '../kernel/index.ts';
import { CalendarMap } from './time-map.ts';

/**
 * Meaning of an instant: `stamps` for the time stamp of a bar, `ends` for the end of a bar, `inside` for any
 * instant within a bar. Selects the map of `CalendarMap` that converts the instant.
 */
export type TimeKind = 'stamps' | 'ends' | 'inside';

/** Conversions between real and masked values. Supports masks of all versions, including older journals. */
export interface MaskView {
  readonly terms: MaskTerms;
  /** Real name by masked name. */
  readonly symbols: Readonly<Record<string, string>>;
  /** Masked name by real name. */
  readonly names: ReadonlyMap<string, string>;
  /**
   * Returns the factor of a symbol's prices, by its masked name: masked price = real price × factor. '1' if
   * prices are not masked.
   */
  price(symbol: string): string;
  volume(symbol: string): string;
  /** Returns the number of real units per masked unit. */
  units(symbol: string): string;
  /**
   * Returns the factor of the exchange rate of a symbol's currency: masked rate = real rate × factor. '1' if
   * the rate is not masked.
   */
  rate(symbol: string): string;
  /**
   * Factor of all amounts in the account's currency: masked amount = real amount × factor. '1' except for
   * masks of version 1.
   */
  readonly money: string;
  shown(time: Instant, kind?: TimeKind): Instant;
  real(time: Instant, kind?: TimeKind): Instant;
  readonly calendar: CalendarMap | undefined;
}

/**
 * Mask of version 1, as recorded in older journals: one factor for all prices and money, and one shift for
 * all dates.
 */
interface FirstMask {
  readonly version?: undefined;
  readonly symbols: Readonly<Record<string, string>>;
  readonly days: number;
  readonly priceFactor: string;
  readonly volumeFactor: string;
  readonly currencies?: MaskTerms['currencies'];
}

const views = new WeakMap<object, MaskView>();

/**
 * Returns the conversions of a recorded mask.
 *
 * @returns `undefined` if the value is not a mask of a supported version
 */
export function viewOf(mask: unknown): MaskView | undefined {
  if (typeof mask !== 'object' || mask === null || !('symbols' in mask)) return undefined;
  const known = views.get(mask);
  if (known !== undefined) return known;
  const view =
    'version' in mask
      ? viewOfTerms(mask as MaskTerms)
      : 'priceFactor' in mask
        ? viewOfFirst(mask as FirstMask)
        : undefined;
  if (view !== undefined) views.set(mask, view);
  return view;
}

/** Returns the conversions of a mask of the current version. */
export function maskView(mask: MaskTerms): MaskView {
  return viewOf(mask)!;
}

/**
 * Throws if the mask of a recorded run has a version other than the current one. This version of Sandtable
 * cannot recreate such a mask, so the run cannot be repeated.
 *
 * @throws AppError `other_mask`
 */
export function checkMaskVersion(started: object, file: string): void {
  const { mask } = started as { readonly mask?: { readonly version?: unknown } };
  if (mask === undefined || mask.version === MASK_VERSION) return;
  throw new AppError({
    code: 'other_mask',
    message: `${file} was recorded behind a mask of version ${String(mask.version ?? 1)}, and this version draws masks of version ${MASK_VERSION}. Its decisions belong to other prices and dates.`,
    hint: 'Its report and trace can be read. Start a new run, or resume and replay it with the version in its manifest.',
  });
}

function viewOfTerms(terms: MaskTerms): MaskView {
  const { symbols, scales, calendar } = terms;
  const map = calendar === undefined ? undefined : new CalendarMap(calendar);
  const rates = ratesOf(terms.currencies);
  const rate = (symbol: string): string => rates.get(symbol) ?? '1';
  const price = (symbol: string): string => scales?.[symbol]?.price ?? '1';
  return {
    terms,
    symbols,
    names: namesOf(symbols),
    price,
    volume: (symbol) => scales?.[symbol]?.volume ?? '1',
    units: (symbol) => decimalString(decimal(price(symbol)).times(rate(symbol))),
    rate,
    money: '1',
    shown: (time, kind = 'stamps') => map?.[kind].shown(time) ?? time,
    real: (time, kind = 'stamps') => map?.[kind].real(time) ?? time,
    calendar: map,
  };
}

function viewOfFirst(mask: FirstMask): MaskView {
  const { symbols, days, priceFactor, volumeFactor } = mask;
  const rates = ratesOf(mask.currencies);
  const rate = (symbol: string): string => rates.get(symbol) ?? '1';
  return {
    terms: mask as unknown as MaskTerms,
    symbols,
    names: namesOf(symbols),
    price: (symbol) => decimal(priceFactor).dividedBy(rate(symbol)).toString(),
    volume: () => volumeFactor,
    units: () => '1',
    rate,
    money: priceFactor,
    shown: (time) => time + days * DAY,
    real: (time) => time - days * DAY,
    calendar: undefined,
  };
}

function namesOf(symbols: MaskTerms['symbols']): Map<string, string> {
  return new Map(Object.entries(symbols).map(([name, real]) => [real, name]));
}

function ratesOf(currencies: MaskTerms['currencies']): Map<string, string> {
  return new Map(
    Object.values(currencies ?? {}).flatMap(({ symbols, rateFactor }) =>
      symbols.map((symbol) => [symbol, rateFactor] as const),
    ),
  );
}

/** Converts a real day in a text to the masked day of its bar. If the day has no bar, uses the next bar. */
export function shownDay(day: Instant, view: MaskView): Instant {
  const { calendar } = view;
  if (calendar === undefined) return view.shown(day);
  const bar = firstBarFrom(calendar.real, day);
  const shown = calendar.shown[bar] ?? view.shown(day);
  return Math.floor((bar === 0 ? view.shown(day) : shown) / DAY) * DAY;
}

/** Converts a masked date to the real date. Returns texts that are not dates unchanged. */
export function realDate(text: string, view: MaskView, kind: TimeKind = 'stamps'): string {
  const instant = parseInstant(text);
  return instant === undefined ? text : formatInstant(view.real(instant, kind));
}

/** Converts a real date to the masked date. Returns texts that are not dates unchanged. */
export function shownDate(text: string, view: MaskView, kind: TimeKind = 'stamps'): string {
  const instant = parseInstant(text);
  return instant === undefined ? text : formatInstant(view.shown(instant, kind));
}
