import { Ledger } from '../../src/broker/account/index.ts';
import { Broker } from '../../src/broker/broker.ts';
import type { BrokerEvent } from '../../src/broker/events.ts';
import type { BarPrices } from '../../src/broker/matching/triggers.ts';
import { contractsOf } from '../../src/broker/settings/instruments.ts';
import { type BrokerSettings, brokerSettingsSchema } from '../../src/broker/settings/settings.ts';
import { DAY, decimal, decimalString } from '../../src/kernel/index.ts';
import type { Bar } from '../../src/market/index.ts';

/** Bar of a hand-written test market. `null` if the symbol has no bar. Default volume: 1,000. */
export type Candle =
  | readonly [open: number, high: number, low: number, close: number, volume?: number]
  | null;

/**
 * Broker with hand-written bars, for tests of the broker. Calls the broker in the same order as the engine.
 */
export class Exchange {
  readonly broker: Broker;
  readonly ledger: Ledger;
  readonly events: BrokerEvent[] = [];
  readonly #candles: readonly (readonly Candle[])[];
  readonly #prices: BarPrices;
  #bar = -1;

  /**
   * @param candles bars of each symbol. The symbols must be in alphabetical order
   * @param detail finer bars (of a shorter interval) by symbol and bar number
   */
  constructor(
    candles: Readonly<Record<string, readonly Candle[]>>,
    settings: Partial<BrokerSettings> & { readonly cash?: string } = {},
    detail?: Readonly<Record<string, Readonly<Record<number, readonly Candle[]>>>>,
  ) {
    const { cash = '10000', ...terms } = settings;
    const symbols = Object.keys(candles);
    const column = (): Float64Array => new Float64Array(symbols.length).fill(Number.NaN);
    this.#candles = Object.values(candles);
    this.#prices = {
      trades: new Uint8Array(symbols.length),
      open: column(),
      high: column(),
      low: column(),
      close: column(),
      volume: column(),
    };
    const parsed = brokerSettingsSchema.parse(terms);
    this.ledger = new Ledger(symbols, decimal(cash), { contracts: contractsOf(symbols, parsed) });
    this.broker = new Broker({
      symbols,
      prices: this.#prices,
      ledger: this.ledger,
      settings: parsed,
      emit: (event) => this.events.push(event),
      ...(detail === undefined
        ? {}
        : { detail: (symbol) => barsOf(detail[symbols[symbol]!]?.[this.#bar] ?? [], this.#bar) }),
    });
  }

  /** Processes the next bar: the fills at its open and inside it, then its close. */
  next(): this {
    this.#bar += 1;
    const bars = this.#candles.map((candles) => candles[this.#bar] ?? null);
    bars.forEach((candle, symbol) => {
      this.#prices.trades[symbol] = candle !== null && candle[4] !== 0 ? 1 : 0;
      if (candle === null) return;
      const [open, high, low, close, volume = 1_000] = candle;
      this.#prices.open[symbol] = open;
      this.#prices.high[symbol] = high;
      this.#prices.low[symbol] = low;
      this.#prices.close[symbol] = close;
      this.#prices.volume[symbol] = volume;
      this.ledger.mark(symbol, open);
    });
    this.broker.openBar(this.#bar, this.#bar * 86_400_000);
    bars.forEach((candle, symbol) => {
      if (candle !== null) this.ledger.mark(symbol, candle[3]);
    });
    this.broker.endBar(this.#bar);
    return this;
  }

  /** Fills so far, each as `bar side quantity symbol @ price`, followed by the commission if it is not 0. */
  get fills(): string[] {
    return this.events.flatMap((event) => {
      if (event.type !== 'order_filled') return [];
      const { bar, side, quantity, symbol, price, commission } = event;
      return [
        `${bar} ${side} ${quantity} ${symbol} @ ${price}${commission === '0' ? '' : ` + ${commission}`}`,
      ];
    });
  }

  /** Rejected orders so far, each as `bar code`. */
  get refusals(): string[] {
    return this.events.flatMap((event) =>
      event.type === 'order_rejected' ? [`${event.bar} ${event.code}`] : [],
    );
  }

  /** Text of the last rejection: the message and the suggested fix. Empty without a rejection. */
  get lastRefusal(): string {
    const last = this.events.findLast((event) => event.type === 'order_rejected');
    return last === undefined ? '' : `${last.message} ${last.remedy}`;
  }

  get cash(): string {
    return decimalString(this.ledger.cash);
  }

  get equity(): string {
    return decimalString(this.ledger.equity);
  }

  /** Units of each open position, by symbol. Negative for short positions. */
  get held(): Record<string, string> {
    return Object.fromEntries(
      this.ledger.positions().map(({ symbol, quantity }) => [symbol, decimalString(quantity)]),
    );
  }
}

/** Returns finer bars at intervals of one hour, beginning with the start of the bar. */
function barsOf(candles: readonly Candle[], bar: number): Bar[] {
  return candles.flatMap((candle, hour) => {
    if (candle === null) return [];
    const [open, high, low, close, volume = 100] = candle;
    return [{ time: bar * DAY + hour * (DAY / 24), open, high, low, close, volume }];
  });
}

/** Returns `count` bars whose open, high, low and close are all equal to `price`. */
export function flat(price: number, count: number): Candle[] {
  return Array.from({ length: count }, () => [price, price, price, price]);
}
