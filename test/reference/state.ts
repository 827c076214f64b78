import type { Account } from './account.ts';
import { type Instrument, instrumentOf, type RestingOrder } from './order.ts';
import { larger, Rational, sum, ZERO } from './rational.ts';
import type { Ask, Bar, Play, Side, Terms } from './types.ts';

const MINUTE = 60_000;
const MINUTES_OF_DAY = 1440;
const BEGIN = Date.UTC(2024, 0, 1);

export const instantOf = (play: Play, bar: number): number => BEGIN + bar * play.barMinutes * MINUTE;

export interface BookedFill {
  readonly order: number;
  /** Identifier of the order that is equal on all price paths. */
  readonly identity: string;
  readonly symbol: string;
  readonly side: Side;
  readonly quantity: Rational;
  readonly price: Rational;
  readonly commission: Rational;
  readonly cash: Rational;
}

/** Inputs of a run, which never change. */
export class Given {
  readonly play: Play;
  readonly terms: Terms;
  readonly symbols: readonly string[];
  readonly length: number;
  readonly #bars: Map<string, readonly (Bar | null)[]>;

  constructor(play: Play) {
    this.play = play;
    this.terms = play.terms;
    this.symbols = Object.keys(play.candles).sort();
    this.length = play.candles[this.symbols[0]!]!.length;
    this.#bars = new Map(
      this.symbols.map((symbol) => [symbol, play.candles[symbol]!.map((candle) => candle && barOf(candle))]),
    );
  }

  bar(symbol: string, at: number): Bar | null {
    return this.#bars.get(symbol)?.[at] ?? null;
  }

  /** Returns the bar of a symbol if its orders can fill in it. `null` without a bar or without volume. */
  tradedBar(symbol: string, at: number): Bar | null {
    const bar = this.bar(symbol, at);
    return bar === null || bar.volume.isZero() ? null : bar;
  }

  /** Returns the finer bars of a bar, in order of time. */
  finer(symbol: string, at: number): { readonly minute: number; readonly bar: Bar }[] {
    const all = this.play.detail?.[symbol]?.[at] ?? [];
    return all.map(([minute, candle]) => ({ minute, bar: barOf(candle) }));
  }

  barsUpTo(symbol: string, last: number): Bar[] {
    return (this.#bars.get(symbol) ?? []).slice(0, last + 1).filter((bar) => bar !== null);
  }

  instrument(symbol: string): Instrument {
    return instrumentOf(symbol, this.terms);
  }

  day(bar: number): string {
    return new Date(instantOf(this.play, bar)).toISOString().slice(0, 10);
  }

  /** The session of a bar as a number of days since 1970. A bar after the close belongs to the next session. */
  tradingDay(bar: number): number {
    const minutes = instantOf(this.play, bar) / MINUTE;
    const day = Math.floor(minutes / MINUTES_OF_DAY);
    const { session } = this.play;
    if (session === undefined || this.play.barMinutes >= MINUTES_OF_DAY) return day;
    return minutes - day * MINUTES_OF_DAY < session.closes ? day : day + 1;
  }

  /** True if the opening auction of a session takes place in a bar. Without sessions every bar has one. */
  isOpening(bar: number): boolean {
    const { session, barMinutes } = this.play;
    if (session === undefined || barMinutes >= MINUTES_OF_DAY) return true;
    const { opens, closes } = session;
    const begin = instantOf(this.play, bar) / MINUTE;
    const midnight = (this.tradingDay(bar) - (opens < closes ? 0 : 1)) * MINUTES_OF_DAY;
    return begin <= midnight + opens && midnight + opens < begin + barMinutes;
  }

  /** True if the closing auction of a session takes place in a bar. Without sessions every bar has one. */
  isClosing(bar: number): boolean {
    const { session, barMinutes } = this.play;
    if (session === undefined || barMinutes >= MINUTES_OF_DAY) return true;
    const begin = instantOf(this.play, bar) / MINUTE;
    return this.tradingDay(bar) * MINUTES_OF_DAY + session.closes <= begin + barMinutes;
  }
}

export function barOf(candle: readonly number[]): Bar {
  const [open, high, low, close, volume] = candle.map((value) => Rational.of(value));
  return { open: open!, high: high!, low: low!, close: close!, volume: volume ?? ZERO };
}

/** Buying power that an order would use if it filled with the account as it was after the open. */
export interface Wanted {
  readonly id: number;
  readonly symbol: string;
  readonly group: string | undefined;
  readonly amount: Rational;
}

/**
 * Account after the fills at the open, and changes to it inside the bar. Objects of this type are replaced
 * and never changed.
 */
export interface Inside {
  /** Buying power after the fills at the open. */
  readonly power: Rational;
  /**
   * `equity`: equity after the fills at the open. `begun`: equity when processing of the current symbol
   * began. Symbols are processed one after another.
   */
  readonly equity: Rational;
  readonly begun: Rational;
  /**
   * `claimed`: buying power used so far inside the bar. `lastClaim`: largest id of an order of the current
   * path that has used some.
   */
  readonly claimed: Rational;
  readonly lastClaim: number;
  /** Orders of symbols that are not processed yet. */
  readonly others: readonly Wanted[];
  /** Units of each symbol for risk limits. Units closed inside the bar still count. */
  readonly units: ReadonlyMap<string, Rational>;
}

/** State of a run that depends on the price path. It is copied wherever paths separate. */
export class State {
  readonly given: Given;
  readonly account: Account;
  bar = -1;
  orders: RestingOrder[] = [];
  nextId = 1;
  /** Notional that the run has traded so far. */
  traded = ZERO;
  budget = new Map<string, Rational>();
  /** Number of the bar of the last losing exit, by symbol. */
  lossBar = new Map<string, number>();
  delisted = new Set<string>();
  /** Risk limits that currently forbid opening any position. */
  halts = new Set<'risk_drawdown' | 'risk_daily_loss'>();
  /** Buying power and equity inside the bar. `undefined` at the open and at the close. */
  inside: Inside | undefined;
  /** Fills of the current bar. */
  fills: BookedFill[] = [];
  refusals: string[] = [];
  cancels: string[] = [];

  constructor(given: Given, account: Account) {
    this.given = given;
    this.account = account;
  }

  copy(): State {
    const twin = new State(this.given, this.account.copy());
    twin.bar = this.bar;
    twin.orders = this.orders.map((order) => ({ ...order }));
    twin.nextId = this.nextId;
    twin.traded = this.traded;
    twin.budget = new Map(this.budget);
    twin.lossBar = new Map(this.lossBar);
    twin.delisted = new Set(this.delisted);
    twin.halts = new Set(this.halts);
    twin.inside = this.inside;
    twin.fills = [...this.fills];
    twin.refusals = [...this.refusals];
    twin.cancels = [...this.cancels];
    return twin;
  }

  /**
   * Returns the equity of which sizes are fractions. Inside a bar, this is the equity after the open plus the
   * changes on the current path of this symbol.
   */
  sizingEquity(): Rational {
    const { inside, account } = this;
    return inside === undefined ? account.equity() : inside.equity.plus(account.equity()).minus(inside.begun);
  }

  /** Returns the buying power that is left for an order inside a bar. `undefined` outside a bar. */
  powerFor(id: number): Rational | undefined {
    const { inside } = this;
    if (inside === undefined) return undefined;
    const older = inside.others.filter((one) => one.id < Math.max(id, inside.lastClaim));
    const alone = older.filter(({ group }) => group === undefined).map(({ amount }) => amount);
    const groups = [...new Set(older.flatMap(({ group }) => group ?? []))];
    const together = groups.map((group) =>
      older.filter((one) => one.group === group).reduce((most, { amount }) => larger(most, amount), ZERO),
    );
    return inside.power.minus(inside.claimed).minus(sum([...alone, ...together]));
  }

  /** Returns the units of a symbol that count for risk limits. */
  heldOf(symbol: string, own: string): Rational {
    return (symbol === own ? undefined : this.inside?.units.get(symbol)) ?? this.account.position(symbol);
  }

  order(id: number): RestingOrder | undefined {
    return this.orders.find((order) => order.id === id);
  }

  newOrder(ask: Ask, symbol: string): RestingOrder {
    const id = this.nextId++;
    const nothing = { filled: ZERO, billed: ZERO, value: ZERO, charged: ZERO };
    return { id, entry: id, ask, symbol, placedBar: this.bar, bars: 0, ...nothing, triggered: false };
  }

  remove(order: RestingOrder): void {
    this.orders = this.orders.filter((one) => one !== order);
  }

  cancel(order: RestingOrder): void {
    this.remove(order);
    this.cancels.push(`${this.bar} ${order.id}`);
  }

  refuse(order: RestingOrder, code: string): void {
    this.remove(order);
    this.refusals.push(`${this.bar} ${code}`);
  }

  refuseNew(code: string): void {
    this.refusals.push(`${this.bar} ${code}`);
  }
}
