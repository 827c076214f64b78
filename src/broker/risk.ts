import type { Ledger, Trade } from '../account/index.ts';
import { Exact } from '../kernel/index.ts';
import { type Instrument, wholeLots } from './instruments.ts';
import { type Refusal, refusal } from './refusals.ts';
import type { RiskSettings } from './settings.ts';

const DAY = 86_400_000;

/** An order, or the part of one, that would open or enlarge a position. */
export interface Opening {
  readonly symbol: number;
  readonly side: 1 | -1;
  /** Units beyond what closes an opposite position. */
  readonly quantity: Exact;
  /** Units of the opposite position that the order closes first. */
  readonly closing: Exact;
  readonly price: Exact;
}

interface Cap {
  readonly code: Refusal['code'];
  readonly limit: string;
  /** Notional that may still be opened. */
  readonly room: number;
}

/** Holds a run's risk limits against every order, when it is accepted and again when it fills. */
export class RiskGate {
  readonly #limits: RiskSettings;
  readonly #symbols: readonly string[];
  readonly #ledger: Ledger;
  readonly #instruments: readonly Instrument[];
  readonly #any: boolean;
  readonly #lossBar = new Map<number, number>();
  #bar = 0;
  #day = Number.NaN;
  #dayStart: number;
  #lastEquity: number;
  #peak: number;
  #halted = false;
  #dailyStop = false;

  constructor(
    limits: RiskSettings,
    symbols: readonly string[],
    ledger: Ledger,
    instruments: readonly Instrument[],
  ) {
    this.#limits = limits;
    this.#symbols = symbols;
    this.#ledger = ledger;
    this.#instruments = instruments;
    this.#any = Object.values(limits).some((limit) => limit !== undefined);
    this.#peak = ledger.equityNumber;
    this.#dayStart = ledger.equityNumber;
    this.#lastEquity = ledger.equityNumber;
  }

  /** Whether the drawdown limit was broken; it stays so to the end of the run. */
  get halted(): boolean {
    return this.#halted;
  }

  get flattens(): boolean {
    return this.#limits.flattenOnHalt === true;
  }

  /** Looks at the account after a bar's marks. */
  endOfBar(bar: number, time: number): void {
    if (!this.#any) return;
    const equity = this.#ledger.equityNumber;
    const day = Math.floor(time / DAY);
    if (day !== this.#day) {
      // A day's loss counts from the last equity of the day before.
      this.#day = day;
      this.#dayStart = this.#lastEquity;
      this.#dailyStop = false;
    }
    this.#lastEquity = equity;
    const { maxDailyLoss, maxDrawdown } = this.#limits;
    if (maxDailyLoss !== undefined && equity <= this.#dayStart * (1 - maxDailyLoss)) this.#dailyStop = true;
    this.#peak = Math.max(this.#peak, equity);
    if (maxDrawdown !== undefined && equity <= this.#peak * (1 - maxDrawdown)) this.#halted = true;
    this.#bar = bar;
  }

  noteClosed(symbol: number, bar: number, trades: readonly Trade[]): void {
    if (this.#limits.cooldownBars === undefined) return;
    if (trades.some((trade) => trade.netPnl.isNegative())) this.#lossBar.set(symbol, bar);
  }

  /** Why an opening is not allowed; undefined when it is. */
  refusalOf(opening: Opening): Refusal | undefined {
    if (!this.#any || !opening.quantity.isPositive()) return undefined;
    return this.#halt(opening) ?? this.#sizeRefusal(opening);
  }

  #halt({ symbol, closing }: Opening): Refusal | undefined {
    const { cooldownBars, maxDailyLoss, maxDrawdown, maxOpenPositions } = this.#limits;
    const name = this.#symbols[symbol]!;
    if (this.#halted) {
      return refusal(
        'risk_drawdown',
        `The drawdown limit of ${maxDrawdown} was reached: nothing more is opened.`,
        'Only closing orders pass.',
        closing,
      );
    }
    if (this.#dailyStop) {
      return refusal(
        'risk_daily_loss',
        `The daily loss limit of ${maxDailyLoss} was reached: nothing more is opened today.`,
        'Only closing orders pass until tomorrow.',
        closing,
      );
    }
    const lossBar = this.#lossBar.get(symbol);
    if (cooldownBars !== undefined && lossBar !== undefined && this.#bar + 1 - lossBar <= cooldownBars) {
      return refusal(
        'risk_cooldown',
        `${name} closed at a loss on bar ${lossBar}: it is not opened for ${cooldownBars} bars.`,
        `Wait until bar ${lossBar + cooldownBars}.`,
        closing,
      );
    }
    const open = this.#symbols.filter((_, index) => this.#ledger.unitsAt(index) !== 0).length;
    if (maxOpenPositions !== undefined && this.#ledger.unitsAt(symbol) === 0 && open >= maxOpenPositions) {
      return refusal(
        'risk_open_positions',
        `${open} positions are open, and the limit is ${maxOpenPositions}.`,
        'Close one first.',
        closing,
      );
    }
    return undefined;
  }

  #sizeRefusal(opening: Opening): Refusal | undefined {
    const { symbol, quantity, closing } = opening;
    // Limits are in the account's currency.
    const price = this.#ledger.inAccountCurrency(symbol, opening.price);
    const notional = quantity.toNumber() * price.toNumber();
    for (const { code, limit, room } of this.#caps({ ...opening, price })) {
      if (notional <= room * (1 + 1e-12)) continue;
      const lots = wholeLots(
        Math.max(room, 0),
        price.toNumber(),
        this.#instruments[symbol]!,
        () => Exact.of(Math.max(room, 0)),
        () => price,
      );
      const largest = lots.plus(closing);
      return refusal(
        code,
        `Opening ${quantity} ${this.#symbols[symbol]} at ${opening.price} is ${notional.toFixed(2)}, and ${limit} leaves ${Math.max(room, 0).toFixed(2)}.`,
        largest.isZero() ? 'Nothing more can be opened.' : `At most ${largest} would be accepted.`,
        largest,
      );
    }
    return undefined;
  }

  #caps({ symbol, side, closing, price }: Opening): Cap[] {
    const { maxPosition, maxGrossExposure, maxNetExposure, maxOrderNotional } = this.#limits;
    const ledger = this.#ledger;
    const equity = ledger.equityNumber;
    const closed = closing.toNumber() * price.toNumber();
    const held = closed > 0 ? 0 : Math.abs(ledger.unitsAt(symbol)) * price.toNumber();
    const caps: Cap[] = [];
    if (maxPosition !== undefined) {
      caps.push({
        code: 'risk_max_position',
        limit: `the position limit of ${maxPosition} × equity`,
        room: maxPosition * equity - held,
      });
    }
    if (maxGrossExposure !== undefined) {
      const room = maxGrossExposure * equity - (ledger.grossExposureNumber - closed);
      caps.push({
        code: 'risk_gross_exposure',
        limit: `the gross exposure limit of ${maxGrossExposure} × equity`,
        room,
      });
    }
    if (maxNetExposure !== undefined) {
      const net = ledger.netExposureNumber + side * closed;
      caps.push({
        code: 'risk_net_exposure',
        limit: `the net exposure limit of ${maxNetExposure} × equity`,
        room: maxNetExposure * equity - side * net,
      });
    }
    if (maxOrderNotional !== undefined) {
      caps.push({
        code: 'risk_order_notional',
        limit: `the order limit of ${maxOrderNotional}`,
        room: maxOrderNotional - closed,
      });
    }
    return caps;
  }
}
