import type { Ledger, Trade } from '../account/index.ts';
import { EXACT_ZERO, Exact } from '../kernel/index.ts';
import { carriesMinimum, type Instrument } from './instruments.ts';
import { type Refusal, refusal } from './refusals.ts';
import { type Cap, capsOf, type Exposure, largestWithin, type Opening, ROUNDING } from './risk-caps.ts';
import type { RiskSettings } from './settings.ts';

/** How an opening is looked at: when it is accepted, or again when it fills. */
export interface RiskContext {
  /** Positions as they are, or as the orders accepted before will leave them. */
  readonly exposure: Exposure;
  /** The bar it would fill in. */
  readonly fillBar: number;
  /** The largest opening that buying power carries: what is named as passing must pass there too. */
  readonly affordable: () => Exact;
  /** Ends "At most n would …". */
  readonly verb: string;
  /** What the limits are shares of; the ledger's where left out. */
  readonly equity?: number;
  /** The symbol was closed at a loss in the bar under way, on the path that is tried. */
  readonly lost?: boolean;
}

/** A limit that stops all opening, struck at a close. */
export interface Halt {
  readonly code: 'risk_drawdown' | 'risk_daily_loss';
  readonly limit: number;
  /** The equity that the loss is counted from. */
  readonly from: number;
}

/** Holds a run's risk limits against every order, when it is accepted and again when it fills. */
export class RiskGate {
  /** Whether there is a limit at all: a run without any does no work for them. */
  readonly any: boolean;
  readonly #limits: RiskSettings;
  readonly #symbols: readonly string[];
  readonly #ledger: Ledger;
  readonly #instruments: readonly Instrument[];
  readonly #isOutside: ((symbol: number) => boolean) | undefined;
  /** The bar of each symbol's last losing exit. */
  readonly #lossBar = new Map<number, number>();
  #day = Number.NaN;
  #dayStart: number;
  #lastEquity: number;
  #peak: number;
  #halted = false;
  #stoppedToday = false;

  constructor(
    limits: RiskSettings,
    symbols: readonly string[],
    ledger: Ledger,
    instruments: readonly Instrument[],
    isOutside?: (symbol: number) => boolean,
  ) {
    this.#limits = limits;
    this.#symbols = symbols;
    this.#ledger = ledger;
    this.#instruments = instruments;
    this.#isOutside = isOutside;
    this.any = isOutside !== undefined || Object.values(limits).some((limit) => limit !== undefined);
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

  /** A new day, in UTC, ends a daily stop and counts its loss from the last equity of the day before. */
  startBar(day: number): void {
    if (day === this.#day) return;
    this.#day = day;
    this.#dayStart = this.#lastEquity;
    this.#stoppedToday = false;
  }

  /** Looks at the account after a bar's marks; gives the limits that it breaks now and did not before. */
  endBar(): Halt[] {
    const equity = this.#ledger.equityNumber;
    this.#lastEquity = equity;
    this.#peak = Math.max(this.#peak, equity);
    const { maxDailyLoss, maxDrawdown } = this.#limits;
    const halts: Halt[] = [];
    if (!this.#halted && maxDrawdown !== undefined && equity <= this.#peak * (1 - maxDrawdown)) {
      this.#halted = true;
      halts.push({ code: 'risk_drawdown', limit: maxDrawdown, from: this.#peak });
    }
    if (!this.#stoppedToday && maxDailyLoss !== undefined && equity <= this.#dayStart * (1 - maxDailyLoss)) {
      this.#stoppedToday = true;
      halts.push({ code: 'risk_daily_loss', limit: maxDailyLoss, from: this.#dayStart });
    }
    return halts;
  }

  noteClosed(symbol: number, bar: number, trades: readonly Trade[]): void {
    if (this.#limits.cooldownBars === undefined) return;
    if (trades.some((trade) => trade.netPnl.isNegative())) this.#lossBar.set(symbol, bar);
  }

  /** Why an opening is not allowed; undefined when it is. */
  refusalOf(opening: Opening, context: RiskContext): Refusal | undefined {
    if (!opening.quantity.isPositive()) return undefined;
    return this.#halt(opening, context) ?? this.#sizeRefusal(opening, context);
  }

  #halt({ symbol, closing }: Opening, { exposure, fillBar, lost }: RiskContext): Refusal | undefined {
    const { cooldownBars, maxDailyLoss, maxDrawdown, maxOpenPositions } = this.#limits;
    const name = this.#symbols[symbol]!;
    if (this.#isOutside?.(symbol)) {
      return refusal(
        'not_in_universe',
        `${name} is not in the universe now: nothing of it is opened.`,
        'Only closing orders pass. See who is with universe().',
        closing,
      );
    }
    if (this.#halted) {
      return refusal(
        'risk_drawdown',
        `The equity fell to ${1 - maxDrawdown!} of its peak of ${money(this.#peak)} or below, the drawdown limit of ${maxDrawdown}: nothing more is opened.`,
        'Only closing orders pass.',
        closing,
      );
    }
    if (this.#stoppedToday) {
      return refusal(
        'risk_daily_loss',
        `The equity fell from ${money(this.#dayStart)} by the daily loss limit of ${maxDailyLoss} or more: nothing more is opened today.`,
        'Only closing orders pass until tomorrow.',
        closing,
      );
    }
    const lossBar = lost ? fillBar : this.#lossBar.get(symbol);
    if (cooldownBars !== undefined && lossBar !== undefined && fillBar - lossBar <= cooldownBars) {
      return refusal(
        'risk_cooldown',
        `${name} was closed at a loss on bar ${lossBar}, and the cooldown is ${cooldownBars} bars: it is not opened again up to bar ${lossBar + cooldownBars}.`,
        `An order that fills from bar ${lossBar + cooldownBars + 1} on passes.`,
        closing,
      );
    }
    if (
      maxOpenPositions !== undefined &&
      exposure.heldUnits === 0 &&
      exposure.openPositions >= maxOpenPositions
    ) {
      return refusal(
        'risk_open_positions',
        `${exposure.openPositions} positions are open or ordered, and the limit is ${maxOpenPositions}.`,
        'Close one first.',
        closing,
      );
    }
    return undefined;
  }

  #sizeRefusal(opening: Opening, context: RiskContext): Refusal | undefined {
    const { exposure, affordable, verb, equity = this.#ledger.equityNumber } = context;
    const { symbol, quantity, closing, price } = opening;
    const rate = this.#ledger.pointValueOf(symbol).toNumber();
    const caps = capsOf(this.#limits, opening, exposure, equity, rate);
    const notional = quantity.toNumber() * price.toNumber() * rate;
    const broken = caps.find(({ room }) => !(notional <= room * ROUNDING));
    if (broken === undefined) return undefined;
    const largest = this.#largest(opening, caps, rate, affordable()).plus(closing);
    return refusal(
      broken.code,
      `Opening ${quantity} ${this.#symbols[symbol]} at ${price} is ${money(notional)}, and ${broken.limit} leaves ${money(Math.max(broken.room, 0))}.`,
      largest.isZero() ? 'Nothing more can be opened.' : `At most ${largest} would ${verb}.`,
      largest,
    );
  }

  /** The largest opening that no cap, no want of buying power and no minimum notional refuses. */
  #largest({ symbol, price }: Opening, caps: readonly Cap[], rate: number, affordable: Exact): Exact {
    const instrument = this.#instruments[symbol]!;
    const largest = caps.reduce(
      (least, { room }) => Exact.min(least, largestWithin(room, price, rate, instrument)),
      affordable,
    );
    return carriesMinimum(largest, price, instrument) ? largest : EXACT_ZERO;
  }
}

function money(value: number): string {
  return value.toFixed(2);
}
