import type { MaskTerms, RunSettings } from '../engine/index.ts';
import { DAY, decimal, type Fault, faultsError, type Instant } from '../kernel/index.ts';
import {
  type BarSeries,
  type CorporateAction,
  type GivenDocument,
  type Market,
  type PointInTimeData,
  type Roll,
  trusted,
} from '../market/index.ts';
import { type GivenClock, stampMover, textMasker } from './leaks.ts';
import { maskCosts, maskRates, maskSettings } from './mask-settings.ts';
import { type MaskView, maskView, shownDay } from './mask-view.ts';
import { maskFeatures } from './masked-features.ts';
import { fewerFaults, finderOf } from './masked-files.ts';
import { maskContext, maskSeries, shownDividend, shownPrice } from './masked-series.ts';
import { checkShape, type GivenWorld, otherMarket, otherShape } from './shape.ts';

/**
 * Masks documents, fundamentals and the universe. Converts dates to the masked calendar and replaces symbols
 * and ISO dates in texts. Removes symbols without data from the list of symbols of a document. Does not
 * change values of fundamentals.
 *
 * @param known all real series of the run
 * @throws AppError `mask_leaks` with every line of a document that reveals a hidden name, date or price
 */
function maskPointInTime(
  given: PointInTimeData,
  known: readonly BarSeries[],
  clock: GivenClock,
  mask: MaskTerms,
): PointInTimeData {
  const { documents, fundamentals, universe } = given;
  const view = maskView(mask);
  const nameOf = view.names;
  const move = stampMover(clock, view);
  // The engine checks once per bar if a symbol is tradable: at the start of a bar shorter than a day, and at
  // the time stamp of a longer bar. The map of starts or of stamps therefore converts the universe's dates.
  const byStart = (clock.market.interval?.milliseconds ?? DAY) < 0.8 * DAY;
  const moved = (instant: Instant | null): Instant | null =>
    instant === null || view.calendar === undefined
      ? instant
      : view.calendar[byStart ? 'starts' : 'stamps'].shown(instant);
  faultsOfFields(fundamentals, known, mask);
  return {
    documents: maskDocuments(documents, known, mask, nameOf).map((document) => ({
      ...document,
      known: move(document.known),
    })),
    fundamentals: fundamentals.flatMap((row) => {
      const symbol = nameOf.get(row.symbol);
      if (symbol === undefined) return [];
      return [{ ...row, symbol, periodEnd: shownDay(row.periodEnd, view), known: move(row.known) }];
    }),
    ...(universe === undefined
      ? {}
      : {
          universe: universe.flatMap(({ symbol: real, from, until }) => {
            const symbol = nameOf.get(real);
            return symbol === undefined ? [] : [{ symbol, from: moved(from), until: moved(until) }];
          }),
        }),
  };
}

/**
 * Checks the names of fundamentals' fields, which are not masked.
 *
 * @throws AppError `mask_leaks` with each field name that reveals a hidden name, date or price
 */
function faultsOfFields(
  rows: PointInTimeData['fundamentals'],
  known: readonly BarSeries[],
  mask: MaskTerms,
): void {
  const find = finderOf(known, mask);
  const faults = [...new Set(rows.map(({ field }) => field))].flatMap((field) =>
    find(field).map((leak): Fault => ({ where: `the field ${field}`, message: `has ${leak}` })),
  );
  if (faults.length === 0) return;
  throw faultsError(
    'mask_leaks',
    'These fundamentals would reveal what the mask hides',
    faults,
    'Rename the field, or remove --fundamentals or --mask.',
  );
}

const PARTS = ['id', 'source', 'kind', 'title', 'text'] as const;

function maskDocuments(
  documents: readonly GivenDocument[],
  known: readonly BarSeries[],
  mask: MaskTerms,
  nameOf: ReadonlyMap<string, string>,
): GivenDocument[] {
  if (documents.length === 0) return [];
  const maskText = textMasker(mask);
  const find = finderOf(known, mask);
  const hidesNames = mask.kinds.includes('symbols');
  const faults: Fault[] = [];
  const ids = new Map<string, string>();
  const masked = documents.map((document) => {
    for (const part of PARTS)
      for (const [index, line] of document[part].split('\n').entries())
        for (const leak of find(line))
          faults.push({
            where: `${document.where}, ${part}${part === 'text' ? ` line ${index + 1}` : ''}`,
            message: `has ${leak}`,
          });
    const id = maskText(document.id);
    const before = ids.get(id);
    if (before !== undefined)
      faults.push({ where: document.where, message: `its id becomes ${id}, as that of ${before} does` });
    ids.set(id, document.where);
    return {
      ...document,
      id,
      source: maskText(document.source),
      kind: maskText(document.kind),
      title: maskText(document.title),
      text: maskText(document.text),
      symbols: document.symbols.flatMap((symbol) => {
        const name = nameOf.get(symbol);
        if (name !== undefined) return [name];
        return hidesNames ? [] : [symbol];
      }),
    };
  });
  if (faults.length === 0) return masked;
  throw faultsError(
    'mask_leaks',
    'These documents would reveal what the mask hides',
    fewerFaults(faults),
    'Write symbols as in the data and dates as 2020-03-31; the mask rewrites these. Remove other dates, years and prices, or remove --documents or --mask.',
  );
}

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
    context: context.map((series) => maskContext(changes ? otherShape(series, mask.secret) : series, view)),
    ...(pointInTime === undefined ? {} : { pointInTime: maskPointInTime(pointInTime, known, given, mask) }),
    ...(detail === undefined ? {} : { detail: detail.seenThrough(finer, order) }),
    ...(costs === undefined ? {} : { costs: maskCosts(costs, view) }),
    ...(view.calendar === undefined ? {} : { interestClock: market.clock }),
  };
}

function tickOf({ instruments, tick }: RunSettings, symbol: string): number | undefined {
  return (Object.hasOwn(instruments, symbol) ? instruments[symbol]?.tick : undefined) ?? tick;
}

/** Masks a market: replaces symbols, times, prices and volumes as far as the mask changes them. */
export function maskMarket(
  market: Market,
  mask: MaskTerms,
  settings: Pick<RunSettings, 'instruments' | 'tick'> = { instruments: {} },
): Market {
  const view = maskView(mask);
  const series = market.series
    .map((one) => maskSeries(one, view, { tick: tickOf(settings as RunSettings, one.symbol) }))
    .sort((a, b) => (a.symbol < b.symbol ? -1 : 1));
  // `trusted` skips the checks of bars, because the real bars have already been checked.
  return trusted({
    symbols: series.map(({ symbol }) => symbol),
    series,
    clock: view.calendar?.shown ?? market.clock,
    interval: market.interval,
  });
}

/** Market before and after masking, with the real settings of the run. */
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
 * Masks a roll: the change from one futures contract to the next. The price of the new contract becomes the
 * open of the masked bar. The price of the old contract is masked like a price of that bar, with noise and
 * rounding. The ratio of both prices therefore differs slightly from the real ratio.
 */
function maskRoll(roll: Roll, view: MaskView, { market, shown, settings }: Markets): Roll[] {
  const real = market.series.find(({ symbol }) => symbol === roll.symbol);
  const bar = real?.time.findIndex((time) => time >= roll.time) ?? -1;
  const symbol = view.names.get(roll.symbol)!;
  const masked = shown.series.find((series) => series.symbol === symbol);
  // A roll at or before the time of the first bar, or after the last bar, is omitted, because it has no
  // effect.
  if (masked === undefined || real === undefined || bar <= 0) return [];
  return [
    {
      ...roll,
      ...contractsOf(roll, symbol, view),
      symbol,
      time: masked.time[bar]!,
      oldPrice: shownPrice(roll.oldPrice, real, view, tickOf(settings, roll.symbol)),
      // The masked open is used without change, because the real new price equals the real open except for
      // rounding.
      ...(view.terms.scales === undefined ? {} : { newPrice: decimal(masked.open[bar]!).toFixed() }),
    },
  ];
}

/** Replaces the names of contracts, because real names contain the symbol and a date. */
function contractsOf(roll: Roll, symbol: string, { calendar }: MaskView): Partial<Roll> {
  if (symbol === roll.symbol && calendar === undefined) return {};
  return { oldContract: `${symbol} before`, newContract: `${symbol} after` };
}
