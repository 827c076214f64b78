import { type InstrumentSettings, multiplierOf } from '../broker/index.ts';
import type { MaskTerms, RunSettings } from '../engine/index.ts';
import { ACCOUNT_CURRENCY, rateOf } from '../engine/index.ts';
import { DAY, decimal, decimalString, formatInstant, parseInstant } from '../kernel/index.ts';
import type { BarSeries } from '../market/index.ts';
import { priceFactorOf } from './mask.ts';

/** A number multiplied by a factor as a decimal; what is no number stays as it is. */
export function scaled(value: number, factor: string): number {
  return factor !== '1' && Number.isFinite(value) ? decimal(value).times(factor).toNumber() : value;
}

/**
 * A run's settings as they mean the same behind a mask: money in masked money, shares of volume in masked volume.
 *
 * @param rates series that a currency's usual pair may name
 */
export function maskSettings(
  settings: RunSettings,
  mask: MaskTerms,
  rates: readonly BarSeries[] = [],
): RunSettings {
  const { priceFactor, volumeFactor, account } = mask;
  const money = (value: number): number => scaled(value, priceFactor);
  const { commission, slippage, risk, tick, currency, evaluateFrom, session } = settings;
  const names = Object.keys(mask.symbols);
  // Prices of the instruments that share a setting share a factor too, or the setting is said for each below.
  const factors = new Set(names.map((name) => priceFactorOf(mask, name)));
  const shared = factors.size === 1 ? [...factors][0]! : priceFactor;
  const price = (value: number): number => scaled(value, shared);
  const { tick: _, ...rest } = settings;
  return {
    ...rest,
    ...(session === undefined ? {} : { session: { ...session, moved: mask.days } }),
    cash: decimalString(decimal(settings.cash).times(priceFactor)),
    ...(commission === undefined ? {} : { commission: maskedCommission(commission, price, money) }),
    ...(slippage === undefined ? {} : { slippage: maskedSlippage(slippage, price, volumeFactor) }),
    ...(tick === undefined || factors.size > 1 ? {} : { tick: price(tick) }),
    ...(settings.participation === undefined
      ? {}
      : { participation: decimal(settings.participation).dividedBy(volumeFactor).toNumber() }),
    instruments: maskedInstruments(settings, mask, factors.size > 1),
    risk: {
      ...risk,
      ...(risk.maxOrderNotional === undefined ? {} : { maxOrderNotional: money(risk.maxOrderNotional) }),
    },
    ...(currency === undefined ? {} : { currency: account?.name ?? currency }),
    ...(evaluateFrom === undefined ? {} : { evaluateFrom: maskedDate(evaluateFrom, mask.days) }),
    currencies: Object.fromEntries(
      Object.entries(mask.currencies ?? {}).map(([name, { real, rateFactor }]) => [
        name,
        maskedRate(name, rateFactor, rateOf(real, settings, rates)),
      ]),
    ),
  };
}

function maskedDate(text: string, days: number): string {
  const instant = parseInstant(text);
  return instant === undefined ? text : formatInstant(instant + days * DAY);
}

function maskedInstruments(
  { instruments, tick, currency: account = ACCOUNT_CURRENCY }: RunSettings,
  mask: MaskTerms,
  ticksDiffer: boolean,
): RunSettings['instruments'] {
  const codes = new Map(Object.entries(mask.currencies ?? {}).map(([name, { real }]) => [real, name]));
  codes.set(account, mask.account?.name ?? account);
  const money = (value: number): number => scaled(value, mask.priceFactor);
  return Object.fromEntries(
    Object.entries(mask.symbols).flatMap(([name, real]) => {
      const terms = Object.hasOwn(instruments, real) ? instruments[real] : undefined;
      const price = (value: number): number => scaled(value, priceFactorOf(mask, name));
      const own = terms?.tick ?? (ticksDiffer ? tick : undefined);
      if (terms === undefined && own === undefined) return [];
      const {
        tick: _,
        minimumNotional,
        tickValue,
        margin,
        commission,
        currency,
        borrow,
        ...rest
      } = terms ?? {};
      return [
        [
          name,
          {
            ...rest,
            ...(own === undefined ? {} : { tick: price(own) }),
            ...(minimumNotional === undefined ? {} : { minimumNotional: price(minimumNotional) }),
            // Rounded with a masked tick, its value would no longer agree with it.
            ...(tickValue === undefined ? {} : { multiplier: multiplierOf(terms ?? {})?.toNumber() }),
            ...(margin === undefined ? {} : { margin: maskedMargin(margin, price) }),
            ...(commission === undefined ? {} : { commission: maskedCommission(commission, price, money) }),
            ...(currency === undefined ? {} : { currency: codes.get(currency) ?? currency }),
            ...(borrow === undefined
              ? {}
              : { borrow: borrow.map((row) => ({ ...row, from: maskedDate(row.from, mask.days) })) }),
          },
        ],
      ];
    }),
  );
}

function maskedMargin(
  { initial, maintenance }: NonNullable<InstrumentSettings['margin']>,
  price: (value: number) => number,
): NonNullable<InstrumentSettings['margin']> {
  return {
    initial: price(initial),
    ...(maintenance === undefined ? {} : { maintenance: price(maintenance) }),
  };
}

/** What the masked series of a currency's rates is called; nobody but the engine sees it. */
export function rateName(currency: string): string {
  return `FX:${currency}`;
}

/** Rates are always a series of their own behind a mask: one that is traded is multiplied by another factor. */
function maskedRate(
  currency: string,
  rateFactor: string,
  { rate, inverse }: { readonly rate: string | number; readonly inverse: boolean },
): RunSettings['currencies'][string] {
  const masked =
    typeof rate === 'number' ? scaled(rate, seriesFactor(rateFactor, inverse)) : rateName(currency);
  return { rate: masked, inverse, tradable: false };
}

/** What the prices of a series of rates are multiplied by: the other way round where the series is. */
export function seriesFactor(rateFactor: string, inverse: boolean): string {
  return inverse ? decimal(1).dividedBy(rateFactor).toString() : rateFactor;
}

function maskedCommission(
  commission: NonNullable<RunSettings['commission']>,
  price: (value: number) => number,
  money: (value: number) => number,
): NonNullable<RunSettings['commission']> {
  switch (commission.model) {
    case 'fixed':
      return { ...commission, amount: price(commission.amount) };
    case 'per-share':
      return {
        ...commission,
        perShare: price(commission.perShare),
        minimum: price(commission.minimum),
      };
    case 'tiered':
      return { ...commission, tiers: commission.tiers.map((tier) => ({ ...tier, from: money(tier.from) })) };
    default:
      return commission;
  }
}

function maskedSlippage(
  slippage: NonNullable<RunSettings['slippage']>,
  price: (value: number) => number,
  volumeFactor: string,
): NonNullable<RunSettings['slippage']> {
  if (slippage.model === 'fixed') return { ...slippage, amount: price(slippage.amount) };
  if (slippage.model === 'volume-impact')
    return { ...slippage, coefficient: scaled(slippage.coefficient, volumeFactor) };
  return slippage;
}
