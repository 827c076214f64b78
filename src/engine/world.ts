import { Ledger } from '../account/index.ts';
import { type BarPrices, Broker } from '../broker/index.ts';
import { AppError, decimal, decimalString, formatInstant, type Instant } from '../kernel/index.ts';
import { GrowingWindow, type Market, type Window } from '../market/index.ts';
import type { Turn } from './decider.ts';
import type { BarEvent, OpenTradeRecord, RunEvent } from './events.ts';
import type { RunSettings } from './settings.ts';

/** The simulated world at one bar: it moves forward one bar at a time and is the `Turn` its decider sees. */
export class World implements Turn {
  readonly symbols: readonly string[];
  readonly account: Ledger;
  readonly orders: Broker;
  readonly window: Window;
  readonly #market: Market;
  readonly #windows: readonly GrowingWindow[];
  readonly #prices: BarPrices;
  readonly #emit: ((event: RunEvent) => void) | undefined;
  #bar = -1;
  #time: Instant = 0;

  constructor(market: Market, settings: RunSettings, emit?: (event: RunEvent) => void) {
    const count = market.symbols.length;
    this.symbols = market.symbols;
    this.#market = market;
    this.#emit = emit;
    this.#windows = market.series.map((series) => new GrowingWindow(series, settings.lookback ?? Number.POSITIVE_INFINITY));
    this.window = this.#windows[0]!;
    this.#prices = {
      trades: new Uint8Array(count),
      open: new Float64Array(count).fill(Number.NaN),
      high: new Float64Array(count).fill(Number.NaN),
      low: new Float64Array(count).fill(Number.NaN),
      close: new Float64Array(count).fill(Number.NaN),
    };
    this.account = new Ledger(market.symbols, decimal(settings.cash));
    this.orders = new Broker(market.symbols, this.#prices, this.account, settings, emit);
  }

  get bar(): number {
    return this.#bar;
  }

  get time(): Instant {
    return this.#time;
  }

  /** Bars on the clock. */
  get length(): number {
    return this.#market.clock.length;
  }

  windowOf(symbol: string): Window {
    const window = this.#windows[this.symbols.indexOf(symbol)];
    if (window !== undefined) return window;
    throw new AppError({
      code: 'unknown_symbol',
      message: `There is no symbol ${symbol} in this market.`,
      remedy: `Use one of: ${this.symbols.join(', ')}.`,
    });
  }

  record(event: RunEvent): void {
    this.#emit?.(event);
  }

  /** Moves to the next bar: reveals it and sets the prices the broker fills at; positions are valued at its open. */
  reveal(): void {
    this.#bar += 1;
    this.#time = this.#market.clock[this.#bar]!;
    const prices = this.#prices;
    for (let symbol = 0; symbol < this.#windows.length; symbol++) {
      const window = this.#windows[symbol]!;
      if (!window.advanceTo(this.#time)) {
        prices.trades[symbol] = 0;
        continue;
      }
      prices.open[symbol] = window.open.last;
      prices.high[symbol] = window.high.last;
      prices.low[symbol] = window.low.last;
      prices.close[symbol] = window.close.last;
      prices.trades[symbol] = window.volume.last > 0 ? 1 : 0;
      this.account.mark(symbol, window.open.last);
    }
  }

  /** Fills what rests, by the fill rules. */
  fill(): void {
    this.orders.openBar(this.#bar, this.#time);
  }

  /** Values every position at its last close. */
  markToMarket(): void {
    const { close } = this.#prices;
    for (let symbol = 0; symbol < close.length; symbol++) {
      const price = close[symbol]!;
      if (price === price) this.account.mark(symbol, price);
    }
  }

  /** The event that ends a bar's group. */
  barEvent(): BarEvent {
    const { equity, cash } = this.account;
    const exposure = equity.isPositive() && !equity.isZero() ? this.account.grossExposureNumber / equity.toNumber() : null;
    return {
      type: 'bar',
      bar: this.#bar,
      date: formatInstant(this.#time),
      cash: decimalString(cash),
      equity: decimalString(equity),
      exposure,
    };
  }

  openTradeRecords(): OpenTradeRecord[] {
    return this.account.openTrades().map((trade) => ({
      id: trade.id,
      symbol: trade.symbol,
      side: trade.side,
      quantity: decimalString(trade.quantity),
      entryBar: trade.entryBar,
      entryTime: formatInstant(trade.entryTime),
      entryPrice: decimalString(trade.entryPrice),
      lastPrice: decimalString(trade.exitPrice),
      grossPnl: decimalString(trade.grossPnl),
      commission: decimalString(trade.commission),
      netPnl: decimalString(trade.netPnl),
    }));
  }
}
