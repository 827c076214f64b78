import {
  ACCOUNT_CURRENCY,
  currenciesOf,
  MASK_KINDS,
  MASK_VERSION,
  type MaskKind,
  type MaskTerms,
  parseJson,
  type RunSettings,
  readRunSettings,
  type SymbolScale,
} from '../engine/index.ts';
import { createRandom, type Random, shuffled } from '../kernel/index.ts';
import type { BarSeries, Market } from '../market/index.ts';
import { syntheticCalendar } from './time-map.ts';

/** Range of a masked series' first price. It is drawn independently of the real price. */
const LEVELS = [20, 500] as const;
/**
 * Range of the factor by which masking multiplies the traded value per bar. The minimum is 1: with a smaller
 * factor, an order could be larger than the whole masked volume of its bar.
 */
const TURNOVERS = [1, 30] as const;
/** Range of the factor by which masking multiplies exchange rates. */
const RATES = [0.2, 5] as const;

/**
 * Draws a random mask for a market. The same kinds, seed and data result in the same mask.
 *
 * @param market traded symbols, without series that are only used as exchange rates
 * @param context series that are shown but not traded
 */
export function createMask(
  kinds: readonly MaskKind[],
  market: Market,
  seed: number,
  settings: RunSettings = readRunSettings({}),
  context: readonly BarSeries[] = [],
): MaskTerms {
  const hides = (kind: MaskKind): boolean => kinds.includes(kind);
  // The random numbers depend on the data in addition to the seed. Otherwise the default seed would result in
  // a mask that anyone can recreate.
  const random = createRandom(seed, `mask/${[...market.series, ...context].map(markOf).join('/')}`);
  const traded = shownNames(market.symbols, hides('symbols') ? 'S' : undefined, random.fork('names'));
  const beside = shownNames(
    context.map(({ symbol }) => symbol).sort(),
    hides('symbols') ? 'C' : undefined,
    random.fork('context'),
  );
  const symbols = { ...traded, ...beside };
  const currencies = maskedCurrencies(traded, settings, kinds, random.fork('currencies'));
  const { currency } = settings;
  const hidesAccount = hides('symbols') && currency !== undefined && currency !== ACCOUNT_CURRENCY;
  return {
    version: MASK_VERSION,
    kinds: MASK_KINDS.filter(hides),
    symbols,
    secret: random.integer(0, 2 ** 32 - 1),
    ...(hides('prices')
      ? { scales: scalesOf(symbols, [...market.series, ...context], currencies, random) }
      : {}),
    ...(hides('dates') ? { calendar: syntheticCalendar(market, settings, random.fork('dates')) } : {}),
    ...(hidesAccount ? { account: { name: HOME, real: currency } } : {}),
    ...(currencies === undefined ? {} : { currencies }),
    settings: parseJson(JSON.stringify(settings)),
  };
}

function markOf({ symbol, close, volume }: BarSeries): string {
  return [symbol, close.length, close[0], close.at(-1), volume[0], volume.at(-1)].join(',');
}

/** Draws a log-uniform number as a decimal text with `digits` significant digits. */
function drawn([low, high]: readonly [number, number], digits: number, random: Random): string {
  return plain(low * (high / low) ** random.next(), digits);
}

function plain(value: number, digits: number): string {
  return parseFloat(value.toPrecision(digits)).toString();
}

function scalesOf(
  symbols: MaskTerms['symbols'],
  series: readonly BarSeries[],
  currencies: MaskTerms['currencies'],
  random: Random,
): Record<string, SymbolScale> {
  const own = Object.values(currencies ?? {});
  const rateOfSymbol = (name: string): number =>
    Number(own.find(({ symbols: names }) => names.includes(name))?.rateFactor ?? '1');
  return Object.fromEntries(
    Object.entries(symbols).map(([name, real]) => {
      // Random numbers are derived from the real symbol, so that they do not depend on the random order of
      // the masked names.
      const drawing = random.fork(`scale/${real}`);
      const first = series.find(({ symbol }) => symbol === real)?.close.find((price) => price > 0) ?? 100;
      const level = LEVELS[0] * (LEVELS[1] / LEVELS[0]) ** drawing.next();
      const price = plain(level / first, 6);
      const turnover = drawn(TURNOVERS, 3, drawing);
      // One masked unit represents `units` real units, so the volume is divided by `units`.
      const units = Number(price) * rateOfSymbol(name);
      return [name, { price, volume: plain(Number(turnover) / units, 6), turnover }];
    }),
  );
}

/** Masked name of the account's currency. */
const HOME = 'HOME';
const LETTERS = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ';

function maskedCurrencies(
  symbols: MaskTerms['symbols'],
  settings: RunSettings,
  kinds: readonly MaskKind[],
  random: Random,
): MaskTerms['currencies'] {
  const names = Object.keys(symbols);
  const { currency: account = ACCOUNT_CURRENCY } = settings;
  const own = currenciesOf(Object.values(symbols), settings);
  if (own === undefined) return undefined;
  const foreign = shuffled([...new Set(own)].filter((code) => code !== account).sort(), random);
  return Object.fromEntries(
    foreign.map((real, index) => [
      kinds.includes('symbols') ? `CUR${LETTERS[Math.floor(index / 26)]}${LETTERS[index % 26]}` : real,
      {
        real,
        // Each currency has a separate factor, so that the rate between two currencies is also hidden.
        rateFactor: kinds.includes('prices') ? drawn(RATES, 4, random) : '1',
        symbols: names.filter((_, symbol) => own[symbol] === real),
      },
    ]),
  );
}

/**
 * Returns the real symbol for each name that the run uses. The names are masked and in random order. If
 * `letter` is `undefined`, names are not masked: each symbol is its own name.
 */
function shownNames(
  symbols: readonly string[],
  letter: string | undefined,
  random: Random,
): Record<string, string> {
  if (letter === undefined) return Object.fromEntries(symbols.map((symbol) => [symbol, symbol]));
  // The numbers in names are zero-padded to equal length, because the symbols of a market are sorted
  // alphabetically.
  const places = String(symbols.length).length;
  let prefix = letter;
  while (symbols.some((symbol) => symbol.toUpperCase().startsWith(prefix) && /^\w+\d+$/.test(symbol)))
    prefix += 'X';
  return Object.fromEntries(
    shuffled(symbols, random).map((symbol, index) => [
      `${prefix}${String(index + 1).padStart(places, '0')}`,
      symbol,
    ]),
  );
}
