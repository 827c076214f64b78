import type { MaskTerms, RunSettings } from '../engine/index.ts';
import { decimal } from '../kernel/index.ts';
import { type BarSeries, type CorporateAction, type Market, type Roll, trusted } from '../market/index.ts';
import type { GivenWorld } from './given-world.ts';
import { maskSettings } from './mask-settings.ts';
import { type MaskView, maskView } from './mask-view.ts';
import { maskCosts } from './masked-costs.ts';
import { maskFeatures } from './masked-features.ts';
import { maskPointInTime } from './masked-point-in-time.ts';
import { maskRates } from './masked-rates.ts';
import { maskBeside, maskSeries, shownDividend, shownPrice } from './masked-series.ts';
import { checkShape, otherMarket, otherShape } from './shape.ts';

/** Applies a mask to all inputs of a run. */
export function maskWorld(given: GivenWorld, mask: MaskTerms): GivenWorld {
  const { settings, rates, actions, features = [], context = [], pointInTime, detail, costs } = given;
  const view = maskView(mask);
  const changes = mask.kinds.includes('shape');
  if (changes) checkShape(given);
  const market = changes ? otherMarket(given.market, mask.secret) : given.market;
  const known = [...market.series, ...rates, ...context];
  const shown = maskMarket(market, mask, settings);
  const order = shown.symbols.map((name) => market.symbols.indexOf(view.symbols[name] ?? name));
  const finer = (series: BarSeries): BarSeries => {
    const like = market.series.find(({ symbol }) => symbol === series.symbol) ?? series;
    return maskSeries(series, view, { like, tick: tickOf(settings, series.symbol), times: 'inside' });
  };
  return {
    market: shown,
    settings: maskSettings(settings, mask, rates, shown.symbols),
    rates: maskRates(given.market, shown.clock, given, view),
    actions: maskActions(actions, view, { market, shown, settings }),
    features: maskFeatures(changes ? [] : features, known, given, mask),
    context: context.map((series) => maskBeside(changes ? otherShape(series, mask.secret) : series, view)),
    ...(pointInTime === undefined ? {} : { pointInTime: maskPointInTime(pointInTime, known, given, mask) }),
    ...(detail === undefined ? {} : { detail: detail.seenThrough(finer, order) }),
    ...(costs === undefined ? {} : { costs: maskCosts(costs, view) }),
    ...(view.calendar === undefined ? {} : { interestClock: market.clock }),
  };
}

function tickOf({ instruments, tick }: RunSettings, symbol: string): number | undefined {
  return (Object.hasOwn(instruments, symbol) ? instruments[symbol]?.tick : undefined) ?? tick;
}

/** Applies a mask to a market. */
export function maskMarket(
  market: Market,
  mask: MaskTerms,
  settings: Pick<RunSettings, 'instruments' | 'tick'> = { instruments: {} },
): Market {
  const view = maskView(mask);
  const series = market.series
    .map((one) => maskSeries(one, view, { tick: tickOf(settings as RunSettings, one.symbol) }))
    .sort((a, b) => (a.symbol < b.symbol ? -1 : 1));
  // The real bars have already been checked.
  return trusted({
    symbols: series.map(({ symbol }) => symbol),
    series,
    clock: view.calendar?.shown ?? market.clock,
    interval: market.interval,
  });
}

/** Real market and masked market. */
interface Markets {
  readonly market: Market;
  readonly shown: Market;
  readonly settings: RunSettings;
}

function maskActions(
  actions: readonly CorporateAction[],
  view: MaskView,
  markets: Markets,
): CorporateAction[] {
  return actions.flatMap((action): CorporateAction[] => {
    const symbol = view.names.get(action.symbol);
    const real = markets.market.series.find((series) => series.symbol === action.symbol);
    if (symbol === undefined || real === undefined) return [];
    const tick = tickOf(markets.settings, action.symbol);
    const own = { symbol, time: view.calendar?.inForce(action.time) ?? action.time };
    switch (action.kind) {
      case 'dividend':
        return [{ ...action, ...own, amount: shownDividend(action.amount, real, view, tick) }];
      case 'roll':
        return maskRoll(action, view, markets);
      case 'funding':
        return [{ ...action, symbol, time: view.shown(action.time, 'inside') }];
      case 'delisting':
        return [
          {
            ...action,
            ...own,
            ...(action.price === undefined ? {} : { price: shownPrice(action.price, real, view, tick) }),
          },
        ];
      default:
        return [{ ...action, ...own }];
    }
  });
}

/**
 * Masks a roll. Its new price becomes the open of its masked bar. Its old price is masked like a price of
 * that bar. The ratio of both is therefore not the real ratio.
 */
function maskRoll(roll: Roll, view: MaskView, { market, shown, settings }: Markets): Roll[] {
  const real = market.series.find(({ symbol }) => symbol === roll.symbol);
  const bar = real?.time.findIndex((time) => time >= roll.time) ?? -1;
  const symbol = view.names.get(roll.symbol)!;
  const masked = shown.series.find((series) => series.symbol === symbol);
  // A roll before the end of the first bar is over, and one after the last bar never happens.
  if (masked === undefined || real === undefined || bar <= 0) return [];
  return [
    {
      ...roll,
      ...contractsOf(roll, symbol, view),
      symbol,
      time: masked.time[bar]!,
      oldPrice: shownPrice(roll.oldPrice, real, view, tickOf(settings, roll.symbol)),
      // Exactly the open, because the real price was the open except for rounding.
      ...(view.terms.scales === undefined ? {} : { newPrice: decimal(masked.open[bar]!).toFixed() }),
    },
  ];
}

/** Replaces the names of contracts, which contain symbol and date. */
function contractsOf(roll: Roll, symbol: string, { calendar }: MaskView): Partial<Roll> {
  if (symbol === roll.symbol && calendar === undefined) return {};
  return { oldContract: `${symbol} before`, newContract: `${symbol} after` };
}
