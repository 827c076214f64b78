import { EXACT_ZERO, Exact } from '../../kernel/index.ts';
import type { Ledger, Trade } from '../account/index.ts';
import { type Refusal, refusal } from '../orders/refusals.ts';
import { carriesMinimum, type Instrument } from './instruments.ts';
import { type Cap, capsOf, type Exposure, largestWithin, type Opening, ROUNDING } from './risk-caps.ts';
import type { RiskSettings } from './settings.ts';

/**
 * Inputs of a risk check other than the order (`Opening`). The check runs when an order is accepted and again
 * when it fills.
 */
export interface RiskContext {
  /**
   * Positions with which the limits are compared. At acceptance of an order: the positions after the fills of
   * all accepted orders. At a fill: the current positions.
   */
  readonly exposure: Exposure;
  /** Bar in which the order would fill. */
  readonly fillBar: number;
  /**
   * Returns the largest quantity that buying power allows to open. The quantity suggested in a rejection is
   * never larger.
   */
  readonly affordable: () => Exact;
  /** End of the message "At most n would …", for example `be accepted`. */
  readonly verb: string;
  /** Equity of which the limits are fractions or multiples. Default: the ledger's equity. */
  readonly equity?: number;
  /**
   * True if the symbol was closed at a loss earlier in the current bar, on the price path that is being
   * evaluated.
   */
  readonly lost?: boolean;
}

/**
 * Loss limit that was reached at a close. From then on, no positions are opened: until the next trading day
 * (`risk_daily_loss`) or until the end of the run (`risk_drawdown`).
 */
export interface Halt {
  readonly code: 'risk_drawdown' | 'risk_daily_loss';
  readonly limit: number;
  /** Equity from which the loss is counted. */
  readonly from: number;
}

/** Checks a run's risk limits for every order, at its acceptance and at its fill. */
export class RiskGate {
  /** True if any limit is set. Runs without limits skip all checks. */
  readonly any: boolean;
  readonly #limits: RiskSettings;
  readonly #symbols: readonly string[];
  readonly #ledger: Ledger;
  readonly #instruments: readonly Instrument[];
  readonly #isOutside: ((symbol: number) => boolean) | undefined;
  /** Bar of each symbol's last losing exit. */
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

  /** True once the drawdown limit was reached, until the end of the run. */
  get halted(): boolean {
    return this.#halted;
  }

  get flattens(): boolean {
    return this.#limits.flattenOnHalt === true;
  }

  /**
   * Starts a bar. A new trading day resets the daily limit, whose loss is counted from the last equity of the
   * previous day.
   */
  startBar(day: number): void {
    if (day === this.#day) return;
    this.#day = day;
    this.#dayStart = this.#lastEquity;
    this.#stoppedToday = false;
  }

  /**
   * Checks the loss limits after the positions are valued at a bar's close. Returns the limits that are newly
   * reached.
   */
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

  /**
   * Returns the rejection of an order that would open or enlarge a position. `undefined` if the order is
   * allowed.
   */
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
        `${name} is not in the universe on this bar, so no position can be opened.`,
        'Only closing orders are accepted. universe() lists the members.',
        closing,
      );
    }
    if (this.#halted) {
      return refusal(
        'risk_drawdown',
        `The equity fell to ${1 - maxDrawdown!} of its peak of ${money(this.#peak)} or below, the drawdown limit of ${maxDrawdown}: no more positions are opened.`,
        'Only closing orders are accepted.',
        closing,
      );
    }
    if (this.#stoppedToday) {
      return refusal(
        'risk_daily_loss',
        `The equity fell from ${money(this.#dayStart)} by the daily loss limit of ${maxDailyLoss} or more: no more positions are opened today.`,
        'Only closing orders are accepted until tomorrow.',
        closing,
      );
    }
    const lossBar = lost ? fillBar : this.#lossBar.get(symbol);
    if (cooldownBars !== undefined && lossBar !== undefined && fillBar - lossBar <= cooldownBars) {
      return refusal(
        'risk_cooldown',
        `${name} was closed at a loss on bar ${lossBar}, and the cooldown is ${cooldownBars} bars: it cannot be opened again until after bar ${lossBar + cooldownBars}.`,
        `Orders that fill from bar ${lossBar + cooldownBars + 1} on are accepted.`,
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
        `${exposure.openPositions} positions are open or ordered. The limit is ${maxOpenPositions}.`,
        'Close a position first.',
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
      largest.isZero() ? 'No larger position can be opened.' : `At most ${largest} would ${verb}.`,
      largest,
    );
  }

  /**
   * Returns the largest quantity to open that satisfies all limits and buying power. Zero if it would be
   * below the minimum notional.
   */
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
