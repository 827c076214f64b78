import { type CustomCosts, multiplierOf } from '../broker/index.ts';
import {
  ACCOUNT_CURRENCY,
  FIRST_DECISION,
  firstBarFrom,
  type MaskTerms,
  ownAuctions,
  type RunSettings,
  rateOf,
  sessionAuctions,
  tradedBars,
} from '../engine/index.ts';
import {
  DAY,
  type Decimal,
  decimal,
  decimalString,
  formatInstant,
  type Instant,
  parseInstant,
} from '../kernel/index.ts';
import {
  BarBounds,
  type BarSeries,
  type BarShape,
  EndedBars,
  intervalText,
  type Market,
  parseInterval,
} from '../market/index.ts';
import { type MaskView, maskView } from './mask-view.ts';
import { placeBelow, RATE_DIGITS } from './masked-series.ts';

type Instruments = RunSettings['instruments'];
type Commission = NonNullable<RunSettings['commission']>;
/**
 * Number of significant digits of masked values whose real value is easy to guess, such as a commission of
 * half a cent per share. With more digits, the ratio of the masked to the guessed value would reveal the
 * mask's price factor.
 */
const KNOWN_DIGITS = 2;

/**
 * Converts a run's settings to their masked equivalent. Amounts in the account's currency are unchanged.
 * Amounts per unit of a symbol become amounts per masked unit, which represents `MaskView.units` real units.
 *
 * @param rates series of exchange rates
 * @param symbols masked names of the traded symbols
 */
export function maskSettings(
  settings: RunSettings,
  mask: MaskTerms,
  rates: readonly BarSeries[] = [],
  symbols: readonly string[] = Object.keys(mask.symbols),
): RunSettings {
  const view = maskView(mask);
  const { currency, evaluateFrom, session, tick, ...rest } = settings;
  return {
    ...rest,
    ...(session === undefined ? {} : maskedSession(session, view)),
    ...(tick === undefined || mask.scales !== undefined ? {} : { tick }),
    instruments: maskedInstruments(settings, symbols, view),
    ...(currency === undefined ? {} : { currency: mask.account?.name ?? currency }),
    ...(evaluateFrom === undefined ? {} : { evaluateFrom: maskedStart(evaluateFrom, view) }),
    currencies: Object.fromEntries(
      Object.entries(mask.currencies ?? {}).map(([name, { real, rateFactor }]) => {
        const { rate, inverse } = rateOf(real, settings, rates);
        const direct = typeof rate === 'number' ? (inverse ? 1 / rate : rate) : undefined;
        return [
          name,
          {
            rate: direct === undefined ? rateName(name) : shownRate(direct, rateFactor),
            inverse: false,
            tradable: false,
          },
        ];
      }),
    ),
  };
}

/**
 * Converts the session hours. In the masked calendar, every session begins at the same time in UTC. Auction
 * times are replaced by the indices of the bars that contain them, so the same bars contain auctions.
 */
function maskedSession(
  session: NonNullable<RunSettings['session']>,
  view: MaskView,
): Pick<RunSettings, 'session'> {
  const { calendar, terms } = view;
  if (calendar === undefined) return { session };
  const hours = terms.calendar?.hours;
  if (hours === undefined) return {};
  const auctionBars = sessionAuctions(session, barShape(view))?.barsOf(calendar.real) ?? null;
  return { session: { hours, timezone: 'UTC', auctionBars } };
}

/**
 * Returns the interval of the masked bars, and the meaning of a bar's time: its start or its end. The
 * interval is `undefined` if dates are not masked.
 */
function barShape({ terms }: MaskView): BarShape {
  const { interval, barTimes = 'start' } = terms.calendar ?? {};
  return { interval: interval === undefined ? undefined : parseInterval(interval), barTimes };
}

/** Converts the instant from which a run is evaluated. The first evaluated bar remains the same. */
function maskedStart(text: string, { calendar }: MaskView): string {
  if (calendar === undefined || text === FIRST_DECISION) return text;
  const { real, shown, barTimes } = calendar;
  const bar = firstBarFrom(real, parseInstant(text)!, barTimes);
  const before = (shown[0] ?? 0) - DAY;
  if (barTimes === 'end') return formatInstant(shown[bar - 1] ?? before);
  return formatInstant(shown[bar] ?? (shown.at(-1) ?? 0) + DAY);
}

function maskedInstruments(settings: RunSettings, symbols: readonly string[], view: MaskView): Instruments {
  const { terms: mask } = view;
  const codes = new Map(Object.entries(mask.currencies ?? {}).map(([name, { real }]) => [real, name]));
  codes.set(
    settings.currency ?? ACCOUNT_CURRENCY,
    mask.account?.name ?? settings.currency ?? ACCOUNT_CURRENCY,
  );
  return Object.fromEntries(
    symbols.flatMap((name) => {
      const real = view.symbols[name] ?? name;
      const terms = Object.hasOwn(settings.instruments, real) ? settings.instruments[real] : undefined;
      const scaled = scaledTerms(settings, terms, name, view);
      if (terms === undefined && scaled === undefined) return [];
      // The tick value is replaced by the multiplier that it implies. Together with the masked tick, which
      // has another size, the real tick value would imply a wrong multiplier.
      const { currency, borrow, tickValue, ...rest } = terms ?? {};
      const own = maskedTimes(rest, view);
      return [
        [
          name,
          {
            ...own,
            ...(tickValue === undefined ? {} : { multiplier: multiplierOf(terms ?? {})!.toNumber() }),
            ...scaled,
            ...(currency === undefined ? {} : { currency: codes.get(currency) ?? currency }),
            ...(borrow === undefined ? {} : { borrow: maskedBorrow(borrow, view) }),
          },
        ],
      ];
    }),
  );
}

/**
 * Converts the settings of a symbol that are defined per unit. Lot and tick are rounded down to a power of
 * ten. Their real values are easy to guess, so more digits would reveal the mask's price factor.
 *
 * @returns `undefined` if the symbol's prices are not masked
 */
function scaledTerms(
  { lot, tick, commission }: RunSettings,
  own: Instruments[string] | undefined,
  name: string,
  view: MaskView,
): Instruments[string] | undefined {
  const scale = view.terms.scales?.[name];
  if (scale === undefined) return undefined;
  const step = own?.tick ?? tick;
  const { minimumNotional, margin, maintenanceMargin } = own ?? {};
  const fees = own?.commission ?? commission;
  const rate = Number(view.rate(name));
  const unit = (value: number): number => ofDigits(value * Number(scale.price), KNOWN_DIGITS);
  return {
    lot: tenBelow(Number(own?.lot ?? lot) / Number(view.units(name))),
    ...(step === undefined ? {} : { tick: Number(tenBelow(step * Number(scale.price))) }),
    ...(minimumNotional === undefined ? {} : { minimumNotional: ofDigits(minimumNotional / rate, 6) }),
    ...(margin === undefined
      ? {}
      : { margin: unit(margin), maintenanceMargin: unit(maintenanceMargin ?? margin / 2) }),
    ...(fees === undefined ? {} : { commission: maskedFees(fees, unit, rate) }),
    scale: { price: ofDigits(Number(scale.price), KNOWN_DIGITS), turnover: Number(scale.turnover) },
  };
}

/**
 * Converts a commission to masked units and amounts.
 *
 * @param unit converts an amount per real unit to an amount per masked unit
 * @param rate factor of the exchange rate of the symbol's currency: masked rate = real rate × factor
 */
function maskedFees(fees: Commission, unit: (value: number) => number, rate: number): Commission {
  if (fees.model === 'fixed') return { ...fees, amount: ofDigits(fees.amount / rate, 6) };
  if (fees.model !== 'per-share') return fees;
  return { ...fees, perShare: unit(fees.perShare), minimum: ofDigits(fees.minimum / rate, 6) };
}

function tenBelow(value: number): string {
  return decimalString(decimal(`1e${Math.min(12, Math.max(-12, placeBelow(value)))}`));
}

function ofDigits(value: number, digits: number): number {
  return Number(value.toPrecision(digits));
}

/**
 * Replaces times in an instrument's settings, such as trading hours and expiry, by indices of bars. Returns
 * the settings unchanged if dates are not masked.
 */
function maskedTimes(own: Instruments[string], view: MaskView): Instruments[string] {
  const { calendar } = view;
  if (calendar === undefined) return own;
  const { hours: _, timezone: __, firstTrade: ___, expiry: ____, ...rest } = own;
  const shape = barShape(view);
  const { real, barTimes } = calendar;
  const traded = tradedBars(own, { clock: real, barTimes, length: shape.interval?.milliseconds });
  const auctions = ownAuctions(own, shape);
  return {
    ...rest,
    ...(traded === undefined ? {} : { tradedBars: traded }),
    ...(auctions === undefined ? {} : { auctionBars: auctions.barsOf(real) }),
  };
}

/**
 * Converts the dates from which borrow rates apply. If several rows apply from the same bar, only the last
 * row is used.
 */
function maskedBorrow(
  rows: NonNullable<Instruments[string]['borrow']>,
  { calendar }: MaskView,
): NonNullable<Instruments[string]['borrow']> {
  if (calendar === undefined) return rows;
  const moved = new Map<Instant, (typeof rows)[number]>();
  for (const row of rows) {
    const from = calendar.inForce(parseInstant(row.from)!);
    moved.set(from, { ...row, from: formatInstant(from) });
  }
  return [...moved.values()];
}

type Answer = number | string | Decimal;

/**
 * Wraps custom cost functions. The functions receive real values, and their results are converted to masked
 * values.
 */
export function maskCosts({ commission, slippage }: CustomCosts, view: MaskView): CustomCosts {
  const times = (value: number, factor: string): number =>
    factor === '1' ? value : decimal(value).times(factor).toNumber();
  const over = (value: number, factor: string): number =>
    factor === '1' ? value : decimal(value).dividedBy(factor).toNumber();
  const nameOf = (symbol: string): string => view.symbols[symbol] ?? symbol;
  return {
    ...(commission === undefined
      ? {}
      : {
          commission: (fill) => {
            const { symbol } = fill;
            const answer = commission({
              ...fill,
              symbol: nameOf(symbol),
              quantity: times(fill.quantity, view.units(symbol)),
              price: over(fill.price, view.price(symbol)),
              filledBefore: times(fill.filledBefore, view.units(symbol)),
              paidBefore: times(fill.paidBefore, view.rate(symbol)),
            });
            return changed(answer, (money) => decimal(money).dividedBy(view.rate(symbol)));
          },
        }),
    ...(slippage === undefined
      ? {}
      : {
          slippage: (fill) => {
            const { symbol } = fill;
            const answer = slippage({
              ...fill,
              symbol: nameOf(symbol),
              quantity: times(fill.quantity, view.units(symbol)),
              price: over(fill.price, view.price(symbol)),
              volume: over(fill.volume, view.volume(symbol)),
            });
            return changed(answer, (distance) => decimal(distance).times(view.price(symbol)));
          },
        }),
  };
}

/**
 * Applies a change to the result of a cost function. A result that is not a number is returned unchanged, so
 * that the broker rejects it with its own message.
 */
function changed(answer: Answer, change: (amount: Answer) => Decimal): Answer {
  return Number.isFinite(Number(answer)) && String(answer).trim() !== ''
    ? change(answer).toSignificantDigits(12)
    : answer;
}

/** Returns the name of the series with a currency's masked exchange rate. Strategies never see this name. */
function rateName(currency: string): string {
  return `FX:${currency}`;
}

/** Returns the masked value of an exchange rate. */
function shownRate(rate: number, rateFactor: string): number {
  return rateFactor === '1' ? rate : Number((rate * Number(rateFactor)).toPrecision(RATE_DIGITS));
}

/**
 * Returns a series of masked exchange rates for each foreign currency without a fixed rate, named as in the
 * masked settings. The series uses the market's clock. The open is the rate known at the start of a bar, the
 * close the rate known at its end.
 */
export function maskRates(
  market: Market,
  shownClock: Float64Array,
  { settings, rates }: { readonly settings: RunSettings; readonly rates: readonly BarSeries[] },
  view: MaskView,
): BarSeries[] {
  const { barTimes } = settings;
  const { interval } = market;
  const bounds = new BarBounds(market, barTimes);
  const shown = new BarBounds({ clock: shownClock, interval }, barTimes);
  return Object.entries(view.terms.currencies ?? {}).flatMap(([name, { real, rateFactor }]) => {
    const { rate, inverse } = rateOf(real, settings, rates);
    const series = [...rates, ...market.series].find(({ symbol }) => symbol === rate);
    if (series === undefined) return [];
    const bars = new EndedBars(series, barTimes);
    const at = (instant: number, moment: 'open' | 'close'): number => {
      const price = bars.priceAt(instant, moment);
      return shownRate(inverse ? 1 / price : price, rateFactor);
    };
    const open = new Float64Array(shownClock.length);
    const close = new Float64Array(shownClock.length);
    for (let bar = 0; bar < shownClock.length; bar++) {
      open[bar] = at(bounds.startOf(bar), 'open');
      close[bar] = at(bounds.endOf(bar), 'close');
    }
    return [
      {
        symbol: rateName(name),
        time: shownClock,
        open,
        high: open.map((value, bar) => Math.max(value, close[bar]!)),
        low: open.map((value, bar) => Math.min(value, close[bar]!)),
        close,
        volume: new Float64Array(shownClock.length),
        ...(interval === undefined ? {} : { interval: intervalText(interval) }),
        ends: shownClock.map((_, bar) => shown.endOf(bar)),
      },
    ];
  });
}
