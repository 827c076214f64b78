import { Financing, Ledger } from '../../broker/account/index.ts';
import { type BarPrices, Broker, contractsOf, customModels } from '../../broker/index.ts';
import { decimal, type Exact, formatInstant, type Instant } from '../../kernel/index.ts';
import {
  checkCovers,
  DetailBars,
  type Market,
  SeriesCursor,
  sessionsOf,
  tradingCalendar,
  tradingDays,
} from '../../market/index.ts';
import type { BarContext } from '../decider.ts';
import { cashEntryEvent, financingTerms } from '../events/data-events.ts';
import type { BarEvent, OpenTradeRecord, RunEvent } from '../events/events.ts';
import { SinceLog } from '../events/events-since.ts';
import { type Insolvency, InsolvencyWatch } from '../insolvency.ts';
import type { RunSettings } from '../settings/settings.ts';
import { checkSettingsFit, firstAskedBar } from '../settings/settings-fit.ts';
import { AmountText, BarAmounts, BarSource } from './bar-amounts.ts';
import { createBarContext, doubtOf } from './bar-context.ts';
import { DatedActions } from './dated-actions.ts';
import { currenciesOf, ExchangeRates, tradedMarket } from './exchange-rates.ts';
import { auctionsOf, InstrumentTimes } from './instrument-times.ts';
import { LightBar } from './light-bar.ts';
import { openTradeRecord } from './open-trade.ts';
import { averageTrueRange, checkTickGrid, spreadColumns } from './price-details.ts';
import { emptyPrices, SideData, takePrices, type WorldExtras } from './side-data.ts';

/** The simulated market and account. Advances by one bar at a time. The decider sees only `turn`. */
export class World {
  readonly symbols: readonly string[];
  readonly resolve: RunSettings['resolve'];
  readonly account: Ledger;
  readonly orders: Broker;
  readonly turn: BarContext;
  /** Number of the bar at whose close the first decision is made. */
  readonly firstAsked: number;
  /** Market with the traded symbols only. Series that only provide exchange rates are not included. */
  readonly market: Market;
  readonly #marksOpen: boolean;
  readonly #cursors: readonly SeriesCursor[];
  readonly #prices: BarPrices;
  /**
   * Spread of each symbol, one value per bar. `undefined` unless slippage is configured with a spread column.
   */
  readonly #spreads: readonly Float64Array[] | undefined;
  /** Events since the last decision. */
  readonly since: SinceLog;
  // The following objects are `undefined` if a run does not need them, so that the run skips all work for
  // them.
  readonly #rates: ExchangeRates | undefined;
  readonly #actions: DatedActions | undefined;
  readonly #beside: SideData | undefined;
  readonly #financing: Financing | undefined;
  readonly #interestClock: Float64Array | undefined;
  readonly #times: InstrumentTimes | undefined;
  readonly #insolvency: InsolvencyWatch;
  #amounts: BarAmounts | undefined;
  #endedAtOpen = false;
  /** True after the last event of the run. */
  isOver = false;
  readonly #cashText = new AmountText();
  #bar = -1;
  #time: Instant = 0;

  /**
   * @throws AppError `bad_settings` for names that are not in the data, `bad_actions` for actions that
   *   contradict the bars
   */
  constructor(
    given: Market,
    settings: RunSettings,
    emit?: (event: RunEvent) => void,
    extras: WorldExtras = {},
  ) {
    const { detail, costs } = extras;
    const traded = tradedMarket(given, settings, extras.rates);
    const { market } = traded;
    checkSettingsFit(traded, settings);
    const calendar = settings.session?.calendar;
    if (calendar !== undefined) checkCovers(tradingCalendar(calendar), market.series);
    checkTickGrid(market, settings);
    this.firstAsked = firstAskedBar(market, settings);
    this.symbols = market.symbols;
    this.resolve = settings.resolve;
    this.market = market;
    this.#marksOpen = settings.mark === 'open';
    const lookback = settings.lookback ?? Number.POSITIVE_INFINITY;
    const beside = SideData.of(extras, market, settings, emit);
    this.#beside = beside;
    const barLength = settings.barTimes === 'start' ? market.interval : undefined;
    const contexts = beside?.contexts;
    const sessions = sessionsOf(settings.session, settings.barTimes, market.interval);
    this.#cursors = market.series.map(
      (series, symbol) =>
        new SeriesCursor(series, lookback, {
          features: beside?.featuresOf(symbol),
          barLength,
          contexts,
          sessions,
          means: extras.means,
        }),
    );
    this.#spreads = spreadColumns(market, settings);
    const details =
      detail === undefined || detail instanceof DetailBars
        ? detail
        : new DetailBars(market, detail, settings.barTimes);
    this.#prices = emptyPrices(market.symbols.length, this.#spreads !== undefined);
    const currencies = currenciesOf(market.symbols, settings);
    this.since = new SinceLog(this, emit, extras.readsEvents === true);
    this.account = new Ledger(market.symbols, decimal(settings.cash), {
      lots: settings.lots,
      ...(settings.currency === undefined ? {} : { currency: settings.currency }),
      ...(currencies === undefined ? {} : { currencies }),
      contracts: contractsOf(market.symbols, settings),
      isStale: (symbol) => this.#cursors[symbol]!.window.time.last !== this.#time,
    });
    this.orders = new Broker({
      symbols: market.symbols,
      prices: this.#prices,
      ledger: this.account,
      settings,
      barTimes: settings.barTimes,
      days: tradingDays(settings.session, settings.barTimes, market.interval),
      auctions: auctionsOf(market, settings, settings.barTimes),
      emit: this.since.add,
      isOutside: beside?.isOutside,
      ...(costs === undefined ? {} : { models: customModels(costs) }),
      ...(details === undefined
        ? {}
        : { detail: (symbol) => details.barsOf(symbol, this.#cursors[symbol]!.window.revealed - 1) }),
      late: extras.feed,
      untraded: [...(contexts?.keys() ?? [])],
      averageTrueRange: (symbol, length) => averageTrueRange(this.#cursors[symbol]!.window, length),
    });
    this.#times = InstrumentTimes.of(market, settings, settings.barTimes);
    this.#insolvency = new InsolvencyWatch(this.account, this.orders, this.#prices, settings);
    this.#rates = ExchangeRates.of(traded, settings, this.account);
    this.#interestClock = extras.interestClock;
    const terms = financingTerms(market.symbols, settings, settings.barTimes);
    if (Financing.isNeeded(terms)) this.#financing = new Financing(terms, this.account);
    this.#actions = DatedActions.of(extras.actions ?? [], {
      market,
      ledger: this.account,
      broker: this.orders,
      emit: this.since.add,
      barTimes: settings.barTimes,
      cursors: this.#cursors,
      adjusts: settings.adjust !== undefined,
    });
    this.turn = createBarContext(
      this,
      this.#cursors.map(({ window }) => window),
      contexts ?? new Map(),
      emit,
      beside?.pointInTime,
    );
  }

  get bar(): number {
    return this.#bar;
  }

  get time(): Instant {
    return this.#time;
  }

  /** Number of bars on the clock. */
  get length(): number {
    return this.market.clock.length;
  }

  /**
   * Advances to the next bar. Reveals it, sets the prices for the broker, and values positions at its open.
   */
  reveal(): void {
    this.#bar += 1;
    this.#time = this.market.clock[this.#bar]!;
    this.#actions?.beforeBar(this.#bar);
    const prices = this.#prices;
    const times = this.#times;
    times?.settle(this.#bar, this.#time, prices.close, this.orders);
    for (let symbol = 0; symbol < this.#cursors.length; symbol++) {
      const cursor = this.#cursors[symbol]!;
      if (!cursor.advanceTo(this.#time)) {
        prices.trades[symbol] = 0;
        continue;
      }
      const row = cursor.window.revealed - 1;
      takePrices(prices, symbol, this.market.series[symbol]!, row);
      if (times?.isOpen(symbol, this.#bar) === false) prices.trades[symbol] = 0;
      if (prices.spread !== undefined) prices.spread[symbol] = this.#spreads![symbol]![row]!;
      this.account.mark(symbol, prices.open[symbol]!);
    }
    this.#rates?.atOpen(this.#bar);
    this.#beside?.startBar(this.#bar);
  }

  /**
   * Applies the splits, dividends, rolls and funding at the start of the bar.
   *
   * @returns true if positions are marked at opens and equity there is zero or less; the run then ends before
   *   any fill
   */
  open(): boolean {
    this.#actions?.atOpen(this.#bar, this.#time);
    if (!this.#marksOpen) return false;
    this.orders.startActions(this.#bar, this.#time);
    this.#endedAtOpen = this.#insolvency.atOpen(this.#bar);
    return this.#endedAtOpen;
  }

  /** Fills resting orders by the fill rules. */
  fill(): void {
    this.orders.openBar(this.#bar, this.#time);
  }

  /**
   * Ends the bar. Values every position at its last close, unless the settings mark positions at opens. Then
   * publishes data that became visible, and charges interest and fees.
   *
   * @param accrues if false, no interest and fees are charged: for the bars before the first decision
   */
  markToMarket(accrues = true): void {
    const { close } = this.#prices;
    for (let symbol = 0; symbol < close.length; symbol++) {
      const price = close[symbol]!;
      if (!Number.isNaN(price) && !this.#marksOpen) this.account.mark(symbol, price);
    }
    this.#rates?.atClose(this.#bar);
    this.#actions?.atClose(this.#bar);
    this.#beside?.endBar(this.#bar, (symbol) => this.#cursors[symbol]!.window.time.last === this.#time);
    if (accrues && this.#financing !== undefined) this.#accrue(this.#financing);
  }

  #accrue(financing: Financing): void {
    let { exactCash } = this.account;
    for (const entry of financing.accrue(this.#time, this.#interestClock?.[this.#bar])) {
      exactCash = exactCash.plus(entry.amount);
      this.since.add?.(cashEntryEvent(entry, this.#bar, this.symbols, exactCash));
    }
  }

  /** Checks margin and risk limits for the marked account. Forced orders fill at the next open. */
  checkMargin(): void {
    this.orders.endBar(this.#bar, this.#time);
  }

  /**
   * If the account is insolvent at the closes, closes everything at the closes, with costs.
   *
   * @returns true if insolvent; the run then ends
   */
  endIfInsolvent(): boolean {
    return this.#insolvency.atClose(this.#bar);
  }

  /** Bar and equity at which the run became insolvent. `undefined` for a solvent account. */
  get insolvency(): Insolvency | undefined {
    return this.#insolvency.found;
  }

  /** With `fillOn: "close"`: fills the decider's new orders at this bar's close. */
  fillAtClose(): void {
    this.orders.fillAtClose();
  }

  /** Returns the `bar` event, which is the last event of a bar. */
  barEvent(): BarEvent {
    const { exactEquity: equity, exactCash: cash } = this.account;
    const exposure = equity.isPositive() ? this.account.grossExposureNumber / equity.toNumber() : null;
    return {
      type: 'bar',
      bar: this.#bar,
      date: formatInstant(this.#time),
      cash: this.#cashText.of(cash),
      equity: equity === cash ? this.#cashText.of(cash) : equity.toString(),
      exposure,
      ...this.#doubt(equity),
      prices: this.#cursors.map(({ window }) =>
        window.time.last === this.#time
          ? [window.open.last, window.high.last, window.low.last, window.close.last, window.volume.last + 0]
          : null,
      ),
    };
  }

  /** Returns the `bar` event in a form whose texts and prices are created only when they are read. */
  lightBar(): BarEvent {
    this.#amounts ??= new BarAmounts(BarSource.of(this.market));
    this.#amounts.take(this.#bar, this.account);
    const bar = new LightBar(this.#amounts, this.#bar);
    if (!this.#isDoubtful) return bar;
    this.#amounts.isDoubtful = true;
    return Object.assign(bar, this.#doubt(this.account.exactEquity));
  }

  get #isDoubtful(): boolean {
    const { difference, bounds } = this.orders.doubt;
    return difference !== undefined || bounds.size > 0;
  }

  /**
   * Returns the fields of the `bar` event about fills that depend on the unknown sequence of prices within
   * the bar.
   */
  #doubt(marked: Exact): Pick<BarEvent, 'ambiguity' | 'bounds'> {
    // If the run ended at the open, no orders were matched within this bar.
    return this.#endedAtOpen ? {} : doubtOf(this.orders.doubt, marked, this.resolve, this.symbols);
  }

  openTradeRecords(): OpenTradeRecord[] {
    return this.account.openTrades().map(openTradeRecord);
  }
}
