import {
  ACCOUNT_CURRENCY,
  currenciesOf,
  MASK_KINDS,
  type MaskKind,
  type MaskTerms,
  parseJson,
  type RunSettings,
  readRunSettings,
} from '../engine/index.ts';
import { AppError, createRandom, DAY, decimal, type Random } from '../kernel/index.ts';
import type { Market } from '../market/index.ts';

const WEEK = 7;
/** Weeks between the real dates and the masked ones, beyond the length of the data, at least and at most. */
const WEEKS_APART = [60, 560] as const;
/** The latest date that pandas can hold is in 2262. */
const LATEST = Date.UTC(2250, 0, 1);

/**
 * Products of twos and fives, of which no division by them goes on for ever: what is masked and unmasked is the same
 * decimal again. None is a power of ten, which would leave the digits as they are.
 */
const FACTORS = [
  '0.128',
  '0.16',
  '0.256',
  '0.3125',
  '0.32',
  '0.512',
  '0.625',
  '0.64',
  '1.28',
  '1.6',
  '2.56',
  '3.125',
  '3.2',
  '5.12',
  '6.25',
  '6.4',
] as const;

/**
 * Draws a mask for a market; the same seed draws the same.
 *
 * @param market of what can be traded, without series that only give rates
 * @param context symbols of the series that are shown and not traded
 * @throws AppError `bad_settings` for sums of money that count in more than one currency, which no one factor hides
 */
export function createMask(
  kinds: readonly MaskKind[],
  market: Market,
  seed: number,
  settings: RunSettings = readRunSettings({}),
  context: readonly string[] = [],
): MaskTerms {
  const random = createRandom(seed, 'mask');
  const price = FACTORS[random.integer(0, FACTORS.length - 1)]!;
  // Never below 1: a share of the volume that orders may take is at most 1 behind the mask too.
  const larger = FACTORS.filter((factor) => Number(factor) > 1);
  const volume = larger[random.integer(0, larger.length - 1)]!;
  const weeks = random.integer(...WEEKS_APART);
  const masksPrices = kinds.includes('prices');
  const masksNames = kinds.includes('symbols');
  const priceFactor = masksPrices ? price : '1';
  const symbols = maskedNames(market.symbols, masksNames);
  const currencies = maskedCurrencies(symbols, settings, {
    hides: masksNames,
    priceFactor,
    random: random.fork('currencies'),
  });
  const { currency } = settings;
  const hidesAccount = masksNames && currency !== undefined && currency !== ACCOUNT_CURRENCY;
  return {
    kinds: MASK_KINDS.filter((kind) => kinds.includes(kind)),
    symbols: { ...symbols, ...maskedNames([...context].sort(), masksNames, 'C') },
    days: kinds.includes('dates') ? shiftOf(market, weeks) : 0,
    priceFactor,
    volumeFactor: masksPrices ? volume : '1',
    ...(hidesAccount ? { account: { name: HOME, real: currency } } : {}),
    ...(currencies === undefined ? {} : { currencies }),
    settings: parseJson(JSON.stringify(settings)),
  };
}

/** What the prices of a symbol were multiplied by. */
export function priceFactorOf({ priceFactor, currencies }: MaskTerms, symbol: string): string {
  for (const one of Object.values(currencies ?? {}))
    if (one.symbols.includes(symbol)) return foreignFactor(priceFactor, one.rateFactor);
  return priceFactor;
}

/** Exact: both are products of twos and fives. */
function foreignFactor(priceFactor: string, rateFactor: string): string {
  return decimal(priceFactor).dividedBy(rateFactor).toString();
}

/** What a masked account's currency is called: a model must not guess a country from it. */
const HOME = 'HOME';
const LETTERS = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ';

function maskedCurrencies(
  symbols: MaskTerms['symbols'],
  settings: RunSettings,
  by: { readonly hides: boolean; readonly priceFactor: string; readonly random: Random },
): MaskTerms['currencies'] {
  const names = Object.keys(symbols);
  const { currency: account = ACCOUNT_CURRENCY } = settings;
  const own = currenciesOf(Object.values(symbols), settings);
  if (own === undefined) return undefined;
  const masksPrices = by.priceFactor !== '1';
  if (masksPrices && new Set(own).size > 1) checkMoney(settings);
  const foreign = [...new Set(own)].filter((code) => code !== account).sort();
  const left = FACTORS.filter((factor) => !isPowerOfTen(foreignFactor(by.priceFactor, factor)));
  return Object.fromEntries(
    foreign.map((real, index) => [
      by.hides ? `CUR${LETTERS[Math.floor(index / 26)]}${LETTERS[index % 26]}` : real,
      {
        real,
        // One factor each: the rate between two of them is hidden too.
        rateFactor: masksPrices ? left.splice(by.random.integer(0, left.length - 1), 1)[0]! : '1',
        symbols: names.filter((_, symbol) => own[symbol] === real),
      },
    ]),
  );
}

/** A factor that would leave the digits as they are. */
function isPowerOfTen(factor: string): boolean {
  return /^1?0*\.?0*1?0*$/.test(factor);
}

/** Money that is written once for instruments of several currencies cannot be multiplied by the factor of each. */
function checkMoney({ commission, slippage }: RunSettings): void {
  const faults = [
    ...(commission?.model === 'fixed' || commission?.model === 'per-share' ? ['commission'] : []),
    ...(slippage?.model === 'fixed' ? ['slippage'] : []),
  ];
  if (faults.length === 0) return;
  throw new AppError({
    code: 'bad_settings',
    message: `A mask of prices hides each currency by its own factor, and the ${faults.join(' and the ')} of this run is one sum of money in all of them.`,
    hint: 'Say it as a rate or in basis points, or leave prices out of --mask.',
  });
}

function maskedNames(symbols: readonly string[], masks: boolean, letter = 'S'): Record<string, string> {
  if (!masks) return Object.fromEntries(symbols.map((symbol) => [symbol, symbol]));
  // Zeros in front keep the order of the market's symbols, which is alphabetical.
  const places = String(symbols.length).length;
  const name = (prefix: string, index: number): string =>
    `${prefix}${String(index + 1).padStart(places, '0')}`;
  let prefix = letter;
  while (symbols.some((symbol) => symbol.toUpperCase().startsWith(prefix) && /^\w+\d+$/.test(symbol))) {
    prefix += 'X';
  }
  return Object.fromEntries(symbols.map((symbol, index) => [name(prefix, index), symbol]));
}

/** Days to add: no masked date is one of the real ones. */
function shiftOf({ clock }: Market, weeks: number): number {
  const first = clock[0] ?? 0;
  const last = clock.at(-1) ?? 0;
  const days = (Math.ceil((last - first) / DAY / WEEK) + weeks) * WEEK;
  return last + days * DAY < LATEST ? days : -days;
}
