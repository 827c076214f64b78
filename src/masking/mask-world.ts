import type { CustomCosts } from '../broker/index.ts';
import type { MaskTerms, RunSettings } from '../engine/index.ts';
import { rateOf } from '../engine/index.ts';
import { DAY, type Decimal, decimal } from '../kernel/index.ts';
import {
  type BarSeries,
  type CorporateAction,
  type DetailBars,
  type FeatureTable,
  keepInterval,
  type Market,
  mapColumns,
  type PointInTimeData,
  trusted,
} from '../market/index.ts';
import { priceFactorOf } from './mask.ts';
import { maskSettings, rateName, scaled, seriesFactor } from './mask-settings.ts';
import { maskFeatures } from './masked-features.ts';
import { maskPointInTime } from './masked-point-in-time.ts';

/** Everything that a run is given and that names, dates or prices are in. */
export interface GivenWorld {
  readonly market: Market;
  readonly settings: RunSettings;
  /** Series that only give exchange rates. */
  readonly rates: readonly BarSeries[];
  readonly actions: readonly CorporateAction[];
  /** What could be known beside the bars. */
  readonly features?: readonly FeatureTable[];
  /** Series that are not traded. */
  readonly context?: readonly BarSeries[];
  /** Documents, fundamentals, and who could be traded when. */
  readonly pointInTime?: PointInTimeData | undefined;
  readonly detail?: DetailBars | undefined;
  readonly costs?: CustomCosts | undefined;
}

/** All of it is seen through a mask. */
export function maskWorld(given: GivenWorld, mask: MaskTerms): GivenWorld {
  const { market, settings, rates, actions, features = [], context = [], pointInTime, detail, costs } = given;
  const known = [...market.series, ...rates, ...context];
  return {
    market: maskMarket(market, mask),
    settings: maskSettings(settings, mask, rates),
    rates: maskRates(given, mask),
    actions: maskActions(actions, mask),
    features: maskFeatures(features, known, mask),
    context: context.map((series) => maskSeries(series, mask)),
    ...(pointInTime === undefined ? {} : { pointInTime: maskPointInTime(pointInTime, known, mask) }),
    ...(detail === undefined ? {} : { detail: detail.seenThrough((series) => maskSeries(series, mask)) }),
    ...(costs === undefined ? {} : { costs: maskCosts(costs, mask) }),
  };
}

/** The market as it is seen through a mask. */
export function maskMarket(market: Market, mask: MaskTerms): Market {
  const series = market.series.map((one) => maskSeries(one, mask));
  // A calendar month that is moved has another length: the bars were found good where they really are.
  return trusted({
    symbols: series.map(({ symbol }) => symbol),
    series,
    clock: mask.days === 0 ? market.clock : market.clock.map((time) => time + mask.days * DAY),
    interval: market.interval,
  });
}

/** A symbol's bars, finer ones too: renamed, moved and multiplied. */
function maskSeries(series: BarSeries, mask: MaskTerms): BarSeries {
  const symbol = maskedName(series.symbol, mask);
  return {
    ...changed(series, mask.days * DAY, priceFactorOf(mask, symbol), mask.volumeFactor),
    symbol,
  };
}

function maskedName(real: string, { symbols }: MaskTerms): string {
  return Object.keys(symbols).find((name) => symbols[name] === real) ?? real;
}

function changed(series: BarSeries, shift: number, priceFactor: string, volumeFactor: string): BarSeries {
  return mapColumns(keepInterval(series), (column) => {
    if (column === series.time) return shift === 0 ? column : column.map((time) => time + shift);
    const factor = column === series.volume ? volumeFactor : priceFactor;
    return factor === '1' ? column : column.map((value) => scaled(value, factor));
  });
}

/** A series for each foreign currency whose rate is no fixed number, named as the masked settings name it. */
function maskRates({ market, settings, rates }: GivenWorld, mask: MaskTerms): BarSeries[] {
  return Object.entries(mask.currencies ?? {}).flatMap(([name, { real, rateFactor }]) => {
    const { rate, inverse } = rateOf(real, settings, rates);
    const series = [...rates, ...market.series].find(({ symbol }) => symbol === rate);
    if (series === undefined) return [];
    const factor = seriesFactor(rateFactor, inverse);
    return [{ ...changed(series, mask.days * DAY, factor, '1'), symbol: rateName(name) }];
  });
}

function maskActions(actions: readonly CorporateAction[], mask: MaskTerms): CorporateAction[] {
  const known = new Set(Object.values(mask.symbols));
  return actions
    .filter(({ symbol }) => known.has(symbol))
    .map((action): CorporateAction => {
      const symbol = maskedName(action.symbol, mask);
      const own = { symbol, time: action.time + mask.days * DAY };
      const money = (amount: string): string => decimal(amount).times(priceFactorOf(mask, symbol)).toString();
      switch (action.kind) {
        case 'dividend':
          return { ...action, ...own, amount: money(action.amount) };
        case 'roll':
          return { ...action, ...own, oldPrice: money(action.oldPrice), newPrice: money(action.newPrice) };
        case 'delisting':
          return { ...action, ...own, ...(action.price === undefined ? {} : { price: money(action.price) }) };
        default:
          return { ...action, ...own };
      }
    });
}

/** A strategy's own costs: they are asked in real terms, and what they answer is masked. */
function maskCosts({ commission, slippage }: CustomCosts, mask: MaskTerms): CustomCosts {
  const realOf = (value: number, factor: string): number => decimal(value).dividedBy(factor).toNumber();
  const nameOf = (symbol: string): string => mask.symbols[symbol] ?? symbol;
  const masked = (answer: number | string | Decimal, symbol: string): number | string | Decimal => {
    const factor = priceFactorOf(mask, symbol);
    // What is no amount of money is left for the broker to refuse in its own words.
    return factor === '1' || !Number.isFinite(Number(answer)) || String(answer).trim() === ''
      ? answer
      : decimal(answer).times(factor);
  };
  return {
    ...(commission === undefined
      ? {}
      : {
          commission: (fill) =>
            masked(
              commission({
                ...fill,
                symbol: nameOf(fill.symbol),
                price: realOf(fill.price, priceFactorOf(mask, fill.symbol)),
                tradedBefore: realOf(fill.tradedBefore, mask.priceFactor),
              }),
              fill.symbol,
            ),
        }),
    ...(slippage === undefined
      ? {}
      : {
          slippage: (fill) =>
            masked(
              slippage({
                ...fill,
                symbol: nameOf(fill.symbol),
                price: realOf(fill.price, priceFactorOf(mask, fill.symbol)),
                volume: realOf(fill.volume, mask.volumeFactor),
              }),
              fill.symbol,
            ),
        }),
  };
}
