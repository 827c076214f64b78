import { createRandom, DAY, decimal, decimalString } from '../kernel/index.ts';
import { type BarSeries, type Market, mapColumns } from '../market/index.ts';
import type { RunSettings } from './settings.ts';

/** What a mask hides. */
export const MASK_KINDS = ['symbols', 'dates', 'prices'] as const;
export type MaskKind = (typeof MASK_KINDS)[number];

/** What a run under a mask was told, and how it is undone; part of its journal's first event. */
export interface MaskTerms {
  readonly kinds: readonly MaskKind[];
  /** Masked name to real name. */
  readonly symbols: Readonly<Record<string, string>>;
  /** Days that were added to every date: whole weeks. */
  readonly days: number;
  /** What every price and every amount of money was multiplied by, as a decimal string. */
  readonly priceFactor: string;
  readonly volumeFactor: string;
}

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

/** Draws a mask for a market; the same seed draws the same. */
export function createMask(kinds: readonly MaskKind[], market: Market, seed: number): MaskTerms {
  const random = createRandom(seed, 'mask');
  const price = FACTORS[random.integer(0, FACTORS.length - 1)]!;
  // Never below 1: a share of the volume that orders may take is at most 1 behind the mask too.
  const larger = FACTORS.filter((factor) => Number(factor) > 1);
  const volume = larger[random.integer(0, larger.length - 1)]!;
  const weeks = random.integer(...WEEKS_APART);
  const masksPrices = kinds.includes('prices');
  return {
    kinds: MASK_KINDS.filter((kind) => kinds.includes(kind)),
    symbols: maskedNames(market.symbols, kinds.includes('symbols')),
    days: kinds.includes('dates') ? shiftOf(market, weeks) : 0,
    priceFactor: masksPrices ? price : '1',
    volumeFactor: masksPrices ? volume : '1',
  };
}

function maskedNames(symbols: readonly string[], masks: boolean): Record<string, string> {
  if (!masks) return Object.fromEntries(symbols.map((symbol) => [symbol, symbol]));
  // Zeros in front keep the order of the market's symbols, which is alphabetical.
  const places = String(symbols.length).length;
  const name = (prefix: string, index: number): string =>
    `${prefix}${String(index + 1).padStart(places, '0')}`;
  let prefix = 'S';
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

/** The market as it is seen through a mask. */
export function maskMarket(market: Market, mask: MaskTerms): Market {
  const names = Object.keys(mask.symbols);
  const shift = mask.days * DAY;
  const moved = (times: Float64Array): Float64Array =>
    shift === 0 ? times : times.map((time) => time + shift);
  const series = market.series.map(
    (one, index): BarSeries => ({
      ...mapColumns(one, (column) => {
        if (column === one.time) return moved(column);
        const factor = column === one.volume ? mask.volumeFactor : mask.priceFactor;
        return factor === '1' ? column : column.map((value) => scaled(value, factor));
      }),
      symbol: names[index]!,
    }),
  );
  return { symbols: names, series, clock: moved(market.clock) };
}

function scaled(value: number, factor: string): number {
  return Number.isFinite(value) ? decimal(value).times(factor).toNumber() : value;
}

/** A run's settings as they mean the same behind a mask: money in masked money, shares of volume in masked volume. */
export function maskSettings(settings: RunSettings, mask: MaskTerms): RunSettings {
  const { priceFactor, volumeFactor } = mask;
  const money = (value: number): number => scaled(value, priceFactor);
  const { commission, slippage, risk, tick } = settings;
  const hidden = new Map(Object.entries(mask.symbols).map(([name, real]) => [real, name]));
  return {
    ...settings,
    cash: decimalString(decimal(settings.cash).times(priceFactor)),
    ...(commission === undefined ? {} : { commission: maskedCommission(commission, money) }),
    ...(slippage === undefined ? {} : { slippage: maskedSlippage(slippage, money, volumeFactor) }),
    ...(tick === undefined ? {} : { tick: money(tick) }),
    ...(settings.participation === undefined
      ? {}
      : { participation: decimal(settings.participation).dividedBy(volumeFactor).toNumber() }),
    instruments: Object.fromEntries(
      Object.entries(settings.instruments).map(([symbol, terms]) => [
        hidden.get(symbol) ?? symbol,
        {
          ...terms,
          ...(terms.tick === undefined ? {} : { tick: money(terms.tick) }),
          ...(terms.minimumNotional === undefined ? {} : { minimumNotional: money(terms.minimumNotional) }),
        },
      ]),
    ),
    risk: {
      ...risk,
      ...(risk.maxOrderNotional === undefined ? {} : { maxOrderNotional: money(risk.maxOrderNotional) }),
    },
  };
}

function maskedCommission(
  commission: NonNullable<RunSettings['commission']>,
  money: (value: number) => number,
): NonNullable<RunSettings['commission']> {
  switch (commission.model) {
    case 'fixed':
      return { ...commission, amount: money(commission.amount) };
    case 'per-share':
      return {
        ...commission,
        perShare: money(commission.perShare),
        minimum: money(commission.minimum),
      };
    case 'tiered':
      return { ...commission, tiers: commission.tiers.map((tier) => ({ ...tier, from: money(tier.from) })) };
    default:
      return commission;
  }
}

function maskedSlippage(
  slippage: NonNullable<RunSettings['slippage']>,
  money: (value: number) => number,
  volumeFactor: string,
): NonNullable<RunSettings['slippage']> {
  if (slippage.model === 'fixed') return { ...slippage, amount: money(slippage.amount) };
  if (slippage.model === 'volume-impact')
    return { ...slippage, coefficient: scaled(slippage.coefficient, volumeFactor) };
  return slippage;
}

/** A market with bars after its last one that no run ever walks: whoever shows their values has seen the future. */
export function withCanary(market: Market): Market {
  const series = market.series.map((one): BarSeries => {
    const last = one.time.at(-1) ?? 0;
    return {
      ...mapColumns(one, (column) => {
        const longer = new Float64Array(column.length + CANARY_BARS);
        longer.set(column);
        for (let index = 0; index < CANARY_BARS; index++) {
          longer[column.length + index] =
            column === one.time ? last + (index + 1) * WEEK * DAY : CANARY_VALUE;
        }
        return longer;
      }),
      symbol: one.symbol,
    };
  });
  return { ...market, series };
}

const CANARY_BARS = 3;
/** Price and volume of the bars that must never be seen. */
export const CANARY_VALUE = 91_827_364_509;
